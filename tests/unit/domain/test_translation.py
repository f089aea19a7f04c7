"""Each text around an answer has a translation in each language, with the same values in it."""

import ast
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest

from domain.text.languages import Language
from domain.translation import TRANSLATED, catalogue, speak, translated
from tests.architecture.checkout import ROOT

ROOMS = ("agent", "bot", "domain")
CATALOGUES = "domain/translations"


def _sources() -> Iterator[tuple[Path, ast.Module]]:
    for room in ROOMS:
        for path in sorted((ROOT / room).rglob("*.py")):
            if CATALOGUES not in path.as_posix():
                yield path, ast.parse(path.read_text("utf-8"))


def _constants(node: ast.expr) -> Iterator[str]:
    if isinstance(node, ast.IfExp):
        yield from _constants(node.body)
        yield from _constants(node.orelse)
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value


def said() -> set[str]:
    """The templates that are written where they are said."""
    calls = (node for _, tree in _sources() for node in ast.walk(tree) if isinstance(node, ast.Call))
    named = (each for each in calls if isinstance(each.func, ast.Name) and each.func.id == "translated" and each.args)
    return {text for call in named for text in _constants(call.args[0])}


def fields(template: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(template) if name is not None}


@pytest.mark.parametrize("language", TRANSLATED)
def test_what_is_said_is_in_each_catalogue_with_the_same_values(language: Language) -> None:
    texts = catalogue(language)
    assert sorted(said() - texts.keys()) == []
    assert texts.keys() == catalogue("de").keys()
    assert [text for text, other in texts.items() if fields(text) != fields(other) or not other] == []


def test_a_catalogue_has_nothing_that_is_said_nowhere() -> None:
    texts = {
        node.value
        for _, tree in _sources()
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    made = {
        text for text in catalogue("de") if "Ask me in a direct message: there I use all that you may read." in text
    }
    assert sorted(catalogue("de").keys() - texts - made) == []


def test_a_text_is_said_in_the_language_that_is_spoken() -> None:
    assert translated("Weighing {passages}", passages="2") == "Weighing 2"
    speak("de")
    assert translated("Weighing {passages}", passages="2") == "2 werden bewertet"
    assert translated("said by nobody {as it is}") == "said by nobody {as it is}"
    speak("ko")
    assert translated("Sources") == "Sources"
    speak("en")
