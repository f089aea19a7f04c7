"""Questions in the words that are understood best."""

import pytest

from agent.questions.openings import suggestion_in_english, with_spelled_opening
from agent.wording import follow_up
from domain.text.languages import Language
from domain.translation import speak


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("wat is the limit", "what is the limit"),
        ("wich port is it", "which port is it"),
        ("waht is it", "what is it"),
        ("wher is it kept", "where is it kept"),
    ],
)
def test_a_question_word_with_a_slip_is_meant(typed: str, meant: str) -> None:
    assert with_spelled_opening(typed) == meant


@pytest.mark.parametrize("text", ["were they changed", "wer macht das", "Wat is it", "wat", "hot standby of it", ""])
def test_other_words_stay(text: str) -> None:
    assert with_spelled_opening(text) == text


@pytest.mark.parametrize("language", ["en", "de", "fr", "es", "ja", "zh"])
def test_what_was_suggested_is_understood_in_each_language(language: Language) -> None:
    speak(language)
    suggested = follow_up("Carry-over (5 days)", "Leave, 2026")
    speak("en")
    assert suggestion_in_english(suggested) == "What is said about Carry-over (5 days) in “Leave, 2026”?"


def test_other_questions_stay_as_they_are() -> None:
    assert suggestion_in_english("Was steht zu Urlaub im Handbuch?") == "Was steht zu Urlaub im Handbuch?"
