from typing import Any

from tests.fakes.atlassian import Account, LocalAtlassian
from tests.fakes.atlassian.plain_client import Client, a_project, filed

FOUND = "/rest/api/3/search/jql"
ALL = "updated >= 0 order by key"


def keys(rows: list[dict[str, Any]]) -> list[str]:
    return [row["key"] for row in rows]


def test_tokens_are_good_for_one_query_and_some_days(atlassian: LocalAtlassian, ask: Client) -> None:
    filed(atlassian, 3)
    token = ask.cloud(FOUND, jql=ALL, maxResults=1).json()["nextPageToken"]
    assert ask.cloud(FOUND, jql="updated > 0", nextPageToken=token).status_code == 400
    assert ask.cloud(FOUND, jql=ALL, nextPageToken="mine").status_code == 400
    atlassian.world.advance(days=8)
    answer = ask.cloud(FOUND, jql=ALL, nextPageToken=token)
    assert answer.status_code == 400
    assert "invalid or expired" in answer.json()["errorMessages"][0]


def test_cloud_gives_ids_alone_unless_fields_are_named(atlassian: LocalAtlassian, ask: Client) -> None:
    issue = filed(atlassian, 1)[0]
    assert ask.cloud(FOUND, jql=ALL).json()["issues"] == [{"id": issue.id}]
    fields = ask.issues(ALL, fields=["summary", "updated"])[0]["fields"]
    assert fields == {"summary": "Issue 0", "updated": "2026-01-05T08:00:01.000+0000"}
    assert "comment" in ask.issues(ALL, fields=["*all"])[0]["fields"]
    assert "comment" not in ask.issues(ALL, fields=["*all", "-comment"])[0]["fields"]
    assert ask.cloud(FOUND, jql="").status_code == ask.cloud(FOUND, jql="order by key").status_code == 400
    assert ask.post(FOUND, {"jql": ALL, "startAt": 3}).status_code == 400


def test_times_in_jql(atlassian: LocalAtlassian, ask: Client) -> None:
    filed(atlassian, 2)  # at 08:00:01 and 08:00:02 UTC
    at = int(atlassian.world.now.timestamp() * 1000)

    def found(jql: str) -> int:
        return len(ask.issues(jql))

    assert [found(f"updated >= {at}"), found(f"updated > {at}"), found(f"updated >= {at - 1000}")] == [1, 0, 2]
    assert [found('updated >= "2026-01-05 09:00"'), found('updated >= "2026/01/05 09:01"')] == [2, 0]
    atlassian.bot.zone = "UTC"
    assert ask.jira("/rest/api/2/myself").json()["timeZone"] == "UTC"
    assert [found('updated >= "2026-01-05 08:00"'), found('updated >= "2026-01-05 08:01"')] == [2, 0]
    assert found("updated > 0 and project = KB") == 2
    assert ask.cloud(FOUND, jql='updated >= "soon"').status_code == 400
    assert ask.cloud(FOUND, jql="project = NONE").status_code == 400
    assert ask.cloud(FOUND, jql="colour = red").status_code == 400


def test_a_search_lags_unless_issues_are_to_be_reconciled(atlassian: LocalAtlassian, ask: Client) -> None:
    old, new = filed(atlassian, 2)
    atlassian.world.index_lag = new.updated - old.updated
    assert keys(ask.issues(ALL, fields=["key"])) == [old.key]
    assert keys(ask.issues(ALL, fields=["key"], reconcileIssues=[int(new.id)])) == [old.key, new.key]
    assert ask.cloud(f"/rest/api/3/issue/{new.key}").status_code == 200


def test_former_keys_lead_to_moved_issues(atlassian: LocalAtlassian, ask: Client) -> None:
    issue = filed(atlassian, 1)[0]
    world, before = atlassian.world, issue.updated
    world.rekey(world.projects[issue.project], "RUN")
    assert issue.updated == before
    assert ask.cloud("/rest/api/3/issue/KB-1").json()["key"] == "RUN-1"
    assert ask.jira("/rest/api/2/issue/KB-1").json()["key"] == "RUN-1"
    assert ask.cloud("/rest/api/3/project/KB").json()["key"] == "RUN"
    assert keys(ask.issues("project = KB", fields=["key"])) == ["RUN-1"]
    world.delete_issue(issue)
    assert ask.cloud("/rest/api/3/issue/RUN-1").status_code == 404
    assert ask.issues("project = RUN") == []


def test_comments_are_seen_by_those_they_are_for(atlassian: LocalAtlassian, ask: Client) -> None:
    world = atlassian.world
    role = world.add_role("Developers")
    project, ann = a_project(atlassian, kind="service_desk")
    bob, eve = world.add_user("Bob Ray", groups=["ops"]), world.add_user("Eve Fox")
    world.fill_role(project, role, eve)
    issue = world.add_issue(project, "Help", by=ann)
    world.say(issue, "for all", by=ann)
    world.say(issue, "for ops", by=ann, group="ops")
    world.say(issue, "for developers", by=ann, role="Developers")
    world.say(issue, "not for customers", by=ann, internal=True)
    logins = {each.name: atlassian.login(each) for each in (bob, eve)}

    def said(account: Account) -> list[str]:
        rows = ask.jira(f"/rest/api/2/issue/{issue.key}/comment", account).json()["comments"]
        assert [each["id"] for each in rows] == [
            each["id"] for each in ask.cloud(f"/rest/api/3/issue/{issue.key}/comment", account).json()["comments"]
        ]
        return [each["body"] for each in rows]

    assert said(logins["bob.ray"]) == ["for all", "for ops", "not for customers"]
    assert said(logins["eve.fox"]) == ["for all", "for developers", "not for customers"]
    shown = ask.cloud(f"/rest/api/3/issue/{issue.key}/comment", logins["bob.ray"], expand="properties").json()[
        "comments"
    ]
    assert [each.get("visibility", {}).get("identifier") for each in shown] == [None, world.groups["ops"].id, None]
    assert [each["jsdPublic"] for each in shown] == [True, True, False]
    assert shown[2]["properties"][0]["value"] == {"internal": True}
    world.internal_notes = "agents"
    assert said(logins["bob.ray"]) == ["for all", "for ops"]
