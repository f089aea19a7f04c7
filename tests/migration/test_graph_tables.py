"""The tables of the graph belong to an index version, and what they hold of a document to its content."""

from domain.knowledge_graph import DocumentGraph, Facts, Mention, MentionRole
from domain.text.tokens import Analyzer
from storage.index.graph_rows import write
from storage.index.sources import Source
from storage.open import Storage
from storage.tables import PARTITIONED
from tests.fakes.documents import SOURCE, a_document, chunks_of
from tests.fakes.embedder import HashEmbedder
from tests.unit.storage.rows import change, rows

EMBEDDER = HashEmbedder(8).identity


async def partitions(storage: Storage, number: int) -> set[str]:
    found = await rows(storage, f"SELECT relname FROM pg_class WHERE relname ~ '_{number}$' AND relkind = 'r'")
    return {name.rpartition("_")[0] for (name,) in found}


async def test_a_part_of_other_content_counts_for_nothing(storage: Storage) -> None:
    await storage.sources.add(Source(SOURCE, "files", {}))
    document = a_document("a", title="Project Nightingale")
    part = DocumentGraph(1, Facts(("doc:a",)))
    writer = await storage.writer(EMBEDDER, Analyzer())
    await writer.put(document, chunks_of(document, ["words"]), HashEmbedder(8).vectors(["words"]), (), part)
    state = (await writer.indexed_documents(SOURCE))["a"]
    assert (state.graph_revision, state.has_facts) == (1, True)
    await change(storage, "UPDATE indexed_documents SET content_hash = 'x'")
    state = (await writer.indexed_documents(SOURCE))["a"]
    assert (state.graph_revision, state.has_facts) == (0, False)
    held = await writer.stored_text(SOURCE, "a")
    assert held is not None
    assert held.facts is None


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
