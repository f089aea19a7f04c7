"""The inverted index: packed posting lists in segments, one segment a written document, merged as they grow.

A document that goes, or is replaced, leaves a segment of removals behind: the same entries again, taking away what
the earlier segment added. Chunk numbers are never used twice, so a removal meets exactly its addition, and a
reader of any snapshot sees counts that are exact.
"""

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any

import numpy as np
from psycopg import AsyncConnection as DriverConnection

from storage.index.bm25 import EPSILON, mean_idf, raw_idf
from storage.index.packing import ENTRY, MEMBER, Entries, Members, PostingList, joined, pack, unpack
from storage.server.bulk_copy import copy_rows
from storage.server.engine import AsyncConnection, text

# with the number of chunks of the same moment, which may be later than the one at which a search began
_FREQUENCIES = f"""
    SELECT holding, count(*), (
        SELECT sum(CASE WHEN removed THEN -chunks ELSE chunks END)::int8 FROM segments WHERE version_id = %(version)s
    ) FROM (
        SELECT sum(CASE WHEN removed THEN -1 ELSE 1 END * (octet_length(entries) / {ENTRY.itemsize}))::int AS holding
        FROM postings WHERE version_id = %(version)s GROUP BY term
    ) t WHERE holding > 0 GROUP BY holding
"""


# as many removals as additions: no chunk has the term any more, for each removal belongs to exactly one addition
_DELETE_UNUSED_TERMS = """
    DELETE FROM postings WHERE version_id = :version AND term IN (
        SELECT term FROM postings WHERE version_id = :version AND term = ANY(:terms)
        GROUP BY term HAVING sum(CASE WHEN removed THEN -1 ELSE 1 END * octet_length(entries)) = 0)
"""

TERMS_AT_ONCE = 2_000
"""Lists that are read or rewritten in one step, to bound memory."""

MERGE_LOCK = "hashtextextended('kb-agent/merge/' || :version, 0)"
"""The advisory lock of whoever rewrites posting lists of a version."""


async def add(connection: AsyncConnection, version: int, tokens_of: Mapping[int, Sequence[str]]) -> None:
    """Writes a segment that adds chunks. tokens_of: each chunk's tokens, by chunk number."""
    if tokens_of:
        await write_segment(connection, version, 0, *pack(tokens_of), removed=False)


async def remove(connection: AsyncConnection, version: int, tokens_of: Mapping[int, Sequence[str]]) -> None:
    """Writes a segment that takes chunks away; their tokens must be those they were added with."""
    if tokens_of:
        await write_segment(connection, version, 0, *pack(tokens_of), removed=True)


async def remove_unread(connection: AsyncConnection, version: int, chunks: Iterable[int]) -> set[str]:
    """Takes chunks away whose tokens are not known, by reading all lists of the segments that added them; returns
    their terms. chunks: numbers, each added and not removed yet."""
    wanted = np.array(list(chunks), np.int32)
    query = text("SELECT segment_no, members FROM segments WHERE version_id = :version AND NOT removed")
    adding, members = [], []
    for number, raw in (await connection.execute(query, {"version": version})).all():
        among_them = unpack([raw], MEMBER)
        if (held := np.isin(among_them["chunk"], wanted)).any():
            adding.append(number)
            members.append(among_them[held])
    if not adding:
        return set()
    query = text("SELECT term, entries FROM postings WHERE version_id = :version AND segment_no = ANY(:adding)")
    found: dict[str, list[Entries]] = {}
    async with connection.stream(query, {"version": version, "adding": adding}) as rows:
        async for some in rows.partitions(TERMS_AT_ONCE):
            entries = unpack((raw for _, raw in some), ENTRY)
            ends = np.cumsum([len(raw) for _, raw in some]) // ENTRY.itemsize
            hits = np.flatnonzero(np.isin(entries["chunk"], wanted))
            for place, hit in zip(np.searchsorted(ends, hits, side="right"), hits, strict=True):
                found.setdefault(some[place][0], []).append(entries[hit : hit + 1])
    lists = {term: np.concatenate(each) for term, each in found.items()}
    await write_segment(connection, version, 0, lists, np.concatenate(members), removed=True)
    return set(lists)


async def delete_unused_terms(connection: AsyncConnection, version: int, terms: AbstractSet[str]) -> None:
    """Removes those of `terms` that no chunk has any more, in this transaction. Otherwise a word would stay in the
    table, together with its removals, until segments are merged."""
    # a merge that is under way reads the rows that would go, and writes them anew
    await lock_merging(connection, version)
    await connection.execute(text(_DELETE_UNUSED_TERMS), {"version": version, "terms": list(terms)})


async def lock_merging(connection: AsyncConnection, version: int) -> None:
    """Takes the lock for rewriting posting lists of a version; it is held to the end of the transaction."""
    await connection.execute(text(f"SELECT pg_advisory_xact_lock({MERGE_LOCK})"), {"version": str(version)})


async def write_segment(
    connection: AsyncConnection,
    version: int,
    level: int,
    lists: Mapping[str, Entries],
    members: Members,
    *,
    removed: bool,
) -> int:
    """Writes one segment and its posting lists; returns its number."""
    insert = text(
        "INSERT INTO segments (version_id, segment_no, level, removed, chunks, tokens, members)"
        " VALUES (:version, nextval('segment_numbers'), :level, :removed, :chunks, :tokens, :members)"
        " RETURNING segment_no"
    )
    values = {
        "version": version,
        "level": level,
        "removed": removed,
        "chunks": len(members),
        "tokens": int(members["length"].sum()),
        "members": members.tobytes(),
    }
    number = int((await connection.execute(insert, values)).scalar_one())
    rows = ((version, term, number, removed, entries.tobytes()) for term, entries in lists.items())
    await copy_rows(connection, "postings", rows)
    return number


def posting_lists(rows: Iterable[tuple[str, bool, bytes]]) -> dict[str, PostingList]:
    """The list of each term that any chunk holds.

    Args:
        rows: of all segments; term, whether the entries are removals, packed entries.
    """
    added: dict[str, list[bytes]] = {}
    removed: dict[str, list[bytes]] = {}
    for term, gone, entries in rows:
        (removed if gone else added).setdefault(term, []).append(entries)
    lists = {term: joined(raw, removed.get(term, ())) for term, raw in added.items()}
    return {term: each for term, each in lists.items() if each.holding}


class IdfCache:
    """Computes idf with rank-bm25's floor. The mean idf of the vocabulary is read only when a question needs it, and
    cached until the index changes."""

    def __init__(self) -> None:
        self._mean: tuple[str, float] | None = None

    async def of(
        self, connection: DriverConnection[Any], version: int, state: str, found: Mapping[str, PostingList], chunks: int
    ) -> dict[str, float]:
        """Idf of each of the `found` terms. state: names the version and its segments. chunks: of the whole index."""
        idf = {term: raw_idf(each.holding, chunks) for term, each in found.items()}
        if any(value < 0 for value in idf.values()):
            floor = EPSILON * await self._vocabulary_mean(connection, version, state)
            idf = {term: floor if value < 0 else value for term, value in idf.items()}
        return idf

    async def _vocabulary_mean(self, connection: DriverConnection[Any], version: int, state: str) -> float:
        if self._mean is None or self._mean[0] != state:
            rows = await (await connection.execute(_FREQUENCIES.encode(), {"version": version})).fetchall()
            frequencies = {holding: terms for holding, terms, _ in rows}
            self._mean = (state, mean_idf(frequencies, rows[0][2]) if rows else 0.0)
        return self._mean[1]
