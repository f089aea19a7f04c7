"""The words of a text, found by what they say: which of them say the same as a word, and which the opposite. Pure."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from agent.checking.read_sentence import Reading
from agent.checking.read_words import ReadWord

MIN_SHARED_LETTERS = 5
"""Letters that two words must share to be held for forms of one."""

MIN_NEGATED_LETTERS = 4
"""Letters of a word behind a prefix that turns it round."""

_PREFIXES = ("un", "in", "im", "ir", "il", "dis", "non", "non-", "de", "miss")
_NEGATING = {prefix[0] for prefix in _PREFIXES}


@dataclass(frozen=True, slots=True)
class Found:
    """What a text has for one word."""

    same: frozenset[int]
    """The `id` of each word that may say the same."""
    opposite: frozenset[int]
    """The same of those that say the opposite."""
    by_sentence: Mapping[int, tuple[ReadWord, bool]]
    """By the number of a sentence, its best word, and whether that is the opposite."""


_Key = tuple[str, str]
"""A word and its stem: one word of German may have two."""


class Vocabulary:
    """The words of sentences. They are told apart by their `id`: the sentences are kept."""

    def __init__(self, sentences: Sequence[Reading]) -> None:
        self._sentences = sentences
        self._places: dict[_Key, list[tuple[int, ReadWord]]] = defaultdict(list)
        for number, sentence in enumerate(sentences):
            for word in sentence.words:
                self._places[word.text, word.stem].append((number, word))
        self._texts: dict[str, list[_Key]] = defaultdict(list)
        self._stems: dict[str, list[_Key]] = defaultdict(list)
        self._concepts: dict[int, list[_Key]] = defaultdict(list)
        self._starts: dict[str, list[_Key]] = defaultdict(list)
        self._turned: dict[str, list[_Key]] = defaultdict(list)
        for key, places in self._places.items():
            self._enter(key, places[0][1])
        self._all = "\n".join(self._texts)
        self._long = [text for text in self._texts if len(text) >= MIN_SHARED_LETTERS]
        self._found: dict[_Key, Found] = {}

    def _enter(self, key: _Key, word: ReadWord) -> None:
        text, stem = key
        self._texts[text].append(key)
        self._stems[stem].append(key)
        for number, _ in word.concepts:
            self._concepts[number].append(key)
        if len(text) >= MIN_NEGATED_LETTERS:
            self._starts[text[:MIN_NEGATED_LETTERS]].append(key)
        for start in _behind_prefixes(text):
            self._turned[start].append(key)

    def found(self, word: ReadWord) -> Found:
        """What the text has for a word."""
        key = word.text, word.stem
        known = self._found.get(key)
        if known is None:
            known = self._found[key] = self._look_up(word)
        return known

    def _look_up(self, word: ReadWord) -> Found:
        same: list[int] = []
        opposite: list[int] = []
        best: dict[int, tuple[int, ReadWord]] = {}
        for key in dict.fromkeys(self._candidates(word)):
            places = self._places[key]
            kind = relation(word, places[0][1])
            if kind:
                (opposite if kind == OPPOSITE else same).extend(id(each) for _, each in places)
                for number, each in places:
                    if number not in best or kind < best[number][0]:
                        best[number] = kind, each
        by_sentence = {number: (each, kind == OPPOSITE) for number, (kind, each) in best.items()}
        return Found(frozenset(same), frozenset(opposite), by_sentence)

    def _candidates(self, word: ReadWord) -> Iterator[_Key]:
        """The words that may have to do with one."""
        text = word.text
        yield from self._stems.get(word.stem, ())
        for number, _ in word.concepts:
            yield from self._concepts.get(number, ())
        yield from self._turned.get(text[:MIN_NEGATED_LETTERS], ())
        for start in _behind_prefixes(text):
            yield from self._starts.get(start, ())
        if len(text) >= MIN_SHARED_LETTERS:
            yield from self._starts.get(text[:MIN_NEGATED_LETTERS], ())
            for other in (*self._holding(text), *(each for each in self._long if each in text)):
                yield from self._texts[other]

    def _holding(self, text: str) -> Iterator[str]:
        """The words that hold a text."""
        place = self._all.find(text)
        while place >= 0:
            start = self._all.rfind("\n", 0, place) + 1
            end = self._all.find("\n", place)
            end = len(self._all) if end < 0 else end
            yield self._all[start:end]
            place = self._all.find(text, end)


def _behind_prefixes(text: str) -> Iterable[str]:
    if text[:1] not in _NEGATING:
        return ()
    return [
        text[len(prefix) : len(prefix) + MIN_NEGATED_LETTERS]
        for prefix in _PREFIXES
        if text.startswith(prefix) and len(text) >= len(prefix) + MIN_NEGATED_LETTERS
    ]


STEM, SYNONYM, OPPOSITE, ALIKE_ONLY = 1, 2, 3, 4


def relation(word: ReadWord, other: ReadWord) -> int:
    """What two words have to do with each other: STEM, SYNONYM, OPPOSITE, ALIKE_ONLY, or 0 for nothing."""
    if word.stem == other.stem:
        return STEM
    turned = side(word, other)
    if turned:
        return SYNONYM if turned > 0 else OPPOSITE
    return ALIKE_ONLY if _alike(word.text, other.text) else 0


def side(word: ReadWord, other: ReadWord) -> int:
    """1 for synonyms, -1 for opposites, 0 for neither."""
    if word.concepts and other.concepts:
        best = max((one[1] * two[1] for one in word.concepts for two in other.concepts if one[0] == two[0]), default=0)
        if best:
            return best
    one, two = word.text, other.text
    if len(one) == len(two):
        return 0
    longer, shorter = (one, two) if len(one) > len(two) else (two, one)
    return -1 if longer[0] in _NEGATING and _negates(longer, shorter) else 0


def same(word: ReadWord, other: ReadWord) -> bool:
    """Whether two words may say the same."""
    return relation(word, other) in {STEM, SYNONYM, ALIKE_ONLY}


def stands_in(word: ReadWord, sentence: Reading) -> bool:
    """Whether a sentence has a word that says the same as `word`, or the opposite."""
    return any(relation(word, other) for other in sentence.words)


def _negates(word: str, plain: str) -> bool:
    """Whether a longer word is another with a prefix that turns it round (unpaid, inactive, disconnect)."""
    if len(plain) < MIN_NEGATED_LETTERS:
        return False
    stem = plain[: max(MIN_NEGATED_LETTERS, len(plain) - 3)]
    return stem in word and any(word.startswith(prefix + stem) for prefix in _PREFIXES)


def _alike(one: str, other: str) -> bool:
    """Whether two words begin alike (approve, approval), or one is a part of a compound."""
    shorter, longer = (one, other) if len(one) <= len(other) else (other, one)
    if len(shorter) < MIN_SHARED_LETTERS:
        return False
    if shorter[0] == longer[0] and longer.startswith(shorter[: max(MIN_SHARED_LETTERS, len(shorter) - 3)]):
        return True
    return shorter in longer and (len(longer) > 2 * MIN_SHARED_LETTERS - 1 or longer.endswith(shorter))
