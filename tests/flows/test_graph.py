"""The knowledge graph from the operator's side: what a reading makes of it, what new rules change, what goes."""

from dataclasses import replace
from pathlib import Path

import networkx as nx
import pytest
from sqlalchemy import text

from bot.app.indexing import index_source
from bot.app.product import Product
from config.load import load
from domain.access import Scope
from domain.errors import Misconfigured
from domain.graph_search import GraphRequest
from indexer.run.dependencies import RunOptions
from indexer.run.report import RunReport
from storage.index.sources import Source
from tests.command import Kb, write
from tests.fakes.graph import Graph, stored

RUNBOOK = "# Ledger Core\n\nLedger Core depends on Kafka Streams. Ask ada@example.com; [the plan](plan.md), PAY-7.\n"
PLAN = "# Move of the ledger\n\nPlatform Team runs Ledger Core.\n"
ALONE = "# Parking\n\nlevel two\n"


@pytest.fixture
def filled(kb: Kb, docs: Path) -> Kb:
    write(docs, runbook=RUNBOOK, plan=PLAN, alone=ALONE)
    assert kb("index", str(docs)).code == 0
    return kb


def test_statistics(filled: Kb) -> None:
    found = filled("graph", "stats", "--json").json
    assert (found["documents"], found["read"], found["components"], found["largest"]) == (3, 3, 2, 2)
    assert found["orphans"] == ["alone.md"]
    assert found["relations"] == {"reference": 2, "structure": 1, "verb": 2}
    assert {"key": "name:ledger core", "documents": 2} in found["hubs"]
    said = filled("graph", "stats").out
    assert said.startswith("Documents: 3 of 3 read for the graph\nEntities: ")
    assert said.endswith("Joined to no other: 1 document\n  alone.md\n")


def test_a_file_of_the_graph(filled: Kb, tmp_path: Path) -> None:
    file = tmp_path / "graph.graphml"
    done = filled("graph", "export", str(file), "--json")
    graph = nx.read_graphml(file, force_multigraph=True)
    assert (done.json["entities"], done.json["relations"]) == (graph.number_of_nodes(), graph.number_of_edges())
    edge = next(iter(graph.get_edge_data("name:ledger core", "name:kafka streams").values()))
    assert (edge["predicate"], edge["pattern"], edge["confidence"]) == ("depend on", "verb", 0.8)
    refused = filled("graph", "export", str(tmp_path / "no" / "graph.graphml"))
    assert (refused.code, "cannot be written" in refused.err) == (2, True)


def test_personal_data_is_masked(kb: Kb, docs: Path, tmp_path: Path) -> None:
    """The key of a name is folded: it would spell the address that is masked in the name."""
    titles = ("ada.lovelace@initech.com", "bob.babbage@initech.com")
    write(
        docs,
        **{
            f"page{number}": f"# {title}\n\nSee [the other](page{1 - number}.md).\n"
            for number, title in enumerate(titles)
        },
    )
    assert kb("index", str(docs)).code == 0
    file = tmp_path / "graph.graphml"
    done = kb("graph", "export", str(file), "--json")
    graph = nx.read_graphml(file, force_multigraph=True)
    assert (done.json["entities"], done.json["relations"]) == (graph.number_of_nodes(), graph.number_of_edges())
    shown = [kb("graph", "show", title, *more).out for title in titles for more in ([], ["--json"], ["--dot"])]
    for said in (file.read_text(), kb("graph", "stats").out, *shown):
        assert "[masked: e-mail address]" in said
        assert not any(word in said for word in ("lovelace", "babbage"))


def test_before_anything_is_indexed(kb: Kb) -> None:
    done = kb("graph", "stats")
    assert (done.code, "Nothing is indexed yet" in done.err) == (2, True)


async def read(product: Product, folder: Path, options: RunOptions | None = None) -> RunReport:
    if not await product.storage.sources.states():
        await product.storage.sources.add(Source("docs", "files", {"path": str(folder), "audience": "everyone"}))
    source = await product.storage.sources.get("docs")
    return await index_source(product, source, product.writer, options or RunOptions(), lambda _step: None)


async def mark(product: Product, graph: str) -> None:
    async with product.storage.engine.begin() as connection:
        await connection.execute(text(f"UPDATE indexed_documents SET {graph}"))


async def test_new_rules_need_no_embedding(product: Product, docs: Path) -> None:
    """Parts made by other rules are made anew: of what is stored, or where that does not do, of what is read again."""
    write(docs, runbook=RUNBOOK, plan=PLAN)
    await read(product, docs)
    first = await stored(product.storage.engine)
    assert first.mentions
    for before in ("graph = 7", "graph = 0, facts = NULL"):
        await mark(product, before)
        report = await read(product, docs)
        assert (report.connected, report.unchanged, report.embedded, report.chunks) == (2, 2, 0, 0)
        assert await stored(product.storage.engine) == first
    assert (await read(product, docs)).connected == 0


async def test_the_graph_can_be_switched_off(product: Product, docs: Path, data_dir: Path, tmp_path: Path) -> None:
    write(docs, runbook=RUNBOOK)
    await read(product, docs)
    off = load({"KB_AGENT_DATA_DIR": str(data_dir), "KB_AGENT_INDEX_GRAPH": "false"}, tmp_path)
    assert (await read(replace(product, settings=off), docs)).connected == 1
    assert await stored(product.storage.engine) == Graph()
    assert (await read(product, docs)).connected == 1
    assert (await stored(product.storage.engine)).mentions


async def test_a_pipeline_that_is_not_there(product: Product, docs: Path, data_dir: Path, tmp_path: Path) -> None:
    odd = load({"KB_AGENT_DATA_DIR": str(data_dir), "KB_AGENT_GRAPH_PIPELINE": "xx_none"}, tmp_path)
    with pytest.raises(Misconfigured, match="pipeline xx_none"):
        await read(replace(product, settings=odd), docs)


async def test_a_thing_is_known_by_what_its_name_means(product: Product, docs: Path) -> None:
    """Where no name has these letters: by the titles of the documents that are nearest."""
    write(docs, planning="# Quarterly revenue planning\n\nQuarterly revenue planning.\n", parking=ALONE)
    await read(product, docs)
    for name, known in (("Planning of revenue, quarterly", ["Quarterly revenue planning"]), ("Penguins", [])):
        assert [thing.name for thing in await product.graph.neighbourhoods(name, Scope.member())] == known
    request = GraphRequest("Who does Revenue Planning Quarterly?", loose=True)
    [found] = await product.graph.related_chunks(request, Scope.member())
    assert 0.7 <= found.score < 1
    assert await product.graph.related_chunks(replace(request, loose=False), Scope.member()) == []
