from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tests.fakes.atlassian import Holder, LocalAtlassian, User, local_atlassian
from tests.fakes.atlassian.plain_client import Client, a_project, filed


@pytest.fixture
def atlassian() -> Iterator[LocalAtlassian]:
    with local_atlassian() as running:
        yield running


@pytest.fixture
def ask(atlassian: LocalAtlassian) -> Iterator[Client]:
    with httpx.Client(timeout=10) as http:
        yield Client(atlassian, http)


def test_schemes_show_every_kind_of_holder(atlassian: LocalAtlassian, ask: Client) -> None:
    world = atlassian.world
    role, field, group = world.add_role("Developers"), world.add_field("Owner", "user"), world.add_group("ops")
    project, ann = a_project(atlassian)
    scheme = world.add_scheme(
        "All", *(Holder(each) for each in ("anyone", "reporter", "assignee", "projectLead", "applicationRole")),
        Holder("group", "ops"), Holder("user", ann.id), Holder("projectRole", role.id),
        Holder("userCustomField", field.id),
    )  # fmt: skip
    project.scheme = scheme.id
    path = f"/rest/api/3/permissionscheme/{scheme.id}/permission"
    holders = [each["holder"] for each in ask.cloud(path).json()["permissions"]]
    assert [each["type"] for each in holders] == [each.holder.kind for each in scheme.grants]
    assert holders[5] == {"type": "group", "expand": "group", "parameter": "ops", "value": group.id}
    assert holders[6]["parameter"] == ann.id
    own = ask.jira(f"/rest/api/2/project/{project.key}/permissionscheme", expand="permissions").json()["permissions"]
    assert own[6]["holder"]["parameter"] == ann.key
    world.fill_role(project, role, ann, group)
    actors = ask.cloud(f"/rest/api/3/project/{project.key}/role/{role.id}").json()["actors"]
    assert [each["type"] for each in actors] == ["atlassian-group-role-actor", "atlassian-user-role-actor"]
    assert [actors[0]["actorGroup"]["groupId"], actors[1]["actorUser"]["accountId"]] == [group.id, ann.id]
    assert ask.jira(f"/rest/api/2/project/{project.key}/role/{role.id}").json()["actors"][1]["name"] == ann.name
    assert ask.cloud(path, atlassian.login(ann)).status_code == 403


def test_security_levels_and_their_members(atlassian: LocalAtlassian, ask: Client) -> None:
    world = atlassian.world
    security = world.add_security("Levels", Team=[Holder("group", "jira-users")], Own=[Holder("reporter")])
    project, ann = a_project(atlassian, security=security)
    issue = world.add_issue(project, "Leak", by=ann)
    world.secure(issue, world.level("Own"), by=ann)
    found = ask.cloud(f"/rest/api/3/project/{project.key}/issuesecuritylevelscheme").json()
    assert [each["name"] for each in found["levels"]] == ["Team", "Own"]
    members = ask.cloud("/rest/api/3/issuesecurityschemes/level/member", schemeId=security.id).json()["values"]
    assert [each["holder"]["type"] for each in members] == ["group", "reporter"]
    assert ask.cloud(f"/rest/api/3/issue/{issue.key}").status_code == 404  # the service account is in no level
    assert (
        ask.cloud(f"/rest/api/3/issue/{issue.key}", atlassian.login(ann)).json()["fields"]["security"]["name"] == "Own"
    )
    atlassian.admit()
    assert ask.cloud(f"/rest/api/3/issue/{issue.key}").status_code == 200


def test_permissions_are_checked_for_another_user(atlassian: LocalAtlassian, ask: Client) -> None:
    issue = filed(atlassian, 1)[0]
    world = atlassian.world
    ann, eve = world.users[issue.reporter], world.add_user("Eve Fox", licensed=False)

    def may(user: User) -> list[int]:
        wanted = {"permissions": ["BROWSE_PROJECTS"], "issues": [int(issue.id)], "projects": []}
        body = {"accountId": user.id, "projectPermissions": [wanted]}
        return list(ask.post("/rest/api/3/permissions/check", body).json()["projectPermissions"][0]["issues"])

    assert (may(ann), may(eve)) == ([int(issue.id)], [])
    own = ask.jira("/rest/api/2/mypermissions", atlassian.login(eve), projectKey="KB").json()
    assert own.get("errorMessages") == ["No project could be found with key 'KB'."]
    users = ask.jira(
        "/rest/api/2/user/permission/search", permissions="BROWSE", issueKey=issue.key, username="."
    ).json()
    assert {each["name"] for each in users} == {"ann.lee", "knowledge.bot"}


def test_people_with_and_without_an_address(atlassian: LocalAtlassian, ask: Client) -> None:
    world = atlassian.world
    ann, bob = world.add_user("Ann Lee"), world.add_user("Bob Ray", hidden=True)
    rows = {each["accountId"]: each for each in ask.cloud("/rest/api/3/users/search", maxResults=100).json()}
    assert rows[ann.id]["emailAddress"] == "ann.lee@example.com"
    assert "emailAddress" not in rows[bob.id]
    assert ask.jira("/rest/api/2/user", username="bob.ray").json()["emailAddress"] == "bob.ray@example.com"
    assert [each["accountId"] for each in ask.cloud("/rest/api/3/user/search", query="ann.lee@example.com").json()] == [
        ann.id
    ]
    assert ask.cloud("/rest/api/3/user/search", query="bob.ray@example.com").json() == []
    names = [each["name"] for each in ask.cloud("/rest/api/3/user/groups", accountId=ann.id).json()]
    assert names == ["confluence-users", "jira-users"]


def test_errors_have_the_forms_of_the_products(atlassian: LocalAtlassian, ask: Client) -> None:
    gone = ask.cloud("/rest/api/3/issue/KB-1")
    assert gone.status_code == 404
    assert gone.json() == {
        "errorMessages": ["Issue does not exist or you do not have permission to see it."],
        "errors": {},
    }
    wrong = ask.http.get(f"{atlassian.jira_cloud}/rest/api/3/myself", auth=("knowledge.bot@example.com", "x"))
    assert wrong.status_code == 401
    page = ask.cloud("/wiki/api/v2/pages/1")
    assert (page.status_code, page.json()["errors"][0]["code"]) == (404, "NOT_FOUND")
    content = ask.wiki("/rest/api/content/1")
    assert (content.status_code, content.json()["statusCode"]) == (404, 404)
    assert ask.http.get(f"{atlassian.confluence}/rest/api/content").status_code == 401
    atlassian.service.state = "expired"
    assert ask.jira("/rest/api/2/myself").status_code == ask.cloud("/rest/api/3/myself").status_code == 401


@pytest.mark.parametrize(
    "path",
    [
        *("project/search", "group/bulk", "group/member?groupname=jira-users", "issue/KB-1/changelog"),
        "issuesecurityschemes/level/member",
    ],
)
def test_listings_of_jira_are_the_same_in_pages_of_any_size(path: str, atlassian: LocalAtlassian, ask: Client) -> None:
    issue = filed(atlassian, 1)[0]
    world = atlassian.world
    a_project(atlassian, "OPS")
    world.add_security("Levels", Own=[Holder("reporter"), Holder("assignee")])
    for at in range(2):
        world.set(issue, atlassian.bot, summary=f"Name {at}")
    url = f"/rest/api/3/{path}{'&' if '?' in path else '?'}"
    every = ask.cloud(f"{url}maxResults=50").json()
    assert (every["isLast"], every["total"]) == (True, len(every["values"]))
    assert every["total"] > 1
    found: list[Any] = []
    answer = ask.cloud(f"{url}maxResults=1").json()
    while not answer["isLast"]:
        found += answer["values"]
        answer = ask.cloud(answer["nextPage"].removeprefix(atlassian.at.site)).json()
    assert found + answer["values"] == every["values"]
