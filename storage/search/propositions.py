"""PropositionSearch over PostgreSQL: sentence-level units of chunks, searched as vectors of chunks are."""

import numpy as np
from numpy.typing import NDArray

from domain.access import Scope
from domain.model_ports import EmbedderIdentity
from domain.search import Filters, Proposition
from storage.index import vectors, visible
from storage.index.propositions import PROPOSITION_VECTORS
from storage.index.vectors import ChunkCondition, HnswEffort
from storage.search.snapshot import IndexSnapshot, chunk_condition, read_snapshot
from storage.server.pool import Connection, ConnectionPool


class PostgresPropositions:
    """Searches the propositions of the live index version.

    embedder: the model whose vectors questions have. exact_max: up to this many permitted units each vector is
    compared. effort: how hard HNSW tries above that.
    """

    def __init__(
        self,
        pool: ConnectionPool,
        embedder: EmbedderIdentity,
        *,
        exact_max: int = 10_000,
        effort: HnswEffort | None = None,
    ) -> None:
        self._pool = pool
        self._embedder = embedder
        self._exact_max = exact_max
        self._effort = effort or HnswEffort()

    async def available(self) -> bool:
        found = await self._pool.fetch_one(b"SELECT FROM index_versions WHERE state = 'live' AND propositions")
        return found is not None

    async def nearest(
        self, vector: NDArray[np.float32], scope: Scope, *, filters: Filters, limit: int = 20
    ) -> list[Proposition]:
        """See domain.search_ports.PropositionSearch; none when the live version has no such level.

        Raises:
            Misconfigured: nothing is indexed yet, or the index was made with another model.
            Transient: the database is away.
        """

        async def work(connection: Connection) -> list[Proposition]:
            snapshot = await read_snapshot(connection, scope)
            snapshot.version.check(self._embedder.name)
            if not snapshot.version.propositions:
                return []
            narrowed = chunk_condition(filters, snapshot.acls)
            number = snapshot.version.version_id
            many = snapshot.version.propositions_hnsw_upto and await self._many(connection, snapshot, narrowed, filters)
            effort = self._effort.over(snapshot.collection.chunks) if many else None
            rows = await vectors.nearest(connection, PROPOSITION_VECTORS, number, vector, narrowed, limit, effort)
            return sorted((Proposition(*row) for row in rows), key=lambda found: -found.score)

        return await self._pool.run(work)

    async def _many(
        self, connection: Connection, snapshot: IndexSnapshot, narrowed: ChunkCondition, filters: Filters
    ) -> bool:
        """Whether more units are permitted than are compared one by one."""
        if snapshot.sees_everything and not filters and snapshot.collection.chunks > self._exact_max:
            return True  # hardly a chunk has none
        number = snapshot.version.version_id
        query = (
            f"SELECT count(*) FROM (SELECT FROM {visible.vectors(PROPOSITION_VECTORS.table)}"
            f" WHERE v.version_id = {number} AND c.version_id = {number} AND {narrowed.condition}"
            f" LIMIT {self._exact_max + 1}) permitted"
        )
        row = await (await connection.execute(query.encode(), narrowed.values)).fetchone()
        return row is not None and int(row[0]) > self._exact_max
