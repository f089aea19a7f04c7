"""Questions that were suggested in another language."""

import pytest

from agent.questions.narrowing import suggestion_in_english
from agent.wording import follow_up
from domain.text.languages import Language
from domain.translation import set_language


@pytest.mark.parametrize("language", ["en", "de", "fr", "es", "ja", "zh"])
def test_what_was_suggested_is_understood_in_each_language(language: Language) -> None:
    set_language(language)
    suggested = follow_up("Carry-over (5 days)", "Leave, 2026")
    set_language("en")
    assert suggestion_in_english(suggested) == "What is said about Carry-over (5 days) in “Leave, 2026”?"


def test_other_questions_stay_as_they_are() -> None:
    assert suggestion_in_english("Was steht zu Urlaub im Handbuch?") == "Was steht zu Urlaub im Handbuch?"
