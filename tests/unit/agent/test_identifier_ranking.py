"""Passages with the identifier that a question asks for."""

import pytest

from agent.retrieval.identifier_ranking import asked_identifiers, with_identifiers
from tests.fakes.agent import a_passage

CANDIDATES = {"feet-0": 0.9, "probe-0": 0.2, "guide-0": 0.5}
PASSAGES = [
    a_passage("Rubber feet LX-A10.", "feet"),
    a_passage("On carpet, use the cable probe LX-A09.", "probe"),
    a_passage("The guide for LX.", "guide"),
]


def test_they_come_before_what_shares_parts_of_it() -> None:
    assert list(with_identifiers({**CANDIDATES, "feet-0": 0.5}, PASSAGES, frozenset({"lxa09"}))) == [
        "probe-0",
        "feet-0",
        "guide-0",
    ]


def test_each_has_its_share_of_several() -> None:
    found = with_identifiers(CANDIDATES, PASSAGES, frozenset({"lxa09", "lxa10"}))
    assert found == pytest.approx({"feet-0": 0.8, "guide-0": 0.375, "probe-0": 0.275})


def test_where_no_passage_has_it_the_scores_stay() -> None:
    assert with_identifiers(CANDIDATES, PASSAGES, frozenset({"lxa11"})) == CANDIDATES


@pytest.mark.parametrize(
    ("question", "weights", "asked"),
    [
        ("What is LX-A09?", {"lx-a09": 5.0, "lx": 2.0, "a09": 5.0}, {"lxa09"}),
        ("What did LX-A09 cost?", {"lx-a09": 5.0, "lx": 2.0, "a09": 5.0, "cost": 3.0}, {"lxa09"}),
        (
            "Does B12 lower the level of homocysteine?",
            {"b12": 4.0, "lower": 2.0, "level": 2.0, "homocystein": 6.0},
            set(),
        ),
        ("What is a probe?", {"probe": 4.0}, set()),
        ("", {}, set()),
    ],
)
def test_a_question_asks_for_one_where_it_has_little_else(
    question: str, weights: dict[str, float], asked: set[str]
) -> None:
    assert asked_identifiers(question, weights) == asked
