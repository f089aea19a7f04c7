"""Relations between what a sentence names, by four patterns over the words between two neighbours. Pure.

The words may be annotated by our own rules or by a language pipeline; nothing here knows which.
"""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, takewhile

from domain.knowledge_graph import SAME_AS, RelationOrigin
from indexer.graph.annotation import Annotation, NamedSpan, WordToken

CONFIDENCE = {
    RelationOrigin.VERB: 0.80,
    RelationOrigin.COPULA: 0.90,
    RelationOrigin.POSSESSION: 0.85,
    RelationOrigin.PREPOSITION: 0.75,
}
"""Of a relation, by the pattern that found it."""

MOST_BETWEEN = 9
"""At most so many words may stand between two names of a relation."""

_LINKING = frozenset({"of", "for", "in", "at", "to", "from", "by", "behind", "with", "on", "under", "within", "as"})
_SKIPPED = frozenset({"DET", "ADV", "PART", "NUM"})
_DESCRIBING = frozenset({"NOUN", "ADJ", "VERB"})  # a participle before a noun is a verb for our own rules
_SAME = (("also", "know", "as"), ("also", "call"), ("aka",), ("a.k.a",), ("formerly", "know", "as"), ("formerly",))
_MOST_WORDS = 4


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
    found: list[StatedRelation] = []
    lying: dict[NamedSpan, NamedSpan] = {}  # B of `A in B`, and A, of which the sentence goes on to speak
    for one, other in pairwise(_apart(annotation.names)):
        first, last = bisect_left(starts, one.end), bisect_left(starts, other.start)
        between = _inner(tokens[first:last]) if last - first <= MOST_BETWEEN + 2 else ()
        if not between or len(between) > MOST_BETWEEN:
            continue
        begin = bisect_left(starts, one.start)
        stated = _stated(_Neighbours(one, between, other, tokens[max(0, begin - 3) : begin]))
        if stated is None or stated.subject.key == stated.object.key:
            continue
        if stated.pattern is RelationOrigin.PREPOSITION:
            lying[other] = lying.get(one, one)
        elif stated.subject is one and one in lying:
            stated = replace(stated, subject=lying[one])
        found.append(stated)
    return found


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
        """The words between them, without articles, adverbs, particles and numbers."""
        return [token for token in self.between if token.part not in _SKIPPED]

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
