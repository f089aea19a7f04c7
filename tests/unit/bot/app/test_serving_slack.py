"""What Slack is told without a question: in a channel, and by itself to who asked for a run."""

import logging

import aiohttp
import pytest

from bot.app.serving_slack import OpenSlack
from bot.conversation.chat_platform import OutcomeUnknown
from bot.slack.client import SlackClient
from tests.fakes.slack_web import SOON, Web

AWAY = aiohttp.ServerDisconnectedError()
POSTED = {"ok": True, "ts": "1.1"}


def opened(web: Web) -> OpenSlack:
    return OpenSlack(None, SlackClient(web, 30.0), None, None, None)  # type: ignore[arg-type] # nobody asks


async def test_what_slack_may_have_posted_is_not_posted_again() -> None:
    web = Web(AWAY, POSTED)
    with pytest.raises(OutcomeUnknown):
        await opened(web).announce("C1", ["content of tonight"], {})
    assert len(web.called) == 1


async def test_what_slack_did_not_post_is_posted_when_it_can_be() -> None:
    web = Web(SOON, POSTED)
    await opened(web).announce("C1", ["content of tonight", "• <wiki> is away"], {})
    method, arguments = web.called[-1]
    assert method == "chat.postMessage"
    assert arguments["json"]["text"] == "content of tonight\n• &lt;wiki&gt; is away"


async def test_who_may_have_been_told_of_a_run_is_not_told_again(caplog: pytest.LogCaptureFixture) -> None:
    web = Web({"ok": True, "channel": {"id": "D1"}}, AWAY, POSTED)
    await opened(web).tell({"person": "U1"}, "wiki: 3 new")
    assert [method for method, _ in web.called] == ["conversations.open", "chat.postMessage"]
    (line,) = [each.getMessage() for each in caplog.records if each.levelno == logging.WARNING]
    assert "may not have been told" in line
