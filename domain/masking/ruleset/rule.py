"""What a rule is, and the usual checks of a match."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from domain.patterns import PatternMatch, Place

DIGITS, LONG = "<digits>", "<long>"
"""Among the keywords of a rule: it is tried where a run of digits, or a long word, stands. With LONG, the others are
parts of long words: one of them must be there too."""

Check = Callable[[PatternMatch], Iterable[Place]]
"""Takes a match, gives the places in its text that are secret: none, where it only looked like one."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One way in which a kind of secret or personal data is written."""

    kind: str
    """Named in the mask: `password`, `payment card`."""
    pattern: str
    """In RE2's syntax, so that it takes linear time whatever the text holds."""
    keywords: tuple[str, ...]
    """The text must hold one of them, in any case, before the pattern is tried. None: it is always tried."""
    check: Check
    """What of a match is masked."""
    examples: tuple[str, ...]
    """Texts in which something is masked."""
    not_examples: tuple[str, ...] = ()
    """Texts that are left alone."""
    personal: bool = False
    """Whether it is personal data: that stays in the index, and is masked in what leaves the product."""
    group: str = ""
    """The kinds of the table of scores; some groups are also looked for across line breaks (see `detector`)."""
    hints: tuple[str, ...] = ()
    """Words without which the pattern is tried too, but whose sentence and paragraph are needed to judge a match."""


def value(test: Callable[[str], bool] = bool, *, unless: re.Pattern[str] | None = None) -> Check:
    """Masks group 1, or the whole match of a pattern without groups, where `test` says so of it. unless: what must not
    stand directly before it."""

    def check(match: PatternMatch) -> Iterable[Place]:
        number = 1 if match.groups else 0
        start = match.span(number)[0]
        if unless is not None and unless.search(match.string[max(0, start - 12) : start]):
            return
        if test(match.group(number)):
            yield match.span(number)

    return check


def any_group(test: Callable[[str], bool] = bool) -> Check:
    """Masks each group that took part in the match, where `test` says so of it."""

    def check(match: PatternMatch) -> Iterable[Place]:
        for number in range(1, match.groups + 1):
            found = match.group(number)
            if found and test(found):
                yield match.span(number)

    return check
