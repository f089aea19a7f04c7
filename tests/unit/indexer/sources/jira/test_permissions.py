"""Whom the connector of Jira says documents admit, against what the products' rules say."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from domain.access import NOBODY, ORG, PUBLIC, Acl, Scope, account, permits
from domain.errors import Refused, Transient
from tests.fakes.atlassian import Company, Fault, Holder, Issue, LocalAtlassian, found_small_company, local_atlassian
from tests.fakes.atlassian.plain_client import a_project
from tests.unit.indexer.sources.jira.local_jira import FLAVOURS, admit, differences, jira, listed, reads

OF_RIGHTS = r"permissionscheme|/role|group/member|groups?/(bulk|picker)|applicationrole|issuesecurityschemes"


@pytest.fixture
def local() -> Iterator[LocalAtlassian]:
    with local_atlassian() as found:
        found.world.internal_notes = "agents"
        yield found


@pytest.fixture
def company(local: LocalAtlassian) -> Company:
    found = found_small_company(local.world)
    admit(local, (each.name for each in found.groups))
    return found


def without_levels(company: Company) -> None:
    """What Data Center can tell all of."""
    for issue in company.open_issues():
        issue.level = ""


def restrict_some(company: Company) -> None:
    """Every third issue to a role or two, as Cloud alone can."""
    roles = list(company.world.roles.values())
    for at, issue in enumerate(company.open_issues()[::3]):
        company.world.restrict_issue(issue, *roles[: at % 2 + 1], by=company.people[0])


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("flavour", FLAVOURS)
async def test_acls_are_what_the_rules_say(local: LocalAtlassian, flavour: str, seed: int) -> None:
    company = found_small_company(local.world, seed)
    admit(local, (each.name for each in company.groups))
    if flavour == "datacenter":
        without_levels(company)
    else:
        restrict_some(company)
    async with jira(local, flavour) as connector:
        directory = await connector.permissions()
        assert len(directory.members) > 15
        found = await listed(connector.listing())
        assert differences(company, directory, found) == ([], [])
        assert connector.unreadable == []
        assert all(each.acl is not None for each in found.values())


@pytest.mark.parametrize("flavour", FLAVOURS)
async def test_acls_follow_what_changes(local: LocalAtlassian, company: Company, flavour: str) -> None:
    world = company.world
    if flavour == "datacenter":
        without_levels(company)
    async with jira(local, flavour) as connector:
        before = await listed(connector.listing())
        issues = company.open_issues()
        if flavour == "cloud":
            secured = [each for each in issues if world.projects[each.project].security and not each.level]
            world.secure(secured[0], world.level("Involved"), by=company.people[0])
            world.secure(secured[1], world.level("Board"), by=company.people[0])
        for issue in issues[:20]:
            world.set(issue, company.people[0], reporter=company.someone().id, assignee=company.someone().id)
        for _ in range(5):
            company.remove_from_group()
        scheme = world.schemes[world.projects[issues[0].project].scheme]
        world.revoke(scheme, scheme.grants[0].holder)
        world.deactivate(company.people[3])
        directory = await connector.permissions()
        after = await listed(connector.listing())
        assert differences(company, directory, after) == ([], [])
        assert any(before[name].acl != each.acl for name, each in after.items())


@pytest.mark.check
@pytest.mark.parametrize("flavour", FLAVOURS)
@pytest.mark.parametrize("rate", [0.05, 0.3])
@pytest.mark.parametrize("seed", [0, *(pytest.param(each, marks=pytest.mark.slow) for each in (1, 2))])
@pytest.mark.parametrize("fault", [Fault.forbidden(), Fault.error(500), Fault.wrong()], ids=["403", "500", "form"])
async def test_what_cannot_be_read_admits_fewer(
    local: LocalAtlassian, company: Company, flavour: str, seed: int, rate: float, fault: Fault
) -> None:
    if flavour == "cloud":
        restrict_some(company)
    local.fail(OF_RIGHTS, fault, None, rate=rate, seed=seed)
    async with jira(local, flavour) as connector:
        directory = await connector.permissions()
        found = await listed(connector.listing())
        more, less = differences(company, directory, found)
        assert more == []
        assert not less or connector.unreadable


async def test_users_that_cannot_be_listed_to_the_end_are_no_directory(local: LocalAtlassian, company: Company) -> None:
    local.fail("users/search", Fault.error(500), None, after=1)
    async with jira(local, "cloud") as connector:
        with pytest.raises(Transient):
            await connector.permissions()
    local.heal()
    local.fail("users/search", Fault.forbidden(), None)
    async with jira(local, "cloud", open_to_all=True) as connector:
        assert (await connector.permissions()).members == {}
        assert dict(connector.unreadable).keys() == {"users"}
        found = await listed(connector.listing())
    assert {permits(each.acl or NOBODY, Scope.outsider()) for each in found.values()} == {True, False}
    assert company.people


async def test_a_broken_listing_of_projects_raises(local: LocalAtlassian, company: Company) -> None:
    local.fail("project/search", Fault.forbidden(), None)
    async with jira(local, "cloud") as connector:
        with pytest.raises(Refused):
            await connector.permissions()
    assert company.projects


class Tracked:
    """A project of its own with one issue, which Ann reported."""

    def __init__(self, local: LocalAtlassian, *holders: Holder) -> None:
        self.world = local.world
        self.ann, self.bo = self.world.add_user("Ann Lee"), self.world.add_user("Bo Ek")
        scheme = self.world.add_scheme("Own", *holders)
        self.project = self.world.add_project("OWN", "Own", lead=self.bo, scheme=scheme)
        self.issue: Issue = self.world.add_issue(self.project, "One", "text", by=self.ann)
        admit(local)


async def _readers(local: LocalAtlassian, tracked: Tracked, flavour: str, **options: Any) -> list[str]:
    async with jira(local, flavour, projects=("OWN",), **options) as connector:
        directory = await connector.permissions()
        item = (await listed(connector.listing()))[f"issue:{tracked.issue.id}"]
    found = [each.display for each in (tracked.ann, tracked.bo) if reads(directory, each, item)]
    scopes = {"all": Scope.outsider(), "organisation": Scope(frozenset({ORG}))}
    return found + [name for name, scope in scopes.items() if permits(item.acl or NOBODY, scope)]


@pytest.mark.parametrize("flavour", FLAVOURS)
@pytest.mark.parametrize(
    ("holder", "readers"),
    [
        (Holder("anyone"), ["Ann Lee", "Bo Ek"]),
        (Holder("reporter"), ["Ann Lee"]),
        (Holder("projectLead"), ["Bo Ek"]),
        (Holder("applicationRole"), ["Ann Lee", "Bo Ek"]),
        (Holder("applicationRole", "jira-software"), ["Ann Lee", "Bo Ek"]),
        (Holder("applicationRole", "jira-other"), []),
        (Holder("group", "jira-users"), ["Ann Lee", "Bo Ek"]),
        (Holder("group", "gone"), []),
        (Holder("assignee"), []),
    ],
    ids=lambda value: f"{value.kind} {value.value}" if isinstance(value, Holder) else "",
)
async def test_every_kind_of_holder(local: LocalAtlassian, flavour: str, holder: Holder, readers: list[str]) -> None:
    assert await _readers(local, Tracked(local, holder), flavour) == readers


@pytest.mark.parametrize("flavour", FLAVOURS)
async def test_anyone_is_everybody_where_the_operator_says_so(local: LocalAtlassian, flavour: str) -> None:
    tracked = Tracked(local, Holder("anyone"))
    assert await _readers(local, tracked, flavour, open_to_all=True) == ["Ann Lee", "Bo Ek", "all", "organisation"]


@pytest.mark.parametrize("flavour", FLAVOURS)
async def test_an_issue_that_does_not_tell_its_level_admits_nobody_where_there_are_levels(
    local: LocalAtlassian, flavour: str
) -> None:
    tracked = Tracked(local, Holder("applicationRole"))
    local.world.hidden_fields.add("security")
    assert await _readers(local, tracked, flavour) == ["Ann Lee", "Bo Ek"], "the project has no levels"
    tracked.project.security = local.world.add_security("Levels", Board=[Holder("user", local.bot.id)]).id
    tracked.issue.level = local.world.level("Board").id
    assert await _readers(local, tracked, flavour) == []
    async with jira(local, flavour) as connector:
        await connector.permissions()
        await listed(connector.listing())
        assert any("security levels" in path for path, _ in connector.unreadable)


@pytest.mark.parametrize(
    ("kinds", "readers"), [("a", ["Ann Lee"]), ("b", ["Bo Ek"]), ("ab", ["Ann Lee", "Bo Ek"]), ("c", [])]
)
async def test_an_issue_that_is_restricted_to_roles_admits_who_has_one_of_them(
    local: LocalAtlassian, kinds: str, readers: list[str]
) -> None:
    tracked = Tracked(local, Holder("applicationRole"))
    roles = {name: local.world.add_role(name) for name in "abc"}
    local.world.add_group("core", [tracked.bo])
    local.world.fill_role(tracked.project, roles["a"], tracked.ann, local.bot)
    local.world.fill_role(tracked.project, roles["b"], local.world.groups["core"], local.bot)
    local.world.fill_role(tracked.project, roles["c"], local.bot)
    local.world.restrict_issue(tracked.issue, *(roles[each] for each in kinds), by=tracked.ann)
    everyone = frozenset({"jira-users"})
    assert await _readers(local, tracked, "cloud", organisation_groups=everyone) == readers


@pytest.mark.parametrize(
    ("shown", "readers"),
    [
        (None, 2),
        ({}, 2),
        ({"issuerestrictions": {}, "shouldDisplay": True}, 2),
        ({"issuerestrictions": None, "shouldDisplay": False}, 2),
        ({"issuerestrictions": {"projectrole": []}, "shouldDisplay": True}, 2),
        ({"issuerestrictions": {"projectrole": [{"id": "ROLE"}]}}, 1),
        ({"issuerestrictions": {"projectrole": [{"id": "ROLE"}, {"id": "404"}]}}, 1),
        ({"issuerestrictions": {"projectrole": [{"id": "404"}]}}, 0),
        ({"issuerestrictions": {"projectrole": [{"id": "ROLE"}, {"name": "Leads"}]}}, 0),
        ({"issuerestrictions": {"projectrole": ["ROLE"]}}, 0),
        ({"issuerestrictions": {"projectrole": {"id": "ROLE"}}}, 0),
        ({"issuerestrictions": {"projectrole": [{"id": "ROLE"}], "group": [{"id": "1"}]}}, 0),
        ({"issuerestrictions": [{"id": "ROLE"}]}, 0),
        ({"shouldDisplay": True}, 0),
        ([{"id": "ROLE"}], 0),
        ("restricted", 0),
    ],
)
async def test_a_restriction_of_an_unknown_form_admits_nobody_and_is_told(
    local: LocalAtlassian, shown: object, readers: int
) -> None:
    tracked = Tracked(local, Holder("applicationRole"))
    role = local.world.add_role("Leads")
    local.world.fill_role(tracked.project, role, tracked.bo)
    restriction = json.loads(json.dumps(shown).replace("ROLE", role.id))
    issue, home = tracked.issue, {"id": tracked.project.id, "key": "OWN", "projectTypeKey": "software"}
    fields = {"project": home, "created": "2026-01-05T08:00:02.000+0000", "security": None}
    row = {"id": issue.id, "key": issue.key, "fields": fields | {"issuerestriction": restriction}}
    local.fail("search/jql", Fault.wrong({"issues": [row], "isLast": True}), None)
    assert len(await _readers(local, tracked, "cloud")) == readers
    async with jira(local, "cloud", projects=("OWN",)) as connector:
        await connector.permissions()
        await listed(connector.listing())
        assert bool(connector.unreadable) == ("404" in str(shown) or readers == 0)


@pytest.mark.parametrize("flavour", FLAVOURS)
@pytest.mark.parametrize("holder", [Holder("applicationRole"), Holder("group", "jira-users")])
async def test_a_group_that_is_the_organisation(local: LocalAtlassian, flavour: str, holder: Holder) -> None:
    everyone = frozenset({"jira-users"})
    found = await _readers(local, Tracked(local, holder), flavour, organisation_groups=everyone)
    assert found == ["Ann Lee", "Bo Ek", "organisation"]


@pytest.mark.parametrize("flavour", FLAVOURS)
async def test_fields_that_name_people_and_groups(local: LocalAtlassian, flavour: str) -> None:
    owner, team = local.world.add_field("Owner", "user"), local.world.add_field("Team", "group")
    tracked = Tracked(local, Holder("userCustomField", owner.id), Holder("groupCustomField", team.id))
    assert await _readers(local, tracked, flavour) == []
    tracked.world.set(tracked.issue, tracked.ann, fields={owner.id: tracked.bo.id})
    assert await _readers(local, tracked, flavour) == ["Bo Ek"]
    tracked.world.add_group("core", [tracked.ann])
    tracked.world.set(tracked.issue, tracked.ann, fields={team.id: ["core"]})
    assert await _readers(local, tracked, flavour) == ["Ann Lee"]


async def test_a_kind_of_holder_that_is_not_known_admits_nobody_and_is_told(local: LocalAtlassian) -> None:
    Tracked(local, Holder("reporter"))
    new = {"id": 1, "holder": {"type": "moonPhase"}, "permission": "BROWSE_PROJECTS"}
    portal = {"id": 2, "holder": {"type": "sd.customer.portal.only"}, "permission": "BROWSE_PROJECTS"}
    local.fail("permissionscheme", Fault.wrong({"permissions": [new, portal]}), None)
    async with jira(local, "cloud") as connector:
        await connector.permissions()
        found = await listed(connector.listing())
        assert [each.acl for each in found.values()] == [NOBODY]
        assert [path for path, _ in connector.unreadable] == ["holders of the kind moonPhase"]


async def test_levels_of_data_center_are_what_an_operator_says(local: LocalAtlassian, company: Company) -> None:
    board = company.groups[0].name
    company.world.set_members(company.world.level("Board"), Holder("group", board), Holder("user", local.bot.id))
    async with jira(local, "datacenter", security_levels={"Board": [board]}) as connector:
        directory = await connector.permissions()
        found = await listed(connector.listing())
        assert {path for path, _ in connector.unreadable} == {"security level Team", "security level Involved"}
    levels = {each.id: each.name for one in company.world.security.values() for each in one.levels.values()}
    more, less = differences(company, directory, found)
    lost = {each.rpartition(" ")[2] for each in less}
    of = {f"issue:{each.id}": levels.get(each.level, "") for each in company.open_issues()}
    assert more == []
    assert {of[each] for each in lost if each in of} <= {"Team", "Involved"}
    assert all(NOBODY.clauses <= (found[each].acl or NOBODY).clauses for each, name in of.items() if name == "Team")


@pytest.mark.parametrize("flavour", FLAVOURS)
async def test_the_directory_knows_who_is_who(local: LocalAtlassian, flavour: str) -> None:
    world = local.world
    a_project(local)
    one, two, three = (world.add_user(name) for name in ("Dora One", "Dora Two", "Dora Three"))
    two.email = one.email.upper()
    four, customer = world.add_user("Hidden", hidden=True), world.add_user("Buyer", kind="customer")
    three.active = False
    world.add_group("outer", groups=["inner"])
    world.add_group("inner", [four])
    async with jira(local, flavour) as connector:
        members = (await connector.permissions()).members
    assert {one.email, three.email}.isdisjoint(members)
    assert "ann.lee@example.com" in members
    if flavour == "cloud":
        assert {four.email, customer.email}.isdisjoint(members)
    else:
        names = {each.id for each in members[four.email]}
        assert names >= {"j/outer", "j/inner", "j/jira-users", "j/*", f"j/{four.key}"}
    world.nested = False
    async with jira(local, flavour) as connector:
        members = (await connector.permissions()).members
    assert flavour == "cloud" or "j/outer" not in {each.id for each in members[four.email]}


@pytest.mark.parametrize("flavour", FLAVOURS)
async def test_notes_of_a_desk_are_for_its_agents(local: LocalAtlassian, flavour: str) -> None:
    world = local.world
    project, ann = a_project(local, kind="service_desk")
    agent = world.add_user("Agent Smith")
    world.grant(world.schemes[project.scheme], Holder("user", agent.id), "SERVICEDESK_AGENT")
    world.grant(world.schemes[project.scheme], Holder("user", local.bot.id), "SERVICEDESK_AGENT")
    issue = world.add_issue(project, "Help", "text", by=ann)
    world.say(issue, "open words", by=ann)
    note = world.say(issue, "hidden words", by=ann, internal=True)
    for chosen, who in (("agents", [agent]), ("browse", [agent, ann])):
        async with jira(local, flavour, internal_notes=chosen) as connector:
            directory = await connector.permissions()
            found = await listed(connector.listing())
            item = found[f"comment:{issue.id}/{note.id}"]
            assert [each for each in (agent, ann) if reads(directory, each, item)] == who
            assert b"hidden words" not in (await connector.fetch(found[f"issue:{issue.id}"])).raw
            assert b"hidden words" in (await connector.fetch(item)).raw


async def test_a_desk_s_comment_that_says_nothing_of_itself_is_a_note(local: LocalAtlassian) -> None:
    project, ann = a_project(local, kind="service_desk")
    issue = local.world.add_issue(project, "Help", "text", by=ann)
    said = local.world.say(issue, "words", by=ann)
    silent = {"id": said.id, "body": "words", "updated": "2026-01-05T08:00:02.000+0000"}
    bare = {"startAt": 0, "maxResults": 50, "total": 1, "comments": [silent]}
    fields = {"project": {"id": project.id, "key": project.key, "projectTypeKey": "service_desk"}, "comment": bare}
    shown = {"id": issue.id, "key": issue.key, "fields": fields | {"created": "2026-01-05T08:00:02.000+0000"}}
    local.fail("api/2/search", Fault.wrong({"issues": [shown], "total": 1}), None)
    local.fail(f"issue/{issue.id}/comment", Fault.wrong(bare), None)
    async with jira(local, "datacenter") as connector:
        found = await listed(connector.listing())
    assert (found[f"comment:{issue.id}/{said.id}"].acl or Acl.any_of(PUBLIC)).clauses >= NOBODY.clauses


async def test_principals_carry_the_source_and_the_product_s_own_ids(local: LocalAtlassian) -> None:
    tracked = Tracked(local, Holder("reporter"))
    async with jira(local, "cloud", projects=("OWN",)) as connector:
        found = await listed(connector.listing())
        admitted = next(iter((found[f"issue:{tracked.issue.id}"].acl or NOBODY).clauses))
    assert admitted == {account("j", tracked.ann.id), account("j", local.bot.id)}
