"""Each text around an answer has a translation in each language, with the same values in it."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from string import Formatter

import pytest

from domain.answers import failed
from domain.errors import OUR_FAULT, Bug
from domain.text.languages import Language
from domain.translation import TRANSLATED, catalogue, set_language, translated
from tests.architecture.checkout import modules, tree

PACKAGES = ("agent", "bot", "domain")
CATALOGUES = "domain/translations"


@cache
def nodes() -> tuple[ast.AST, ...]:
    """The syntax of all modules that say something."""
    paths = (path for path in modules(*PACKAGES) if not path.startswith(CATALOGUES))
    return tuple(node for path in paths for node in ast.walk(tree(path)))


def _constants(node: ast.expr) -> Iterator[str]:
    if isinstance(node, ast.IfExp):
        yield from _constants(node.body)
        yield from _constants(node.orelse)
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value


@cache
def said() -> set[str]:
    """The templates that are written where they are said."""
    calls = (node for node in nodes() if isinstance(node, ast.Call))
    named = (each for each in calls if isinstance(each.func, ast.Name) and each.func.id == "translated" and each.args)
    return {text for call in named for text in _constants(call.args[0])}


def fields(template: str) -> list[tuple[str, str]]:
    """The values of a template and how they are written, each as often as it stands there."""
    return sorted((name, how or "") for _, name, how, _ in Formatter().parse(template) if name is not None)


@pytest.mark.parametrize("language", TRANSLATED)
def test_what_is_said_is_in_each_catalogue_with_the_same_values(language: Language) -> None:
    texts = catalogue(language)
    assert sorted(said() - texts.keys()) == []
    assert texts.keys() == catalogue("de").keys()
    assert [text for text, other in texts.items() if fields(text) != fields(other) or not other] == []


COUNTED = {
    "1 passage": "{count:,} passages",
    "1 document": "{count:,} documents",
    "{count} document:": "{count} documents:",
    "{count} entry:": "{count} entries:",
    "1 minute ago": "{count} minutes ago",
    "1 hour ago": "{count} hours ago",
    "1 day ago": "{count} days ago",
    "1 week ago": "{count} weeks ago",
    "1 month ago": "{count} months ago",
    "1 year ago": "{count} years ago",
    "… and 1 more source": "… and {count} more sources",
}
INVARIABLE = {("fr", "1 month ago")}


@pytest.mark.parametrize("language", TRANSLATED)
def test_one_and_several_are_said_apart_where_the_language_does(language: Language) -> None:
    texts = catalogue(language)
    for singular, plural in COUNTED.items():
        one, several = (re.sub(r"\{count[:,]*\}|1", "", texts[each]) for each in (singular, plural))
        alike = language in ("zh", "ja") or (language, singular) in INVARIABLE
        assert (one == several) is alike, (language, singular)


def test_thousands_are_parted_as_the_language_does() -> None:
    written = {}
    for language in ("en", *TRANSLATED):
        set_language(language)
        written[language] = translated("{count:,} documents", count=12_345).rpartition("345")[0]
    set_language("en")
    assert written == {"en": "12,", "de": "12.", "fr": "12\u202f", "es": "12.", "zh": "12,", "ja": "12,"}


def test_what_broke_and_what_helps_is_said_in_the_language_that_is_spoken() -> None:
    said = {}
    for language in ("en", *TRANSLATED):
        set_language(language)
        said[language] = failed(Bug(OUR_FAULT)).words
    set_language("en")
    assert said["en"].startswith("Something went wrong on our side. Ask again;")
    assert said["de"].startswith("Bei uns ist etwas schiefgegangen. Fragen Sie noch einmal;")
    assert said["fr"].startswith("Une erreur s'est produite de notre côté. Reposez la question")
    assert said["es"].startswith("Algo ha fallado por nuestra parte. Vuelva a preguntar;")
    assert said["zh"].startswith("我们这边出了问题。 请再问一次")
    assert said["ja"].startswith("こちら側で問題が発生しました。 もう一度お尋ねください。")


def test_french_keeps_its_marks_with_the_word_before_them() -> None:
    assert [text for text in catalogue("fr").values() if re.search(r" [:;?!»]|« ", text)] == []


def test_a_chinese_or_japanese_text_has_words_of_its_own() -> None:
    plain = {"{first} {reason} {second}."}
    for language in ("zh", "ja"):
        alike = [text for text, other in catalogue(language).items() if other.isascii() and text not in plain]
        assert alike == []


def test_a_catalogue_has_nothing_that_is_said_nowhere() -> None:
    texts = {node.value for node in nodes() if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    made = {
        text for text in catalogue("de") if "Ask me in a direct message: there I use all that you may read." in text
    }
    assert sorted(catalogue("de").keys() - texts - made) == []


def test_a_text_is_said_in_the_language_that_is_spoken() -> None:
    assert translated("Weighing {passages}", passages="2") == "Weighing 2"
    set_language("de")
    assert translated("Weighing {passages}", passages="2") == "2 werden bewertet"
    assert translated("said by nobody {as it is}") == "said by nobody {as it is}"
    set_language("ko")
    assert translated("Sources") == "Sources"
    set_language("en")
