"""What belongs to what: whether the things that a claim says together stand together in the source. Pure."""

from collections.abc import Iterator, Mapping, Sequence

from agent.checking.alignment import Alignment
from agent.checking.quantities import Quantity
from agent.checking.read_sentence import Reading
from agent.checking.read_words import ReadWord
from agent.checking.source_text import SourceText
from agent.checking.statements import NEIGHBOUR_SLOTS, Portion, Statement
from agent.checking.vocabulary import side

_BECOMES = frozenset({"becom", "remain", "werd", "bleib"})
"""Stems of verbs whose two sides are the same thing."""
_ROLES = frozenset({"agent", "patient"})
VALUE = 1.5
"""What a number or a date counts, where a word counts 1, for the statement that a claim rests on."""
_BARE = "v:number:"
"""The slot of a number without a unit, which is told by the noun beside it."""


def unbound(pair: Alignment) -> list[str]:
    """Things of one statement that the source says in different ones, each of which has another thing in the place."""
    for claim in pair.claim.statements if pair.close else ():
        if len(claim.parts) > 1 and (found := _Binding(claim, pair).apart()):
            kind = "number" if isinstance(found[0].said, Quantity) else "said"
            return [f"{kind} of something else: {found[0].said.text} / {found[1].said.text}"]
    return []


class _Binding:
    """One statement of a claim beside those of the source."""

    def __init__(self, claim: Statement, pair: Alignment) -> None:
        self._claim = claim
        self._source = pair.text
        self._whole = [part for each in pair.claim.statements for part in each.parts]
        self._homes = [pair.text.homes(part) for part in claim.parts]

    def apart(self) -> tuple[Portion, Portion] | None:
        """A part of the claim, and what the source says in its place; None where one statement of the source holds all
        that the source holds of it, or where nothing stands in its place."""
        held: dict[int, float] = {}
        for part, homes in zip(self._claim.parts, self._homes, strict=True):
            weight = VALUE if isinstance(part.said, Quantity) else 1.0
            for number in homes:
                if self._source.stated[number].contrast == self._claim.contrast:
                    held[number] = held.get(number, 0.0) + weight
        everywhere = sum(bool(homes) for homes in self._homes)
        if everywhere < 2 or not held:
            return None
        weights = {number: count + 0.5 * self._has_verb(number) for number, count in held.items()}
        most = max(weights.values())
        wrong = None
        for number in (each for each, weight in weights.items() if weight == most):
            found = next(self._rivals(number), None)
            if not found:
                return None
            wrong = wrong or found
        return wrong

    def _has_verb(self, number: int) -> bool:
        one, verb = self._source.stated[number], self._claim.verb
        return bool(verb and one.verb and id(one.verb) in self._source.words.found(verb).same)

    def _rivals(self, number: int) -> Iterator[tuple[Portion, Portion]]:
        """Of what a statement lacks, each part in whose place it has something that the claim does not say."""
        one = self._source.stated[number]
        alike = _ROLES if one.only and self._has_verb(number) else frozenset[str]()
        for part, homes in zip(self._claim.parts, self._homes, strict=True):
            if not homes or number in homes:
                continue
            for each in one.replaced:  # `claims above that`; `at once` where another time stands
                timed = "how" in each.slots or (one.open and isinstance(part.said, Quantity))
                if timed and self._source.says(part, each):
                    yield part, each
            for rival in one.parts:
                instead = _stands_for(part, rival, alike) or self._in_place(part, homes, rival, number)
                if instead and not self._is_said(rival, one):
                    yield part, rival

    def _is_said(self, rival: Portion, one: Statement) -> bool:
        """Whether the claim says a part of a statement, too; of a cell, anything in it."""
        cell = _cell(rival)
        if not cell:
            return any(self._source.says(each, rival) for each in self._claim.parts)
        beside = [each for each in one.parts if _cell(each) == cell]
        return any(self._source.says(ours, each) for ours in self._whole for each in beside)

    def _in_place(self, part: Portion, homes: Mapping[int, Portion], rival: Portion, one: int) -> bool:
        """Whether a statement has another thing in the place that the source gives to a part where it says it."""
        for number, theirs in homes.items():
            if isinstance(theirs.said, Quantity) != isinstance(rival.said, Quantity):
                continue
            for slot in theirs.slots & rival.slots:
                if slot in _ROLES or slot.startswith("p:"):
                    if self._source.alike(one, number):
                        return True
                elif slot in part.slots if slot.startswith(NEIGHBOUR_SLOTS) else _measures(slot):
                    return True
        return False


def _cell(part: Portion) -> str:
    return next((slot for slot in part.slots if slot.startswith("c:")), "")


def _stands_for(part: Portion, rival: Portion, roles: frozenset[str]) -> bool:
    """Whether a statement has another thing of the same kind in the place that the claim gives to one."""
    if isinstance(part.said, Quantity) != isinstance(rival.said, Quantity):
        return False
    return any(slot in roles or _measures(slot) for slot in part.slots & rival.slots)


def _measures(slot: str) -> bool:
    """Whether a slot takes one thing only: a value of one unit, a cell."""
    return slot.startswith(("v:", "c:")) and slot != _BARE


def crossed_roles(pair: Alignment) -> list[str]:
    """Who does what to whom: the claim's own order of the two, where the source has each in the other's place."""
    for claim in pair.claim.statements:
        if claim.verb is None or claim.verb.stem in _BECOMES:
            continue
        agents, patients = claim.of("agent"), claim.of("patient")
        if not agents or not patients:
            continue
        like = [each for each in pair.text.stated if each.verb and claim.verb.stem == each.verb.stem]
        crossed = [each for each in like if _crosses(agents, patients, each, pair.text)]
        if crossed and not any(_supports(agents, patients, each, pair.text) for each in like):
            return [f"roles: {claim.verb.text}"]
    return []


def _crosses(agents: Sequence[Portion], patients: Sequence[Portion], stated: Statement, source: SourceText) -> bool:
    doing, done = stated.of("agent"), stated.of("patient")
    return (_any(agents, done, source) and not _any(agents, doing, source)) or (
        _any(patients, doing, source) and not _any(patients, done, source)
    )


def _supports(agents: Sequence[Portion], patients: Sequence[Portion], stated: Statement, source: SourceText) -> bool:
    return (stated.open or _any(agents, stated.of("agent"), source)) and _any(patients, stated.of("patient"), source)


def _any(ours: Sequence[Portion], theirs: Sequence[Portion], source: SourceText) -> bool:
    return any(source.says(one, other) for one in ours for other in theirs)


def exchanged_slots(pair: Alignment) -> list[str]:
    """Two things of one statement, each in the place of the other."""
    for claim in pair.claim.statements:
        words = [each for each in claim.parts if isinstance(each.said, ReadWord)]
        homes = [pair.text.homes(each) for each in words]
        for number, one in enumerate(words):
            for second in range(number + 1, len(words)):
                for spot in homes[number].keys() & homes[second].keys():
                    verb = pair.text.stated[spot].verb
                    if claim.verb and verb and claim.verb.stem != verb.stem:
                        continue
                    theirs = homes[number][spot], homes[second][spot]
                    if _change_places(one, theirs[0], words[second], theirs[1]):
                        return [f"roles: {one.said.text}, {words[second].said.text}"]
    return []


def _change_places(one: Portion, first: Portion, two: Portion, second: Portion) -> bool:
    ours, theirs = _places(one) & _places(second), _places(two) & _places(first)
    return bool(ours and theirs) and not (_places(one) & _places(first) or _places(two) & _places(second))


def _places(part: Portion) -> frozenset[str]:
    return frozenset(each for each in part.slots if each in _ROLES or each.startswith("p:"))


def opposite_beside(pair: Alignment) -> list[str]:
    """A word in whose place the sentence of the source that holds most of the claim has the opposite."""
    if pair.claim.denials:
        return []
    held: dict[int, set[int]] = {}
    for word in pair.claim.words:
        for number, (_, opposite) in pair.found(word).by_sentence.items():
            if not opposite:
                held.setdefault(number, set()).add(word.place)
    most = max(map(len, held.values()), default=0)
    if most < 2:
        return []
    best = [(pair.source[number], own) for number, own in held.items() if len(own) == most]
    wrong = [_opposite(each, own, pair) for each, own in best]
    return [f"opposite: {wrong[0]}"] if all(wrong) else []


def _opposite(sentence: Reading, own: set[int], pair: Alignment) -> str:
    if sentence.denials:
        return ""
    for ours in pair.claim.statements:
        words = [each.said for each in ours.parts if isinstance(each.said, ReadWord) and each.place not in own]
        for word in words:
            turned = pair.found(word).opposite
            for theirs in sentence.statements if turned and not word.negative else ():
                others = [each.said for each in theirs.parts if isinstance(each.said, ReadWord)]
                found = next((each for each in others if id(each) in turned and _is_other(word, each, pair)), None)
                if found and any(
                    each.slots & other.slots and pair.text.says(each, other)
                    for each in ours.parts
                    for other in theirs.parts
                ):
                    return f"{word.text} / {found.text}"
    return ""


def _is_other(word: ReadWord, other: ReadWord, pair: Alignment) -> bool:
    """Whether a word is the opposite of another by the tables, not by a prefix alone, and the claim has not both."""
    known = {number for number, _ in word.concepts} & {number for number, _ in other.concepts}
    return bool(known) and side(word, other) < 0 and other.stem not in pair.claim.by_stem
