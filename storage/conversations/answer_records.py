"""How answers came about, and how good they are, in PostgreSQL. storage.conversations.ledger writes the records.

Texts are those of a question that is not forgotten alone: a release without these records forgets a question without
them, and leaves its mark, which is that `text_hash` is null.
"""

from datetime import datetime
from typing import Any

from psycopg.types.json import Jsonb

from domain.answer_ports import AnswerQuality, KeptAnswer, UnscoredAnswer, Usage
from domain.answer_records import AnswerRecord, trace_json, trace_of
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
_LATEST = f"{_KEPT} WHERE ended_at IS NOT NULL ORDER BY ended_at DESC, q.question_no DESC LIMIT %(limit)s".encode()
_GAPS = f"""
    {_KEPT} WHERE ended_at >= %(since)s AND q.text_hash IS NOT NULL AND question <> ''
        AND (outcome IN ('not_found', 'partly', 'declined') OR outcome = 'answered' AND down > up)
    ORDER BY ended_at DESC, q.question_no DESC LIMIT %(limit)s
""".encode()
_USAGE = f"""
    SELECT CASE WHEN outcome = 'partly' AND result = 'answered' THEN 'partly' ELSE result END AS result,
           platform, asker, private OR audience = 'asker' AS private, {_WAIT} AS wait_ms,
           coalesce(requests, 0) AS requests, coalesce(tokens, 0) AS tokens, quality, up, down
    FROM questions q LEFT JOIN answer_records r USING (question_no) {_VOTES}
    WHERE ended_at >= %(since)s AND result <> 'withdrawn' ORDER BY q.question_no
""".encode()
_UNSCORED = b"""
    SELECT r.question_no, question, reply, citations FROM answer_records r JOIN posted_replies p USING (question_no)
    WHERE scored_at IS NULL AND question <> '' AND reply <> '' ORDER BY r.question_no LIMIT %(limit)s
"""
_SCORE = b"""
    UPDATE answer_records SET quality = %(quality)s, supported = %(supported)s, relevance = %(relevance)s,
        scored_at = now()
    WHERE question_no = %(number)s
"""


class PostgresAnswerRecords:
    """The AnswerRecords of all processes over one database. Transient is raised when the database is away."""

    def __init__(self, pool: ConnectionPool) -> None:
        self._pool = pool

    async def get(self, number: int) -> KeptAnswer | None:
        """See domain.answer_ports.AnswerRecords."""
        row = await self._pool.fetch_one(_GET, number=number)
        return row and _kept(row)

    async def latest(self, limit: int) -> list[KeptAnswer]:
        """See domain.answer_ports.AnswerRecords."""
        return [_kept(row) for row in await self._pool.fetch_all(_LATEST, limit=limit)]

    async def gaps(self, since: datetime, limit: int) -> list[KeptAnswer]:
        """See domain.answer_ports.AnswerRecords."""
        return [_kept(row) for row in await self._pool.fetch_all(_GAPS, since=since, limit=limit)]

    async def usage(self, since: datetime) -> list[Usage]:
        """See domain.answer_ports.AnswerRecords."""
        found = await self._pool.fetch_all(_USAGE, since=since)
        return [Usage(row[0], (row.platform, row.asker), *row[3:]) for row in found]

    async def unscored(self, limit: int) -> list[UnscoredAnswer]:
        """See domain.answer_ports.AnswerRecords."""
        found = await self._pool.fetch_all(_UNSCORED, limit=limit)
        return [
            UnscoredAnswer(row.question_no, row.question, row.reply, tuple(map(as_citation, row.citations)))
            for row in found
        ]

    async def score(self, number: int, quality: AnswerQuality | None) -> None:
        """See domain.answer_ports.AnswerRecords."""
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
        "trace": Jsonb(_storable(trace_json(record.trace))),
    }


def _storable(value: object) -> object:
    """JSON in which every text can be stored."""
    match value:
        case str():
            return storable(value)
        case dict():
            return {storable(name): _storable(each) for name, each in value.items()}
        case list():
            return [_storable(each) for each in value]
        case _:
            return value


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
