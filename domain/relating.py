"""How relations answer a question. Pure."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from domain.graph import Kind, Pattern
from domain.linking import Stretch
from domain.surroundings import Direction, Neighbour, Related, Step
from domain.text.tokens import Analyzer

ASKED_FOR = 1.0
"""A relation whose predicate the question uses."""

CERTAIN = 0.85
"""Another one that the source itself states, or that names the other end by its key or address."""

OTHER = 0.7
"""Another one that is read out of a sentence."""

_ENGLISH = Analyzer("english")
_ANY_RELATION = frozenset(_ENGLISH.tokens("linked links related relates relations connected connections associated"))
_MANY = r"\b(?:which|what|list|all|the)\s+(?:\w+\s+)?"
_OF_KIND: tuple[tuple[frozenset[Kind], re.Pattern[str]], ...] = (
    (frozenset({Kind.ISSUE}), re.compile(rf"{_MANY}(?:tickets?|issues?)\b", re.IGNORECASE)),
    (
        frozenset({Kind.PAGE, Kind.DOCUMENT, Kind.FILE}),
        re.compile(rf"{_MANY}(?:pages?|documents?|docs?|files?|runbooks?|guides?)\b", re.IGNORECASE),
    ),
    (frozenset({Kind.PERSON, Kind.NAME}), re.compile(r"\bwho(?:m|se)?\b", re.IGNORECASE)),
)
_DOES = re.compile(r"\b(?:does|do|did|has|have)\s+(?:the\s+)?\Z", re.IGNORECASE)
_BY = re.compile(r"\bby\b", re.IGNORECASE)


def fit(text: str, named: Stretch, neighbour: Neighbour) -> float:
    """How well a relation of what `named` means answers `text`, 0 to 1: by whether its predicate is asked for, and by
    how sure it is."""
    if _rest(text, named) & _stems(neighbour.predicate):
        return ASKED_FOR * neighbour.confidence
    certain = neighbour.pattern in {Pattern.STRUCTURE, Pattern.REFERENCE}
    return (CERTAIN if certain else OTHER) * neighbour.confidence


def answering(text: str, named: Stretch, neighbours: Sequence[Neighbour]) -> list[Neighbour]:
    """Those relations that answer `text` by themselves: of the kind of thing that is asked for, and with a predicate
    that the question uses, in the direction that it means; all that are certain where it asks for any relation. None
    where it asks for something else."""
    rest = _rest(text, named)
    kinds = next((kinds for kinds, pattern in _OF_KIND if pattern.search(text)), frozenset(Kind))
    of_kind = [each for each in neighbours if each.kind in kinds]
    asked = [each for each in of_kind if rest & _stems(each.predicate)]
    if asked:
        meant = [each for each in asked if each.direction == _direction(text, named, each)]
        return meant or asked
    if not rest & _ANY_RELATION:
        return []
    return [each for each in of_kind if each.pattern in {Pattern.STRUCTURE, Pattern.REFERENCE}]


def _direction(text: str, named: Stretch, neighbour: Neighbour) -> Direction:
    """Whether the question means what is named as the subject of the predicate or as its object. "What blocks X" and
    "what is X blocked by" ask for what does it to X; "what does X block" and "what is blocked by X" for what X does it
    to."""
    before, after = text[: named.start], text[named.end :]
    leads = bool(_stems(before) & _stems(neighbour.predicate))
    passive = bool(_BY.search(before if leads else after)) and not _BY.search(neighbour.predicate)
    active_object = leads and not _DOES.search(before)
    return "in" if active_object != passive else "out"


def _rest(text: str, named: Stretch) -> frozenset[str]:
    return _stems(text[: named.start] + " " + text[named.end :])


def _stems(text: str) -> frozenset[str]:
    return frozenset(_ENGLISH.tokens(text))


def stated(name: str, neighbour: Neighbour) -> Step:
    """A relation of what is called `name`, in words."""
    ends = (name, neighbour.name) if neighbour.direction == "out" else (neighbour.name, name)
    return Step(ends[0], neighbour.predicate, ends[1], neighbour.chunk_id)


def best_of(found: Iterable[Related], limit: int) -> list[Related]:
    """Each chunk once, by its best way and with all that it states: best first, then by the shorter way."""
    ordered = sorted(found, key=lambda each: (-each.score, len(each.way), each.chunk_id))
    once: dict[str, Related] = {}
    for each in ordered:
        known = once.setdefault(each.chunk_id, each)
        states = tuple(dict.fromkeys((*known.states, *each.states)))
        once[each.chunk_id] = replace(known, states=states, cosine=known.cosine or each.cosine)
    return list(once.values())[:limit]
