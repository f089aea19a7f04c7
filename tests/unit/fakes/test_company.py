import re

import pytest

from tests.fakes.atlassian import Company, Page, World, found_company, found_small_company, may_read
from tests.fakes.atlassian.records import Attachment, PageComment
from tests.fakes.atlassian.tracker_records import IssueComment


@pytest.fixture
def company() -> Company:
    return found_small_company(World())


def words(thing: object) -> str:
    """All text of a thing."""
    if isinstance(thing, Attachment):
        return thing.content.decode()
    if isinstance(thing, Page | PageComment):
        return thing.versions[-1].storage
    return thing.text.wiki if isinstance(thing, IssueComment) else thing.description.wiki  # type: ignore[attr-defined]


def depth(world: World, page: Page) -> int:
    return 1 + depth(world, world.pages[page.parent]) if page.parent else 0


def test_the_same_seed_founds_the_same_company(company: Company) -> None:
    again, world = found_small_company(World()), company.world
    assert company == again
    assert (world.pages, world.issues, world.groups, world.now) == (
        again.world.pages, again.world.issues, again.world.groups, again.world.now,
    )  # fmt: skip
    assert company != found_small_company(World(), 2)


@pytest.fixture(scope="module")
def large() -> Company:
    return found_company(World())


@pytest.mark.slow
def test_a_whole_company_has_some_of_everything(large: Company) -> None:
    world = large.world
    assert (len(large.people), len(large.pages), len(large.issues), len(large.spaces)) == (200, 2000, 3000, 5)
    assert {each.status for each in large.pages} == {"current", "archived", "trashed", "deleted"}
    assert {depth(world, each) for each in large.pages if each.readers} > {1, 2, 3, 4, 5}
    assert {each.kind for each in large.pages} == {"page", "blogpost"}
    assert {each.kind for each in large.issues} == {"Epic", "Story", "Task", "Bug", "Sub-task"}
    kinds = {each.kind for each in large.edges}
    assert kinds == {"page-page", "page-issue", "issue-page", "issue-issue", "issue-parent"}
    holders = {each.holder.kind for scheme in world.schemes.values() for each in scheme.grants}
    assert holders == {
        *("applicationRole", "projectRole", "projectLead", "reporter", "assignee", "userCustomField"),
        *("group", "groupCustomField", "user", "anyone"),
    }
    said = [each for issue in large.issues for each in issue.comments]
    assert {each.visibility[0] for each in said if each.visibility} == {"group", "role"}
    assert any(each.internal for each in said)
    assert world.groups["all-staff"].groups == {each for each in world.groups if each.startswith("department")}
    assert any(each.hidden for each in large.people)
    assert len({each.email for each in large.people}) == 200


@pytest.mark.slow
def test_people_read_different_parts(large: Company) -> None:
    counts = {sum(may_read(large.world, user, each) for each in large.pages) for user in large.people[:10]}
    assert len(counts) > 2
    assert all(count < len(large.current()) for count in counts)


def test_every_canary_stands_in_its_thing_alone(company: Company) -> None:
    assert len(company.canaries) > 140
    for word, thing in company.canaries.items():
        assert word in words(thing)
        assert not [other for other in company.canaries if other != word and word in other]
    every = " ".join(map(words, company.canaries.values()))
    assert sorted(re.findall(r"canary-[a-z]+\d+", every)) == sorted(company.canaries)


def test_rights_that_are_taken_are_gone(company: Company) -> None:
    world = company.world
    page, user = company.current()[0], company.people[0]
    assert company.restrict(page, company.people[1]) is page
    assert not may_read(world, user, page)
    company.unrestrict(page)
    home = company.groups[-1]
    world.join(user, home.name)
    assert company.remove_from_group(user, home) == (user, home)
    assert user.id not in home.members


def test_links_to_what_is_gone_are_not_present(company: Company) -> None:
    edge = next(each for each in company.present_edges() if each.kind == "page-page")
    company.purge(company.trash(company.world.pages[edge.target]))
    assert edge in company.edges
    assert edge not in company.present_edges()


def test_restrictions_above_the_nearest_one_matter(company: Company) -> None:
    """A reader who looks at a page's own restriction alone would let in people whom the one above it keeps out."""
    world = company.world
    kept_out = []
    for page in company.current():
        above = world.pages.get(page.parent)
        if page.readers and above and above.readers:
            users = [each for each in company.people if each.id in page.readers.users]
            kept_out += [each for each in users if not may_read(world, each, above)]
    assert kept_out
