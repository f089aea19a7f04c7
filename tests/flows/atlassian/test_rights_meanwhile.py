"""Rights that change while content is read: they hold at once, and what was listed before does not undo them."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from pathlib import Path

import pytest

from domain.access import Scope
from domain.model_ports import TextKind, Vectors
from domain.search import Filters, SearchRequest
from indexer.run.dependencies import RunOptions
from tests.fakes.atlassian import Fault, User, storage
from tests.fakes.embedder import HashEmbedder
from tests.flows.atlassian.company_sync import WIKI, Flavour, Sync, synced
from tests.flows.atlassian.handful import sized

PERMISSIONS = RunOptions(permissions=True)


class Gated(HashEmbedder):
    """An embedder that waits while it is `shut`. asked: set when it was asked then."""

    def __init__(self) -> None:
        super().__init__()
        self.shut = False
        self.asked, self.opened = asyncio.Event(), asyncio.Event()

    async def embed(self, texts: Sequence[str], kind: TextKind = "passage") -> Vectors:
        if self.shut:
            self.asked.set()
            await self.opened.wait()
        return await super().embed(texts, kind)


@pytest.fixture
def gate() -> Gated:
    return Gated()


@pytest.fixture(params=["cloud", pytest.param("datacenter", marks=pytest.mark.slow)])
async def sync(
    request: pytest.FixtureRequest, gate: Gated, data_dir: Path, database: str, tmp_path: Path
) -> AsyncIterator[Sync]:
    flavour: Flavour = request.param
    small = sized(pages=20, issues=0)
    async with synced(flavour, data_dir, database, tmp_path, found=small, model=gate) as opened:
        opened.sources = [each for each in opened.sources if each.name == WIKI]
        await opened.run()
        yield opened


async def _reads(sync: Sync, person: User, words: str) -> bool:
    """Whether somebody finds a text with these words."""
    scope, search = Scope.member(person.email), sync.product.search
    hits = await search.search(SearchRequest(words, retrievals=("lexical",), limit=20), scope)
    found = await search.passages([hit.chunk_id for hit in hits.rankings["lexical"]], scope)
    return any(words in each.text for each in found)


async def test_rights_change_while_content_is_read(sync: Sync, gate: Gated) -> None:
    world, (ann, bob, _) = sync.world, sync.company.people
    old, gone = sync.company.pages[:2]
    world.edit(old, storage("the zebra is sold"), by=ann)
    world.edit(gone, storage("the ibex is sold"), by=ann)
    new = world.add_page(sync.company.spaces[0], "New", storage("the otter is bought"), by=ann)
    gate.shut = True
    content = asyncio.create_task(sync.one(sync.sources[0]))
    async with asyncio.timeout(60):
        await gate.asked.wait()
    assert await _reads(sync, bob, "walrus 0"), "it is not written yet"
    for page in (old, new):
        world.restrict(page, ann)
    world.trash(gone)
    report = await sync.one(sync.sources[0], PERMISSIONS)
    assert (report.complete, report.readdressed, report.hidden) == (True, 1, 1)
    assert not await _reads(sync, bob, "walrus 0"), "while the content is still being read"
    gate.shut = False
    gate.opened.set()
    async with asyncio.timeout(60):
        assert (await content).changed == 2
    for words in ("zebra", "otter"):
        assert await _reads(sync, ann, words)
        assert not await _reads(sync, bob, words), "the content was listed before it was restricted"
    assert not await _reads(sync, ann, "ibex"), "it was there when it was listed"
    assert not await sync.leaks()
    world.unrestrict(old)
    await sync.one(sync.sources[0])
    assert await _reads(sync, bob, "zebra"), "what is read later holds"


async def test_a_text_that_was_fetched_before_its_page_was_opened_is_not_opened(sync: Sync, gate: Gated) -> None:
    """A run over permissions reads the page anew and is done before the run that fetched the text of before writes."""
    world, (ann, bob, _), page = sync.world, sync.company.people, sync.company.pages[7]
    world.restrict(page, ann)
    await sync.one(sync.sources[0])
    world.edit(page, storage("the zebra is sold"), by=ann)
    gate.shut = True
    content = asyncio.create_task(sync.one(sync.sources[0]))
    async with asyncio.timeout(60):
        await gate.asked.wait()
    world.edit(page, storage("the walrus 7 stays"), by=ann)
    world.unrestrict(page)
    gate.shut = False
    await sync.one(sync.sources[0], PERMISSIONS)
    assert await _reads(sync, bob, "walrus 7")
    gate.opened.set()
    async with asyncio.timeout(60):
        await content
    assert not await _reads(sync, bob, "zebra")
    assert await _reads(sync, ann, "zebra"), "it is an older text"
    await sync.one(sync.sources[0], PERMISSIONS)
    assert await _reads(sync, bob, "walrus 7")
    assert not await sync.leaks()


async def test_who_comes_to_a_group_never_sees_what_was_put_into_the_trash_before(sync: Sync, gate: Gated) -> None:
    """Texts are read for long after the people are known, and the run may end meanwhile."""
    world, (ann, bob, _) = sync.world, sync.company.people
    gone, other, changed = sync.company.pages[2:5]
    few = world.add_group("few", [ann])
    for page in (gone, other):
        world.restrict(page, few)
    await sync.one(sync.sources[0])
    assert await _reads(sync, ann, "walrus 2")
    assert not await _reads(sync, bob, "walrus 2")
    world.trash(gone)
    few.members.add(bob.id)
    world.edit(changed, storage("the zebra is sold"), by=ann)
    gate.shut = True
    content = asyncio.create_task(sync.one(sync.sources[0]))
    async with asyncio.timeout(60):
        await gate.asked.wait()
    assert await _reads(sync, bob, "walrus 3"), "he is of the group now"
    assert not await _reads(sync, bob, "walrus 2"), "it was in the trash before"
    content.cancel()
    with suppress(asyncio.CancelledError):
        await content
    assert not await _reads(sync, bob, "walrus 2")


@pytest.mark.parametrize("options", [PERMISSIONS, None], ids=["permissions", "content"])
async def test_a_comment_that_was_deleted_before_its_page_was_opened_is_shown_to_no_new_reader(
    sync: Sync, options: RunOptions | None
) -> None:
    world, (ann, bob, _), page = sync.world, sync.company.people, sync.company.pages[6]
    world.restrict(page, ann)
    comment = world.comment(page, storage("the zebra is sold"), by=ann)
    await sync.one(sync.sources[0])
    assert await _reads(sync, ann, "zebra")
    world.delete_comment(comment)
    world.unrestrict(page)
    sync.at.fail(f"/(pages|content)/{page.id}$", Fault.forbidden(), times=None)
    await sync.one(sync.sources[0], options)
    assert not await _reads(sync, bob, "zebra")
    assert await _reads(sync, ann, "walrus 6"), "who could read the page before still can"
    sync.at.heal()
    report = await sync.one(sync.sources[0], options)
    assert (report.complete, report.changed) == (True, 1)
    assert await _reads(sync, bob, "walrus 6")
    assert not await _reads(sync, ann, "zebra")
    world.restrict(page, ann)
    await sync.one(sync.sources[0])
    world.unrestrict(page)
    report = await sync.one(sync.sources[0], PERMISSIONS)
    assert (report.readdressed, report.changed, report.described) == (1, 0, 0), "it has no comment: nothing is read"
    assert await _reads(sync, bob, "walrus 6")


async def test_a_page_that_left_a_closed_page_does_not_name_it(sync: Sync) -> None:
    """Its path names the pages above it. A run over permissions that opens the page reads it again."""
    world, (ann, bob, _) = sync.world, sync.company.people
    above, below = sync.company.pages[3:5]
    home = world.pages[world.spaces[above.space].home]
    world.move(below, above)
    world.restrict(above, ann)
    await sync.one(sync.sources[0])
    assert not await _reads(sync, bob, "walrus 4")
    world.move(below, home)
    sync.at.fail(f"/(pages|content)/{below.id}$", Fault.forbidden(), times=None)
    await sync.one(sync.sources[0], PERMISSIONS)
    assert not await _reads(sync, bob, "walrus 4"), "it could not be read again"
    sync.at.heal()
    report = await sync.one(sync.sources[0], PERMISSIONS)
    assert (report.complete, report.embedded) == (True, 0)
    found = await sync.product.storage.document_catalog().find(
        "", Scope.member(bob.email), filters=Filters(), limit=100
    )
    (path,) = [each.path for each in found if each.title == below.title]
    assert above.title not in path.split("/")
    assert not await sync.leaks()
