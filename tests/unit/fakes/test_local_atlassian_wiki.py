from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tests.fakes.atlassian import (
    LocalAtlassian,
    local_atlassian,
    storage,
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


def test_cloud_pages_come_by_cursors(atlassian: LocalAtlassian, ask: Client) -> None:
    a_tree(atlassian)
    first = ask.cloud("/wiki/api/v2/pages", limit=3)
    following = first.json()["_links"]["next"]
    assert following.startswith("/wiki/api/v2/pages?")
    assert first.headers["link"].startswith(f'<{following}>; rel="next"')
    assert titles(ask.pages("/wiki/api/v2/pages", limit=3)) == ["Engineering Home", "Top", "Middle", "Low"]


def test_cloud_bodies_come_in_the_form_that_is_asked_for(atlassian: LocalAtlassian, ask: Client) -> None:
    _, page, _ = a_tree(atlassian)
    path = f"/wiki/api/v2/pages/{page.id}"
    assert ask.cloud(path).json()["body"] == {}
    assert ask.cloud(path, **{"body-format": "storage"}).json()["body"]["storage"]["value"] == "<p>a &amp; b</p>"
    assert (
        '"text": "a & b"'
        in ask.cloud(path, **{"body-format": "atlas_doc_format"}).json()["body"]["atlas_doc_format"]["value"]
    )
    assert ask.cloud(path, **{"body-format": "wiki"}).status_code == 400


def test_states_of_pages(atlassian: LocalAtlassian, ask: Client) -> None:
    top, middle, low = a_tree(atlassian)
    world = atlassian.world
    world.archive(low)
    world.trash(middle)
    assert low.parent == top.id
    assert titles(ask.pages("/wiki/api/v2/pages")) == ["Engineering Home", "Top", "Low"]
    assert titles(ask.pages("/wiki/api/v2/pages", status="trashed")) == ["Middle"]
    assert titles(ask.pages("/wiki/api/v2/pages", status="archived")) == ["Low"]
    world.purge(middle)
    assert ask.cloud(f"/wiki/api/v2/pages/{middle.id}").status_code == 404
    world.restore(low)
    assert titles(ask.pages("/wiki/api/v2/pages", status="current")) == ["Engineering Home", "Top", "Low"]


def test_ancestors_from_the_top_and_restrictions_of_the_page_alone(atlassian: LocalAtlassian, ask: Client) -> None:
    top, middle, low = a_tree(atlassian)
    world = atlassian.world
    bob = world.add_user("Bob Ray")
    world.restrict(top, bob, world.add_group("eng"))
    above = ask.cloud(f"/wiki/api/v2/pages/{low.id}/ancestors").json()["results"]
    assert [each["id"] for each in above] == [world.spaces[low.space].home, top.id, middle.id]
    own = ask.cloud(f"/wiki/rest/api/content/{top.id}/restriction/byOperation/read").json()["restrictions"]
    assert [each["accountId"] for each in own["user"]["results"]] == [bob.id]
    assert [each["name"] for each in own["group"]["results"]] == ["eng"]
    inherited = ask.cloud(f"/wiki/rest/api/content/{low.id}/restriction/byOperation").json()["read"]["restrictions"]
    assert inherited["user"]["size"] == inherited["group"]["size"] == 0


def test_what_one_may_not_view_is_not_found(atlassian: LocalAtlassian, ask: Client) -> None:
    top, _, low = a_tree(atlassian)
    world = atlassian.world
    bob, eve = (atlassian.login(world.add_user(name)) for name in ("Bob Ray", "Eve Fox"))
    world.restrict(top, world.users[bob.user])
    path = f"/wiki/api/v2/pages/{low.id}"
    assert [ask.cloud(path, each).status_code for each in (bob, eve, None)] == [200, 404, 200]
    assert ask.cloud(path, eve).json() == ask.cloud("/wiki/api/v2/pages/1", eve).json()
    assert titles(ask.pages("/wiki/api/v2/pages", eve)) == ["Engineering Home"]
    assert ask.wiki(f"/rest/api/content/{low.id}", eve).status_code == 404


def test_comments_and_answers(atlassian: LocalAtlassian, ask: Client) -> None:
    top, _, _ = a_tree(atlassian)
    world = atlassian.world
    bob = world.add_user("Bob Ray")
    said = world.comment(top, storage("why?"), by=bob)
    world.comment(top, storage("because"), by=bob, parent=said)
    world.resolve(world.comment(top, storage("typo"), by=bob, inline="tpo"))
    base = f"/wiki/api/v2/pages/{top.id}"
    assert [each["id"] for each in ask.pages(f"{base}/footer-comments")] == [said.id]
    answers = ask.pages(f"/wiki/api/v2/footer-comments/{said.id}/children", **{"body-format": "storage"})
    assert [each["body"]["storage"]["value"] for each in answers] == ["<p>because</p>"]
    assert ask.pages(f"{base}/inline-comments", **{"resolution-status": "open"}) == []
    assert ask.pages(f"{base}/inline-comments")[0]["resolutionStatus"] == "resolved"
    deep = ask.wiki(f"/rest/api/content/{top.id}/child/comment", depth="all").json()
    assert deep["size"] == 3


def test_files_are_on_another_host_that_takes_no_credentials(atlassian: LocalAtlassian, ask: Client) -> None:
    top, _, _ = a_tree(atlassian)
    atlassian.world.attach(top, "a b.txt", b"data", by=atlassian.bot)
    link = ask.pages(f"/wiki/api/v2/pages/{top.id}/attachments")[0]["downloadLink"]
    answer = ask.cloud(f"/wiki{link}")
    assert answer.status_code == 302
    assert answer.headers["location"].startswith(atlassian.at.media)
    assert ask.http.get(answer.headers["location"]).content == b"data"
    assert ask.http.get(answer.headers["location"], auth=atlassian.basic()).status_code == 400
    assert [each.authorized for each in atlassian.calls(front="media")] == [False, True]
    own = ask.wiki(f"/rest/api/content/{top.id}/child/attachment").json()["results"][0]["_links"]["download"]
    assert ask.wiki(own).content == b"data"


def test_cql_reads_whole_minutes_in_the_zone_of_the_site(atlassian: LocalAtlassian, ask: Client) -> None:
    a_tree(atlassian)  # at 08:00 UTC, which is 09:00 in Berlin

    def found(cql: str, **more: Any) -> int:
        answer = ask.cloud("/wiki/rest/api/search", cql=f"type = page and {cql} order by lastmodified asc", **more)
        return int(answer.json()["totalSize"])

    assert found('lastmodified >= "2026-01-05 09:00"') == 4
    assert found('lastmodified >= "2026-01-05 09:01"') == 0
    assert found('lastmodified > "2026-01-05 09:00"') == 0
    assert found('lastmodified >= "2026/01/05" and space in (ENG, OPS)') == 4
    assert found('lastmodified >= now("-1h") and space = "OPS"') == 0
    atlassian.world.site_zone = "UTC"
    assert found('lastmodified >= "2026-01-05 08:00"') == 4
    assert ask.cloud("/wiki/rest/api/search", cql="type = ").status_code == 400
    bob = atlassian.login(atlassian.world.add_user("Bob Ray"))
    atlassian.world.users[bob.user].zone = "America/New_York"
    params = {"cql": 'type = page and lastmodified >= "2026-01-05 03:00"'}
    assert ask.wiki("/rest/api/content/search", bob, **params).json()["totalSize"] == 4


def test_cql_leaves_out_trash_archive_and_what_is_too_new(atlassian: LocalAtlassian, ask: Client) -> None:
    _, middle, _ = a_tree(atlassian)
    world = atlassian.world

    def found(**more: Any) -> list[str]:
        rows = ask.cloud("/wiki/rest/api/content/search", cql="type = page order by title", **more).json()["results"]
        return titles(rows)

    world.trash(middle)
    assert found() == ["Engineering Home", "Low", "Top"]
    world.archive(world.spaces[middle.space])
    assert found() == []
    assert len(found(includeArchivedSpaces="true")) == 3
    world.index_lag += world.tick() - world.spaces[middle.space].created  # type: ignore[operator]
    assert found(includeArchivedSpaces="true") == []


def test_changes_that_do_not_count_as_such(atlassian: LocalAtlassian, ask: Client) -> None:
    top, middle, _ = a_tree(atlassian)
    world = atlassian.world
    before = ask.cloud(f"/wiki/api/v2/pages/{top.id}").json()["version"]
    world.advance(hours=5)
    world.restrict(top, atlassian.bot)
    world.label(top, "new")
    world.rename_space(world.spaces[top.space], key="DEV")
    other = world.add_space("OPS", "Operations", view=[world.groups["confluence-users"]], by=atlassian.bot)
    world.move(middle, world.pages[other.home])
    shown = ask.cloud(f"/wiki/api/v2/pages/{top.id}").json()
    assert shown["version"] == before
    assert shown["_links"]["webui"].startswith("/spaces/DEV/")
    assert titles(ask.pages(f"/wiki/api/v2/spaces/{other.id}/pages")) == ["Middle", "Low", "Operations Home"]
    world.rename(top, "Up", by=atlassian.bot)
    assert ask.cloud(f"/wiki/api/v2/pages/{top.id}").json()["version"]["number"] == 2


def test_permissions_of_a_space_and_members_through_nested_groups(atlassian: LocalAtlassian, ask: Client) -> None:
    world = atlassian.world
    ann, bob = world.add_user("Ann Lee"), world.add_user("Bob Ray", hidden=True)
    outer, _ = world.add_group("outer", [ann], ["inner"]), world.add_group("inner", [bob], ["outer"])
    space = world.add_space("ENG", "Engineering", view=[outer, bob], everyone=True, by=ann)
    rows = ask.pages(f"/wiki/api/v2/spaces/{space.id}/permissions")
    read = [each["principal"] for each in rows if each["operation"]["key"] == "read"]
    assert read == [{"type": "group", "id": outer.id}, {"type": "user", "id": bob.id}]
    own = ask.wiki("/rest/api/space/ENG/permissions").json()
    subjects = [each.get("subject") for each in own if each["operation"]["operationKey"] == "read"]
    assert subjects == [{"type": "group", "name": "outer"}, {"type": "user", "userKey": bob.key}, None]
    members = ask.cloud(f"/wiki/rest/api/group/{outer.id}/membersByGroupId").json()["results"]
    assert [(each["accountId"], each["email"]) for each in members] == [(ann.id, ann.email), (bob.id, "")]
    flat = ask.wiki("/rest/api/group/outer/member").json()
    assert [each["username"] for each in flat["results"]] == ["ann.lee", "bob.ray"]
    world.nested = False
    assert ask.jira("/rest/api/2/group/member", groupname="outer").json()["total"] == 1
    poor = atlassian.login(ann)
    assert ask.wiki("/rest/api/space/ENG/permissions", poor).status_code == 403
    assert ask.cloud("/rest/api/3/group/member", poor, groupname="outer").status_code == 403


def test_data_center_pages_by_offset_with_what_is_expanded(atlassian: LocalAtlassian, ask: Client) -> None:
    top, middle, low = a_tree(atlassian)
    params = {
        "spaceKey": "ENG",
        "limit": 3,
        "expand": "body.storage,version,ancestors,restrictions.read.restrictions.group",
    }
    first = ask.wiki("/rest/api/content", **params).json()
    assert (first["start"], first["limit"], first["size"]) == (0, 3, 3)
    second = ask.wiki(first["_links"]["next"]).json()
    assert "next" not in second["_links"]
    last = second["results"][0]
    assert [each["id"] for each in last["ancestors"]][1:] == [top.id, middle.id]
    assert last["body"]["storage"]["value"] == "<p>low</p>"
    assert last["restrictions"]["read"]["restrictions"]["group"]["results"] == []
    assert "body" not in ask.wiki(f"/rest/api/content/{low.id}").json()
    atlassian.world.trash(low)
    assert ask.wiki(f"/rest/api/content/{low.id}").status_code == 404
    assert ask.wiki(f"/rest/api/content/{low.id}", status="trashed").json()["status"] == "trashed"


def test_pages_that_shift_while_they_are_listed(atlassian: LocalAtlassian, ask: Client) -> None:
    top, _, _ = a_tree(atlassian)
    atlassian.before("/rest/api/content", lambda: atlassian.world.trash(top), after=1)
    first = ask.wiki("/rest/api/content", limit=2).json()
    second = ask.wiki(first["_links"]["next"]).json()
    assert titles(first["results"] + second["results"]) == ["Engineering Home", "Top", "Low"]  # Middle was skipped


def a_full_page(local: LocalAtlassian) -> dict[str, str]:
    """Two of everything; names for paths."""
    top, _, low = a_tree(local)
    world = local.world
    space = world.spaces[top.space]
    world.add_space("OPS", "Operations", view=[world.groups["confluence-users"]], by=local.bot)
    for at in range(2):
        world.add_page(space, f"Child {at}", by=local.bot, parent=top)
        world.add_page(space, f"News {at}", by=local.bot, kind="blogpost")
        world.comment(top, storage("said"), by=local.bot)
        world.comment(top, storage("said"), by=local.bot, inline="top")
        world.attach(top, f"{at}.txt", b"", by=local.bot)
        world.label(top, f"label-{at}")
        world.edit(top, storage(f"{at}"), by=local.bot)
    return {"top": top.id, "low": low.id, "space": space.id}


@pytest.mark.parametrize(
    "path",
    [
        *("pages", "blogposts", "spaces", "footer-comments", "inline-comments", "attachments", "spaces/{space}/pages"),
        *("spaces/{space}/permissions", "pages/{top}/children", "pages/{low}/ancestors", "pages/{top}/labels"),
        *("pages/{top}/versions", "pages/{top}/footer-comments", "pages/{top}/attachments"),
    ],
)
def test_listings_by_cursor_are_the_same_in_pages_of_any_size(
    path: str, atlassian: LocalAtlassian, ask: Client
) -> None:
    filled = a_full_page(atlassian)
    url = f"/wiki/api/v2/{path.format(**filled)}"
    every = ask.pages(url, limit=250)
    assert len(every) > 1
    atlassian.forget_calls()
    assert ask.pages(url, limit=1) == every
    assert len(atlassian.calls()) == len(every)


@pytest.mark.parametrize(
    "path",
    [
        *("content", "space", "space/ENG/content/page", "content/{top}/child/page", "content/{top}/child/comment"),
        *("content/{top}/child/attachment", "content/{top}/label", "content/{top}/restriction", "group"),
        *("group/confluence-users/member", "user/list", "search?cql=type+%3D+page", "content/search?cql=space+%3D+ENG"),
    ],
)
def test_listings_by_offset_are_the_same_in_pages_of_any_size(
    path: str, atlassian: LocalAtlassian, ask: Client
) -> None:
    url = f"/rest/api/{path.format(**a_full_page(atlassian))}"
    url += "&" if "?" in url else "?"
    every = ask.offsets(f"{url}limit=200")
    assert len(every) > 1
    assert ask.offsets(f"{url}limit=1") == every
