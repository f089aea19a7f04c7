"""The part of the composition root that serves people on Slack."""

import logging
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

from bot.app.platforms import Listener, PlatformDependencies
from bot.conversation.chat_platform import ChatPlatform, OutcomeUnknown
from bot.slack.app import bolt_app
from bot.slack.buttons import SlackButtons
from bot.slack.client import SlackClient, TokenBucket
from bot.slack.commands import SlackCommands
from bot.slack.connection import SocketMode, open_client
from bot.slack.events import SlackBot, SlackEventHandler
from bot.slack.http_endpoint import PATH, slack_handler
from bot.slack.mrkdwn import escaped
from bot.slack.platform import SlackPlatform
from bot.slack.reply import SlackReplyContext
from bot.slack.user_directory import SlackUserDirectory
from config.chat import SlackSettings
from config.settings import Settings
from domain.access import lowered
from domain.conversation import Platform, ReplyAudience
from domain.errors import KbError, Misconfigured
from domain.masking import Masker

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class OpenSlack:
    """See bot.app.platforms.OpenPlatform."""

    wanted: SlackSettings
    client: SlackClient
    people: SlackUserDirectory
    chat: ChatPlatform
    bot: SlackBot
    name: Platform = "slack"

    @asynccontextmanager
    async def listening(self, dependencies: PlatformDependencies) -> AsyncIterator[Listener]:
        """Over Socket Mode where there is an app token, else over HTTP. Raises Misconfigured without a signing secret
        for that; entering the connection, when Slack does not accept the app token."""
        given = dependencies
        events = SlackEventHandler(
            given.conversations, self.people, self.client, self.bot, given.background, given.corrections
        )
        app = bolt_app(events, SlackCommands(events, given.actions), SlackButtons(events, given.actions))
        if self.wanted.slack_app_token is not None:
            socket = SocketMode(app, self.wanted.slack_app_token.reveal())
            yield Listener(lambda _: "Slack over Socket Mode", connection=socket, trouble=socket.trouble)
            return
        if self.wanted.slack_signing_secret is None:
            raise Misconfigured(
                "Slack needs an app token or a signing secret",
                next_step="Set KB_AGENT_SLACK_APP_TOKEN for Socket Mode, or KB_AGENT_SLACK_SIGNING_SECRET for HTTP.",
            )
        handler = slack_handler(app, self.wanted.slack_signing_secret.reveal())
        yield Listener(lambda address: f"Slack over HTTP at {address}{PATH}", {PATH: handler})

    async def tell(self, arguments: Mapping[str, object], words: str) -> None:
        """In a direct message."""
        try:
            opened = await self.client.call("conversations.open", users=str(arguments["person"]))
            await self._post(str(opened["channel"]["id"]), escaped(words, 3_000))
        except OutcomeUnknown as error:
            log.warning("Somebody may not have been told of a run: %s", error.what)
        except KbError as error:
            log.warning("Somebody could not be told of a run: %s", error.what)

    async def announce(
        self,
        channel: str,
        lines: Sequence[str],
        handle: Mapping[str, str],  # noqa: ARG002 - Slack needs none
    ) -> None:
        """See bot.app.platforms.OpenPlatform."""
        await self._post(channel, "\n".join(escaped(line, 600) for line in lines))

    async def readers(
        self,
        channel: str,
        handle: Mapping[str, str],  # noqa: ARG002 - Slack needs none
    ) -> ReplyAudience:
        """See bot.app.platforms.OpenPlatform."""
        return await self.people.audience(channel)

    async def is_open(self, channel: str) -> bool:
        """See bot.app.platforms.OpenPlatform."""
        return await self.people.is_open(channel)

    async def ids_with(self, address: str, people: Mapping[str, Mapping[str, str]]) -> frozenset[str]:
        """See bot.app.platforms.OpenPlatform."""
        return await self.people.ids_with(address, people)

    async def check(self) -> None:
        """See bot.app.platforms.OpenPlatform."""
        await self.client.call("auth.test", patience=0.0)

    async def close(self) -> None:
        """Ends what is looked up in the background."""
        await self.people.close()

    async def _post(self, channel: str, text: str) -> None:
        """Posts a text, not again where it may be there already: it would be read twice."""
        await self.client.call(
            "chat.postMessage", blindly=False, channel=channel, text=text, unfurl_links=False, unfurl_media=False
        )


async def open_for_slack(settings: Settings, masker: Masker) -> OpenSlack:
    """Slack, as the settings name it.

    Raises:
        Misconfigured: it does not accept us. Transient: it does not answer.
    """
    wanted = settings.slack
    token = wanted.slack_bot_token.reveal() if wanted.slack_bot_token else ""
    client, own = await open_client(token, wanted.slack_api_url, wanted.slack_patience)
    bot_user, follow = str(own.get("user_id", "")), frozenset(wanted.slack_follow)
    homes = frozenset(str(own[name]) for name in ("team_id", "enterprise_id") if own.get(name))
    domains = tuple(lowered(domain) for domain in settings.access.email_domains)
    people = SlackUserDirectory(client, homes, domains, {bot_user})
    streaming, edits = wanted.slack_streaming == "auto", TokenBucket(wanted.slack_edits_minute)
    replies = SlackReplyContext(client, bot_user, masker, streaming, wanted.slack_edit_seconds, edits)
    bot = SlackBot(bot_user, str(own.get("team_id", "")), follow, wanted.slack_command)
    return OpenSlack(wanted, client, people, SlackPlatform(replies, people), bot)
