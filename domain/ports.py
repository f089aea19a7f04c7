"""The protocols that cross rooms, with what they raise; tests/contract holds every implementation to them."""

from collections.abc import AsyncIterator, Collection, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from domain.access import Acl, Scope, SourceDirectory
from domain.chat import ChatRequest
from domain.documents import Chunk, SourceDocument
from domain.graph_search import EntityNeighbourhood, GraphRequest, RelatedChunk
from domain.knowledge_graph import DocumentGraph, Facts
from domain.search import (
    DocumentInfo,
    Filters,
    GrepRequest,
    GrepResult,
    Hits,
    Passage,
    Proposition,
    SearchRequest,
)

Vectors = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class EmbedderIdentity:
    """What makes vectors comparable."""

    name: str
    """Model and revision; vectors of different names are never compared."""
    dimensions: int
    """Numbers in one vector."""
    max_tokens: int
    """How much of a text, in the tokens of `TokenCounter`, one vector covers."""


class TokenCounter(Protocol):
    """Measures text in the embedding model's tokens."""

    def offsets(self, texts: Sequence[str]) -> list[list[tuple[int, int]]]:
        """For each text, the [start, end) character range of each of its tokens, special tokens left out."""


class Embedder(Protocol):
    """Turns text into vectors whose inner product is their cosine."""

    @property
    def identity(self) -> EmbedderIdentity:
        """Model, dimensions, and how much of a text one vector covers."""

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

    async def borne(self, filters: Filters, scope: Scope) -> Filters:
        """The names in `filters` that a document bears which `scope` may see. Raises Refused for a NUL in one."""

    async def view(self, scope: Scope) -> str:
        """A name of what `scope` may see. Nothing kept under it outlives a right: the name changes when any does."""


class DocumentCatalog(Protocol):
    """Documents as such, within a scope: by name, and part after part."""

    async def find(self, name: str, scope: Scope, *, filters: Filters, limit: int = 10) -> list[DocumentInfo]:
        """Documents whose title, path or file name fits `name`, best first; one with the very id, path, file name,
        title or URL `name` has score 1. An empty `name` lists documents, newest first."""

    async def chunks(self, document_id: str, scope: Scope, *, first: int = 0, limit: int = 50) -> list[Passage]:
        """The visible chunks of a document in their order, `limit` of them from ordinal `first` on; none when the
        document is not there or `scope` may not see it."""


class Grep(Protocol):
    """Finds lines by pattern."""

    async def grep(self, request: GrepRequest, scope: Scope) -> GrepResult:
        """The lines that match, in chunks that `scope` may see.

        Raises:
            Refused: the pattern is empty, too long, or not RE2; or it has no word to look up first, so that every
                text would have to be read.
            Transient: the database is away.
        """


class PropositionSearch(Protocol):
    """Dense search over sentence-level units, an optional level of the index."""

    async def available(self) -> bool:
        """Whether the live index has this level."""

    async def nearest(
        self, vector: NDArray[np.float32], scope: Scope, *, filters: Filters, limit: int = 20
    ) -> list[Proposition]:
        """The units nearest to `vector` that `scope` may see, best first. vector: shape (dimensions,)."""


class ChatModel(Protocol):
    """A language model that is spoken to in messages."""

    @property
    def name(self) -> str:
        """What names the model in caches and traces."""

    async def complete(self, request: ChatRequest) -> str:
        """The whole reply. Exactly one request is made to the model's server.

        Raises:
            Transient: the server is away, busy or too slow, or its reply is empty; `retry_after` where it said so.
            Refused: the model will not answer, or the request is longer than it can read.
            Misconfigured: the server refuses the key, or does not know the model.
        """

    def stream(self, request: ChatRequest) -> AsyncIterator[str]:
        """The reply in pieces as they come; raises as `complete` does, also in the middle of a reply."""


class Reranker(Protocol):
    """Says how well passages answer a question, by looking at both together."""

    @property
    def name(self) -> str:
        """What names it in traces."""

    async def scores(self, question: str, passages: Sequence[Passage]) -> list[float]:
        """One score in 0..1 for each passage, in order; higher is better.

        Raises:
            Transient: its server is away or busy.
            Misconfigured: its server refuses us.
        """


class ReplyCache(Protocol):
    """Keeps replies of a model by a key that says everything they depend on."""

    async def get(self, key: bytes) -> str | None:
        """The reply kept under `key`, unless it is too old."""

    async def put(self, key: bytes, reply: str) -> None:
        """Keeps a reply; when there are too many, those unused for longest go."""


@dataclass(frozen=True, slots=True)
class LivePage:
    """A page, an issue or a file as it is at its source now."""

    url: str
    """The address after all redirects."""
    title: str
    text: str
    """Plain text."""
    path: str = ""
    source: str = ""
    media_type: str = "text/plain"
    """Of what was fetched."""
    author: str = ""
    updated_at: datetime | None = None
    """When the source says it last changed; None where it does not say."""


class LiveSource(Protocol):
    """Fetches one thing from where it lives, now."""

    async def fetch(self, name: str, scope: Scope) -> LivePage | None:
        """What `name` (a key, an id, a URL, a path: each source says which) names, when `scope` may see it; else None:
        "not there" and "not allowed" are the same answer.

        Raises:
            Refused: `name` is malformed, or names what must not be fetched.
            Transient: the source is away or busy.
            Misconfigured: the source refuses our credentials.
        """


class WebSearch(Protocol):
    """Asks a search engine."""

    async def find(self, query: str, *, limit: int = 5) -> list[LivePage]:
        """Results with title, URL and an excerpt as text, best first. Raises Transient and Misconfigured."""


class GraphSearch(Protocol):
    """The knowledge graph, within a scope: no edge, neighbour or count is of a chunk that it may not see."""

    async def related(self, request: GraphRequest, scope: Scope) -> list[RelatedChunk]:
        """Chunks around the things that a text names and those that the walk starts from, each once, best first: one of
        each document reached and, when the request is loose, those that show relations. None where nothing is known to
        start from. Raises Misconfigured where nothing is indexed yet, Transient while the database is away."""

    async def around(self, name: str, scope: Scope, *, limit: int = 50) -> list[EntityNeighbourhood]:
        """What `name` (a key, title, name or address) stands for, three things at most. Raises as `related`."""


class IndexControl(Protocol):
    """Administration of the index from a conversation. Nothing is done without a confirmation outside of it."""

    def may(self, scope: Scope) -> bool:
        """Whether the asker administers the index."""

    async def status(self, scope: Scope) -> str:
        """How fresh the index is, in words."""

    async def propose(self, command: str, source: str, scope: Scope) -> str:
        """Asks the asker to confirm `command` for `source`, and says in words what happens then. Raises Refused for
        another command or source than there are, and for one who may not."""


@dataclass(frozen=True, slots=True)
class IndexedDocument:
    """What the index holds of one document of a source."""

    external_id: str
    document_id: str
    content_hash: bytes | None
    """Of the content last indexed, see domain.documents; None when this version of the index holds none."""
    acl: Acl
    """As stored."""
    hidden: bool
    """Missing from the last complete listing: not shown, and not removed yet."""
    title: str
    url: str
    path: str
    """`title`, `url` and `path` are as stored, to notice what changed without new content."""
    version: str = ""
    """Of what is indexed, see domain.documents.SourceDocument."""
    graph: int = 0
    """Revision of the rules that its part of the knowledge graph was made by, see DocumentGraph."""
    facts: bool = False
    """Whether what its source states of it was kept, so that this part can be made anew from what is stored."""


@dataclass(frozen=True, slots=True)
class PropositionRow:
    """A sentence-level unit of a chunk, as it is stored."""

    chunk: int
    """Place of its chunk in the list of chunks that it is written with."""
    start: int
    """First of its characters in the chunk's text."""
    end: int
    """Last one, exclusive."""
    vector: NDArray[np.float32] = field(repr=False, compare=False)
    """L2-normalised, shape (dimensions,)."""


@dataclass(frozen=True, slots=True)
class StoredText:
    """What the index holds of a document's text: what its part of the knowledge graph is made from."""

    title: str
    path: str
    facts: Facts | None
    """None where what its source states was never kept."""
    chunks: tuple[Chunk, ...]


NO_GRAPH = DocumentGraph()
"""No part of the knowledge graph."""


class KnowledgeWriter(Protocol):
    """Changes the index, one document a transaction."""

    @property
    def propositions(self) -> bool:
        """Whether the index has the level of propositions, so that every document has to be written with its own."""

    async def indexed(self, source: str) -> dict[str, IndexedDocument]:
        """Every document of `source`, by external id."""

    async def known_vectors(self, text_hashes: Sequence[bytes]) -> dict[bytes, NDArray[np.float16]]:
        """The vectors already stored for these texts."""

    async def put(
        self,
        document: SourceDocument,
        chunks: Sequence[Chunk],
        vectors: Vectors,
        propositions: Sequence[PropositionRow] = (),
        graph: DocumentGraph = NO_GRAPH,
    ) -> None:
        """Replaces whatever is stored of `document` by `chunks`, all of it or nothing. graph: its part of the knowledge
        graph, made from these chunks.

        Where the content that goes had passed another masking, its words go with it: none that no other chunk holds
        is left in the index.

        This, `describe` and `confirm` leave alone what was learned since the document's ACL was read, where that is
        dated: an ACL that was read later stays, or comes with a document that `admit` knew before, and what was
        found missing later stays hidden.

        Raises:
            Bug: there are propositions, and the index has no such level.
            Transient: the database is away.
            Misconfigured: the disk is full.
        """

    async def describe(self, document: SourceDocument) -> None:
        """Updates title, place, labels and ACL of a document whose content is unchanged; shows it again if hidden."""

    async def confirm(
        self, document: SourceDocument, chunk_ids: Sequence[str], graph: DocumentGraph | None = None
    ) -> bool:
        """Where the chunks stored of a document are exactly those of `chunk_ids`, in order: describes it and takes
        over its content hash, and `graph` in place of its part of the knowledge graph where one is given. Returns
        whether they are; nothing is changed when they are not."""

    async def held(self, source: str, external_id: str) -> StoredText | None:
        """What the index holds of a document; None where it holds no content of it."""

    async def connect(self, source: str, external_id: str, graph: DocumentGraph, chunk_ids: Sequence[str]) -> None:
        """Replaces a document's part of the knowledge graph by one that was made from its chunks of these ids, in
        order. Nothing happens where these are not its chunks any more: who wrote others wrote their graph, too."""

    async def admit(self, source: str, external_ids: Sequence[str], acl: Acl, read_at: datetime | None = None) -> None:
        """Gives documents another ACL at once, in every version of the index. read_at: when it was read, a moment of
        AccessWriter; ACLs that were read later stay then, and it is kept for documents that are not there yet."""

    async def hide(self, source: str, external_ids: Sequence[str]) -> None:
        """Makes documents invisible at once; they can still be shown again."""

    async def purge(self, source: str, external_ids: Sequence[str]) -> None:
        """Removes documents and all that was made of them, down to the words that no other chunk holds."""


class AccessWriter(Protocol):
    """Keeps what sources say of whom they admit. It holds for a while; afterwards their documents are hidden."""

    async def know(self, source: str, directory: SourceDirectory) -> None:
        """Replaces what is known of the people of `source`, at once, by what of `directory` is to be believed: see
        domain.access.reliable_directory."""

    async def withdraw(self, source: str, directory: SourceDirectory) -> None:
        """Of what is known of the people of `source`, takes away at once what `know` would not keep, and adds
        nothing."""

    async def seen(self, source: str, external_ids: Collection[str]) -> None:
        """Says that the ACLs of these documents of `source` were read, and those of all others were not. Who was not
        seen for longer than permissions hold admits nobody from now on; ACLs of documents that are still to come are
        forgotten when these were not seen."""

    def reading(self, source: str) -> AbstractAsyncContextManager[None]:
        """Inside, nobody else reads whom the documents of `source` admit: it waits until others have. What is read
        inside is therefore newer than all that is kept."""

    async def moment(self) -> datetime:
        """Now, by the clock that permissions are dated with."""

    async def mark_fresh(self, source: str, read_at: datetime) -> None:
        """Says that the ACLs and the people of `source` are those that it had at `read_at`, an earlier `moment`; they
        hold from then on. An older moment than the one known changes nothing."""


class AccessReader(Protocol):
    """Says whom an ACL admits, as a search would: by what is known of the people of sources whose permissions hold."""

    async def admits(self, acl: Acl, scope: Scope) -> bool:
        """Whether `scope` may see what carries `acl`. Raises Transient when the database is away."""
