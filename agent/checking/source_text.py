"""The text of a source, read: its sentences, their words and what they state, each found by what it says. Pure."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from agent.checking.quantities import Quantity
from agent.checking.read_sentence import Reading
from agent.checking.read_words import ReadWord
from agent.checking.statements import Portion, Statement
from agent.checking.vocabulary import Vocabulary, same

_NOWHERE = frozenset[str]()


@dataclass(frozen=True)
class SourceText:
    """Sentences, in order."""

    sentences: Sequence[Reading]

    @cached_property
    def words(self) -> Vocabulary:
        """Their words."""
        return Vocabulary(self.sentences)

    @cached_property
    def names(self) -> frozenset[str]:
        """The words that are written like names."""
        return frozenset(word.text for each in self.sentences for word in each.words if word.name)

    @cached_property
    def stated(self) -> Sequence[Statement]:
        """The statements; what a pronoun may stand for in one is part of it."""
        return list(self._with_borrowed())

    def _with_borrowed(self) -> Iterator[Statement]:
        before: Statement | None = None
        following = (each.text for each in (*self.sentences[1:], *self.sentences[-1:]))
        for sentence, behind in zip(self.sentences, following, strict=True):
            names_columns = sentence.row and set(behind) <= set("|-: ")
            for each in () if names_columns else sentence.statements:
                if each.open and before:
                    filled = {slot for part in each.parts for slot in part.slots}
                    borrowed = [replace(part, slots=_NOWHERE) for part in before.parts if part.slots.isdisjoint(filled)]
                    yield replace(each, parts=(*each.parts, *borrowed))
                else:
                    yield each
                before = each

    @cached_property
    def _parts(self) -> Mapping[int, list[tuple[int, Portion]]]:
        """The parts of statements with the number of each, by the `id` of what is said."""
        found: dict[int, list[tuple[int, Portion]]] = defaultdict(list)
        for number, statement in enumerate(self.stated):
            for part in statement.parts:
                found[id(part.said)].append((number, part))
        return found

    @cached_property
    def _values(self) -> Sequence[Quantity]:
        return [value for each in self.sentences for value in each.quantities]

    def homes(self, part: Portion) -> dict[int, Portion]:
        """Where the source says a part of a claim: by the number of a statement, its first part that says it."""
        homes: dict[int, Portion] = {}
        for other in self._saying(part.said):
            for number, each in self._parts.get(other, ()):
                if number not in homes or each.place < homes[number].place:
                    homes[number] = each
        return homes

    def _saying(self, said: ReadWord | Quantity) -> Iterator[int]:
        if isinstance(said, ReadWord):
            yield from self.words.found(said).same
        else:
            yield from (id(value) for value in self._values if said.equals(value))

    def says(self, part: Portion, other: Portion) -> bool:
        """Whether a part of the source says the same as a part of a claim."""
        if isinstance(part.said, Quantity):
            return isinstance(other.said, Quantity) and part.said.equals(other.said)
        return id(other.said) in self.words.found(part.said).same

    def alike(self, one: int, other: int) -> bool:
        """Whether two statements, by their numbers, have the same verb; without any, whether they are neighbours."""
        first, second = self.stated[one].verb, self.stated[other].verb
        if first is None or second is None:
            return first is second and abs(one - other) == 1
        return first.stem == second.stem or self._synonyms(first, second)

    def _synonyms(self, one: ReadWord, other: ReadWord) -> bool:
        key = one.text, other.text
        if key not in self._known:
            self._known[key] = same(one, other)
        return self._known[key]

    @cached_property
    def _known(self) -> dict[tuple[str, str], bool]:
        return {}
