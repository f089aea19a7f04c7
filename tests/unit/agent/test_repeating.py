"""What is quoted for a follow-up, where it was quoted before."""

import numpy as np
import pytest

from agent.reasoners.offline.quotable_units import QuotableUnit
from agent.reasoners.offline.quoting import ScoredUnit
from agent.reasoners.offline.repeating import that_say_more
from domain.answers import Turn
from tests.fakes.agent import a_passage

BEST, NEXT = "The keeper of the seals is Ole Dahl, since May 2024.", "Before him, Jana Novak fed the seals."


def told(follow_up: str, reply: str, best: str = BEST) -> list[str]:
    passages = [a_passage(f"{best} {NEXT}", "seals"), a_passage("Tickets cost 9 euros.", "prices")]
    units = [(0, best), (1, "Tickets cost 9 euros."), (0, NEXT)]
    scored = [
        ScoredUnit(QuotableUnit(passage, 0, words, frozenset()), 0.9, np.zeros(1, np.float32))
        for passage, words in units
    ]
    turns = [Turn("Who is the keeper of the seals?", reply)]
    return [each.unit.words for each in that_say_more(scored[:1], scored, passages, follow_up, turns)]


@pytest.mark.parametrize(
    ("follow_up", "words"),
    [
        ("and before him?", [NEXT]),
        ("since when?", [BEST]),
        ("and who fed them?", [NEXT]),
        ("How much do tickets cost?", []),  # of another document, and of another thing
        ("which one is older?", []),
        ("who?", [BEST]),
        ("and there?", []),
        ("", [BEST]),
    ],
)
def test_what_was_quoted_is_quoted_again_only_where_it_says_what_is_asked(follow_up: str, words: list[str]) -> None:
    assert told(follow_up, f"{BEST} [1]") == words
    assert told(follow_up, "Nothing was found.") == [BEST]


def test_a_unit_that_holds_more_of_the_added_words_by_itself_comes_first() -> None:
    best = "The keeper before the last one fed the seals in a hurry."
    assert told("and who was there before him?", f"{BEST} [1]", BEST) == [NEXT]
    assert told("and the keeper before?", f"{best} [1]", best) == [best]


def test_a_row_with_an_owner_answers_who_owns_it() -> None:
    row = "fota – Language: Python; Owner: Bartek (FOTA engineer)"
    assert told("and who owns it?", f"- {row} [1]", row) == [row]


@pytest.mark.parametrize("words", ["Since May 2024 they are fed at noon.", "Feeding – Agent: Herring; Hour: 12"])
def test_a_month_or_a_thing_is_no_person(words: str) -> None:
    assert told("who?", f"{words} [1]", words) == []
