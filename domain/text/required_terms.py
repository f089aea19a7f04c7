"""Which index terms a text must have that contains a literal.

A word of a text may be a term as it stands, or a part of one, or be stemmed, dropped, folded and cut. Where a literal
fills whole words, between characters that no word has, its terms are known. Elsewhere nobody knows what it is a part
of, and its pieces may stand anywhere within a term.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from domain.text.required_literals import AllOf, AnyOf, RequiredLiteral, Tree, all_of, any_of
from domain.text.stems import REPLACEMENTS, cuts
from domain.text.tokens import ENGLISH_STOP_WORDS, IT, MAX_TOKEN, Analyzer


@dataclass(frozen=True, slots=True)
class WholeTerm:
    """This very term."""

    text: str


@dataclass(frozen=True, slots=True)
class TermPart:
    """A term that holds `text`, or what its stem leaves of it: its beginning up to one of `breaks`."""

    text: str
    breaks: tuple[int, ...] = ()
    loose: bool = False
    """Whether a text may also hold `text` without any such term, but only where it matches `LOOSE`."""

    @property
    def within(self) -> str:
        """What a term contains that fits, unless it ends with one of `ends`, or was cut at its greatest length."""
        return self.text[: next((place for place in self.breaks if place > 1), None)]

    @property
    def ends(self) -> tuple[str, ...]:
        """What a term may end with instead, where the stem may leave a single letter."""
        return tuple(self.text[0] + ending for ending in REPLACEMENTS) if 1 in self.breaks else ()

    def fits(self, term: str) -> bool:
        """Whether `term` may come from a word that contains the text."""
        if self.text in term or len(term) == MAX_TOKEN:  # of a longer word only the beginning is kept
            return True
        return any(term.endswith(self.text[:place] + ending) for place in self.breaks for ending in REPLACEMENTS)


RequiredTerms: TypeAlias = Tree[WholeTerm | TermPart]

LETTERS_OF_A_PART = 3
"""A shorter piece of a word says too little, and is left out."""

_LOOSELY = "[0-9a-zſ][A-Z\u212a]|[A-Z\u212a][A-Z\u212a](?:[a-zſ]|[^\x01-\x7f])|[._-]\\S|[0-9]"
LOOSE = rf"(?:{_LOOSELY})\S*['’＇]\S|['’＇]\S*(?:{_LOOSELY})"
"""A regular expression for words of which the analyzer keeps the parts but not the whole, and of some not even these:
joined by an apostrophe, with another separator, capitals or digits in them. It matches rather too much."""

_WORD = re.compile(r"\w+(?:[.\-]\w+)*")
_JOINTS = frozenset("_.-")
_PIECE = re.compile(r"[^\W_]+")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_JOINING = frozenset("_.-'’")
_HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff]")


@dataclass(frozen=True, slots=True)
class _Run:
    """Neighbouring characters of a literal that words may consist of. before, after: whether a word may go on there."""

    text: str
    open_before: bool
    open_after: bool


def required_terms(need: Tree[RequiredLiteral] | None, analyzer: Analyzer) -> RequiredTerms | None:
    """The terms that a text has in which everything needed occurs; None when it may have none in particular."""
    if isinstance(need, AllOf):
        return all_of(required_terms(part, analyzer) for part in need.parts)
    if isinstance(need, AnyOf):
        return any_of(required_terms(part, analyzer) for part in need.parts)
    return None if need is None else all_of(_of_literal(need, analyzer))


def _of_literal(literal: RequiredLiteral, analyzer: Analyzer) -> Iterator[RequiredTerms | None]:
    for run in _runs(literal):
        if run.open_before or run.open_after or _HAN.search(run.text):
            yield from _of_open(run, literal.ignore_case, analyzer)
        elif not literal.ignore_case:
            # whether IT is a term, the line tells that it stands in
            yield from (WholeTerm(term) for term in analyzer.tokens(run.text) if term != IT)
        elif "'" in run.text or "’" in run.text:
            yield from _of_open(run, literal.ignore_case, analyzer)
        else:  # where capitals part it is unknown, but the whole is a term in any case
            for word in _WORD.findall(run.text):
                yield from map(WholeTerm, analyzer.tokens(word.lower())[:1])


def _runs(literal: RequiredLiteral) -> Iterator[_Run]:
    text = literal.text
    start = 0
    for at in range(len(text) + 1):
        if at < len(text) and _in_words(text[at]):
            continue
        if at > start:
            before = not literal.line_start if start == 0 else not _parts_words(text[start - 1])
            after = not literal.line_end if at == len(text) else not _parts_words(text[at])
            yield _Run(text[start:at], before, after)
        start = at + 1


def _of_open(run: _Run, ignore_case: bool, analyzer: Analyzer) -> Iterator[RequiredTerms | None]:
    """Pieces of words of which the beginning or the end is unknown."""
    text = run.text
    if run.open_after and text and not text[-1].isascii() and not _HAN.match(text[-1]):
        text = text[:-1]  # an accent that follows it may make another letter of it
        run = _Run(text, run.open_before, open_after=True)
    for stretch in text.replace("’", "'").split("'"):
        for word in _WORD.findall(stretch):
            whole = word.strip("_")
            if not _JOINTS.isdisjoint(whole) and not _HAN.search(whole) and len(whole) >= LETTERS_OF_A_PART:
                yield TermPart(_folded(whole), loose=True)
    for piece in _PIECE.finditer(text):
        following = text[piece.end() : piece.end() + 1] or ("a" if run.open_after else " ")
        yield from _of_piece(piece.group(), following, ignore_case, analyzer)


def _of_piece(piece: str, following: str, ignore_case: bool, analyzer: Analyzer) -> Iterator[RequiredTerms | None]:
    """Letters and digits. following: what comes next, or may come next."""
    yield from map(TermPart, _HAN.findall(piece))  # each belongs to some word, and nothing is stemmed
    for western in filter(None, _HAN.split(piece)):
        # capitals part a word here, or may do so: each of the parts is in some term by itself
        parts = _camel_parts(western, following)
        if ignore_case or max(map(len, parts)) <= LETTERS_OF_A_PART:
            yield _part(_folded(western), analyzer, loose=ignore_case or len(parts) > 1 or western.isdigit())
        else:
            yield from (_part(_folded(part), analyzer, loose=part.isdigit()) for part in parts)


def _camel_parts(piece: str, following: str) -> list[str]:
    places = [match.start() for match in _CAMEL.finditer(piece + following) if match.start() < len(piece)]
    return [piece[start:end] for start, end in zip([0, *places], [*places, len(piece)], strict=True)]


def _part(text: str, analyzer: Analyzer, *, loose: bool) -> TermPart | None:
    """The evidence of a folded piece of a word; None where a word may have it and leave no trace."""
    if len(text) < LETTERS_OF_A_PART:
        return None
    if analyzer.stemming == "none":
        return TermPart(text, loose=loose)
    if any(text in word for word in ENGLISH_STOP_WORDS):
        return None
    breaks = cuts(text)
    return None if 0 in breaks else TermPart(text, breaks, loose)


def _parts_words(char: str) -> bool:
    return char.isascii() and not char.isalnum() and char not in _JOINING


@lru_cache(maxsize=4096)
def _in_words(char: str) -> bool:
    """Whether `char` belongs to words, and folding and normalising do to it what they do to it alone."""
    if char.isascii() or char == "’":
        return char.isalnum() or char in _JOINING
    if _HAN.match(char):
        return unicodedata.normalize("NFKC", char) == char
    western = char < "\u0900" or "\u1e00" <= char < "\u2000"
    return western and char.isalpha() and unicodedata.normalize("NFKC", char) == char and len(_fold(char)) > 0


def _folded(text: str) -> str:
    return "".join(char if char in "_.-" else _fold(char) for char in text)


@lru_cache(maxsize=4096)
def _fold(char: str) -> str:
    return "".join(_PLAIN.tokens(char))


_PLAIN = Analyzer("none")
