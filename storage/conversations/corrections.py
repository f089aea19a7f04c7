"""Which posted answers may have to be corrected, in PostgreSQL."""

from collections.abc import Collection, Mapping
from dataclasses import asdict, fields
from datetime import datetime, timedelta
from typing import Any

from psycopg.types.json import Jsonb

from domain.answers import Citation
from domain.conversation import Platform, PostedReply
from domain.ledger import ReplyToCheck
from domain.text.encodable import storable
from storage.conversations.ledger_statements import COLUMNS, as_question
from storage.server.engine import Engine
from storage.server.transactions import transaction

# Noting takes the lock exclusively and looking takes it shared, so that no look spans a change that was already noted.
_NOTE_LOCK = "SELECT pg_advisory_xact_lock(hashtextextended('kb-agent/corrections', 0))"
_LOOK_LOCK = "SELECT pg_advisory_xact_lock_shared(hashtextextended('kb-agent/corrections', 0))"
_SELECT_CHANGES = "SELECT entry_no, document_id, email FROM correction_queue ORDER BY entry_no LIMIT %(limit)s"
# in one order, so that no two wait for each other's rows
_CONCERNED = """
    SELECT question_no FROM posted_replies
    WHERE NOT fixed AND NOT unchecked
          AND (jsonb_path_query_array(citations, '$[*].document_id') ?| %(documents)s::text[]
               OR address <> '' AND address = ANY(%(emails)s::text[]))
    ORDER BY question_no LIMIT %(limit)s FOR UPDATE
"""
_UNCHECK = "UPDATE posted_replies SET unchecked = true WHERE question_no = ANY(%(numbers)s)"
_DELETE_CHANGES = "DELETE FROM correction_queue WHERE entry_no = ANY(%(entries)s)"

# of a citation whose document the index never had, such as a page that was read live, the state is always the same
_DUE = f"""
    WITH live AS (SELECT version_id FROM index_versions WHERE state = 'live'),
    looked AS (
        SELECT p.question_no, p.address, p.citations, p.state, p.rights, p.claimed_until
        FROM posted_replies p JOIN questions q USING (question_no)
        WHERE NOT p.fixed AND (p.unchecked OR p.rights IS NULL OR p.claimed_until IS NOT NULL)
              AND p.posted_at > now() - %(window)s AND q.platform = ANY(%(platforms)s)
              AND (p.claimed_until IS NULL OR p.claimed_until < now())
              AND NOT EXISTS (
                  SELECT FROM jsonb_array_elements(p.citations) AS cites (citation)
                  JOIN documents d ON d.document_id = citation ->> 'document_id' JOIN sources s USING (source_no)
                  WHERE s.permissions_until < now())
        ORDER BY p.posted_at LIMIT %(looks)s FOR UPDATE OF p SKIP LOCKED
    ),
    cited AS (
        SELECT question_no, array_agg(DISTINCT d.source_no) AS source_nos,
               string_agg(concat_ws(':', citation ->> 'chunk_id', d.document_no, d.acl_id,
                   d.hidden_at IS NULL, c.chunk_id IS NOT NULL, c.acl_id), ',' ORDER BY citation ->> 'chunk_id'
               ) AS now_state,
               bool_or(d.document_id IS NOT NULL AND c.chunk_id IS NULL) AS rewritten
        FROM looked CROSS JOIN jsonb_array_elements(citations) AS cites (citation)
        LEFT JOIN documents d ON d.document_id = citation ->> 'document_id'
        LEFT JOIN chunks c ON c.version_id = (SELECT version_id FROM live) AND c.chunk_id = citation ->> 'chunk_id'
        GROUP BY question_no
    ),
    seen AS (
        SELECT looked.*, now_state, rewritten, (
            SELECT coalesce(md5(string_agg(source_no || ' ' || principal, ',' ORDER BY source_no, principal)), '')
            FROM directory WHERE source_no = ANY(source_nos) AND email = address
        ) AS now_rights FROM looked LEFT JOIN cited USING (question_no)
    ),
    compared AS (
        SELECT seen.*, state IS DISTINCT FROM now_state OR rights IS DISTINCT FROM now_rights
                       OR claimed_until IS NOT NULL AS differs FROM seen
    ),
    ranked AS (
        SELECT compared.*, differs AND sum(differs::int) OVER (ORDER BY question_no) <= %(limit)s AS taken FROM compared
    ),
    updated AS (
        UPDATE posted_replies p SET unchecked = false, rights = now_rights,
            claimed_until = CASE WHEN taken THEN now() + %(lease)s END
        FROM ranked WHERE p.question_no = ranked.question_no AND (taken OR NOT differs)
        RETURNING p.question_no, taken, now_state, rewritten, p.claimed_until, p.reply, p.citations, p.confidence,
            p.address
    )
    SELECT {COLUMNS}, taken, now_state, rewritten, claimed_until, reply, citations, confidence, address
    FROM updated JOIN questions USING (question_no) ORDER BY question_no
"""
_SETTLE = """
    UPDATE posted_replies p SET state = %(state)s, claimed_until = NULL, reply = %(reply)s, citations = %(citations)s,
        confidence = %(confidence)s
    FROM questions q WHERE p.question_no = %(number)s AND q.question_no = p.question_no
        AND q.revision = %(revision)s AND p.claimed_until = %(claimed_until)s
"""
_GIVE_UP = """
    UPDATE posted_replies p SET fixed = true, claimed_until = NULL, reply = '', address = '', citations = %(citations)s
    FROM questions q WHERE p.question_no = %(number)s AND q.question_no = p.question_no
        AND q.revision = %(revision)s AND p.claimed_until = %(claimed_until)s
"""
_READERS_CHANGED = """
    WITH theirs AS (
        SELECT question_no FROM questions WHERE NOT private AND platform = %(platform)s AND channel = %(place)s
        UNION
        SELECT question_no FROM questions
        WHERE NOT private AND platform = %(platform)s AND handle ->> 'team' = %(place)s
    ),
    locked AS (
        SELECT question_no FROM posted_replies JOIN theirs USING (question_no)
        WHERE NOT fixed ORDER BY question_no FOR UPDATE OF posted_replies
    )
    UPDATE posted_replies p SET rights = NULL FROM locked WHERE p.question_no = locked.question_no
"""
_CITE = "UPDATE questions SET cited = %(cited)s WHERE question_no = %(number)s"
_REMEMBER = """
    UPDATE turns SET reply = %(reply)s FROM questions q
    WHERE turns.question_no = %(number)s AND q.question_no = turns.question_no AND q.result = 'answered'
"""


MAX_REPLIES = 200
"""Replies that one statement looks at, at most."""

MAX_CHANGES, MAX_CONCERNED = 20, 2_000
"""Changed documents and people whose replies one transaction finds, and how many of these, at most: the others wait."""

_NO_TEXTS = frozenset({"n", "updated_at"})


class PostgresCorrections:
    """The domain.ledger.Corrections of all processes over one database. engine: connects as the owner of the tables,
    since documents are looked at on nobody's behalf."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    async def due(
        self, platforms: Collection[Platform], *, window: timedelta, lease: timedelta, limit: int = 20
    ) -> list[ReplyToCheck]:
        values = {"platforms": list(platforms), "window": window, "lease": lease, "limit": limit, "looks": limit}
        while True:
            async with transaction(self._engine) as connection:
                await connection.exec_driver_sql(_LOOK_LOCK)
                found = (await connection.exec_driver_sql(_DUE, values)).all()
            taken = [each for each in found if each.taken]
            if taken or not found:
                return [_to_check(each) for each in taken]
            values["looks"] = MAX_REPLIES  # the last ones were as they had been: the next may be, too

    async def note_changes(self) -> None:
        while True:
            async with transaction(self._engine) as connection:
                await connection.exec_driver_sql(_NOTE_LOCK)
                noted = (await connection.exec_driver_sql(_SELECT_CHANGES, {"limit": MAX_CHANGES})).all()
                if not noted:
                    return
                documents = sorted({row.document_id for row in noted if row.document_id is not None})
                emails = sorted({row.email for row in noted if row.email is not None})
                values = {"documents": documents, "emails": emails, "limit": MAX_CONCERNED}
                numbers = (await connection.exec_driver_sql(_CONCERNED, values)).scalars().all()
                await connection.exec_driver_sql(_UNCHECK, {"numbers": numbers})
                if len(numbers) < MAX_CONCERNED:
                    await connection.exec_driver_sql(_DELETE_CHANGES, {"entries": [row.entry_no for row in noted]})

    async def readers_changed(self, platform: Platform, place: str) -> None:
        async with transaction(self._engine) as connection:
            await connection.exec_driver_sql(_READERS_CHANGED, {"platform": platform, "place": place})

    async def settle(self, due: ReplyToCheck, posted: PostedReply) -> None:
        await self._end_claim(_SETTLE, _values(due, posted), remembered=bool(posted.text))

    async def give_up(self, due: ReplyToCheck, left: PostedReply) -> None:
        await self._end_claim(_GIVE_UP, _values(due, left), remembered=True)

    async def _end_claim(self, statement: str, values: dict[str, object], *, remembered: bool) -> None:
        async with transaction(self._engine) as connection:
            ended = await connection.exec_driver_sql(statement, values)
            if not ended.rowcount:  # the question was changed meanwhile, and has another answer or none
                return
            if remembered:
                await connection.exec_driver_sql(_REMEMBER, values)
            await connection.exec_driver_sql(_CITE, values)


def _values(due: ReplyToCheck, posted: PostedReply) -> dict[str, object]:
    cited = Jsonb([(each.n, each.chunk_id) for each in posted.citations if each.n and each.chunk_id])
    claim = {"number": due.asked.number, "revision": due.asked.revision, "claimed_until": due.claimed_until}
    return {**claim, "state": due.state, "cited": cited, **posted_columns(posted)}


def _to_check(row: Any) -> ReplyToCheck:
    return ReplyToCheck(as_question(row), _posted(row), row.now_state, row.rewritten, row.claimed_until)


def posted_columns(posted: PostedReply) -> dict[str, object]:
    """The columns of a posted answer."""
    return {
        "reply": storable(posted.text),
        "citations": Jsonb([_citation(each) for each in posted.citations]),
        "confidence": posted.confidence,
        "address": storable(posted.address),
    }


def _citation(citation: Citation) -> dict[str, object]:
    dated = citation.updated_at.isoformat() if citation.updated_at else None
    texts = {name: storable(value) if isinstance(value, str) else value for name, value in asdict(citation).items()}
    return {**texts, "updated_at": dated}


def as_citation(kept: Mapping[str, Any]) -> Citation:
    """The citation that is kept so. Another release may have kept more of it, or less: while one is replaced by the
    next, both run."""
    texts = {each.name: "" for each in fields(Citation) if each.name not in _NO_TEXTS}
    texts |= {name: kept[name] for name in texts if kept.get(name) is not None}
    dated = datetime.fromisoformat(kept["updated_at"]) if kept.get("updated_at") else None
    return Citation(n=kept.get("n", 0), updated_at=dated, **texts)


def _posted(row: Any) -> PostedReply:
    return PostedReply(row.reply, tuple(map(as_citation, row.citations)), row.confidence, row.address)
