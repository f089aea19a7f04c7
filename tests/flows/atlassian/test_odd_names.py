"""A control character in what a source says of a document costs at most that document."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from bot.app.indexing import index_source
from bot.app.product import Product, open_product
from config.load import load
from domain.access import Scope
from domain.search import Filters
from indexer.run.dependencies import RunOptions
from storage.index.sources import Source
from tests.fakes.atlassian import LocalAtlassian, local_atlassian, storage
from tests.fakes.embedder import HashEmbedder

pytestmark = pytest.mark.everyday

ODD = "a\0b\x0bc\x1fd\x7fe\x85f"
"""What no database takes, and what one does not show."""


@pytest.fixture
async def product(data_dir: Path, database: str, tmp_path: Path) -> AsyncIterator[tuple[Product, LocalAtlassian]]:
    async with AsyncExitStack() as stack:
        local = stack.enter_context(local_atlassian())
        environ = {"KB_AGENT_DATA_DIR": str(data_dir), "SERVICE_TOKEN": local.service.secret}
        opening = open_product(load(environ, tmp_path), database=database, model=HashEmbedder())
        yield await stack.enter_async_context(opening), local


@pytest.mark.parametrize("flavour", ["cloud", "datacenter"])
async def test_odd_signs_in_titles_and_names_keep_nothing_from_the_index(
    product: tuple[Product, LocalAtlassian], flavour: str
) -> None:
    opened, local = product
    world = local.world
    ann, odd = world.add_user("Ann Lee"), world.add_user(f"Odd {ODD}")
    space = world.add_space("ENG", f"Space {ODD}", view=[world.groups["confluence-users"]], by=ann)
    pages = [world.add_page(space, title, storage("The walrus."), by=odd) for title in (f"Title {ODD}", "Plain")]
    world.add_page(space, f"Below {ODD}", storage(f"Text {ODD} <b>"), by=odd, parent=pages[0])
    pages[0].labels.append(f"label-{ODD}")
    world.comment(pages[1], storage(f"Said {ODD}"), by=odd)
    world.attach(pages[1], "file a\x1fb\x0bc.txt", b"A file.", by=odd)
    local.admit()
    cloud = flavour == "cloud"
    options = {"flavour": flavour, "token_env": "SERVICE_TOKEN"}
    options |= {
        "url": local.confluence_cloud if cloud else local.confluence,
        "email": local.basic()[0] if cloud else "",
    }
    source = Source("wiki", "confluence", {**options, "access_groups": ["confluence-users"]})
    await opened.storage.sources.add(source)
    report = await index_source(opened, source, opened.writer, RunOptions(), lambda _step: None)
    assert (report.outcome, report.failed, report.skipped) == ("done", [], [])
    assert report.added == report.listed >= 4
    found = await opened.storage.document_catalog().find("", Scope.member(ann.email), filters=Filters(), limit=100)
    assert {each.title for each in found} >= {"Title a b c d e f", "Plain", "Below a b c d e f"}
    again = await index_source(opened, source, opened.writer, RunOptions(), lambda _step: None)
    assert (again.outcome, again.unchanged) == ("done", report.added)
