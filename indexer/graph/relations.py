"""Relations between what a sentence names, by four patterns over the words between two neighbours. Pure.

The words may be annotated by our own rules or by a language pipeline; nothing here knows which.
"""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

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
"""Words between two names that still say how they hang together."""

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
    """What the sentences state, in their order; between neighbouring names alone, the surest reading of each pair."""
    tokens, starts = annotation.tokens, [token.start for token in annotation.tokens]
    found: list[StatedRelation] = []
    lying: dict[NamedSpan, NamedSpan] = {}  # B of `A in B`, and A, of which the sentence goes on to speak
    for one, other in pairwise(_apart(annotation.names)):
        first, last = bisect_left(starts, one.end), bisect_left(starts, other.start)
        between = _inner(tokens[first:last]) if last - first <= MOST_BETWEEN + 2 else ()
        if not between or len(between) > MOST_BETWEEN:
            continue
        begin = bisect_left(starts, one.start)
        stated = _stated(one, between, other, tokens[max(0, begin - 3) : begin])
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
    """Names that do not touch each other: the surest, of those the longest."""
    chosen: list[NamedSpan] = []
    for name in sorted(names, key=lambda each: (-each.confidence, each.start - each.end, each.start)):
        if name.confidence >= 0.2 and not any(one.start < name.end and name.start < one.end for one in chosen):
            chosen.append(name)
    return sorted(chosen, key=lambda each: each.start)


def _stated(
    one: NamedSpan, between: Sequence[WordToken], other: NamedSpan, before: Sequence[WordToken]
) -> StatedRelation | None:
    if any(token.part in {"END", "PRON"} for token in between):
        return None
    for read in (_alias, _possession, _copula, _verb, _preposition):
        stated = read(one, between, other, before)
        if stated:
            return stated
    return None


def _relation(one: NamedSpan, predicate: str, other: NamedSpan, pattern: RelationOrigin) -> StatedRelation:
    return StatedRelation(one, predicate, other, pattern, CONFIDENCE[pattern])


def _alias(
    one: NamedSpan, between: Sequence[WordToken], other: NamedSpan, _before: Sequence[WordToken]
) -> StatedRelation | None:
    """A, also known as B."""
    words = tuple(token.lemma for token in between if token.part not in {"COMMA", "AUX", "X"})
    if words in _SAME:
        return StatedRelation(other, SAME_AS, one, RelationOrigin.COPULA, CONFIDENCE[RelationOrigin.COPULA])
    return None


def _possession(
    one: NamedSpan, between: Sequence[WordToken], other: NamedSpan, before: Sequence[WordToken]
) -> StatedRelation | None:
    """A's owner is B; A's B; A has B; the owner of A is B."""
    if between[0].part == "POSS":
        nouns = _described(between[1:])
        rest = between[1 + len(nouns) :]
        if not rest or all(token.lemma in {"be", ":", "include"} or token.part in _SKIPPED for token in rest):
            return _relation(one, " ".join(token.lemma for token in nouns) or "has", other, RelationOrigin.POSSESSION)
        return None
    told = [token for token in between if token.part not in _SKIPPED]
    if [token.lemma for token in told] == ["have"]:
        return _relation(one, "has", other, RelationOrigin.POSSESSION)
    owner = [token for token in before if token.part != "DET"]
    if [token.lemma for token in told] == ["be"] and len(owner) > 1 and owner[-1].lemma == "of":
        roles = [token.lemma for token in owner[:-1] if token.part == "NOUN"]
        if roles:
            return _relation(one, roles[-1], other, RelationOrigin.POSSESSION)
    return None


def _copula(
    one: NamedSpan, between: Sequence[WordToken], other: NamedSpan, _before: Sequence[WordToken]
) -> StatedRelation | None:
    """A is the owner of B; A, the owner of B; A is a B."""
    aside = between[0].part == "COMMA"
    told = [token for token in between[1 if aside else 0 :] if token.part not in _SKIPPED]
    if not aside:
        if not told or told[0].lemma not in {"be", "become", "remain"}:
            return None
        told = told[1:]
        if told and told[0].part == "VERB" and _by_or_on(told[1:]):
            return None  # A is owned by B
    if not told:
        return None if aside else _relation(one, "is", other, RelationOrigin.COPULA)
    nouns, link = _linked(told)
    if not nouns or (aside and not link):
        return None
    predicate = " ".join(("is", *nouns, *link)) if link else "is"
    return _relation(one, predicate, other, RelationOrigin.COPULA)


def _verb(
    one: NamedSpan, between: Sequence[WordToken], other: NamedSpan, _before: Sequence[WordToken]
) -> StatedRelation | None:
    """A uses B; A is used by B; A depends on B; A leads the design of B."""
    told = [token for token in between if token.part not in _SKIPPED]
    passive = bool(told) and told[0].lemma == "be"
    while told and told[0].part == "AUX":
        passive = passive or told[0].lemma == "be"
        told = told[1:]
    if not told or told[0].part != "VERB":
        return None
    verb, rest = told[0].lemma, told[1:]
    if passive and [token.lemma for token in rest] == ["by"]:
        return _relation(other, verb, one, RelationOrigin.VERB)
    nouns, link = _linked(rest)
    if nouns is None or (nouns and not link):
        return None
    words = (f"{_said(told[0], passive=passive)}", *nouns, *link)
    return _relation(one, " ".join(words), other, RelationOrigin.VERB) if len(words) <= _MOST_WORDS else None


def _preposition(
    one: NamedSpan, between: Sequence[WordToken], other: NamedSpan, _before: Sequence[WordToken]
) -> StatedRelation | None:
    """A in B."""
    told = [token for token in between if token.part not in _SKIPPED]
    if len(told) == 1 and told[0].lemma in _LINKING:
        return _relation(one, told[0].lemma, other, RelationOrigin.PREPOSITION)
    return None


def _said(verb: WordToken, *, passive: bool) -> str:
    return f"be {verb.lemma}" if passive else verb.lemma


def _by_or_on(rest: Sequence[WordToken]) -> bool:
    return not rest or rest[0].part == "ADP"


def _described(tokens: Sequence[WordToken]) -> list[WordToken]:
    found: list[WordToken] = []
    for token in tokens:
        if token.part not in {"NOUN", "ADJ"}:
            break
        found.append(token)
    return found


def _linked(tokens: Sequence[WordToken]) -> tuple[list[str] | None, list[str]]:
    """What describes, and the small word behind it that leads on; None where there is anything else."""
    nouns: list[str] = []
    for place, token in enumerate(tokens):
        if token.part in _DESCRIBING:
            nouns.append(token.lemma)
        elif token.part == "ADP" and place == len(tokens) - 1:
            return _last(nouns), [token.lemma]
        else:
            return None, []
    return _last(nouns), []


def _last(nouns: list[str]) -> list[str]:
    """The two words that say most of a description: its last."""
    return nouns[-2:]
