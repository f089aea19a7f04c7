from tests.fakes.atlassian import (
    LocalAtlassian,
)
from tests.fakes.atlassian.plain_client import Client, a_tree


def test_scoped_tokens_work_on_the_gateway_only(atlassian: LocalAtlassian, ask: Client) -> None:
    top, _, _ = a_tree(atlassian)
    account = atlassian.world.add_account(atlassian.bot, "scoped", scoped=True, sees_all=True)
    account.scopes = {"read:page:confluence", "read:jira-work"}
    login = atlassian.basic(account)
    assert ask.cloud("/wiki/api/v2/pages", account).status_code == 401
    answer = ask.http.get(f"{atlassian.confluence_gateway}/wiki/api/v2/pages?limit=2", auth=login)
    assert answer.json()["_links"]["next"].startswith("/wiki/api/v2/pages")
    assert answer.json()["_links"]["base"] == atlassian.confluence_cloud
    path = f"/wiki/rest/api/content/{top.id}/restriction/byOperation/read"
    refused = ask.http.get(atlassian.confluence_gateway + path, auth=login)
    assert (refused.status_code, refused.json()["message"]) == (401, "Unauthorized; scope does not match")
    assert ask.http.get(f"{atlassian.jira_gateway}/rest/api/3/field", auth=login).status_code == 200
    account.state = "expired"
    assert ask.http.get(f"{atlassian.confluence_gateway}/wiki/api/v2/pages", auth=login).status_code == 401


def test_what_cloud_took_out_is_gone(atlassian: LocalAtlassian, ask: Client) -> None:
    assert ask.cloud("/wiki/rest/api/content").status_code == 410
    assert ask.cloud("/wiki/rest/api/space").status_code == 410
    gone = ask.cloud("/rest/api/3/search", jql="project = A")
    assert gone.status_code == 410
    assert "/rest/api/3/search/jql" in gone.json()["errorMessages"][0]


def test_who_may_log_in(atlassian: LocalAtlassian, ask: Client) -> None:
    world = atlassian.world
    ann, eve = world.add_user("Ann Lee"), world.add_user("Eve Fox", licensed=False)
    account = atlassian.login(ann)
    path = "/wiki/rest/api/user/current"
    assert ask.cloud(path, account).json()["accountId"] == ann.id
    assert ask.cloud(path, atlassian.login(eve)).status_code == 403  # no licence for Confluence
    mail, secret = atlassian.basic(account)
    for name, given in ((mail, "wrong"), ("ann.lee", secret), (atlassian.bot.email, secret)):
        assert ask.http.get(atlassian.at.site + path, auth=(name, given)).status_code == 401
    assert ask.http.get(atlassian.at.site + path, headers=atlassian.bearer(account)).status_code == 401
    assert ask.wiki("/rest/api/user/current", account).json()["username"] == "ann.lee"
    for state in ("expired", "revoked"):
        account.state = state
        assert ask.cloud(path, account).status_code == ask.wiki("/rest/api/user/current", account).status_code == 401
    account.state = "active"
    world.deactivate(ann)
    assert ask.cloud(path, account).status_code == 401
