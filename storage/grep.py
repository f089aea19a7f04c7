"""Grep over PostgreSQL: posting lists say which chunks may match, and only these are read."""

import asyncio
from collections.abc import Iterator

from domain.access import Scope
from domain.errors import Refused
from domain.search import GrepRequest, GrepResult
from domain.text.evidence import Evidence, evidence
from domain.text.literals import required
from domain.text.tokens import Analyzer, Stemming
from storage.candidates import LooseChunks, Numbers, candidates
from storage.live import Live, chunks_where, narrow, read_live
from storage.matching import Limits, LineFinder, ReadChunk
from storage.readers import Connection, Readers
from storage.vectors import Narrowed

_BATCH = 250
_ORDER = b' ORDER BY d.path COLLATE "C", d.document_id COLLATE "C", c.ordinal LIMIT %(most)s'
_COLUMNS = "c.chunk_no, c.chunk_id, d.document_id, d.path, c.ordinal, c.text, c.first_line, c.last_line"


class PostgresGrep:
    """Finds lines in the live index version.

    small: with up to this many permitted chunks a pattern needs no word, because all of them are read.
    limits: how much is read for one pattern.
    """

    def __init__(self, readers: Readers, *, small: int = 2_000, limits: Limits | None = None) -> None:
        self._readers = readers
        self._small = small
        self._limits = limits or Limits()
        self._loose = LooseChunks()
        self._analyzers: dict[Stemming, Analyzer] = {"english": Analyzer("english"), "none": Analyzer("none")}

    async def grep(self, request: GrepRequest, scope: Scope) -> GrepResult:
        """The lines that match; see domain.ports.Grep."""
        LineFinder(request, self._limits)  # a wrong pattern is refused before anything is read
        need = required(request.pattern, ignore_case=request.ignore_case)

        async def work(connection: Connection) -> GrepResult:
            live = await read_live(connection, scope)
            live.version.check(live.version.embedder)  # its tokens have to be this release's
            narrowed = narrow(request.filters, live.acls)
            wanted = evidence(need, self._analyzers[live.version.stemming])
            numbers = await self._to_read(connection, live, narrowed, wanted)
            finder = LineFinder(request, self._limits)
            for batch in _batches(numbers[: self._limits.chunks]):
                await asyncio.to_thread(finder.take, await _read(connection, live, narrowed, batch))
                if finder.stopped:
                    break
            hits, all_of_them = finder.hits()
            complete = all_of_them and not finder.stopped and len(numbers) <= self._limits.chunks
            return GrepResult(hits, finder.read, complete)

        return await self._readers.read(work)

    async def _to_read(
        self, connection: Connection, live: Live, narrowed: Narrowed, wanted: Evidence | None
    ) -> list[int]:
        """Numbers of the permitted chunks that may match, in the order of reading, one more than may be read."""
        if wanted is None:
            numbers = await _permitted(connection, live, narrowed, None, max(self._small, self._limits.chunks) + 1)
            if len(numbers) > self._small:
                raise Refused(
                    "The pattern has no word to look up first",
                    why=f"Every one of more than {self._small} texts would have to be read.",
                    next_step="Add a word that each match contains, of three letters or more and not as common as"
                    " 'the'; or name a document or a source to look in.",
                )
            return numbers
        found = await candidates(connection, live, wanted, self._loose)
        return await _permitted(connection, live, narrowed, found, self._limits.chunks + 1)


async def _permitted(
    connection: Connection, live: Live, narrowed: Narrowed, among: Numbers | None, most: int
) -> list[int]:
    """Numbers of visible chunks by path, document and ordinal. among: those that count; None: all."""
    query = chunks_where(live, "c.chunk_no", narrowed)
    bound: dict[str, object] = {**narrowed.values, "most": most}
    if among is not None:
        query += b" AND c.chunk_no = ANY(%(numbers)s)"
        bound["numbers"] = among.tolist()
    rows = await (await connection.execute(query + _ORDER, bound, binary=True)).fetchall()
    return [row[0] for row in rows]


def _batches(numbers: list[int]) -> Iterator[list[int]]:
    return (numbers[start : start + _BATCH] for start in range(0, len(numbers), _BATCH))


async def _read(connection: Connection, live: Live, narrowed: Narrowed, batch: list[int]) -> list[ReadChunk]:
    """Chunks in the order given, without those that may not be seen any more."""
    query = chunks_where(live, _COLUMNS, narrowed) + b" AND c.chunk_no = ANY(%(numbers)s)"
    found = await connection.execute(query, {**narrowed.values, "numbers": batch}, binary=True)
    by_number = {row[0]: ReadChunk(*row[1:]) for row in await found.fetchall()}
    return [by_number[number] for number in batch if number in by_number]
