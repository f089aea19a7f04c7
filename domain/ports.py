"""The protocols that cross rooms. Each states what it takes, returns and raises; tests/contract holds every
implementation to it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from domain.access import Acl, Scope
from domain.documents import Chunk, SourceDocument
from domain.search import Filters, Hits, Passage, SearchRequest

Vectors = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class EmbedderIdentity:
    """What makes vectors comparable.

    name: model and revision; vectors of different names never meet.
    dimensions: numbers in one vector.
    max_tokens: how much of a text, in the tokens of `TokenCounter`, one vector covers.
    """

    name: str
    dimensions: int
    max_tokens: int


class TokenCounter(Protocol):
    """Measures text in the embedding model's tokens."""

    def offsets(self, texts: Sequence[str]) -> list[list[tuple[int, int]]]:
        """For each text, the [start, end) character range of each of its tokens, special tokens left out."""


class Embedder(Protocol):
    """Turns text into vectors whose inner product is their cosine."""

    @property
    def identity(self) -> EmbedderIdentity:
        """Model, dimensions and reach."""

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """One L2-normalised row for each text, in order: float32, shape (len(texts), dimensions).

        The same text gives the same row (cosine at least 0.999) in whatever company it is embedded.

        Raises:
            Transient: the model's server is away or busy.
            Misconfigured: the model is missing, or refuses our credentials.
        """


class KnowledgeSearch(Protocol):
    """Finds chunks that a scope may see. Scope and filters apply before any cut to a number of hits."""

    async def search(self, request: SearchRequest, scope: Scope) -> Hits:
        """The best chunks by each method asked for.

        Raises:
            Misconfigured: nothing is indexed yet, or the index was made with another model.
            Transient: the database is away.
        """

    async def passages(self, chunk_ids: Sequence[str], scope: Scope, *, neighbours: int = 0) -> list[Passage]:
        """The chunks themselves, in the order asked for; those that `scope` may not see, or that are gone, are
        left out. With `neighbours`, each passage carries that many chunks before and after it.

        Raises:
            Transient: the database is away.
        """

    async def documents(self, scope: Scope, filters: Filters) -> int:
        """How many documents `scope` may see under `filters`."""


@dataclass(frozen=True, slots=True)
class IndexedState:
    """What the index holds of one document of a source.

    content_hash: of the content last indexed; None when it is known but not indexed in this version.
    acl: as stored.
    hidden: missing from the last complete listing, not shown, not yet purged.
    title, url, path: as stored, to notice what changed without new content.
    """

    external_id: str
    document_id: str
    content_hash: bytes | None
    acl: Acl
    hidden: bool
    title: str
    url: str
    path: str


class KnowledgeWriter(Protocol):
    """Changes the index, one document a transaction."""

    async def indexed(self, source: str) -> dict[str, IndexedState]:
        """Every document of `source`, by external id."""

    async def known_vectors(self, text_hashes: Sequence[bytes]) -> dict[bytes, NDArray[np.float16]]:
        """The vectors already stored for these texts."""

    async def put(self, document: SourceDocument, chunks: Sequence[Chunk], vectors: Vectors) -> None:
        """Replaces whatever is stored of `document` by `chunks`, all of it or nothing.

        Raises:
            Transient: the database is away.
            Misconfigured: the disk is full.
        """

    async def describe(self, document: SourceDocument) -> None:
        """Updates title, place, labels and ACL of a document whose content is unchanged; shows it again if hidden."""

    async def admit(self, source: str, external_ids: Sequence[str], acl: Acl) -> None:
        """Gives documents another ACL at once, in every version of the index."""

    async def hide(self, source: str, external_ids: Sequence[str]) -> None:
        """Makes documents invisible at once; they can still be shown again."""

    async def purge(self, source: str, external_ids: Sequence[str]) -> None:
        """Removes documents and all that was made of them."""
