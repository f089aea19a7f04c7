"""Listings are read to their end, whatever changes meanwhile."""

import asyncio

import pytest

from domain.errors import Transient
from indexer.sources.atlassian.client import AtlassianClient
from indexer.sources.atlassian.site import AtlassianSite
from tests.fakes.atlassian import Fault, LocalAtlassian
from tests.unit.indexer.sources.atlassian.conftest import ids, known


async def test_cursors_lead_to_every_page(client: AtlassianClient, local: LocalAtlassian) -> None:
    assert set(await ids(client.pages("/api/v2/pages", {"limit": 7}))) == known(local)
    assert client.requests == 5


async def test_the_links_of_a_search_lack_the_path_of_the_wiki(client: AtlassianClient, local: LocalAtlassian) -> None:
    found = await ids(client.pages("/rest/api/content/search", {"cql": "type = page", "limit": 7}))
    assert set(found) == known(local)


async def test_a_scoped_token_works_through_the_gateway_and_links_stay_at_the_site(local: LocalAtlassian) -> None:
    account = local.login(local.bot, scoped=True, sees_all=True)
    email, token = local.basic(account)
    site = AtlassianSite("confluence", local.confluence_cloud, "cloud", email, token, api_url=local.confluence_gateway)
    async with AtlassianClient(site) as client:
        assert set(await ids(client.pages("/api/v2/pages", {"limit": 7}))) == known(local)
    assert site.link("/spaces/ENG/pages/1") == f"{local.at.site}/wiki/spaces/ENG/pages/1"


async def test_pages_by_offset_overlap_and_lead_to_every_page(offsets: AtlassianClient, local: LocalAtlassian) -> None:
    found = await ids(offsets.stepped("/rest/api/content", {"type": "page"}, limit=7))
    assert set(found) == known(local)
    assert len(found) == len(set(found))


@pytest.mark.parametrize("fault", [Fault.shifted(3), Fault.shifted(-3), Fault.empty()])
async def test_pages_by_offset_that_are_odd_once_lose_nothing(
    offsets: AtlassianClient, local: LocalAtlassian, fault: Fault
) -> None:
    local.fail("/rest/api/content", fault, after=1)
    found = await ids(offsets.stepped("/rest/api/content", {"type": "page"}, limit=7))
    assert sorted(found) == sorted(known(local))


@pytest.mark.parametrize("at_once", [1, 9])
async def test_what_is_deleted_during_a_listing_by_offset_hides_no_other_page(
    offsets: AtlassianClient, local: LocalAtlassian, at_once: int
) -> None:
    pages = list(local.world.pages.values())
    gone = iter(pages)

    def delete() -> None:
        for _ in range(at_once):
            local.world.trash(next(gone))

    local.before("/rest/api/content", delete, times=2, after=3)
    found = await ids(offsets.stepped("/rest/api/content", {"type": "page"}, limit=7))
    assert sorted(found) == sorted(known(local))


@pytest.mark.parametrize("hidden", [[6], [5, 12], [3, 13, 20, 27], [*range(6, 29, 4)], [*range(7, 29, 2)]])
@pytest.mark.parametrize("at_once", [0, 1, 3])
async def test_what_is_deleted_hides_no_other_page_behind_those_that_the_account_may_not_see(
    offsets: AtlassianClient, local: LocalAtlassian, at_once: int, hidden: list[int]
) -> None:
    pages = list(local.world.pages.values())
    local.service.sees_all = False
    local.world.join(local.bot, "confluence-users")
    for at in hidden:
        local.world.restrict(pages[at], local.world.users[pages[at].author])
    gone = iter(pages)

    def delete() -> None:
        for _ in range(at_once):
            local.world.trash(next(gone))

    local.before("/rest/api/content", delete, after=1)
    found = await ids(offsets.stepped("/rest/api/content", {"type": "page"}, limit=7))
    assert sorted(found) == sorted(known(local) - {pages[at].id for at in hidden})


def move_to_the_front(local: LocalAtlassian) -> None:
    """The last page comes to be the first."""
    *others, (number, page) = local.world.pages.items()
    local.world.pages.clear()
    local.world.pages.update({number: page}, **dict(others))


async def test_a_row_that_moves_ahead_during_a_listing_by_offset_is_not_lost(
    offsets: AtlassianClient, local: LocalAtlassian
) -> None:
    local.before("/rest/api/content", lambda: move_to_the_front(local), after=2)
    found = await ids(offsets.stepped("/rest/api/content", {"type": "page"}, limit=7))
    assert sorted(found) == sorted(known(local))


async def test_rows_that_always_move_during_a_listing_by_offset_break_it_off(
    offsets: AtlassianClient, local: LocalAtlassian
) -> None:
    local.before("/rest/api/content", lambda: move_to_the_front(local), None)
    with pytest.raises(Transient, match="broke off") as caught:
        await ids(offsets.stepped("/rest/api/content", {"type": "page"}, limit=7))
    assert "changed each time" in caught.value.why


async def test_a_listing_by_offset_that_always_changes_ends_with_an_error(
    offsets: AtlassianClient, local: LocalAtlassian
) -> None:
    local.fail("/rest/api/content", Fault.empty(), None, after=2)
    with pytest.raises(Transient, match="broke off") as caught:
        await ids(offsets.stepped("/rest/api/content", {"type": "page"}, limit=7))
    assert "changed all the time" in caught.value.why


async def test_empty_pages_without_end_break_the_listing_off(
    client: AtlassianClient, offsets: AtlassianClient, local: LocalAtlassian
) -> None:
    local.fail("", Fault.endless(), None, after=1)
    for rows in (client.pages("/api/v2/pages", {"limit": 7}), offsets.stepped("/rest/api/content", {"type": "page"})):
        with pytest.raises(Transient, match="broke off") as caught:
            async with asyncio.timeout(60):
                await ids(rows)
        assert "brought nothing new" in caught.value.why


async def test_rows_missing_in_the_middle_of_a_listing_by_offset_are_asked_for_again(
    offsets: AtlassianClient, local: LocalAtlassian
) -> None:
    local.fail("/rest/api/content", Fault.short(3), after=1)
    assert set(await ids(offsets.stepped("/rest/api/content", {"type": "page"}, limit=7))) == known(local)


@pytest.mark.parametrize("times", [1, None])
async def test_a_page_that_leads_to_itself_ends_the_listing_with_an_error(
    client: AtlassianClient, offsets: AtlassianClient, local: LocalAtlassian, times: int | None
) -> None:
    local.fail("/api/v2/pages", Fault.loop(), times, after=1)
    with pytest.raises(Transient, match="broke off"):
        await ids(client.pages("/api/v2/pages", {"limit": 7}))
    local.heal()
    local.fail("/rest/api/content", Fault.loop(), None, after=1)
    with pytest.raises(Transient, match="broke off"):
        await ids(offsets.stepped("/rest/api/content", {"type": "page"}, limit=7))


async def test_the_rows_of_a_tracker_are_counted_against_its_total(local: LocalAtlassian) -> None:
    site = AtlassianSite("jira", local.jira, "datacenter", "", local.service.secret)
    world = local.world
    for at in range(12):
        world.add_group(f"group-{at}")
    for at in range(30):
        world.add_user(f"Person {at}", groups=["group-0"])
    async with AtlassianClient(site) as client:
        path, members = "/rest/api/2/group/member", {"groupname": "group-0"}
        assert len([row async for row in client.numbered(path, members, limit=7)]) == 30
        local.fail("/group/member", Fault.short(2), after=4)
        with pytest.raises(Transient) as caught:
            assert [row async for row in client.numbered(path, members, limit=7)]
        assert "incomplete" in caught.value.why


async def test_a_row_of_a_tracker_that_goes_away_meanwhile_hides_no_other_one(local: LocalAtlassian) -> None:
    people = [local.world.add_user(f"Person {at}") for at in range(30)]
    local.world.add_group("group-0", people)
    async with AtlassianClient(AtlassianSite("jira", local.jira, "datacenter", "", local.service.secret)) as client:
        rows = client.numbered("/rest/api/2/group/member", {"groupname": "group-0"}, limit=7)
        assert (await anext(rows))["displayName"] == "Person 0"
        local.world.leave(people[0], "group-0")
        with pytest.raises(Transient, match="broke off"):
            assert [row async for row in rows]
