"""Opens Slack: the client, who we are there, and what listens."""

import logging
from dataclasses import dataclass

from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler
from slack_bolt.async_app import AsyncApp
from slack_sdk.socket_mode.aiohttp import SocketModeClient
from slack_sdk.socket_mode.request import SocketModeRequest
from slack_sdk.web.async_client import AsyncWebClient

from bot.slack.client import SlackClient, SlackRefused, TokenBucket
from bot.slack.platform import SlackPlatform
from bot.slack.reply import SlackReplyContext
from bot.slack.user_directory import SlackUserDirectory
from bot.slack.user_lookup import ADDRESSES
from domain.errors import KbError, Misconfigured
from domain.masking import Masker

log = logging.getLogger(__name__)

REQUEST_SECONDS = 20

PEOPLE_SCOPES = ("users:read", ADDRESSES)
"""Scopes without which nobody is known."""

PING_SECONDS = 3
"""Between two looks at whether a socket still is one; what is said meanwhile waits."""


@dataclass(frozen=True, slots=True)
class SlackOptions:
    """How Slack is used; see config.chat.SlackSettings. domains: see domain.conversation.scope_of."""

    bot_token: str
    api_url: str
    streaming: bool
    edit_seconds: float
    edits_minute: int
    patience: float
    masker: Masker
    domains: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SlackConnection:
    """An open connection to Slack's Web API. bot_user, team: what Slack calls us and our workspace."""

    client: SlackClient
    people: SlackUserDirectory
    platform: SlackPlatform
    bot_user: str
    team: str


async def open_slack(options: SlackOptions) -> SlackConnection:
    """Slack, once it has said who we are.

    Raises:
        Misconfigured: it does not accept the token. Transient: it does not answer.
    """
    web = AsyncWebClient(
        token=options.bot_token,
        base_url=_base(options.api_url),
        timeout=REQUEST_SECONDS,
        retry_handlers=[],  # its own would post twice what was done although the connection broke
    )
    client = SlackClient(web, options.patience)
    try:
        own = await client.call("auth.test", patience=15.0)
    except Misconfigured as error:
        raise Misconfigured(
            "Slack does not accept the bot token",
            why=error.why,
            next_step="Copy the Bot User OAuth Token (xoxb-…) from “Install App” into KB_AGENT_SLACK_BOT_TOKEN.",
        ) from error
    bot_user = str(own.get("user_id", ""))
    shared = SlackReplyContext(
        client, bot_user, options.masker, options.streaming, options.edit_seconds, TokenBucket(options.edits_minute)
    )
    homes = frozenset(str(own[name]) for name in ("team_id", "enterprise_id") if own.get(name))
    people = SlackUserDirectory(client, homes, options.domains, {bot_user})
    log.info("Slack knows us as %s in %s", own.get("user"), own.get("team"))
    for scope in (each for each in PEOPLE_SCOPES if not client.may(each)):
        log.error("The Slack app lacks %s: everybody counts as a stranger. Add it to the app, and reinstall it", scope)
    return SlackConnection(client, people, SlackPlatform(shared, people), bot_user, str(own.get("team_id", "")))


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
        await _check(self._app, self._token)
        log_to = logging.getLogger("bot.slack.socket")
        log_to.addFilter(_told_by_us)
        self._handler = _DeliveryHandler(self._app, self._token, logger=log_to, ping_interval=PING_SECONDS)
        await self._handler.connect_async()  # type: ignore[no-untyped-call] # Bolt's

    async def __aexit__(self, *_details: object) -> None:
        if self._handler is not None:
            await self._handler.close_async()  # type: ignore[no-untyped-call] # Bolt's

    async def trouble(self) -> str:
        """Why nothing is heard now; empty while it is connected."""
        connected = self._handler is not None and await self._handler.client.is_connected()
        return "" if connected else "The socket to Slack is not connected"


def _told_by_us(record: logging.LogRecord) -> bool:
    """Whether the library's message is to be logged: of an acknowledgement that was not sent, we tell."""
    return "Failed to send a message" not in str(record.msg)


async def _check(app: AsyncApp, app_token: str) -> None:
    """Raises Misconfigured when Slack does not accept the app's token: the library would try for ever."""
    client = SlackClient(AsyncWebClient(token=app_token, base_url=app.client.base_url, timeout=REQUEST_SECONDS))
    try:
        await client.call("apps.connections.open", patience=15.0)
    except (Misconfigured, SlackRefused) as error:
        raise Misconfigured(
            "Slack does not accept the app-level token",
            why=error.why,
            next_step="Make one with the scope connections:write under “Basic Information”, and copy it (xapp-…) into"
            " KB_AGENT_SLACK_APP_TOKEN. Without it, Slack is served over HTTP.",
        ) from error


def _base(url: str) -> str:
    if not url.startswith(("https://", "http://")):
        raise Misconfigured(
            "KB_AGENT_SLACK_API_URL is no address", next_step="Unset it, or give one such as https://slack.com/api/"
        )
    return url if url.endswith("/") else f"{url}/"


async def check(client: SlackClient) -> None:
    """Raises a KbError when Slack does not know us any more, or does not answer."""
    await client.call("auth.test", patience=0.0)


async def post(client: SlackClient, channel: str, text: str) -> None:
    """Writes into a channel. Raises a KbError when that is not possible."""
    await client.call("chat.postMessage", channel=channel, text=text, unfurl_links=False, unfurl_media=False)


async def tell(client: SlackClient, person: str, text: str) -> None:
    """Writes to somebody in a direct message; what goes wrong is logged."""
    try:
        opened = await client.call("conversations.open", users=person)
        await post(client, str(opened["channel"]["id"]), text)
    except KbError as error:
        log.warning("Somebody could not be told of a run: %s", error.what)
