"""A pass over a source whose index has the level of propositions, and over one whose index has not."""

import asyncio
import shutil
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import pytest

from domain.access import ORGANISATION, Acl, Scope
from domain.documents import Block, BlockKind, Chunk, ParsedFile, SourceDocument
from domain.errors import KbError, Refused, Transient
from domain.index_ports import NO_GRAPH, PropositionRow
from domain.knowledge_graph import DocumentGraph
from domain.masking import Masker
from domain.model_ports import TextKind, Vectors
from domain.search import Filters
from indexer.graph.plain_annotator import PlainAnnotator
from indexer.parse.formats import Unparsable
from indexer.run.dependencies import RunDependencies, RunOptions
from indexer.run.index_run import IndexRun
from indexer.run.report import RunReport
from indexer.sources.connector import Connector, FetchedDocument, ListedDocument, SkippedDocument
from indexer.sources.files.connector import FilesConnector
from tests.fakes.access import MemoryAccessWriter
from tests.fakes.embedder import HashEmbedder
from tests.fakes.knowledge import MemoryKnowledge
from tests.fakes.masking import WordMasker, github_token
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

    async def listing(self) -> AsyncIterator[ListedDocument | SkippedDocument]:
        for name in self.texts:
            yield ListedDocument(name, name, f"https://shelf.example/{name}")

    async def fetch(self, item: ListedDocument) -> FetchedDocument:
        return FetchedDocument(self.texts[item.external_id].encode(), item.path)


class Paragraphs:
    """Reads a file as paragraphs."""

    async def parse(self, raw: bytes, name: str, media_type: str = "") -> ParsedFile:
        del media_type
        return ParsedFile(name, tuple(Block(BlockKind.PROSE, part) for part in raw.decode().split("\n\n")))


async def run(memory: MemoryKnowledge, shelf: Connector, *, dry: bool = False) -> RunReport:
    dependencies = RunDependencies(memory, EMBEDDER, EMBEDDER, Paragraphs(), Masker(), MemoryAccessWriter(memory))
    return await IndexRun("docs", shelf, dependencies, RunOptions(dry_run=dry), lambda step: None).run()


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
    assert await memory.indexed_documents("docs") == {}


async def test_what_was_missing_and_comes_back_unchanged_is_shown_again(memory: MemoryKnowledge) -> None:
    await run(memory, Shelf(parking=PARKING, meals=MEALS))
    assert (await run(memory, Shelf(meals=MEALS))).hidden == 1
    assert (await run(memory, Shelf(parking=PARKING, meals=MEALS))).described == 1
    assert not any(each.hidden for each in (await memory.indexed_documents("docs")).values())


class Slow(MemoryKnowledge):
    """Takes its time to write."""

    async def put(
        self,
        document: SourceDocument,
        chunk_list: Sequence[Chunk],
        rows: Vectors,
        propositions: Sequence[PropositionRow] = (),
        graph: DocumentGraph = NO_GRAPH,
    ) -> None:
        await asyncio.sleep(0.01)
        await super().put(document, chunk_list, rows, propositions, graph)


async def test_a_run_ends_once_its_last_batch_is_written() -> None:
    assert (await run(Slow(EMBEDDER.identity), Shelf(parking=PARKING))).added == 1


class Versioned(Shelf):
    """Documents in a version, of which only some can be read."""

    def __init__(self, version: str, **texts: str) -> None:
        super().__init__(**texts)
        self.version = version
        self.fetched = 0

    async def listing(self) -> AsyncIterator[ListedDocument | SkippedDocument]:
        for name in self.texts:
            yield ListedDocument(name, name, f"https://shelf.example/{name}", version=self.version)

    async def fetch(self, item: ListedDocument) -> FetchedDocument:
        self.fetched += 1
        if not self.texts[item.external_id]:
            raise Unparsable("empty: no text in it")
        return await super().fetch(item)


async def test_what_was_refused_is_read_again_once_it_has_another_version(memory: MemoryKnowledge) -> None:
    for shelf, fetched in ((Versioned("1", a=""), 1), (Versioned("1", a=""), 0), (Versioned("2", a=PARKING), 1)):
        report = await run(memory, shelf)
        assert shelf.fetched == fetched
    assert (report.added, report.skipped) == (1, [])


class Unlike(Versioned):
    """Another document of it cannot be read any more."""

    async def fetch(self, item: ListedDocument) -> FetchedDocument:
        if self.texts[item.external_id] == "unlike":
            raise Unparsable("not a document")
        return await super().fetch(item)


async def test_what_is_emptied_is_withdrawn_like_what_is_missing(memory: MemoryKnowledge) -> None:
    for shelf in (Versioned("1", a=PARKING, b=MEALS), Versioned("2", a="", b=MEALS)):
        report = await run(memory, shelf)
    assert (report.hidden, report.purged, report.skipped) == (1, 0, [("a", "empty: no text in it")])
    assert {name: each.hidden for name, each in (await memory.indexed_documents("docs")).items()} == {
        "a": True,
        "b": False,
    }
    shelf = Versioned("2", a="", b=MEALS)
    report = await run(memory, shelf)
    assert (report.hidden, report.purged, shelf.fetched) == (0, 1, 0), "it is not read once more to be removed"
    assert list(await memory.indexed_documents("docs")) == ["b"]
    assert (await run(memory, Versioned("3", a=PARKING, b=MEALS))).added == 1


async def test_a_link_whose_target_was_deleted_is_told_of_and_missing(memory: MemoryKnowledge, tmp_path: Path) -> None:
    (tmp_path / "parking.md").write_text(PARKING)
    (tmp_path / "meals.md").write_text(MEALS)
    (tmp_path / "lunch.md").symlink_to("meals.md")
    connector = FilesConnector(tmp_path, ORGANISATION)
    assert (await run(memory, connector)).added == 3
    (tmp_path / "meals.md").unlink()
    report = await run(memory, connector)
    assert (report.hidden, [path for path, _ in report.skipped]) == (2, ["lunch.md"])
    assert "still shown" not in report.skipped[0][1]
    assert MEALS not in await shown(memory, "when is lunch served")
    assert (await run(memory, connector)).purged == 2


async def test_many_links_whose_targets_vanish_at_once_are_kept(memory: MemoryKnowledge, tmp_path: Path) -> None:
    (tmp_path / "parking.md").write_text(PARKING)
    (tmp_path / "deep").mkdir()
    for at in range(12):
        (tmp_path / "deep" / f"meals-{at}.md").write_text(f"{MEALS} In canteen {at}.")
        (tmp_path / f"lunch-{at}.md").symlink_to(f"deep/meals-{at}.md")
    await run(memory, FilesConnector(tmp_path, ORGANISATION))
    shutil.rmtree(tmp_path / "deep")
    report = await run(memory, FilesConnector(tmp_path, ORGANISATION))
    assert (report.hidden, report.held_back) == (0, 24)


async def test_what_is_emptied_and_filled_again_is_shown_again(memory: MemoryKnowledge) -> None:
    for shelf in (Versioned("1", a=PARKING), Versioned("2", a="")):
        report = await run(memory, shelf)
    assert (report.hidden, report.held_back) == (1, 0), "the only document of a source as well"
    assert (await run(memory, Versioned("3", a=PARKING))).described == 1
    assert not any(each.hidden for each in (await memory.indexed_documents("docs")).values())


async def test_many_that_are_emptied_at_once_are_kept(memory: MemoryKnowledge) -> None:
    names = [f"d{number}" for number in range(12)]
    await run(memory, Versioned("1", **{name: f"{MEALS} {name}" for name in names}))
    report = await run(memory, Versioned("2", **dict.fromkeys(names, "")))
    assert (report.hidden, report.held_back, report.outcome) == (0, 12, "attention")


async def test_the_report_says_where_the_text_of_before_is_still_shown(memory: MemoryKnowledge) -> None:
    await run(memory, Unlike("1", a=PARKING))
    for version in ("2", "2"):
        report = await run(memory, Unlike(version, a="unlike", b="unlike"))
        assert report.skipped == [("a", "not a document; its earlier text is still shown"), ("b", "not a document")]
        assert report.hidden == 0


class Talkative(Shelf):
    """Says of each document why it cannot be read, and of one why it is passed over."""

    def __init__(self, passed: str, **errors: KbError) -> None:
        super().__init__(**dict.fromkeys(errors, ""))
        self._passed = passed
        self._errors = errors

    async def listing(self) -> AsyncIterator[ListedDocument | SkippedDocument]:
        async for item in super().listing():
            yield item
        yield SkippedDocument("passed", "passed", self._passed)

    async def fetch(self, item: ListedDocument) -> FetchedDocument:
        raise self._errors[item.external_id]


async def test_what_is_said_of_a_document_is_masked(memory: MemoryKnowledge) -> None:
    token = github_token()
    mask = Masker().secrets(token).text
    errors = {"a": Refused(f"it refers to {token}"), "b": Transient(f"busy with {token}"), token: Refused("no")}
    report = await run(memory, Talkative(f"not {token}", **errors))
    assert token not in str(report.as_json())
    assert report.skipped == [("passed", f"not {mask}"), ("a", f"it refers to {mask}"), (mask, "no")]
    assert report.failed == [("b", f"busy with {mask}")]


class Counting(HashEmbedder):
    """Keeps what it was asked to embed."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []

    async def embed(self, texts: Sequence[str], kind: TextKind = "passage") -> Vectors:
        self.texts += texts
        return await super().embed(texts, kind)


async def test_a_newer_masking_that_changes_nothing_embeds_nothing(memory: MemoryKnowledge) -> None:
    embedder, shelf = Counting(), Shelf(parking=PARKING, meals=MEALS)

    async def masked(*words: str) -> RunReport:
        dependencies = RunDependencies(
            memory, embedder, EMBEDDER, Paragraphs(), WordMasker(*words), MemoryAccessWriter(memory)
        )
        return await IndexRun("docs", shelf, dependencies, RunOptions(), lambda step: None).run()

    assert (await masked()).added == 2
    embedder.texts.clear()
    report = await masked("elsewhere")
    assert (report.masked_anew, report.chunks, report.embedded) == (2, 0, 0)
    assert embedder.texts == [], "not even single sentences"
    report = await masked("roof")
    assert (report.masked_anew, report.chunks, report.embedded) == (2, 1, 1)
    assert "roof" not in " ".join(embedder.texts)
    assert all("roof" not in text for text in await shown(memory, "anything"))
    assert (await masked("roof")).unchanged == 2


class Titled(Shelf):
    """Files with a title, in a folder that may be renamed."""

    folder = "old"

    async def listing(self) -> AsyncIterator[ListedDocument | SkippedDocument]:
        for name in self.texts:
            yield ListedDocument(name, f"{self.folder}/{name}", f"file:///{name}", title="Ledger Core")


class Faulty(MemoryKnowledge):
    """An index that fails as long as it has an error: of all graphs, or of all that have anything to say."""

    error: KbError | None = None

    def _fail(self, graph: DocumentGraph | None) -> None:
        if self.error and graph and (graph.mentions or isinstance(self.error, Transient)):
            raise self.error

    async def put(
        self,
        document: SourceDocument,
        chunks: Sequence[Chunk],
        vectors: Vectors,
        propositions: Sequence[PropositionRow] = (),
        graph: DocumentGraph = NO_GRAPH,
    ) -> None:
        self._fail(graph)
        await super().put(document, chunks, vectors, propositions, graph)

    async def update_if_unchanged(
        self, document: SourceDocument, chunk_ids: Sequence[str], graph: DocumentGraph | None = None
    ) -> bool:
        self._fail(graph)
        return await super().update_if_unchanged(document, chunk_ids, graph)

    async def replace_graph(
        self, source: str, external_id: str, graph: DocumentGraph, chunk_ids: Sequence[str]
    ) -> None:
        self._fail(graph)
        await super().replace_graph(source, external_id, graph, chunk_ids)


async def connected(memory: MemoryKnowledge, shelf: Connector, masker: Masker | None = None) -> RunReport:
    rules, masks = PlainAnnotator(), masker or Masker()
    dependencies = RunDependencies(
        memory, EMBEDDER, EMBEDDER, Paragraphs(), masks, MemoryAccessWriter(memory), annotator=rules
    )
    return await IndexRun("docs", shelf, dependencies, RunOptions(), lambda step: None).run()


def folders(memory: MemoryKnowledge) -> set[str]:
    return {key for part in memory.graphs().values() for key in part.keys if key.startswith("folder:")}


async def test_a_fault_between_what_is_said_and_the_graph_is_made_good() -> None:
    memory, shelf = Faulty(EMBEDDER.identity), Titled(a=PARKING)
    await connected(memory, shelf)
    assert folders(memory) == {"folder:docs/old"}
    shelf.folder, memory.error = "new", Transient("The database does not answer")
    assert len((await connected(memory, shelf)).failed) == 1
    memory.error = None
    report = await connected(memory, shelf)
    assert (report.unchanged, folders(memory)) == (0, {"folder:docs/new"})
    assert (await connected(memory, shelf)).unchanged == 1


async def test_a_graph_that_is_refused_keeps_no_document_out() -> None:
    memory, shelf = Faulty(EMBEDDER.identity), Titled(a=PARKING)
    memory.error = Refused("The database cannot hold this")
    report = await connected(memory, shelf)
    assert (report.added, report.failed, folders(memory)) == (1, [], set())
    shelf.folder = "new"
    report = await connected(memory, shelf)
    assert (report.described, report.skipped, report.failed) == (1, [], [])
    masked_anew = await connected(memory, shelf, WordMasker("walrus"))
    assert (masked_anew.masked_anew, masked_anew.skipped, masked_anew.failed) == (1, [], [])
