"""The first word of a question, typed wrongly."""

import pytest

from agent.questions.openings import with_spelled_opening


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
