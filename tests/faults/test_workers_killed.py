"""Workers that are killed one after the other while a question is answered: it has one outcome."""

import time

import pytest

from tests.command import Kb, KbProcess, wait_for
from tests.fakes.model_server import model_server
from tests.fakes.slack import LocalSlack, plain
from tests.flows.slack.burst import taking
from tests.flows.slack.conftest import serving, slack, slack_env
from tests.flows.slack.reading import QUESTION, questions, replies, settled
from tests.flows.slack.talk import model_env

pytestmark = pytest.mark.faults

__all__ = ["slack"]  # a fixture


@pytest.mark.parametrize(("deaths", "outcome"), [(3, "answered"), (4, "failed")])
def test_the_last_one_answers_unless_all_died_of_it(indexed: Kb, slack: LocalSlack, deaths: int, outcome: str) -> None:
    before = len(questions(indexed))
    ann = slack.add_user(f"ann{deaths}", email="ann@example.com")
    channel = slack.add_channel(f"deaths{deaths}", [ann]).id
    with model_server(rules=(taking(3.0),)) as model:
        kb = indexed.having(**slack_env(slack), **model_env(model), WORKER_CONCURRENCY="0", ANSWER_DEADLINE="600")
        with serving(kb, slack, calm=False):
            working = kb.having(WORKER_CONCURRENCY="1")
            asked = slack.say(ann, channel, f"<@{slack.bot}> {QUESTION}")
            for death in range(deaths):
                worker = working.start("worker")
                try:
                    wait_for(lambda at=death: _attempt(kb, before) > at)  # type: ignore[misc] # a default of the lambda
                    time.sleep(0.5)
                    worker.kill()
                finally:
                    worker.close()
            _ended_by(working.start("worker"), kb)
    assert questions(indexed, "state, result")[before:] == [({"answered": "posted"}.get(outcome, outcome), outcome)]
    (shown,) = replies(slack, channel, asked)
    assert ("Sources" if outcome == "answered" else "went wrong on our side") in plain(shown)


def _attempt(kb: Kb, before: int) -> int:
    """The number of the last attempt at the question."""
    return max((attempt for (attempt,) in questions(kb, "attempt")[before:]), default=0)


def _ended_by(worker: KbProcess, kb: Kb) -> None:
    try:
        wait_for(lambda: settled(kb))
        worker.interrupt()
        assert worker.end().code == 0
    finally:
        worker.close()
