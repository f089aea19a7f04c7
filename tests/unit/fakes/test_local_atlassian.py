from collections.abc import Iterator

import httpx
import pytest

from tests.fakes.atlassian import (
    Fault,
    LocalAtlassian,
    local_atlassian,
)
from tests.fakes.atlassian.plain_client import Client, a_tree, titles


@pytest.fixture
def atlassian() -> Iterator[LocalAtlassian]:
    with local_atlassian() as running:
        yield running


@pytest.fixture
def ask(atlassian: LocalAtlassian) -> Iterator[Client]:
    with httpx.Client(timeout=10) as http:
        yield Client(atlassian, http)


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


def test_faults_of_listings(atlassian: LocalAtlassian, ask: Client) -> None:
    a_tree(atlassian)
    path = "/wiki/api/v2/pages"

    def listed(fault: Fault) -> list[str]:
        atlassian.fail(path, fault, after=1)
        return titles(ask.pages(path, limit=2))

    assert listed(Fault.shifted(1)) == ["Engineering Home", "Top", "Low"]
    assert listed(Fault.shifted(-1)) == ["Engineering Home", "Top", "Top", "Middle"]
    assert listed(Fault.short(1)) == ["Engineering Home", "Top", "Middle"]
    assert listed(Fault.empty()) == ["Engineering Home", "Top"]
    atlassian.fail(path, Fault.loop(), None)
    first = ask.cloud(path, limit=2).json()["_links"]["next"]
    assert ask.cloud(first).json()["_links"]["next"] == first
    atlassian.heal()
    atlassian.fail("/rest/api/2/search", Fault.loop(), None)
    assert ask.jira("/rest/api/2/search", startAt=500).json()["total"] > 500


def test_faults_of_answers(atlassian: LocalAtlassian, ask: Client) -> None:
    path = "/wiki/api/v2/spaces"
    faults = [Fault.ratelimited(7), Fault.error(503), Fault.unauthorized(), Fault.forbidden(), Fault.login_page()]
    for fault in [*faults, Fault.garbage(), Fault.wrong([])]:
        atlassian.fail("^/wiki", fault)
    answers = [ask.cloud(path) for _ in range(7)]
    assert [each.status_code for each in answers] == [429, 503, 401, 403, 200, 200, 200]
    assert answers[0].headers["retry-after"] == "7"
    assert answers[4].headers["content-type"].startswith("text/html")
    with pytest.raises(ValueError, match="Expecting"):
        answers[5].json()
    assert answers[6].json() == []
    atlassian.fail(path, Fault.reset())
    with pytest.raises(httpx.ReadError):
        ask.cloud(path)
    atlassian.fail(path, Fault.hang())
    with pytest.raises(httpx.ReadTimeout):
        ask.http.get(atlassian.at.site + path, timeout=0.2)
    atlassian.fail(path, Fault.slow(0.2))
    assert ask.cloud(path).json()["results"] == []
    assert [each.status for each in atlassian.calls(path)][-3:] == [0, 0, 200]


def test_errors_at_a_rate_and_limits(atlassian: LocalAtlassian, ask: Client) -> None:
    atlassian.fail("serverInfo", Fault.error(500), None, rate=0.3, after=10)
    found = [ask.cloud("/rest/api/3/serverInfo").status_code for _ in range(60)]
    assert set(found[:10]) == {200}
    assert 5 < found.count(500) < 30
    atlassian.heal()
    atlassian.limit("serverInfo", per_minute=60, burst=2)
    answers = [ask.cloud("/rest/api/3/serverInfo") for _ in range(3)]
    assert [each.status_code for each in answers] == [200, 200, 429]
    assert answers[2].headers["retry-after"] == "1"


def test_calls_are_kept_with_who_made_them(atlassian: LocalAtlassian, ask: Client) -> None:
    ann = atlassian.world.add_user("Ann Lee")
    ask.cloud("/wiki/api/v2/spaces", atlassian.login(ann), limit=3)
    ask.post("/rest/api/3/search/approximate-count", {"jql": "updated > 0"})
    ask.jira("/rest/api/2/none")
    ask.http.get(f"{atlassian.confluence}/rest/api/space")
    shown = [(each.front, each.method, each.user, each.status, each.authorized) for each in atlassian.calls()]
    bot = atlassian.bot.id
    assert shown == [
        ("site", "GET", ann.id, 200, True),
        ("site", "POST", bot, 200, True),
        ("jira", "GET", bot, 404, True),
        ("confluence", "GET", "", 401, False),
    ]
    assert atlassian.calls("/spaces")[0].query == {"limit": ["3"]}
    assert atlassian.calls(front="site")[1].body == {"jql": "updated > 0"}
    atlassian.forget_calls()
    assert atlassian.calls() == []


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


def test_faults_happen_after_some_requests_of_one_method(atlassian: LocalAtlassian, ask: Client) -> None:
    atlassian.fail("search", Fault.ratelimited(reason="jira-quota-global-based"), 2, after=1, method="POST")
    path, body = "/rest/api/3/search/approximate-count", {"jql": "updated > 0"}
    answers = [ask.post(path, body) for _ in range(4)]
    assert [each.status_code for each in answers] == [200, 429, 429, 200]
    assert answers[1].headers["ratelimit-reason"] == "jira-quota-global-based"
    atlassian.fail("^/ex/jira/", Fault.error(502))
    assert ask.post(path, body).status_code == 200
    url = f"{atlassian.jira_gateway}{path}"
    assert [ask.http.post(url, json=body, auth=atlassian.basic()).status_code for _ in "12"] == [502, 200]
