"""Replies when Slack leaves open what it did."""

from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import aiohttp
import pytest
from slack_sdk.web.async_client import AsyncWebClient

from bot.slack.asker import AskerReply
from bot.slack.client import Pace, SlackClient
from bot.slack.render import Frame
from bot.slack.reply import Posting, SlackReply
from bot.slack.stream import Stream
from domain.conversation import Asked, MessageKey, Person, Place
from domain.errors import Transient
from domain.masking import Masker
from domain.masking.shown import masked_answer
from tests.fakes.platform import answer
from tests.fakes.slack import Fault, LocalSlack, local_slack, plain
from tests.unit.bot.slack.test_client import SOON, Web

MASKER = Masker()
NOW = datetime(2026, 1, 1, tzinfo=UTC)
OUTCOME = masked_answer(answer("Everybody has thirty days. [1]", "c1"), MASKER)
BROKEN = aiohttp.ServerDisconnectedError()
ASKED = Asked(
    number=1,
    key=MessageKey("slack", "C1", "1.1"),
    place=Place("slack", "T1", "C1", "1.1"),
    asker=Person("slack", "U1", "T1"),
    text="How many days?",
    audience="asker",
    handle={},
    attempt=1,
    revision=0,
    received_at=NOW,
    left=timedelta(hours=1),
)


@pytest.mark.parametrize(
    ("said", "calls", "twice"),
    [
        ([{"ok": True}], 1, False),
        ([SOON, SOON, {"ok": True}], 3, False),
        ([BROKEN, {"ok": True}], 2, True),
        ([BROKEN, BROKEN], 2, True),
    ],
)
async def test_a_reply_that_nobody_can_look_for_is_posted_twice_at_most(
    said: list[Exception | dict[str, object]], calls: int, twice: bool
) -> None:
    shows: list[Callable[[AskerReply], Awaitable[bool]]] = [
        lambda reply: reply.finish(OUTCOME),
        lambda reply: reply.refuse("waiting"),
        lambda reply: reply.late(),
    ]
    for show in shows:
        web = Web(*said)
        assert await show(AskerReply(SlackClient(web, 5), ASKED, lambda: NOW)) is twice
        assert [name for name, _ in web.called] == ["chat.postEphemeral"] * calls


async def test_a_piece_that_may_be_there_is_not_added_again() -> None:
    web = Web(BROKEN)
    stream = Stream(SlackClient(web, 5), ASKED, "1.2", Pace(100))
    long = masked_answer(answer("Everybody has thirty days. " * 1_000, "c1"), MASKER)
    assert not await stream.finish(long, Frame(1, NOW, private=False))
    assert len(web.called) == 1


@pytest.fixture
def slack() -> Iterator[LocalSlack]:
    with local_slack() as opened:
        yield opened


def on(slack: LocalSlack) -> tuple[Asked, Posting, SlackClient]:
    """A question in a channel without streams."""
    ann = slack.add_user("ann")
    channel = slack.add_channel("general", [ann], streams=False).id
    slack.subscriptions.clear()
    asked_at = str(slack.say(ann, channel, "How many days?"))
    key, place = MessageKey("slack", channel, asked_at), Place("slack", slack.workspace.id, channel, asked_at)
    web = AsyncWebClient(token=slack.bot_token, base_url=slack.base_url, retry_handlers=[])
    client = SlackClient(web, 5.0)
    asked = replace(ASKED, key=key, place=place, asker=Person("slack", ann.id), audience="organisation")
    return asked, Posting(client, slack.bot, MASKER, False, 0.0, Pace(6_000)), client


async def test_a_sign_that_slack_did_not_tell_of_becomes_the_outcome(slack: LocalSlack) -> None:
    asked, posting, client = on(slack)
    reply = SlackReply(posting, client, asked)
    assert await reply.outcome() is None
    slack.fail("chat.postMessage", Fault.reset(late=True))
    slack.fail("conversations.replies", Fault.ratelimited(30))
    with pytest.raises(Transient):
        await reply.resume()
    slack.heal()
    assert await reply.finish(OUTCOME) is False
    (shown,) = [each for each in slack.thread(asked.place.channel, asked.place.thread) if each.user == slack.bot]
    assert "thirty days" in plain(shown)


async def test_of_two_that_show_parts_each_part_is_seen_once(slack: LocalSlack) -> None:
    asked, posting, client = on(slack)
    long = masked_answer(answer("\n\n".join(f"Part {n} " + "word " * 500 for n in range(12)), "c1"), MASKER)
    slow = SlackReply(posting, client, asked)
    handle = await slow.resume()
    other = SlackReply(posting, client, replace(asked, attempt=2, handle=handle))
    await other.resume()
    await other.finish(long)
    await slow.finish(long)
    shown = [each for each in slack.thread(asked.place.channel, asked.place.thread) if each.user == slack.bot]
    assert sum("Part 11 " in plain(each) for each in shown) == 1
