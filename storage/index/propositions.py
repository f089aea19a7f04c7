"""Propositions: vectors of sentence-level units, written with the chunks that the units are parts of."""

from collections import Counter
from collections.abc import Sequence

from pgvector import HalfVector

from domain.index_ports import PropositionRow
from storage.index.vectors import VectorTable
from storage.server.bulk_copy import copy_rows
from storage.server.engine import AsyncConnection

PROPOSITION_VECTORS = VectorTable(
    "propositions", "propositions_hnsw_upto", "c.chunk_id, d.document_id, v.first, v.last", "v.chunk_no, v.position"
)


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
    await copy_rows(connection, "propositions", values)
