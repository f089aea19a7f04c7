"""What kind of word each token of a sentence is, by tables and endings: enough to tell who stands where. Pure.

The tags: `.` a mark, `c` a conjunction, `d` a determiner, `p` a preposition, `x` an auxiliary, `v` a verb, `n` another
word that says something, `q` a value, `r` a pronoun, `o` any other.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from agent.checking.lexicon import Lexicon, infinitive, stemmed
from agent.checking.quantities import PERIODS

_MARKS = frozenset(",;:()|–—!?")
_PER = frozenset({"per", "pro"})
_GERMAN_ENDS = ("t", "te", "ten", "st", "en", "ern", "eln")
INFLECTED = ("e", "en", "er", "es", "em")
"""Endings of a German adjective in front of its noun."""


@dataclass(eq=False)
class Tagger:
    """Tags the tokens of one sentence.

    tokens: folded. capitals: of each token, whether it begins with one. words, values: the places of those tokens that
    say something, and that are numbers, dates and the like.
    """

    tables: Lexicon
    tokens: Sequence[str]
    capitals: Sequence[bool]
    words: Collection[int]
    values: Collection[int]

    def tags(self) -> str:
        """A sign for each token."""
        return "".join(self._each())

    def _each(self) -> Iterator[str]:
        said = False
        before = "."
        for place, word in enumerate(self.tokens):
            tag = self._tag(place, word, before, said=said)
            said = (said and tag not in ".c") or tag in "vx"
            yield tag
            before = tag if tag != "o" else before

    def _tag(self, place: int, word: str, before: str, *, said: bool) -> str:
        """said: whether the clause has a verb already."""
        known = "." if word in _MARKS else self.tables.tags.get(word, "")
        if place in self.values and known not in {".", "c"}:
            return "q"
        if known == "r" and word in self.tables.determiners and place + 1 in self.words:
            return "d"
        if not known and word in _PER and self._following(place) not in PERIODS:
            return "p"
        if known or place not in self.words:
            return known or "o"
        german = self.tables.language == "german"
        verb = self._is_german_verb if german else self._is_english_verb
        return "v" if verb(place, word, before, said=said) else "n"

    def _following(self, place: int) -> str:
        return self.tokens[place + 1] if place + 1 < len(self.tokens) else ""

    def _is_english_verb(self, place: int, word: str, before: str, *, said: bool) -> bool:
        previous = self.tokens[place - 1] if place else ""
        if stemmed(word, "english") not in self.tables.verbs or before == "d":
            return False
        if before in "px" or previous == "to":
            return before == "x" or previous == "to"
        if is_past(word):
            return not (place + 1 in self.words and before in ".c")  # `carried-over days`
        return not said and not word.endswith("ing") and self._is_finite(place, word, before)

    def _is_finite(self, place: int, word: str, before: str) -> bool:
        """Whether a word that may be a noun is a verb, by whether it agrees in number with what stands before it."""
        previous, following = self.tokens[place - 1] if place else "", self._following(place)
        if following in self.tables.auxiliaries or following in self.tables.forces:
            return False
        if before in ".c":
            behind = following in self.tables.determiners or place + 1 in self.values
            return behind or not word.endswith("s")
        if before in "rq" or place == 1:  # `Jonas` or `Clients`
            return True
        plural = previous.endswith("s") and not self.capitals[place - 1]
        return word.endswith("s") != plural

    def _is_german_verb(self, place: int, word: str, before: str, *, said: bool) -> bool:
        """Nouns have capitals. What ends like a verb and stands before one may be its adjective."""
        if self.capitals[place]:
            return place == 0 and word.endswith(("t", "e")) and self._following(place) in self.tables.determiners
        if word in self.tables.adverbs or not word.endswith(_GERMAN_ENDS):
            return False
        before_a_noun = place + 1 < len(self.tokens) and self.capitals[place + 1]
        if word.endswith(INFLECTED) and (before == "d" or (before_a_noun and (before in "pq" or said))):
            return False
        return not (before_a_noun and before == "d")


def is_past(word: str) -> bool:
    """Whether a folded English word is a past form or a participle."""
    return word.endswith("ed") or (not word.endswith("s") and infinitive(word, "english") != word)
