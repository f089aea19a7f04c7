"""The part of the composition root that serves people on Slack."""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

from slack_bolt.async_app import AsyncApp

from bot.app.platforms import Listener, PlatformDependencies
from bot.conversation.chat_platform import ChatPlatform
from bot.slack.app import bolt_app
from bot.slack.buttons import SlackButtons
from bot.slack.commands import SlackCommands
from bot.slack.connection import SlackConnection, SlackOptions, SocketMode, check, open_slack, post, tell
from bot.slack.events import SlackBot, SlackEventHandler
from bot.slack.http_endpoint import PATH, slack_handler
from bot.slack.mrkdwn import escaped
from config.chat import SlackSettings
from config.settings import Settings
from domain.conversation import Platform
from domain.errors import Misconfigured
from domain.masking import Masker


@dataclass(frozen=True, slots=True)
class OpenSlack:
    """See bot.app.platforms.OpenPlatform."""

    slack: SlackConnection
    wanted: SlackSettings
    name: Platform = "slack"

    @property
    def chat(self) -> ChatPlatform:
        """Replies, and who people are."""
        return self.slack.platform

    @asynccontextmanager
    async def listening(self, dependencies: PlatformDependencies) -> AsyncIterator[Listener]:
        """Over Socket Mode where there is an app token, else over HTTP. Raises Misconfigured without a signing secret
        for that; entering the connection, when Slack does not accept the app token."""
        app = _app(self.slack, self.wanted, dependencies)
        if self.wanted.slack_app_token is not None:
            socket = SocketMode(app, self.wanted.slack_app_token.reveal())
            yield Listener(lambda _: "Slack over Socket Mode", connection=socket, trouble=socket.trouble)
        else:
            handler = slack_handler(app, _signing_secret(self.wanted))
            yield Listener(lambda address: f"Slack over HTTP at {address}{PATH}", {PATH: handler})

    async def tell(self, arguments: Mapping[str, object], words: str) -> None:
        """In a direct message."""
        await tell(self.slack.client, str(arguments["person"]), escaped(words, 3_000))

    async def announce(
        self,
        channel: str,
        lines: Sequence[str],
        handle: Mapping[str, str],  # noqa: ARG002 - Slack needs none
    ) -> None:
        """See bot.app.platforms.OpenPlatform."""
        await post(self.slack.client, channel, "\n".join(escaped(line, 600) for line in lines))

    async def check(self) -> None:
        """See bot.app.platforms.OpenPlatform."""
        await check(self.slack.client)

    async def close(self) -> None:
        """Ends what is looked up in the background."""
        await self.slack.people.close()


async def open_for_slack(settings: Settings, masker: Masker) -> OpenSlack:
    """Slack, as the settings name it.

    Raises:
        Misconfigured: it does not accept us. Transient: it does not answer.
    """
    wanted = settings.slack
    slack = await open_slack(
        SlackOptions(
            bot_token=wanted.slack_bot_token.reveal() if wanted.slack_bot_token else "",
            api_url=wanted.slack_api_url,
            streaming=wanted.slack_streaming == "auto",
            edit_seconds=wanted.slack_edit_seconds,
            edits_minute=wanted.slack_edits_minute,
            patience=wanted.slack_patience,
            masker=masker,
            domains=tuple(domain.lower() for domain in settings.access.email_domains),
        )
    )
    return OpenSlack(slack, wanted)


def _signing_secret(wanted: SlackSettings) -> str:
    if wanted.slack_signing_secret is None:
        raise Misconfigured(
            "Slack needs an app token or a signing secret",
            next_step="Set KB_AGENT_SLACK_APP_TOKEN for Socket Mode, or KB_AGENT_SLACK_SIGNING_SECRET for HTTP.",
        )
    return wanted.slack_signing_secret.reveal()


def _app(slack: SlackConnection, wanted: SlackSettings, given: PlatformDependencies) -> AsyncApp:
    """Bolt with all that it listens to."""
    client, background = slack.client, given.background
    bot = SlackBot(slack.bot_user, slack.team, frozenset(wanted.slack_follow), wanted.slack_command)
    events = SlackEventHandler(given.conversations, given.ledger, slack.people, client, given.masker, bot, background)
    actions = SlackButtons(events, given.actions, client, bot, background)
    commands = SlackCommands(events, given.actions, given.masker, bot)
    return bolt_app(client.web, events, commands, actions, bot, background)
