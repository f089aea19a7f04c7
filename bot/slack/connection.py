"""Opens Slack: the client, and what listens over Socket Mode."""

import logging
from typing import Any

from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler
from slack_bolt.async_app import AsyncApp
from slack_sdk.socket_mode.aiohttp import SocketModeClient
from slack_sdk.socket_mode.request import SocketModeRequest
from slack_sdk.web.async_client import AsyncWebClient

from bot.slack.client import SlackClient, SlackRefused
from bot.slack.user_directory import ADDRESSES
from domain.errors import Misconfigured

log = logging.getLogger(__name__)

REQUEST_SECONDS = 20

PEOPLE_SCOPES = ("users:read", ADDRESSES)
"""Scopes without which nobody is known."""

PING_SECONDS = 3
"""Between two looks at whether a socket still is one; what is said meanwhile waits."""


async def open_client(token: str, api_url: str, patience: float) -> tuple[SlackClient, dict[str, Any]]:
    """Slack's Web API, once it has said who we are, and what it said: `user_id`, `team_id` and others. patience: see
    SlackClient.

    Raises:
        Misconfigured: it does not accept the token. Transient: it does not answer.
    """
    if not api_url.startswith(("https://", "http://")):
        raise Misconfigured(
            "KB_AGENT_SLACK_API_URL is no address", next_step="Unset it, or give one such as https://slack.com/api/"
        )
    web = AsyncWebClient(
        token=token,
        base_url=f"{api_url.removesuffix('/')}/",
        timeout=REQUEST_SECONDS,
        retry_handlers=[],  # its own would post twice what was done although the connection broke
    )
    client = SlackClient(web, patience)
    try:
        own = await client.call("auth.test", patience=15.0)
    except Misconfigured as error:
        raise Misconfigured(
            "Slack does not accept the bot token",
            why=error.why,
            next_step="Copy the Bot User OAuth Token (xoxb-…) from “Install App” into KB_AGENT_SLACK_BOT_TOKEN.",
        ) from error
    log.info("Slack knows us as %s in %s", own.get("user"), own.get("team"))
    for scope in (each for each in PEOPLE_SCOPES if not client.may(each)):
        log.error("The Slack app lacks %s: everybody counts as a stranger. Add it to the app, and reinstall it", scope)
    return client, own


class _DeliveryHandler(AsyncSocketModeHandler):
    """Bolt's, for which an acknowledgement that finds its socket closed is no fault of ours."""

    async def handle(self, client: SocketModeClient, req: SocketModeRequest) -> None:  # type: ignore[override] # as Bolt
        try:
            await super().handle(client, req)
        except ConnectionError as error:
            log.warning("The socket closed before a delivery was acknowledged; Slack will deliver it again: %s", error)


class SocketMode:
    """Deliveries over Socket Mode, while it is entered; connections are made anew by themselves. Entering raises
    Misconfigured when Slack does not accept the app's token, and Transient when it does not answer."""

    def __init__(self, app: AsyncApp, app_token: str) -> None:
        self._app = app
        self._token = app_token
        self._handler: AsyncSocketModeHandler | None = None

    async def __aenter__(self) -> None:
        base_url = self._app.client.base_url
        client = SlackClient(AsyncWebClient(token=self._token, base_url=base_url, timeout=REQUEST_SECONDS))
        try:  # the library would try for ever with a token that is not accepted
            await client.call("apps.connections.open", patience=15.0)
        except (Misconfigured, SlackRefused) as error:
            raise Misconfigured(
                "Slack does not accept the app-level token",
                why=error.why,
                next_step="Make one with the scope connections:write under “Basic Information”, and copy it (xapp-…)"
                " into KB_AGENT_SLACK_APP_TOKEN. Without it, Slack is served over HTTP.",
            ) from error
        log_to = logging.getLogger("bot.slack.socket")
        log_to.setLevel(logging.INFO)  # below that, the library logs what people and we say, as it is
        # of an acknowledgement that was not sent, we tell
        log_to.addFilter(lambda record: "Failed to send a message" not in str(record.msg))
        self._handler = _DeliveryHandler(self._app, self._token, logger=log_to, ping_interval=PING_SECONDS)
        await self._handler.connect_async()  # type: ignore[no-untyped-call] # Bolt's

    async def __aexit__(self, *_details: object) -> None:
        if self._handler is not None:
            await self._handler.close_async()  # type: ignore[no-untyped-call] # Bolt's

    async def trouble(self) -> str:
        """Why nothing is heard now; empty while it is connected."""
        connected = self._handler is not None and await self._handler.client.is_connected()
        return "" if connected else "The socket to Slack is not connected"
