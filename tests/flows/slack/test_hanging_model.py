"""A model that never answers, over all of `kb serve`: what is found is shown before the question's time is over."""

from collections.abc import Iterator

import pytest

from tests.command import Kb, wait_for
from tests.fakes.model_faults import hang
from tests.fakes.model_rules import always
from tests.fakes.model_server import model_server
from tests.fakes.slack import LocalSlack, plain
from tests.flows.slack.conftest import serving, slack_env
from tests.flows.slack.reading import ANSWER, QUESTION, questions, settled
from tests.flows.slack.talk import model_env, room

DEADLINE = "12"
"""Seconds for a question; a quarter of them is kept for excerpts. The model alone might take a minute."""


@pytest.fixture
def hanging(indexed: Kb, slack: LocalSlack) -> Iterator[Kb]:
    """The command while it serves with a model that says nothing, not even headers."""
    with model_server(rules=(always("", hang),)) as model:
        kb = indexed.having(**slack_env(slack), **model_env(model), LLM_TIMEOUT="60", ANSWER_DEADLINE=DEADLINE)
        with serving(kb, slack):
            yield kb
        assert len(model.requests) == 1, "after one call that hung, no other is made"


def test_excerpts_are_shown_before_the_deadline(hanging: Kb, slack: LocalSlack) -> None:
    talk = room(slack, f"slow-{len(slack.world.channels)}")
    before = len(questions(hanging))
    shown = talk.outcome(talk.ask(QUESTION))
    wait_for(lambda: settled(hanging))
    assert ANSWER in plain(shown)
    assert "did not answer in time" in plain(shown)
    told = questions(hanging, "state, result, ended_at <= deadline_at")
    assert told[before:] == [("posted", "answered", True)]
