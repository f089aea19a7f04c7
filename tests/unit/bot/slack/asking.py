"""A question on the local Slack, and what it may be answered with."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import aiohttp
from slack_sdk.web.async_client import AsyncWebClient

from bot.slack.client import SlackClient, TokenBucket
from bot.slack.reply import SlackReplyContext
from domain.conversation import AcceptedQuestion, ConversationPlace, MessageKey, Participant
from domain.masked_answer import masked_answer
from domain.masking import Masker
from tests.fakes.platform import answer
from tests.fakes.slack import LocalSlack, Message

MASKER = Masker()
NOW = datetime(2026, 1, 1, tzinfo=UTC)
OUTCOME = masked_answer(answer("Everybody has thirty days. [1]", "c1"), MASKER)
LONG = masked_answer(answer("\n\n".join(f"Part {n} " + "word " * 500 for n in range(12)), "c1"), MASKER)
"""Of several messages."""
BROKEN = aiohttp.ServerDisconnectedError()
ASKED = AcceptedQuestion(
    number=1,
    key=MessageKey("slack", "C1", "1.1"),
    place=ConversationPlace("slack", "T1", "C1", "1.1"),
    asker=Participant("slack", "U1", "T1"),
    text="How many days?",
    audience="asker",
    handle={},
    attempt=1,
    revision=0,
    received_at=NOW,
    time_left=timedelta(hours=1),
)


def on(slack: LocalSlack, *, streams: bool = False) -> tuple[AcceptedQuestion, SlackReplyContext, SlackClient]:
    """A question in a channel without streams, or with them."""
    ann = slack.add_user("ann")
    channel = slack.add_channel("general", [ann], streams=streams).id
    slack.subscriptions.clear()
    asked_at = str(slack.say(ann, channel, "How many days?"))
    key, place = (
        MessageKey("slack", channel, asked_at),
        ConversationPlace("slack", slack.workspace.id, channel, asked_at),
    )
    web = AsyncWebClient(token=slack.bot_token, base_url=slack.base_url, retry_handlers=[])
    client = SlackClient(web, 5.0)
    person = Participant("slack", ann.id, slack.workspace.id)
    asked = replace(ASKED, key=key, place=place, asker=person, audience="organisation")
    return (
        asked,
        SlackReplyContext(client, slack.bot, MASKER, streams, 0.0, TokenBucket(6_000), stream_seconds=0.0),
        client,
    )


def said(slack: LocalSlack, asked: AcceptedQuestion) -> list[Message]:
    """What the bot shows in the question's thread."""
    return [each for each in slack.thread(asked.place.channel, asked.place.thread) if each.user == slack.bot]
