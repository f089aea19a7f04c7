from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tests.fakes.atlassian import Account, LocalAtlassian, local_atlassian
from tests.fakes.atlassian.plain_client import Client, a_project, filed

FOUND = "/rest/api/3/search/jql"
ALL = "updated >= 0 order by key"


@pytest.fixture
def atlassian() -> Iterator[LocalAtlassian]:
    with local_atlassian() as running:
        yield running


@pytest.fixture
def ask(atlassian: LocalAtlassian) -> Iterator[Client]:
    with httpx.Client(timeout=10) as http:
        yield Client(atlassian, http)


def keys(rows: list[dict[str, Any]]) -> list[str]:
    return [row["key"] for row in rows]


# listings


def test_cloud_finds_by_tokens_until_the_last_page(atlassian: LocalAtlassian, ask: Client) -> None:
    every = [each.key for each in filed(atlassian, 25)]
    first = ask.cloud(FOUND, jql=ALL, fields="summary", maxResults=10).json()
    assert (first["isLast"], len(first["issues"]), "total" in first, "startAt" in first) == (False, 10, False, False)
    assert keys(ask.issues(ALL, fields=["summary"], maxResults=10)) == every
    assert len(atlassian.calls("search/jql")) == 4
    last = ask.cloud(FOUND, jql=ALL, fields="summary", maxResults=25).json()
    assert last["isLast"] is True
    assert "nextPageToken" not in last
    assert ask.post("/rest/api/3/search/approximate-count", {"jql": ALL}).json() == {"count": 25}


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


def test_data_center_finds_by_offset_and_total(atlassian: LocalAtlassian, ask: Client) -> None:
    every = [each.key for each in filed(atlassian, 25)]
    first = ask.jira("/rest/api/2/search", jql=ALL, maxResults=10).json()
    assert (first["startAt"], first["maxResults"], first["total"]) == (0, 10, 25)
    assert keys(ask.numbered(ALL, maxResults=10)) == every
    assert len(atlassian.calls("/search")) == 4
    shown = ask.numbered(ALL, expand="changelog")[0]
    assert shown["changelog"]["total"] == 0
    assert shown["fields"]["description"] == "text 0"
    assert ask.jira("/rest/api/2/search", jql=ALL, startAt="x").status_code == 400


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
    assert found("updated >= -10m and project = KB") == 2
    assert ask.cloud(FOUND, jql='updated >= "soon"').status_code == 400
    assert ask.cloud(FOUND, jql="project = NONE").status_code == 400
    assert ask.cloud(FOUND, jql="colour = red").status_code == 400


def test_a_search_lags_unless_issues_are_to_be_reconciled(atlassian: LocalAtlassian, ask: Client) -> None:
    old, new = filed(atlassian, 2)
    atlassian.world.index_lag = new.updated - old.updated
    assert keys(ask.issues(ALL, fields=["key"])) == [old.key]
    assert keys(ask.issues(ALL, fields=["key"], reconcileIssues=[int(new.id)])) == [old.key, new.key]
    assert ask.cloud(f"/rest/api/3/issue/{new.key}").status_code == 200


def test_many_issues_and_their_histories_at_once(atlassian: LocalAtlassian, ask: Client) -> None:
    first, second = filed(atlassian, 2)
    ann = atlassian.world.users[first.reporter]
    for status in ("In Progress", "Done"):
        atlassian.world.move_to(first, status, by=ann)
    atlassian.world.set(second, ann, assignee=ann.id, summary="Other")
    answer = ask.post(
        "/rest/api/3/issue/bulkfetch", {"issueIdsOrKeys": [second.key, "KB-9", first.id], "fields": ["summary"]}
    )
    assert keys(answer.json()["issues"]) == [first.key, second.key]
    assert [each["id"] for each in answer.json()["issueErrors"]] == ["KB-9"]
    assert ask.post("/rest/api/3/issue/bulkfetch", {"issueIdsOrKeys": ["1"] * 101}).status_code == 400
    body = {"issueIdsOrKeys": [first.id, second.id], "maxResults": 2}
    part = ask.post("/rest/api/3/changelog/bulkfetch", body).json()
    assert [(each["issueId"], len(each["changeHistories"])) for each in part["issueChangeLogs"]] == [(first.id, 2)]
    rest = ask.post("/rest/api/3/changelog/bulkfetch", body | {"nextPageToken": part["nextPageToken"]}).json()
    items = rest["issueChangeLogs"][0]["changeHistories"][0]["items"]
    assert [(each["field"], each["toString"]) for each in items] == [("assignee", ann.id), ("summary", "Other")]
    assert "nextPageToken" not in rest
    single = ask.cloud(f"/rest/api/3/issue/{first.key}/changelog", maxResults=1).json()
    assert (single["total"], single["isLast"], len(single["values"])) == (2, False, 1)
    status = ask.post("/rest/api/3/changelog/bulkfetch", body | {"fieldIds": ["assignee"]}).json()
    assert [each["issueId"] for each in status["issueChangeLogs"]] == [second.id]


# what an issue holds


def test_families_and_links(atlassian: LocalAtlassian, ask: Client) -> None:
    epic, story, task = filed(atlassian, 3)
    epic.kind, story.parent = "Epic", epic.id
    task.kind, task.parent = "Sub-task", story.id
    atlassian.world.link(story, epic, "Blocks")
    shown = {each["key"]: each["fields"] for each in ask.issues(ALL, fields=["*all"])}
    assert [each["key"] for each in shown[story.key]["subtasks"]] == [task.key]
    assert shown[story.key]["parent"]["key"] == epic.key
    assert shown[story.key]["issuelinks"][0]["outwardIssue"]["key"] == epic.key
    assert shown[epic.key]["issuelinks"][0]["inwardIssue"]["key"] == story.key
    assert shown[epic.key]["issuelinks"][0]["type"]["inward"] == "is blocked by"
    own = {each["key"]: each["fields"] for each in ask.numbered(ALL, fields="*all")}
    assert own[story.key]["customfield_10014"] == epic.key
    assert own[task.key]["parent"]["key"] == story.key


def test_remote_links_and_files(atlassian: LocalAtlassian, ask: Client) -> None:
    issue = filed(atlassian, 1)[0]
    ann = atlassian.world.users[issue.reporter]
    before = issue.updated
    atlassian.world.link_away(
        issue, "https://x.example/pages/viewpage.action?pageId=7", "Page", application="Confluence"
    )
    assert issue.updated == before
    link = ask.cloud(f"/rest/api/3/issue/{issue.key}/remotelink").json()[0]
    assert (link["object"]["title"], link["application"]["type"]) == ("Page", "com.atlassian.confluence")
    assert link["globalId"].endswith("&pageId=7")
    atlassian.world.add_file(issue, "a b.log", b"data", by=ann)
    file = ask.issues(ALL, fields=["attachment"])[0]["fields"]["attachment"][0]
    answer = ask.cloud(file["content"].removeprefix(atlassian.at.site))
    assert answer.status_code == 303
    assert ask.http.get(answer.headers["location"]).content == b"data"
    own = ask.numbered(ALL, fields="attachment")[0]["fields"]["attachment"][0]
    assert ask.jira(own["content"].removeprefix(atlassian.at.jira)).content == b"data"


def test_former_keys_lead_to_moved_issues(atlassian: LocalAtlassian, ask: Client) -> None:
    issue = filed(atlassian, 1)[0]
    world = atlassian.world
    other, ann = a_project(atlassian, "OPS")
    world.move_issue(issue, other, by=ann)
    assert ask.cloud("/rest/api/3/issue/KB-1").json()["key"] == "OPS-1"
    before = issue.updated
    world.rekey(other, "RUN")
    assert issue.updated == before
    assert ask.jira("/rest/api/2/issue/OPS-1").json()["key"] == "RUN-1"
    assert ask.cloud("/rest/api/3/project/OPS").json()["key"] == "RUN"
    assert keys(ask.issues("project = OPS", fields=["key"])) == ["RUN-1"]
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
    note = world.say(issue, "not for customers", by=ann, internal=True)
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
    path = f"/rest/api/2/comment/{note.id}/properties/sd.public.comment"
    assert ask.jira(path, logins["bob.ray"]).json()["value"] == {"internal": True}
    world.internal_notes = "agents"
    assert said(logins["bob.ray"]) == ["for all", "for ops"]
