"""Propositions, sentence-level units of chunks: written with their chunks, searched as vectors are."""

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from pgvector import HalfVector
from sqlalchemy.ext.asyncio import AsyncConnection

from domain.access import Scope
from domain.ports import EmbedderIdentity, PropositionRow
from domain.search import Filters, Proposition
from storage import vectors
from storage.copy import copy_rows
from storage.live import Live, narrow, read_live
from storage.readers import Connection, Readers
from storage.vectors import Effort, Level, Narrowed

UNITS = Level(
    "propositions", "propositions_hnsw_upto", "c.chunk_id, d.document_id, v.first, v.last", "v.chunk_no, v.position"
)

_COLUMNS = ("version_id", "chunk_no", "position", "first", "last", "embedding")
_TYPES = ("int4", "int4", "int2", "int4", "int4", "halfvec")


async def write_propositions(
    connection: AsyncConnection, version: int, chunk_nos: Sequence[int], rows: Sequence[PropositionRow]
) -> None:
    """Writes the units of one document. chunk_nos: the numbers of its chunks, in order."""
    if not rows:
        return
    written: Counter[int] = Counter()
    values: list[tuple[object, ...]] = []
    for row in rows:
        number = chunk_nos[row.chunk]
        values.append((version, number, written[number], row.start, row.end, HalfVector(row.vector)))
        written[number] += 1
    await copy_rows(connection, UNITS.table, _COLUMNS, _TYPES, values)


class PostgresPropositions:
    """Searches the propositions of the live index version.

    embedder: the model whose vectors questions have. exact_max: up to this many permitted units each vector is
    compared. effort: how hard HNSW tries above that.
    """

    def __init__(
        self, readers: Readers, embedder: EmbedderIdentity, *, exact_max: int = 10_000, effort: Effort | None = None
    ) -> None:
        self._readers = readers
        self._embedder = embedder
        self._exact_max = exact_max
        self._effort = effort or Effort()

    async def available(self) -> bool:
        """See domain.ports.PropositionSearch."""

        async def work(connection: Connection) -> bool:
            found = await connection.execute(b"SELECT FROM index_versions WHERE state = 'live' AND propositions")
            return await found.fetchone() is not None

        return await self._readers.read(work)

    async def nearest(
        self, vector: NDArray[np.float32], scope: Scope, *, filters: Filters, limit: int = 20
    ) -> list[Proposition]:
        """See domain.ports.PropositionSearch; none when the live version has no such level.

        Raises:
            Misconfigured: nothing is indexed yet, or the index was made with another model.
            Transient: the database is away.
        """

        async def work(connection: Connection) -> list[Proposition]:
            live = await read_live(connection, scope)
            live.version.check(self._embedder.name)
            if not live.version.propositions:
                return []
            narrowed = narrow(filters, live.acls)
            number = live.version.version_id
            if live.version.propositions_hnsw_upto and await self._many(connection, live, narrowed, filters):
                rows = await vectors.rows_hnsw(connection, UNITS, number, vector, narrowed, limit, self._effort)
                if len(rows) == limit:
                    return sorted((Proposition(*row) for row in rows), key=lambda found: -found.score)
                # what is permitted lies too far from the question for HNSW, as in storage.search
            rows = await vectors.rows_exact(connection, UNITS, number, vector, narrowed, limit)
            return [Proposition(*row) for row in rows]

        return await self._readers.read(work)

    async def _many(self, connection: Connection, live: Live, narrowed: Narrowed, filters: Filters) -> bool:
        """Whether more units are permitted than are compared one by one."""
        if live.everything and not filters and live.statistics.collection.chunks > self._exact_max:
            return True  # hardly a chunk has none
        number = live.version.version_id
        query = (
            f"SELECT count(*) FROM (SELECT FROM {UNITS.table} v"
            f" JOIN chunks c ON c.version_id = {number} AND c.chunk_no = v.chunk_no"
            " JOIN documents d USING (document_no)"
            f" WHERE v.version_id = {number} AND {narrowed.condition} LIMIT {self._exact_max + 1}) permitted"
        )
        row = await (await connection.execute(query.encode(), narrowed.values)).fetchone()
        return row is not None and int(row[0]) > self._exact_max
