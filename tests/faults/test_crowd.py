"""Many questions at the same moment."""

from collections import Counter

import pytest

from tests.command import Kb
from tests.fakes.slack import LocalSlack
from tests.flows.slack.burst import ask_at_once
from tests.flows.slack.conftest import serving, slack, slack_env
from tests.flows.slack.reading import questions

pytestmark = pytest.mark.faults

__all__ = ["slack"]  # a fixture

CROWD = 200


def test_two_hundred_questions_get_along_with_two_connections(indexed: Kb, slack: LocalSlack) -> None:
    kb = indexed.having(**slack_env(slack), DATABASE_POOL="2", QUESTIONS_WAITING=str(CROWD), ANSWER_DEADLINE="900")
    before = len(questions(kb))
    with serving(kb, slack) as process:
        burst = ask_at_once(kb, slack, process, CROWD, patience=600)
    assert Counter(burst.visible) == {1: CROWD}
    assert burst.results == {"answered": CROWD}
    assert len(questions(kb)) == before + CROWD
    assert len(burst.acknowledged) == 2 * CROWD, "mention and message"
