from typing import Any

from tests.fakes.atlassian import (
    LocalAtlassian,
)
from tests.fakes.atlassian.plain_client import Client, a_tree, titles


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


def test_files_are_on_another_host_that_takes_no_credentials(atlassian: LocalAtlassian, ask: Client) -> None:
    top, _, _ = a_tree(atlassian)
    atlassian.world.attach(top, "a b.txt", b"data", by=atlassian.bot)
    link = ask.pages("/wiki/api/v2/attachments")[0]["downloadLink"]
    answer = ask.cloud(f"/wiki{link}")
    assert answer.status_code == 302
    assert answer.headers["location"].startswith(atlassian.at.media)
    assert ask.http.get(answer.headers["location"]).content == b"data"
    assert ask.http.get(answer.headers["location"], auth=atlassian.basic()).status_code == 400
    assert [each.authorized for each in atlassian.calls(front="media")] == [False, True]


def test_cql_reads_whole_minutes_in_the_zone_of_the_site(atlassian: LocalAtlassian, ask: Client) -> None:
    a_tree(atlassian)  # at 08:00 UTC, which is 09:00 in Berlin

    def found(cql: str, **more: Any) -> int:
        answer = ask.cloud(
            "/wiki/rest/api/content/search", cql=f"type = page and {cql} order by lastmodified asc", **more
        )
        return int(answer.json()["totalSize"])

    assert found('lastmodified >= "2026-01-05 09:00"') == 4
    assert found('lastmodified >= "2026-01-05 09:01"') == 0
    assert found('lastmodified > "2026-01-05 09:00"') == 0
    assert found('lastmodified >= "2026/01/05" and space in (ENG, OPS)') == 4
    assert found('lastmodified >= "2026/01/05" and space = "OPS"') == 0
    atlassian.world.site_zone = "UTC"
    assert found('lastmodified >= "2026-01-05 08:00"') == 4
    assert ask.cloud("/wiki/rest/api/content/search", cql="type = ").status_code == 400
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
    assert titles(ask.pages("/wiki/api/v2/pages", **{"space-id": other.id})) == ["Middle", "Low", "Operations Home"]
    world.rename(top, "Up", by=atlassian.bot)
    assert ask.cloud(f"/wiki/api/v2/pages/{top.id}").json()["version"]["number"] == 2


def test_pages_that_shift_while_they_are_listed(atlassian: LocalAtlassian, ask: Client) -> None:
    top, _, _ = a_tree(atlassian)
    atlassian.before("/rest/api/content", lambda: atlassian.world.trash(top), after=1)
    first = ask.wiki("/rest/api/content", limit=2).json()
    second = ask.wiki(first["_links"]["next"]).json()
    assert titles(first["results"] + second["results"]) == ["Engineering Home", "Top", "Low"]  # Middle was skipped
