"""Fixtures of a process that serves a Slack with faults: it has little patience, and shows next to no progress."""

from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from tests.command import Kb, KbProcess
from tests.fakes.slack import LocalSlack, plain
from tests.flows.slack.conftest import serving, slack_env
from tests.flows.slack.talk import Talk, Thinker, ending, model_env, room, thinking

QUESTION, SAID = "How many days of vacation does everybody have?", "Everybody has thirty days of vacation a year."


@pytest.fixture(scope="module")
def thinker() -> Iterator[Thinker]:
    """A language model."""
    with thinking() as started:
        yield started


@dataclass(frozen=True)
class Served:
    """A process that serves."""

    kb: Kb
    process: KbProcess


@pytest.fixture(scope="module", autouse=True)
def served(indexed: Kb, slack: LocalSlack, thinker: Thinker) -> Iterator[Served]:
    """With next to no progress by edits, so that faults meet outcomes; and little patience."""
    given = {"SLACK_PATIENCE": "4", "SLACK_EDITS_MINUTE": "1"}
    kb = indexed.having(**slack_env(slack), **model_env(thinker.server), **given)
    with serving(kb, slack) as process:
        warm = room(slack, "warm")
        slack.world.channel(warm.channel).streams = False
        warm.outcome(warm.ask(QUESTION))  # takes the only edit of this minute
        yield Served(kb, process)


@pytest.fixture
def streamed(slack: LocalSlack) -> Iterator[Talk]:
    """A channel where replies are streamed."""
    yield room(slack, f"streamed-{len(slack.world.channels)}")
    slack.heal()


@pytest.fixture
def edited(slack: LocalSlack) -> Iterator[Talk]:
    """A channel where replies are posted and edited."""
    found = room(slack, f"edited-{len(slack.world.channels)}")
    slack.world.channel(found.channel).streams = False
    yield found
    slack.heal()


def answered_once(served: Served, here: Talk, asked: str) -> None:
    """Checks that the question is answered, in one message."""
    outcome = here.outcome(asked)
    assert ending(served.kb, asked) == ("posted", "answered")
    assert here.shown(asked) == [outcome], "one message"
    assert plain(outcome).count(SAID) == 1, "and the answer in it once"
    assert "Sources" in plain(outcome)
