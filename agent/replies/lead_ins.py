"""Headings, lines that lead in with a colon, and a Yes or No in front: what of them states something. Pure."""

from collections.abc import Mapping

from agent.checking.claim_comparison import SUPPORTED_LANGUAGES, compare_texts
from agent.checking.language import detect_language, rule_language_of
from agent.checking.lexicon import Language, stemmed
from agent.checking.read_sentence import Reading
from agent.checking.readings import read
from domain.patterns import LinearRegex

_ASKING = frozenset(
    [
        "how",
        "what",
        "when",
        "where",
        "which",
        "who",
        "why",
        "whose",
        "whether",
        "wie",
        "was",
        "wann",
        "wo",
        "welche",
        "welcher",
        "welches",
        "wer",
        "warum",
        "ob",
    ]
)
_WORDS: Mapping[Language, str] = {
    "english": """
    follow following rule step apply answer summary overview list point detail information note hint tip important
    document source condition requirement option exception case example reason background result conclusion short brief
    key main fact question here way do find look see say describe explain mean need keep mind content general further
    go proceed order sequence procedure process
    type run enter execute command code output use
    """,
    "german": """
    folgend folgende folgenden folgendes regel regeln schritt schritte gelten antwort zusammenfassung überblick
    übersicht liste punkt punkte detail details einzelheiten information informationen hinweis hinweise tipp wichtig
    dokument dokumente quelle quellen bedingung bedingungen voraussetzung voraussetzungen möglichkeit möglichkeiten
    ausnahme ausnahmen fall beispiel beispiele grund gründe hintergrund ergebnis fazit kurz kurzfassung frage fragen weg
    gehen gehst geht vor vorgehen ablauf reihenfolge so nacheinander
    finden siehe sagen beschreiben erklären bedeuten allgemein inhalt wesentlich tippen ausführen eingeben befehl
    code ausgabe
    """,
}
_GENERIC = {
    language: frozenset(stemmed(word, language) for word in words.split()) for language, words in _WORDS.items()
}
"""Stems of words that any heading may have, whatever the sources say."""

_STATING = frozenset({"all", "each", "none", "only", "few", "most", "regardless", "except"})
"""Quantifiers that make a statement of a heading without a verb."""

_OPENER = LinearRegex(r"\s*(yes|no|ja|nein|oui|non|s[ií])[,.!:;]?\s+", ignore_case=True)
_NO = frozenset({"no", "nein", "non"})
_CONTRARY = ("negation", "opposite", "modality", "denied", "a denial", "number", "bound", "quantifier", "order", "time")
"""How differences begin of which each makes the answer No."""


def leads_in(bare: str) -> bool:
    """Whether a unit is a heading, or ends with a colon."""
    heading = bare.lstrip("> ").startswith("#") or (bare.startswith(("**", "__")) and bare.endswith(("**", "__")))
    ended = bare.rstrip("*_ ")[-1:]
    return ended in {":", "："} or (heading and ended not in {".", "!", "?"})


def is_generic(bare: str) -> bool:
    """Whether a heading or a line that leads in has no word that says what it is about, denies nothing, and makes
    nothing a duty."""
    reading = _reading(bare)
    if any(reading.negated) or any(reading.forces) or reading.denials:
        return False
    return all(word.stem in _GENERIC[reading.language] for word in reading.words)


def states(bare: str) -> bool:
    """Whether a heading or a line that leads in says that something is so: by a verb, by what it denies, permits or
    obliges, or by how many it says it of. What is in a language without tables always does."""
    if detect_language(bare) not in {"", *SUPPORTED_LANGUAGES}:
        return True
    reading = _reading(bare)
    if any(reading.negated) or any(reading.forces) or reading.denials or reading.quantifiers & _STATING:
        return True
    first = reading.tokens[0] if reading.tokens else ""
    return reading.has_verb and first not in _ASKING


def _reading(bare: str) -> Reading:
    plain = bare.strip("#>*_:： ")
    return read(plain, rule_language_of(plain))


def fitting(opener: str, question: str, sentence: str) -> str:
    """A Yes or No that stands in front of a sentence; empty where the sentence answers the question the other way. Any
    other opener stays."""
    said, rest = _OPENER.fullmatch(f"{opener.strip()} "), behind_opener(sentence)
    if not said or _denies(question, rest) == (said[1].casefold() in _NO):
        return opener
    return opener if said[1].casefold() in _NO and not _repeats(question, rest) else ""


def behind_opener(sentence: str) -> str:
    """A sentence without the Yes or No that it begins with."""
    plain = _OPENER.match(sentence)
    return sentence[plain.end() :] if plain else sentence


def is_open(opener: str, question: str, sentence: str) -> bool:
    """Whether a No stands in front of a sentence that neither denies what is asked nor says it: whether that answers No
    only who reads both can tell."""
    said = _OPENER.match(f"{opener.strip()} ")
    return said is not None and said[1].casefold() in _NO and not _denies(question, sentence)


def _repeats(question: str, sentence: str) -> bool:
    """Whether a sentence says again what is asked: it has most words of the question that tell something."""
    language = rule_language_of(sentence, question)
    asked = {word.stem for word in read(question, language).words}
    said = {word.stem for word in read(sentence, language).words}
    return 2 * len(asked & said) >= len(asked)


def without_opener(text: str, question: str, sentence: str) -> str:
    """A unit without the `Yes,` or `No,` that it begins with, where its sentence answers the other way."""
    found = _OPENER.match(text)
    if not found or fitting(found[1], question, sentence):
        return text
    rest = text[found.end() :]
    blanks = text[: len(text) - len(text.lstrip())]
    return f"{blanks}{rest[:1].upper()}{rest[1:]}"


def _denies(question: str, sentence: str) -> bool:
    """Whether a sentence answers No: it denies what is asked, or denies anything that is not denied in the question."""
    language = rule_language_of(sentence, question)
    asked, said = read(question, language), read(sentence, language)
    contrary = any(each.startswith(_CONTRARY) for each in compare_texts(question, [sentence]).differences)
    return contrary or bool(said.denials) != bool(asked.denials)
