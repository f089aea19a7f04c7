"""A company on Atlassian: what a founder drew from a seed, and what its people then do to it."""

import random
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, overload

from tests.fakes.atlassian.prose import Prose
from tests.fakes.atlassian.records import Attachment, Group, Page, PageComment, Space, User
from tests.fakes.atlassian.text import storage
from tests.fakes.atlassian.tracker_records import Issue, IssueComment, Project, Text
from tests.fakes.atlassian.world import World

Thing = Page | PageComment | Attachment | Issue | IssueComment


class Edge(NamedTuple):
    """That one thing points at another, by their ids. word: the kind of an issue link, or how a page says it.

    kind: page-page, page-issue, issue-page, issue-issue, issue-parent.
    """

    kind: Literal["page-page", "page-issue", "issue-page", "issue-issue", "issue-parent"]
    source: str
    target: str
    word: str = ""


@dataclass
class Company:
    """What was drawn, and later what was added. To be changed by its methods, which do it under the world's lock.

    Each picks by chance what it is not told, and says what it took. edges: every link that was ever made.
    canaries: words that stand in one thing only, and that thing. No such word begins another.
    """

    world: World = field(compare=False, repr=False)
    chance: random.Random = field(compare=False, repr=False)
    people: list[User] = field(default_factory=list)
    groups: list[Group] = field(default_factory=list)
    spaces: list[Space] = field(default_factory=list)
    pages: list[Page] = field(default_factory=list)
    projects: list[Project] = field(default_factory=list)
    issues: list[Issue] = field(default_factory=list)
    edges: list[Edge] = field(default_factory=list)
    canaries: dict[str, Thing] = field(default_factory=dict)

    def canary(self, kind: str) -> str:
        """A new word. kind: p, pc, pf for pages, their comments and files; i, ic, if for issues."""
        return f"canary-{kind}{self.world.number(f'canary-{kind}'):06}"

    # what there is now

    def current(self) -> list[Page]:
        """Pages and blog posts that are neither archived nor in the trash; without the spaces' home pages."""
        return [each for each in self.pages if each.status == "current" and each.id in self.world.pages]

    def open_issues(self) -> list[Issue]:
        """Issues that were not deleted."""
        return [each for each in self.issues if each.id in self.world.issues]

    def present_edges(self) -> list[Edge]:
        """The links whose two ends are still there."""
        there = {each.id for each in self.current()} | {each.id for each in self.open_issues()}
        return [each for each in self.edges if {each.source, each.target} <= there]

    def someone(self) -> User:
        """Any of the people."""
        return self.chance.choice(self.people)

    def some(self, most: int) -> list[User | Group]:
        """One to so many, groups more often than people."""
        groups: list[User | Group] = [*self.chance.sample(self.groups, min(most, len(self.groups)))]
        people: list[User | Group] = [*self.chance.sample(self.people, min(most, len(self.people)))]
        return [
            (groups if self.chance.random() < 0.7 else people)[at % len(groups)]
            for at in range(self.chance.randint(1, most))
        ]

    # what people do

    def change_some(self, fraction: float) -> list[str]:
        """Edits and comments on so many of the pages and issues; their ids. Rights and places stay as they are."""
        with self.world.lock:
            every: list[Page | Issue] = [*self.current(), *self.open_issues()]
            chosen = self.chance.sample(every, round(len(every) * fraction))
            for each in chosen:
                if self.chance.random() < 0.3:
                    self.comment(each)
                elif isinstance(each, Page):
                    self.edit_page(each)
                else:
                    self.edit_issue(each)
            return [each.id for each in chosen]

    def edit_page(self, page: Page | None = None) -> Page:
        """A new version with one more paragraph."""
        with self._time():
            found = page or self.chance.choice(self.current())
            words = found.version.storage + storage(Prose(self.chance).paragraph())
            return self.world.edit(found, words, by=self.someone())

    def edit_issue(self, issue: Issue | None = None) -> Issue:
        """One more paragraph in the description, and another status."""
        with self._time():
            found, more = issue or self.chance.choice(self.open_issues()), Prose(self.chance).paragraph()
            paragraph = {"type": "paragraph", "content": [{"type": "text", "text": more}]}
            before = found.description
            document = before.adf | {"content": [*before.adf["content"], paragraph]}
            by = self.someone()
            self.world.set(found, by, description=Text(f"{before.wiki}\n\n{more}", document))
            self.world.move_to(found, "In Progress" if found.status != "In Progress" else "To Do", by=by)
            return found

    @overload
    def comment(self, thing: Page) -> PageComment: ...

    @overload
    def comment(self, thing: Issue) -> IssueComment: ...

    @overload
    def comment(self, thing: None = None) -> PageComment | IssueComment: ...

    def comment(self, thing: Page | Issue | None = None) -> PageComment | IssueComment:
        """Something said about a page or an issue, for all who may read that."""
        with self._time():
            every: list[Page | Issue] = [*self.current(), *self.open_issues()]
            found = thing or self.chance.choice(every)
            word = self.canary("pc" if isinstance(found, Page) else "ic")
            words, by = f"{Prose(self.chance).remark()} {word}", self.someone()
            said: PageComment | IssueComment
            if isinstance(found, Page):
                said = self.world.comment(found, storage(words), by=by)
            else:
                said = self.world.say(found, words, by=by)
            self.canaries[word] = said
            return said

    def move_page(self, page: Page | None = None, parent: Page | None = None) -> Page:
        """A page with all that is below it under another, of any space."""
        with self._time():
            found = page or self.chance.choice([each for each in self.current() if each.kind == "page"])
            below = {found.id, *(each.id for each in self.world.descendants(found))}
            places = [each for each in self.current() if each.kind == "page" and each.id not in below]
            places += [self.world.pages[each.home] for each in self.spaces]
            self.world.move(found, parent or self.chance.choice(places))
            return found

    def restrict(self, page: Page | None = None, *who: User | Group) -> Page:
        """Only these may view a page and what is below it."""
        with self._time():
            found = page or self.chance.choice(self.current())
            self.world.restrict(found, *(who or self.some(2)))
            return found

    def unrestrict(self, page: Page | None = None) -> Page:
        """Takes a page's own restriction away."""
        with self._time():
            found = page or self.chance.choice([each for each in self.current() if each.readers is not None])
            self.world.unrestrict(found)
            return found

    def remove_from_group(self, user: User | None = None, group: Group | None = None) -> tuple[User, Group]:
        """Takes someone out of a group of which they are a direct member."""
        with self._time():
            names = [group] if group else [each for each in self.groups if not user or user.id in each.members]
            home = self.chance.choice([each for each in names if each.members])
            found = user or self.world.users[self.chance.choice(sorted(home.members))]
            self.world.leave(found, home.name)
            return found, home

    def trash(self, page: Page | None = None) -> Page:
        """A page goes to the trash; what was below it moves up."""
        with self._time():
            found = page or self.chance.choice(self.current())
            self.world.trash(found)
            return found

    def purge(self, page: Page | None = None) -> Page:
        """The trash is emptied of a page; one is put there when it is empty."""
        with self._time():
            waiting = [each for each in self.pages if each.status == "trashed"]
            found = page or (self.chance.choice(waiting) if waiting else self.trash())
            self.world.purge(found)
            return found

    def delete_issue(self, issue: Issue | None = None) -> Issue:
        """An issue is gone, with its sub-tasks."""
        with self._time():
            found = issue or self.chance.choice(self.open_issues())
            self.world.delete_issue(found)
            return found

    def _time(self) -> "_Moment":
        return _Moment(self)


@dataclass
class _Moment:
    """The world's lock, some minutes later."""

    company: Company

    def __enter__(self) -> None:
        self.company.world.lock.acquire()
        self.company.world.advance(minutes=self.company.chance.randint(1, 30))

    def __exit__(self, *_: object) -> None:
        self.company.world.lock.release()
