"""What was refused once is not downloaded again until it changes; what failed for a while is tried by the next run."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from bot.app.indexing import index_source
from bot.app.product import Product, open_product
from config.load import load
from indexer.run.dependencies import RunOptions
from indexer.run.report import RunReport
from storage.index.sources import Source
from tests.fakes.atlassian import Attachment, Fault, LocalAtlassian, Page, User, local_atlassian, storage
from tests.fakes.embedder import HashEmbedder

pytestmark = pytest.mark.everyday


class Wiki:
    """A page with a damaged file, one that the account may not have, and one in order."""

    def __init__(self, local: LocalAtlassian, product: Product) -> None:
        self.local, self.product, world = local, product, local.world
        self.ann: User = world.add_user("Ann Lee")
        space = world.add_space("ENG", "Engineering", view=[world.groups["confluence-users"]], by=self.ann)
        self.page: Page = world.add_page(space, "Files", storage("The walrus."), by=self.ann)
        self.damaged = self._file("damaged.pdf", b"%PDF-1.4 is not more than that \xff\xfe\xfd")
        self.closed = self._file("closed.txt", b"Not for us.")
        self.good = self._file("good.txt", b"For all.")
        local.admit()
        options = {"flavour": "datacenter", "token_env": "SERVICE_TOKEN", "url": local.confluence}
        self.source = Source("wiki", "confluence", {**options, "access_groups": ["confluence-users"]})

    def _file(self, name: str, content: bytes) -> Attachment:
        return self.local.world.attach(self.page, name, content, by=self.ann)

    async def run(self, **options: object) -> tuple[RunReport, set[str]]:
        """A pass, and the names of the files that it downloaded."""
        self.local.forget_calls()
        writer = self.product.writer
        report = await index_source(self.product, self.source, writer, RunOptions(**options), lambda _step: None)  # type: ignore[arg-type]
        names = ("damaged.pdf", "closed.txt", "good.txt")
        return report, {name for name in names if self.local.calls(f"/download/.*{name}")}


@pytest.fixture
async def wiki(data_dir: Path, database: str, tmp_path: Path) -> AsyncIterator[Wiki]:
    async with AsyncExitStack() as stack:
        local = stack.enter_context(local_atlassian())
        environ = {"KB_AGENT_DATA_DIR": str(data_dir), "SERVICE_TOKEN": local.service.secret}
        environ["KB_AGENT_ATLASSIAN_PATIENCE"] = "1"
        opening = open_product(load(environ, tmp_path), database=database, model=HashEmbedder())
        found = Wiki(local, await stack.enter_async_context(opening))
        await found.product.storage.sources.add(found.source)
        yield found


async def test_a_refused_file_is_left_alone_until_it_changes(wiki: Wiki) -> None:
    wiki.local.fail(r"/download/.*closed.txt", Fault.forbidden(), None)
    first, loaded = await wiki.run()
    assert loaded == {"damaged.pdf", "closed.txt", "good.txt"}
    again, loaded = await wiki.run()
    assert loaded == set()
    assert sorted(again.skipped) == sorted(first.skipped)
    assert len(again.skipped) == 2
    assert (again.outcome, again.failed, again.unchanged) == (
        "done",
        [],
        3,
    )  # the home page, the page and the good file
    wiki.local.heal()
    wiki.local.world.attach(wiki.page, "closed.txt", b"For us by now.", by=wiki.ann)
    changed, loaded = await wiki.run()
    assert loaded == {"closed.txt"}
    assert [path for path, _ in changed.skipped] == [path for path, _ in first.skipped if "damaged" in path]
    named, loaded = await wiki.run(names=(f"attachment:{wiki.damaged.id}",))
    assert loaded == {"damaged.pdf"}, "what an operator names is tried in any case"
    assert len(named.skipped) == 1


@pytest.mark.check
async def test_what_failed_for_a_while_is_tried_again(wiki: Wiki) -> None:
    wiki.local.fail(r"/download/.*good.txt", Fault.error(503, "Down"), None)
    first, _ = await wiki.run()
    assert [path for path, _ in first.failed] == ["ENG/Engineering Home/Files/good.txt"]
    wiki.local.heal()
    again, loaded = await wiki.run()
    assert "good.txt" in loaded
    assert (again.failed, again.added) == ([], 1)
