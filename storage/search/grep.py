"""Grep over PostgreSQL: posting lists say which chunks may match, and only these are read."""

import asyncio

from domain.access import Scope
from domain.errors import Refused
from domain.search import GrepRequest, GrepResult
from domain.text.required_literals import required_literals
from domain.text.required_terms import RequiredTerms, required_terms
from storage.index.vectors import ChunkCondition
from storage.search.grep_candidates import LooseChunks, Numbers, candidates
from storage.search.grep_matching import GrepLimits, LineFinder, ReadChunk
from storage.search.snapshot import IndexSnapshot, chunk_condition, read_snapshot, select_chunks
from storage.server.pool import Connection, ConnectionPool

_BATCH = 250
_ORDER = b' ORDER BY d.path COLLATE "C", d.document_id COLLATE "C", c.ordinal LIMIT %(most)s'
_COLUMNS = "c.chunk_no, c.chunk_id, d.document_id, d.path, c.ordinal, c.text, c.first_line, c.last_line"


class PostgresGrep:
    """The domain.search_ports.Grep: finds lines in the live index version.

    small: with up to this many permitted chunks a pattern needs no word, because all of them are read.
    limits: how much is read for one pattern.
    """

    def __init__(self, pool: ConnectionPool, *, small: int = 2_000, limits: GrepLimits | None = None) -> None:
        self._pool = pool
        self._small = small
        self._limits = limits or GrepLimits()
        self._loose = LooseChunks()

    async def grep(self, request: GrepRequest, scope: Scope) -> GrepResult:
        LineFinder(request, self._limits)  # a wrong pattern is refused before anything is read
        need = required_literals(request.pattern, ignore_case=request.ignore_case)

        async def work(connection: Connection) -> GrepResult:
            snapshot = await read_snapshot(connection, scope)
            snapshot.version.check(snapshot.version.embedder)  # its tokens have to be this release's
            narrowed = chunk_condition(request.filters, snapshot.acls)
            wanted = required_terms(need, snapshot.version.tokens())
            numbers = await self._to_read(connection, snapshot, narrowed, wanted)
            finder = LineFinder(request, self._limits)
            for start in range(0, min(len(numbers), self._limits.chunks), _BATCH):
                batch = numbers[start : min(start + _BATCH, self._limits.chunks)]
                await asyncio.to_thread(finder.take, await _read(connection, snapshot, narrowed, batch))
                if finder.stopped:
                    break
            hits, all_of_them = finder.hits()
            complete = all_of_them and not finder.stopped and len(numbers) <= self._limits.chunks
            return GrepResult(hits, finder.read, complete)

        return await self._pool.run(work)

    async def _to_read(
        self, connection: Connection, snapshot: IndexSnapshot, narrowed: ChunkCondition, wanted: RequiredTerms | None
    ) -> list[int]:
        """Numbers of the permitted chunks that may match, in the order of reading, one more than may be read."""
        if wanted is None:
            numbers = await _permitted(connection, snapshot, narrowed, None, max(self._small, self._limits.chunks) + 1)
            if len(numbers) > self._small:
                raise Refused(
                    "The pattern has no word to look up first",
                    why=f"Every one of more than {self._small} texts would have to be read.",
                    next_step="Add a word that each match contains, of three letters or more and not as common as"
                    " 'the'; or name a document or a source to look in.",
                )
            return numbers
        found = await candidates(connection, snapshot, wanted, self._loose)
        return await _permitted(connection, snapshot, narrowed, found, self._limits.chunks + 1)


async def _permitted(
    connection: Connection, snapshot: IndexSnapshot, narrowed: ChunkCondition, among: Numbers | None, most: int
) -> list[int]:
    """Numbers of visible chunks by path, document and ordinal. among: those that count; None: all."""
    query = select_chunks(snapshot, "c.chunk_no", narrowed)
    bound: dict[str, object] = {**narrowed.values, "most": most}
    if among is not None:
        query += b" AND c.chunk_no = ANY(%(numbers)s)"
        bound["numbers"] = among.tolist()
    rows = await (await connection.execute(query + _ORDER, bound, binary=True)).fetchall()
    return [row[0] for row in rows]


async def _read(
    connection: Connection, snapshot: IndexSnapshot, narrowed: ChunkCondition, batch: list[int]
) -> list[ReadChunk]:
    """Chunks in the order given, without those that may not be seen any more."""
    query = select_chunks(snapshot, _COLUMNS, narrowed) + b" AND c.chunk_no = ANY(%(numbers)s)"
    found = await connection.execute(query, {**narrowed.values, "numbers": batch}, binary=True)
    by_number = {row[0]: ReadChunk(*row[1:]) for row in await found.fetchall()}
    return [by_number[number] for number in batch if number in by_number]
