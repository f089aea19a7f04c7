"""Finds what the rules describe in one segment of a text, also inside markup, line breaks and encodings."""

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
from domain.patterns import LinearRegex, PatternMatch, Place, Subject

MASK = re.compile(r"\[masked: [a-z0-9][a-z0-9 ._-]{0,39}\]\n*")
"""A mask, with the line breaks of its finding behind it."""

_MASK_STAND_IN = "\ue000"
"""Takes the place of a mask while rules are applied: the words of the mask must not trigger a rule."""

_ACROSS_LINES = frozenset(("vendor token", "jwt", "private key", "basic auth url", "card", "iban", "own rule"))
"""Groups of rules that are also searched across line breaks: their forms are too distinct to be met by chance."""

_DIGITS = PatternSet([r"[0-9](?:[ ./()+-]{0,3}[A-Za-z]?[0-9]){4}|[A-Z]{4,5}[0-9]{4}|[A-Z]{2}[0-9]{2}[ .-]?[A-Z0-9]{4}"])
_ROW = LinearRegex(
    r"\d(?:[ \t./+-]{1,2}\d){23,}|(?:0|[1-9]\d{0,2})(?:[ \t]{1,2}(?:0|[1-9]\d{0,2})){23,}",
    before=r"^|\s",
    after=r"\s|\Z",
)
"""A row of single digits or of small numbers, as in a matrix: longer than what it could be is, and where several
telephone numbers stand in a row, a group of one begins with zero."""

_LONG = Re2Pattern(r"[A-Za-z0-9+/_=.~$|!:-]{16,}")
_RUN = re.compile(r"[A-Za-z0-9+/_=.~$|!:-]{16,}")
SHORTEST = 12
"""A word of fewer characters is no long word: no rule with LONG finds a shorter token."""

_DIGIT, _LETTER = re.compile(r"\d"), re.compile(r"[A-Za-z]")
_ANY_SHAPE = Re2Pattern(
    r"[0-9](?:[ ./()+-]{0,3}[a-z]?[0-9]){4}|[a-z]{4,5}[0-9]{4}|[a-z]{2}[0-9]{2}[ .-]?[a-z0-9]{4}|[a-z0-9+/_=.~$|!:-]{20}|%[0-9a-f]{2}|&#|&[a-z]{2,6};|\\[xu][0-9a-f]"
)
"""Runs of digits, long words and escapes, in a text in small letters."""

_REWRITINGS = PatternSet((ESCAPED, MARKED, BROKEN))

_PAIR = re.compile(r"[\w.@+-]{2,60}:([^\s:\"]{6,100})\s?")


@dataclass(frozen=True, slots=True, order=True)
class RuleHit:
    """What a rule found: characters [start, end). Hits sort by start, then by rule."""

    start: int
    rule: int
    """Place of the rule in the table."""
    end: int


class _Keywords:
    """The keywords of rules, searched in one pass."""

    def __init__(self, waiting: Iterable[tuple[int, Sequence[str]]]) -> None:
        self.words: dict[str, list[int]] = {}
        """Numbers of the rules by keyword, in small letters."""
        for number, words in waiting:
            for word in words:
                self.words.setdefault(word, []).append(number)
        self._rules = list(self.words.values())
        self._set = PatternSet(map(re2.escape, self.words))

    def rules(self, text: str) -> Iterable[int]:
        """Numbers of the rules that have a keyword in `text`, which is in small letters."""
        return chain.from_iterable(self._rules[place] for place in self._set.found(text.encode()))


class Detector:
    """Applies all rules; the caller decides whether hits of personal data count."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        self.rules = tuple(rules)
        self._patterns = [Re2Pattern(rule.pattern) for rule in rules]
        self._all = frozenset(range(len(rules)))
        self._password_rule = next((number for number, rule in enumerate(rules) if rule.kind == "password"), 0)
        """The rule whose kind an encoded `user:password` gets."""
        self._across_lines = frozenset(number for number, rule in enumerate(rules) if rule.group in _ACROSS_LINES)
        self._always = [number for number, rule in enumerate(rules) if not rule.keywords]
        self._numbers = frozenset(number for number, rule in enumerate(rules) if DIGITS in rule.keywords)
        long = [number for number, rule in enumerate(rules) if LONG in rule.keywords]
        self._any_word = [number for number in long if not _parts(rules[number])]
        self._in_words = _Keywords((number, _parts(rules[number])) for number in long)
        self._keywords = _Keywords(
            (number, _parts(rule)) for number, rule in enumerate(rules) if LONG not in rule.keywords
        )
        hints = (hint.lower() for rule in rules for hint in rule.hints)
        self._suspicious_words = PatternSet(
            ["|".join(map(re2.escape, _shortest({*self._keywords.words, *hints}))) or "$."]
        )

    def is_suspicious(self, text: str) -> bool:
        """Whether a text holds a keyword or the shape of a secret, so that rules have to be applied to it and to what
        follows."""
        if self._always:
            return True
        # two automata: the states of a joint one would multiply, and each text would need new ones
        low = Subject(normal(text).lower())
        return bool(self._suspicious_words.found(low.data)) or _ANY_SHAPE.search(low) is not None

    def find(self, text: str, before: str = "\n", check_deadline: Callable[[], None] = lambda: None) -> list[RuleHit]:
        """All hits in a text that may hold masks already, in order; they may overlap.

        Args:
            before: the character before the text; a line break where the text begins a line.
            check_deadline: called at every match; raises an error to end the search.
        """
        view = normalised(before + text)
        plain, hidden = view.text, None
        if "[masked: " in plain:
            hidden = edited(
                plain, ((mask.span(), _MASK_STAND_IN + "\n" * mask[0].count("\n")) for mask in MASK.finditer(plain))
            )
            plain = hidden.text
        found = []
        for each in self._hits_in_all_views(plain, check_deadline):
            start, end = view.origin(hidden.origin((each.start, each.end)) if hidden else (each.start, each.end))
            found.append(RuleHit(max(0, start - 1), each.rule, end - 1))
        return sorted(found)

    def _hits_in_all_views(self, text: str, check_deadline: Callable[[], None]) -> list[RuleHit]:
        subject = Subject(text)
        found = self._hits(subject, self._all, check_deadline)
        for rewriting in _REWRITINGS.found(subject.data):
            view = (unescaped, unmarked, unbroken)[rewriting](text)
            rules = self._across_lines if rewriting == 2 else self._all
            found += self._hits_in_view(view, found, rules, check_deadline, crossing=rewriting == 2)
        for place, inside in decoded(subject) if _LONG.search(subject) else ():
            hits = self._hits(Subject(inside), self._all, check_deadline)
            pair = _PAIR.fullmatch(inside)
            if hits:
                found.append(RuleHit(place[0], min(each.rule for each in hits), place[1]))
            elif pair and strength(pair[1]) >= GOOD and not is_placeholder(pair[1]):
                found.append(RuleHit(place[0], self._password_rule, place[1]))
        return found

    def _hits_in_view(
        self,
        view: View,
        known: Sequence[RuleHit],
        rules: frozenset[int],
        check_deadline: Callable[[], None],
        *,
        crossing: bool,
    ) -> Iterable[RuleHit]:
        """Hits in a view that are not inside a known hit. crossing: only hits where the view differs from the text."""
        known = sorted(known)
        starts = [each.start for each in known]
        ends = [0, *accumulate((each.end for each in known), max)]
        for each in self._hits(Subject(view.text), rules, check_deadline):
            place = each.start, each.end
            start, end = view.origin(place)
            if (view.crosses(place) or not crossing) and ends[bisect_right(starts, start)] < end:
                yield RuleHit(start, each.rule, end)

    def _candidates(self, subject: Subject) -> set[int]:
        """Numbers of the rules that may find something, by their keywords and by the shapes in the text."""
        wanted = set(self._always)
        wanted.update(self._keywords.rules(subject.text.lower()))
        if _LONG.search(subject) and (words := _long_words(subject.text)):
            wanted.update(self._any_word, self._in_words.rules(words))
        return wanted

    def _hits(self, subject: Subject, rules: frozenset[int], check_deadline: Callable[[], None]) -> list[RuleHit]:
        found = self._hits_of(rules & self._candidates(subject), subject, check_deadline)
        if _DIGITS.found(subject.data):
            other = _ROW.sub(lambda row: "_" * len(row[0]), subject.text)
            numbers = subject if other == subject.text else Subject(other)
            found += self._hits_of(rules & self._numbers, numbers, check_deadline)
        return found

    def _hits_of(self, rules: Iterable[int], subject: Subject, check_deadline: Callable[[], None]) -> list[RuleHit]:
        found: list[RuleHit] = []
        text, data, size = subject.text, subject.data, len(subject.data)
        for number in sorted(rules):
            first = self._patterns[number].first
            spans = first(data, 0, size)
            while spans[0][0] >= 0:
                check_deadline()
                match = subject.found(spans)
                places = [place for place in self.rules[number].check(match) if _is_shown(text[slice(*place)])]
                found += (RuleHit(start, number, end) for start, end in places)
                position = _next_position(match, places)
                if position >= len(text):
                    break
                spans = first(data, subject.byte(position), size)
        return found


def _shortest(words: set[str]) -> list[str]:
    """The words that contain no other one of them: a text that holds any of the words holds one of these."""
    return sorted(word for word in words if words.isdisjoint(_pieces(word)))


def _pieces(word: str) -> Iterable[str]:
    """All parts of a word, except the word itself."""
    length = len(word)
    ends = ((start, end) for start in range(length) for end in range(start + 1, length + 1))
    return (word[start:end] for start, end in ends if end - start < length)


def _parts(rule: Rule) -> list[str]:
    """The keywords of a rule without DIGITS and LONG."""
    return [word for word in dict.fromkeys(map(str.lower, rule.keywords)) if word not in {DIGITS, LONG}]


def _long_words(text: str) -> str:
    """The words of SHORTEST characters and more, in small letters; empty unless one of them has a run with digits and
    letters, as a token has."""
    words = [word for word in text.split() if len(word) >= SHORTEST]
    runs = (run for word in words for run in _RUN.findall(word))
    return "\n".join(words).lower() if any(_DIGIT.search(run) and _LETTER.search(run) for run in runs) else ""


def _is_shown(text: str) -> bool:
    return _MASK_STAND_IN not in text and bool(text.strip())


def _next_position(match: PatternMatch, places: Sequence[Place]) -> int:
    """Where the search for the same rule goes on: behind the secret, or inside the match if it held none."""
    start, end = match.span()
    if places:
        return max(start + 1, min(end, max(start + 1, places[-1][1])))
    first = match.start(1) if match.groups else start
    return max(start + 1, first if end - start < 200 else end)
