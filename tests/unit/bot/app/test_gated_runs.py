"""Runs over two sources that may be held back: each is judged by what it wrote itself."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from bot.app.gated_runs import run_unless_worse
from bot.app.golden_questions import compare_with_live
from bot.app.indexing import index_source
from bot.app.product import Product
from bot.app.shared_indexing import sharing_of
from bot.conversation.actions import BATCH_QUEUE
from domain.errors import Refused, Transient
from domain.model_ports import TextKind, Vectors
from domain.text.tokens import Analyzer
from indexer.run.batch import PreparedDocument
from indexer.run.dependencies import RunOptions
from indexer.run.report import RunReport
from storage.index.runs import SourceBusy
from storage.index.sources import Source
from storage.server.engine import text
from tests.fakes.documents import a_document
from tests.fakes.embedder import HashEmbedder
from tests.unit.storage.rows import rows


@pytest.fixture
async def gated(product: Product, tmp_path: Path) -> Product:
    """Two sources of one page each, an index that holds none, and a golden question that holds nowhere."""
    for name in ("docs", "wiki"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "page.md").write_text(f"# Page\n\nThe walrus of {name} is fed at noon.\n")
        options: dict[str, object] = {"path": str(tmp_path / name), "audience": "everyone"}
        await product.storage.sources.add(Source(name, "files", options))
    (tmp_path / "golden.yaml").write_text('- {"question": "When is the seal fed?", "facts": ["at ten"]}\n')
    wanted = product.settings
    schedule = replace(wanted.schedule, golden_gate="hold")
    index = replace(wanted.index, golden=tmp_path / "golden.yaml")
    await product.writer()
    return replace(product, settings=replace(wanted, schedule=schedule, index=index))


async def read(product: Product, name: str) -> RunReport:
    return await run_unless_worse(product, await product.storage.sources.get(name), RunOptions(), lambda _step: None)


async def read_ungated(product: Product, name: str, options: RunOptions | None = None) -> RunReport:
    """As webhooks and runs by hand do."""
    source = await product.storage.sources.get(name)
    return await index_source(product, source, product.writer, options or RunOptions(), lambda _step: None)


async def texts(product: Product) -> list[str]:
    query = "SELECT text FROM chunks JOIN index_versions USING (version_id) WHERE state = 'live' ORDER BY 1"
    return [each for (each,) in await rows(product.storage, query)]


async def versions(product: Product) -> Mapping[str, int]:
    return dict(await rows(product.storage, "SELECT state, version_id FROM index_versions"))


async def documents(product: Product) -> int:
    query = "SELECT count(*) FROM indexed_documents JOIN index_versions USING (version_id) WHERE state = 'live'"
    return int((await rows(product.storage, query))[0][0])


class Slow(HashEmbedder):
    """Embeds nothing before it may."""

    def __init__(self) -> None:
        super().__init__()
        self.asked, self.go_on = asyncio.Event(), asyncio.Event()

    async def embed(self, texts: Sequence[str], kind: TextKind = "passage") -> Vectors:
        self.asked.set()
        await self.go_on.wait()
        return await super().embed(texts, kind)


async def test_a_run_waits_while_another_source_has_the_copy(gated: Product) -> None:
    slow = Slow()
    first = asyncio.create_task(read(replace(gated, embedder=slow), "docs"))
    await asyncio.wait_for(slow.asked.wait(), 30)
    copy = (await versions(gated))["building"]
    with pytest.raises(SourceBusy, match="a run over another one is not judged yet"):
        await read(gated, "wiki")
    slow.go_on.set()
    assert (await asyncio.wait_for(first, 30)).added == 1
    assert (await versions(gated))["live"] == copy
    assert (await read(gated, "wiki")).added == 1
    assert await documents(gated) == 2


async def test_a_run_leaves_an_index_alone_that_it_did_not_make(gated: Product) -> None:
    copy = await gated.storage.copied()
    assert copy
    other = await gated.storage.rebuild(gated.embedder.identity, Analyzer("none"))
    with pytest.raises(Refused, match="the index versions are others than they were"):
        await compare_with_live(gated, [], lambda _done: None, number=copy.version_id)
    await gated.storage.drop_copied(copy.version_id)
    assert (await versions(gated))["building"] == other.version_id


async def test_runs_do_not_wait_for_each_other_while_an_index_is_made_anew(gated: Product) -> None:
    await gated.storage.rebuild(gated.embedder.identity, Analyzer("none"))
    slow = Slow()
    first = asyncio.create_task(read(replace(gated, embedder=slow), "docs"))
    await asyncio.wait_for(slow.asked.wait(), 30)
    assert (await read(gated, "wiki")).added == 1
    slow.go_on.set()
    assert (await asyncio.wait_for(first, 30)).added == 1
    assert await documents(gated) == 2


async def test_what_other_runs_write_meanwhile_stays(gated: Product, tmp_path: Path) -> None:
    (tmp_path / "wiki" / "gone.md").write_text("# Gone\n\nThe secret of wiki.\n")
    await read_ungated(gated, "wiki")
    slow = Slow()
    first = asyncio.create_task(read(replace(gated, embedder=slow), "docs"))
    await asyncio.wait_for(slow.asked.wait(), 30)
    (tmp_path / "wiki" / "page.md").write_text("# Page\n\nThe walrus of wiki is fed at six.\n")
    (tmp_path / "wiki" / "new.md").write_text("# New\n\nThe narwhal of wiki.\n")
    (tmp_path / "wiki" / "gone.md").unlink()
    report = await read_ungated(gated, "wiki")
    assert (report.added, report.changed, report.hidden) == (1, 1, 1)
    slow.go_on.set()
    report = await asyncio.wait_for(first, 30)
    assert (report.added, report.held, report.outcome) == (1, "", "done")
    words = ["The narwhal of wiki.", "The secret of wiki.", "The walrus of docs is fed at noon."]
    assert await texts(gated) == [*words, "The walrus of wiki is fed at six."]
    hidden = "SELECT external_id FROM documents WHERE hidden_at IS NOT NULL"
    assert await rows(gated.storage, hidden) == [("gone.md",)]
    assert (await read(gated, "wiki")).unchanged == 2


async def test_an_answer_that_others_added_meanwhile_does_not_hold_a_run_back(gated: Product, tmp_path: Path) -> None:
    (tmp_path / "golden.yaml").write_text(
        '- {"question": "When is the walrus of wiki fed?", "facts": ["wiki is fed"]}\n'
    )
    slow = Slow()
    first = asyncio.create_task(read(replace(gated, embedder=slow), "docs"))
    await asyncio.wait_for(slow.asked.wait(), 30)
    assert (await read_ungated(gated, "wiki")).added == 1
    slow.go_on.set()
    assert (await asyncio.wait_for(first, 30)).held == ""
    assert await documents(gated) == 2


async def test_another_run_goes_on_when_a_copy_comes_into_use(gated: Product) -> None:
    slow = Slow()
    other = asyncio.create_task(read_ungated(replace(gated, embedder=slow), "wiki"))
    await asyncio.wait_for(slow.asked.wait(), 30)
    assert (await read(gated, "docs")).added == 1
    slow.go_on.set()
    assert (await asyncio.wait_for(other, 30)).added == 1
    assert await documents(gated) == 2


async def test_what_was_handed_over_is_written_after_two_copies_came_into_use(gated: Product, tmp_path: Path) -> None:
    await rows_of_a_busy_worker(gated)
    slow = Slow()
    shared = replace(gated.settings, index=replace(gated.settings.index, index_shared=True))
    other = asyncio.create_task(read_ungated(replace(gated, settings=shared, embedder=slow), "wiki"))
    await asyncio.wait_for(slow.asked.wait(), 30)
    assert await rows(gated.storage, "SELECT count(*) FROM index_batches") == [(1,)]
    for name in ("new", "newer"):
        (tmp_path / "docs" / f"{name}.md").write_text(f"# New\n\nThe {name} page.\n")
        await read(gated, "docs")
    slow.go_on.set()
    assert (await asyncio.wait_for(other, 30)).added == 1
    assert await documents(gated) == 4


async def test_a_run_does_not_wait_for_what_went_with_an_index(gated: Product) -> None:
    await rows_of_a_busy_worker(gated)
    writer = await gated.writer()
    sharing = sharing_of(gated, writer)
    assert sharing
    async with gated.storage.runs.begin("wiki") as run:
        await sharing.begin(run)
        number = await sharing.hand_over([PreparedDocument(a_document("a", source="wiki"), [], new=True, units=[])])
        assert number
        for _ in range(2):
            await gated.storage.rebuild(gated.embedder.identity, Analyzer())
            await gated.storage.publish()
        with pytest.raises(Transient, match="has ended"):
            async with sharing.taken_back(number):
                pass


async def rows_of_a_busy_worker(product: Product) -> None:
    """A worker that takes batches, and is at other things."""
    worker = "INSERT INTO procrastinate_workers (last_heartbeat) VALUES (now()) RETURNING id"
    async with product.storage.engine.begin() as connection:
        number = (await connection.execute(text(worker))).scalar_one()
        slot = "INSERT INTO worker_slots (worker_id, queues, slots) VALUES (:worker, ARRAY[:queue], 1)"
        await connection.execute(text(slot), {"worker": number, "queue": BATCH_QUEUE})


async def test_runs_over_two_sources_keep_what_each_took_in(gated: Product, tmp_path: Path) -> None:
    for number in range(2):
        for name in ("docs", "wiki"):
            (tmp_path / name / f"{number}.md").write_text(f"# Page\n\nPage {number} of {name}.\n")
            assert (await read(gated, name)).added == 2 - number
    pages = [f"Page {number} of {name}." for number in range(2) for name in ("docs", "wiki")]
    assert await texts(gated) == [*pages, *(f"The walrus of {name} is fed at noon." for name in ("docs", "wiki"))]
