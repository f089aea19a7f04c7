"""What Slack is answered when a window is sent: it closes what is acknowledged, with what was written in it."""

import asyncio
import json
from types import SimpleNamespace
from typing import Any

import pytest
from slack_bolt.request.async_request import AsyncBoltRequest
from slack_sdk.web.async_client import AsyncWebClient

from bot.conversation.background_tasks import BackgroundTasks
from bot.conversation.texts import NOT_NOW
from bot.slack.app import bolt_app
from bot.slack.buttons import TOO_OLD, SlackButtons
from domain.conversation import Participant
from domain.errors import Transient

SUBMITTED = {
    "type": "view_submission",
    "team": {"id": "T1"},
    "user": {"id": "U1", "team_id": "T1"},
    "view": {
        "type": "modal",
        "callback_id": "kb_reason",
        "private_metadata": "7",
        "state": {"values": {"kb_reason": {"kb_reason": {"type": "plain_text_input", "value": "Out of date."}}}},
    },
}


class Votes:
    """What notes votes. rates: what that comes to."""

    def __init__(self, rates: Any) -> None:
        self.rates = rates
        self.noted: list[tuple[int, str, int, str | None]] = []

    async def rate(self, number: int, person: Participant, value: int, reason: str | None = None) -> bool | None:
        if isinstance(self.rates, Exception):
            raise self.rates
        if self.rates is None:
            await asyncio.Event().wait()
        self.noted.append((number, person.id, value, reason))
        return self.rates or None


async def answer(votes: Votes) -> Any:
    """What Slack is told when the window is sent."""

    async def ignored(*_: Any, **__: Any) -> None:
        """Nothing else is delivered."""

    background = BackgroundTasks()
    events: Any = SimpleNamespace(
        client=SimpleNamespace(web=AsyncWebClient(token="xoxb-1")),
        bot=SimpleNamespace(bot_user="UBOT", command="/kb"),
        background=background,
        user_changed=ignored,
        membership_changed=ignored,
        app_removed=ignored,
    )
    given: Any = votes
    app = bolt_app(events, SimpleNamespace(serve=ignored), SlackButtons(events, given))  # type: ignore[arg-type] # no command comes
    request = AsyncBoltRequest(body=json.dumps(SUBMITTED), mode="socket_mode")
    try:
        response = await app.async_dispatch(request)
    finally:
        await background.finish(0.0)
    assert response.status == 200
    return json.loads(response.body) if response.body else None


async def test_a_window_is_closed_when_the_reason_is_noted() -> None:
    votes = Votes(True)
    assert await answer(votes) is None
    assert votes.noted == [(7, "U1", -1, "Out of date.")]


@pytest.mark.parametrize(
    ("rates", "words"),
    [(Transient("The database is away"), NOT_NOW), (None, NOT_NOW), (False, TOO_OLD)],
    ids=["away", "slow", "forgotten"],
)
async def test_a_reason_that_is_not_noted_stays_in_its_window_which_says_so(rates: Any, words: str) -> None:
    assert await answer(Votes(rates)) == {"response_action": "errors", "errors": {"kb_reason": words}}
