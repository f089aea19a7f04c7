"""The tables of the graph come to a database of before, and to a version that the release before makes beside it."""

from domain.access import Acl, Scope, user
from domain.graph_search import GraphRequest
from domain.knowledge_graph import DocumentGraph, Facts, Mention, MentionRole
from domain.text.tokens import Analyzer
from storage.index.graph_rows import write
from storage.index.sources import Source
from storage.open import Storage
from storage.tables import PARTITIONED
from tests.fakes.documents import SOURCE, a_document, chunks_of
from tests.fakes.embedder import HashEmbedder
from tests.unit.storage.rows import change, rows

GRAPH = ("mentions", "relations", "entity_counts")
EMBEDDER = HashEmbedder(8).identity


async def partitions(storage: Storage, number: int) -> set[str]:
    found = await rows(storage, f"SELECT relname FROM pg_class WHERE relname ~ '_{number}$' AND relkind = 'r'")
    return {name.rpartition("_")[0] for (name,) in found}


async def test_a_version_that_the_release_before_made_gets_its_tables(storage: Storage) -> None:
    await storage.writer(EMBEDDER, Analyzer())
    for table in GRAPH:
        await change(storage, f"DROP TABLE {table}_1")
    assert await partitions(storage, 1) == set(PARTITIONED) - set(GRAPH)
    await storage.writer(EMBEDDER, Analyzer())
    assert await partitions(storage, 1) == set(PARTITIONED)


async def test_what_the_release_before_rewrites_gets_its_part_anew(storage: Storage) -> None:
    """It knows of content alone, and neither of the part nor of the facts, which are of what was there before."""
    await storage.sources.add(Source(SOURCE, "files", {}))
    document = a_document("a", title="Project Nightingale", acl=Acl.any_of(user("bob@example.com")))
    title = Mention("name:project nightingale", 0, MentionRole.TITLE, 1.0, document.title)
    part = DocumentGraph(1, Facts(("doc:a",)), mentions=(title,))
    writer = await storage.writer(EMBEDDER, Analyzer())
    other = a_document("b", title="Company overview")
    for each, graph_of in ((document, part), (other, DocumentGraph(1))):
        await writer.put(each, chunks_of(each, ["words"]), HashEmbedder(8).vectors(["words"]), (), graph_of)
    graph, asked = storage.graph_search(), GraphRequest("What about Project Nightingale?")
    state = (await writer.indexed_documents(SOURCE))["a"]
    assert (state.graph_revision, state.has_facts) == (1, True)
    assert await graph.related_chunks(asked, Scope.member("bob@example.com")) != []
    for statement in (
        "DELETE FROM vectors",
        "DELETE FROM chunks",
        "UPDATE indexed_documents SET content_hash = 'x', chunks = 0",
        "UPDATE documents SET acl_id = (SELECT acl_id FROM documents WHERE external_id = 'b')",
    ):
        await change(storage, statement)
    state = (await writer.indexed_documents(SOURCE))["a"]
    assert (state.graph_revision, state.has_facts) == (0, False)
    held = await writer.stored_text(SOURCE, "a")
    assert held is not None
    assert held.facts is None
    assert await graph.related_chunks(asked, Scope.member()) == []


async def test_a_version_that_goes_takes_its_graph_along(storage: Storage) -> None:
    await storage.writer(EMBEDDER, Analyzer())
    await storage.rebuild(EMBEDDER, Analyzer())
    part = DocumentGraph(1, mentions=(Mention("name:ada", 0, MentionRole.MENTION, 1.0, "Ada"),))
    async with storage.engine.begin() as connection:
        await write(connection, 1, 1, [1], part)
        await connection.exec_driver_sql("INSERT INTO entity_counts SELECT 1, entity_no, 1 FROM entities")
    await storage.publish()
    assert await partitions(storage, 1) == set(PARTITIONED)
    await storage.rebuild(EMBEDDER, Analyzer())
    await storage.publish()
    assert (await partitions(storage, 1), await rows(storage, "SELECT * FROM entities")) == (set(), [])
