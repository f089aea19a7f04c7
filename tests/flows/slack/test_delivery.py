"""One question, however often and by whomever it is delivered: one visible answer. Two replicas serve all the time."""

from collections.abc import Iterator

import pytest

from tests.command import Kb
from tests.fakes.slack import LocalSlack, plain
from tests.flows.slack.conftest import serving, slack_env
from tests.flows.slack.reading import ANSWER, QUESTION, answered, questions, replies, settled


@pytest.fixture(scope="module")
def twice(indexed: Kb, slack: LocalSlack) -> Iterator[Kb]:
    """Two processes that serve."""
    kb = indexed.having(**slack_env(slack))
    with serving(kb, slack), serving(kb, slack):
        yield kb


def test_mention_and_message_three_times_over_to_two_replicas_for_two_workspaces(twice: Kb, slack: LocalSlack) -> None:
    partner = slack.add_workspace("Partner")
    ann = slack.add_user("ann", email="ann@example.com")
    shared = slack.add_channel("shared", [ann], teams=[slack.workspace.id, partner.id])
    assert len(slack.connections) == 2
    asked = slack.say(ann, shared.id, f"<@{slack.bot}> {QUESTION}")
    assert {each.event["type"] for each in asked.deliveries} == {"app_mention", "message"}
    again = [copy for each in asked.deliveries for copy in slack.deliver_again(each, copies=3)]
    again += [slack.deliver_for(each, partner) for each in asked.deliveries]
    for each in (*asked.deliveries, *again):
        each.wait()
        assert each.acked
    reached = {attempt.to for each in (*asked.deliveries, *again) for attempt in each.attempts}
    assert len(reached) == 2, "both replicas had some of them"
    slack.until(lambda: replies(slack, shared.id, asked) and settled(twice))
    assert len(replies(slack, shared.id, asked)) == 1
    assert len(questions(twice)) == 1
    late = slack.deliver_again(asked.deliveries[0], retry=3)[0]
    late.wait()
    assert late.acked
    assert settled(twice)
    assert len(replies(slack, shared.id, asked)) == 1, "also when it comes after the answer"


def test_a_retry_of_what_nobody_has_seen_is_answered(twice: Kb, slack: LocalSlack) -> None:
    ben = slack.add_user("ben", email="ben@example.com")
    team = slack.add_channel("team", [ben])
    slack.subscriptions.clear()  # the first delivery is lost
    try:
        asked = slack.say(ben, team.id, f"<@{slack.bot}> {QUESTION}")
        assert not asked.deliveries
    finally:
        slack.subscriptions |= {"app_mention", "message.channels"}
    event = {"type": "app_mention", "user": ben.id, "text": f"<@{slack.bot}> {QUESTION}", "ts": str(asked)}
    lost = slack.send_event({**event, "channel": team.id, "event_ts": str(asked)}, slack.workspace.id)
    retried = slack.deliver_again(lost, retry=2)[0]
    retried.wait()
    (answer,) = slack.until(lambda: answered(slack, team.id, asked))
    assert ANSWER in plain(answer)


def test_a_press_delivered_twice_asks_once(twice: Kb, slack: LocalSlack) -> None:
    cem = slack.add_user("cem", email="cem@example.com")
    team = slack.add_channel("team-two", [cem])
    asked = slack.say(cem, team.id, f"<@{slack.bot}> {QUESTION}")
    (answer,) = slack.until(lambda: answered(slack, team.id, asked))
    pressed = slack.press(cem, answer, "kb_ask:0")
    pressed.wait()
    for copy in slack.deliver_again(pressed, copies=2):
        copy.wait()
    slack.until(lambda: len(replies(slack, team.id, asked)) > 1 and settled(twice))
    assert len(replies(slack, team.id, asked)) == 2
