"""The documents of a small index in memory, which keeps every promise of KnowledgeWriter."""

import asyncio
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import count

import numpy as np
from numpy.typing import NDArray

from domain.access import NOBODY, Acl, Scope, SourceDirectory, admitted_by_both, reliable_directory
from domain.documents import Chunk, Refusal, SourceDocument, document_id
from domain.errors import Bug
from domain.index_ports import NO_GRAPH, IndexedDocument, KnowledgeWriter, PropositionRow, StoredText
from domain.knowledge_graph import DocumentGraph
from domain.model_ports import EmbedderIdentity, Vectors
from domain.text.tokens import Analyzer, Stemming
from tests.fakes.rights import expanded


@dataclass(frozen=True)
class HeldChunk:
    """A chunk, in the order of writing. own_acl: when it was not the document's."""

    number: int
    chunk: Chunk
    own_acl: Acl | None
    vector: NDArray[np.float16]
    tokens: tuple[str, ...]
    units: tuple[PropositionRow, ...] = ()


@dataclass(frozen=True)
class HeldDocument:
    """A document. content_hash: None while it is described but has no content here."""

    document: SourceDocument
    content_hash: bytes | None = None
    hidden_at: datetime | None = None
    entries: tuple[HeldChunk, ...] = ()
    graph: DocumentGraph = NO_GRAPH

    @property
    def hidden(self) -> bool:
        """Whether it is not shown."""
        return self.hidden_at is not None

    @property
    def rights(self) -> object:
        """Whom it admits, and whom those of its parts that are narrower."""
        narrower = frozenset((entry.chunk.text_hash, entry.own_acl) for entry in self.entries if entry.own_acl)
        return self.document.acl, self.hidden, narrower

    @property
    def acls(self) -> set[Acl]:
        """Every ACL of it and its parts."""
        return {self.document.acl, *(entry.own_acl for entry in self.entries if entry.own_acl)}


class WrittenDocuments(KnowledgeWriter):
    """Documents in a dictionary, with whom they admit.

    embedder: the model whose vectors it holds. stemming: how it makes tokens. propositions: whether it has that level.
    """

    def __init__(
        self, embedder: EmbedderIdentity, stemming: Stemming = "english", *, propositions: bool = False
    ) -> None:
        self._embedder = embedder
        self._propositions = propositions
        self._stemming = stemming
        self._analyzer = Analyzer(stemming)
        self._held: dict[str, HeldDocument] = {}
        self._numbers = count()
        self._empty = True
        self._epoch = 0
        self._people: dict[str, SourceDirectory] = {}
        self._until: dict[str, tuple[datetime, datetime]] = {}
        self._unseen: dict[str, datetime] = {}
        self._awaited: dict[tuple[str, str], tuple[Acl, datetime]] = {}
        self._refusals: dict[str, dict[str, Refusal]] = {}
        self.turns: dict[str, asyncio.Lock] = {}

    # -- KnowledgeWriter

    async def refusals(self, source: str) -> dict[str, Refusal]:
        return dict(self._refusals.get(source, {}))

    async def save_refusals(self, source: str, refused: Mapping[str, Refusal], *, whole: bool) -> None:
        known = {} if whole else self._refusals.get(source, {})
        self._refusals[source] = {**known, **refused}

    async def indexed_documents(self, source: str) -> dict[str, IndexedDocument]:
        return {
            held.document.external_id: IndexedDocument(
                external_id=held.document.external_id,
                document_id=held.document.document_id,
                content_hash=held.content_hash,
                acl=held.document.acl,
                hidden=held.hidden,
                title=held.document.title,
                url=held.document.url,
                path=held.document.path,
                version=held.document.version if held.content_hash is not None else "",
                graph_revision=held.graph.revision,
                has_facts=held.content_hash is not None,
            )
            for held in self._held.values()
            if held.document.source == source
        }

    async def stored_vectors(self, text_hashes: Sequence[bytes]) -> dict[bytes, NDArray[np.float16]]:
        return {e.chunk.text_hash: e.vector for e in self._entries() if e.chunk.text_hash in text_hashes}

    @property
    def has_propositions(self) -> bool:
        return self._propositions

    async def put(
        self,
        document: SourceDocument,
        chunks: Sequence[Chunk],
        vectors: Vectors,
        propositions: Sequence[PropositionRow] = (),
        graph: DocumentGraph = NO_GRAPH,
    ) -> None:
        if propositions and not self._propositions:
            raise Bug("propositions were made for an index that has none")
        entries = tuple(
            HeldChunk(
                next(self._numbers),
                chunk,
                None if chunk.acl == document.acl else chunk.acl,
                row.astype(np.float16),
                tuple(self._analyzer.tokens(chunk.embedded_text)),
                tuple(unit for unit in propositions if unit.chunk == place),
            )
            for place, (chunk, row) in enumerate(zip(chunks, vectors, strict=True))
        )
        self._show(document, HeldDocument(document, document.content_hash, entries=entries, graph=graph))
        self._empty = False

    async def update_metadata(self, document: SourceDocument) -> None:
        held = self._held.get(document.document_id, HeldDocument(document))
        self._show(document, held)
        self._empty = False

    async def update_if_unchanged(
        self, document: SourceDocument, chunk_ids: Sequence[str], graph: DocumentGraph | None = None
    ) -> bool:
        held = self._held.get(document.document_id)
        if held is None or held.content_hash is None or [e.chunk.chunk_id for e in held.entries] != list(chunk_ids):
            return False
        confirmed = replace(held, content_hash=document.content_hash)
        self._show(document, replace(confirmed, graph=graph or held.graph))
        return True

    async def stored_text(self, source: str, external_id: str) -> StoredText | None:
        held = self._held.get(document_id(source, external_id))
        if held is None or held.content_hash is None:
            return None
        chunks = tuple(entry.chunk for entry in held.entries)
        return StoredText(held.document.title, held.document.path, held.graph.facts, chunks)

    async def replace_graph(
        self, source: str, external_id: str, graph: DocumentGraph, chunk_ids: Sequence[str]
    ) -> None:
        key = document_id(source, external_id)
        held = self._held.get(key)
        if held and held.content_hash is not None and [e.chunk.chunk_id for e in held.entries] == list(chunk_ids):
            self._hold(key, replace(held, graph=graph))

    async def set_acl(
        self, source: str, external_ids: Sequence[str], acl: Acl, read_at: datetime | None = None
    ) -> None:
        for key in self._keys(source, external_ids):
            held = self._held[key]
            last = held.document.acl_at
            if not (read_at and last and last > read_at):
                self._hold(key, replace(held, document=replace(held.document, acl=acl, acl_at=read_at or last)))
        for external in external_ids:
            place = (source, external)
            if read_at and document_id(source, external) not in self._held:
                self._awaited[place] = max(
                    (acl, read_at), self._awaited.get(place, (acl, read_at)), key=lambda at: at[1]
                )

    async def hide(self, source: str, external_ids: Sequence[str], listed_at: datetime | None = None) -> None:
        for key in self._keys(source, external_ids):
            read_at = self._held[key].document.acl_at
            if listed_at is None or read_at is None or read_at <= listed_at:
                self._hold(key, replace(self._held[key], hidden_at=self._held[key].hidden_at or datetime.now(UTC)))

    async def purge(self, source: str, external_ids: Sequence[str], hidden_by: datetime | None = None) -> None:
        for key in self._keys(source, external_ids):
            hidden_at = self._held[key].hidden_at
            if hidden_by is not None and (hidden_at is None or hidden_at > hidden_by):
                continue
            del self._held[key]
            self._unseen.pop(key, None)
            self._epoch += 1

    async def merge_segments(self) -> bool:
        """There is never anything to merge."""
        return False

    async def finish(self) -> None:
        """Nor anything to build."""

    def _show(self, document: SourceDocument, held: HeldDocument) -> None:
        """Keeps a document as it was listed, apart from what was learned later than its ACL."""
        key, read_at = document.document_id, document.acl_at
        known, come = self._held.get(key), self._awaited.pop((document.source, document.external_id), None)
        hidden_at = known.hidden_at if known else None
        if read_at is not None:
            later = [come] if come else []
            later += [(known.document.acl, known.document.acl_at)] if known and known.document.acl_at else []
            acl, at = max([(document.acl, read_at), *later], key=lambda each: each[1])
            document = replace(document, acl=admitted_by_both(document.acl, acl), acl_at=at)
        if read_at is None or self._unseen.get(key, read_at) <= read_at:
            self._unseen.pop(key, None)
        kept = hidden_at if read_at and hidden_at and hidden_at > read_at else None
        self._hold(key, replace(held, document=document, hidden_at=kept))

    def _hold(self, key: str, held: HeldDocument) -> None:
        """Keeps a document; the epoch rises when that changes whom a known one, or a part of it, admits."""
        before = self._held.get(key)
        self._held[key] = held
        if before is not None and before.rights != held.rights:
            self._epoch += 1

    def _keys(self, source: str, external_ids: Iterable[str]) -> list[str]:
        return [key for key in (document_id(source, external) for external in external_ids) if key in self._held]

    # -- what tests.fakes.access keeps here

    def replace_directory(self, source: str, directory: SourceDirectory, *, adding: bool = True) -> None:
        """Who the people of a source are. adding: whether what is new counts."""
        before = self._people.get(source, SourceDirectory({}))
        members = dict(reliable_directory(directory, before).members)
        if not adding:
            members = {email: who & before.members[email] for email, who in members.items() if email in before.members}
        self._epoch += before.members != members
        self._people[source] = SourceDirectory(members)

    def mark_acls_read(self, source: str, external_ids: Collection[str], now: datetime, max_age: timedelta) -> None:
        """Which ACLs were read; those not read for longer admit nobody."""
        present = {document_id(source, each) for each in external_ids}
        for key in [key for key, held in self._held.items() if held.document.source == source]:
            if key in present:
                self._unseen.pop(key, None)
            elif now - self._unseen.setdefault(key, now) > max_age:
                held = self._held[key]
                self._hold(key, replace(held, document=replace(held.document, acl=NOBODY, acl_at=now)))
        for place in [each for each in self._awaited if each[0] == source and each[1] not in external_ids]:
            del self._awaited[place]

    def mark_fresh(self, source: str, read_at: datetime, until: datetime) -> None:
        """Until when the permissions of a source hold."""
        self._until[source] = max((read_at, until), self._until.get(source, (read_at, until)))

    def whole(self, scope: Scope) -> Scope:
        """A scope with all that its people are in sources whose permissions hold."""
        now = datetime.now(UTC)
        fresh = [each for each, (_, until) in self._until.items() if now < until]
        return expanded(scope, {each: self._people.get(each, SourceDirectory({})) for each in fresh})

    # -- what is searched

    def _entries(self) -> Iterator[HeldChunk]:
        for held in self._held.values():
            yield from held.entries
