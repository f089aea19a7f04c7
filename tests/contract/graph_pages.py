"""Pages with their parts of the knowledge graph, and what it tells of them."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from domain.access import ORGANISATION, Acl, Scope, user
from domain.documents import document_id
from domain.graph_search import EntityNeighbourhood, GraphRequest, RelatedChunk
from domain.knowledge_graph import DocumentGraph, Mention, MentionRole, Relation, RelationOrigin, name_key
from tests.contract.knowledge import MEMBER, Knowledge
from tests.fakes.documents import SOURCE, a_document, chunks_of

BOBS = Acl.any_of(user("bob@example.com"))
BOB_ASKS = Scope.member("bob@example.com")


@dataclass(frozen=True)
class Page:
    """A document for these tests. names: that its parts speak of, by part. keys: that it is. relations: subject,
    predicate, object and part. guarded: the same, told to those alone who may read both ends."""

    title: str
    texts: Sequence[str | tuple[str, Acl]] = ("some text",)
    names: Sequence[Sequence[str]] = ()
    keys: Sequence[str] = ()
    relations: Sequence[tuple[str, str, str, int]] = ()
    guarded: Sequence[tuple[str, str, str, int]] = ()
    acl: Acl = ORGANISATION
    labels: Sequence[str] = field(default_factory=tuple)
    source: str = SOURCE

    @property
    def document_id(self) -> str:
        return document_id(SOURCE, self.title)


async def put(knowledge: Knowledge, page: Page) -> list[str]:
    """Writes a page with its part of the graph; gives the ids of its chunks."""
    document = a_document(page.title, source=page.source, title=page.title, acl=page.acl, labels=page.labels)
    chunks = chunks_of(document, page.texts)
    vectors = knowledge.embedder.vectors([chunk.embedded_text for chunk in chunks])
    await knowledge.writer.put(document, chunks, vectors, (), graph_of(page))
    return [chunk.chunk_id for chunk in chunks]


def graph_of(page: Page) -> DocumentGraph:
    found = {
        (0, key, MentionRole.IDENTITY): Mention(key, 0, MentionRole.IDENTITY, 1.0, key.partition(":")[2])
        for key in page.keys
    }
    title = name_key(page.title)
    found[0, title, MentionRole.TITLE] = Mention(title, 0, MentionRole.TITLE, 1.0, page.title)
    for part, names in enumerate(page.names):
        for name in names:
            key = name if ":" in name else name_key(name)
            surface = key.partition(":")[2] if ":" in name else name
            found[part, key, MentionRole.MENTION] = Mention(key, part, MentionRole.MENTION, 0.9, surface)
    relations, places = [], {place[:2] for place in found}
    for subject, predicate, end, part in [*page.relations, *page.guarded]:
        guarded = (subject, predicate, end, part) in page.guarded
        ends = [each if ":" in each else name_key(each) for each in (subject, end)]
        relations.append(Relation(ends[0], predicate, ends[1], part, 1.0, RelationOrigin.STRUCTURE, guarded))
        for key, surface in zip(ends, (subject, end), strict=True):
            if (part, key) not in places:
                places.add((part, key))
                role = MentionRole.GUARDED if guarded and key not in page.keys else MentionRole.LINK
                found[part, key, role] = Mention(key, part, role, 1.0, surface.partition(":")[2] or surface)
    ordered = sorted(found.values(), key=lambda each: (each.chunk, each.key, each.role.value))
    return DocumentGraph(1, mentions=tuple(ordered), relations=tuple(relations))


async def titles(knowledge: Knowledge, request: GraphRequest | str, scope: Scope = MEMBER) -> list[str]:
    found = [each.chunk_id for each in await led(knowledge, request, scope)]
    return [each.title for each in await knowledge.search.passages(found, scope)]


async def led(knowledge: Knowledge, request: GraphRequest | str, scope: Scope = MEMBER) -> list[RelatedChunk]:
    asked = GraphRequest(request) if isinstance(request, str) else request
    return await knowledge.graph.related_chunks(asked, scope)


async def around(knowledge: Knowledge, name: str, scope: Scope = MEMBER, *, limit: int = 50) -> EntityNeighbourhood:
    [found] = await knowledge.graph.neighbourhoods(name, scope, limit=limit)
    return found


def told(thing: EntityNeighbourhood) -> list[tuple[str, str, str]]:
    return [(each.direction, each.predicate, each.name) for each in thing.neighbours]


def hit(knowledge: Knowledge, title: str) -> GraphRequest:
    return GraphRequest("", {chunks_of(a_document(title, title=title), ["some text"])[0].chunk_id: 1.0})
