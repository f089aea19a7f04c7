"""A workspace of 50,000 people, with Slack's limits: what the first answers take, in calls."""

from collections.abc import Iterator

import pytest

from tests.command import Kb
from tests.fakes.slack import LocalSlack, local_slack, plain
from tests.flows.slack.conftest import serving, slack_env
from tests.flows.slack.talk import Talk

QUESTION = "How many days of vacation does everybody have?"
KNOWN = "thirty days"
LOOK_UPS = ("conversations.info", "conversations.members", "users.info", "users.list")


@pytest.fixture(scope="module")
def town() -> Iterator[LocalSlack]:
    """A Slack of a company of 50,000."""
    with local_slack() as slack:
        slack.add_crowd(50_000)
        slack.keep_tiers()
        yield slack


@pytest.fixture(scope="module", autouse=True)
def serve(indexed: Kb, town: LocalSlack) -> Iterator[Kb]:
    """The command while it serves them."""
    kb = indexed.having(**slack_env(town), EMAIL_DOMAINS="example.com", CORRECT_REPLIES="off")
    with serving(kb, town):
        yield kb


def _looked_up(slack: LocalSlack) -> dict[str, int]:
    counts = {method: len(slack.calls(method)) for method in LOOK_UPS}
    return {method: count for method, count in counts.items() if count}


def test_a_channel_of_four_is_answered_with_a_handful_of_calls(town: LocalSlack) -> None:
    four = list(town.world.users.values())[1:5]
    here = Talk(town, four[0], town.add_channel("four", four).id)
    assert KNOWN in plain(here.outcome(here.ask(QUESTION)))
    first = _looked_up(town)
    assert first["users.info"] == 4
    # once for the question, once before the answer is shown, and once more where it is written for long
    assert first["conversations.info"] == first["conversations.members"] in {2, 3}
    assert set(first) == {"conversations.info", "conversations.members", "users.info"}
    four[1].name = "A new picture"
    assert town.user_change(four[1]).wait().acked
    assert KNOWN in plain(here.outcome(here.ask(QUESTION)))
    again = _looked_up(town)
    assert again["users.info"] == 4, "a profile that changed costs nothing"
    assert again["conversations.members"] - first["conversations.members"] in {1, 2, 3}
