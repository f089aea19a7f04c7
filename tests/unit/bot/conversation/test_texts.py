"""What all platforms say in the same words."""

import pytest

from bot.conversation.texts import waiting


@pytest.mark.parametrize(
    ("before", "words"),
    [
        (None, "Reading your question…"),
        (0, "Your question waits, and is the next one…"),
        (1, "Your question waits: 1 other is before it…"),
        (17, "Your question waits: 17 others are before it…"),
    ],
)
def test_a_question_that_waits_says_so(before: int | None, words: str) -> None:
    assert waiting(before) == words
