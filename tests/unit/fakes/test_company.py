import re
import time
from collections.abc import Callable
from typing import Any

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


def test_a_small_company_is_founded_at_once(company: Company) -> None:
    started = time.process_time()
    found_small_company(World())
    assert time.process_time() - started < 5
    assert (len(company.people), len(company.pages), len(company.issues), len(company.spaces)) == (20, 60, 80, 3)


@pytest.fixture(scope="module")
def large() -> Company:
    return found_company(World())


@pytest.mark.slow
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
@pytest.mark.slow
def test_titles_are_unique_in_a_space(large: Company) -> None:
    rows = [(each.space, each.title) for each in large.pages]
    assert len(rows) == len(set(rows))


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


@pytest.mark.slow
def test_links_that_were_kept_stand_in_the_texts(large: Company) -> None:
    world = large.world
    links = {(each.source, each.target, each.kind) for each in world.links.values()}
    for edge in large.edges:
        if edge.kind == "issue-issue":
            assert edge[1:] in links
        elif edge.kind == "issue-parent":
            assert world.issues[edge.source].parent == edge.target
        elif edge.word == "remote link":
            away = world.issues[edge.source].remote_links
            assert any(each.url.endswith(f"pageId={edge.target}") for each in away)
        elif edge.kind == "issue-page":
            assert f"/pages/{edge.target}/" in words(world.issues[edge.source])
        else:
            shown = words(world.pages[edge.source])
            target: Any = world.pages.get(edge.target) or world.issues[edge.target]
            assert (target.title if isinstance(target, Page) else target.key) in shown


CHANGES: dict[str, Callable[[Company], object]] = {
    "edit page": lambda company: company.edit_page(),
    "edit issue": lambda company: company.edit_issue(),
    "comment": lambda company: company.comment(),
    "move": lambda company: company.move_page(),
    "restrict": lambda company: company.restrict(),
    "unrestrict": lambda company: company.unrestrict(),
    "leave": lambda company: company.remove_from_group(),
    "trash": lambda company: company.trash(),
    "purge": lambda company: company.purge(),
    "delete": lambda company: company.delete_issue(),
    "some": lambda company: company.change_some(0.1),
}


@pytest.mark.check
@pytest.mark.parametrize("name", CHANGES)
def test_changes_repeat_from_the_same_seed(name: str) -> None:
    first, second = found_small_company(World()), found_small_company(World())
    untouched = found_small_company(World())
    assert CHANGES[name](first) == CHANGES[name](second)
    assert first == second
    assert (first, first.world.groups, first.world.issues) != (
        untouched,
        untouched.world.groups,
        untouched.world.issues,
    )


def test_some_changes_are_of_words_only(company: Company) -> None:
    def stamps() -> dict[str, object]:
        world = company.world
        found: dict[str, object] = {each.id: (each.updated, len(each.comments)) for each in world.issues.values()}
        notes = list(world.page_comments.values())
        return found | {
            each.id: (each.version, sum(note.page == each.id for note in notes)) for each in world.pages.values()
        }

    places = [(each.parent, each.space, each.readers, each.status) for each in company.pages]
    before = stamps()
    changed = company.change_some(0.2)
    assert len(changed) == round(0.2 * (len(company.current()) + 80))
    assert {key for key, value in stamps().items() if value != before[key]} == set(changed)
    assert places == [(each.parent, each.space, each.readers, each.status) for each in company.pages]


def test_a_page_moves_with_what_is_below_it_and_not_into_that(company: Company) -> None:
    world = company.world
    for _ in range(40):
        page = company.move_page()
        assert page.id not in {world.pages[page.parent].id, world.pages[page.parent].parent}
        assert {each.space for each in world.descendants(page)} <= {page.space}
        assert depth(world, page) > 0


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
