"""Relations between what a sentence names, by four patterns over the words between two neighbours. Pure.

The words may be annotated by our own rules or by a language pipeline; nothing here knows which.
"""

import re
from bisect import bisect_left
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, takewhile

from domain.knowledge_graph import SAME_AS, RelationOrigin, name_key
from indexer.graph.annotation import Annotation, NamedSpan, WordToken

CONFIDENCE = {
    RelationOrigin.VERB: 0.80,
    RelationOrigin.COPULA: 0.90,
    RelationOrigin.POSSESSION: 0.85,
    RelationOrigin.PREPOSITION: 0.75,
}
"""Of a relation, by the pattern that found it."""

MAX_BETWEEN = 9
"""At most so many words may stand between two names of a relation."""

_LINKING = frozenset({"of", "for", "in", "at", "to", "from", "by", "behind", "with", "on", "under", "within", "as"})
_SKIPPED = frozenset({"DET", "ADV", "PART", "NUM"})
_DESCRIBING = frozenset({"NOUN", "ADJ", "VERB"})  # a participle before a noun is a verb for our own rules
_SAME = (("also", "know", "as"), ("also", "call"), ("aka",), ("a.k.a",), ("formerly", "know", "as"), ("formerly",))
_MOST_WORDS = 4
_CLASS = 0.4
"""Confidence of words that say what a thing is."""
_GOES_ON = frozenset({RelationOrigin.VERB, RelationOrigin.COPULA, RelationOrigin.POSSESSION})
"""Relations whose objects may be several: `A uses B and C`."""
_ASIDE = re.compile(r" \(([^()\n]{2,60})\)")
_ROLES = frozenset(
    """
    lead head manager engineer director officer owner chief analyst designer architect developer president founder ceo
    cto coo cfo ciso administrator deputy secretary operator technician scientist researcher consultant representative
    operations product support sales purchasing desk
    """.split()  # noqa: SIM905 - a paragraph is read and changed more easily than quoted words
)
"""Words of what people are in a company."""


@dataclass(frozen=True, slots=True)
class StatedRelation:
    """A relation that a sentence states between two of its names."""

    subject: NamedSpan
    predicate: str
    object: NamedSpan
    pattern: RelationOrigin
    confidence: float


def relations_in(annotation: Annotation) -> list[StatedRelation]:
    """The relations that the sentences state, in order: at most one for each two neighbouring names."""
    tokens, starts = annotation.tokens, [token.start for token in annotation.tokens]
    found, asides = _asides(annotation)
    lying: dict[NamedSpan, NamedSpan] = {}  # B of `A in B`, and A, of which the sentence goes on to speak
    listed: dict[NamedSpan, NamedSpan] = {}  # B of `A and B`, and A
    for first_name, other in pairwise(each for each in _apart(annotation.names) if not _within(each, asides)):
        one = first_name
        first, last = bisect_left(starts, one.end), bisect_left(starts, other.start)
        if last - first > MAX_BETWEEN + 20:
            continue
        between = _inner([token for token in tokens[first:last] if not _within(token, asides)])
        if not between or len(between) > MAX_BETWEEN:
            continue
        if _lists(between):
            listed[other] = one
            if found and found[-1].object is one and found[-1].pattern in _GOES_ON:
                found.append(replace(found[-1], object=other))
            continue
        goes_on = found[-1] if found and found[-1].object is one and found[-1].pattern in _GOES_ON else None
        if (
            goes_on is not None
            and between[0].lemma == "and"
            and len(between) > 1
            and between[1].part in {"VERB", "AUX"}
        ):
            one, between = goes_on.subject, between[1:]  # `A depends on B and writes to C`
        begin = bisect_left(starts, one.start)
        stated = _stated(_Neighbours(one, between, other, tokens[max(0, begin - 3) : begin]))
        if stated is None or stated.subject.key == stated.object.key:
            continue
        if stated.pattern is RelationOrigin.PREPOSITION:
            lying[other] = lying.get(one, one)
        elif stated.subject is one and one in lying:
            stated = replace(stated, subject=lying[one])
        found.append(stated)
        also = listed.get(one)
        while also is not None and stated.subject is one and stated.pattern is RelationOrigin.VERB:
            found.append(replace(stated, subject=also))
            also = listed.get(also)
    return [
        *found,
        *_classes(
            annotation, starts, asides, {each.subject for each in found if each.pattern is RelationOrigin.COPULA}
        ),
    ]


def _lists(between: Sequence[WordToken]) -> bool:
    """Whether nothing but a comma or `and` stands between two names."""
    return all(token.part == "COMMA" or token.lemma in {"and", "or", "&"} for token in between)


def _within(one: NamedSpan | WordToken, places: Sequence[tuple[int, int]]) -> bool:
    return bool(places) and any(start <= one.start < end for start, end in places)  # mostly there are none


def _asides(annotation: Annotation) -> tuple[list[StatedRelation], list[tuple[int, int]]]:
    """What somebody is, in brackets behind the name: `Femi (backend engineer)`; and the places of such brackets."""
    ends = {each.end: each for each in annotation.names}
    found, places = list[StatedRelation](), list[tuple[int, int]]()
    for match in _ASIDE.finditer(annotation.text):
        who = ends.get(match.start())
        words = match[1].split()
        if who is None or not any(word.lower().strip(",") in _ROLES for word in words):
            continue
        places.append(match.span())
        said = match[1].split(",")[0].strip()
        if len(said.split()) <= _MOST_WORDS + 1:
            at = match.start(1) + match[1].index(said)
            is_a = NamedSpan(at, at + len(said), name_key(said), said, _CLASS)
            found.append(StatedRelation(who, "is", is_a, RelationOrigin.COPULA, CONFIDENCE[RelationOrigin.COPULA]))
    return [each for each in found if each.object.key], places


def _classes(
    annotation: Annotation, starts: Sequence[int], asides: Sequence[tuple[int, int]], told: Collection[NamedSpan]
) -> Iterator[StatedRelation]:
    """What a thing is, in words that are no name: `Foghorn is our pager`. told: of which that is known already."""
    tokens = annotation.tokens
    for name in _apart(annotation.names):
        first = bisect_left(starts, name.end)
        after = [token for token in tokens[first : first + 12] if not _within(token, asides)]
        if len(after) < 3 or after[0].lemma != "be" or name in told:
            continue
        nouns: list[WordToken] = []
        rest = iter(after[1:])
        if next(rest).part != "DET":
            continue
        for token in rest:
            if token.part not in _DESCRIBING or any(other.start == token.start for other in annotation.names):
                break
            nouns.append(token)
        if nouns and nouns[-1].part == "NOUN":
            start, end = nouns[-min(3, len(nouns))].start, nouns[-1].end
            said = annotation.text[start:end]
            is_a = NamedSpan(start, end, name_key(said), said, _CLASS)
            if is_a.key and is_a.key != name.key:
                yield StatedRelation(name, "is", is_a, RelationOrigin.COPULA, CONFIDENCE[RelationOrigin.COPULA])


def _inner(tokens: Sequence[WordToken]) -> Sequence[WordToken]:
    """The words between two names without brackets and quotes that belong to either."""
    first, last = 0, len(tokens)
    while first < last and tokens[first].part == "X":
        first += 1
    while last > first and tokens[last - 1].part == "X":
        last -= 1
    return tokens[first:last]


def _apart(names: Sequence[NamedSpan]) -> list[NamedSpan]:
    """Names that do not overlap: the highest confidence wins, then the longest name."""
    chosen: list[NamedSpan] = []
    for name in sorted(names, key=lambda each: (-each.confidence, each.start - each.end, each.start)):
        if name.confidence >= 0.2 and not any(one.start < name.end and name.start < one.end for one in chosen):
            chosen.append(name)
    return sorted(chosen, key=lambda each: each.start)


@dataclass(frozen=True, slots=True)
class _Neighbours:
    """Two names that stand next to each other in a sentence."""

    one: NamedSpan
    between: Sequence[WordToken]
    """The words between them."""
    other: NamedSpan
    before: Sequence[WordToken]
    """The words right before the first."""

    @property
    def told(self) -> list[WordToken]:
        """The words between them, without articles, adverbs, particles, numbers and dates: `in 2019`."""
        dated = {one.start for one, other in pairwise(self.between) if one.part == "ADP" and other.part == "NUM"}
        return [token for token in self.between if token.part not in _SKIPPED and token.start not in dated]

    def stated(self, predicate: str, pattern: RelationOrigin, *, inverse: bool = False) -> StatedRelation:
        """A relation from the first to the second, or the other way."""
        subject, other = (self.other, self.one) if inverse else (self.one, self.other)
        return StatedRelation(subject, predicate, other, pattern, CONFIDENCE[pattern])


def _stated(pair: _Neighbours) -> StatedRelation | None:
    if any(token.part in {"END", "PRON"} for token in pair.between):
        return None
    readers = (_alias, _possession, _copula, _verb, _preposition)
    return next((stated for read in readers if (stated := read(pair))), None)


def _alias(pair: _Neighbours) -> StatedRelation | None:
    """A, also known as B."""
    words = tuple(token.lemma for token in pair.between if token.part not in {"COMMA", "AUX", "X"})
    return pair.stated(SAME_AS, RelationOrigin.COPULA, inverse=True) if words in _SAME else None


def _possession(pair: _Neighbours) -> StatedRelation | None:
    """A's owner is B; A's B; A has B; the owner of A is B."""
    if pair.between[0].part == "POSS":
        nouns = list(takewhile(lambda token: token.part in {"NOUN", "ADJ"}, pair.between[1:]))
        rest = pair.between[1 + len(nouns) :]
        if not rest or all(token.lemma in {"be", ":", "include"} or token.part in _SKIPPED for token in rest):
            return pair.stated(" ".join(token.lemma for token in nouns) or "has", RelationOrigin.POSSESSION)
        return None
    told = [token.lemma for token in pair.told]
    if told == ["have"]:
        return pair.stated("has", RelationOrigin.POSSESSION)
    owner = [token for token in pair.before if token.part != "DET"]
    if told == ["be"] and len(owner) > 1 and owner[-1].lemma == "of":
        roles = [token.lemma for token in owner[:-1] if token.part == "NOUN"]
        if roles:
            return pair.stated(roles[-1], RelationOrigin.POSSESSION)
    return None


def _copula(pair: _Neighbours) -> StatedRelation | None:
    """A is the owner of B; A, the owner of B; A is a B."""
    aside = pair.between[0].part == "COMMA"
    told = pair.told[1 if aside else 0 :]
    if not aside:
        if not told or told[0].lemma not in {"be", "become", "remain"}:
            return None
        told = told[1:]
        if told and told[0].part == "VERB" and (len(told) == 1 or told[1].part == "ADP"):
            return None  # A is owned by B
    if not told:
        return None if aside else pair.stated("is", RelationOrigin.COPULA)
    nouns, link = _linked(told)
    if not nouns or (aside and not link):
        return None
    return pair.stated(" ".join(("is", *nouns, *link)) if link else "is", RelationOrigin.COPULA)


def _verb(pair: _Neighbours) -> StatedRelation | None:
    """A uses B; A is used by B; A depends on B; A leads the design of B."""
    told = pair.told
    passive = bool(told) and told[0].lemma == "be"
    while told and told[0].part == "AUX":
        passive = passive or told[0].lemma == "be"
        told = told[1:]
    if not told or told[0].part != "VERB":
        return None
    verb, rest = told[0].lemma, told[1:]
    if passive and [token.lemma for token in rest] == ["by"]:
        return pair.stated(verb, RelationOrigin.VERB, inverse=True)
    nouns, link = _linked(rest)
    if nouns is None or (nouns and not link):
        return None
    words = (f"be {verb}" if passive else verb, *nouns, *link)
    return pair.stated(" ".join(words), RelationOrigin.VERB) if len(words) <= _MOST_WORDS else None


def _preposition(pair: _Neighbours) -> StatedRelation | None:
    """A in B."""
    told = pair.told
    linking = len(told) == 1 and told[0].lemma in _LINKING
    return pair.stated(told[0].lemma, RelationOrigin.PREPOSITION) if linking else None


def _linked(tokens: Sequence[WordToken]) -> tuple[list[str] | None, list[str]]:
    """The last two describing words, which say most, and the preposition behind them; None where there is any other
    word."""
    nouns: list[str] = []
    for place, token in enumerate(tokens):
        if token.part in _DESCRIBING:
            nouns.append(token.lemma)
        elif token.part == "ADP" and place == len(tokens) - 1:
            return nouns[-2:], [token.lemma]
        else:
            return None, []
    return nouns[-2:], []
