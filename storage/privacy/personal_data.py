"""What is kept of one person in PostgreSQL, all of it shown, and what can go erased. Connects as the owner of the
tables, for whoever operates the service."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from domain.access import user
from domain.audit import AuditEntry
from domain.conversation import Participant, Platform
from storage.privacy.audit_log import add_entry
from storage.server.engine import Engine, text
from storage.server.transactions import transaction

_WHO = "SELECT * FROM unnest(CAST(:platforms AS text[]), CAST(:ids AS text[]))"
_THEIRS = f"(q.platform, q.asker) IN ({_WHO})"
_IN_THEIR_TIME = f"""
    FROM model_replies r WHERE EXISTS (SELECT FROM questions q WHERE {_THEIRS}
        AND r.created_at BETWEEN q.received_at AND coalesce(q.ended_at, now()))
"""
_ABOUT = "jsonb_exists_any(coalesce(detail -> 'person', '[]'), CAST(:names AS text[]))"

SECTIONS: Mapping[str, str] = {
    "questions": f"""
        SELECT question_no, platform, workspace, channel, message, thread, private, asker, asker_workspace, audience,
               text, unread, handle, state, result, excess, received_at, ended_at, cited
        FROM questions q WHERE {_THEIRS} ORDER BY question_no
    """,
    "turns": f"""
        SELECT turn_no, platform, person, person_workspace, conversation, question_no, question, reply, created_at
        FROM turns WHERE (platform, person) IN ({_WHO}) ORDER BY turn_no
    """,
    "posted_replies": f"""
        SELECT question_no, reply, citations, confidence, posted_at, address
        FROM posted_replies JOIN questions q USING (question_no) WHERE {_THEIRS} ORDER BY question_no
    """,
    "answer_records": f"""
        SELECT question_no, outcome, cause, question, r.confidence, requests, tokens, nearest, trace, quality,
               supported, relevance, scored_at
        FROM answer_records r JOIN questions q USING (question_no) WHERE {_THEIRS} ORDER BY question_no
    """,
    "feedback": f"""
        SELECT question_no, platform, person, value, reason, created_at, updated_at
        FROM feedback WHERE (platform, person) IN ({_WHO}) ORDER BY question_no
    """,
    "owner_requests": f"""
        SELECT question_no, document_id, sent_at
        FROM owner_requests JOIN questions q USING (question_no) WHERE {_THEIRS} ORDER BY question_no
    """,
    "web_replies": f"""
        SELECT question_no, r.attempt, r.step, r.state
        FROM web_replies r JOIN questions q USING (question_no) WHERE {_THEIRS} ORDER BY question_no
    """,
    "correction_queue": "SELECT entry_no, email FROM correction_queue WHERE email = :address ORDER BY entry_no",
    "api_tokens": """
        SELECT token_no, name, email, scopes, prefix, created_at, expires_at, used_at, revoked_at
        FROM api_tokens WHERE email = :address ORDER BY token_no
    """,
    "web_sessions": f"""
        SELECT person, created_at, expires_at FROM web_sessions WHERE ('web', person) IN ({_WHO}) ORDER BY created_at
    """,
    "jobs": f"""
        SELECT id, task_name, status::text, args FROM procrastinate_jobs
        WHERE (args ->> 'platform', args ->> 'person') IN ({_WHO})
            OR args ->> 'number' IN (SELECT question_no::text FROM questions q WHERE {_THEIRS}) ORDER BY id
    """,
    "audit_entries": f"""
        SELECT entry_no, at, platform, actor, action, subject, detail FROM audit_entries
        WHERE (platform, actor) IN ({_WHO}) OR {_ABOUT} ORDER BY entry_no
    """,
    "directory": """
        SELECT name AS source, email, principal FROM directory JOIN sources USING (source_no)
        WHERE email = :address ORDER BY name, principal
    """,
    "acl_principals": """
        SELECT principal, count(DISTINCT acl_id) AS acls FROM acl_principals
        WHERE principal = :reader OR principal IN (SELECT principal FROM directory WHERE email = :address)
        GROUP BY principal ORDER BY principal
    """,
    "sources": """
        SELECT name AS source FROM sources
        WHERE jsonb_typeof(options -> 'audience') = 'array' AND options -> 'audience' ? :address
            OR options ->> 'email' = :address ORDER BY name
    """,
    "model_replies": f"SELECT count(*) AS replies, min(created_at) AS first, max(created_at) AS last {_IN_THEIR_TIME}",
}
"""What is kept of a person, by table. Of `model_replies`, how many: each may be another's as well."""

_ASKERS_WITH = text(
    """
    SELECT DISTINCT platform, asker FROM posted_replies JOIN questions USING (question_no)
    WHERE address = :address AND asker <> ''
    """
)
_PEOPLE = text(
    """
    SELECT person, coalesce((SELECT handle FROM questions q WHERE q.platform = :platform AND q.asker = person
                             ORDER BY question_no DESC LIMIT 1), '{}') AS handle
    FROM (SELECT asker AS person FROM questions WHERE platform = :platform
          UNION SELECT person FROM turns WHERE platform = :platform
          UNION SELECT person FROM feedback WHERE platform = :platform) people
    WHERE person <> '' AND person NOT LIKE 'erased-%' ORDER BY person
    """
)

_LOCK = text(f"SELECT question_no FROM questions q WHERE {_THEIRS} FOR UPDATE")
_LOCK_JOBS = text(
    f"SELECT id FROM procrastinate_jobs WHERE (args ->> 'platform', args ->> 'person') IN ({_WHO}) FOR UPDATE"
)
"""What is at work may be put into the queue once more: before this, and then it is found, or after the erasure."""

_ERASE: Mapping[str, str] = {
    "model_replies": f"DELETE {_IN_THEIR_TIME}",
    "turns": f"DELETE FROM turns WHERE (platform, person) IN ({_WHO})",
    "posted_replies": "DELETE FROM posted_replies WHERE question_no = ANY(:numbers)",
    "answer_records": """
        UPDATE answer_records SET question = '', trace = '{}', nearest = '[]' WHERE question_no = ANY(:numbers)
    """,
    "owner_requests": "DELETE FROM owner_requests WHERE question_no = ANY(:numbers)",
    "web_replies": "DELETE FROM web_replies WHERE question_no = ANY(:numbers)",
    "correction_queue": "DELETE FROM correction_queue WHERE email = :address",
    "api_tokens": "DELETE FROM api_tokens WHERE email = :address",
    "web_sessions": f"DELETE FROM web_sessions WHERE ('web', person) IN ({_WHO})",
    # one of each vote: two of the erased may have voted on one reply
    "feedback": f"""
        UPDATE feedback SET person = 'erased-' || gen_random_uuid(), reason = NULL
        WHERE (platform, person) IN ({_WHO})
    """,
    "questions": """
        UPDATE questions SET asker = '', asker_workspace = '', text = '', text_hash = NULL, unread = '{}',
            handle = '{}', cited = '[]', message = 'erased:' || question_no, thread = '',
            channel = CASE WHEN private OR audience = 'asker' THEN '' ELSE channel END,
            state = CASE WHEN ended_at IS NULL THEN 'withdrawn' ELSE state END,
            result = CASE WHEN ended_at IS NULL THEN 'withdrawn' ELSE result END, ended_at = coalesce(ended_at, now())
        WHERE question_no = ANY(:numbers)
    """,
    # who asked for a run is not told how it went; it is done all the same
    "jobs": f"""
        UPDATE procrastinate_jobs SET args = args - 'platform' - 'person' - 'channel'
        WHERE (args ->> 'platform', args ->> 'person') IN ({_WHO})
    """,
    # one that a worker has is removed by the worker
    "question_jobs": """
        DELETE FROM procrastinate_jobs
        WHERE task_name = 'answer' AND status <> 'doing' AND (args ->> 'number')::bigint = ANY(:numbers)
    """,
    "audit_entries": f"""
        UPDATE audit_entries SET detail = detail - 'person' - 'channel',
            actor = CASE WHEN action = 'answer_shared' THEN '' ELSE actor END
        WHERE {_ABOUT} OR action = 'answer_shared' AND (platform, actor) IN ({_WHO})
    """,
}
"""What an erasure does, by table, in this order: questions are known by their asker until the last of it."""


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody by all that the tables may know them by."""

    address: str
    """Of their e-mail, in lower case."""
    ids: tuple[Participant, ...] = ()
    """Who they are on the platforms."""

    @property
    def names(self) -> list[str]:
        """How the audit log calls somebody who is no actor: the address, and platform and id."""
        return [self.address, *(f"{each.platform}:{each.id}" for each in self.ids)]


class PersonalData:
    """What one database keeps of persons. All methods raise Transient when it is away."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    async def askers_with(self, address: str) -> set[tuple[Platform, str]]:
        """Platform and id of those to whom a kept answer was posted under this address, in lower case."""
        async with transaction(self._engine) as connection:
            return {(row.platform, row.asker) for row in await connection.execute(_ASKERS_WITH, {"address": address})}

    async def people(self, platform: str) -> dict[str, Mapping[str, str]]:
        """Who asked or voted on a platform: by id, the handle of the last question, empty without one."""
        async with transaction(self._engine) as connection:
            found = await connection.execute(_PEOPLE, {"platform": platform})
            return {row.person: row.handle for row in found}

    async def kept(self, person: Person) -> dict[str, list[dict[str, Any]]]:
        """All that is kept of somebody: rows of SECTIONS, by table."""
        found = {}
        async with transaction(self._engine) as connection:
            for table, statement in SECTIONS.items():
                rows = await connection.execute(text(statement), _values(person))
                found[table] = [dict(row) for row in rows.mappings()]
        if not found["model_replies"][0]["replies"]:
            found["model_replies"] = []
        return found

    async def erase(self, person: Person, actor: Participant) -> tuple[int, dict[str, int]]:
        """Erases what is of somebody alone, and takes them off what stays as a count; open questions are withdrawn.
        Source's own data about them is left. Returns the number of the entry in the audit log, which does not say who
        it was, and how many rows of each table were erased or changed."""
        async with transaction(self._engine) as connection:
            values = _values(person)
            # an answer that is being recorded ends first; one that is not yet then finds its question withdrawn
            numbers = list((await connection.execute(_LOCK, values)).scalars())
            await connection.execute(_LOCK_JOBS, values)
            done = {
                table: (await connection.execute(text(statement), values | {"numbers": numbers})).rowcount
                for table, statement in _ERASE.items()
            }
            entry = AuditEntry(actor, "person_erased", detail={"rows": {name: n for name, n in done.items() if n}})
            return await add_entry(connection, entry), done


def _values(person: Person) -> dict[str, object]:
    return {
        "platforms": [each.platform for each in person.ids],
        "ids": [each.id for each in person.ids],
        "names": person.names,
        "address": person.address,
        "reader": str(user(person.address)),
    }
