"""A dry run where nothing is indexed yet."""

from collections.abc import Mapping, Sequence
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from domain.access import Acl
from domain.documents import Chunk, Refusal, SourceDocument
from domain.errors import Bug
from domain.knowledge_graph import DocumentGraph
from domain.ports import NO_GRAPH, IndexedDocument, PropositionRow, StoredText, Vectors


class EmptyIndex:
    """A writer over an empty index that refuses to write."""

    has_propositions = False

    async def indexed_documents(self, source: str) -> dict[str, IndexedDocument]:
        """No document."""
        del source
        return {}

    async def refusals(self, source: str) -> dict[str, Refusal]:
        """None."""
        del source
        return {}

    async def save_refusals(self, source: str, refused: Mapping[str, Refusal], *, whole: bool) -> None:
        """Raises Bug."""
        del source, refused, whole
        raise Bug("a dry run remembers nothing")

    async def stored_vectors(self, text_hashes: Sequence[bytes]) -> dict[bytes, NDArray[np.float16]]:
        """No vector."""
        del text_hashes
        return {}

    async def put(
        self,
        document: SourceDocument,
        chunks: Sequence[Chunk],
        vectors: Vectors,
        propositions: Sequence[PropositionRow] = (),
        graph: DocumentGraph = NO_GRAPH,
    ) -> None:
        """Raises Bug."""
        del document, chunks, vectors, propositions, graph
        raise Bug("a dry run was about to write")

    async def update_metadata(self, document: SourceDocument) -> None:
        """Raises Bug."""
        del document
        raise Bug("a dry run was about to write")

    async def update_if_unchanged(
        self, document: SourceDocument, chunk_ids: Sequence[str], graph: DocumentGraph | None = None
    ) -> bool:
        """Raises Bug."""
        del document, chunk_ids, graph
        raise Bug("a dry run was about to write")

    async def stored_text(self, source: str, external_id: str) -> StoredText | None:
        """Nothing."""
        del source, external_id
        return None

    async def replace_graph(
        self, source: str, external_id: str, graph: DocumentGraph, chunk_ids: Sequence[str]
    ) -> None:
        """Raises Bug."""
        del source, external_id, graph, chunk_ids
        raise Bug("a dry run was about to write")

    async def set_acl(
        self, source: str, external_ids: Sequence[str], acl: Acl, read_at: datetime | None = None
    ) -> None:
        """Raises Bug."""
        del source, external_ids, acl, read_at
        raise Bug("a dry run was about to write")

    async def hide(self, source: str, external_ids: Sequence[str]) -> None:
        """Raises Bug."""
        del source, external_ids
        raise Bug("a dry run was about to write")

    async def purge(self, source: str, external_ids: Sequence[str]) -> None:
        """Raises Bug."""
        del source, external_ids
        raise Bug("a dry run was about to write")

    async def merge_segments(self) -> bool:
        """Nothing to do."""
        return False

    async def finish(self) -> None:
        """Nothing to do."""
