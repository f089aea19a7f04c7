"""The protocols that cross rooms, with what they raise; tests/contract holds every implementation to them."""

from collections.abc import AsyncGenerator, Collection, Sequence
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
    """Finds chunks that a scope may see. Scope and filters are applied before the number of hits is limited."""

    async def search(self, request: SearchRequest, scope: Scope) -> Hits:
        """The best chunks by each method asked for.

        Raises:
            Misconfigured: nothing is indexed yet, or the index was made with another model.
            Transient: the database is away.
        """

    async def passages(self, chunk_ids: Sequence[str], scope: Scope, *, neighbours: int = 0) -> list[Passage]:
        """The chunks with their texts, in the given order, without those that `scope` may not see or that are gone.
        neighbours: how many chunks before and after it each passage carries.

        Raises:
            Transient: the database is away.
        """

    async def count_documents(self, scope: Scope, filters: Filters) -> int:
        """How many documents `scope` may see under `filters`."""

    async def existing_names(self, filters: Filters, scope: Scope) -> Filters:
        """`filters` with only those names that a visible document has. Raises Refused for a NUL in one."""

    async def visibility_key(self, scope: Scope) -> str:
        """A cache key for what `scope` may see. It changes whenever rights or visibility change."""


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

    def stream(self, request: ChatRequest) -> AsyncGenerator[str, None]:
        """The reply in pieces as they come; raises as `complete` does, also in the middle of a reply. Closing it closes
        its connection."""


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

    async def related_chunks(self, request: GraphRequest, scope: Scope) -> list[RelatedChunk]:
        """Chunks near the entities that a text names and near the given hits, each once, best first: one chunk of each
        document reached; for a loose request also those that show relations. Empty without a start. Raises
        Misconfigured where nothing is indexed yet, Transient while the database is away."""

    async def neighbourhoods(self, name: str, scope: Scope, *, limit: int = 50) -> list[EntityNeighbourhood]:
        """The entities, three at most, that `name` (a key, title, name or address) stands for, with their relations.
        Raises as `related_chunks`."""


class IndexControl(Protocol):
    """Administration of the index from a conversation. Nothing is done without a confirmation outside of it."""

    def is_administrator(self, scope: Scope) -> bool:
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
    graph_revision: int = 0
    """Revision of the rules by which its part of the knowledge graph was made, see DocumentGraph."""
    has_facts: bool = False
    """Whether the facts that its source states are stored, so that its graph can be made again from the index."""


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
    """A document's text as it is stored: its part of the knowledge graph is made from it."""

    title: str
    path: str
    facts: Facts | None
    """What its source states; None where that was never stored."""
    chunks: tuple[Chunk, ...]


NO_GRAPH = DocumentGraph()
"""No part of the knowledge graph."""


class KnowledgeWriter(Protocol):
    """Changes the index, one document a transaction."""

    @property
    def has_propositions(self) -> bool:
        """Whether the index has the level of propositions: then every document must be written with its own."""

    async def indexed_documents(self, source: str) -> dict[str, IndexedDocument]:
        """Every document of `source`, by external id."""

    async def stored_vectors(self, text_hashes: Sequence[bytes]) -> dict[bytes, NDArray[np.float16]]:
        """The vectors already stored for these texts."""

    async def put(
        self,
        document: SourceDocument,
        chunks: Sequence[Chunk],
        vectors: Vectors,
        propositions: Sequence[PropositionRow] = (),
        graph: DocumentGraph = NO_GRAPH,
    ) -> None:
        """Replaces all that is stored of `document`, in one transaction. graph: its part of the knowledge graph, made
        from `chunks`.

        If the old content was masked by other rules, its words are removed from the index unless another chunk has
        them.

        `put`, `update_metadata` and `update_if_unchanged` never undo newer knowledge. If the document's ACL is dated,
        an ACL that was read later stays (also one that `set_acl` stored before the document was there), and a document
        that was hidden later stays hidden.

        Raises:
            Bug: there are propositions, and the index has no such level.
            Transient: the database is away.
            Misconfigured: the disk is full.
        """

    async def update_metadata(self, document: SourceDocument) -> None:
        """Updates title, place, labels and ACL of a document whose content is the same; shows it again if hidden."""

    async def update_if_unchanged(
        self, document: SourceDocument, chunk_ids: Sequence[str], graph: DocumentGraph | None = None
    ) -> bool:
        """If a document's stored chunks are exactly `chunk_ids`, in order: updates its metadata and content hash, and
        its part of the knowledge graph where `graph` is given. Returns False, and changes nothing, if they are not."""

    async def stored_text(self, source: str, external_id: str) -> StoredText | None:
        """What the index holds of a document; None if it has no content of it."""

    async def replace_graph(
        self, source: str, external_id: str, graph: DocumentGraph, chunk_ids: Sequence[str]
    ) -> None:
        """Replaces a document's part of the knowledge graph. chunk_ids: the chunks, in order, that `graph` was made
        from. Does nothing if its chunks are others by now: whoever wrote those wrote their graph, too."""

    async def set_acl(
        self, source: str, external_ids: Sequence[str], acl: Acl, read_at: datetime | None = None
    ) -> None:
        """Gives documents another ACL at once, in every version of the index. read_at: when it was read, by
        AccessWriter.now; then ACLs that were read later stay, and it is stored for documents that are still to come."""

    async def hide(self, source: str, external_ids: Sequence[str]) -> None:
        """Makes documents invisible at once; writing one again shows it again."""

    async def purge(self, source: str, external_ids: Sequence[str]) -> None:
        """Removes documents and all that was made of them, and the words that no other chunk has."""


class AccessWriter(Protocol):
    """Stores the permissions of sources. They are valid for a time; after that, the documents are not shown."""

    async def replace_directory(self, source: str, directory: SourceDirectory) -> None:
        """Replaces the people and groups of `source` by the reliable part of `directory`, see
        domain.access.reliable_directory."""

    async def remove_lost_members(self, source: str, directory: SourceDirectory) -> None:
        """Removes those members of the directory that `replace_directory` would remove, and adds none."""

    async def mark_acls_read(self, source: str, external_ids: Collection[str]) -> None:
        """Records that the ACLs of these documents of `source` were read, and those of its other documents were not. A
        document whose ACL was not read for longer than permissions are valid is readable by nobody from now on; an ACL
        that waits for its document is removed if it was not read."""

    def acl_read_lock(self, source: str) -> AbstractAsyncContextManager[None]:
        """A lock between processes, one per source; waits until it is free. Permissions that are read inside are
        therefore newer than all that are stored."""

    async def now(self) -> datetime:
        """The time, by the clock that dates permissions."""

    async def mark_fresh(self, source: str, read_at: datetime) -> None:
        """Records that ACLs and people of `source` are as they were at `read_at`, an earlier `now`: their validity
        counts from then. An older time than the one stored changes nothing."""


class AccessReader(Protocol):
    """Decides whom an ACL admits, just as a search does: by the directories of sources whose permissions are valid."""

    async def admits(self, acl: Acl, scope: Scope) -> bool:
        """Whether `scope` may see what carries `acl`. Raises Transient when the database is away."""
