"""A misspelled question word in front of a question."""

import pytest

from agent.questions.narrowing import with_question_word


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("wich runbooks contain a kubectl command?", "which runbooks contain a kubectl command?"),
        ("Wat is the gift limit?", "what is the gift limit?"),
        ("“waht is a canary?”", "“what is a canary?”"),
        ("wehn does the shop open", "when does the shop open"),
    ],
)
def test_it_is_corrected(typed: str, meant: str) -> None:
    assert with_question_word(typed) == meant


@pytest.mark.parametrize("typed", ["", "wat", "watt is what?", "WAT-12 is open?", "Where is wich?", "what is wat?"])
def test_anything_else_stays(typed: str) -> None:
    assert with_question_word(typed) == typed
