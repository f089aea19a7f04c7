"""What the Confluence connector lists, reads and finds changed, on Cloud and on Data Center."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from domain.documents import ParsedFile
from domain.errors import Misconfigured, Refused, Transient
from indexer.sources.confluence.connector import ConfluenceConnector
from indexer.sources.connector import (
    ChangeSource,
    CheckableSource,
    Connector,
    ListedDocument,
    PermissionSource,
    RemoteSource,
    SingleSource,
)
from tests.fakes.atlassian import (
    Company,
    Fault,
    LocalAtlassian,
    Page,
    User,
    adf,
    found_company,
    found_small_company,
    local_atlassian,
    storage,
)
from tests.unit.indexer.parse.parsing import parsed
from tests.unit.indexer.sources.confluence.wikis import OPTIONS, Flavour, current, external, listed, opened, seen

BOTH = pytest.mark.parametrize("flavour", ["cloud", "datacenter"])


@pytest.fixture
def local() -> Iterator[LocalAtlassian]:
    with local_atlassian() as found:
        found_small_company(found.world)
        yield found


@pytest.fixture
def empty() -> Iterator[LocalAtlassian]:
    with local_atlassian() as found:
        yield found


def a_tree(local: LocalAtlassian) -> tuple[User, Page, Page]:
    """Somebody, a page and one below it, in a space for everyone."""
    world = local.world
    ann = world.add_user("Ann Lee")
    space = world.add_space("ENG", "Engineering", view=[world.groups["confluence-users"]], by=ann)
    top = world.add_page(space, "Top/Level", storage("The top."), by=ann)
    return ann, top, world.add_page(space, "Low", storage("Below."), by=ann, parent=top)


async def read(wiki: ConfluenceConnector, item: ListedDocument) -> ParsedFile:
    fetched = await wiki.fetch(item)
    return parsed(fetched.raw, fetched.name, fetched.media_type)


def text(file: ParsedFile) -> str:
    return "\n".join(block.text for block in file.blocks)


@BOTH
async def test_it_does_all_that_a_connector_may_do(empty: LocalAtlassian, flavour: Flavour) -> None:
    async with opened(empty, flavour) as wiki:
        found: Connector = wiki
        for each in (PermissionSource, ChangeSource, SingleSource, RemoteSource, CheckableSource):
            assert isinstance(found, each)


@pytest.mark.parametrize("flavour", ["cloud", "datacenter", "gateway"])
async def test_a_listing_has_all_that_is_current_and_nothing_else(local: LocalAtlassian, flavour: Flavour) -> None:
    found = await seen(local, flavour)
    pages = {external(each) for each in current(local.world)}
    shown = {each.id for each in current(local.world)}
    files = {f"attachment:{each.id}" for each in local.world.attachments.values() if each.owner in shown}
    assert set(found.items) == pages | files
    assert all(each.url.startswith((local.confluence_cloud, local.confluence)) for each in found.items.values())
    assert all(each.version and each.acl and each.modified_at for each in found.items.values())


@BOTH
async def test_what_a_document_is_called(empty: LocalAtlassian, flavour: Flavour) -> None:
    ann, top, low = a_tree(empty)
    file = empty.world.attach(low, "plan.txt", b"The plan.", by=ann)
    blog = empty.world.add_page(empty.world.spaces[low.space], "News", by=ann, kind="blogpost")
    items = (await seen(empty, flavour)).items
    assert items[external(low)].path == "ENG/Engineering Home/Top-Level/Low"
    assert items[external(low)].title == "Low"
    assert items[external(blog)].path == "ENG/News"
    assert items[f"attachment:{file.id}"].path == "ENG/Engineering Home/Top-Level/Low/plan.txt"
    assert items[external(top)].title == "Top/Level"
    base = empty.confluence_cloud if flavour == "cloud" else empty.confluence
    assert items[external(low)].url == f"{base}/spaces/ENG/pages/{low.id}"


@BOTH
async def test_versions_tell_of_talk_names_places_and_labels(empty: LocalAtlassian, flavour: Flavour) -> None:
    world = empty.world
    ann, top, low = a_tree(empty)
    file = world.attach(low, "plan.txt", b"The plan.", by=ann)
    other = world.add_page(world.spaces[low.space], "Other", by=ann)
    said = world.comment(low, storage("First."), by=ann)
    steps: list[Callable[[], object]] = [
        lambda: world.comment(low, storage("Second."), by=ann),
        lambda: world.comment(low, storage("An answer."), by=ann, parent=said),
        lambda: world.edit_comment(said, storage("Better."), by=ann),
        lambda: world.delete_comment(said),
        lambda: world.rename(low, "Lower", by=ann),
        lambda: world.rename(top, "Upper", by=ann),
        lambda: world.move(low, other),
        lambda: world.label(low, "runbook"),
        lambda: world.edit(low, storage("Other words."), by=ann),
    ]
    async with opened(empty, flavour) as wiki:
        before = (await listed(wiki)).items
        for number, step in enumerate(steps):
            step()
            after = (await listed(wiki)).items
            assert after[external(low)].version != before[external(low)].version, number
            again = (await listed(wiki)).items
            assert after == again, number
            before = after
        world.attach(low, "plan.txt", b"Another plan.", by=ann)
        after = (await listed(wiki)).items
        assert after[f"attachment:{file.id}"].version != before[f"attachment:{file.id}"].version
        assert after[external(low)].version == before[external(low)].version


@BOTH
async def test_a_comment_makes_a_page_newer(empty: LocalAtlassian, flavour: Flavour) -> None:
    ann, _, low = a_tree(empty)
    empty.world.advance(days=3)
    said = empty.world.comment(low, storage("New."), by=ann)
    assert (await seen(empty, flavour)).items[external(low)].modified_at == said.versions[0].at


@BOTH
async def test_pages_in_the_trash_the_archive_and_archived_spaces_are_not_listed(
    empty: LocalAtlassian, flavour: Flavour
) -> None:
    world = empty.world
    ann, top, low = a_tree(empty)
    old = world.add_space("OLD", "Old", view=[world.groups["confluence-users"]], by=ann)
    world.archive(old)
    draft = world.add_page(world.spaces[low.space], "Draft", by=ann)
    draft.status = "draft"
    world.trash(top)
    world.archive(low)
    items = (await seen(empty, flavour)).items
    assert set(items) == {f"page:{world.spaces[low.space].home}"}
    items = (await seen(empty, flavour, replace(OPTIONS, archived=True))).items
    assert f"page:{old.home}" in items


@BOTH
async def test_spaces_may_be_chosen_and_have_to_be_there(local: LocalAtlassian, flavour: Flavour) -> None:
    found = await seen(local, flavour, replace(OPTIONS, spaces=("HB", "OPS")))
    keys = {each.path.split("/")[0] for each in found.items.values()}
    assert keys == {"HB", "OPS"}
    with pytest.raises(Refused, match="GONE"):
        await seen(local, flavour, replace(OPTIONS, spaces=("HB", "GONE")))


@BOTH
async def test_an_account_that_sees_nothing_does_not_empty_the_index(local: LocalAtlassian, flavour: Flavour) -> None:
    local.service.sees_all = False
    for space in local.world.spaces.values():
        local.world.permit(space)
    with pytest.raises(Refused, match="shows no space"):
        await seen(local, flavour)
    local.world.leave(local.bot, "confluence-users")
    with pytest.raises(Refused, match="status 403"):
        await seen(local, flavour)


@BOTH
async def test_files_that_are_not_read_are_passed_with_the_reason(empty: LocalAtlassian, flavour: Flavour) -> None:
    ann, _, low = a_tree(empty)
    empty.world.attach(low, "photo.png", b"\x89PNG", by=ann, media_type="image/png")
    empty.world.attach(low, "large.txt", b"x" * 2000, by=ann)
    options = replace(OPTIONS, max_bytes=1000)
    found = await seen(empty, flavour, options)
    reasons = {each.path.rpartition("/")[2]: each.reason for each in found.passed}
    assert reasons == {"photo.png": "not a format that is read", "large.txt": "larger than 0.001 MB"}
    assert not (await seen(empty, flavour, replace(OPTIONS, attachments=False))).passed


@BOTH
async def test_content_is_the_body_with_the_talk_behind_it(empty: LocalAtlassian, flavour: Flavour) -> None:
    world = empty.world
    ann, _, low = a_tree(empty)
    bob = world.add_user("Bob Ray")
    world.label(low, "runbook", "howto")
    first = world.comment(low, storage("Is this right?"), by=bob)
    world.comment(low, storage("It is."), by=ann, parent=first)
    world.comment(low, storage("Spelling."), by=bob, inline="Below")
    async with opened(empty, flavour) as wiki:
        item = (await listed(wiki)).items[external(low)]
        file = await read(wiki, item)
        assert (await wiki.fetch(item)).raw == (await wiki.fetch(item)).raw
    assert file.title == "Low"
    assert [(each.heading_path, each.text) for each in file.blocks] == [
        ((), "Below."),
        (("Comments", "Bob Ray, 2026-01-05"), "Is this right?"),
        (("Comments", "Ann Lee, 2026-01-05"), "It is."),
        (("Comments", "Bob Ray, 2026-01-05"), "On “Below”:"),
        (("Comments", "Bob Ray, 2026-01-05"), "Spelling."),
    ]
    assert file.metadata["labels"] == "howto, runbook"
    assert file.metadata["author"] == "Ann Lee"
    assert file.metadata["space"] == "ENG"
    assert file.metadata["updated"].startswith("2026-01-05T08:00:")


async def test_a_page_that_only_has_the_newer_format_is_read_from_that(empty: LocalAtlassian) -> None:
    ann, _, low = a_tree(empty)
    del ann
    empty.world.edit(low, "", by=empty.bot)
    low.adf = adf("Only in the newer form.")
    async with opened(empty, "cloud") as wiki:
        assert text(await read(wiki, (await listed(wiki)).items[external(low)])) == "Only in the newer form."


@pytest.mark.parametrize("flavour", ["cloud", "datacenter", "gateway"])
async def test_every_canary_is_in_its_document_and_nowhere_else(flavour: Flavour) -> None:
    with local_atlassian() as local:
        company = found_small_company(local.world)
        words = {word: each for word, each in company.canaries.items() if word.startswith("canary-p")}
        async with opened(local, flavour) as wiki:
            items = (await listed(wiki)).items
            texts = {key: text(await read(wiki, item)) for key, item in items.items()}
        homes = {external(each) for each in current(local.world)}
        found = 0
        for word, thing in words.items():
            if isinstance(thing, Page):
                home = external(thing)
            else:
                owner = getattr(thing, "page", None)
                home = external(local.world.pages[owner]) if owner else f"attachment:{getattr(thing, 'id', '')}"
            where = {key for key, content in texts.items() if word in content}
            assert where == ({home} & set(texts)), word
            found += bool(where)
        assert found > len(homes) / 2


@BOTH
async def test_a_page_that_went_meanwhile_is_refused(empty: LocalAtlassian, flavour: Flavour) -> None:
    ann, _, low = a_tree(empty)
    file = empty.world.attach(low, "plan.txt", b"The plan.", by=ann)
    async with opened(empty, flavour) as wiki:
        items = (await listed(wiki)).items
        empty.world.trash(low)
        empty.world.detach(file)
        for name in (external(low), f"attachment:{file.id}"):
            with pytest.raises(Refused):
                await wiki.fetch(items[name])


@BOTH
async def test_changes_are_what_changed_since_and_look_as_in_the_listing(flavour: Flavour) -> None:
    with local_atlassian() as local:
        company = found_small_company(local.world)
        world = local.world
        world.advance(days=30)
        since = world.now
        edited, talked, labelled = company.current()[:3]
        world.advance(minutes=5)
        company.edit_page(edited)
        world.advance(minutes=5)
        company.comment(talked)
        file = world.attach(labelled, "late.txt", b"Late.", by=company.people[0])
        async with opened(local, flavour) as wiki:
            whole = (await listed(wiki)).items
            changed = [each async for each in wiki.changes(since)]
        names = [each.external_id for each in changed]
        pages = [each for each in names if not each.startswith("attachment")]
        assert pages == [external(edited), external(talked), external(labelled)]
        assert f"attachment:{file.id}" in names
        assert all(each == whole[each.external_id] for each in changed)


@BOTH
async def test_changes_reach_back_far_enough_for_any_zone(empty: LocalAtlassian, flavour: Flavour) -> None:
    world = empty.world
    _, _, low = a_tree(empty)
    for zone in ("Pacific/Kiritimati", "Etc/GMT+12"):
        world.site_zone = empty.bot.zone = zone
        async with opened(empty, flavour) as wiki:
            found = [each.external_id async for each in wiki.changes(world.now - timedelta(minutes=1))]
            assert external(low) in found
            assert not [each async for each in wiki.changes(world.now + timedelta(days=3))]


@BOTH
async def test_where_readers_are_listed_versions_are_those_of_all_of_a_file_and_not_of_a_page(
    local: LocalAtlassian, flavour: Flavour
) -> None:
    async with opened(local, flavour) as wiki:
        whole = (await listed(wiki)).items
        found = {each.external_id: each async for each in wiki.readers() if isinstance(each, ListedDocument)}
    assert found.keys() == whole.keys()
    assert {each.attached for each in found.values()} == {True, False}
    for name, item in found.items():
        assert item.version_of_all == item.attached
        assert not item.attached or item == whole[name]


@BOTH
async def test_one_document_is_looked_at_by_any_of_its_names(local: LocalAtlassian, flavour: Flavour) -> None:
    world = local.world
    page = next(each for each in current(world) if each.parent and each.readers)
    base = local.confluence_cloud if flavour == "cloud" else local.confluence
    key = world.spaces[page.space].key
    async with opened(local, flavour) as wiki:
        whole = (await listed(wiki)).items
        for name in (
            page.id,
            external(page),
            f"{base}/spaces/{key}/pages/{page.id}/Some+Title",
            f"{base}/pages/viewpage.action?pageId={page.id}",
            f"{base}/display/{key}/{page.title.replace(' ', '+')}",
        ):
            assert await wiki.one(name) == whole[external(page)], name
        file = next(each for each in whole if each.startswith("attachment"))
        assert await wiki.one(file) == whole[file]
        for name in ("999", "page:999", "attachment:att999", "https://elsewhere.example/pages/1", "words", ""):
            assert await wiki.one(name) is None
        world.restrict(page, local.bot)
        found = await wiki.one(page.id)
        assert found is not None
        assert found.acl != whole[external(page)].acl
        world.trash(page)
        assert await wiki.one(page.id) is None


@BOTH
async def test_one_document_outside_the_chosen_spaces_is_not_ours(local: LocalAtlassian, flavour: Flavour) -> None:
    page = next(each for each in current(local.world) if local.world.spaces[each.space].key == "ENG")
    async with opened(local, flavour, replace(OPTIONS, spaces=("HB",))) as wiki:
        assert await wiki.one(page.id) is None


@BOTH
@pytest.mark.parametrize("path", ["/pages|/content", "/blogposts|/content", "comments|/content/search", "/spaces?"])
async def test_a_listing_that_breaks_off_raises(local: LocalAtlassian, flavour: Flavour, path: str) -> None:
    async with opened(local, flavour, patience=3) as wiki:
        await wiki.permissions()
        local.fail(path, Fault.error(500), times=None)
        if path == "/spaces?":
            with pytest.raises(Transient):
                await wiki.permissions()
        else:
            with pytest.raises(Transient):
                assert [each async for each in wiki.listing()]
        local.heal()
        local.fail(path, Fault.unauthorized(), times=None)
        with pytest.raises(Misconfigured):
            assert [each async for each in wiki.listing()] if path != "/spaces?" else await wiki.permissions()


@pytest.mark.slow
@BOTH
async def test_two_thousand_pages_cost_few_requests(flavour: Flavour) -> None:
    with local_atlassian() as local:
        company: Company = found_company(local.world, people=50, spaces=5, pages=2000, issues=0)
        async with opened(local, flavour) as wiki:
            await wiki.permissions()
            before = wiki.requests
            found = [each async for each in wiki.listing()]
            assert len(found) > 1900
            assert wiki.requests - before < 60
            groups = len(local.world.groups)
            people = len(company.people) + 1 if flavour == "datacenter" else 0
            assert before <= groups + len(company.spaces) + people + 6


async def test_a_time_is_not_guessed(empty: LocalAtlassian) -> None:
    a_tree(empty)
    async with opened(empty, "cloud") as wiki:
        assert all(isinstance(each.modified_at, datetime) for each in (await listed(wiki)).items.values())
