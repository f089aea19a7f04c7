"""The protocols of searching the index within a scope; tests/contract holds every implementation to them."""

from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from domain.access import Acl, Scope
from domain.graph_search import EntityNeighbourhood, GraphRequest, RelatedChunk, StatedOwner
from domain.knowledge_graph import Precedence
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

NO_PATHS: Mapping[str, str] = MappingProxyType({})


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

    async def around(
        self, chunk_ids: Sequence[str], vector: NDArray[np.float32], scope: Scope
    ) -> Mapping[str, tuple[float, ...]]:
        """The cosines with a question's vector of the visible passages right before and after each of these, best
        first. Nothing for a passage that stands alone, is gone or may not be seen.

        Raises:
            Transient: the database is away.
        """

    async def readable(
        self, passages: Mapping[str, str], scope: Scope, *, paths: Mapping[str, str] = NO_PATHS
    ) -> dict[str, str]:
        """Which of these passages `scope` may read at this moment. passages: the document's id by the chunk's id. Gives
        the document's id within its source by the chunk's id, without passages whose document is gone or closed to
        `scope`. A chunk that is there no more, because its document has another text by now, counts as readable to
        who may read that document, unless a part of the document is closed to some of its readers.

        paths: where the document of a chunk lay, by the chunk's id. One that lies elsewhere by now is left out: its
        former path names the pages above it, and one of these may be closed to who may read the document.

        Raises:
            Transient: the database is away.
        """

    async def count_documents(self, scope: Scope, filters: Filters) -> int:
        """How many documents `scope` may see under `filters`."""

    async def existing_names(self, filters: Filters, scope: Scope) -> Filters:
        """`filters` with only those names that a visible document has. Raises Refused for a NUL in one."""

    async def spelled(
        self, words: Collection[str], scope: Scope, *, loosely: bool = False, strictly: bool = False
    ) -> Mapping[str, str]:
        """For each word that no visible text holds, one that a visible text does and that is written nearly so, as it
        stands there. Nothing for a word that is known, short, or near to none. loosely: of a question in which a word
        is misspelled; a word of three letters may lack one, and what is near to a small word of English (`thier`,
        `their`) is that. strictly: of a question in another language than English, whose words have many forms: one
        letter of a long word, and none of its ending.

        Raises:
            Misconfigured: nothing is indexed yet.
            Transient: the database is away.
        """

    async def hyphenated(self, words: Collection[str], scope: Scope) -> Mapping[str, str]:
        """For each word that no visible text holds, what a visible text writes with a hyphen in it, or between letters
        and digits with a hyphen, point or underscore, as it stands there: `Not-Halt` for `nothalt`, `LX-400` for
        `lx400`. Raises as `spelled` does."""

    async def visibility_key(self, scope: Scope) -> str:
        """A cache key for what `scope` may see. It changes whenever rights or visibility change."""


class DocumentCatalog(Protocol):
    """Documents as such, within a scope: by name, and part after part."""

    async def find(self, name: str, scope: Scope, *, filters: Filters, limit: int = 10) -> list[DocumentInfo]:
        """Documents whose title, path or file name fits `name`, best first; one with the very id, path, file name,
        title or URL `name` has score 1. An empty `name` lists documents, newest first."""

    async def chunks(self, document_id: str, scope: Scope, *, first: int = 0, limit: int = 50) -> list[Passage]:
        """The visible chunks of a document in their order, `limit` of them without the `first` ones; none when the
        document is not there or `scope` may not see it. What is not visible is not counted."""


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


class GraphSearch(Protocol):
    """The knowledge graph, within a scope: no edge, neighbour or count is of a chunk that it may not see."""

    async def related_chunks(self, request: GraphRequest, scope: Scope) -> list[RelatedChunk]:
        """Chunks near the entities that a text names and near the given hits, each once, best first: one chunk of each
        document reached; for a loose request also those that show relations. Empty without a start. Raises
        Misconfigured where nothing is indexed yet, Transient while the database is away."""

    async def precedence(self, document_ids: Collection[str], scope: Scope) -> dict[tuple[str, str], Precedence]:
        """Which of these documents count before which, as one of the two says: by their ids, first that which counts.
        Both are visible, and so is the chunk that says it. A document puts itself only before those of its own source.
        Raises as `related_chunks`."""

    async def neighbourhoods(self, name: str, scope: Scope, *, limit: int = 50) -> list[EntityNeighbourhood]:
        """The entities, three at most, that `name` (a key, title, name or address) stands for, with their relations.
        Raises as `related_chunks`."""

    async def stated_owners(self, name: str, scope: Scope) -> list[StatedOwner]:
        """All owners, authors and the like in the metadata of documents that hold the words of `name` in a row. Raises
        as `related_chunks`."""


class AccessReader(Protocol):
    """Decides whom an ACL admits, just as a search does: by the directories of sources whose permissions are valid."""

    async def admits(self, acl: Acl, scope: Scope) -> bool:
        """Whether `scope` may see what carries `acl`. Raises Transient when the database is away."""
