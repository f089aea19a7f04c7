"""Names that nobody resolves any more: what is away is told as away, and what can go on without it does."""

import pytest

from tests.command import Kb
from tests.flows.slack.reading import ANSWER, QUESTION

pytestmark = pytest.mark.faults

GONE = "nowhere.invalid"
"""A name that no resolver knows (RFC 6761)."""


def test_without_the_models_name_the_best_excerpts_are_shown(indexed: Kb) -> None:
    model = {"LLM_BASE_URL": f"http://{GONE}/v1", "LLM_MODEL": "any", "LLM_API_KEY": "any"}
    done = indexed.having(**model)("ask", QUESTION)
    assert done.code == 0, done.err
    assert ANSWER in done.out
    assert "The language model could not be used" in done.out


def test_without_the_embedders_name_it_is_searched_by_words(indexed: Kb) -> None:
    done = indexed.having(EMBEDDING_BASE_URL=f"http://{GONE}/v1")("ask", QUESTION)
    assert done.code == 0, done.err
    assert ANSWER in done.out
    assert "Searched by words alone" in done.out


def test_without_the_databases_name_it_is_said_to_be_away(indexed: Kb) -> None:
    done = indexed.having(DATABASE_URL=f"postgresql://kb@{GONE}/kb")("ask", QUESTION)
    assert done.code != 0
    assert "The database does not answer" in done.err
    assert ANSWER not in done.out
