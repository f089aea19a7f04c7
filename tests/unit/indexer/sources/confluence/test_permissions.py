"""Whom the documents of Confluence admit, against what the product's rules say, person by person and page by page."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from domain.access import NOBODY, ORG, PUBLIC, Scope, permits
from tests.fakes.atlassian import Company, Fault, LocalAtlassian, found_small_company, local_atlassian
from tests.unit.indexer.sources.confluence.wikis import OPTIONS, Flavour, Seen, current, expected, external, seen

BOTH = pytest.mark.parametrize("flavour", ["cloud", "datacenter"])


@pytest.fixture(params=[1, 2, 3])
def company(request: pytest.FixtureRequest) -> Iterator[tuple[LocalAtlassian, Company]]:
    with local_atlassian() as local:
        yield local, found_small_company(local.world, request.param)


@pytest.fixture
def one_company() -> Iterator[tuple[LocalAtlassian, Company]]:
    with local_atlassian() as local:
        yield local, found_small_company(local.world, 4)


def agrees(local: LocalAtlassian, company: Company, found: Seen, flavour: Flavour) -> None:
    world = local.world
    for page in current(world):
        wanted = expected(world, company, flavour=flavour, page=page)
        assert found.readers(external(page), company.people) == wanted, page.title
    for file in world.attachments.values():
        page = world.pages[file.owner]
        if page in current(world) and f"attachment:{file.id}" in found.items:
            wanted = expected(world, company, flavour=flavour, page=page)
            assert found.readers(f"attachment:{file.id}", company.people) == wanted


@BOTH
async def test_documents_admit_whom_the_product_admits(
    company: tuple[LocalAtlassian, Company], flavour: Flavour
) -> None:
    local, people = company
    found = await seen(local, flavour)
    assert not found.unreadable
    agrees(local, people, found, flavour)
    outsiders = [each for each in found.items.values() if each.acl and permits(each.acl, Scope.member("x@example.com"))]
    assert not outsiders


@BOTH
async def test_they_follow_what_people_do(one_company: tuple[LocalAtlassian, Company], flavour: Flavour) -> None:
    local, company = one_company
    for _ in range(6):
        company.restrict()
        company.unrestrict()
        company.move_page()
        company.remove_from_group()
        company.trash()
    agrees(local, company, await seen(local, flavour), flavour)


@BOTH
async def test_closed_accounts_and_shared_addresses_are_nobody(
    one_company: tuple[LocalAtlassian, Company], flavour: Flavour
) -> None:
    local, company = one_company
    first, second, third = [each for each in company.people if each.active and not each.hidden][:3]
    local.world.deactivate(first)
    second.email = third.email
    members = (await seen(local, flavour)).directory.members
    assert first.email not in members
    assert third.email not in members


@BOTH
@pytest.mark.parametrize("rate", [0.05, 0.3])
async def test_failing_requests_never_admit_more(
    one_company: tuple[LocalAtlassian, Company], flavour: Flavour, rate: float
) -> None:
    local, company = one_company
    local.fail("restriction", Fault.error(500), times=None, rate=rate, seed=7)
    local.fail("/content/search", Fault.error(500), times=None)
    local.fail("/member", Fault.forbidden(), times=None, rate=rate, seed=8)
    local.fail("/permissions", Fault.forbidden(), times=None, rate=rate, seed=9)
    if flavour == "datacenter":
        local.heal()
        local.fail("/restriction|/member|/space/.*/permissions", Fault.forbidden(), times=None, rate=rate, seed=7)
    found = await seen(local, flavour)
    for page in current(local.world):
        wanted = expected(local.world, company, flavour=flavour, page=page)
        assert found.readers(external(page), company.people) <= wanted, page.title


async def test_what_cannot_be_read_admits_nobody_and_is_said(one_company: tuple[LocalAtlassian, Company]) -> None:
    local, _ = one_company
    world = local.world
    low = next(each for each in current(world) if world.pages.get(each.parent, each).parent and each.kind == "page")
    middle = world.pages[low.parent]
    local.fail("/content/search", Fault.forbidden(), times=None)
    local.fail(f"/content/{middle.id}/restriction", Fault.forbidden(), times=None)
    found = await seen(local, "cloud")
    assert found.items[external(low)].acl == NOBODY
    assert found.items[external(middle)].acl == NOBODY
    paths = dict(found.unreadable)
    assert "status 403" in paths[found.items[external(low)].path]
    hit = {external(middle), *(external(each) for each in world.descendants(middle))}
    assert all(found.items[each].acl != NOBODY for each in found.items if each.startswith("page") and each not in hit)


@BOTH
async def test_a_space_whose_permissions_cannot_be_read_admits_nobody(
    one_company: tuple[LocalAtlassian, Company], flavour: Flavour
) -> None:
    local, company = one_company
    space = company.spaces[0]
    name = space.key if flavour == "datacenter" else space.id
    local.fail(f"/spaces?/{name}/permissions", Fault.forbidden(), times=None)
    found = await seen(local, flavour)
    for page in current(local.world):
        assert (found.items[external(page)].acl == NOBODY) == (page.space == space.id)
    assert f"{space.key}/" in dict(found.unreadable)


@BOTH
async def test_restrictions_of_archived_pages_above_count(
    one_company: tuple[LocalAtlassian, Company], flavour: Flavour
) -> None:
    local, company = one_company
    world = local.world
    ann, space = company.people[0], company.spaces[0]
    upper = world.add_page(space, "Upper", by=ann)
    lower = world.add_page(space, "Lower", by=ann, parent=upper)
    world.restrict(upper, company.people[1])
    world.archive(upper)
    found = await seen(local, flavour)
    assert external(upper) not in found.items
    wanted = expected(world, company, flavour=flavour, page=lower)
    assert found.readers(external(lower), company.people) == wanted


@BOTH
async def test_below_what_the_account_does_not_see_nobody_is_admitted(
    one_company: tuple[LocalAtlassian, Company], flavour: Flavour
) -> None:
    local, company = one_company
    world = local.world
    upper = world.add_page(company.spaces[0], "Upper", by=company.people[0])
    lower = world.add_page(company.spaces[0], "Lower", by=company.people[0], parent=upper)
    lowest = world.add_page(company.spaces[0], "Lowest", by=company.people[0], parent=lower)
    upper.status = "draft"
    found = await seen(local, flavour)
    for page in (lower, lowest):
        assert found.items[external(page)].acl == NOBODY
        assert found.items[external(page)].path in dict(found.unreadable)
    assert len(found.unreadable) == 2


@BOTH
async def test_a_restriction_for_very_many_is_read_to_its_end(
    one_company: tuple[LocalAtlassian, Company], flavour: Flavour
) -> None:
    local, company = one_company
    world = local.world
    crowd = [world.add_user(f"Crowd {at}") for at in range(230)]
    page = world.add_page(company.spaces[0], "For a crowd", by=crowd[0])
    world.restrict(page, *crowd)
    found = await seen(local, flavour)
    assert found.readers(external(page), crowd) == {each.id for each in crowd}


@BOTH
async def test_a_group_may_stand_for_the_organisation(
    one_company: tuple[LocalAtlassian, Company], flavour: Flavour
) -> None:
    local, company = one_company
    world = local.world
    everyone = world.groups["confluence-users"]
    space = world.add_space("ALL", "All", view=[everyone], by=company.people[0])
    page = world.add_page(space, "Hello", by=company.people[0])
    world.restrict(page, everyone)
    options = replace(OPTIONS, organisation_groups=frozenset({"confluence-users"}))
    found = await seen(local, flavour, options)
    acl = found.items[external(page)].acl
    assert acl is not None
    assert all(ORG in clause and PUBLIC not in clause for clause in acl.clauses)
    assert permits(acl, Scope.member("no.account@example.com"))
    agrees(local, company, found, flavour)


@pytest.mark.parametrize("open_to_all", [True, False])
async def test_anonymous_access_counts_where_the_site_is_open(
    one_company: tuple[LocalAtlassian, Company], open_to_all: bool
) -> None:
    local, company = one_company
    world = local.world
    space = world.add_space("OPEN", "Open", everyone=True, by=company.people[0])
    world.wiki_anonymous = open_to_all
    page = world.pages[space.home]
    found = await seen(local, "datacenter", replace(OPTIONS, open_to_all=open_to_all))
    acl = found.items[external(page)].acl
    assert acl is not None
    assert permits(acl, Scope.outsider()) == world.may_read(None, page) == open_to_all
    if open_to_all:
        agrees(local, company, found, "datacenter")
    else:  # a row that names nobody need not be one for everybody who has an account
        assert found.readers(external(page), company.people) == set()


async def test_a_group_that_cannot_be_read_has_nobody_in_it(one_company: tuple[LocalAtlassian, Company]) -> None:
    local, company = one_company
    group = company.groups[0]
    local.fail(f"/group/{group.id}/membersByGroupId", Fault.error(500), times=None)
    found = await seen(local, "cloud", patience=2)
    assert f"the group {group.name}" in dict(found.unreadable)
    assert all(f"wiki/{group.id}" not in {each.id for each in own} for own in found.directory.members.values())


async def test_where_it_is_not_told_who_is_closed_that_is_said(one_company: tuple[LocalAtlassian, Company]) -> None:
    local, company = one_company
    local.fail("/users-bulk", Fault.forbidden(), times=None)
    found = await seen(local, "cloud")
    assert "which accounts are closed" in dict(found.unreadable)
    assert company.people[0].email in found.directory.members or company.people[0].hidden
    assert not found.directory.complete


@BOTH
async def test_failures_that_pass_change_nothing(one_company: tuple[LocalAtlassian, Company], flavour: Flavour) -> None:
    local, company = one_company
    local.fail("", Fault.error(503), times=None, rate=0.2, seed=5)
    agrees(local, company, await seen(local, flavour), flavour)
