"""Passages as a search would give them."""

import numpy as np

from domain.documents import BlockKind, Span, digest
from domain.search import Passage


def passage(text: str, title: str = "", headings: tuple[str, ...] = ()) -> Passage:
    """A passage of a document of its own, with a vector that nothing is near to."""
    document = digest(title, text.encode("utf-8", "replace")).hex()
    return Passage(
        chunk_id=f"{document}-0",
        document_id=document,
        ordinal=0,
        title=title,
        url="",
        path="",
        source="test",
        heading_path=headings,
        text=text,
        kind=BlockKind.PROSE,
        span=Span(),
        updated_at=None,
        vector=np.zeros(8, dtype=np.float32),
    )
