"""Lexical tokens: the same for indexing and asking.

A token is a folded, stemmed word; identifiers and keys (`KB_AGENT_DATA_DIR`, `PROJ-123`, `getUserName`,
`settings.py`) give themselves whole and their parts. Scripts without spaces give words (Chinese, by jieba's
dictionary) or overlapping pairs of characters (Japanese, Korean, Thai and others).
"""

import re
import unicodedata
from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from typing import Literal

import Stemmer

Stemming = Literal["english", "none"]

REVISION = 3
"""Raised whenever the same text would give other tokens."""

OLDEST = 2
"""An index of this revision or a later one is searched and added to with the tokens it was made with: revision 2 takes
IT for the small word. One of an older revision is made anew."""

MAX_TOKEN = 64
"""Characters of a token that count; longer runs are encoded data rather than words."""

ENGLISH_STOP_WORDS = frozenset(
    """
    a about after all also am an and any are as at be because been before being but by can could did do does doing
    for from had has have having he her here hers him his how i if in into is it its just me more most my no nor not
    of on once only or other our ours out over own s same she should so some such t than that the their theirs them
    then there these they this those to too under until up very was we were what when where which while who whom why
    will with would you your yours
    """.split()  # noqa: SIM905 - a paragraph is read and changed more easily than 130 quoted words
)

IT = "IT"
"""The department: in capitals, in a line that is not all in capitals, it is no stop word, and a token of its own."""

SHOUTED = 4
"""Letters of another word in capitals from which a line is taken to be written so."""

_MARKS = "".join(chr(c) for c in range(0x300, 0x3000) if unicodedata.category(chr(c)) in {"Mn", "Mc"})
_WORD = re.compile(rf"[\w{_MARKS}]+(?:[.\-'’][\w{_MARKS}]+)*")
_HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f々〇"
KANA = "\u3040-\u30ff\u31f0-\u31ff"
HANGUL = "\u1100-\u11ff\u3130-\u318f\uac00-\ud7af"
_SPACELESS = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"  # Thai, Lao, Burmese, Khmer
_EAST = re.compile(rf"[{_HAN}{KANA}]+|[{HANGUL}]+|[{_SPACELESS}]+")
_HAN_ONLY = re.compile(rf"[{_HAN}]+")
_SEPARATORS = re.compile(r"[_.\-'’]+")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])(?!.s$)")  # PDFs are one word
_POSSESSIVE = re.compile(r"['’][sS]$")


class Analyzer:
    """Turns text into tokens.

    stemming: the language whose word endings and stop words are dropped. revision: whose tokens, from OLDEST on.
    knows_it: whether IT is a token.
    """

    def __init__(self, stemming: Stemming = "english", revision: int = REVISION) -> None:
        self.stemming = stemming
        self._revision = revision
        self.knows_it = stemming == "english" and revision > OLDEST
        self._stem = _stemmer(stemming)
        self._stop = ENGLISH_STOP_WORDS if stemming == "english" else frozenset()

    @property
    def newest(self) -> bool:
        """Whether a new index is made with these tokens."""
        return self._revision == REVISION

    @property
    def name(self) -> str:
        """What makes the tokens of two analyzers comparable."""
        return f"words-{self._revision}/{self.stemming}/snowball-{Stemmer.version()}"

    def tokens(self, text: str) -> list[str]:
        """The tokens of `text` in reading order, repeats included."""
        found: list[str] = []
        text = unicodedata.normalize("NFKC", text)
        for match in _WORD.finditer(text):
            run = match.group()
            if run == IT and self.knows_it and not _is_shouted(text, match.start()):
                found.append(IT)
            elif run.isascii() and run.isalpha() and (run.islower() or run.istitle() or run.isupper()):
                found.extend(self._word(run.lower()))
            else:
                found.extend(self._run(run))
        return found

    def _run(self, run: str) -> Iterator[str]:
        position = 0
        for east in _EAST.finditer(run):
            yield from self._west(run[position : east.start()])
            yield from _east(east.group())
            position = east.end()
        yield from self._west(run[position:])

    def _west(self, run: str) -> Iterator[str]:
        """An alphabetic run: itself, and its parts when it is made of several."""
        run = _POSSESSIVE.sub("", run.strip("_.-'’"))
        if not run:
            return
        parts = [part for piece in _SEPARATORS.split(run) for part in _CAMEL.split(piece) if part]
        if len(parts) == 1:
            yield from self._part(parts[0])
            return
        if not ("'" in run or "’" in run):
            whole = fold(run)
            # who asks for onedrive or iphone means OneDrive and iPhone, and is stemmed
            yield (self._stem(whole) if whole.isalnum() else whole)[:MAX_TOKEN]
        if not all(part.isdigit() for part in parts):
            for part in parts:
                yield from self._part(part)

    def _part(self, part: str) -> Iterator[str]:
        yield from [IT] if part == IT and self.knows_it else self._word(fold(part))

    def _word(self, word: str) -> Iterator[str]:
        if word and word not in self._stop:
            yield self._stem(word)[:MAX_TOKEN]


def analyzer_named(name: str, stemming: Stemming) -> Analyzer | None:
    """The analyzer of that name; None where this release has none that makes its tokens."""
    known = (Analyzer(stemming, revision) for revision in range(OLDEST, REVISION + 1))
    return next((each for each in known if each.name == name), None)


def _is_shouted(text: str, place: int) -> bool:
    """Whether the line that a place is in is written in capitals as a whole: `HOW IT WORKS`, and not `IT & HR`."""
    line = text[text.rfind("\n", 0, place) + 1 :].partition("\n")[0]
    return line.isupper() and any(len(word) >= SHOUTED and word.isalpha() for word in _WORD.findall(line))


@cache
def _stemmer(stemming: Stemming) -> Callable[[str], str]:
    """Remembers stems for all analyzers of the process: many live for one passage only."""
    if stemming == "none":
        return str
    stem: Callable[[str], str] = Stemmer.Stemmer("english", 0).stemWord
    return lru_cache(maxsize=50_000)(stem)


@lru_cache(maxsize=50_000)
def fold(word: str) -> str:
    """Lower case, accents of Latin letters dropped."""
    folded = word.casefold()
    if folded.isascii():
        return folded
    return "".join(_unaccented(letter) for letter in folded)


def _unaccented(letter: str) -> str:
    if "\u0300" <= letter < "\u0370":  # an accent by itself: no letter has it, or folding set it free as in İ
        return ""
    latin = letter < "\u0250" or "\u1e00" <= letter < "\u1f00"
    return unicodedata.normalize("NFKD", letter)[0] if latin else letter


def _east(run: str) -> Iterator[str]:
    """A run without spaces between words: Chinese words, else overlapping pairs."""
    if _HAN_ONLY.fullmatch(run):
        import rjieba

        yield from (word[:MAX_TOKEN] for word in rjieba.cut_for_search(run))
    elif len(run) == 1:
        yield run
    else:
        yield from (run[i : i + 2] for i in range(len(run) - 1))
