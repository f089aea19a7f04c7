"""What an operator is told of a Confluence before the first run."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from indexer.sources.connector import CheckFinding
from tests.fakes.atlassian import Company, Fault, LocalAtlassian, found_small_company, local_atlassian
from tests.unit.indexer.sources.confluence.wikis import OPTIONS, Flavour, opened

BOTH = pytest.mark.parametrize("flavour", ["cloud", "datacenter"])


@pytest.fixture
def company() -> Iterator[tuple[LocalAtlassian, Company]]:
    with local_atlassian() as local:
        yield local, found_small_company(local.world)


async def findings(local: LocalAtlassian, flavour: Flavour, **options: object) -> list[CheckFinding]:
    async with opened(local, flavour, replace(OPTIONS, **options), patience=3) as wiki:  # type: ignore[arg-type]
        return await wiki.check()


def errors(found: list[CheckFinding]) -> list[str]:
    return [each.what for each in found if each.level == "error"]


@BOTH
async def test_a_site_in_order_is_told_in_a_few_lines(
    company: tuple[LocalAtlassian, Company], flavour: Flavour
) -> None:
    local, _ = company
    found = await findings(local, flavour)
    assert not errors(found)
    said = [each.what for each in found]
    assert said[0] == "Confluence answers; the account is Knowledge Bot"
    assert "The account views 3 spaces, of which 0 are archived" in said
    assert "Restrictions of pages can be read" in said
    untold = "Confluence does not tell when the token expires"
    assert (untold if flavour == "cloud" else "No token of the account expires") in said


async def test_hidden_addresses_are_counted_and_large_groups_named(company: tuple[LocalAtlassian, Company]) -> None:
    local, people = company
    local.world.deactivate(people.people[0])
    people.people[1].hidden = people.people[2].hidden = True
    hidden = sum(each.hidden and each.active for each in people.people)
    found = await findings(local, "cloud")
    assert any(f"of {hidden} the e-mail address is hidden" in each.what for each in found)
    assert any(each.what.startswith("The group confluence-users holds") for each in found)
    found = await findings(local, "cloud", organisation_groups=frozenset({"confluence-users", "gone"}))
    assert not any(each.what.startswith("The group confluence-users holds") for each in found)
    assert "There is no group gone" in [each.what for each in found]


@BOTH
async def test_what_is_missing_is_said_with_what_to_do(
    company: tuple[LocalAtlassian, Company], flavour: Flavour
) -> None:
    local, _ = company
    local.fail("/permissions", Fault.forbidden(), times=None)
    local.fail("/restriction/", Fault.forbidden(), times=None)
    found = await findings(local, flavour, spaces=("HB", "GONE"))
    assert len(errors(found)) == 3
    assert any("GONE" in each for each in errors(found))
    assert any("HB cannot be read" in each for each in errors(found))
    assert any("Restrictions of pages cannot be read" in each for each in errors(found))


@BOTH
async def test_a_token_that_is_refused_is_the_one_finding(
    company: tuple[LocalAtlassian, Company], flavour: Flavour
) -> None:
    local, _ = company
    local.service.state = "expired"
    found = await findings(local, flavour)
    assert [each.level for each in found] == ["error"]
    assert found[0].next_step


@BOTH
@pytest.mark.parametrize("what", ["comments", "attachments"])
async def test_a_scope_that_a_run_needs_and_the_token_lacks_is_an_error(
    company: tuple[LocalAtlassian, Company], flavour: Flavour, what: str
) -> None:
    local, _ = company
    if flavour == "cloud":
        local.fail(rf"/api/v2/[a-z-]*{what}$", Fault.forbidden(), times=None)
    else:
        local.fail("/rest/api/content/search$", Fault.forbidden(), times=None)
    assert any(each.startswith(f"The {what} cannot be listed") for each in errors(await findings(local, flavour)))
    if what == "attachments":
        found = errors(await findings(local, flavour, attachments=False))
        assert not any("attachments" in each for each in found)


async def test_that_some_accounts_cannot_be_read_is_an_error(company: tuple[LocalAtlassian, Company]) -> None:
    local, people = company
    local.fail(f"/group/{people.groups[0].id}/membersByGroupId", Fault.forbidden(), times=None)
    assert "Nobody can be recognised by an e-mail address for sure" in errors(await findings(local, "cloud"))
