from collections.abc import Iterable
from typing import Any

import pytest

from tests.fakes.atlassian import (
    Holder,
    LocalAtlassian,
    User,
    World,
    found_company,
    found_small_company,
    may_read,
)
from tests.fakes.atlassian.company import Thing
from tests.fakes.atlassian.plain_client import Client, a_tree


def readable(world: World, user: User, things: Iterable[Thing]) -> set[str]:
    return {each.id for each in things if may_read(world, user, each)}


def ids(rows: list[dict[str, Any]]) -> set[str]:
    """Each row is there once."""
    found = {row["id"] for row in rows}
    assert len(found) == len(rows)
    return found


@pytest.mark.check
@pytest.mark.parametrize("seed", [1, 2])
def test_every_listing_shows_what_the_oracle_says(seed: int, atlassian: LocalAtlassian, ask: Client) -> None:
    world = atlassian.world
    company = found_company(world, seed, people=40, pages=150, issues=150)
    company.restrict()
    company.move_page()
    company.remove_from_group()
    every = [page for page in world.pages.values() if page.status in {"current", "archived"}]
    listed = [page for page in every if page.status == "current" or page.kind == "page"]  # blog posts have no archive
    notes = list(world.page_comments.values())
    said = [each for issue in company.issues for each in issue.comments]
    current = [each for each in every if each.status == "current" and each.kind == "page"]
    for user in [each for each in company.people if each.active and may_read(world, each, company.spaces[0])][:10]:
        account = atlassian.login(user)
        rows = [
            each for kind in ("pages", "blogposts") for each in ask.pages(f"/wiki/api/v2/{kind}", account, limit=40)
        ]
        assert ids(rows) == readable(world, user, listed)
        assert ids(ask.pages("/wiki/api/v2/footer-comments", account, limit=20)) == readable(world, user, notes)
        assert ids(ask.pages("/wiki/api/v2/attachments", account)) == readable(world, user, world.attachments.values())
        assert ids(ask.offsets("/rest/api/content", account, limit=40)) == readable(world, user, current)
        by_cql = ask.pages("/wiki/rest/api/content/search", account, cql="type = page", limit=40)
        assert ids(by_cql) == readable(world, user, current)
        seen = ask.numbered("updated >= 0", account, fields="comment", maxResults=40)
        assert ids(seen) == ids(ask.issues("updated >= 0", account)) == readable(world, user, company.issues)
        shown = [each for issue in seen for each in issue["fields"]["comment"]["comments"]]
        assert ids(shown) == readable(world, user, said)


def test_the_service_account_sees_all_once_it_is_admitted(atlassian: LocalAtlassian, ask: Client) -> None:
    company = found_small_company(atlassian.world)
    assert len(ask.issues("updated >= 0")) < 80
    atlassian.admit()
    assert len(ask.issues("updated >= 0")) == 80
    pages = ask.pages("/wiki/api/v2/pages") + ask.pages("/wiki/api/v2/blogposts")
    assert {each.id for each in company.current()} <= {each["id"] for each in pages}


def test_the_oracle_follows_changes(atlassian: LocalAtlassian) -> None:
    top, middle, low = a_tree(atlassian)
    world = atlassian.world
    bob = world.add_user("Bob Ray")
    world.restrict(middle, world.add_group("outer", groups=["inner"]))
    world.add_group("inner", [bob])
    comment, file = world.comment(low, "", by=bob), world.attach(low, "x", b"", by=bob)
    assert all(world.may_read(bob, each) for each in (top, middle, low, comment, file))
    world.unnest("outer", "inner")
    assert [world.may_read(bob, each) for each in (top, middle, low, comment, file)] == [True, *[False] * 4]
    world.move(low, top)
    assert world.may_read(bob, low)
    world.leave(bob, "confluence-users")
    assert not world.may_read(bob, low)
    assert not world.may_read(None, top)


def test_security_levels_and_comments_in_the_oracle(atlassian: LocalAtlassian) -> None:
    world = atlassian.world
    ann, bob, eve = (world.add_user(each) for each in ("Ann Lee", "Bob Ray", "Eve Fox"))
    role = world.add_role("Staff")
    scheme = world.add_scheme("Open", Holder("applicationRole"))
    security = world.add_security("Levels", Mine=[Holder("reporter")], Staff=[Holder("projectRole", role.id)])
    project = world.add_project("KB", "Knowledge", lead=ann, scheme=scheme, security=security)
    world.fill_role(project, role, bob)
    issue = world.add_issue(project, "Leak", by=ann)
    said = world.say(issue, "for staff", by=bob, role="Staff")
    assert [world.may_read(each, issue) for each in (ann, bob, eve, None)] == [True, True, True, False]
    assert [world.may_read(each, said) for each in (ann, bob, eve)] == [False, True, False]
    world.secure(issue, world.level("Mine"), by=ann)
    assert [world.may_read(each, issue) for each in (ann, bob, eve)] == [True, False, False]
    assert not world.may_read(bob, said)
    world.secure(issue, world.level("Staff"), by=ann)
    world.revoke(scheme, Holder("applicationRole"))
    assert not world.may_read(bob, issue)
    world.grant(scheme, Holder("anyone"))
    world.secure(issue, None, by=ann)
    assert world.may_read(None, issue)
