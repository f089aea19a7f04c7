"""How good an answer is, without a model."""

from datetime import UTC, datetime

import pytest

from agent.replies.answer_quality import answer_quality
from domain.answers import Citation

QUESTION = "How much is the daily meal allowance?"


def cited(quote: str, n: int = 1) -> Citation:
    moment = datetime(2026, 1, 1, tzinfo=UTC)
    return Citation(n, "Travel", "", "travel.md", "docs", "d", "", "line 1", quote, moment)


SOURCE = cited("The daily meal allowance is 28 euros.")


@pytest.mark.parametrize(
    ("reply", "supported"),
    [
        ("The daily meal allowance is 28 euros. [1]", 1.0),
        ("- The daily meal allowance is 28 euros. [1]\n", 1.0),
        ("Travel rules:\n\nThe daily meal allowance is 28 euros. [1]", 1.0),
        ("The daily meal allowance is 82 euros. [1]", 0.0),
        ("The daily meal allowance is 28 euros. [1] Ask Ada for more.", 0.5),
        ("The daily meal allowance is 28 euros. [2]", 0.0),
        ("The documents do not say how much it is.", 0.0),
        ("", 0.0),
    ],
)
def test_a_statement_counts_that_its_source_says(reply: str, supported: float) -> None:
    assert answer_quality(QUESTION, reply, [SOURCE]).supported == supported


@pytest.mark.parametrize(
    ("reply", "supported"),
    [
        ("1 document: [1]\n- Travel (travel.md, 2026-01-01) [1]\n", 1.0),
        ("2 documents: [1]\n- Travel (travel.md, 2026-01-01) [1]\n", 0.5),
        ("7 documents: [1]\n- Travel (travel.md, 2026-01-01) [1]\n- … and 6 more [1]", 1.0),
        ("1 Dokument: [1]\n- Leave (leave.md, 2026-01-01) [1]\n", 0.5),
    ],
)
def test_a_list_of_documents_is_supported_by_those_it_cites_and_its_count_by_their_number(
    reply: str, supported: float
) -> None:
    assert answer_quality("Which documents mention travel?", reply, [SOURCE]).supported == supported


def test_the_score_falls_with_what_is_not_said_of_the_question() -> None:
    whole = answer_quality(QUESTION, "The daily meal allowance is 28 euros. [1]", [SOURCE])
    beside = answer_quality("Who may rent a car?", "The daily meal allowance is 28 euros. [1]", [SOURCE])
    assert (whole.score, whole.relevance) == (1.0, 1.0)
    assert (beside.score, beside.supported, beside.relevance) == (0.5, 1.0, 0.0)
