"""The knowledge graph in memory: every visible document's part is looked through for each question."""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import permutations
from math import log
from typing import get_args

import numpy as np
from numpy.typing import NDArray

from domain.access import Scope
from domain.documents import Chunk, SourceDocument
from domain.entity_linking import (
    MOST,
    KnownEntity,
    LinkedEntity,
    linked_entities,
    mention_spans,
    similar_names,
    unknown_names,
    whole_span,
)
from domain.graph_search import (
    MENTIONED,
    STARTS,
    Direction,
    EntityNeighbourhood,
    GraphRequest,
    GraphStep,
    Neighbour,
    RelatedChunk,
)
from domain.graph_walk import ReachedNode, WalkEdge, breadth_first
from domain.knowledge_graph import (
    SAME_AS,
    EntityType,
    Mention,
    MentionRole,
    Precedence,
    Relation,
    RelationOrigin,
    split_key,
)
from domain.relation_matching import answering, best_of, fit, stated
from domain.search import Filters
from domain.search_ports import GraphSearch
from domain.text.editions import Opening, replaced_editions
from tests.fakes.knowledge import MemoryKnowledge

BEARS = {MentionRole.IDENTITY, MentionRole.TITLE}
SPEAKS = set(MentionRole) - {MentionRole.GUARDED}


@dataclass(frozen=True)
class _Part:
    """What a reader may see of a document: its chunks by ordinal, and what these show."""

    number: int
    document: SourceDocument
    chunks: Mapping[int, Chunk]
    mentions: Sequence[Mention]
    relations: Sequence[Relation]

    def keys(self, roles: set[MentionRole]) -> dict[str, float]:
        """Keys it shows in these roles, with the highest confidence."""
        found: dict[str, float] = {}
        for each in self.mentions:
            if each.role in roles:
                found[each.key] = max(found.get(each.key, 0.0), each.confidence)
        return found

    def opening(self) -> Opening:
        """How it begins."""
        document, first = self.document, self.chunks[0]
        headings = " ".join(first.heading_path)
        return Opening(document.document_id, document.source, document.title, headings, first.text, document.updated_at)

    def surface(self, key: str, chunk: int) -> str:
        shown = [each for each in self.mentions if (each.key, each.chunk) == (key, chunk)]
        return min(shown, key=lambda each: each.role.value).surface if shown else split_key(key)[1]


class MemoryGraph(GraphSearch):
    """Walks the parts of the graph that MemoryKnowledge holds. walk: how."""

    def __init__(
        self,
        knowledge: MemoryKnowledge,
        *,
        common: int = 20,
        walk: Callable[..., dict[int, ReachedNode]] = breadth_first,
    ) -> None:
        self._knowledge = knowledge
        self._common = common
        self._walk = walk

    async def related_chunks(self, request: GraphRequest, scope: Scope) -> list[RelatedChunk]:
        await self._knowledge.passages([], scope)  # nothing is indexed yet: it says so
        parts = self._parts(scope)
        meant = self._linked(parts, request.text, loose=request.loose)
        fitting = {document.document_id for document, _ in self._knowledge.visible(scope, request.filters)}
        shown = [chunk.chunk_id for part in parts for chunk in part.chunks.values()]
        passages = await self._knowledge.passages(shown, scope)
        vectors = {passage.chunk_id: passage.vector for passage in passages}
        spoken: list[RelatedChunk] = []
        if request.loose:
            within = [each for each in _mentioning(parts, meant, request, vectors) if each.document_id in fitting]
            spoken = within[: request.limit]
            hits = {each.chunk_id: each.score for each in reversed(spoken[:STARTS])} | dict(request.hits)
            request = replace(request, hits=hits)
        starts, edges, steps = self._around(parts, meant, request)
        by_number = {part.number: part for part in parts}
        reached = {node: there for node, there in self._walk(starts, edges, hops=request.hops).items() if node > 0}
        found = [
            RelatedChunk(
                chunk.chunk_id,
                chunk.document_id,
                there.score,
                tuple(steps[edge.label] for edge in there.way),
                None if request.vector is None else cosine,
            )
            for node, there in reached.items()
            if by_number[node].document.document_id in fitting
            for chunk, cosine in [_nearest(by_number[node], request, vectors)]
        ]
        if request.loose:
            found += [*spoken, *(each for each in _stated(parts, meant, request) if each.document_id in fitting)]
        return best_of(found, request.limit)

    async def precedence(self, document_ids: Collection[str], scope: Scope) -> dict[tuple[str, str], Precedence]:
        await self._knowledge.passages([], scope)
        asked = [part for part in self._parts(scope) if part.document.document_id in document_ids]
        found: dict[tuple[str, str], Precedence] = {}
        for one, other in permutations(asked, 2):
            ours, theirs = (each.keys({MentionRole.IDENTITY}) for each in (one, other))
            allowed = one.relations if one.document.source == other.document.source else ()
            for each in (*allowed, *other.relations):
                if each.subject in ours and each.object in theirs and not each.guarded:
                    for said in get_args(Precedence):
                        if each.predicate == said:
                            found[one.document.document_id, other.document.document_id] = said
        openings = [part.opening() for part in self._parts(scope) if 0 in part.chunks]
        known = [each for each in openings if each.document_id in document_ids]
        for pair in replaced_editions(known, openings):
            if set(pair) <= set(document_ids):
                found.setdefault(pair, "replaces")
        return found

    async def neighbourhoods(self, name: str, scope: Scope, *, limit: int = 50) -> list[EntityNeighbourhood]:
        parts = self._parts(scope)
        span = whole_span(name)
        known = self._known(parts, set(span.keys))
        keys = [key for asked in span.keys for key, _ in known.get(asked, ())]
        if not keys:
            keys = [key for key, _ in self._similar(parts, span.keys)]
        found: list[tuple[set[str], EntityNeighbourhood]] = []
        for key in dict.fromkeys(keys):
            if not any(key in same for same, _ in found):
                found.append((_same(parts, key), _surroundings(parts, key, limit)))
        return [each for _, each in found][:MOST]

    def _parts(self, scope: Scope) -> list[_Part]:
        graphs = self._knowledge.graphs()
        parts = []
        for number, (document, visible) in enumerate(self._knowledge.visible(scope, Filters()), start=1):
            graph, chunks = graphs[document.document_id], {chunk.ordinal: chunk for chunk in visible}
            shown = [each for each in graph.mentions if each.chunk in chunks]
            stated = [each for each in graph.relations if each.chunk in chunks]
            parts.append(_Part(number, document, chunks, shown, stated))
        borne = {(part.document.source, key) for part in parts for key in part.keys({MentionRole.IDENTITY})}
        return [
            replace(part, relations=[each for each in part.relations if _told(part, each, borne)]) for part in parts
        ]

    def _counts(self, parts: Sequence[_Part]) -> dict[str, int]:
        """Documents that speak of each key, among those that the reader may see, counted until they are too many."""
        counted = Counter(key for part in parts for key in part.keys(SPEAKS))
        return {key: min(count, self._common + 1) for key, count in counted.items()}

    def _known(self, parts: Sequence[_Part], keys: set[str]) -> dict[str, list[tuple[str, KnownEntity]]]:
        counts, shown = self._counts(parts), {key for part in parts for key in part.keys(SPEAKS)}
        found: dict[str, list[tuple[str, KnownEntity]]] = defaultdict(list)
        for key in sorted(keys & shown):
            found[key].append((key, KnownEntity(hash(key), EntityType(split_key(key)[0]), counts[key])))
        for part in parts:
            for each in part.relations:
                for one, other in ((each.subject, each.object), (each.object, each.subject)):
                    if each.predicate == SAME_AS and not each.guarded and one in keys and other in shown:
                        alias = KnownEntity(
                            hash(other), EntityType(split_key(other)[0]), counts[other], "alias", each.confidence
                        )
                        found[one].append((other, alias))
        return found

    def _linked(self, parts: Sequence[_Part], text: str, *, loose: bool) -> list[tuple[LinkedEntity, str]]:
        found = mention_spans(text)
        known = self._known(parts, {key for each in found for key in each.keys})
        names = {one.entity: key for pairs in known.values() for key, one in pairs}
        meant = linked_entities(found, {key: [one for _, one in pairs] for key, pairs in known.items()}, self._common)
        linked = [(each, names[each.known.entity]) for each in meant]
        for each in unknown_names(found, meant) if loose else ():
            linked += [(LinkedEntity(each, one), key) for key, one in self._similar(parts, each.keys)]
        return linked

    def _similar(self, parts: Sequence[_Part], keys: Sequence[str]) -> list[tuple[str, KnownEntity]]:
        plain = next((key[5:] for key in keys if key.startswith("name:")), "")
        counts = self._counts(parts)
        shown = sorted({key for part in parts for key in part.keys(SPEAKS) if key.startswith(f"name:{plain[:4]}")})
        close = similar_names(plain, [key[5:] for key in shown]) if len(plain) >= 4 else []
        return [
            (shown[at], KnownEntity(hash(shown[at]), EntityType.NAME, counts[shown[at]], "fuzzy", by))
            for at, by in close
        ]

    def _around(
        self, parts: Sequence[_Part], meant: Sequence[tuple[LinkedEntity, str]], request: GraphRequest
    ) -> tuple[dict[int, float], list[WalkEdge], list[GraphStep]]:
        starts: dict[int, float] = {}
        for each, key in meant:
            for number, weight in _bearers(parts, key, 0):
                starts[number] = max(starts.get(number, 0.0), each.known.score * weight)
        edges: list[WalkEdge] = []
        steps: list[GraphStep] = []
        for part in parts:
            self._onward(parts, part, part.number, part.chunks, edges, steps)
            hit = [chunk for chunk in part.chunks.values() if chunk.chunk_id in request.hits]
            for chunk in hit:
                starts[-part.number] = request.hits[chunk.chunk_id]
                self._onward(parts, part, -part.number, {chunk.ordinal: chunk}, edges, steps)
        return starts, edges, steps

    def _onward(
        self,
        parts: Sequence[_Part],
        part: _Part,
        node: int,
        chunks: Mapping[int, Chunk],
        edges: list[WalkEdge],
        steps: list[GraphStep],
    ) -> None:
        counts = self._counts(parts)
        for key, mention in sorted(_spoken(part, chunks).items()):
            if key.startswith("name:") and counts.get(key, 0) > self._common:
                continue
            rarity = 1 / (1 + 0.25 * log(max(counts.get(key, 0), 1)))
            for number, weight in _bearers(parts, key, part.number):
                edges.append(WalkEdge(node, number, mention.confidence * weight * rarity, len(steps)))
                chunk = part.chunks[mention.chunk]
                steps.append(GraphStep(part.document.title, "names", mention.surface, chunk.chunk_id))


def _nearest(part: _Part, request: GraphRequest, vectors: Mapping[str, NDArray[np.float32]]) -> tuple[Chunk, float]:
    if request.vector is None:
        return part.chunks[min(part.chunks)], 0.0
    scored = {chunk.chunk_id: float(vectors[chunk.chunk_id] @ request.vector) for chunk in part.chunks.values()}
    best = max(part.chunks.values(), key=lambda chunk: (scored[chunk.chunk_id], -chunk.ordinal))
    return best, scored[best.chunk_id]


def _spoken(part: _Part, chunks: Mapping[int, Chunk]) -> dict[str, Mention]:
    """What chunks of a document speak of without its being that, as surely as they do."""
    found: dict[str, Mention] = {}
    for each in sorted(part.mentions, key=lambda mention: mention.chunk):
        if each.chunk in chunks and each.role in SPEAKS - BEARS:
            known = found.get(each.key)
            if known is None or each.confidence > known.confidence:
                found[each.key] = each
    return found


def _told(part: _Part, relation: Relation, borne: set[tuple[str, str]]) -> bool:
    """Whether it is not guarded, or the reader may see a document of the same source for each end."""
    ends = {(part.document.source, key) for key in (relation.subject, relation.object)}
    return not relation.guarded or ends <= borne


def _bearers(parts: Sequence[_Part], key: str, but: int) -> Iterator[tuple[int, float]]:
    bearing = {part.number: part.keys(BEARS)[key] for part in parts if key in part.keys(BEARS) and part.number != but}
    for number, confidence in bearing.items():
        yield number, confidence / (1 + log(len(bearing)))


def _same(parts: Sequence[_Part], key: str) -> set[str]:
    return {key, *(other for part in parts if key in part.keys(BEARS) for other in part.keys(BEARS))}


def _relations(parts: Sequence[_Part], key: str) -> list[Neighbour]:
    same = _same(parts, key)
    found: dict[tuple[str, str, str], list[Neighbour]] = defaultdict(list)
    for part in parts:
        for each in part.relations:
            ends: tuple[tuple[str, str, Direction], ...] = (
                (each.subject, each.object, "out"),
                (each.object, each.subject, "in"),
            )
            for one, other, direction in ends:
                if one in same and other not in same and each.predicate != SAME_AS:
                    found[other, each.predicate, direction].append(_neighbour(parts, part, each, other, direction))
    grouped = []
    for shown in found.values():
        best = max(shown, key=lambda each: each.confidence)
        chunks = {each.chunk_id for each in shown}
        grouped.append(replace(best, sources=len(chunks)))
    return sorted(
        grouped,
        key=lambda n: (n.pattern is not RelationOrigin.STRUCTURE, -n.confidence, n.predicate, n.direction, n.key),
    )


def _called(parts: Sequence[_Part], key: str) -> str:
    """The title of what has only an id or an address."""
    if EntityType(split_key(key)[0]) not in {EntityType.DOCUMENT, EntityType.PAGE, EntityType.FILE}:
        return ""
    return next((part.document.title for part in parts if key in part.keys({MentionRole.IDENTITY})), "")


def _neighbour(parts: Sequence[_Part], part: _Part, relation: Relation, other: str, direction: Direction) -> Neighbour:
    return Neighbour(
        key=other,
        kind=EntityType(split_key(other)[0]),
        name=_called(parts, other) or part.surface(other, relation.chunk),
        predicate=relation.predicate,
        direction=direction,
        confidence=relation.confidence,
        pattern=relation.pattern,
        chunk_id=part.chunks[relation.chunk].chunk_id,
        document_id=part.document.document_id,
        title=part.document.title,
        url=part.document.url,
        source=part.document.source,
    )


def _surroundings(parts: Sequence[_Part], key: str, limit: int) -> EntityNeighbourhood:
    same = _same(parts, key)
    shown = [each for part in parts for each in part.mentions if each.key == key and each.role in SPEAKS]
    titled = [each for each in shown if each.role is MentionRole.TITLE]
    often = Counter(each.surface for each in shown)
    name = max(titled, key=lambda each: each.confidence).surface if titled else min(often, key=lambda s: (-often[s], s))
    documents = sum(bool(same & part.keys(SPEAKS).keys()) for part in parts)
    neighbours = _relations(parts, key)
    kind = EntityType(split_key(key)[0])
    return EntityNeighbourhood(key, kind, name, documents, tuple(neighbours[:limit]), complete=len(neighbours) <= limit)


def _mentioning(
    parts: Sequence[_Part],
    meant: Sequence[tuple[LinkedEntity, str]],
    request: GraphRequest,
    vectors: Mapping[str, NDArray[np.float32]],
) -> list[RelatedChunk]:
    """The chunks that speak of what was meant, the surest mentions first."""
    sure: dict[str, float] = {}
    for each, key in meant:
        sure[key] = max(sure.get(key, 0.0), each.known.score)
    found: list[tuple[float, RelatedChunk]] = []
    roles = {MentionRole.MENTION, MentionRole.HEADING, MentionRole.TITLE}
    for part in parts:
        shown = {(each.key, each.chunk) for each in part.mentions if each.key in sure}
        for key, ordinal in sorted(shown, key=lambda pair: (pair[1], list(sure).index(pair[0]))):
            said = [each for each in part.mentions if (each.key, each.chunk) == (key, ordinal) and each.role in roles]
            if said:
                chunk, confidence = part.chunks[ordinal], max(each.confidence for each in said)
                cosine = None if request.vector is None else float(vectors[chunk.chunk_id] @ request.vector)
                step = GraphStep(part.document.title, "names", min(each.surface for each in said), chunk.chunk_id)
                score = MENTIONED * sure[key] * confidence
                related = RelatedChunk(chunk.chunk_id, chunk.document_id, score, (step,), cosine)
                found.append((confidence, related))
    return [one for _, one in sorted(found, key=lambda each: (-each[0], -(each[1].cosine or 0), each[1].chunk_id))]


def _stated(
    parts: Sequence[_Part], meant: Sequence[tuple[LinkedEntity, str]], request: GraphRequest
) -> Iterator[RelatedChunk]:
    for each, key in meant:
        neighbours = _relations(parts, key)
        answers = answering(request.text, each.span, neighbours)
        for one in neighbours:
            step = stated(each.span.text, one)
            score = each.known.score * fit(request.text, each.span, one)
            states = (step,) if one in answers else ()
            yield RelatedChunk(one.chunk_id, one.document_id, score, (step,), states=states)
