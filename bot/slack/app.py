"""The Slack app: Bolt's listeners, and what each of them does.

Bolt acknowledges an event when its listener has returned (`process_before_response`), and the listeners of questions
return when the question is in the ledger: what could not be kept is delivered again.
"""

import logging
import re
from contextlib import suppress
from typing import Any

from slack_bolt.async_app import AsyncApp
from slack_bolt.authorization import AuthorizeResult
from slack_bolt.response import BoltResponse
from slack_sdk.web.async_client import AsyncWebClient

from bot.conversation.delivery_buffer import DeliveryDelayed
from bot.conversation.texts import NOT_NOW
from bot.slack.buttons import TOO_OLD, ButtonHandler, SlackButtons
from bot.slack.commands import SlackCommands
from bot.slack.events import SlackEventHandler
from bot.slack.views import owner_told
from domain.errors import KbError
from domain.log_context import WAITING

log = logging.getLogger(__name__)

REASON_SECONDS = 2.0
"""Seconds that the reason of a vote has to be noted in, of the three in which Slack wants to hear whether it was."""


def bolt_app(events: SlackEventHandler, commands: SlackCommands, actions: SlackButtons) -> AsyncApp:
    """Bolt with our listeners. Requests over HTTP are verified before they come here."""
    web, bot = events.client.web, events.bot

    async def authorize(enterprise_id: str | None, team_id: str | None) -> AuthorizeResult:
        """Who we are, as known. Bolt would ask Slack at the first delivery, and lose that one where Slack fails."""
        return AuthorizeResult(
            enterprise_id=enterprise_id, team_id=team_id, bot_user_id=bot.bot_user, bot_token=web.token
        )

    app = AsyncApp(
        client=AsyncWebClient(base_url=web.base_url, timeout=web.timeout, retry_handlers=[]),
        authorize=authorize,
        logger=logging.getLogger("bot.slack.bolt"),
        process_before_response=True,
        request_verification_enabled=False,
        attaching_conversation_kwargs_enabled=False,
        attaching_function_token_enabled=False,
    )

    async def message(event: dict[str, Any], body: dict[str, Any]) -> None:
        await events.message(event, str(body.get("team_id") or ""))

    app.error(_failed)
    app.event("app_mention")(message)
    app.event("message")(message)
    _listen_to_changes(app, events, actions)
    app.command(bot.command)(commands.serve)
    _listen_to_buttons(app, actions)
    return app


async def _failed(error: Exception) -> BoltResponse:
    """What a delivery is answered that was not taken: Slack delivers it again."""
    if isinstance(error, DeliveryDelayed):
        log.warning("A delivery was not taken: %s (%s)", error.what, error.why, extra=WAITING)
        return BoltResponse(status=503)
    if isinstance(error, KbError):
        log.warning("%s (%s)", error.what, error.why or "no cause given")
        return BoltResponse(status=503)
    log.error("A delivery could not be handled", exc_info=error)
    return BoltResponse(status=500)


def _listen_to_changes(app: AsyncApp, events: SlackEventHandler, actions: SlackButtons) -> None:
    async def home(event: dict[str, Any], body: dict[str, Any]) -> None:
        events.background.start(actions.home(event, str(body.get("team_id") or "")))

    async def started(event: dict[str, Any]) -> None:
        events.background.start(events.assistant_started(event))

    async def nothing() -> None:
        """What Slack sends along; acknowledged."""

    app.event("app_home_opened")(home)
    app.event("assistant_thread_started")(started)
    app.event("assistant_thread_context_changed")(nothing)
    for name in ("user_change", "team_join"):
        app.event(name)(events.user_changed)
    for name in ("member_joined_channel", "member_left_channel", "channel_shared", "channel_unshared"):
        app.event(name)(events.membership_changed)
    for name in ("tokens_revoked", "app_uninstalled"):
        app.event(name)(events.app_removed)
    app.event(re.compile(""))(nothing)  # what Bolt has no listener for, Slack delivers again


def _listen_to_buttons(app: AsyncApp, actions: SlackButtons) -> None:
    background = actions.events.background

    def on(name: str, handler: ButtonHandler) -> None:
        async def pressed(ack: Any, body: dict[str, Any], action: dict[str, Any]) -> None:
            await ack()
            background.start(actions.serve(handler, body, action))

        app.action(re.compile(rf"^{name}(:|$)"))(pressed)  # alone, or with a number behind it

    on("kb_preview", actions.preview)
    on("kb_feedback", actions.feedback)
    on("kb_ask", actions.ask)
    on("kb_private", actions.ask_privately)
    on("kb_share", actions.share)
    on("kb_owner", actions.ask_owner)
    on("kb_again", actions.read_again)
    on("kb_reindex", actions.reindex)
    on("kb_cancel", actions.cancel)

    async def pressed(ack: Any) -> None:
        await ack()

    app.action(re.compile(""))(pressed)  # a button of an earlier release

    async def reason(ack: Any, body: dict[str, Any], view: dict[str, Any]) -> None:
        kept = None
        with suppress(KbError):  # it is logged in the background
            kept = await background.begin(actions.reason(body, view), REASON_SECONDS)
        if kept:
            await ack()
        else:  # the window stays open with what was written
            await ack(response_action="errors", errors={"kb_reason": NOT_NOW if kept is None else TOO_OLD})

    app.view("kb_reason")(reason)

    async def owner(ack: Any, body: dict[str, Any], view: dict[str, Any]) -> None:
        await ack(response_action="update", view=owner_told("…"))
        background.start(actions.send_to_owner(body, view))

    app.view("kb_owner")(owner)
