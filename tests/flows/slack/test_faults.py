"""Slack is busy, breaks off or is silent for a while, before or after it did what it was asked: one visible outcome."""

from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from tests.command import Kb, KbProcess
from tests.fakes.slack import Fault, LocalSlack, plain
from tests.flows.slack.conftest import serving, slack_env
from tests.flows.slack.talk import Talk, Thinker, ending, model_env, room, thinking

QUESTION, SAID = "How many days of vacation does everybody have?", "Everybody has thirty days of vacation a year."

TRANSIENT = {
    "429": Fault.ratelimited(1),
    "500": Fault.error("internal_error"),
    "500 late": Fault.error("internal_error", late=True),
    "503": Fault.unavailable(),
    "503 late": Fault.unavailable(late=True),
    "garbage": Fault.garbage(),
    "text": Fault("html", 200, text="OK"),
    "reset": Fault.reset(),
    "reset late": Fault.reset(late=True),
    "hang": Fault.hang(0.5),
    "hang late": Fault.hang(0.5, late=True),
}
EVERYDAY = {"429", "500 late", "garbage", "reset", "hang late"}
"""One of each kind; what is met with the others is recovered in the same way."""
FAULTS = pytest.mark.parametrize(
    "fault", [pytest.param(each, marks=() if each in EVERYDAY else pytest.mark.slow) for each in TRANSIENT]
)


@pytest.fixture(scope="module")
def thinker() -> Iterator[Thinker]:
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
    yield room(slack, f"streamed-{len(slack.world.channels)}")
    slack.heal()


@pytest.fixture
def edited(slack: LocalSlack) -> Iterator[Talk]:
    found = room(slack, f"edited-{len(slack.world.channels)}")
    slack.world.channel(found.channel).streams = False
    yield found
    slack.heal()


def _answered_once(served: Served, here: Talk, asked: str) -> None:
    outcome = here.outcome(asked)
    assert ending(served.kb, asked) == ("posted", "answered")
    assert here.shown(asked) == [outcome], "one message"
    assert plain(outcome).count(SAID) == 1, "and the answer in it once"
    assert "Sources" in plain(outcome)


@pytest.mark.parametrize("method", ["chat.postMessage", "chat.update"])
@FAULTS
def test_an_edited_message_survives(slack: LocalSlack, served: Served, edited: Talk, method: str, fault: str) -> None:
    slack.fail(method, TRANSIENT[fault])
    asked = edited.ask(QUESTION)
    _answered_once(served, edited, asked)


@pytest.mark.parametrize("method", ["chat.startStream", "chat.appendStream", "chat.stopStream"])
@FAULTS
def test_a_stream_survives(slack: LocalSlack, served: Served, streamed: Talk, method: str, fault: str) -> None:
    slack.fail(method, TRANSIENT[fault])
    asked = streamed.ask(QUESTION)
    _answered_once(served, streamed, asked)
