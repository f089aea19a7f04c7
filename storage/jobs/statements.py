"""The rows of the job queue: procrastinate's tables, whose release pyproject.toml holds, in our own statements.

They do what its functions do not: refuse a job without an error, give one back at once, and wake whoever may go on.
"""

from collections.abc import Mapping
from datetime import timedelta

from psycopg.types.json import Jsonb

from domain.job_ports import ASKED_BY
from storage.server.pool import Connection

ANSWER = "answer"
"""The task of a question's job."""

_WAKE = """SELECT pg_notify('procrastinate_queue_v1#' || queue_name,
                            json_build_object('type', 'job_inserted', 'job_id', id)::text) FROM """
_OURS = "id = %(job)s AND status = 'doing' AND worker_id IS NOT DISTINCT FROM %(worker)s"
_NEXT = f"""
    {_WAKE} (SELECT next.id, next.queue_name FROM ended JOIN procrastinate_jobs AS next USING (lock)
             WHERE next.status = 'todo' ORDER BY next.priority DESC, next.id LIMIT 1) AS next
"""

# one that is put again for later takes the deaths along that its work had, and says no more of who asked for it than
# the running job says by now: it waits for an erasure of that person, and an erasure waits for it
PUT = b"""
    WITH running AS (SELECT queueing_lock, attempts, args FROM procrastinate_jobs
                     WHERE lock = %(lock_key)s AND status = 'doing' AND %(delay)s::interval IS NOT NULL FOR SHARE)
    INSERT INTO procrastinate_jobs (queue_name, task_name, lock, queueing_lock, args, priority, scheduled_at, attempts)
    VALUES (%(queue)s, %(task)s, %(lock_key)s, %(unique_key)s,
        CASE WHEN %(delay)s::interval IS NULL OR EXISTS (SELECT FROM running WHERE args @> %(asked_by)s)
             THEN %(arguments)s::jsonb ELSE %(arguments)s::jsonb - %(asked_by_names)s::text[] END,
        %(priority)s, now() + %(delay)s::interval,
        coalesce((SELECT max(attempts) FROM running WHERE queueing_lock = %(unique_key)s), 0))
    ON CONFLICT (queueing_lock) WHERE status = 'todo' DO NOTHING
"""
REMOVE = f"""
    WITH ended AS (DELETE FROM procrastinate_jobs WHERE {_OURS} RETURNING lock) {_NEXT}
""".encode()
FAIL = f"""
    WITH ended AS (UPDATE procrastinate_jobs SET status = 'failed', attempts = attempts + 1 WHERE {_OURS}
                   RETURNING lock) {_NEXT}
""".encode()
GIVE_BACK = f"""
    WITH given AS (UPDATE procrastinate_jobs
                   SET status = 'todo', attempts = attempts + %(deaths)s::int, worker_id = NULL, scheduled_at = NULL
                   WHERE {_OURS} RETURNING id, queue_name) {_WAKE} given
""".encode()
WAITING = b"""
    SELECT count(*) AS waiting FROM procrastinate_jobs
    WHERE status = 'todo' AND task_name = %(task)s AND lock = %(lock_key)s
"""
TAKE = b"""
    WITH taken AS (DELETE FROM procrastinate_jobs
                   WHERE status = 'todo' AND task_name = %(task)s AND lock = %(lock_key)s RETURNING id, priority, args)
    SELECT coalesce(jsonb_agg(args ORDER BY priority DESC, id), '[]') AS arguments FROM taken
"""
RUNNING_JOBS = b"SELECT id FROM procrastinate_jobs WHERE status = 'doing' AND worker_id IS NOT DISTINCT FROM %(worker)s"
SET_SLOTS = b"""
    WITH gone AS (DELETE FROM worker_slots WHERE worker_id NOT IN (SELECT id FROM procrastinate_workers))
    INSERT INTO worker_slots (worker_id, queues, slots) VALUES (%(worker)s, %(queues)s, %(slots)s) RETURNING worker_id
"""
HEARTBEAT = b"UPDATE procrastinate_workers SET last_heartbeat = now() WHERE id = %(worker)s RETURNING id"
PRUNE = b"""
    DELETE FROM procrastinate_jobs WHERE id IN (
        SELECT id FROM procrastinate_jobs AS job WHERE status IN ('succeeded', 'failed', 'cancelled', 'aborted')
        AND NOT EXISTS (SELECT FROM procrastinate_events WHERE job_id = job.id AND at >= %(before)s)
        LIMIT %(batch)s FOR UPDATE SKIP LOCKED)
"""


async def put(
    connection: Connection,
    task: str,
    arguments: Mapping[str, object],
    *,
    queue: str,
    lock_key: str,
    unique_key: str,
    priority: int = 0,
    delay: timedelta | None = None,
) -> bool:
    """Queues a job in the connection's transaction; see domain.job_ports.JobQueue.put."""
    values = {"task": task, "queue": queue, "lock_key": lock_key, "unique_key": unique_key, "priority": priority}
    asked_by = {name: arguments[name] for name in ASKED_BY if name in arguments}
    values |= {"arguments": Jsonb(dict(arguments)), "delay": delay}
    values |= {"asked_by": Jsonb(asked_by), "asked_by_names": list(ASKED_BY)}
    return (await connection.execute(PUT, values)).rowcount == 1


async def put_question(connection: Connection, number: int, *, queue: str, lock_key: str) -> bool:
    """Queues the answering of a question, unless that waits already: then False."""
    return await put(
        connection, ANSWER, {"number": number}, queue=queue, lock_key=lock_key, unique_key=f"question:{number}"
    )
