"""The part of the composition root that serves people on Slack."""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bot.conversation.background import Background
from bot.conversation.platform import ChatPlatform
from bot.platforms import Ears
from config.chat import SlackSettings
from config.settings import Settings
from domain.conversation import Platform
from domain.errors import Misconfigured
from domain.masking import Masker

if TYPE_CHECKING:
    from slack_bolt.async_app import AsyncApp

    from bot.serving import Service
    from bot.slack.open import Slack


@dataclass(frozen=True, slots=True)
class SlackServed:
    """See bot.platforms.OpenPlatform."""

    slack: "Slack"
    wanted: SlackSettings
    name: Platform = "slack"

    @property
    def chat(self) -> ChatPlatform:
        """Replies, and who people are."""
        return self.slack.platform

    @asynccontextmanager
    async def listening(self, service: "Service", background: Background) -> AsyncIterator[Ears]:
        """Over Socket Mode where there is an app token, else over HTTP. Raises Misconfigured without a signing secret
        for that; entering the connection, when Slack does not accept the app token."""
        from bot.slack.http import PATH, slack_handler
        from bot.slack.open import Socket

        app = _app(self.slack, self.wanted, service, background)
        if self.wanted.slack_app_token is not None:
            socket = Socket(app, self.wanted.slack_app_token.reveal())
            yield Ears(lambda _: "Slack over Socket Mode", connection=socket, trouble=socket.trouble)
        else:
            handler = slack_handler(app, _signing_secret(self.wanted))
            yield Ears(lambda address: f"Slack over HTTP at {address}{PATH}", {PATH: handler})

    async def tell(self, arguments: Mapping[str, object], words: str) -> None:
        """In a direct message."""
        from bot.slack.mrkdwn import escaped
        from bot.slack.open import tell

        await tell(self.slack.client, str(arguments["person"]), escaped(words, 3_000))

    async def announce(
        self,
        channel: str,
        lines: Sequence[str],
        handle: Mapping[str, str],  # noqa: ARG002 - Slack needs none
    ) -> None:
        """See bot.platforms.OpenPlatform."""
        from bot.slack.mrkdwn import escaped
        from bot.slack.open import post

        await post(self.slack.client, channel, "\n".join(escaped(line, 600) for line in lines))

    async def check(self) -> None:
        """See bot.platforms.OpenPlatform."""
        from bot.slack.open import check

        await check(self.slack.client)

    async def close(self) -> None:
        """Ends what is looked up in the background."""
        await self.slack.people.close()


async def open_for_slack(settings: Settings, masker: Masker) -> SlackServed | None:
    """Slack, where the settings name it.

    Raises:
        Misconfigured: it does not accept us. Transient: it does not answer.
    """
    wanted = settings.slack
    if wanted.slack_bot_token is None:
        return None
    from bot.slack.open import SlackOptions, open_slack

    slack = await open_slack(
        SlackOptions(
            bot_token=wanted.slack_bot_token.reveal(),
            api_url=wanted.slack_api_url,
            streaming=wanted.slack_streaming == "auto",
            edit_seconds=wanted.slack_edit_seconds,
            edits_minute=wanted.slack_edits_minute,
            patience=wanted.slack_patience,
            masker=masker,
            domains=tuple(domain.lower() for domain in settings.access.email_domains),
        )
    )
    return SlackServed(slack, wanted)


def _signing_secret(wanted: SlackSettings) -> str:
    if wanted.slack_signing_secret is None:
        raise Misconfigured(
            "Slack needs an app token or a signing secret",
            next_step="Set KB_AGENT_SLACK_APP_TOKEN for Socket Mode, or KB_AGENT_SLACK_SIGNING_SECRET for HTTP.",
        )
    return wanted.slack_signing_secret.reveal()


def _app(slack: "Slack", wanted: SlackSettings, service: "Service", background: Background) -> "AsyncApp":
    """Bolt with all that it listens to."""
    from bot.slack.actions import Actions
    from bot.slack.app import bolt_app
    from bot.slack.commands import Commands
    from bot.slack.events import Events, Own

    product, client = service.product, slack.client
    own = Own(slack.bot_user, slack.team, frozenset(wanted.slack_follow), wanted.slack_command)
    ledger = product.storage.ledger()
    events = Events(service.conversations, ledger, slack.people, client, product.masker, own, background)
    actions = Actions(events, service.desk, client, own, background)
    return bolt_app(client.web, events, Commands(events, service.desk, product.masker, own), actions, own, background)
