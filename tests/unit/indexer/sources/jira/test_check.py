"""What the connector of Jira tells an operator before the first run."""

from collections.abc import Iterator

import pytest

from indexer.sources.atlassian.client import AtlassianClient
from indexer.sources.atlassian.site import AtlassianSite
from indexer.sources.connector import CheckFinding
from indexer.sources.jira.connector import JiraConnector
from tests.fakes.atlassian import Fault, Holder, LocalAtlassian, local_atlassian
from tests.fakes.atlassian.plain_client import a_project
from tests.unit.indexer.sources.jira.local_jira import FLAVOURS, admit, jira


@pytest.fixture
def local() -> Iterator[LocalAtlassian]:
    with local_atlassian() as found:
        a_project(found)
        found.world.add_user("Bo Ek")
        yield found


def of(findings: list[CheckFinding], level: str) -> list[str]:
    return [each.what for each in findings if each.level == level]


@pytest.mark.parametrize("flavour", FLAVOURS)
async def test_all_is_well(local: LocalAtlassian, flavour: str) -> None:
    async with jira(local, flavour) as connector:
        found = await connector.check()
    assert [each.what for each in found] == [
        "Jira answers, and the token belongs to Knowledge Bot",
        "1 projects can be browsed: KB",
        f"{2 if flavour == 'cloud' else 3} people can be recognised by their e-mail addresses",
        "Permission schemes, application roles and groups can be read",
        "Nearly everyone is in confluence-users, jira-users",
        "Jira does not tell when the token expires" if flavour == "cloud" else "No token of the account expires",
    ]
    assert of(found, "ok") == [each.what for each in found]


async def test_people_that_cannot_be_recognised(local: LocalAtlassian) -> None:
    world = local.world
    world.add_user("Hidden", hidden=True)
    for name in ("Twin A", "Twin B"):
        world.add_user(name).email = "twin@example.com"
    async with jira(local, "cloud", organisation_groups=frozenset({"jira-users", "all"})) as connector:
        assert of(await connector.check(), "warning") == [
            "1 people cannot be recognised",
            "1 e-mail addresses belong to several accounts",
            "There are no groups all",
        ]
    for user in world.users.values():
        user.hidden = True
    async with jira(local, "cloud") as connector:
        assert of(await connector.check(), "error") == ["Nobody can be recognised by an e-mail address"]


async def test_rights_that_cannot_be_read(local: LocalAtlassian) -> None:
    local.fail("applicationrole|permissionscheme|level/member", Fault.forbidden(), None)
    async with jira(local, "cloud") as connector:
        assert of(await connector.check(), "warning") == [
            "What KB grants cannot be read, so it admits nobody",
            "What application roles grants cannot be read, so it admits nobody",
            "What security levels grants cannot be read, so it admits nobody",
        ]


async def test_levels_of_data_center(local: LocalAtlassian) -> None:
    local.world.add_security("Levels", Board=[Holder("reporter")], Team=[])
    admit(local)
    async with jira(local, "datacenter", security_levels={"Team": ["jira-users"]}) as connector:
        assert of(await connector.check(), "warning") == ["Nobody is known to be in the security levels Board"]
    local.fail("issuesecurityschemes", Fault.forbidden(), None)
    async with jira(local, "datacenter") as connector:
        assert of(await connector.check(), "warning") == ["The security levels cannot be read"]


@pytest.mark.parametrize("flavour", FLAVOURS)
async def test_a_token_that_is_refused_is_the_only_finding(local: LocalAtlassian, flavour: str) -> None:
    local.service.state = "expired"
    async with jira(local, flavour) as connector:
        found = await connector.check()
    assert [each.level for each in found] == ["error"]
    assert "refuses the token" in found[0].what
    assert found[0].next_step


async def test_a_site_that_does_not_answer() -> None:
    async def at_once(_seconds: float) -> None:
        pass

    async with AtlassianClient(
        AtlassianSite("jira", "http://127.0.0.1:9", "datacenter", "", "t"), sleep=at_once
    ) as client:
        found = await JiraConnector("j", client).check()
    assert [each.level for each in found] == ["error"]


async def test_a_project_that_cannot_be_browsed(local: LocalAtlassian) -> None:
    async with jira(local, "cloud", projects=("KB", "NOPE")) as connector:
        assert of(await connector.check(), "error") == ["Jira has no project NOPE for this account"]


@pytest.mark.parametrize("flavour", FLAVOURS)
async def test_what_anyone_may_browse_is_said(local: LocalAtlassian, flavour: str) -> None:
    project = next(iter(local.world.projects.values()))
    local.world.grant(local.world.schemes[project.scheme], Holder("anyone"))
    async with jira(local, flavour) as connector:
        assert any("Anyone may browse KB" in each for each in of(await connector.check(), "warning"))
    async with jira(local, flavour, open_to_all=True) as connector:
        assert not any("Anyone" in each for each in of(await connector.check(), "warning"))
