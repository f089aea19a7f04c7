"""Replies when Slack leaves open what it did."""

from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest

from bot.conversation.render_context import RenderContext
from bot.slack.client import SlackClient, SlackRefused, TokenBucket
from bot.slack.reply import SlackReply
from bot.slack.stream import MOST, REFUSED_SECONDS, SlackStream, StreamingRefusals
from domain.answers import Answer, Citation, Failed, Progress, ReplyPart, Stage
from domain.errors import Transient
from domain.masked_answer import masked_answer
from tests.fakes.platform import answer
from tests.fakes.slack import Fault, LocalSlack, Message, links, plain
from tests.fakes.slack_web import Web
from tests.unit.bot.slack.asking import ASKED, BROKEN, LONG, MASKER, NOW, OUTCOME, on, said

LESS = masked_answer(replace(answer("Ask your lead. [1]", "c1"), notice="This was corrected."), MASKER)


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


@pytest.mark.parametrize("code", ["messages_tab_disabled", "method_not_supported_for_channel_type", "user_not_found"])
async def test_where_a_stream_is_refused_a_message_is_opened(slack: LocalSlack, code: str) -> None:
    asked, shared, client = on(slack, streams=True)
    slack.fail("chat.startStream", Fault.error(code), None)
    reply = SlackReply(shared, client, asked)
    assert (await reply.open())["mode"] == "message"
    await reply.finish(OUTCOME)
    (shown,) = said(slack, asked)
    assert "thirty days" in plain(shown)


async def test_a_place_that_is_closed_for_a_stream_is_closed_for_a_message(slack: LocalSlack) -> None:
    asked, shared, client = on(slack, streams=True)
    slack.world.channel(asked.place.channel).is_archived = True
    with pytest.raises(SlackRefused, match=r"chat\.postMessage"):
        await SlackReply(shared, client, asked).open()


@pytest.mark.parametrize("at", ["/lib/kb", "var/lib", "kb/cache"])
async def test_a_path_is_streamed_as_it_is_written(slack: LocalSlack, at: str) -> None:
    asked, shared, client = on(slack, streams=True)
    command = "Run `rm -rf /var/lib/kb/cache` then wait. [1]"
    text = "word " * 2_400
    text = f"{text[-(MOST - command.index(at)) :]}{command}"
    assert text[MOST:].startswith(at)
    reply = SlackReply(shared, client, asked)
    await reply.open()
    for part in (text, ""):
        await reply.write(ReplyPart(MASKER.mask(part)))
    shown = masked_answer(answer(text, "c1"), MASKER)
    assert await reply.finish(shown) is False
    (message,) = said(slack, asked)
    assert message.streaming_state == "completed"
    assert message.text == text
    assert len(slack.calls("chat.appendStream")) == 2


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
