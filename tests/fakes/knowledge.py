"""A small index in memory that keeps every promise of KnowledgeSearch and KnowledgeWriter."""

import asyncio
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import count
from math import log

import numpy as np
from numpy.typing import NDArray
from rank_bm25 import BM25Okapi
from rapidfuzz.distance import OSA

from domain.access import NOBODY, Acl, Scope, SourceDirectory, permits, reliable_directory
from domain.documents import Chunk, Refusal, SourceDocument, digest, document_id
from domain.errors import Bug, Misconfigured, Refused
from domain.index_ports import NO_GRAPH, IndexedDocument, KnowledgeWriter, PropositionRow, StoredText
from domain.injection import injection_in
from domain.knowledge_graph import DocumentGraph
from domain.model_ports import EmbedderIdentity, Vectors
from domain.search import Filters, Hit, Hits, Passage, Retrieval, SearchRequest
from domain.search_ports import NO_PATHS, KnowledgeSearch
from domain.text.tokens import Analyzer, Stemming
from storage.search.spelling import small_word
from tests.fakes.rights import expanded


@dataclass(frozen=True)
class _Entry:
    """A chunk, in the order of writing. own_acl: when it was not the document's."""

    number: int
    chunk: Chunk
    own_acl: Acl | None
    vector: NDArray[np.float16]
    tokens: tuple[str, ...]
    units: tuple[PropositionRow, ...] = ()


@dataclass(frozen=True)
class _Held:
    """A document. content_hash: None while it is described but has no content here."""

    document: SourceDocument
    content_hash: bytes | None = None
    hidden_at: datetime | None = None
    entries: tuple[_Entry, ...] = ()
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


class MemoryKnowledge(KnowledgeSearch, KnowledgeWriter):
    """Documents in a dictionary, lexical scores by rank-bm25, cosines by NumPy.

    embedder: the model whose vectors it holds. stemming: how it makes tokens. propositions: whether it has that level.
    """

    def __init__(
        self, embedder: EmbedderIdentity, stemming: Stemming = "english", *, propositions: bool = False
    ) -> None:
        self._embedder = embedder
        self._propositions = propositions
        self._stemming = stemming
        self._analyzer = Analyzer(stemming)
        self._held: dict[str, _Held] = {}
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
            _Entry(
                next(self._numbers),
                chunk,
                None if chunk.acl == document.acl else chunk.acl,
                row.astype(np.float16),
                tuple(self._analyzer.tokens(chunk.embedded_text)),
                tuple(unit for unit in propositions if unit.chunk == place),
            )
            for place, (chunk, row) in enumerate(zip(chunks, vectors, strict=True))
        )
        self._show(document, _Held(document, document.content_hash, entries=entries, graph=graph))
        self._empty = False

    async def update_metadata(self, document: SourceDocument) -> None:
        held = self._held.get(document.document_id, _Held(document))
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

    async def hide(self, source: str, external_ids: Sequence[str]) -> None:
        for key in self._keys(source, external_ids):
            self._hold(key, replace(self._held[key], hidden_at=self._held[key].hidden_at or datetime.now(UTC)))

    async def purge(self, source: str, external_ids: Sequence[str]) -> None:
        for key in self._keys(source, external_ids):
            del self._held[key]
            self._unseen.pop(key, None)
            self._epoch += 1

    async def merge_segments(self) -> bool:
        """There is never anything to merge."""
        return False

    async def finish(self) -> None:
        """Nor anything to build."""

    def _show(self, document: SourceDocument, held: _Held) -> None:
        """Keeps a document as it was listed, apart from what was learned later than its ACL."""
        key, read_at = document.document_id, document.acl_at
        known, come = self._held.get(key), self._awaited.pop((document.source, document.external_id), None)
        hidden_at = known.hidden_at if known else None
        if read_at is not None:
            later = [come] if come else []
            later += [(known.document.acl, known.document.acl_at)] if known and known.document.acl_at else []
            acl, at = max([(document.acl, read_at), *later], key=lambda each: each[1])
            document = replace(document, acl=acl, acl_at=at)
        if read_at is None or self._unseen.get(key, read_at) <= read_at:
            self._unseen.pop(key, None)
        kept = hidden_at if read_at and hidden_at and hidden_at > read_at else None
        self._hold(key, replace(held, document=document, hidden_at=kept))

    def _hold(self, key: str, held: _Held) -> None:
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

    # -- KnowledgeSearch

    async def search(self, request: SearchRequest, scope: Scope) -> Hits:
        self._check(request.embedder)
        everything = list(self._entries())
        visible = [entry for _, entry in self._visible(scope, request.filters)]
        terms = self._analyzer.tokens(request.text)
        scores: dict[Retrieval, dict[str, float]] = {}
        rankings: dict[Retrieval, tuple[Hit, ...]] = {}
        weights: Mapping[str, float] = {}
        if "lexical" in request.retrievals:
            scores["lexical"], weights = _lexical(everything, terms)
            sharing = [entry for entry in visible if set(terms) & set(entry.tokens)]
            rankings["lexical"] = _best(sharing, scores["lexical"], request.limit)
        if "dense" in request.retrievals and request.vector is not None:
            asked = request.vector.astype(np.float16).astype(np.float32)
            scores["dense"] = {e.chunk.chunk_id: float(e.vector.astype(np.float32) @ asked) for e in everything}
            rankings["dense"] = _best(visible, scores["dense"], request.limit)
        union = {hit.chunk_id for ranking in rankings.values() for hit in ranking}
        shown = {name: {key: of[key] for key in of if key in union} for name, of in scores.items()}
        told = {term: weight for term, weight in weights.items() if weight > 0}
        tokens = {entry.chunk.chunk_id: set(entry.tokens) for entry in everything}
        coverage = {
            key: sum(weight for term, weight in told.items() if term in tokens[key]) / (sum(told.values()) or 1.0)
            for key in union
        }
        return Hits(rankings, shown, weights, self._stemming, coverage)

    async def around(
        self, chunk_ids: Sequence[str], vector: NDArray[np.float32], scope: Scope
    ) -> dict[str, tuple[float, ...]]:
        self._check()
        visible = list(self._visible(scope, Filters()))
        asked, found = vector.astype(np.float16).astype(np.float32), dict[str, tuple[float, ...]]()
        for held, entry in visible:
            if entry.chunk.chunk_id in chunk_ids:
                beside = [
                    float(other.vector.astype(np.float32) @ asked)
                    for owner, other in visible
                    if owner is held and abs(other.chunk.ordinal - entry.chunk.ordinal) == 1
                ]
                if beside:
                    found[entry.chunk.chunk_id] = tuple(sorted(beside, reverse=True))
        return found

    async def passages(self, chunk_ids: Sequence[str], scope: Scope, *, neighbours: int = 0) -> list[Passage]:
        self._check()
        visible = list(self._visible(scope, Filters()))
        found = {entry.chunk.chunk_id: (held, entry) for held, entry in visible}
        return [
            _passage(held, entry, [other for owner, other in visible if owner is held], neighbours)
            for held, entry in (found[chunk_id] for chunk_id in chunk_ids if chunk_id in found)
        ]

    async def readable(
        self, passages: Mapping[str, str], scope: Scope, *, paths: Mapping[str, str] = NO_PATHS
    ) -> dict[str, str]:
        visible = {entry.chunk.chunk_id for _, entry in self._visible(scope, Filters())}
        there = {entry.chunk.chunk_id for entry in self._entries()}
        reader, found = self.whole(scope), {}
        for chunk_id, document in passages.items():
            held = self._held.get(document)
            if held is None or not held.entries or paths.get(chunk_id, held.document.path) != held.document.path:
                continue
            whole = not held.hidden and permits(held.document.acl, reader)
            undivided = all(entry.own_acl is None for entry in held.entries)
            if chunk_id in visible if chunk_id in there else whole and undivided:
                found[chunk_id] = held.document.external_id
        return found

    async def count_documents(self, scope: Scope, filters: Filters) -> int:
        self._check()
        return len({held.document.document_id for held, _ in self._visible(scope, filters)})

    async def existing_names(self, filters: Filters, scope: Scope) -> Filters:
        self._check()
        if any("\0" in name for names in filters.names.values() for name in names):
            raise Refused("A name holds what cannot be stored")
        return Filters.naming(
            {
                field: [name for name in names if any(self._visible(scope, Filters.naming({field: [name]})))]
                for field, names in filters.names.items()
            }
        )

    async def spelled(self, words: Collection[str], scope: Scope, *, loosely: bool = False) -> dict[str, str]:
        self._check()
        visible = [entry for _, entry in self._visible(scope, Filters())]
        known = {token for entry in visible for token in entry.tokens}
        found: dict[str, str] = {}
        for word in words:
            (token, *rest) = self._analyzer.tokens(word) or [""]
            apart = 2 if len(token) >= 8 else 1
            least = 3 if loosely else 4
            if len(word) < least or rest or token in known or len(token) < least:
                continue
            near = [
                (OSA.distance(token, term), -sum(term in entry.tokens for entry in visible), term)
                for term in known
                if term[0] == token[0]
                and OSA.distance(token, term) <= apart
                and (len(token) > 3 or (len(term) == 4 and term[-1] == token[-1]))
            ]
            if loosely and not near and (small := small_word(word)):
                found[word] = small
            if near:
                written = [each for entry in visible for each in re.findall(r"[^\W\d_]+", entry.chunk.text)]
                text = next(each for each in written if self._analyzer.tokens(each) == [min(near)[2]])
                if not (text.casefold().startswith(word) or word.startswith(text.casefold())):
                    found[word] = text
        return found

    async def visibility_key(self, scope: Scope) -> str:
        scope = self.whole(scope)
        known = {acl for held in self._held.values() for acl in held.acls}
        permitted = sorted(str(sorted(map(sorted, acl.clauses))) for acl in known if permits(acl, scope))
        return digest("view", str(self._epoch), *permitted).hex()

    def visible(self, scope: Scope, filters: Filters) -> list[tuple[SourceDocument, list[Chunk]]]:
        """The documents that have a visible chunk, each with these in their order."""
        self._check()
        found: dict[str, tuple[SourceDocument, list[Chunk]]] = {}
        for held, entry in self._visible(scope, filters):
            found.setdefault(held.document.document_id, (held.document, []))[1].append(entry.chunk)
        return [(document, sorted(chunks, key=lambda chunk: chunk.ordinal)) for document, chunks in found.values()]

    def units(self, scope: Scope, filters: Filters, embedder: str) -> list[tuple[Chunk, PropositionRow]]:
        """The visible propositions, each with its chunk, in the order of writing."""
        self._check(embedder)
        visible = sorted(self._visible(scope, filters), key=lambda pair: pair[1].number)
        return [(entry.chunk, unit) for _, entry in visible for unit in entry.units]

    def graphs(self) -> dict[str, DocumentGraph]:
        """The parts of the knowledge graph, by the document's id."""
        return {key: held.graph for key, held in self._held.items()}

    def _check(self, embedder: str = "") -> None:
        if self._empty:
            raise Misconfigured("Nothing is indexed yet", next_step="Index something first: kb index PATH_OR_URL")
        if embedder not in {"", self._embedder.name}:
            raise Misconfigured("The index was made with another embedding model", next_step="Run: kb reindex --full")

    def _entries(self) -> Iterator[_Entry]:
        for held in self._held.values():
            yield from held.entries

    def _visible(self, scope: Scope, filters: Filters) -> Iterator[tuple[_Held, _Entry]]:
        scope = self.whole(scope)
        for held in self._held.values():
            if not held.hidden and permits(held.document.acl, scope) and _matches(held.document, filters):
                for entry in held.entries:
                    if entry.own_acl is None or permits(entry.own_acl, scope):
                        yield held, entry


def _lexical(entries: Sequence[_Entry], terms: Sequence[str]) -> tuple[dict[str, float], dict[str, float]]:
    """Scores by chunk id, and the weight of each term."""
    if not any(entry.tokens for entry in entries):
        return dict.fromkeys((entry.chunk.chunk_id for entry in entries), 0.0), dict.fromkeys(terms, 0.0)
    model = BM25Okapi([entry.tokens for entry in entries])
    unknown = log(len(entries) + 0.5) - log(0.5)
    values = model.get_scores(list(terms))
    scores = {entry.chunk.chunk_id: float(value) for entry, value in zip(entries, values, strict=True)}
    return scores, {term: float(model.idf.get(term, unknown)) for term in Counter(terms)}


def _best(entries: Iterable[_Entry], scores: Mapping[str, float], limit: int) -> tuple[Hit, ...]:
    """The best first; of equal ones, the one written first."""
    ranked = sorted(entries, key=lambda entry: (-scores[entry.chunk.chunk_id], entry.number))
    return tuple(Hit(e.chunk.chunk_id, e.chunk.document_id, scores[e.chunk.chunk_id]) for e in ranked[:limit])


def _matches(document: SourceDocument, filters: Filters) -> bool:
    title = f"{document.title} {document.path}".lower()
    updated = document.updated_at
    return (
        (not filters.sources or document.source in filters.sources)
        and (not filters.labels or bool(set(document.labels) & set(filters.labels)))
        and (not filters.spaces or document.space in filters.spaces)
        and (not filters.documents or document.document_id in filters.documents)
        and (not filters.titles or any(each.lower() in title for each in filters.titles))
        and (filters.since is None or (updated is not None and updated >= filters.since))
        and (filters.until is None or (updated is not None and updated <= filters.until))
    )


def _passage(held: _Held, entry: _Entry, siblings: Sequence[_Entry], neighbours: int) -> Passage:
    document, chunk = held.document, entry.chunk
    texts = {other.chunk.ordinal: other.chunk.text for other in siblings}
    before = range(chunk.ordinal - neighbours, chunk.ordinal)
    after = range(chunk.ordinal + 1, chunk.ordinal + neighbours + 1)
    return Passage(
        chunk_id=chunk.chunk_id,
        document_id=chunk.document_id,
        ordinal=chunk.ordinal,
        title=chunk.title,
        url=document.url,
        path=document.path,
        source=document.source,
        heading_path=chunk.heading_path,
        text=chunk.text,
        kind=chunk.kind,
        span=chunk.span,
        updated_at=document.updated_at,
        vector=entry.vector.astype(np.float32),
        before=tuple(texts[i] for i in before if i in texts),
        after=tuple(texts[i] for i in after if i in texts),
        author=document.author,
        injection=injection_in(chunk.embedded_text),
    )
