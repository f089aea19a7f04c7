"""Replies when Slack leaves open what it did."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import aiohttp
import pytest
from slack_sdk.web.async_client import AsyncWebClient

from bot.conversation.render_context import RenderContext
from bot.slack.client import SlackClient, TokenBucket
from bot.slack.ephemeral_reply import EphemeralReply
from bot.slack.reply import SlackReply, SlackReplyContext
from bot.slack.stream import REFUSED_SECONDS, SlackStream, StreamingRefusals
from domain.answers import Answer, Citation, Failed, Progress, ReplyPart, Stage
from domain.conversation import AcceptedQuestion, ConversationPlace, MessageKey, Participant
from domain.errors import Transient
from domain.masked_answer import masked_answer
from domain.masking import Masker
from tests.fakes.platform import answer
from tests.fakes.slack import Fault, LocalSlack, Message, links, plain
from tests.fakes.slack_web import SOON, Web

MASKER = Masker()
NOW = datetime(2026, 1, 1, tzinfo=UTC)
OUTCOME = masked_answer(answer("Everybody has thirty days. [1]", "c1"), MASKER)
LONG = masked_answer(answer("\n\n".join(f"Part {n} " + "word " * 500 for n in range(12)), "c1"), MASKER)
"""Of several messages."""
LESS = masked_answer(replace(answer("Ask your lead. [1]", "c1"), notice="This was corrected."), MASKER)
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


async def test_a_piece_that_may_be_there_is_not_added_again() -> None:
    web = Web(BROKEN)
    stream = SlackStream(SlackClient(web, 5), ASKED, "1.2", TokenBucket(100))
    long = masked_answer(answer("Everybody has thirty days. " * 1_000, "c1"), MASKER)
    assert not await stream.finish(long, RenderContext(1, NOW, private=False))
    assert len(web.called) == 1


async def test_a_stream_with_a_piece_that_may_be_there_does_not_become_the_outcome() -> None:
    web = Web(BROKEN, {"ok": True})
    stream = SlackStream(SlackClient(web, 5), ASKED, "1.2", TokenBucket(100))
    await stream.write(ReplyPart(MASKER.mask("Everybody has ")))
    assert not await stream.finish(OUTCOME, RenderContext(1, NOW, private=False))
    assert [name for name, _ in web.called] == ["chat.appendStream"]


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


def steps(message: Message) -> list[tuple[str, str]]:
    """Title and state of each step that a stream has shown."""
    return [(each["title"], each["status"]) for each in message.chunks if each["type"] == "task_update"]


@pytest.mark.parametrize(("before", "words"), [(None, "Reading "), (3, "3 others are before it…")])
@pytest.mark.parametrize("streams", [True, False])
async def test_a_first_sign_says_how_many_are_before(
    slack: LocalSlack, before: int | None, words: str, streams: bool
) -> None:
    asked, shared, client = on(slack, streams=streams)
    await SlackReply(shared, client, replace(asked, queue_ahead=before)).open()
    (sign,) = said(slack, asked)
    assert words in plain(sign)


def doing(percent: int, stage: Stage) -> Progress:
    return Progress(MASKER.mask(f"Doing {stage}"), percent, stage=stage)


Ends = Callable[[SlackReply], Awaitable[object]]


@pytest.mark.parametrize(
    ("end", "last"),
    [
        (lambda reply: reply.finish(OUTCOME), "complete"),
        (lambda reply: reply.finish(masked_answer(Failed("It broke."), MASKER)), "error"),
        (lambda reply: reply.late(), "error"),
        (lambda reply: reply.refuse("waiting"), "error"),
    ],
    ids=["answered", "failed", "late", "busy"],
)
@pytest.mark.parametrize("lost", [None, "chat.appendStream"])
async def test_a_finished_stream_keeps_no_unfinished_steps(
    slack: LocalSlack, end: Ends, last: str, lost: str | None
) -> None:
    asked, shared, client = on(slack, streams=True)
    reply = SlackReply(shared, client, replace(asked, queue_ahead=2))
    await reply.open()
    doings: list[tuple[int, Stage]] = [(10, "search"), (50, "grade"), (70, "write")]
    for percent, stage in doings:
        if lost and stage == "grade":
            slack.fail(lost, Fault.reset(late=True))  # it was shown, and nobody knows
        await reply.progress(doing(percent, stage))
    await end(reply)
    (message,) = said(slack, asked)
    assert message.streaming_state == "completed"
    shown = steps(message)
    assert [title for title, _ in shown if "busy" in title] == [], "what has begun waits no more"
    assert len(shown) == 4
    assert {state for _, state in shown} <= {"complete", last}
    assert shown[-1][1] == last


async def test_a_stream_of_a_dead_worker_keeps_no_first_step(slack: LocalSlack) -> None:
    asked, shared, client = on(slack, streams=True)
    handle = await SlackReply(shared, client, asked).open()
    other = SlackReply(shared, client, replace(asked, attempt=2, handle=handle))
    await other.resume()
    (message,) = said(slack, asked)
    assert steps(message) == [("Reading the question", "complete")]


async def test_streams_are_tried_again_after_a_while(slack: LocalSlack) -> None:
    asked, shared, client = on(slack, streams=True)
    now = [0.0]
    shared = replace(shared, streaming_refusals=StreamingRefusals(lambda: now[0]))
    slack.fail("chat.startStream", Fault.error("not_allowed"))
    for seconds, mode in ((0.0, "message"), (1.0, "message"), (REFUSED_SECONDS, "stream")):
        now[0] = seconds
        assert (await SlackReply(shared, client, asked).open())["mode"] == mode
    assert len(slack.calls("chat.startStream")) == 2


async def test_what_only_its_asker_has_seen_is_turned_down_for_the_asker_alone(slack: LocalSlack) -> None:
    asked, shared, client = on(slack)
    url = slack.urls.new(slack.workspace.id, asked.place.channel, asked.asker.id)
    for handle in ({"echo": "1", "response_url": url}, {"echo": "1"}):
        await SlackReply(shared, client, replace(asked, handle=handle)).refuse("user_minute")
    assert said(slack, asked) == []
    told = slack.ephemerals(asked.place.channel, asked.asker.id)
    assert ["You ask faster" in plain(each) for each in told] == [True, True]


async def test_a_sign_that_slack_did_not_tell_of_becomes_the_outcome(slack: LocalSlack) -> None:
    asked, shared, client = on(slack)
    slack.fail("chat.postMessage", Fault.reset(late=True))
    with pytest.raises(Transient):
        await SlackReply(shared, client.within(0.0), asked).resume()
    reply = SlackReply(shared, client, asked)
    assert await reply.finish(OUTCOME) is False
    (shown,) = said(slack, asked)
    assert "thirty days" in plain(shown)


async def test_of_two_that_show_parts_each_part_is_seen_once(slack: LocalSlack) -> None:
    asked, shared, client = on(slack)
    slow = SlackReply(shared, client, asked)
    handle = await slow.resume()
    other = SlackReply(shared, client, replace(asked, attempt=2, handle=handle))
    await other.resume()
    await other.finish(LONG)
    await slow.finish(LONG)
    assert sum("Part 11 " in plain(each) for each in said(slack, asked)) == 1


def unread(slack: LocalSlack) -> None:
    """From now on, Slack does not let the bot read what is posted."""
    slack.workspace.scopes -= {"channels:history", "groups:history", "im:history", "mpim:history"}


async def test_all_messages_of_an_answer_are_corrected_where_they_cannot_be_read_any_more(slack: LocalSlack) -> None:
    asked, shared, client = on(slack)
    reply = SlackReply(shared, client, asked)
    handle = await reply.open()
    await reply.finish(LONG)
    assert len(said(slack, asked)) > 2
    unread(slack)
    kept = replace(asked, handle={**handle, **reply.correctable()})
    assert [await SlackReply(shared, client, kept).correct(LESS) for _ in range(2)] == [True, True]
    (left,) = said(slack, asked)
    assert "Ask your lead. [1]" in plain(left)


UNCORRECTED = "Question 1: a part of its reply may stand uncorrected"


async def test_a_correction_that_may_have_missed_a_message_says_so(
    slack: LocalSlack, caplog: pytest.LogCaptureFixture
) -> None:
    asked, shared, client = on(slack)
    reply = SlackReply(shared, client, asked)
    handle = await reply.open()
    await reply.finish(LONG)
    unread(slack)
    kept = replace(asked, handle=handle)  # as an earlier release kept it
    for now in (LESS, OUTCOME):
        assert await SlackReply(shared, client, kept).correct(now) is True, "what is known is changed, each time"
    first, *others = said(slack, asked)
    assert "thirty days" in plain(first)
    assert others
    assert caplog.messages.count(UNCORRECTED) == 2


async def test_where_no_message_can_be_changed_nothing_is_corrected(
    slack: LocalSlack, caplog: pytest.LogCaptureFixture
) -> None:
    asked, shared, client = on(slack)
    reply = SlackReply(shared, client, asked)
    handle = await reply.open()
    await reply.finish(OUTCOME)
    slack.fail("chat.update", Fault.error("edit_window_closed"))
    kept = replace(asked, handle={**handle, **reply.correctable()})
    assert await SlackReply(shared, client, kept).correct(LESS) is False
    slack.heal()
    assert await SlackReply(shared, client, replace(asked, handle={})).correct(LESS) is True, "it is found"
    assert UNCORRECTED not in caplog.messages


async def test_a_message_that_is_too_many_and_cannot_be_deleted_is_told_of(
    slack: LocalSlack, caplog: pytest.LogCaptureFixture
) -> None:
    asked, shared, client = on(slack)
    reply = SlackReply(shared, client, asked)
    handle = await reply.open()
    await reply.finish(LONG)
    kept = replace(asked, handle={**handle, **reply.correctable()})
    slack.fail("chat.delete", Fault.error("cant_delete_message"))
    assert await SlackReply(shared, client, kept).correct(LESS) is True
    assert len(said(slack, asked)) == 2, "the others went"
    assert caplog.messages.count(UNCORRECTED) == 1
    assert await SlackReply(shared, client, kept).correct(LESS) is True
    assert caplog.messages.count(UNCORRECTED) == 1


async def test_an_answer_that_stands_twice_is_corrected_twice(slack: LocalSlack) -> None:
    asked, shared, client = on(slack)
    unread(slack)
    slack.fail("chat.postMessage", Fault.reset(late=True))
    reply = SlackReply(shared, client, asked)
    assert await reply.finish(OUTCOME) is True
    assert len(said(slack, asked)) == 2
    slack.workspace.scopes |= {"channels:history"}
    kept = replace(asked, handle=reply.correctable())
    assert await SlackReply(shared, client, kept).correct(LESS) is True
    (left,) = said(slack, asked)
    assert "Ask your lead. [1]" in plain(left)


@pytest.mark.parametrize("method", ["chat.postMessage", "chat.startStream"])
async def test_that_a_status_message_may_stand_twice_is_known_to_who_shows_the_outcome(
    slack: LocalSlack, method: str
) -> None:
    asked, shared, client = on(slack, streams=method == "chat.startStream")
    unread(slack)
    slack.fail(method, Fault.reset(late=True))
    handle = await SlackReply(shared, client, asked).open()
    assert len(said(slack, asked)) == 2
    reply = SlackReply(shared, client, replace(asked, handle=handle))
    assert await reply.resume() == {}
    assert await reply.finish(OUTCOME) is True
    assert reply.correctable()["parts"] == "?"


async def test_a_part_that_nobody_can_look_for_is_posted_twice_at_most(
    slack: LocalSlack, caplog: pytest.LogCaptureFixture
) -> None:
    asked, shared, client = on(slack)
    reply = SlackReply(shared, client, asked)
    handle = await reply.open()
    unread(slack)
    slack.fail("chat.postMessage", Fault.reset(late=True), None)
    assert await reply.finish(LONG) is True, "some of it may be seen twice"
    shown = [plain(each) for each in said(slack, asked)]
    assert [sum(f"Part {n} " in each for each in shown) for n in (0, 11)] == [1, 2]
    slack.heal()
    kept = replace(asked, handle={**handle, **reply.correctable()})
    assert await SlackReply(shared, client, kept).correct(LESS) is True
    assert UNCORRECTED in caplog.messages, "nobody knows where all of it stands"


@pytest.mark.parametrize("echo", [False, True])
async def test_where_slack_takes_no_blocks_all_of_the_answer_is_shown_all_the_same(
    slack: LocalSlack, echo: bool
) -> None:
    asked, shared, client = on(slack)
    if echo:
        asked = replace(asked, handle={"echo": "1"})
    text = "\n\n".join(f"Part {n} " + "word " * 100 for n in range(20)) + "\n\nBut never to a & b. [2]"
    cited = Citation(2, "Exceptions", "https://kb.example.com/x", "x.md", "docs", "d2", "Duty", "", "", None, "c2")
    shown = masked_answer(Answer(text, (cited,), 0.9, "The sources differ."), MASKER)
    reply = SlackReply(shared, client, asked)
    await reply.open()
    slack.fail("chat.update", Fault.error("invalid_blocks"))
    await reply.finish(shown)
    posted = said(slack, asked)
    assert len(posted) == 4
    assert not any(each.blocks for each in posted)
    assert all(len(each.text) < 4_000 for each in posted)
    words = "\n".join(map(plain, posted))
    for wanted in (*(f"Part {n} " for n in range(20)), "never to a & b. [2]", "The sources differ.", "— Duty"):
        assert words.count(wanted) == 1
    assert links(posted[-1]) == [("https://kb.example.com/x", "Exceptions")]
    assert words.startswith("Question: How many days?") is echo


async def test_a_changed_question_leaves_no_part_of_its_old_answer_where_nobody_can_look(slack: LocalSlack) -> None:
    asked, shared, client = on(slack)
    reply = SlackReply(shared, client, asked)
    handle = await reply.open()
    await reply.finish(LONG)
    unread(slack)
    kept = replace(asked, handle={**handle, **reply.correctable()}, attempt=2, revision=1)
    assert await SlackReply(shared, client, kept).finish(OUTCOME) is True, "Slack does not say what was shown"
    (left,) = said(slack, asked)
    assert "thirty days" in plain(left)
