"""What words do to a statement: deny, oblige, permit, bound, order, oppose. English and German.

The tables are `words/english.toml` and `words/german.toml`. Words of concepts are compared by their stems.
"""

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from typing import Any, Literal

import Stemmer

from domain.text.required_literals import AllOf, AnyOf, RequiredLiteral, Tree, required_literals

Language = Literal["english", "german"]
Force = Literal["must", "should", "may", "must not", "need not", ""]
"""What a clause makes of its statement; empty: it states it."""

Bound = Literal["at least", "at most", "more than", "less than", "about", ""]
Order = Literal["before", "after", "until", "from", "first", "at once", "then", "last"]
Quantifier = Literal[
    "all", "each", "some", "few", "many", "most", "only", "except", "both", "none", "late", "regardless"
]


@dataclass(frozen=True)
class Lexicon:
    """The tables of one language, by folded word."""

    language: Language
    phrases: "Phrases"
    """Phrases of several words, and what they are read as."""
    stop: frozenset[str]
    """Words that say nothing by themselves."""
    negations: frozenset[str]
    """Words that deny their clause."""
    without: frozenset[str]
    """Words that deny only what stands next to them."""
    conditions: frozenset[str]
    circumstances: frozenset[str]
    """Words that may stand for a condition: `during`, `with`."""
    breaks: frozenset[str]
    """Words at which another clause begins."""
    prepositions: frozenset[str]
    """Words that say which part their noun plays."""
    articles: frozenset[str]
    """Words behind which a noun is no name."""
    auxiliaries: frozenset[str]
    passives: frozenset[str]
    """Auxiliaries that make a passive."""
    pronouns: frozenset[str]
    determiners: frozenset[str]
    all_prepositions: frozenset[str]
    conjunctions: frozenset[str]
    """Words that join parts of a sentence, with those at which a clause need not begin."""
    means: frozenset[str]
    """Nouns behind them that say how it is done: `by e-mail`."""
    adverbs: frozenset[str]
    """Words that end like a verb and are none."""
    by: frozenset[str]
    """Prepositions behind which stands who does what a passive says."""
    verbs: frozenset[str]
    """Stems of verbs; empty where verbs are told by their endings."""
    forces: Mapping[str, Force]
    quantifiers: Mapping[str, Quantifier]
    orders: Mapping[str, Order]
    bounds: Mapping[str, Bound]
    """Words that stand before a number."""
    bounds_after: Mapping[str, Bound]
    """Words that stand behind a number."""
    cases: Mapping[str, str]
    """Of an article, the case that it shows."""
    concepts: Mapping[str, tuple[tuple[int, int], ...]]
    """Stem to the numbers of its concepts, each with 1 or -1 for its side."""

    @cached_property
    def tags(self) -> Mapping[str, str]:
        """Of a word that is of one kind, its tag, see `word_tags`."""
        kinds = (
            ("p", self.all_prepositions),
            ("d", self.determiners),
            ("r", self.pronouns),
            ("x", self.auxiliaries),
            ("x", self.forces),
            ("c", self.conjunctions),
            ("c", self.breaks),
        )
        return {word: tag for tag, words in kinds for word in words}

    @cached_property
    def small_words(self) -> frozenset[str]:
        """Words that are no part of a name though a sentence may begin with them."""
        tables = (self.quantifiers, self.orders, self.bounds, self.forces)
        sets = (self.stop, self.conditions, self.circumstances, self.breaks, self.negations, self.without)
        return frozenset(word for each in (*tables, *sets) for word in each)


_LANGUAGES: tuple[Language, ...] = ("english", "german")
_TABLES: Mapping[Language, Any] = {
    language: tomllib.loads(files("agent.checking").joinpath("words", f"{language}.toml").read_text("utf-8"))
    for language in _LANGUAGES
}
_PHRASES = {
    language: tuple((re.compile(rf"\b(?:{phrase})(?!\w)", re.IGNORECASE), to) for phrase, to in table["phrases"])
    for language, table in _TABLES.items()
}
_LOOK_AROUND = re.compile(r"\(\?<?[=!]")


class Phrases:
    """Phrases of several words, and what they are read as, in this order.

    rows: a pattern of each, and what it is read as. sources: of the patterns. A pattern is tried where a text holds one
    of the literals that it needs.
    """

    def __init__(self, rows: Sequence[tuple[re.Pattern[str], str]], sources: Sequence[str]) -> None:
        self._rows = rows
        self._by_literal: dict[str, list[int]] = {}
        """One of its literals stands in each text that a pattern finds something in."""
        self._always: list[int] = []
        for number, source in enumerate(sources):
            literals = _one_of(required_literals(_without_look_around(source), ignore_case=True))
            for each in literals:
                self._by_literal.setdefault(_folded(each), []).append(number)
            if not literals:
                self._always.append(number)

    def replaced(self, text: str) -> str:
        """The text with each phrase read as what it says."""
        done = -1
        while True:
            for number in self._possible(text):
                if number > done and (plain := self._replaced(number, text)) != text:
                    text, done = plain, number
                    break
            else:
                return text

    def _possible(self, text: str) -> list[int]:
        folded = _folded(text)
        found = [number for literal, numbers in self._by_literal.items() if literal in folded for number in numbers]
        return sorted({*found, *self._always})

    def _replaced(self, number: int, text: str) -> str:
        pattern, to = self._rows[number]
        return pattern.sub(to, text)


def _folded(text: str) -> str:
    """What is equal where `re` takes small and capital letters for one."""
    return text.casefold().replace("ı", "i").replace("i̇", "i")


def _one_of(need: Tree[RequiredLiteral] | None) -> list[str]:
    """Literals of which one stands in each text that has what is needed; none where nothing is known."""
    if isinstance(need, AnyOf):
        parts = [_one_of(part) for part in need.parts]
        return [each for part in parts for each in part] if all(parts) else []
    if isinstance(need, AllOf):  # the part that says most
        return max(map(_one_of, need.parts), key=lambda part: min(map(len, part), default=0))
    return [need.text] if need is not None and need.text.strip() else []


def _without_look_around(pattern: str) -> str:
    """A pattern that finds at least what another finds, without conditions on what stands beside."""
    while found := _LOOK_AROUND.search(pattern):
        depth, end = 1, found.end()
        while depth:
            sign = pattern[end]
            if sign == "[":
                end = pattern.index("]", end)
            depth += (sign == "(") - (sign == ")")
            end += 2 if sign == "\\" else 1
        pattern = pattern[: found.start()] + pattern[end:]
    return pattern


@cache
def lexicon(language: Language) -> Lexicon:
    """The tables of a language."""
    table = _TABLES[language]
    sets: dict[str, Any] = {name: frozenset(table[name].split()) for name in _SETS}
    sets["verbs"] = frozenset(stemmed(word, language) for word in table["verbs"].split())
    maps: dict[str, Any] = {name: _by_word(table[name]) for name in _MAPS}
    return Lexicon(
        language,
        Phrases(_PHRASES[language], [row[0] for row in table["phrases"]]),
        **sets,
        **maps,
        concepts=_concepts(table["concepts"]["rows"], language),
    )


_SETS = (
    *("stop", "negations", "without", "conditions", "circumstances", "breaks", "prepositions", "articles", "means"),
    *("auxiliaries", "passives", "pronouns", "determiners", "all_prepositions", "conjunctions", "adverbs", "by"),
)
_MAPS = ("forces", "quantifiers", "orders", "bounds", "bounds_after", "cases")


def _by_word(rows: Mapping[str, str]) -> dict[str, str]:
    return {word: name for name, words in rows.items() for word in words.split()}


def _concepts(rows: str, language: Language) -> dict[str, tuple[tuple[int, int], ...]]:
    found: dict[str, tuple[tuple[int, int], ...]] = {}
    for number, row in enumerate(rows.strip().splitlines()):
        for side, words in zip((1, -1), row.split("|"), strict=False):
            forms = [form for word in words.split() for form in _forms(word, language, compared="|" in row)]
            for stem in dict.fromkeys(stemmed(form, language) for form in forms):
                found[stem] = (*found.get(stem, ()), (number, side))
    return found


def _forms(word: str, language: Language, *, compared: bool) -> list[str]:
    """A word, its comparatives, and of a German verb the forms that its stemmer keeps apart (`ablehnt`)."""
    verb = language == "german" and word.endswith("en")
    return [
        word,
        *(word + each for each in (_COMPARED[language] if compared else ())),
        *([word[:-2] + "t"] if verb else []),
    ]


_COMPARED: Mapping[Language, tuple[str, ...]] = {"english": ("er", "est"), "german": ("er", "ere", "ste")}
"""Endings of an adjective that is compared."""


_IRREGULAR = {
    language: {form: row.split()[0] for row in table["irregular"].strip().splitlines() for form in row.split()[1:]}
    for language, table in _TABLES.items()
}
"""The infinitive of an irregular form."""

_UMLAUTS = str.maketrans("äöü", "aou")
_PARTICIPLE = re.compile(
    r"\A(|ab|an|auf|aus|ein|vor|um|mit|nach|her|hin|weg|zurück|zu|bei|fest|frei|weiter|durch|unter|über)(?:ge|zu)(?=\w{4})"
)
"""What German puts into a verb: `ab-ge-schaltet`, `ab-zu-schalten`."""


def stemmed(word: str, language: Language) -> str:
    """The stem of a folded word, of an irregular form that of its infinitive; of German without umlauts and what a
    participle or `zu` puts into the word."""
    word = infinitive(word, language)
    if language == "german":
        word = word.translate(_UMLAUTS)
        word = _PARTICIPLE.sub(r"\1", word) if len(word) > 6 else word
    stem: str = _stemmer(language).stemWord(word)
    return stem


def infinitive(word: str, language: Language) -> str:
    """Of an irregular form its infinitive, also behind a German prefix."""
    irregular: dict[str, str] = _IRREGULAR[language]
    if language == "english" or word in irregular:
        return irregular.get(word, word)
    prefix = next((each for each in SEPARABLE if word.startswith(each) and word[len(each) :] in irregular), "")
    return prefix + irregular[word[len(prefix) :]] if prefix else word


SEPARABLE = (
    *("ab", "an", "auf", "aus", "ein", "vor", "um", "mit", "nach", "her", "hin", "weg", "zurück", "zu", "bei", "fest"),
    *("frei", "weiter", "durch", "unter", "über", "ver", "be", "ent", "er"),
)
"""Prefixes of German verbs."""


@cache
def _stemmer(language: Language) -> Stemmer.Stemmer:
    return Stemmer.Stemmer(language, 10_000)
