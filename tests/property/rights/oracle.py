"""Who may read what: the promises of docs/security.md, once more. Nothing here is shared with the product.

A document has clauses that must all hold. A clause is a set of names, of which each reader must have one. What an
operator declares counts, too: the group STAFF stands for every member of the organisation.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass

from tests.fakes.atlassian import Issue, User, World
from tests.fakes.atlassian.records import Readers
from tests.fakes.atlassian.tracker_records import Holder, Project

ANYBODY, MEMBER, STAFF = "anybody", "member", "staff"
Names = frozenset[str]
AUDIENCES: Mapping[str, Names] = {
    "asker": Names(),
    "organisation": Names({ANYBODY, MEMBER}),
    "public": Names({ANYBODY}),
}
"""By place of a reply, the names that all who read along have; none where nobody reads along."""


@dataclass(frozen=True)
class Told:
    """What a product says at one moment. names: of each address. clauses: of each document, by its id there."""

    names: Mapping[str, Names]
    clauses: Mapping[str, Collection[Names]]


def admits(clauses: Iterable[Names], names: Names, audience: str) -> bool:
    """Whether somebody of these names, and all who read along, may read what has these clauses."""
    readers = [names, *filter(None, [AUDIENCES[audience]])]
    return all(clause & who for clause in clauses for who in readers)


def told(world: World, product: str, addresses: Iterable[str]) -> Told:
    """What holds now in a product, `wiki` or `desk`. addresses: of all members of the organisation."""
    names = {each: Names({ANYBODY, MEMBER}) | _account(world, product, each) for each in addresses}
    clauses = _pages(world) if product == "wiki" else _issues(world)
    return Told(names, clauses)


def _account(world: World, product: str, address: str) -> Names:
    """The account of an address, if it is that of one alone and may use the product, and all groups above it."""
    owners = [each for each in world.users.values() if each.email == address and each.active]
    mine = _groups(world, owners[0]) if len(owners) == 1 else Names()
    return mine if product == "desk" or mine & {f"group {each}" for each in world.wiki_groups} else Names()


def _groups(world: World, user: User) -> Names:
    found = {name for name, each in world.groups.items() if user.id in each.members}
    while more := {name for name, each in world.groups.items() if each.groups & found} - found:
        found |= more
    return Names({f"user {user.id}", *(f"group {name}" for name in found)})


def _clause(who: Readers) -> Names:
    wide = {ANYBODY} if who.everyone else {MEMBER} if STAFF in who.groups else set()
    return Names(wide | {f"user {each}" for each in who.users} | {f"group {each}" for each in who.groups})


def _pages(world: World) -> dict[str, list[Names]]:
    """A page: the space, and each restriction on the way up."""
    found = {}
    for page in world.pages.values():
        way = [page]
        while above := world.pages.get(way[-1].parent):
            way.append(above)
        if page.status == "current":
            walls = [each.readers for each in way if each.readers is not None]
            found[f"page:{page.id}"] = [_clause(world.spaces[page.space].view), *map(_clause, walls)]
    return found


def _issues(world: World) -> dict[str, list[Names]]:
    """An issue: Browse Projects, and its security level; a restricted comment: whom it names as well."""
    found = {}
    levels = {each.id: each for scheme in world.security.values() for each in scheme.levels.values()}
    for issue in world.issues.values():
        project = world.projects[issue.project]
        grants = [each.holder for each in world.schemes[project.scheme].grants if each.permission == "BROWSE_PROJECTS"]
        clauses = [_held(world, project, issue, grants)]
        if issue.level:
            clauses.append(_held(world, project, issue, (each for _, each in levels[issue.level].members)))
        found[f"issue:{issue.id}"] = clauses
        for said in issue.comments:
            if said.visibility:
                kind, name = said.visibility
                roles = (Holder("projectRole", each.id) for each in world.roles.values() if each.name == name)
                named = [Holder("group", name)] if kind == "group" else roles
                found[f"comment:{issue.id}/{said.id}"] = [*clauses, _held(world, project, issue, named)]
    return found


def _held(world: World, project: Project, issue: Issue, holders: Iterable[Holder]) -> Names:
    who: dict[str, Callable[[str], Readers]] = {
        "anyone": lambda _: Readers(everyone=True),
        "user": lambda value: Readers({value}),
        "group": lambda value: Readers(groups={value}),
        "projectRole": lambda value: project.roles.get(value, Readers()),
        "applicationRole": lambda _: Readers(groups={name for each in world.applications.values() for name in each}),
        "reporter": lambda _: Readers({issue.reporter}),
        "assignee": lambda _: Readers({issue.assignee} - {""}),
    }
    return Names().union(*(_clause(who[each.kind](each.value)) for each in holders))
