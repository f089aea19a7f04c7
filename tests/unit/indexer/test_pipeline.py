"""A pass over a source whose index has the level of propositions, and over one whose index has not."""

from collections.abc import AsyncIterator

import pytest

from domain.access import ORGANISATION, Acl, Scope
from domain.documents import Block, BlockKind, ParsedFile
from domain.search import Filters
from indexer.connectors.base import Connector, Fetched, Listed, Passed
from indexer.pipeline import Pass, RunOptions, Tools
from indexer.report import RunReport
from tests.fakes.embedder import HashEmbedder
from tests.fakes.knowledge import MemoryKnowledge
from tests.fakes.propositions import MemoryPropositions

EMBEDDER = HashEmbedder()
PARKING = "Visitors park on level two. Staff park on the roof of the annexe."
MEALS = "Lunch is served from twelve to two. It is free of charge for everybody."


class Shelf(Connector):
    """Texts by name."""

    def __init__(self, **texts: str) -> None:
        self.texts = texts

    @property
    def acl(self) -> Acl:
        return ORGANISATION

    async def listing(self) -> AsyncIterator[Listed | Passed]:
        for name in self.texts:
            yield Listed(name, name, f"https://shelf.example/{name}")

    async def fetch(self, item: Listed) -> Fetched:
        return Fetched(self.texts[item.external_id].encode(), item.path)


class Paragraphs:
    """Reads a file as paragraphs."""

    async def parse(self, raw: bytes, name: str, media_type: str = "") -> ParsedFile:
        del media_type
        return ParsedFile(name, tuple(Block(BlockKind.PROSE, part) for part in raw.decode().split("\n\n")))


async def run(memory: MemoryKnowledge, shelf: Shelf, *, dry: bool = False) -> RunReport:
    tools = Tools(memory, EMBEDDER, EMBEDDER, Paragraphs())
    return await Pass("docs", shelf, tools, RunOptions(dry_run=dry), lambda step: None).run()


async def shown(memory: MemoryKnowledge, question: str) -> list[str]:
    """The texts of the units found, best first."""
    vector = EMBEDDER.vectors([question])[0]
    everyone = Scope.member()
    found = await MemoryPropositions(memory, EMBEDDER.identity).nearest(vector, everyone, filters=Filters())
    passages = await memory.passages([unit.chunk_id for unit in found], everyone)
    return [passage.text[unit.start : unit.end] for passage, unit in zip(passages, found, strict=True)]


@pytest.fixture
def memory() -> MemoryKnowledge:
    return MemoryKnowledge(EMBEDDER.identity, propositions=True)


async def test_every_document_is_written_with_its_units(memory: MemoryKnowledge) -> None:
    report = await run(memory, Shelf(parking=PARKING, meals=MEALS))
    assert (report.added, report.chunks, report.embedded) == (2, 2, 2)
    assert (await shown(memory, "where do staff park"))[0] == "Staff park on the roof of the annexe."
    assert sorted(await shown(memory, "anything")) == sorted(
        [MEALS, "Visitors park on level two.", "Staff park on the roof of the annexe."]
    )


async def test_an_edit_replaces_them_and_no_change_leaves_them(memory: MemoryKnowledge) -> None:
    await run(memory, Shelf(parking=PARKING))
    assert (await run(memory, Shelf(parking=PARKING))).unchanged == 1
    assert (await run(memory, Shelf(parking=PARKING.replace("roof", "yard")))).changed == 1
    assert sorted(await shown(memory, "anything")) == [
        "Staff park on the yard of the annexe.",
        "Visitors park on level two.",
    ]


async def test_an_index_without_the_level_gets_none() -> None:
    memory = MemoryKnowledge(EMBEDDER.identity)
    assert (await run(memory, Shelf(parking=PARKING))).added == 1
    assert await shown(memory, "anything") == []


async def test_a_dry_run_writes_none(memory: MemoryKnowledge) -> None:
    assert (await run(memory, Shelf(parking=PARKING), dry=True)).added == 1
    assert await memory.indexed("docs") == {}
