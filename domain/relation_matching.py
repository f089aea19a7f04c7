"""How relations answer a question. Pure."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from domain.entity_linking import MentionSpan
from domain.graph_search import Direction, GraphStep, Neighbour, RelatedChunk
from domain.knowledge_graph import EntityType, RelationOrigin
from domain.text.tokens import Analyzer

ASKED_FOR = 1.0
"""A relation whose predicate the question uses."""

CERTAIN = 0.85
"""Another one that the source itself states, or that names the other end by its key or address."""

OTHER = 0.7
"""Another one that is read out of a sentence."""

_ENGLISH = Analyzer("english")
_ANY_RELATION = frozenset(_ENGLISH.tokens("linked links related relates relations connected connections associated"))
_CERTAIN = frozenset({RelationOrigin.STRUCTURE, RelationOrigin.REFERENCE})
_THINGS = frozenset({EntityType.ISSUE, EntityType.PAGE, EntityType.DOCUMENT, EntityType.FILE})
"""What may be linked; labels, spaces and people have a thing, and are not linked to it."""
_PEOPLE = frozenset({EntityType.PERSON, EntityType.NAME})
_MANY = r"\b(?:which|what|list|all|the)\s+(?:\w+\s+)?"
_ISSUES = r"(?:tickets?|issues?|epics?|story|stories|bugs?|sub-?tasks?)\b"
_OF_KIND: tuple[tuple[frozenset[EntityType], re.Pattern[str]], ...] = (
    (_PEOPLE, re.compile(r"\A\W*(?:by\s+)?who(?:m|se)?\b", re.IGNORECASE)),
    (frozenset({EntityType.ISSUE}), re.compile(rf"{_MANY}{_ISSUES}", re.IGNORECASE)),
    (
        frozenset({EntityType.PAGE, EntityType.DOCUMENT, EntityType.FILE}),
        re.compile(rf"{_MANY}(?:pages?|documents?|docs?|files?|runbooks?|guides?)\b", re.IGNORECASE),
    ),
    (_PEOPLE, re.compile(r"\bwho(?:m|se)?\b", re.IGNORECASE)),
)
_DOES = re.compile(r"\b(?:does|do|did|has|have)\s+(?:the\s+)?\Z", re.IGNORECASE)
_BY = re.compile(r"\bby\b", re.IGNORECASE)
_NOT = re.compile(r"\b(?:not|never|no longer)\b|n['’]t\b", re.IGNORECASE)
_LEADS_TO = re.compile(r"\b(?:links?|refers?) to\b", re.IGNORECASE)
_ABOVE = r"(?:epic|story|parent(?: issue| ticket)?|initiative)"
_SAYINGS: tuple[tuple[re.Pattern[str], str, Direction | None], ...] = (
    (
        re.compile(
            rf"\bbelong(?:s|ing)? to\b|\b(?:in|under|within|inside) (?:the |this )?(?={_ABOVE}\b)", re.IGNORECASE
        ),
        "part of",
        None,
    ),
    (re.compile(r"\b(?:sub-?tasks?|child(?:ren)?(?: issues| tickets)?)\b", re.IGNORECASE), "part of", "in"),
    (re.compile(rf"\b{_ABOVE} of\b", re.IGNORECASE), "part of", "out"),
    (re.compile(r"\b(?:reporter|raised|filed|opened|created)\b", re.IGNORECASE), "reported", None),
    (re.compile(r"\bassignee\b", re.IGNORECASE), "assigned", None),
    (re.compile(r"\b(?:author|wrote|writer)\b", re.IGNORECASE), "written", None),
)
"""What people say, the word of a predicate that it stands for, and the direction where that is sure."""


@dataclass(frozen=True, slots=True)
class _Asked:
    """A question around what it names, in the words of predicates."""

    before: str
    after: str
    direction: Direction | None
    """The direction, where the words leave no other one."""

    @classmethod
    def of(cls, text: str, named: MentionSpan) -> "_Asked":
        before, after, direction = text[: named.start], text[named.end :], None
        for saying, words, sure in _SAYINGS:
            if saying.search(before) or saying.search(after):
                before, after, direction = saying.sub(words, before), saying.sub(words, after), direction or sure
        return cls(before, after, direction)

    @property
    def stems(self) -> frozenset[str]:
        """Those of all its words but the name."""
        return _stems(f"{self.before} {self.after}")

    def meant(self, neighbour: Neighbour) -> Direction:
        """Whether the question means what is named as the subject of the predicate or as its object. "What blocks X"
        and "what is X blocked by" ask for what does it to X; "what does X block" and "what is blocked by X" for what X
        does it to. Of a predicate that is itself said with "by" it is the other way round."""
        if self.direction is not None:
            return self.direction
        leads = bool(_stems(self.before) & _stems(neighbour.predicate))
        active_object = leads and not _DOES.search(self.before)
        passive = bool(_BY.search(self.before if leads else self.after)) != bool(_BY.search(neighbour.predicate))
        return "in" if active_object != passive else "out"


def fit(text: str, named: MentionSpan, neighbour: Neighbour) -> float:
    """How well a relation of what `named` means answers `text`, 0 to 1: by whether its predicate is asked for, and by
    how sure it is."""
    if _Asked.of(text, named).stems & _stems(neighbour.predicate):
        return ASKED_FOR * neighbour.confidence
    return (CERTAIN if neighbour.pattern in _CERTAIN else OTHER) * neighbour.confidence


def answering(text: str, named: MentionSpan, neighbours: Sequence[Neighbour]) -> list[Neighbour]:
    """Those relations that answer `text` by themselves: of the kind of thing that is asked for, and with a predicate
    that the question uses, in the direction that it means; all that are certain where it asks for any relation. None
    where it asks for something else, or for what is not so."""
    if _NOT.search(text[: named.start]) or _NOT.search(text[named.end :]):
        return []
    asked = _Asked.of(text, named)
    of_any = bool(asked.stems & _ANY_RELATION)
    kinds = next(
        (kinds for kinds, pattern in _OF_KIND if pattern.search(text)), _THINGS if of_any else frozenset(EntityType)
    )
    of_kind = [each for each in neighbours if each.kind in kinds]
    said = asked.stems if _LEADS_TO.search(text) else asked.stems - _ANY_RELATION
    found = [each for each in of_kind if said & _stems(each.predicate)]
    if found:
        return [each for each in found if each.direction == asked.meant(each)] or found
    return [each for each in of_kind if each.pattern in _CERTAIN] if of_any else []


def _stems(text: str) -> frozenset[str]:
    return frozenset(_ENGLISH.tokens(text))


def stated(name: str, neighbour: Neighbour) -> GraphStep:
    """A relation of what is called `name`, in words."""
    ends = (name, neighbour.name) if neighbour.direction == "out" else (neighbour.name, name)
    return GraphStep(ends[0], neighbour.predicate, ends[1], neighbour.chunk_id)


MAX_STATED = 40
"""Chunks that state what is asked for by themselves: a list of what belongs to a thing is told whole, up to this."""
_ONE_MORE = 1
"""Is found beside them, so that it can be said that there are more."""


def best_of(found: Iterable[RelatedChunk], limit: int) -> list[RelatedChunk]:
    """Each chunk once, by its best way and with all that it states: best first, then by the shorter way. What states an
    answer by itself counts beside the limit."""
    ordered = sorted(found, key=lambda each: (-each.score, len(each.way), each.chunk_id))
    once: dict[str, RelatedChunk] = {}
    for each in ordered:
        known = once.setdefault(each.chunk_id, each)
        states = tuple(dict.fromkeys((*known.stated_relations, *each.stated_relations)))
        once[each.chunk_id] = replace(known, stated_relations=states, cosine=known.cosine or each.cosine)
    stating = [each.chunk_id for each in once.values() if each.stated_relations][: MAX_STATED + _ONE_MORE]
    first = {*list(once)[:limit], *stating}
    return [each for each in once.values() if each.chunk_id in first]
