"""Finds what the rules describe in one segment of a text, also where it is dressed up or encoded."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain

import re2

from domain.masking.decoding import ESCAPED, decoded, unescaped
from domain.masking.re2_patterns import PatternSet, Re2Pattern
from domain.masking.ruleset.rule import DIGITS, LONG, Rule
from domain.masking.ruleset.secret_strength import GOOD, is_placeholder, strength
from domain.masking.text_views import BROKEN, MARKED, View, edited, normal, normalised, unbroken, unmarked
from domain.patterns import PatternMatch, Place, Subject

MASK = re.compile(r"\[masked: [a-z0-9][a-z0-9 ._-]{0,39}\]\n*")
"""What stands for a finding, with the line breaks kept from it."""

_HIDDEN = "\ue000"
"""Stands for a mask while rules are applied, so that its words announce nothing."""

_SOLID = frozenset(("vendor token", "jwt", "private key", "basic auth url", "card", "iban", "own rule"))
"""Groups whose forms are so distinct that they are looked for across line breaks."""

_DIGITS = PatternSet([r"[0-9](?:[ ./()+-]{0,3}[A-Za-z]?[0-9]){4}|[A-Z]{4,5}[0-9]{4}|[A-Z]{2}[0-9]{2}[ .-]?[A-Z0-9]{4}"])
_LONG = Re2Pattern(r"[A-Za-z0-9+/_=.~$|!:-]{16,}")
_RUN = re.compile(r"[A-Za-z0-9+/_=.~$|!:-]{16,}")
SHORTEST = 12
"""Characters of a token that is looked for where a long word stands, at least."""

_DIGIT, _LETTER = re.compile(r"\d"), re.compile(r"[A-Za-z]")
_ANY_SHAPE = Re2Pattern(
    r"[0-9](?:[ ./()+-]{0,3}[a-z]?[0-9]){4}|[a-z]{4,5}[0-9]{4}|[a-z]{2}[0-9]{2}[ .-]?[a-z0-9]{4}|[a-z0-9+/_=.~$|!:-]{20}|%[0-9a-f]{2}|&#|&[a-z]{2,6};|\\[xu][0-9a-f]"
)
"""Runs of digits, long words and what may be an escape, in a text in small letters."""

_DRESSES = PatternSet((ESCAPED, MARKED, BROKEN))

_PAIR = re.compile(r"[\w.@+-]{2,60}:([^\s:\"]{6,100})\s?")


@dataclass(frozen=True, slots=True, order=True)
class RuleHit:
    """Characters [start, end) of a text. rule: place of its rule in the table; they sort by start, then by it."""

    start: int
    rule: int
    end: int


class _Keywords:
    """Words that rules wait for. words: all of them, in small letters."""

    def __init__(self, waiting: Iterable[tuple[int, Sequence[str]]]) -> None:
        self.words: dict[str, list[int]] = {}
        for number, words in waiting:
            for word in words:
                self.words.setdefault(word, []).append(number)
        self._rules = list(self.words.values())
        self._set = PatternSet(map(re2.escape, self.words))

    def rules(self, text: str) -> Iterable[int]:
        """The numbers of the rules of which a word is in a text in small letters."""
        return chain.from_iterable(self._rules[place] for place in self._set.found(text.encode()))


class Detector:
    """Applies rules. Whether those for personal data count, and so what is masked, is decided by who asks."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        self.rules = tuple(rules)
        self._patterns = [Re2Pattern(rule.pattern) for rule in rules]
        self._all = frozenset(range(len(rules)))
        self._solid = frozenset(number for number, rule in enumerate(rules) if rule.group in _SOLID)
        self._always = [number for number, rule in enumerate(rules) if not rule.keywords]
        self._numbers = [number for number, rule in enumerate(rules) if DIGITS in rule.keywords]
        long = [number for number, rule in enumerate(rules) if LONG in rule.keywords]
        self._any_word = [number for number in long if not _parts(rules[number])]
        self._in_words = _Keywords((number, _parts(rules[number])) for number in long)
        self._keywords = _Keywords(
            (number, _parts(rule)) for number, rule in enumerate(rules) if LONG not in rule.keywords
        )
        hints = (hint.lower() for rule in rules for hint in rule.hints)
        self._loud = PatternSet(["|".join(map(re2.escape, _shortest({*self._keywords.words, *hints}))) or "$."])

    def loud(self, text: str) -> bool:
        """Whether anything is announced in a text or has the shape of a secret, so that it, and what follows, has to be
        looked at."""
        if self._always:
            return True
        # two automata: together, their states would multiply, and each text would need new ones
        low = Subject(normal(text).lower())
        return bool(self._loud.found(low.data)) or _ANY_SHAPE.search(low) is not None

    def find(self, text: str, before: str = "\n", tick: Callable[[], None] = lambda: None) -> list[RuleHit]:
        """The findings in a text that may hold masks already, in the order of their places; they may overlap.

        before: the character before the text; a line begins where there is none. tick: called again and again; what it
        raises ends the search.
        """
        view = normalised(before + text)
        plain, hidden = view.text, None
        if "[masked: " in plain:
            hidden = edited(
                plain, ((mask.span(), _HIDDEN + "\n" * mask[0].count("\n")) for mask in MASK.finditer(plain))
            )
            plain = hidden.text
        found = []
        for each in self._everywhere(plain, tick):
            start, end = view.origin(hidden.origin((each.start, each.end)) if hidden else (each.start, each.end))
            found.append(RuleHit(max(0, start - 1), each.rule, end - 1))
        return sorted(found)

    def _everywhere(self, text: str, tick: Callable[[], None]) -> list[RuleHit]:
        subject = Subject(text)
        found = self._plain(subject, self._all, tick)
        for dress in _DRESSES.found(subject.data):
            view = (unescaped, unmarked, unbroken)[dress](text)
            rules = self._solid if dress == 2 else self._all
            found += self._through(view, found, rules, tick, crossing=dress == 2)
        for place, inside in decoded(subject) if _LONG.search(subject) else ():
            hits = self._plain(Subject(inside), self._all, tick)
            pair = _PAIR.fullmatch(inside)
            if hits:
                found.append(RuleHit(place[0], min(each.rule for each in hits), place[1]))
            elif pair and strength(pair[1]) >= GOOD and not is_placeholder(pair[1]):
                found.append(RuleHit(place[0], self._encoded, place[1]))
        return found

    @property
    def _encoded(self) -> int:
        """The rule that names an encoded pair of a user and a password."""
        return next((number for number, rule in enumerate(self.rules) if rule.kind == "password"), 0)

    def _through(
        self, view: View, known: Sequence[RuleHit], rules: frozenset[int], tick: Callable[[], None], *, crossing: bool
    ) -> Iterable[RuleHit]:
        """What a view shows beyond what is known. crossing: only in places where it differs from the text."""
        known = sorted(known)
        starts = [each.start for each in known]
        ends = [0, *accumulate((each.end for each in known), max)]
        for each in self._plain(Subject(view.text), rules, tick):
            place = each.start, each.end
            start, end = view.origin(place)
            if (view.crosses(place) or not crossing) and ends[bisect_right(starts, start)] < end:
                yield RuleHit(start, each.rule, end)

    def _candidates(self, subject: Subject) -> set[int]:
        """The rules that may find something, by their keywords and the shapes in the text."""
        wanted = set(self._always)
        wanted.update(self._keywords.rules(subject.text.lower()))
        if _DIGITS.found(subject.data):
            wanted.update(self._numbers)
        if _LONG.search(subject) and (words := _long_words(subject.text)):
            wanted.update(self._any_word, self._in_words.rules(words))
        return wanted

    def _plain(self, subject: Subject, rules: frozenset[int], tick: Callable[[], None]) -> list[RuleHit]:
        found: list[RuleHit] = []
        text, data, size = subject.text, subject.data, len(subject.data)
        for number in sorted(rules & self._candidates(subject)):
            first = self._patterns[number].first
            spans = first(data, 0, size)
            while spans[0][0] >= 0:
                tick()
                match = subject.found(spans)
                places = [place for place in self.rules[number].check(match) if _is_shown(text[slice(*place)])]
                found += (RuleHit(start, number, end) for start, end in places)
                position = _onward(match, places)
                if position >= len(text):
                    break
                spans = first(data, subject.byte(position), size)
        return found


def _shortest(words: set[str]) -> list[str]:
    """The words that hold no other one: where any of them all stands, one of these does."""
    return sorted(word for word in words if words.isdisjoint(_pieces(word)))


def _pieces(word: str) -> Iterable[str]:
    """All parts of a word but itself."""
    length = len(word)
    ends = ((start, end) for start in range(length) for end in range(start + 1, length + 1))
    return (word[start:end] for start, end in ends if end - start < length)


def _parts(rule: Rule) -> list[str]:
    """The keywords of a rule that are text."""
    return [word for word in dict.fromkeys(map(str.lower, rule.keywords)) if word not in {DIGITS, LONG}]


def _long_words(text: str) -> str:
    """The words that may be a token or hold one, in small letters; none, where no long run of a token's signs has
    digits and letters."""
    words = [word for word in text.split() if len(word) >= SHORTEST]
    runs = (run for word in words for run in _RUN.findall(word))
    return "\n".join(words).lower() if any(_DIGIT.search(run) and _LETTER.search(run) for run in runs) else ""


def _is_shown(text: str) -> bool:
    return _HIDDEN not in text and bool(text.strip())


def _onward(match: PatternMatch, places: Sequence[Place]) -> int:
    """Where the search goes on: within what was matched, where something else may begin."""
    start, end = match.span()
    if places:
        return max(start + 1, min(end, max(start + 1, places[-1][1])))
    first = match.start(1) if match.groups else start
    return max(start + 1, first if end - start < 200 else end)
