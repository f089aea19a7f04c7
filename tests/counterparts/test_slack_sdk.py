"""Slack's own library for Python reads what we send, and calls the local Slack of the tests in its own ways.

Its classes say what blocks and chunks hold and how long they may be. They do not say how Slack refuses anything."""

import asyncio
import logging
from collections.abc import Mapping
from typing import Any

import pytest
from slack_sdk.errors import SlackApiError
from slack_sdk.http_retry.builtin_handlers import ServerErrorRetryHandler
from slack_sdk.models.blocks import Block
from slack_sdk.models.messages.chunk import Chunk
from slack_sdk.models.views import View
from slack_sdk.web.async_chat_stream import AsyncChatStream
from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.webhook import WebhookClient, WebhookResponse

from bot.slack.ephemeral_reply import EphemeralReply
from bot.slack.reply import SlackReply
from bot.slack.views import help_message, home_view
from domain.answers import ReplyPart
from tests.fakes.slack import Fault, LocalSlack, Message, plain
from tests.unit.bot.slack.asking import LONG, MASKER, NOW, OUTCOME, on, said
from tests.unit.bot.slack.conftest import slack  # noqa: F401 - the fixture
from tests.unit.bot.slack.test_ephemeral_reply import commanded, told

SAID = "Everybody has thirty days. [1]"


def lost(kind: type[Block | Chunk], given: Mapping[str, Any]) -> str:
    """What the library's class loses of a thing; empty where it reads all. It raises where the thing is too long."""
    read = kind.parse(dict(given))
    if read is None:
        return f"unknown: {given}"
    read.validate_json()
    return "" if read.to_dict() == given else f"{given} is read as {read.to_dict()}"


async def replies(slack: LocalSlack) -> list[Message]:  # noqa: F811 - no fixture
    """Each way to reply: streamed, edited, of several messages, for the asker alone. Gives what the latter sees."""
    asked, shared, client = on(slack, streams=True)
    for outcome, text in ((OUTCOME, SAID), (LONG, "Part 0 ")):
        streamed = SlackReply(shared, client, asked)
        await streamed.open()
        await streamed.write(ReplyPart(MASKER.mask(text[:7])))
        await streamed.finish(outcome)
    shared.streaming = False
    for outcome in (OUTCOME, LONG):
        edited = SlackReply(shared, client, asked)
        await edited.open()
        await edited.finish(outcome)
        await EphemeralReply(client, commanded(slack, asked, member=True), lambda: NOW).finish(outcome)
    return told(slack, asked)


async def test_it_knows_all_blocks_and_chunks_that_we_send(
    slack: LocalSlack,  # noqa: F811 - the fixture
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.WARNING, "slack_sdk"):
        alone = await replies(slack)
        sent = [call.args for call in slack.calls()]
        chunks = [chunk for args in sent for chunk in args.get("chunks") or ()]
        blocks = [block for args in sent for block in args.get("blocks") or ()]
        blocks += [block for each in alone for block in each.blocks]
        blocks += help_message("/kb").blocks
        assert {each["type"] for each in chunks} == {"task_update", "markdown_text"}
        assert len(alone) > 2
        wrong = [lost(Block, each) for each in blocks] + [lost(Chunk, each) for each in chunks]
        assert list(filter(None, wrong)) == []
        home = home_view([], [], NOW, admin=True)
        assert View(**home).to_dict() == home
    assert [each.getMessage() for each in caplog.records if each.name.startswith("slack_sdk")] == []


async def respond(url: str, text: str, blocks: list[dict[str, Any]] | None = None) -> WebhookResponse:
    """The library's client of response URLs. It tries again after 503 as it is told to; the one for asyncio does not,
    which Bolt's own `respond` uses."""
    client = WebhookClient(url, retry_handlers=[ServerErrorRetryHandler(max_retry_count=1)])
    return await asyncio.to_thread(client.send, text=text, blocks=blocks)


async def test_a_response_url_that_is_away_once_is_tried_again_by_both(slack: LocalSlack) -> None:  # noqa: F811 - the fixture
    asked, _, client = on(slack)
    asked = commanded(slack, asked)
    slack.urls.faults.append(Fault.unavailable())
    await EphemeralReply(client, asked, lambda: NOW).finish(OUTCOME)
    (ours,) = told(slack, asked)
    slack.urls.faults.append(Fault.unavailable())
    blocks = [{name: each for name, each in block.items() if name != "block_id"} for block in ours.blocks]
    response = await respond(asked.handle["response_url"], ours.text, blocks)
    assert response.status_code == 200
    _, theirs = told(slack, asked)
    assert plain(theirs) == plain(ours)


async def test_what_a_response_url_refuses_is_a_response_to_it(slack: LocalSlack) -> None:  # noqa: F811 - the fixture
    asked, _, _ = on(slack)
    url = commanded(slack, asked).handle["response_url"]
    refused = await respond(url, "x", [{"type": "section"}])
    assert (refused.status_code, refused.body) == (400, "invalid_blocks")
    assert {(await respond(url, "x")).status_code for _ in range(4)} == {200}
    assert (await respond(url, "x")).status_code == 404
    assert len(told(slack, asked)) == 4


async def test_a_stream_that_slack_has_ended_by_itself_is_changed_by_both(slack: LocalSlack) -> None:  # noqa: F811 - the fixture
    """Slack ends a stream after some minutes; the library gives its time stamp to change the message then."""
    asked, shared, client = on(slack, streams=True)
    web = client.web
    assert isinstance(web, AsyncWebClient)
    channel, thread = asked.place.channel, asked.place.thread
    to: dict[str, Any] = {"recipient_team_id": asked.asker.workspace, "recipient_user_id": asked.asker.id}
    theirs: AsyncChatStream = await web.chat_stream(channel=channel, thread_ts=thread, buffer_size=1, **to)
    await theirs.append(markdown_text="Everybody ")
    assert theirs.ts
    ours = SlackReply(shared, client, asked)
    opened = await ours.open()
    for each in said(slack, asked):
        each.streaming_state = "ended"
    for stop in (theirs.append, theirs.stop):
        with pytest.raises(SlackApiError, match="message_not_in_streaming_state"):
            await stop(markdown_text="has")
    await web.chat_update(channel=channel, ts=theirs.ts, text=SAID, blocks=[{"type": "markdown", "text": SAID}])
    await ours.write(ReplyPart(MASKER.mask("Everybody ")))
    await ours.finish(OUTCOME)
    first, second = said(slack, asked)
    assert (first.ts, second.ts) == (theirs.ts, opened["ts"])
    assert plain(first) == SAID
    assert "Everybody has thirty days." in plain(second)
