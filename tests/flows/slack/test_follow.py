"""Threads that are followed without a mention, where that is set; and what is said to others, or by bots."""

from collections.abc import Iterator

import pytest

from tests.command import Kb
from tests.fakes.slack import LocalSlack, Said, plain
from tests.flows.slack.conftest import serving, slack_env
from tests.flows.slack.talk import Talk, ending, newcomer, recorded, room

QUESTION = "How many days of vacation does everybody have?"
MORE = "What does the error VPN-4711 mean?"


@pytest.fixture(scope="module")
def followed(slack: LocalSlack) -> Talk:
    return room(slack, "followed")


@pytest.fixture(scope="module", autouse=True)
def following(indexed: Kb, slack: LocalSlack, followed: Talk) -> Iterator[Kb]:
    """The command while it serves and follows that channel alone."""
    kb = indexed.having(**slack_env(slack), SLACK_FOLLOW=followed.channel)
    with serving(kb, slack):
        yield kb


def _taken(said: Said) -> None:
    for each in said.deliveries:
        assert each.wait().acked


def _unanswered(kb: Kb, here: Talk, said: Said, thread: str, count: int) -> None:
    """The message is acknowledged and no question, and the bot has said nothing else there."""
    _taken(said)
    assert recorded(kb, said) == ()
    assert len(here.shown(thread)) == count


def test_a_thread_with_an_answer_goes_on_without_a_mention(following: Kb, followed: Talk) -> None:
    root = followed.ask(QUESTION)
    followed.outcome(root)
    _wait_posted(following, root)
    followed.say(MORE, thread=root)
    assert "the certificate has expired" in plain(followed.outcome(root, count=2))


def test_only_where_that_is_set(following: Kb, slack: LocalSlack) -> None:
    here = room(slack, "not-followed")
    root = here.ask(QUESTION)
    here.outcome(root)
    _wait_posted(following, root)
    _unanswered(following, here, here.say(MORE, thread=root), root, 1)


def test_not_before_it_has_answered_there_and_not_outside_of_threads(following: Kb, followed: Talk) -> None:
    root = followed.say("Good morning, all of you.")
    _unanswered(following, followed, followed.say(MORE, thread=root), root, 0)
    answered = followed.ask(QUESTION)
    followed.outcome(answered)
    _wait_posted(following, answered)
    top = followed.say(MORE)
    _unanswered(following, followed, top, top, 0)


def test_what_is_said_to_others_is_not_answered(following: Kb, slack: LocalSlack, followed: Talk) -> None:
    other = newcomer(slack, "colleague")
    root = followed.ask(QUESTION)
    followed.outcome(root)
    _wait_posted(following, root)
    for text in (f"<@{other.id}> what do you think?", f"  <@{other.id}|colleague> {MORE}", f"<!subteam^S1> {MORE}"):
        _unanswered(following, followed, followed.say(text, thread=root), root, 1)
    followed.say(f"<@{other.id}> <@{slack.bot}> {MORE}", thread=root)
    followed.outcome(root, count=2)


def test_bots_and_the_bots_own_messages_are_not_answered(following: Kb, slack: LocalSlack, followed: Talk) -> None:
    root = followed.ask(QUESTION)
    followed.outcome(root)
    _wait_posted(following, root)
    mention = f"<@{slack.bot}> {MORE}"
    base = {"type": "message", "channel": followed.channel, "channel_type": "channel", "thread_ts": str(root)}
    told = [
        {**base, "text": mention, "user": "U777OTHER", "bot_id": "B777OTHER", "ts": "1700009001.000100"},
        {**base, "text": mention, "subtype": "bot_message", "bot_id": "B777OTHER", "ts": "1700009002.000100"},
        {**base, "text": mention, "user": slack.bot, "bot_id": slack.workspace.bot_id, "ts": "1700009003.000100"},
        {**base, "text": mention, "user": "USLACKBOT", "ts": "1700009004.000100"},
        {**base, "text": mention, "user": followed.person.id, "subtype": "channel_topic", "ts": "1700009005.000100"},
        {**base, "text": MORE, "user": "U777OTHER", "app_id": "A777OTHER", "ts": "1700009006.000100"},
    ]
    for event in told:
        assert slack.send_event(event).wait().acked
        assert recorded(following, event["ts"]) == ()
    assert len(followed.shown(root)) == 1


def test_the_bot_does_not_talk_to_itself(following: Kb, slack: LocalSlack, followed: Talk) -> None:
    slack.echoes = True
    try:
        root = followed.ask(QUESTION)
        followed.outcome(root)
        _wait_posted(following, root)
        followed.say(MORE, thread=root)
        followed.outcome(root, count=2)
        for each in slack.deliveries:
            assert each.wait().acked
        assert len(followed.shown(root)) == 2
    finally:
        slack.echoes = False


def _wait_posted(kb: Kb, asked: str) -> None:
    assert ending(kb, asked)[0] == "posted"
