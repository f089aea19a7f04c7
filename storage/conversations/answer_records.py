"""How answers came about, and how good they are, in PostgreSQL. storage.conversations.ledger writes the records.

Texts are those of a question that is not forgotten alone: a release without these records forgets a question without
them, and leaves its mark, which is that `text_hash` is null.
"""

from dataclasses import fields
from datetime import datetime
from typing import Any

from psycopg.types.json import Jsonb

from domain.answer_ports import (
    AnswerQuality,
    KeptAnswer,
    QuestionFilter,
    QuestionSummary,
    UnscoredAnswer,
    Usage,
    Vote,
)
from domain.answer_records import AnswerRecord, trace_json, trace_of
from domain.conversation import Platform
from domain.text.encodable import storable
from storage.conversations.corrections import as_citation
from storage.conversations.ledger_statements import as_place
from storage.server.pool import ConnectionPool

_WAIT = "1000 * extract(epoch FROM ended_at - CASE WHEN revision > 0 THEN queued_at ELSE received_at END)::float"
_VOTES = """
    LEFT JOIN LATERAL (
        SELECT count(*) FILTER (WHERE value > 0) AS up, count(*) FILTER (WHERE value < 0) AS down,
               coalesce(array_agg(reason ORDER BY updated_at) FILTER (WHERE value < 0 AND reason <> ''),
                        '{}') AS reasons
        FROM feedback WHERE feedback.question_no = q.question_no
    ) votes ON true
"""
_KEPT = f"""
    SELECT q.question_no, platform, workspace, channel, thread, private, audience, result, received_at,
           {_WAIT} AS wait_ms, outcome, cause, confidence, requests, tokens, quality, supported, relevance, up, down,
           reasons, q.text_hash IS NULL AS forgotten, question, nearest, trace
    FROM questions q JOIN answer_records r USING (question_no) {_VOTES}
"""
_GET = f"{_KEPT} WHERE q.question_no = %(number)s".encode()
_RESULT = "CASE WHEN outcome = 'partly' AND result = 'answered' THEN 'partly' ELSE result END"
_QUESTIONS = f"""
    SELECT * FROM (
        SELECT q.question_no AS number, received_at AS asked_at, ended_at, platform,
               private OR audience = 'asker' AS private, {_RESULT} AS result, coalesce(cause, '') AS cause,
               CASE WHEN q.text_hash IS NULL THEN '' ELSE coalesce(question, '') END AS question, {_WAIT} AS wait_ms,
               coalesce(requests, 0) AS requests, coalesce(tokens, 0) AS tokens, quality, up, down
        FROM questions q LEFT JOIN answer_records r USING (question_no) {_VOTES}
        WHERE ended_at >= %(since)s AND (%(platform)s = '' OR platform = %(platform)s)
    ) listed
    WHERE (%(result)s = '' OR result = %(result)s) AND wait_ms >= %(slower_ms)s
        AND CASE %(vote)s WHEN 1 THEN up > 0 WHEN -1 THEN down > 0 ELSE true END
    ORDER BY ended_at DESC, number DESC LIMIT %(limit)s
""".encode()
_GIVEN = f"""
    SELECT question_no AS number, f.updated_at AS at, f.value, coalesce(f.reason, '') AS reason, {_RESULT} AS result,
           CASE WHEN q.text_hash IS NULL THEN '' ELSE coalesce(question, '') END AS question
    FROM feedback f JOIN questions q USING (question_no) LEFT JOIN answer_records r USING (question_no)
    WHERE f.updated_at >= %(since)s AND (%(value)s = 0 OR f.value = %(value)s)
    ORDER BY f.updated_at DESC, question_no DESC LIMIT %(limit)s
""".encode()
_GAPS = f"""
    {_KEPT} WHERE ended_at >= %(since)s AND q.text_hash IS NOT NULL AND question <> ''
        AND (outcome IN ('not_found', 'partly', 'declined') OR outcome = 'answered' AND down > up)
        AND (%(platform)s = '' OR platform = %(platform)s) AND (%(private)s OR NOT (private OR audience = 'asker'))
    ORDER BY ended_at DESC, q.question_no DESC LIMIT %(limit)s
""".encode()
_USAGE = f"""
    SELECT {_RESULT} AS result,
           platform, asker, private OR audience = 'asker' AS private, {_WAIT} AS wait_ms,
           coalesce(requests, 0) AS requests, coalesce(tokens, 0) AS tokens, quality, up, down,
           ended_at, coalesce(masked, 0) AS masked
    FROM questions q LEFT JOIN answer_records r USING (question_no) {_VOTES}
    WHERE ended_at >= %(since)s AND result <> 'withdrawn' ORDER BY q.question_no
""".encode()
_UNSCORED = b"""
    SELECT r.question_no, question, reply, citations FROM answer_records r JOIN posted_replies p USING (question_no)
    WHERE scored_at IS NULL AND r.outcome IN ('answered', 'partly') AND question <> '' AND reply <> ''
    ORDER BY r.question_no LIMIT %(limit)s
"""
_SCORE = b"""
    UPDATE answer_records SET quality = %(quality)s, supported = %(supported)s, relevance = %(relevance)s,
        scored_at = now()
    WHERE question_no = %(number)s
"""


class PostgresAnswerRecords:
    """The domain.answer_ports.AnswerRecords of all processes over one database. Transient is raised when the
    database is away."""

    def __init__(self, pool: ConnectionPool) -> None:
        self._pool = pool

    async def get(self, number: int) -> KeptAnswer | None:
        row = await self._pool.fetch_one(_GET, number=number)
        return row and _kept(row)

    async def questions(self, wanted: QuestionFilter, limit: int) -> list[QuestionSummary]:
        values = {each.name: getattr(wanted, each.name) for each in fields(QuestionFilter)}
        found = await self._pool.fetch_all(_QUESTIONS, limit=limit, **values)
        names = [each.name for each in fields(QuestionSummary)]
        return [QuestionSummary(**{name: getattr(row, name) for name in names}) for row in found]

    async def votes(self, since: datetime, limit: int, value: int = 0) -> list[Vote]:
        found = await self._pool.fetch_all(_GIVEN, since=since, limit=limit, value=value)
        return [Vote(row.number, row.at, row.value, row.reason, row.result, row.question) for row in found]

    async def gaps(
        self, since: datetime, limit: int, *, platform: Platform | None = None, private: bool = True
    ) -> list[KeptAnswer]:
        values = {"since": since, "limit": limit, "platform": platform or "", "private": private}
        return [_kept(row) for row in await self._pool.fetch_all(_GAPS, **values)]

    async def usage(self, since: datetime) -> list[Usage]:
        found = await self._pool.fetch_all(_USAGE, since=since)
        return [Usage(row[0], (row.platform, row.asker), *row[3:]) for row in found]

    async def unscored(self, limit: int) -> list[UnscoredAnswer]:
        found = await self._pool.fetch_all(_UNSCORED, limit=limit)
        return [
            UnscoredAnswer(row.question_no, row.question, row.reply, tuple(map(as_citation, row.citations)))
            for row in found
        ]

    async def score(self, number: int, quality: AnswerQuality | None) -> None:
        values = {
            "quality": quality and quality.score,
            "supported": quality and quality.supported,
            "relevance": quality and quality.relevance,
        }
        await self._pool.execute(_SCORE, number=number, **values)


def record_columns(record: AnswerRecord) -> dict[str, object]:
    """The columns of a record."""
    return {
        "outcome": record.outcome,
        "cause": record.cause,
        "question": storable(record.question),
        "confidence": record.confidence,
        "requests": record.trace.model_calls,
        "tokens": record.trace.tokens,
        "nearest": Jsonb(list(record.nearest)),
        "masked": record.masked,
        "trace": Jsonb(trace_json(record.trace)),
    }


def _kept(row: Any) -> KeptAnswer:
    trace = trace_of({} if row.forgotten else row.trace)
    question, nearest = ("", ()) if row.forgotten else (row.question, tuple(row.nearest))
    quality = None
    if row.quality is not None:
        quality = AnswerQuality(row.quality, row.supported, row.relevance)
    return KeptAnswer(
        number=row.question_no,
        place=as_place(row),
        audience=row.audience,
        result=row.result,
        record=AnswerRecord(row.outcome, row.cause, question, row.confidence, nearest, trace),
        asked_at=row.received_at,
        wait_ms=row.wait_ms,
        quality=quality,
        up=row.up,
        down=row.down,
        reasons=tuple(row.reasons),
    )
