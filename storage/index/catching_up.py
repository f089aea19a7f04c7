"""What was written into the live version since a copy of it was made: the copy takes that over before it comes into
use, so that nothing of it is taken back."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

from domain.documents import masking_of
from storage.index import chunks, document_rows, graph_rows, postings, segment_merging, versions
from storage.index.versions import IndexVersion
from storage.index.writer import lock_document, remove_chunks
from storage.permissions.acl_epoch import VisibilityTransaction, visibility_transaction
from storage.server.engine import AsyncConnection, Engine, text
from storage.server.errors import translated

_NEWER = """
    SELECT d.document_id FROM indexed_documents l JOIN documents d USING (document_no)
    JOIN index_versions b ON b.version_id = :copy
    LEFT JOIN indexed_documents c ON c.version_id = :copy AND c.document_no = l.document_no
    LEFT JOIN (
        SELECT n.document_no, max(n.chunk_no) AS last FROM chunks n WHERE n.version_id = :live AND NOT EXISTS (
            SELECT FROM chunks h WHERE h.version_id = :copy AND h.chunk_no = n.chunk_no)
        GROUP BY n.document_no
    ) other ON other.document_no = l.document_no
    WHERE l.version_id = :live AND (
        c.document_no IS NULL
        OR (c.chunks > 0 AND other.last > greatest(b.copied_upto, (
            SELECT max(h.chunk_no) FROM chunks h WHERE h.version_id = :copy AND h.document_no = l.document_no)))
        OR (c.chunks > 0 AND other.last IS NOT NULL AND d.acl_at > coalesce(c.text_acl_at, c.indexed_at))
        OR (other.last IS NULL AND l.indexed_at > c.indexed_at)
        OR (c.chunks = 0 AND other.last > b.copied_upto AND l.indexed_at > c.indexed_at))
    ORDER BY d.document_no
"""
"""The chunks of a document are written at once, under numbers that rise and are never used twice: the version that
holds the higher ones was written last. Up to the number that live chunks had when they were copied, the copy had them
all. A text that the copy alone holds, and whose ACL came after it, may never have
been allowed to its readers of now. Of a document whose chunks are the same in both, or gone, there is only
the clock to tell."""

_HOLD_LIVE = "SELECT FROM index_versions WHERE state <> 'building' ORDER BY state DESC FOR NO KEY UPDATE"
_HOLD_COPY = "SELECT state FROM index_versions WHERE version_id = :copy AND state = 'building' FOR SHARE"
_HOLD_SOURCE = (
    "SELECT document_no FROM documents JOIN sources s USING (source_no) WHERE document_id = :id FOR KEY SHARE OF s"
)
_PATIENCE = "SET LOCAL lock_timeout = '30s'"
"""The server does not know that one connection waits for the other, and sees no circle of locks through both."""

_NUMBERED = ("chunks", "vectors", "propositions", "mentions", "relations")
_NEW_NUMBER = "(CAST(:new AS int[]))[array_position(CAST(:old AS int[]), chunk_no)]"
"""The numbers cannot stay: where the copy had the same chunks before, it holds that they were removed."""

_ACL_AT = "(SELECT acl_at FROM documents WHERE document_no = :number)"


@asynccontextmanager
async def exchanging(engine: Engine) -> AsyncIterator[VisibilityTransaction]:
    """A transaction in which nobody else makes, drops or exchanges versions, or writes into the live one; the copy, if
    that is what is being built, has all that was written into it."""
    async with AsyncExitStack() as stack:
        aside = None
        async with engine.connect() as connection, connection.begin():
            copied = await versions.is_copy(connection, "building")
        if copied:
            # before anything is locked: those who wait for the lock may have all other connections
            aside = await stack.enter_async_context(engine.connect())
            await _catch_up(aside)  # most of it while others go on writing
        change = await stack.enter_async_context(visibility_transaction(engine))
        await versions.lock(change.connection)
        await change.connection.execute(text(_HOLD_LIVE))
        if aside is not None:
            await _catch_up(aside)
        elif await versions.is_copy(change.connection, "building"):
            raise versions.changed_meanwhile()
        yield change


async def catch_up(engine: Engine) -> None:
    """Brings the copy, if that is what is being built, up to the live version."""
    with translated():
        async with engine.connect() as connection:
            copy = await _catch_up(connection)
    if copy is not None:
        await segment_merging.merge_due(engine, copy.version_id)


async def _catch_up(connection: AsyncConnection) -> IndexVersion | None:
    """See `catch_up`: each document in a transaction of its own. Returns the copy if anything was written into it.
    connection: one on which no transaction has begun."""
    async with connection.begin():
        live, copy = await versions.find(connection, "live"), await versions.find(connection, "building")
        of_live = await versions.is_of_live(connection)
        if not live or not copy or not of_live or not copy.is_like(live):
            return None
        numbers = {"live": live.version_id, "copy": copy.version_id}
        newer = list((await connection.execute(text(_NEWER), numbers)).scalars())
    for document in newer:
        async with connection.begin():
            await _take_over(connection, live, copy, document)
    return copy if newer else None


async def _take_over(connection: AsyncConnection, live: IndexVersion, copy: IndexVersion, document: str) -> None:
    """Makes the copy hold of a document what the live version does."""
    source, target = live.version_id, copy.version_id
    await connection.execute(text(_PATIENCE))
    if (await connection.execute(text(_HOLD_COPY), {"copy": target})).one_or_none() is None:
        return
    await lock_document(connection, document)
    number = (await connection.execute(text(_HOLD_SOURCE), {"id": document})).scalar_one_or_none()
    shown = None if number is None else await document_rows.stored_hash(connection, source, number)
    if number is None or shown is None:  # it was removed meanwhile, from both
        return
    held = await document_rows.stored_hash(connection, target, number)
    unlinked = await graph_rows.remove(connection, target, [number])
    gone = await remove_chunks(connection, copy, [number])
    await document_rows.mark_absent(connection, target, number)
    row = ("document_no = :number", {"indexed_at": "now()", "text_acl_at": _ACL_AT}, {"number": number})
    await versions.copy_rows(connection, "indexed_documents", source, target, *row)
    texts = await chunks.embedded_texts(connection, source, [number])
    new = dict(zip(texts, await chunks.new_numbers(connection, len(texts)), strict=True))
    old_and_new: dict[str, object] = {"old": list(new), "new": list(new.values())}
    for table in _NUMBERED:
        rows = ("chunk_no = ANY(:old)", {"chunk_no": _NEW_NUMBER}, old_and_new)
        await versions.copy_rows(connection, table, source, target, *rows)
    tokens = copy.tokens().tokens
    found = await asyncio.to_thread(lambda: {new[of]: tokens(words) for of, words in texts.items()})
    await postings.add(connection, target, found)
    if held is not None and masking_of(held) != masking_of(shown):
        await postings.delete_unused_terms(connection, target, gone)
    mentioned = text("SELECT DISTINCT entity_no FROM mentions WHERE version_id = :target AND chunk_no = ANY(:numbers)")
    linked = await connection.execute(mentioned, {"target": target, "numbers": list(new.values())})
    await graph_rows.update_counts(connection, target, Counter(linked.scalars()), unlinked)
