"""A few people, pages and issues, for tests that say themselves what each of them is."""

import random
from functools import partial
from typing import Any

from tests.fakes.atlassian import Company, Holder, World, storage

PAGES, ISSUES = 24, 12


def handful(world: World, *, pages: int = PAGES, issues: int = ISSUES, **_places: str) -> Company:
    """Ann, Bob and Cleo, who may all read it: one space with pages side by side, and one project.

    A page `Page 3` says `walrus 3`, an issue `Issue 3` says `heron 3`. Each canary stands in one thing only.
    """
    company = Company(world, random.Random(1))
    company.people = [world.add_user(name) for name in ("Ann Lee", "Bob Ray", "Cleo Fox")]
    ann = company.people[0]
    if pages:
        space = world.add_space("ENG", "Engineering", view=[world.groups["confluence-users"]], by=ann)
        company.spaces.append(space)
        company.pages += [world.add_page(space, f"Page {at}", storage(f"walrus {at}"), by=ann) for at in range(pages)]
    if issues:
        scheme = world.add_scheme("Open", Holder("applicationRole"))
        company.projects.append(world.add_project("KB", "Knowledge", lead=ann, scheme=scheme))
        made = (world.add_issue(company.projects[0], f"Issue {at}", f"heron {at}", by=ann) for at in range(issues))
        company.issues += made
    return company


def sized(**sizes: Any) -> Any:  # what founds a company
    """A handful of other sizes."""
    return partial(handful, **sizes)
