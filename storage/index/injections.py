"""Which chunks hold text addressed to machines: those that no detector of now has looked at are marked, in batches."""

from sqlalchemy import text

from domain.injection import INJECTION_REVISION, injection_in
from storage.index.chunks import whole_text
from storage.server.engine import Engine
from storage.server.transactions import transaction

BATCH = 500
"""Chunks in one transaction."""

# chunks that a writer has locked are skipped: what it writes in their place is marked by itself
_OUTDATED = text(
    """
    SELECT chunk_no, title, heading_path, text FROM chunks
    WHERE version_id = :version AND injection_revision < :revision
    ORDER BY chunk_no LIMIT :most FOR NO KEY UPDATE SKIP LOCKED
    """
)
_MARK = text(
    """
    UPDATE chunks SET injection = looked.injection, injection_revision = :revision
    FROM unnest(CAST(:numbers AS integer[]), CAST(:injections AS text[])) AS looked (chunk_no, injection)
    WHERE version_id = :version AND chunks.chunk_no = looked.chunk_no
    """
)


async def mark_outdated(engine: Engine, version: int) -> None:
    """Looks at the chunks of a version that were written before the detector of now."""
    while True:
        async with transaction(engine) as connection:
            wanted = {"version": version, "revision": INJECTION_REVISION}
            rows = (await connection.execute(_OUTDATED, {**wanted, "most": BATCH})).all()
            if not rows:
                return
            found = [injection_in(whole_text(row)) for row in rows]
            await connection.execute(_MARK, {**wanted, "numbers": [row.chunk_no for row in rows], "injections": found})
