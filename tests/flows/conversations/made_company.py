"""A made company: people, groups, documents with canaries, and an oracle of who may read what."""

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

PUBLIC, ORG = "public", "org"
"""Readers without a name: anybody at all, and a member of the organisation of whom nothing else is known."""

Kind = Literal["space", "page", "page comment", "page file", "project", "issue", "issue comment", "issue file", "file"]


@dataclass(eq=False)
class Paper:
    """What has readers: a document, or what documents are in.

    noun, bait: words of title and text that anybody may say. title, text, aside: canaries; nobody but the paper says
    them. within: all whom it admits, and nobody else, read this; None: there is nothing around. only: the people,
    groups, ORG or PUBLIC who may read it; None: all whom `within` admits.
    """

    kind: Kind
    noun: str
    bait: str = ""
    title: str = ""
    text: str = ""
    aside: str = ""
    within: "Paper | None" = None
    only: frozenset[str] | None = None

    @property
    def canaries(self) -> tuple[str, ...]:
        """All of them; a comment has no title of its own."""
        return tuple(filter(None, (self.title, self.text, self.aside)))

    @property
    def name(self) -> str:
        """The whole title."""
        return f"{self.noun.capitalize()} {self.bait} {self.title}".strip()

    @property
    def guess(self) -> str:
        """What of the title somebody knows who may not read it."""
        return f"{self.noun.capitalize()} {self.bait}"

    @property
    def sentences(self) -> tuple[str, ...]:
        """Its text."""
        kept = f"The keeper of the {self.noun} {self.bait} is {self.text} in the north wing."
        service = f"{self.bait.capitalize()} Service depends on {self.aside.capitalize()} Gateway."
        return kept, service

    @property
    def question(self) -> str:
        """What this paper alone answers, with its canary `text`."""
        return f"Who is the keeper of the {self.noun} {self.bait}?"


@dataclass
class MadeCompany:
    """Who is in which group, and what there is. groups: people and groups in each."""

    people: tuple[str, ...]
    guests: tuple[str, ...]
    groups: dict[str, set[str]]
    papers: list[Paper] = field(default_factory=list)

    @property
    def documents(self) -> list[Paper]:
        """Those with text."""
        return [each for each in self.papers if each.canaries]

    def names_of(self, reader: str) -> set[str]:
        """All that a reader is: themselves, their groups, the groups around these."""
        found = {PUBLIC, ORG, reader} if reader == ORG or reader in self.people else {PUBLIC}
        waiting = [reader]
        while waiting:
            at = waiting.pop()
            around = {group for group, inside in self.groups.items() if at in inside} - found
            found |= around
            waiting += around
        return found

    def may_read(self, reader: str, paper: Paper) -> bool:
        """The oracle: whether a reader is among those of a paper, and of everything around it."""
        names, at = self.names_of(reader), paper
        while at.only is None or at.only & names:
            if at.within is None:
                return at.only is not None  # an unknown audience admits nobody
            at = at.within
        return False

    def rules(self) -> "MadeCompany":
        """A copy of who may read what now, with the same papers in the same order."""
        copies: dict[Paper, Paper] = {}
        for each in self.papers:
            inside = copies[each.within] if each.within else None
            copies[each] = Paper(each.kind, each.noun, within=inside, only=each.only)
        groups = {name: set(inside) for name, inside in self.groups.items()}
        return MadeCompany(self.people, self.guests, groups, list(copies.values()))


NOUNS = (
    *("cistern", "ledger", "turbine", "orchard", "lantern", "anvil", "bellows", "capstan", "drawbridge", "easel"),
    *("furnace", "gondola", "hammock", "icebox", "jigsaw", "kiln", "lathe", "mangle", "nozzle", "organ", "pulley"),
    *("quiver", "rudder", "sextant", "trellis", "urn", "vise", "winch", "xylophone", "yoke", "zither", "abacus"),
)


def words(chance: random.Random) -> Iterator[str]:
    """Made-up words of ten letters, none twice."""
    seen: set[str] = set()
    while True:
        word = "".join(chance.choice("bdfgklmnprtvz") + chance.choice("aiou") for _ in range(5))
        if word not in seen:
            seen.add(word)
            yield word


class _Founder:
    """Writes papers, each about another noun."""

    def __init__(self, company: MadeCompany, chance: random.Random) -> None:
        self._company = company
        self._words = words(chance)
        self._nouns = iter(NOUNS)

    def place(self, kind: Kind, name: str, *only: str) -> Paper:
        """What papers are in."""
        self._company.papers.append(Paper(kind, name, only=frozenset(only)))
        return self._company.papers[-1]

    def paper(self, kind: Kind, within: Paper | None, *only: str) -> Paper:
        """One with canaries. only: none means all whom `within` admits."""
        title = "" if kind.endswith("comment") else next(self._words)
        bait, text, aside = (next(self._words) for _ in range(3))
        found = Paper(kind, next(self._nouns), bait, title, text, aside, within, frozenset(only) if only else None)
        self._company.papers.append(found)
        return found


def found(seed: int) -> MadeCompany:
    """The company. The seed draws its words alone."""
    groups = {
        "confluence-users": {"ada", "ben", "cleo", "dan"},
        "jira-users": {"ada", "ben", "cleo", "dan"},
        "engineers": {"ben"},
        "crew": {"engineers", "dan"},
        "board": {"ada"},
        "circle": {"board", "cleo"},
    }
    company = MadeCompany(("ada", "ben", "cleo", "dan"), ("gus",), groups)
    write = _Founder(company, random.Random(seed))
    _wiki(write)
    _tracker(write)
    for only in ((ORG,), ("ada",), ("ben", "cleo")):
        write.paper("file", None, *only)
    return company


def _wiki(write: _Founder) -> None:
    """Spaces; pages restricted above and below; comments and files on them."""
    house, works = write.place("space", "HOUSE", "confluence-users"), write.place("space", "WORKS", "crew")
    write.paper("page", house)
    closed = write.paper("page", house, "circle")
    write.paper("page", closed)
    write.paper("page", closed, "ada", "engineers")  # of whom the page above admits Ada alone
    write.paper("page comment", closed)
    write.paper("page file", closed)
    write.paper("page", works)
    write.paper("page", works, "ben")
    write.paper("page", works, "circle", "dan")


def _tracker(write: _Founder) -> None:
    """Projects; issues in a security level, comments for a group, a file."""
    desk, law = write.place("project", "DESK", "jira-users"), write.place("project", "LAW", "circle")
    known, secret = write.paper("issue", desk), write.paper("issue", desk, "board")
    write.paper("issue comment", secret)
    write.paper("issue comment", known, "engineers")
    write.paper("issue file", secret)
    write.paper("issue", law)
    yard = write.place("project", "YARD", PUBLIC)
    write.paper("issue", yard)
    write.paper("issue", yard, "board")
