"""Slack is busy, breaks off or is silent for a while, before or after it did what it was asked: one visible outcome."""

import pytest

from tests.fakes.slack import Fault, LocalSlack
from tests.flows.slack.faults.conftest import QUESTION, Served, answered_once
from tests.flows.slack.talk import Talk

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


@pytest.mark.parametrize("method", ["chat.postMessage", "chat.update"])
@FAULTS
def test_an_edited_message_survives(slack: LocalSlack, served: Served, edited: Talk, method: str, fault: str) -> None:
    slack.fail(method, TRANSIENT[fault])
    asked = edited.ask(QUESTION)
    answered_once(served, edited, asked)


@pytest.mark.parametrize("method", ["chat.startStream", "chat.appendStream", "chat.stopStream"])
@FAULTS
def test_a_stream_survives(slack: LocalSlack, served: Served, streamed: Talk, method: str, fault: str) -> None:
    slack.fail(method, TRANSIENT[fault])
    asked = streamed.ask(QUESTION)
    answered_once(served, streamed, asked)
