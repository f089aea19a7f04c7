"""The ledger's statements, and what their rows amount to. Every value is bound; see storage.tables for the columns."""

from hashlib import sha256
from typing import Any

from domain.conversation import AcceptedQuestion, CitedPassage, ConversationPlace, MessageKey, Participant

COLUMNS = """question_no, platform, workspace, channel, message, thread, private, asker, asker_workspace, audience,
    text, text_hash, handle, unread, state, result, excess, attempt, revision, begun_revision, received_at,
    deadline_at - now() AS time_left, allowed - (deadline_at - now()) AS waited, ended_at, cited"""
_KEY = "platform = %(platform)s AND channel = %(channel)s AND message = %(message)s"
# when the oldest question of the last 24 hours that still counts against the limit stops to count
_FREE_IN = """CASE WHEN excess = 'user_day' THEN (
        SELECT counted.received_at + interval '1 day' - statement_timestamp() FROM questions AS counted
        WHERE counted.platform = %(platform)s AND counted.asker = %(asker)s AND counted.excess IS NULL
        ORDER BY counted.received_at DESC OFFSET %(user_day)s - 1 LIMIT 1) END AS free_in"""

FIND_CLAIM = f"""
    SELECT {COLUMNS}, token = %(token)s AS fresh, {_FREE_IN}, NULL::integer AS before FROM questions WHERE {_KEY}
""".encode()
FORGET_REFUSED = b"DELETE FROM questions WHERE question_no = ANY(%(numbers)s)"
# counting and inserting is one after the other's; the statement that counts has to begin when the lock is held
CLAIM_LOCK = b"SELECT pg_advisory_xact_lock(hashtextextended('kb-agent/claims', 0))"
CLAIM = f"""
    WITH accepted AS (SELECT
        (SELECT count(*) FROM questions WHERE platform = %(platform)s AND asker = %(asker)s AND excess IS NULL
         AND received_at > statement_timestamp() - interval '1 minute') AS user_minute,
        (SELECT count(*) FROM questions WHERE platform = %(platform)s AND channel = %(channel)s AND excess IS NULL
         AND received_at > statement_timestamp() - interval '1 minute') AS channel_minute,
        (SELECT count(*) FROM questions WHERE platform = %(platform)s AND asker = %(asker)s AND excess IS NULL
         AND received_at > statement_timestamp() - interval '1 day') AS user_day,
        (SELECT count(*) FROM questions WHERE platform = %(platform)s AND ended_at IS NULL AND excess IS NULL)
         AS waiting),
    lanes AS (SELECT (channel, thread) = (%(channel)s, %(thread)s) AS own,
        bool_or(state <> 'received') AS busy, count(*) FILTER (WHERE state = 'received') AS unbegun
        FROM questions WHERE platform = %(platform)s AND ended_at IS NULL AND excess IS NULL GROUP BY channel, thread),
    ahead AS (SELECT coalesce(bool_or(own), false) AS in_lane,
        coalesce(sum(unbegun) FILTER (WHERE own), 0) AS of_lane,
        count(*) FILTER (WHERE NOT own AND NOT busy) AS of_others,
        count(*) FILTER (WHERE NOT own) < greatest(1, (SELECT sum(slots) FROM worker_slots
            JOIN procrastinate_workers ON id = worker_id
            WHERE %(platform)s = ANY(queues) AND last_heartbeat > now() - interval '1 minute')) AS free
        FROM lanes)
    INSERT INTO questions (platform, workspace, channel, message, thread, private, asker, asker_workspace, audience,
        text, text_hash, handle, unread, token, received_at, deadline_at, allowed, excess)
    SELECT %(platform)s, %(workspace)s, %(channel)s, %(message)s, %(thread)s, %(private)s, %(asker)s,
        %(asker_workspace)s, %(audience)s, %(text)s, %(text_hash)s, %(handle)s, %(unread)s, %(token)s,
        statement_timestamp(), statement_timestamp() + %(deadline)s, %(deadline)s,
        CASE WHEN user_minute >= %(user_minute)s THEN 'user_minute'
             WHEN channel_minute >= %(channel_minute)s THEN 'channel_minute'
             WHEN user_day >= %(user_day)s THEN 'user_day'
             WHEN waiting >= %(waiting)s THEN 'waiting' END
    FROM accepted
    ON CONFLICT (platform, channel, message) DO UPDATE SET message = excluded.message
    RETURNING {COLUMNS}, token = %(token)s AS fresh, {_FREE_IN},
        (SELECT CASE WHEN NOT free THEN of_lane + of_others WHEN in_lane THEN of_lane END FROM ahead)::integer AS before
""".encode()
ENQUEUE = b"""
    UPDATE questions SET handle = handle || %(handle)s, queued_at = coalesce(queued_at, now())
    WHERE question_no = %(number)s AND state = 'received' RETURNING platform, workspace, channel, thread, private
"""
IS_ENQUEUED = b"SELECT FROM questions WHERE question_no = %(number)s AND queued_at IS NOT NULL AND handle @> %(handle)s"
BEGIN = f"""
    UPDATE questions SET state = 'running', attempt = attempt + (token <> %(token)s)::integer, token = %(token)s,
        begun_revision = revision, started_at = now()
    WHERE question_no = %(number)s AND ended_at IS NULL RETURNING {COLUMNS}
""".encode()
UPDATE_HANDLE = b"""
    UPDATE questions SET handle = handle || %(handle)s
    WHERE question_no = %(number)s AND attempt = %(attempt)s AND state IN ('running', 'posting')
"""
BEGIN_POSTING = b"""
    UPDATE questions SET state = 'posting' WHERE question_no = %(number)s AND attempt = %(attempt)s
    AND revision = %(revision)s AND state IN ('running', 'posting')
"""
CLOSE = b"""
    UPDATE questions SET state = %(state)s, result = %(result)s, ended_at = now(), text = %(text)s,
        handle = (handle - 'response_url') || %(handle)s, cited = %(cited)s, duplicate_possible = %(duplicate_possible)s
    WHERE question_no = %(number)s
"""
ADD_TURN = b"""
    INSERT INTO turns (platform, person, person_workspace, conversation, question_no, question, reply)
    VALUES (%(platform)s, %(person)s, %(person_workspace)s, %(conversation)s, %(number)s, %(question)s, %(reply)s)
"""
FORGET_TURN = b"DELETE FROM turns WHERE question_no = %(number)s"
ADD_POSTED = b"""
    INSERT INTO posted_replies (question_no, reply, citations, confidence, address)
    VALUES (%(number)s, %(reply)s, %(citations)s, %(confidence)s, %(address)s)
"""
BLANK_POSTED = b"UPDATE posted_replies SET reply = '', address = '' WHERE question_no = %(number)s"
FORGET_POSTED = b"DELETE FROM posted_replies WHERE question_no = %(number)s"
ADD_RECORD = b"""
    INSERT INTO answer_records (question_no, outcome, cause, question, confidence, requests, tokens, nearest, trace,
        masked)
    VALUES (%(number)s, %(outcome)s, %(cause)s, %(question)s, %(confidence)s, %(requests)s, %(tokens)s, %(nearest)s,
        %(trace)s, %(masked)s)
"""
BLANK_RECORD = b"""
    UPDATE answer_records SET question = '', trace = '{}', nearest = '[]' WHERE question_no = %(number)s
"""
FORGET_SHOWN = b"DELETE FROM web_replies WHERE question_no = %(number)s"
FORGET_VOTES = b"DELETE FROM feedback WHERE question_no = %(number)s"
FORGET_REQUEST = b"DELETE FROM owner_requests WHERE question_no = %(number)s"
FORGET_RECORD = b"DELETE FROM answer_records WHERE question_no = %(number)s"
CHANGE_TEXT = b"""
    UPDATE questions SET text = %(text)s, text_hash = %(text_hash)s, revision = revision + 1
    WHERE question_no = %(number)s
"""
REOPEN = b"""
    UPDATE questions SET state = 'received', result = NULL, ended_at = NULL, queued_at = now(), started_at = NULL,
        begun_revision = NULL, deadline_at = now() + allowed, duplicate_possible = false, cited = '[]'
    WHERE question_no = %(number)s
"""
WITHDRAW = b"""
    UPDATE questions SET text = '', text_hash = NULL, handle = handle - 'response_url',
        state = CASE WHEN ended_at IS NULL THEN 'withdrawn' ELSE state END,
        result = CASE WHEN ended_at IS NULL THEN 'withdrawn' ELSE result END,
        ended_at = coalesce(ended_at, now())
    WHERE question_no = %(number)s
"""
BY_NUMBER = f"SELECT {COLUMNS} FROM questions WHERE question_no = %(number)s".encode()
BY_NUMBER_TO_CHANGE = BY_NUMBER + b" FOR UPDATE"
BY_KEY_TO_CHANGE = f"SELECT {COLUMNS} FROM questions WHERE {_KEY} FOR UPDATE".encode()
IN_THREAD = b"""
    SELECT FROM questions WHERE platform = %(platform)s AND channel = %(channel)s AND thread = %(thread)s
    AND excess IS NULL AND state <> 'withdrawn' AND (%(before)s::bigint IS NULL OR question_no < %(before)s) LIMIT 1
"""
FIND_BY_REPLY = b"""
    SELECT question_no FROM questions
    WHERE platform = %(platform)s AND channel = %(channel)s AND handle ->> 'activity' = %(message)s
    ORDER BY question_no DESC LIMIT 1
"""
LAST_REPLY = b"""
    SELECT question_no FROM questions WHERE platform = %(platform)s AND channel = %(channel)s AND asker = %(person)s
    AND ended_at < deadline_at + interval '1 hour' AND result NOT IN ('unreachable', 'withdrawn')
    ORDER BY ended_at DESC, question_no DESC LIMIT 1
"""
FIND_LOST = f"""
    SELECT {COLUMNS} FROM questions AS question
    WHERE ended_at IS NULL AND platform = ANY(%(platforms)s)
    AND greatest(received_at, queued_at, started_at) < now() - %(patience)s
    AND NOT EXISTS (SELECT FROM procrastinate_jobs AS job
                    WHERE job.queueing_lock = 'question:' || question.question_no AND job.status IN ('todo', 'doing'))
    ORDER BY question_no FOR UPDATE SKIP LOCKED
""".encode()
MARK_REQUEUED = b"UPDATE questions SET queued_at = now() WHERE question_no = %(number)s"
# the job of a question that nobody took goes, too: it would wait for ever
CLOSE_ABANDONED = b"""
    WITH closed AS (
        UPDATE questions SET state = 'failed', result = 'late', ended_at = now(), text = '',
            handle = handle - 'response_url'
        WHERE question_no IN (
            SELECT question_no FROM questions WHERE ended_at IS NULL AND deadline_at < now() - %(patience)s
            LIMIT %(batch)s FOR UPDATE SKIP LOCKED)
        RETURNING question_no, platform),
    gone AS (DELETE FROM procrastinate_jobs USING closed
             WHERE queueing_lock = 'question:' || closed.question_no AND status = 'todo')
    SELECT platform FROM closed
"""
PRUNE = b"""
    DELETE FROM questions WHERE question_no IN (
        SELECT question_no FROM questions WHERE ended_at < %(before)s LIMIT %(batch)s FOR UPDATE SKIP LOCKED)
"""


def fingerprint(text: str) -> bytes:
    """What two texts are compared by when they are not kept."""
    return sha256(text.encode()).digest()


def as_place(row: Any) -> ConversationPlace:
    """Where the conversation of a row goes on."""
    return ConversationPlace(row.platform, row.workspace, row.channel, row.thread, row.private)


def as_key(row: Any) -> MessageKey:
    """The message of a row."""
    return MessageKey(row.platform, row.channel, row.message)


def as_question(row: Any) -> AcceptedQuestion:
    """The question of a row."""
    return AcceptedQuestion(
        number=row.question_no,
        key=as_key(row),
        place=as_place(row),
        asker=Participant(row.platform, row.asker, row.asker_workspace),
        text=row.text,
        audience=row.audience,
        handle=row.handle,
        attempt=row.attempt,
        revision=row.revision,
        received_at=row.received_at,
        time_left=row.time_left,
        waited=row.waited,
        unread=tuple(row.unread),
        excess=row.excess,
        state=row.state,
        result=row.result,
        cited=tuple(CitedPassage(n, chunk_id) for n, chunk_id in row.cited),
    )
