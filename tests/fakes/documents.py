"""Documents and chunks for tests, made from a few words."""

from collections.abc import Sequence
from datetime import datetime

import numpy as np

from domain.access import ORGANISATION, Acl
from domain.documents import BlockKind, Chunk, SourceDocument, Span, digest
from domain.index_ports import KnowledgeWriter
from tests.fakes.embedder import HashEmbedder

SOURCE = "docs"


def a_document(
    external_id: str,
    *,
    source: str = SOURCE,
    title: str = "",
    path: str = "",
    space: str = "",
    labels: Sequence[str] = (),
    updated_at: datetime | None = None,
    acl: Acl = ORGANISATION,
    content: str = "",
) -> SourceDocument:
    """A document without blocks. content: whatever its hash is to stand for."""
    return SourceDocument(
        source=source,
        external_id=external_id,
        title=title,
        url=f"https://docs.example/{external_id}",
        path=path or external_id,
        blocks=(),
        acl=acl,
        content_hash=digest(external_id, content),
        space=space,
        labels=tuple(labels),
        author="Ada",
        updated_at=updated_at,
    )


def chunks_of(document: SourceDocument, texts: Sequence[str | tuple[str, Acl]]) -> list[Chunk]:
    """One chunk for each text, with the document's ACL or one of its own."""
    pairs = [(item, document.acl) if isinstance(item, str) else item for item in texts]
    return [
        Chunk(document.document_id, i, document.title, (), content, BlockKind.PROSE, Span(i + 1, i + 1), acl)
        for i, (content, acl) in enumerate(pairs)
    ]


async def put(
    writer: KnowledgeWriter,
    embedder: HashEmbedder,
    document: SourceDocument,
    *texts: str | tuple[str, Acl],
) -> list[str]:
    """Writes `document` as chunks of `texts`; gives the chunks' ids."""
    chunks = chunks_of(document, texts)
    vectors = embedder.vectors([chunk.embedded_text for chunk in chunks])
    await writer.put(document, chunks, vectors.reshape(len(chunks), embedder.identity.dimensions).astype(np.float32))
    return [chunk.chunk_id for chunk in chunks]
