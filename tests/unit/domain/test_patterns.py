"""Patterns find the same whatever alphabet a text is written with."""

import re
import sys

import pytest

from domain.patterns import LinearRegex, Subject

CLASSES = (r"\w", r"\W", r"\d", r"\D", r"\s", r"\S", r"[\w-]", r"[^\W\d_]", r"[^\W_]")
LATIN = [sign for sign in map(chr, range(sys.maxunicode + 1)) if Subject(sign).alphabet != "any"]


def test_latin_script_has_its_punctuation_and_signs() -> None:
    assert set("aZ0äßéœŁ–—“”‘’„«»…•→≤€™⚠✓😀\u2009\ufe0f") <= set(LATIN)
    assert set("αя中カ\u0301Ⅳ①❶\u3000").isdisjoint(LATIN)
    assert (Subject("plain").alphabet, Subject("größer").alphabet, Subject("größer 東京").alphabet) == (
        "ascii",
        "latin",
        "any",
    )


@pytest.mark.parametrize("words", CLASSES)
def test_each_of_its_characters_is_in_the_same_classes_as_in_python(words: str) -> None:
    theirs = re.compile(words)
    for ours in (LinearRegex(words), LinearRegex(words, ignore_case=True)):
        differing = [hex(ord(sign)) for sign in LATIN if bool(ours.match(sign + "é")) != bool(theirs.match(sign))]
        assert differing == []


@pytest.mark.parametrize("words", CLASSES)
def test_a_text_of_another_script_changes_nothing_of_what_is_found_in_it(words: str) -> None:
    text = "Grüße, 3 Wörter – „so“ 5.½ a_b\u00a0c"
    found = [match.span() for match in LinearRegex(words).finditer(text)]
    wider = [match.span() for match in LinearRegex(words).finditer(f"{text}中") if match.end() <= len(text)]
    assert found == wider == [match.span() for match in re.finditer(words, text)]
