"""A small index in memory that keeps every promise of KnowledgeSearch and KnowledgeWriter."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from math import log

import numpy as np
from numpy.typing import NDArray
from rank_bm25 import BM25Okapi

from domain.access import Scope, permits
from domain.cosine_scale import COMMON_SCALE, CosineScale
from domain.documents import Chunk, SourceDocument, digest
from domain.errors import Misconfigured, Refused
from domain.index_ports import PropositionRow
from domain.injection import injection_in
from domain.knowledge_graph import DocumentGraph
from domain.search import Filters, Hit, Hits, Passage, Retrieval, SearchRequest
from domain.search_ports import NO_PATHS, KnowledgeSearch
from domain.text.tokens import fold
from storage.search.spelling import letters_apart, may_be_a_form, may_lack_its_end, small_word, spellings
from tests.fakes.written_documents import HeldChunk, HeldDocument, WrittenDocuments


class MemoryKnowledge(WrittenDocuments, KnowledgeSearch):
    """Written documents, searched with lexical scores by rank-bm25 and cosines by NumPy.

    scale: what cosines of the model mean.
    """

    scale: CosineScale = COMMON_SCALE

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
        return Hits(rankings, shown, weights, self._stemming, coverage, self.scale)

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

    async def hyphenated(self, words: Collection[str], scope: Scope) -> dict[str, str]:
        self._check()
        seen = list(self._visible(scope, Filters()))
        texts = [text for held, entry in seen for text in (entry.chunk.text, held.document.title)]
        written = [each for text in texts for each in re.findall(r"\w+(?:[-.]\w+)*", text)]
        known = {token for _, entry in seen for token in entry.tokens}
        return {
            word: same[0]
            for word in words
            if not known.intersection(self._analyzer.tokens(word))
            if (same := [each for each in written if fold(each) in spellings(word)])
        }

    async def spelled(
        self, words: Collection[str], scope: Scope, *, loosely: bool = False, strictly: bool = False
    ) -> dict[str, str]:
        self._check()
        visible = [entry for _, entry in self._visible(scope, Filters())]
        known = {token for entry in visible for token in entry.tokens}
        found: dict[str, str] = {}
        for word in words:
            (token, *rest) = self._analyzer.tokens(word) or [""]
            apart = 2 if len(token) >= 8 else 1
            least = 6 if strictly else 3 if loosely else 4
            if len(word) < least or rest or token in known or len(token) < least:
                continue
            near = [
                (letters_apart(token, term), -sum(term in entry.tokens for entry in visible), term)
                for term in known
                if term[0] == token[0]
                and letters_apart(token, term) <= apart
                and (len(token) > 3 or (len(term) == 4 and term[-1] == token[-1]))
            ]
            small = "" if strictly else small_word(word)
            if loosely and small:
                found[word] = small
            if near and not small:
                texts = [
                    text
                    for held, entry in self._visible(scope, Filters())
                    for text in (entry.chunk.text, held.document.title)
                ]
                written = [each for text in texts for each in re.findall(r"[^\W\d_]+", text)]
                text = next(each for each in written if self._analyzer.tokens(each) == [min(near)[2]])
                if strictly and may_be_a_form(word, text):
                    continue
                if not word.startswith(text.casefold()) and may_lack_its_end(word, text.casefold()):
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

    def _visible(self, scope: Scope, filters: Filters) -> Iterator[tuple[HeldDocument, HeldChunk]]:
        scope = self.whole(scope)
        for held in self._held.values():
            if not held.hidden and permits(held.document.acl, scope) and _matches(held.document, filters):
                for entry in held.entries:
                    if entry.own_acl is None or permits(entry.own_acl, scope):
                        yield held, entry


def _lexical(entries: Sequence[HeldChunk], terms: Sequence[str]) -> tuple[dict[str, float], dict[str, float]]:
    """Scores by chunk id, and the weight of each term."""
    if not any(entry.tokens for entry in entries):
        return dict.fromkeys((entry.chunk.chunk_id for entry in entries), 0.0), dict.fromkeys(terms, 0.0)
    model = BM25Okapi([entry.tokens for entry in entries])
    unknown = log(len(entries) + 0.5) - log(0.5)
    values = model.get_scores(list(terms))
    scores = {entry.chunk.chunk_id: float(value) for entry, value in zip(entries, values, strict=True)}
    return scores, {term: float(model.idf.get(term, unknown)) for term in Counter(terms)}


def _best(entries: Iterable[HeldChunk], scores: Mapping[str, float], limit: int) -> tuple[Hit, ...]:
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


def _passage(held: HeldDocument, entry: HeldChunk, siblings: Sequence[HeldChunk], neighbours: int) -> Passage:
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
