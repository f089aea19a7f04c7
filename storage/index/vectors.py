"""Vectors: written with their chunk, searched exactly where few are permitted, by HNSW where many are."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pgvector import HalfVector
from psycopg import AsyncConnection as DriverConnection
from psycopg.errors import DiskFull

from domain.model_ports import Vectors
from storage.index import visible
from storage.server.bulk_copy import copy_rows
from storage.server.engine import AsyncConnection, text

M = 16
EF_CONSTRUCTION = 200
"""HNSW's build parameters: at 100,000 vectors, 200 instead of 64 raises recall@10 from 0.90 to 0.95 at the same
search effort, for 1.4 times the build time."""

HNSW_FROM = 10_000
"""Below this many vectors an exact scan is as fast, so that no index is kept."""

CHURN = 0.3
"""Share of vectors written since the build from which rebuilding beats keeping it up."""

BUILD_MB = 512
"""Of memory for building HNSW, at least where the server allows no more (`maintenance_work_mem`)."""

_ROW_BYTES = 2 * M * 16 + 250
"""What a vector takes in that memory beside its numbers: places of its neighbours, 16 bytes each, and what describes it
(HnswElementData and HnswNeighborArray of pgvector 0.8). Once the graph does not fit, the rest is built on disk, many
times as slowly."""


EF_FOR, EF_GROWTH = 100_000, 0.4
"""Vectors from which the candidate list grows, and with which power of their number. Of the exact top 10 of a million
vectors, lists of 160, 240, 400 and 640 find 90, 94, 96 and 98 %, in 4.9, 5.7, 6.6 and 6.7 ms at the median."""


@dataclass(frozen=True, slots=True)
class HnswEffort:
    """How hard a search by HNSW tries."""

    ef_search: int = 160
    """Size of the candidate list over EF_FOR vectors and fewer."""
    max_scan: int = 200_000
    """Index entries that a search may visit under a filter."""

    def over(self, vectors: int) -> "HnswEffort":
        """As hard as it takes to find as much of the nearest among so many vectors."""
        if vectors <= EF_FOR:
            return self
        return replace(self, ef_search=min(1000, round(self.ef_search * (vectors / EF_FOR) ** EF_GROWTH)))


@dataclass(frozen=True, slots=True)
class ChunkCondition:
    """What holds for a chunk `c` and its document `d`, in SQL with `%(name)s` places, and the values for them."""

    condition: str
    values: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class VectorTable:
    """A table of vectors, each of a chunk or of a part of one."""

    table: str
    """Its name, and that of its partitions before the version's number."""
    hnsw_upto: str
    """The column of `index_versions` that says how far its HNSW index reaches."""
    columns: str
    """What a search gives of a row `v`, its chunk `c` and their document `d`, before the cosine."""
    key: str
    """What tells rows of a version apart."""


CHUNK_VECTORS = VectorTable("vectors", "hnsw_upto", "v.chunk_no, c.chunk_id, d.document_id", "v.chunk_no")


# without sorting, the planner asks the index for the order
_SET_EFFORT = (
    "SELECT set_config('hnsw.ef_search', %(ef)s, true), set_config('hnsw.max_scan_tuples', %(scan)s, true),"
    " set_config('hnsw.iterative_scan', 'relaxed_order', true), set_config('enable_sort', 'off', true)"
)


async def write(connection: AsyncConnection, version: int, chunk_nos: Sequence[int], vectors: Vectors) -> None:
    """Writes one vector a chunk. vectors: shape (chunks, dimensions)."""
    rows = ((version, number, HalfVector(vector)) for number, vector in zip(chunk_nos, vectors, strict=True))
    await copy_rows(connection, "vectors", rows)


async def stored_vectors(
    connection: AsyncConnection, version: int, text_hashes: Sequence[bytes]
) -> dict[bytes, NDArray[np.float16]]:
    """Vectors that the version already holds for texts, by their hash."""
    query = text(
        "SELECT DISTINCT ON (c.text_hash) c.text_hash, v.embedding FROM chunks c"
        " JOIN vectors v ON v.version_id = :version AND v.chunk_no = c.chunk_no"
        " WHERE c.version_id = :version AND c.text_hash = ANY(:hashes)"
    )
    rows = (await connection.execute(query, {"version": version, "hashes": list(text_hashes)})).all()
    return {bytes(row.text_hash): row.embedding.to_numpy() for row in rows}


async def cosines(
    connection: DriverConnection[Any], version: int, vector: NDArray[np.float32], chunk_nos: Sequence[int]
) -> dict[int, float]:
    """Cosine of each of `chunk_nos` with `vector`."""
    query = (
        f"SELECT v.chunk_no, -(v.embedding <#> %(vector)s) FROM {visible.vectors('vectors')}"
        f" WHERE v.version_id = {int(version)} AND c.version_id = {int(version)} AND v.chunk_no = ANY(%(numbers)s)"
    )
    bound = {"vector": HalfVector(vector), "numbers": list(chunk_nos)}
    return dict(await (await connection.execute(query.encode(), bound)).fetchall())


async def nearest(
    connection: DriverConnection[Any],
    level: VectorTable,
    version: int,
    vector: NDArray[np.float32],
    narrowed: ChunkCondition,
    limit: int,
    effort: HnswEffort | None,
) -> list[tuple[Any, ...]]:
    """The rows with the nearest vectors, nearly best first: the level's columns and the cosine.

    effort: of HNSW, whose index scan tests the condition itself, and goes on until `limit` rows met it or it has
    visited as many as `effort` allows; None compares every vector. Every one is compared, too, where HNSW gave up.
    """
    bound = {**narrowed.values, "vector": HalfVector(vector), "limit": limit}
    if effort is not None:
        distance = f"v.embedding::halfvec({len(vector)}) <#> %(vector)s::halfvec({len(vector)})"
        tuning = {"ef": str(min(1000, max(effort.ef_search, limit))), "scan": str(effort.max_scan)}
        async with connection.pipeline(), connection.transaction():  # one round trip
            await connection.execute(_SET_EFFORT.encode(), tuning)
            # planned anew each time: a plan for any limit and any condition would not use the index
            query = _nearest(version, distance, distance, narrowed, level)
            rows = await (await connection.execute(query, bound, prepare=False)).fetchall()
        if len(rows) == limit:
            return rows
    # the uncast column is not what HNSW indexes, so that the planner compares them all
    distance = "v.embedding <#> %(vector)s"
    query = _nearest(version, distance, f"{distance}, {level.key}", narrowed, level)
    return await (await connection.execute(query, bound, prepare=False)).fetchall()


def _nearest(version: int, distance: str, order: str, narrowed: ChunkCondition, level: VectorTable) -> bytes:
    query = (
        f"SELECT {level.columns}, -({distance}) FROM {visible.vectors(level.table)}"
        f" WHERE v.version_id = {int(version)} AND c.version_id = {int(version)} AND {narrowed.condition}"
        f" ORDER BY {order} LIMIT %(limit)s"
    )
    return query.encode()


async def _create(connection: AsyncConnection, statement: str, megabytes: int) -> None:
    """Makes an index with so much memory; what it did is taken back where that fails."""
    async with connection.begin_nested():
        await connection.execute(text(f"SET LOCAL maintenance_work_mem = '{megabytes}MB'"))
        await connection.execute(text(statement))


def build_mb(rows: int, dimensions: int, allowed: int) -> int:
    """Megabytes of memory for building HNSW over so many vectors: what its graph takes, a tenth more, within what the
    server allows for maintenance, or within BUILD_MB where that is more. A parallel build takes all of it at once, of
    shared memory."""
    graph = rows * (2 * dimensions + _ROW_BYTES) * 11 // 10 >> 20
    return min(max(64, graph), max(BUILD_MB, allowed))


async def update_hnsw(
    connection: AsyncConnection,
    version: int,
    dimensions: int,
    level: VectorTable = CHUNK_VECTORS,
    *,
    hnsw_from: int = HNSW_FROM,
) -> bool:
    """Builds HNSW over a level from `hnsw_from` vectors on, and again after much churn; returns whether it did. Does
    nothing while another process is at it.

    Searches go on meanwhile: a new index is built aside and takes the old one's place at the end.
    """
    lock = text("SELECT pg_try_advisory_xact_lock(hashtextextended('kb-agent/hnsw/' || :version, 0))")
    if not (await connection.execute(lock, {"version": str(version)})).scalar_one():
        return False
    table = f"{level.table}_{int(version)}"
    query = text(f"SELECT {level.hnsw_upto} FROM index_versions WHERE version_id = :version")
    upto = int((await connection.execute(query, {"version": version})).scalar_one())
    query = text(f"SELECT count(*) AS rows, count(*) FILTER (WHERE chunk_no > :upto) AS new FROM {table}")
    rows, new = (await connection.execute(query, {"upto": upto})).one()
    if rows < hnsw_from or (upto and new <= CHURN * (rows - new)):
        return False
    from sqlalchemy.exc import DBAPIError  # a search imports none of it

    # before the table: whoever writes into the version holds this and goes on to that
    hold = text("SELECT FROM index_versions WHERE version_id = :version FOR NO KEY UPDATE")
    await connection.execute(hold, {"version": version})
    allowed = text("SELECT setting::bigint >> 10 FROM pg_settings WHERE name = 'maintenance_work_mem'")
    memory = build_mb(rows, dimensions, (await connection.execute(allowed)).scalar_one())
    create = (
        f"CREATE INDEX {table}_hnsw_new ON {table} USING hnsw ((embedding::halfvec({int(dimensions)}))"
        f" halfvec_ip_ops) WITH (m = {M}, ef_construction = {EF_CONSTRUCTION})"
    )
    try:
        await _create(connection, create, memory)
    except DBAPIError as error:
        if not isinstance(error.orig, DiskFull):
            raise
        # most likely of /dev/shm, of which a container has 64 MB: one process alone needs no shared memory
        await connection.execute(text("SET LOCAL max_parallel_maintenance_workers = 0"))
        await _create(connection, create, memory)
    await connection.execute(text(f"DROP INDEX IF EXISTS {table}_hnsw"))
    await connection.execute(text(f"ALTER INDEX {table}_hnsw_new RENAME TO {table}_hnsw"))
    highest = f"(SELECT max(chunk_no) FROM {table})"
    mark = f"UPDATE index_versions SET {level.hnsw_upto} = {highest} WHERE version_id = :version"
    await connection.execute(text(mark), {"version": version})
    return True
