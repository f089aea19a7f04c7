"""Units that speak of another place or of somebody else than the question does."""

import numpy as np
import pytest

from agent.questions.expected import expected
from agent.reasoners.offline.elsewhere import _ONE_STEM, that_are_meant
from agent.reasoners.offline.quotable_units import QuotableUnit
from agent.reasoners.offline.quoting import ScoredUnit
from agent.retrieval.retriever import Retrieved
from domain.text.tokens import Analyzer
from tests.fakes.agent import a_passage


def meant(question: str, words: str, title: str = "Zoo", beside: str = "") -> bool:
    """Whether a unit may be meant. beside: another passage of its document."""
    passages = [a_passage(words, "d", title=title), a_passage(beside, "d", part=1, title=title)]
    unit = ScoredUnit(QuotableUnit(0, 0, words, frozenset()), 0.5, np.zeros(1, np.float32))
    measure = Retrieved((), {})
    return bool(that_are_meant([unit], question, passages, measure, expected(question)))


@pytest.mark.parametrize(
    ("question", "words", "title", "beside", "found"),
    [
        ("When are seals fed in Rotterdam?", "Seals are fed at noon.", "Zoo Emmen", "", False),
        ("When are seals fed in Rotterdam?", "Seals are fed at noon.", "Zoo Rotterdam", "", True),
        ("When are seals fed in Rotterdam?", "In Rotterdam they are fed at noon.", "Zoo", "", True),
        ("When are seals fed in Rotterdam?", "Seals are fed at noon.", "Zoo", "The Rotterdam pool is cold.", True),
        ("What is paid in Germany?", "German guides get 12 euros.", "Zoo", "", True),
        ("When are seals fed at the Emmen zoo?", "Seals are fed at noon.", "Zoo Rotterdam", "", False),
        ("When are seals fed at Emmen?", "Seals are fed at noon.", "Zoo Rotterdam", "", False),
        ("How many accidents were there?", "In May a seal escaped.", "Accident of May", "", True),
        ("When are seals fed by Rotterdam Ltd?", "Seals are fed at noon.", "Zoo", "", True),
        ("What was changed in March?", "Seals are fed at noon.", "Zoo", "", True),
        ("Wann werden Robben in Rotterdam gefüttert?", "Robben bekommen mittags Fisch.", "Zoo", "", True),
    ],
)
def test_a_place_that_is_named_stands_in_the_document(
    question: str, words: str, title: str, beside: str, *, found: bool
) -> None:
    assert meant(question, words, title, beside) is found


@pytest.mark.parametrize(
    ("question", "words", "title", "found"),
    [
        ("Who is the pool manager of Emmen?", "Emmen – Manager: Ole Dahl", "Kiosks", False),
        ("Who is the pool manager of Emmen?", "Emmen – Manager: Ole Dahl", "Pools", True),
        ("Who is the pool manager of Emmen?", "Emmen – Pool manager: Ole Dahl", "Zoo", True),
        ("Who is the pool manager of Emmen?", "Ole Dahl runs it.", "Zoo", True),
        ("Who is the new manager of Emmen?", "Emmen – Manager: Ole Dahl", "Kiosks", True),
    ],
)
def test_whoever_has_a_role_has_the_task_that_is_named(question: str, words: str, title: str, *, found: bool) -> None:
    assert meant(question, words, title) is found


@pytest.mark.parametrize(
    ("question", "words", "found"),
    [
        ("How many accidents were there last year?", "In May a seal escaped, and the damage was 900 euros.", False),
        ("How many accidents were there last year?", "There was one accident in May.", True),
        ("How many seals do we have?", "The zoo has 12 seals.", True),
        ("Wie viele Unfälle gibt es?", "Im Mai entkam eine Robbe.", False),
        ("How many days may a guide be away?", "Twenty.", True),
        ("How many red buses are there?", "Red bus – Count: 56", True),
        ("How many pools are there at the park?", "There is no pool at the park.", True),
        ("How many staff are there?", "Three keepers and two guides.", True),
        ("Who is the authority for seals?", "The author of the page on seals is Ole Dahl.", False),
        ("Who is the authority for seals?", "The authority of Emmen; author of the page: Ole Dahl.", True),
        ("Which customs papers are needed?", "The customer brings papers.", False),
        ("Who is the customer?", "Our customers are schools.", True),
    ],
)
def test_what_is_asked_about_is_named_by_its_own_word(question: str, words: str, *, found: bool) -> None:
    assert meant(question, words) is found


def test_words_that_mean_different_things_have_one_stem_in_each_group() -> None:
    stems = [Analyzer().tokens(" ".join(word for words in group for word in words)) for group in _ONE_STEM]
    assert [each for each in stems if len(set(each)) > 1] == []
