"""The made company in Confluence, Jira and folders, and what its administrators change there."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import TypeVar

from storage.index.sources import Source
from tests.fakes.atlassian import (
    Group,
    Holder,
    Issue,
    IssueComment,
    LocalAtlassian,
    Page,
    Project,
    Space,
    User,
    storage,
)
from tests.fakes.atlassian.records import PageComment
from tests.flows.conversations.made_company import ORG, PUBLIC, Kind, MadeCompany, Paper

T = TypeVar("T")


@dataclass
class Sites:
    """Where the papers are. things: what stands for a paper there. folder: one folder for each paper that is a file."""

    company: MadeCompany
    at: LocalAtlassian
    folder: Path
    things: dict[Paper, object] = field(default_factory=dict)
    users: dict[str, User] = field(default_factory=dict)

    def found(self) -> None:
        """Puts everything there."""
        world, company = self.at.world, self.company
        self.users = {name: world.add_user(name, licensed=False) for name in company.people}
        for name, inside in company.groups.items():
            nested = inside & company.groups.keys()
            world.join(self.at.bot, name)  # comments of a group are told to its members alone
            world.groups[name].members |= {self.users[each].id for each in inside - nested}
            world.groups[name].groups |= nested
        for paper in company.papers:
            self.things[paper] = self._put(paper)
        self.at.admit()

    def close(self, paper: Paper, *only: str) -> None:
        """A page or file is for these people alone from now on."""
        paper.only = frozenset(only)
        thing = self.things[paper]
        if isinstance(thing, Page):
            with self.at.world.lock:
                self.at.world.restrict(thing, *self._who(only))

    def leave(self, person: str, group: str) -> None:
        """Somebody goes out of a group."""
        self.company.groups[group].discard(person)
        with self.at.world.lock:
            self.at.world.leave(self.users[person], group)

    def names(self) -> list[str]:
        """Ids and keys by which anybody may name a page or an issue."""
        pages = [each.id for each in self.things.values() if isinstance(each, Page)]
        return pages + [each.key for each in self.things.values() if isinstance(each, Issue)]

    def sources(self) -> list[Source]:
        """All, configured as `kb sources add` does it."""
        shared = {"flavour": "cloud", "email": self.at.basic()[0], "token_env": "SERVICE_TOKEN", "open_to_all": True}
        wiki = {**shared, "url": self.at.confluence_cloud, "access_groups": ["confluence-users"]}
        desk = {**shared, "url": self.at.jira_cloud, "security_levels": {}, "internal_notes": "browse"}
        return [Source("wiki", "confluence", wiki), Source("desk", "jira", desk), *map(self._files, self._folders())]

    def _folders(self) -> Iterable[Paper]:
        return (each for each in self.company.papers if each.kind == "file")

    def _files(self, paper: Paper) -> Source:
        audience = (
            "everyone" if paper.only == frozenset({ORG}) else [address(each) for each in sorted(paper.only or ())]
        )
        return Source(f"folder-{paper.noun}", "files", {"path": str(self.things[paper]), "audience": audience})

    def _who(self, only: Iterable[str]) -> list[User | Group]:
        return [self.users.get(each) or self.at.world.groups[each] for each in sorted(only)]

    def _put(self, paper: Paper) -> object:
        ways: dict[Kind, Callable[[Paper], object]] = {
            "space": self._space,
            "page": self._page,
            "page comment": self._page_comment,
            "page file": lambda each: self.at.world.attach(self._around(each, Page), *_as_file(each), by=self._writer),
            "project": self._project,
            "issue": self._issue,
            "issue comment": self._issue_comment,
            "issue file": lambda each: self.at.world.add_file(
                self._around(each, Issue), *_as_file(each), by=self._writer
            ),
            "file": self._file,
        }
        return ways[paper.kind](paper)

    @property
    def _writer(self) -> User:
        return self.users["ada"]

    def _around(self, paper: Paper, kind: type[T]) -> T:
        thing = self.things[paper.within] if paper.within else None
        assert isinstance(thing, kind)
        return thing

    def _page_comment(self, paper: Paper) -> PageComment:
        return self.at.world.comment(self._around(paper, Page), storage(*paper.sentences), by=self._writer)

    def _issue_comment(self, paper: Paper) -> IssueComment:
        text, group = "\n".join(paper.sentences), next(iter(paper.only or ()), "")
        return self.at.world.say(self._around(paper, Issue), text, by=self._writer, group=group)

    def _space(self, paper: Paper) -> Space:
        only = paper.only or frozenset()
        everyone = PUBLIC in only
        view = self._who(only - {PUBLIC})
        return self.at.world.add_space(paper.noun, paper.noun.title(), view=view, everyone=everyone, by=self._writer)

    def _page(self, paper: Paper) -> Page:
        above = self.things[paper.within] if paper.within else None
        kept, aside = paper.sentences
        text = f"{storage(kept)}<table><tbody><tr><th>Note</th><td>{escape(aside)}</td></tr></tbody></table>"
        if isinstance(above, Page):
            space, parent = self.at.world.spaces[above.space], above
        else:
            space, parent = self._around(paper, Space), None
        page = self.at.world.add_page(space, paper.name, text, by=self._writer, parent=parent)
        if paper.only is not None:
            self.at.world.restrict(page, *self._who(paper.only))
        return page

    def _project(self, paper: Paper) -> Project:
        holders = [Holder("anyone") if each == PUBLIC else Holder("group", each) for each in sorted(paper.only or ())]
        scheme = self.at.world.add_scheme(paper.noun, *holders)
        security = self.at.world.add_security(paper.noun, Board=[Holder("group", "board")])
        return self.at.world.add_project(
            paper.noun, paper.noun.title(), lead=self.users["ada"], scheme=scheme, security=security
        )

    def _issue(self, paper: Paper) -> Issue:
        world, project, by = self.at.world, self._around(paper, Project), self._writer
        issue = world.add_issue(project, paper.name, "\n".join(paper.sentences), by=by)
        if paper.only:
            level = next(iter(world.security[project.security].levels.values()))
            world.secure(issue, level, by=by)
        for paper_before, thing in self.things.items():
            if paper_before.kind == "issue" and isinstance(thing, Issue):
                world.link(thing, issue)
        return issue

    def _file(self, paper: Paper) -> Path:
        folder = self.folder / paper.noun
        folder.mkdir()
        name, content = _as_file(paper)
        (folder / name).write_bytes(content)
        return folder


def address(person: str) -> str:
    """The e-mail address of somebody."""
    return f"{person}@example.com"


def _as_file(paper: Paper) -> tuple[str, bytes]:
    return f"{paper.noun} {paper.bait} {paper.title}.txt", "\n\n".join(paper.sentences).encode()
