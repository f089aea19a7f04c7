"""Writing the knowledge graph: each document's part in the document's own transaction.

Whoever writes does it in this order, so that no two wait for each other: entities by their keys, then counts by their
numbers in one statement, then, without waiting, entities that nobody mentions any more.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from sqlalchemy import TextClause, text
from sqlalchemy.ext.asyncio import AsyncConnection

from domain.errors import Transient
from domain.knowledge_graph import DocumentGraph, Facts, Link, split_key

_WRITE = text(
    """
    WITH related AS (
        INSERT INTO relations (version_id, subject_no, predicate, object_no, chunk_no, pattern, document_no, confidence,
                               guarded)
        SELECT :version, subject, predicate, object, chunk, pattern, :document, confidence, guarded
        FROM unnest(CAST(:subjects AS int[]), CAST(:predicates AS text[]), CAST(:objects AS int[]),
                    CAST(:related_at AS int[]), CAST(:patterns AS text[]), CAST(:related_surely AS real[]),
                    CAST(:guarded AS boolean[]))
             AS each (subject, predicate, object, chunk, pattern, confidence, guarded))
    INSERT INTO mentions (version_id, entity_no, chunk_no, role, document_no, confidence, surface, acl_id)
    SELECT :version, entity, each.chunk_no, role, :document, confidence, surface, c.acl_id
    FROM unnest(CAST(:entities AS int[]), CAST(:mentioned_at AS int[]), CAST(:roles AS text[]),
                CAST(:mentioned_surely AS real[]), CAST(:surfaces AS text[]))
         AS each (entity, chunk_no, role, confidence, surface)
    JOIN chunks c ON c.version_id = :version AND c.chunk_no = each.chunk_no
    """
)

# held until the end, so that nobody takes away what is about to be referred to
_FIND_ENTITIES = text("SELECT key, entity_no FROM entities WHERE key = ANY(:keys) ORDER BY key FOR KEY SHARE")
# in the order given, the same for all writers
_ADD_ENTITIES = text(
    """
    INSERT INTO entities (key, kind, name)
    SELECT * FROM unnest(CAST(:keys AS text[]), CAST(:kinds AS text[]), CAST(:names AS text[]))
    ON CONFLICT (key) DO NOTHING RETURNING key, entity_no
    """
)
_UPDATE_COUNTS = text(
    """
    INSERT INTO entity_counts AS held (version_id, entity_no, documents)
    SELECT :version, * FROM unnest(CAST(:numbers AS int[]), CAST(:changes AS int[])) ORDER BY 2
    ON CONFLICT (version_id, entity_no) DO UPDATE SET documents = held.documents + excluded.documents
    """
)
_UNCOUNTED = text(
    "DELETE FROM entity_counts WHERE version_id = :version AND entity_no = ANY(:numbers) AND documents <= 0"
    " RETURNING entity_no"
)
_REMOVE = text(
    """
    WITH shown AS (SELECT chunk_no FROM chunks WHERE version_id = :version AND document_no = ANY(:documents)),
    unrelated AS (
        DELETE FROM relations WHERE version_id = :version AND chunk_no IN (SELECT chunk_no FROM shown)),
    gone AS (
        DELETE FROM mentions WHERE version_id = :version AND chunk_no IN (SELECT chunk_no FROM shown)
        RETURNING entity_no, document_no)
    SELECT entity_no, count(DISTINCT document_no) AS documents FROM gone GROUP BY entity_no
    """
)
# rows that a writer has locked are skipped: it is about to refer to them, so they are not unused
_UNUSED = text(
    "SELECT entity_no FROM entities WHERE entity_no = ANY(:numbers) ORDER BY entity_no FOR UPDATE SKIP LOCKED"
)
_EVERY_UNUSED = text(
    """
    SELECT entity_no FROM entities e WHERE NOT EXISTS (SELECT FROM entity_counts c WHERE c.entity_no = e.entity_no)
    ORDER BY entity_no FOR UPDATE SKIP LOCKED
    """
)
_DELETE_UNUSED = text(
    """
    DELETE FROM entities e WHERE entity_no = ANY(:numbers)
    AND NOT EXISTS (SELECT FROM entity_counts c WHERE c.entity_no = e.entity_no)
    """
)
_ATTEMPTS = 10


async def remove(connection: AsyncConnection, version: int, document_nos: Sequence[int]) -> Counter[int]:
    """Removes the graph of documents from a version; to be called before their chunks are removed. Returns how many of
    them mentioned each entity, for `update_counts`."""
    rows = (await connection.execute(_REMOVE, {"version": version, "documents": list(document_nos)})).all()
    return Counter({int(row.entity_no): int(row.documents) for row in rows})


async def write(
    connection: AsyncConnection, version: int, document_no: int, chunk_nos: Sequence[int], graph: DocumentGraph
) -> Counter[int]:
    """Writes the graph of a document. chunk_nos: its chunks, in order. Returns its entities, for `update_counts`."""
    if not graph.mentions:
        return Counter()
    numbers = await _intern(connection, graph.keys)
    values = {
        "version": version,
        "document": document_no,
        "entities": [numbers[each.key] for each in graph.mentions],
        "mentioned_at": [chunk_nos[each.chunk] for each in graph.mentions],
        "roles": [each.role.value for each in graph.mentions],
        "mentioned_surely": [each.confidence for each in graph.mentions],
        "surfaces": [each.surface for each in graph.mentions],
        "subjects": [numbers[each.subject] for each in graph.relations],
        "predicates": [each.predicate for each in graph.relations],
        "objects": [numbers[each.object] for each in graph.relations],
        "related_at": [chunk_nos[each.chunk] for each in graph.relations],
        "patterns": [each.pattern.value for each in graph.relations],
        "related_surely": [each.confidence for each in graph.relations],
        "guarded": [each.guarded for each in graph.relations],
    }
    await connection.execute(_WRITE, values)
    return Counter(numbers.values())


async def update_counts(
    connection: AsyncConnection, version: int, added: Mapping[int, int], gone: Mapping[int, int]
) -> None:
    """Updates how many documents mention each entity, and deletes entities without mentions. To be called last."""
    changes = {number: added.get(number, 0) - gone.get(number, 0) for number in sorted({*added, *gone})}
    changes = {number: change for number, change in changes.items() if change}
    values = {"version": version, "numbers": list(changes), "changes": list(changes.values())}
    if changes:
        await connection.execute(_UPDATE_COUNTS, values)
    fewer = [number for number, change in changes.items() if change < 0]
    if fewer:
        found = await connection.execute(_UNCOUNTED, {"version": version, "numbers": fewer})
        await delete_unused(connection, list(found.scalars()))


async def delete_unused(connection: AsyncConnection, entity_nos: Sequence[int] | None = None) -> None:
    """Removes those of the entities, or of all, that no version mentions."""
    find = (_EVERY_UNUSED, {}) if entity_nos is None else (_UNUSED, {"numbers": list(entity_nos)})
    numbers = list((await connection.execute(*find)).scalars())
    if numbers:
        # a statement of its own: it sees what was committed while rows were locked
        await connection.execute(_DELETE_UNUSED, {"numbers": numbers})


async def _intern(connection: AsyncConnection, keys: Iterable[str]) -> dict[str, int]:
    """The numbers of entities; new entities are added."""
    missing, found = sorted(keys), dict[str, int]()
    for attempt in range(_ATTEMPTS):
        # a new entity that another writer has just made is known only to a statement after this one
        rows = (
            await connection.execute(*(_adding(missing) if attempt % 2 else (_FIND_ENTITIES, {"keys": missing})))
        ).all()
        found |= {row.key: int(row.entity_no) for row in rows}
        missing = [key for key in missing if key not in found]
        if not missing:
            return found
    raise Transient("Names went as fast as they came", next_step="Run the same command again.")


def _adding(keys: Sequence[str]) -> tuple[TextClause, dict[str, list[str]]]:
    kinds, names = zip(*(split_key(key) for key in keys), strict=True)
    return _ADD_ENTITIES, {"keys": list(keys), "kinds": [kind.value for kind in kinds], "names": list(names)}


def facts_as_json(facts: Facts) -> dict[str, object]:
    """Facts as they are stored."""
    return {
        "keys": list(facts.keys),
        "links": [
            [each.predicate, each.key, each.words, each.inverse, each.name, each.guarded] for each in facts.links
        ],
        "terms": list(facts.terms),
    }


def facts_from_json(stored: Mapping[str, list[object]]) -> Facts:
    """The facts that `facts_as_json` made that of."""
    return Facts(
        tuple(str(key) for key in stored["keys"]),
        tuple(Link(*link) for link in stored["links"]),  # type: ignore[misc] # lists in the order of its fields
        tuple(str(term) for term in stored.get("terms", ())),  # earlier releases kept none
    )
