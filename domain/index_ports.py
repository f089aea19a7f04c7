"""The protocols of writing the index, with the values that they take and give."""

from collections.abc import Collection, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from domain.access import Acl, SourceDirectory
from domain.documents import Chunk, Refusal, SourceDocument
from domain.knowledge_graph import DocumentGraph, Facts
from domain.model_ports import Vectors


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
    shown_version: str | None = None
    """As `version`, of what the live version of the index shows of it; None where that is this one, or shows nothing
    of it."""
    copy_version: str | None = None
    """The same of a copy of the live version that waits to take its place."""


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

    async def hide(self, source: str, external_ids: Sequence[str], listed_at: datetime | None = None) -> None:
        """Makes documents invisible at once; writing one again shows it again. listed_at: since when the listing was
        read that does not have them, by AccessWriter.now; then those whose ACL was read later stay."""

    async def purge(self, source: str, external_ids: Sequence[str], hidden_by: datetime | None = None) -> None:
        """Removes documents and all that was made of them, and the words that no other chunk has. hidden_by: then only
        those that are hidden, and have been since that moment or longer."""

    async def refusals(self, source: str) -> dict[str, Refusal]:
        """What of `source` was refused, by external id."""

    async def save_refusals(self, source: str, refused: Mapping[str, Refusal], *, whole: bool) -> None:
        """Remembers what was refused. whole: that is all there is of the source."""

    async def merge_segments(self) -> bool:
        """Merges what is due; may run while the writer is used."""

    async def finish(self) -> None:
        """Merges and builds what a finished run calls for."""


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
