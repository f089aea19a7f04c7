"""Replies that the asker alone sees: through a response URL, or as messages of their own."""

import time
from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest

from bot.slack.client import SlackClient, SlackRefused
from bot.slack.ephemeral_reply import EphemeralReply
from domain.conversation import AcceptedQuestion
from domain.errors import Transient
from tests.fakes.slack import Fault, LocalSlack, Message, plain
from tests.fakes.slack_web import SOON, Web
from tests.unit.bot.slack.asking import ASKED, BROKEN, LONG, NOW, OUTCOME, on


@pytest.mark.parametrize(
    ("replies", "calls", "twice"),
    [
        ([{"ok": True}], 1, False),
        ([SOON, SOON, {"ok": True}], 3, False),
        ([BROKEN, {"ok": True}], 2, True),
        ([BROKEN, BROKEN], 2, True),
    ],
)
async def test_a_reply_that_nobody_can_look_for_is_posted_twice_at_most(
    replies: list[Exception | dict[str, object]], calls: int, twice: bool
) -> None:
    shows: list[Callable[[EphemeralReply], Awaitable[bool]]] = [
        lambda reply: reply.finish(OUTCOME),
        lambda reply: reply.refuse("waiting"),
        lambda reply: reply.late(),
    ]
    for show in shows:
        web = Web(*replies)
        assert await show(EphemeralReply(SlackClient(web, 5), ASKED, lambda: NOW)) is twice
        assert [name for name, _ in web.called] == ["chat.postEphemeral"] * calls


def commanded(slack: LocalSlack, asked: AcceptedQuestion, *, member: bool = False) -> AcceptedQuestion:
    """The same question of a command. member: whether the bot may post where it was asked."""
    if not member:
        slack.world.channel(asked.place.channel).members.remove(slack.bot)
    return replace(
        asked, handle={"response_url": slack.urls.new(slack.workspace.id, asked.place.channel, asked.asker.id)}
    )


def told(slack: LocalSlack, asked: AcceptedQuestion) -> list[Message]:
    """What the asker alone sees."""
    return slack.ephemerals(asked.place.channel, asked.asker.id)


@pytest.mark.parametrize("faults", [[Fault.unavailable()] * 2, [Fault.ratelimited(0.3)] * 2, [Fault.reset()]])
async def test_an_answer_for_the_asker_alone_outlasts_a_response_url_that_is_away(
    slack: LocalSlack, faults: list[Fault]
) -> None:
    asked, _, client = on(slack)
    asked = commanded(slack, asked)
    slack.urls.faults += faults
    began = time.monotonic()
    await EphemeralReply(client, asked, lambda: NOW).finish(OUTCOME)
    assert time.monotonic() - began >= sum(each.retry_after or 0.0 for each in faults)
    (shown,) = told(slack, asked)
    assert "thirty days" in plain(shown)


async def test_where_a_response_url_stays_away_the_answer_is_tried_again_later(slack: LocalSlack) -> None:
    asked, _, client = on(slack)
    asked = commanded(slack, asked)
    slack.urls.faults += [Fault.unavailable()] * 99
    with pytest.raises(Transient):
        await EphemeralReply(client.within(1.0), asked, lambda: NOW).finish(OUTCOME)


async def test_what_a_response_url_may_have_shown_is_shown_once_more_at_most(slack: LocalSlack) -> None:
    asked, _, client = on(slack)
    asked = commanded(slack, asked)
    slack.urls.faults += [Fault.reset(late=True)] * 99
    assert await EphemeralReply(client, asked, lambda: NOW).finish(OUTCOME) is True
    assert len(told(slack, asked)) == 2


async def test_where_there_is_no_way_to_the_asker_that_is_said_at_once(slack: LocalSlack) -> None:
    asked, _, client = on(slack)
    asked = commanded(slack, asked)
    slack.urls.expire()
    with pytest.raises(SlackRefused):
        await EphemeralReply(client, asked, lambda: NOW).finish(OUTCOME)
    assert len(slack.calls("chat.postEphemeral")) == 1


@pytest.mark.parametrize(
    "fault", [Fault.error("invalid_blocks", 400), Fault.error("invalid_blocks"), Fault.word("invalid_blocks")]
)
async def test_an_answer_for_the_asker_alone_is_shown_where_slack_takes_no_blocks(
    slack: LocalSlack, fault: Fault
) -> None:
    asked, _, client = on(slack)
    asked = commanded(slack, asked)
    slack.urls.faults.append(fault)
    assert await EphemeralReply(client, asked, lambda: NOW).finish(OUTCOME) is False
    (shown,) = told(slack, asked)
    assert "thirty days" in plain(shown)
    assert not shown.blocks


async def test_all_of_a_long_answer_for_the_asker_alone_is_shown_where_slack_takes_no_blocks(slack: LocalSlack) -> None:
    asked, _, client = on(slack)
    asked = commanded(slack, asked, member=True)
    slack.urls.expire()
    slack.fail("chat.postEphemeral", Fault.error("invalid_blocks"))
    assert await EphemeralReply(client, asked, lambda: NOW).finish(LONG) is False
    words = "\n".join(map(plain, told(slack, asked)))
    assert [words.count(f"Part {n} ") for n in range(12)] == [1] * 12
    slack.fail("chat.postEphemeral", Fault.error("invalid_blocks"))
    assert await EphemeralReply(client, asked, lambda: NOW).late() is False
    assert "too long" in plain(told(slack, asked)[-1])
