"""Merging of segments, so that a term's list stays in few rows however many documents were written.

Segments of one level are joined into one of the next when there are `FAN_OUT` of them; removals and additions that
meet cancel out. Readers keep their snapshot, writers go on writing new segments.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Row, text
from sqlalchemy.ext.asyncio import AsyncConnection

from storage.index.packing import ENTRY, MEMBER, Members, cancel, unpack
from storage.index.postings import MERGE_LOCK, TERMS_AT_ONCE, write_segment
from storage.server.engine import Engine
from storage.server.transactions import transaction

FAN_OUT = 16
"""Segments of one level that are joined into one of the next."""

GARBAGE = 0.2
"""Share of removed among added chunks from which everything is joined."""

ALWAYS_ONE = 50_000
"""Chunks up to which a finished run leaves a single segment: rewriting them takes a few seconds."""

WORTH_REWRITING = 0.05
"""Share of a larger segment's chunks from which the rest is joined with it."""

TOP_LEVEL = 12
"""Levels end here, far above what documents can fill; each finished run raises the level of what it joins by one."""


@dataclass(frozen=True, slots=True)
class _ChosenSegments:
    added: list[int]
    removed: list[int]
    level: int
    all: bool


Choose = Callable[[Sequence[Row[Any]]], Sequence[Row[Any]]]
"""Which of a version's segments to join; none to leave them."""


async def merge_due(engine: Engine, version: int) -> int:
    """Joins segments until none are due; returns how many joins were made. Does nothing while another process
    is at it."""
    joins = 0
    while await _merge(engine, version, _choose_due):
        joins += 1
    return joins


async def compact(engine: Engine, version: int) -> None:
    """Joins what a finished run wrote, so that questions read few rows a term: everything into one segment, or,
    where that would rewrite much for little, everything but the largest."""
    await _merge(engine, version, _choose_small)


async def _merge(engine: Engine, version: int, choose: Choose) -> bool:
    async with transaction(engine) as connection:
        lock = text(f"SELECT pg_try_advisory_xact_lock({MERGE_LOCK})")
        if not (await connection.execute(lock, {"version": str(version)})).scalar_one():
            return False
        query = text("SELECT segment_no, level, removed, chunks FROM segments WHERE version_id = :version ORDER BY 1")
        rows = (await connection.execute(query, {"version": version})).all()
        chosen = choose(rows)
        if not chosen:
            return False
        due = _ChosenSegments(
            [row.segment_no for row in chosen if not row.removed],
            [row.segment_no for row in chosen if row.removed],
            min(max(row.level for row in chosen) + 1, TOP_LEVEL),
            len(chosen) == len(rows),
        )
        await _join(connection, version, due)
        return True


def _choose_due(rows: Sequence[Row[Any]]) -> Sequence[Row[Any]]:
    gone = sum(row.chunks for row in rows if row.removed)
    if gone and gone > GARBAGE * sum(row.chunks for row in rows if not row.removed):
        return rows
    levels = [row.level for row in rows]
    level = next((level for level in sorted(set(levels)) if levels.count(level) >= FAN_OUT), None)
    return [row for row in rows if row.level == level]


def _choose_small(rows: Sequence[Row[Any]]) -> Sequence[Row[Any]]:
    if len(rows) < 2:
        return ()
    largest = max(rows, key=lambda row: (not row.removed, row.chunks))
    rest = [row for row in rows if row is not largest]
    little = sum(row.chunks for row in rest) < WORTH_REWRITING * largest.chunks
    if largest.chunks > ALWAYS_ONE and little:
        return rest if len(rest) > 1 else ()
    return rows


async def _join(connection: AsyncConnection, version: int, due: _ChosenSegments) -> None:
    members, gone = cancel(
        await _members(connection, version, due.added), await _members(connection, version, due.removed)
    )
    if due.all:
        gone = gone[:0]  # no other segment is left with an addition that such a removal could cancel
    added = await write_segment(connection, version, due.level, {}, members, removed=False)
    await _concatenate(connection, version, due, added)
    if due.removed:
        await _cancel_terms(connection, version, due, added, gone)
    for table in ("postings", "segments"):
        await connection.execute(
            text(f"DELETE FROM {table} WHERE version_id = :version AND segment_no = ANY(:numbers)"),
            {"version": version, "numbers": due.added + due.removed},
        )


async def _members(connection: AsyncConnection, version: int, numbers: Sequence[int]) -> Members:
    query = text("SELECT members FROM segments WHERE version_id = :version AND segment_no = ANY(:numbers)")
    rows = await connection.execute(query, {"version": version, "numbers": list(numbers)})
    return unpack(rows.scalars(), MEMBER)


async def _concatenate(connection: AsyncConnection, version: int, due: _ChosenSegments, target: int) -> None:
    """Joins the lists of all terms without removals, inside the server."""
    await connection.execute(
        text(
            "INSERT INTO postings (version_id, term, segment_no, removed, entries)"
            " SELECT version_id, term, :target, false, string_agg(entries, ''::bytea ORDER BY segment_no)"
            " FROM postings WHERE version_id = :version AND segment_no = ANY(:added) AND term NOT IN"
            " (SELECT term FROM postings WHERE version_id = :version AND segment_no = ANY(:removed))"
            " GROUP BY version_id, term"
        ),
        {"target": target, "version": version, "added": due.added, "removed": due.removed},
    )


async def _cancel_terms(
    connection: AsyncConnection, version: int, due: _ChosenSegments, added: int, gone: Members
) -> None:
    """Rewrites the lists of terms with removals. What no addition here met stays a removal, one level up."""
    removed = None
    if len(gone):
        removed = await write_segment(connection, version, due.level, {}, gone, removed=True)
    query = text("SELECT DISTINCT term FROM postings WHERE version_id = :version AND segment_no = ANY(:removed)")
    found = await connection.execute(query, {"version": version, "removed": due.removed})
    terms = list(found.scalars())
    for start in range(0, len(terms), TERMS_AT_ONCE):
        await _cancel_some(connection, version, due, terms[start : start + TERMS_AT_ONCE], added, removed)


async def _cancel_some(
    connection: AsyncConnection, version: int, due: _ChosenSegments, terms: list[str], added: int, removed: int | None
) -> None:
    query = text(
        "SELECT term, removed, string_agg(entries, ''::bytea ORDER BY segment_no) AS entries FROM postings"
        " WHERE version_id = :version AND segment_no = ANY(:numbers) AND term = ANY(:terms) GROUP BY term, removed"
    )
    values = {"version": version, "numbers": due.added + due.removed, "terms": terms}
    raw = {(row.term, row.removed): row.entries for row in (await connection.execute(query, values)).all()}
    rows = []
    for term in terms:
        left, unmet = cancel(unpack([raw.get((term, False), b"")], ENTRY), unpack([raw.get((term, True), b"")], ENTRY))
        if len(left):
            rows.append({"term": term, "number": added, "removed": False, "entries": left.tobytes()})
        if len(unmet) and removed is not None:
            rows.append({"term": term, "number": removed, "removed": True, "entries": unmet.tobytes()})
    if rows:
        insert = text(
            "INSERT INTO postings (version_id, term, segment_no, removed, entries)"
            f" VALUES ({int(version)}, :term, :number, :removed, :entries)"
        )
        await connection.execute(insert, rows)
