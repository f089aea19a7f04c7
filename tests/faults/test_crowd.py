"""Many questions, and many deliveries of one, at the same moment."""

from collections import Counter

import pytest

from tests.command import Kb
from tests.fakes.slack import LocalSlack, plain
from tests.flows.slack.burst import ask_at_once
from tests.flows.slack.conftest import serving, slack, slack_env
from tests.flows.slack.reading import QUESTION, questions, replies, settled

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


def test_one_event_five_times_at_one_moment_is_one_question(indexed: Kb, slack: LocalSlack) -> None:
    kb = indexed.having(**slack_env(slack))
    with serving(kb, slack), serving(kb, slack):
        before = len(questions(kb))
        gil = slack.add_user("gil", email="gil@example.com")
        team = slack.add_channel("five", [gil])
        slack.subscriptions.clear()  # nobody has seen it before the five
        try:
            asked = slack.say(gil, team.id, f"<@{slack.bot}> {QUESTION}")
        finally:
            slack.subscriptions |= {"app_mention", "message.channels"}
        event = {"type": "app_mention", "user": gil.id, "text": f"<@{slack.bot}> {QUESTION}", "ts": str(asked)}
        first = slack.send_event({**event, "channel": team.id, "event_ts": str(asked)}, slack.workspace.id)
        for each in (first, *slack.deliver_again(first, copies=5)):
            each.wait()
            assert each.acked
        slack.until(lambda: bool(replies(slack, team.id, asked)) and settled(kb))
        assert len(replies(slack, team.id, asked)) == 1
        assert len(questions(kb)) == before + 1


def test_a_hundred_questions_of_one_person_are_held_to_the_limit(indexed: Kb, slack: LocalSlack) -> None:
    kb = indexed.having(**slack_env(slack))
    with serving(kb, slack):
        before = len(questions(kb))
        hal = slack.add_user("hal", email="hal@example.com")
        team = slack.add_channel("hundred", [hal])
        asked = [slack.say(hal, team.id, f"<@{slack.bot}> {QUESTION}") for _ in range(100)]
        slack.until(lambda: len(questions(kb)) == before + 100 and settled(kb), 120)
        results = Counter(result for (result,) in questions(kb, "result")[before:])
        shown = [replies(slack, team.id, each) for each in asked]
    assert results == {"answered": 10, "busy": 90}, "the limit is ten a minute"
    assert Counter(map(len, shown)) == {1: 100}, "each has one visible outcome"
    told = [plain(each[0]) for each in shown]
    assert sum("minute" in words for words in told) >= 90, told[:3]
