"""What a rule is."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Protocol

from domain.patterns import Place


class Match(Protocol):
    """A match of RE2."""

    @property
    def string(self) -> str:
        """The text that was searched."""

    @property
    def groups(self) -> int:
        """How many groups the pattern has."""

    def group(self, number: int = 0, /) -> str:
        """A group's text."""

    def span(self, number: int = 0, /) -> Place:
        """A group's place; (-1, -1) where it took no part."""

    def start(self, number: int = 0, /) -> int:
        """Where a group begins."""

    def end(self, number: int = 0, /) -> int:
        """Where it ends."""


DIGITS, LONG = "<digits>", "<long>"
"""Among the keywords of a rule: it is tried where a run of digits, or a long word, stands. With LONG, the others are
parts of long words: one of them must be there too."""

Check = Callable[[Match], Iterable[Place]]
"""Takes a match, gives the places in its text that are secret: none, where it only looked like one."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One way in which a kind of secret or personal data is written.

    kind: named in the mask. pattern: in RE2's syntax, so that it takes linear time whatever the text holds.
    keywords: the text must hold one of them, in any case, before the pattern is tried; none: it is always tried.
    check: what of a match is masked. examples: are masked. not_examples: are left alone. personal: whether it is
    personal data, which stays in the index and is masked in what leaves. group: the kinds of the table of scores.
    hints: words without which the pattern is tried too, but whose sentence and paragraph are needed to judge it.
    """

    kind: str
    pattern: str
    keywords: tuple[str, ...]
    check: Check
    examples: tuple[str, ...]
    not_examples: tuple[str, ...] = ()
    personal: bool = False
    group: str = ""
    hints: tuple[str, ...] = ()


def value(test: Callable[[str], bool] = bool, *, unless: re.Pattern[str] | None = None) -> Check:
    """Masks group 1, or the whole match of a pattern without groups, where `test` says so of it. unless: what must not
    stand directly before it."""

    def check(match: Match) -> Iterable[Place]:
        number = 1 if match.groups else 0
        start = match.span(number)[0]
        if unless is not None and unless.search(match.string[max(0, start - 12) : start]):
            return
        if test(match.group(number)):
            yield match.span(number)

    return check


def any_group(test: Callable[[str], bool] = bool) -> Check:
    """Masks each group that took part in the match, where `test` says so of it."""

    def check(match: Match) -> Iterable[Place]:
        for number in range(1, match.groups + 1):
            found = match.group(number)
            if found and test(found):
                yield match.span(number)

    return check
