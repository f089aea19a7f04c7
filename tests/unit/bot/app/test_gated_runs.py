"""Runs over two sources that may be held back: each is judged by what it wrote itself."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from bot.app.gated_runs import run_unless_worse
from bot.app.golden_questions import compare_with_live
from bot.app.product import Product
from domain.errors import Refused
from domain.model_ports import TextKind, Vectors
from domain.text.tokens import Analyzer
from indexer.run.dependencies import RunOptions
from indexer.run.report import RunReport
from storage.index.runs import SourceBusy
from storage.index.sources import Source
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
