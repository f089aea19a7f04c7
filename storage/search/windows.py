"""How near the passages around a passage are to a question, within a scope."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from pgvector import HalfVector

from storage.index import visible
from storage.index.chunks import VISIBLE
from storage.search.snapshot import IndexSnapshot
from storage.server.pool import Connection

_AROUND = f"""
    WITH asked AS MATERIALIZED (
        SELECT c.chunk_id, c.document_no, c.ordinal FROM {visible.CHUNKS}
        WHERE c.version_id = %(version)s AND c.chunk_id = ANY(%(chunk_ids)s) AND {VISIBLE}
    )
    SELECT h.chunk_id, near.cosine FROM asked h CROSS JOIN LATERAL (
        SELECT -(v.embedding <#> %(vector)s) AS cosine FROM {visible.vectors("vectors")}
        WHERE v.version_id = %(version)s AND c.version_id = %(version)s AND c.document_no = h.document_no
          AND c.ordinal BETWEEN h.ordinal - 1 AND h.ordinal + 1 AND c.ordinal <> h.ordinal AND {VISIBLE}
    ) near
"""


async def around(
    connection: Connection, snapshot: IndexSnapshot, chunk_ids: Sequence[str], vector: NDArray[np.float32]
) -> dict[str, tuple[float, ...]]:
    """The cosines of the visible passages right before and after each of these, best first; nothing of a passage that
    stands alone or that the reader may not see."""
    bound = {
        "version": snapshot.version.version_id,
        "acls": snapshot.acls,
        "chunk_ids": list(chunk_ids),
        "vector": HalfVector(vector),
    }
    found: dict[str, list[float]] = {}
    for chunk_id, cosine in await (await connection.execute(_AROUND.encode(), bound, prepare=True)).fetchall():
        found.setdefault(chunk_id, []).append(float(cosine))
    return {chunk_id: tuple(sorted(cosines, reverse=True)) for chunk_id, cosines in found.items()}
