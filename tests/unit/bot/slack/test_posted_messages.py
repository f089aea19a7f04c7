"""What is found of a reply in its thread or channel."""

from typing import Any

import pytest

from bot.slack.client import SlackClient
from bot.slack.posted_messages import PAGES, PostedMessages, find_posted, reply_metadata
from domain.conversation import ConversationPlace, MessageKey
from tests.fakes.slack_web import Web

CHANNEL = ConversationPlace("slack", "T1", "C1", "")
COMMAND = MessageKey("slack", "C1", "command 1.2.3")


def message(ts: str, part: int = 0, key: MessageKey = COMMAND) -> dict[str, Any]:
    """A message of the bot: a part of an outcome."""
    return {"ts": ts, "user": "B1", "metadata": reply_metadata(key, 0, part, "answered")}


def page(*messages: dict[str, Any], more: bool = False) -> dict[str, Any]:
    """What Slack says of a channel."""
    return {"ok": True, "messages": list(messages), "response_metadata": {"next_cursor": "more" if more else ""}}


async def found(*pages: dict[str, Any]) -> PostedMessages:
    """What is found in the pages of a channel."""
    return await find_posted(SlackClient(Web(*pages), 5), CHANNEL, COMMAND, "B1")


async def test_where_not_all_was_looked_through_nothing_is_certain() -> None:
    talk = page({"ts": "9.1", "user": "U7", "text": "so?"}, more=True)
    assert not (await found(*[talk] * PAGES)).known
    assert not (await found(page(message("9.2", 1), more=True), *[talk] * (PAGES - 1))).known
    assert (await found(*[talk] * (PAGES - 1), page())).known


async def test_a_channel_is_read_from_its_end_and_the_last_is_the_last() -> None:
    seen = await found(page(message("1700000004.2", 1), message("1700000003.9", 1), more=True), page(message("999.9")))
    assert seen.parts == {0: "999.9", 1: "1700000003.9"}
    assert seen.again == ["1700000004.2"]
    assert seen.posted == {(0, True): "999.9", (1, True): "1700000004.2"}


@pytest.mark.parametrize(
    ("asked", "oldest"),
    [("7.1", "7.1"), ("press U1 7.1 kb_ask:0", "7.1"), ("command 1.2.3", None), ("press U1  a", None)],
)
async def test_it_is_looked_for_from_the_question_on(asked: str, oldest: str | None) -> None:
    web = Web(page())
    await find_posted(SlackClient(web, 5), CHANNEL, MessageKey("slack", "C1", asked), "B1")
    ((_, arguments),) = web.called
    assert arguments["data"].get("oldest") == oldest
