from tests.fakes.atlassian import Holder, LocalAtlassian
from tests.fakes.atlassian.plain_client import Client, a_project


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
