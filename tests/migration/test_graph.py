"""The tables of the graph come to a database of before, and to a version that the release before makes beside it."""

from domain.graph import DocumentGraph, Mention, Role
from domain.text.tokens import Analyzer
from storage.graph import write
from storage.open import Storage
from storage.versions import PARTITIONED
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


async def test_a_version_that_goes_takes_its_graph_along(storage: Storage) -> None:
    await storage.writer(EMBEDDER, Analyzer())
    await storage.rebuild(EMBEDDER, Analyzer())
    part = DocumentGraph(1, mentions=(Mention("name:ada", 0, Role.MENTION, 1.0, "Ada"),))
    async with storage.engine.begin() as connection:
        await write(connection, 1, 1, [1], part)
        await connection.exec_driver_sql("INSERT INTO entity_counts SELECT 1, entity_no, 1 FROM entities")
    await storage.publish()
    assert await partitions(storage, 1) == set(PARTITIONED)
    await storage.rebuild(EMBEDDER, Analyzer())
    await storage.publish()
    assert (await partitions(storage, 1), await rows(storage, "SELECT * FROM entities")) == (set(), [])
