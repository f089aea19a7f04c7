"""A Slack that takes more than a second to say who reads a reply: an answer is not thrown away for it."""

import pytest

from tests.command import Kb
from tests.fakes.slack import LocalSlack
from tests.flows.slack.conftest import serving, slack, slack_env
from tests.flows.slack.reading import QUESTION, answered

pytestmark = pytest.mark.faults

__all__ = ["slack"]  # a fixture


def test_who_reads_the_reply_is_waited_for(indexed: Kb, slack: LocalSlack) -> None:
    ann = slack.add_user("ann", email="ann@example.com")
    channel = slack.add_channel("slow", [ann]).id
    slack.latency("conversations.info", 1.6)
    with serving(indexed.having(**slack_env(slack)), slack) as process:
        asked = slack.say(ann, channel, f"<@{slack.bot}> {QUESTION}")
        assert slack.until(lambda: answered(slack, channel, asked), 60), process.said
