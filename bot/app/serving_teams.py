"""The part of the composition root that serves people in Microsoft Teams."""

import json
import logging
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from urllib.parse import urlsplit

from bot.app.platforms import Listener, PlatformDependencies
from bot.conversation.chat_platform import ChatPlatform
from bot.teams.app import teams_app
from bot.teams.buttons import TeamsButtons
from bot.teams.commands import TeamsCommands
from bot.teams.connection import TeamsConnection, TeamsOptions, open_teams
from bot.teams.conversation_reference import TeamsConversation
from bot.teams.escape import escaped
from bot.teams.events import TeamsEventHandler
from bot.teams.http_endpoint import PATH, ActivityHandler, teams_handler
from bot.teams.message_sender import personal_chat, send_or_log
from bot.teams.outgoing_activities import text_message
from bot.teams.request_auth import RequestVerifier, TrustPolicy, is_loopback
from bot.teams.signing_keys import open_keys
from config.chat import TeamsSettings
from config.settings import Settings
from domain.conversation import Platform
from domain.errors import KbError, Misconfigured
from domain.masking import Masker

log = logging.getLogger(__name__)

ANNOUNCING = 30.0
"""Seconds for which it is tried to say something in a conversation."""


@dataclass(frozen=True, slots=True)
class OpenTeams:
    """See bot.app.platforms.OpenPlatform."""

    teams: TeamsConnection
    wanted: TeamsSettings
    name: Platform = "teams"

    @property
    def chat(self) -> ChatPlatform:
        """Replies, and who people are."""
        return self.teams.platform

    @asynccontextmanager
    async def listening(self, dependencies: PlatformDependencies) -> AsyncIterator[Listener]:
        """Over HTTP: Teams has no other way."""
        wanted, turn = self.wanted, _app(self.teams, dependencies)
        app_id, tenant = wanted.teams_app_id or "", wanted.teams_tenant_id or ""
        hosts, dev = wanted.teams_service_hosts, wanted.teams_insecure_dev
        trust = TrustPolicy(app_id, tenant, hosts, loopback=dev, issuer=wanted.teams_issuer)
        async with open_keys(wanted.teams_openid_url, needed=bool(wanted.teams_app_id)) as keys:
            handler = teams_handler(RequestVerifier(keys, trust), turn)
            yield Listener(lambda address: f"Teams over HTTP at {address}{PATH}", {PATH: handler})

    async def tell(self, arguments: Mapping[str, object], words: str) -> None:
        """In the personal chat of who asked: it says how much there is in sources that not everybody may read."""
        connector = self.teams.connector
        try:
            asked = TeamsConversation.of(json.loads(str(arguments["channel"])))
            reference = await personal_chat(connector, asked)
        except (KbError, ValueError, KeyError, TypeError) as error:
            log.warning("Somebody could not be told of a run: %s", error)
            return
        await send_or_log(connector, reference, text_message(escaped(words, 3_000)))

    async def announce(self, channel: str, lines: Sequence[str], handle: Mapping[str, str]) -> None:
        """See bot.app.platforms.OpenPlatform. Where nobody has asked yet, the first of the allowed hosts is called."""
        service = f"https://{self.wanted.teams_service_hosts[0].lstrip('.')}/teams/"
        place = {"service_url": handle.get("service_url", service), "conversation": channel, "bot": self.teams.bot_id}
        words = "\n\n".join(escaped(line, 600) for line in lines)
        await self.teams.connector.send(place, text_message(words), patience=ANNOUNCING)

    async def check(self) -> None:
        """See bot.app.platforms.OpenPlatform."""
        await self.teams.check()

    async def close(self) -> None:
        """Ends the connections to Teams."""
        await self.teams.close()


async def open_for_teams(settings: Settings, masker: Masker) -> OpenTeams:
    """Teams, as the settings name it.

    Raises:
        Misconfigured: what is set would let strangers in, or the login service does not accept us. Transient: it does
        not answer.
    """
    wanted = settings.teams
    check_settings(wanted, settings.serve.http_host)
    teams = await open_teams(
        TeamsOptions(
            app_id=wanted.teams_app_id or "",
            app_password=wanted.teams_app_password.reveal() if wanted.teams_app_password else "",
            tenant_id=wanted.teams_tenant_id or "",
            token_url=wanted.teams_token_url,
            token_scope=wanted.teams_token_scope,
            service_hosts=wanted.teams_service_hosts,
            streaming=wanted.teams_streaming == "auto",
            edit_seconds=wanted.teams_edit_seconds,
            patience=wanted.teams_patience,
            masker=masker,
            insecure_dev=wanted.teams_insecure_dev,
            domains=tuple(domain.lower() for domain in settings.access.email_domains),
        )
    )
    return OpenTeams(teams, wanted)


def check_settings(wanted: TeamsSettings, host: str) -> None:
    """Raises Misconfigured where what is set would let strangers in. host: what is listened on."""
    if wanted.teams_insecure_dev:
        if not _is_loopback(host):
            raise Misconfigured(
                "KB_AGENT_TEAMS_INSECURE_DEV takes a listener that nobody else can reach",
                why=f"KB_AGENT_HTTP_HOST is {host}.",
                next_step="Unset KB_AGENT_TEAMS_INSECURE_DEV, or set KB_AGENT_HTTP_HOST to 127.0.0.1.",
            )
        return
    needed = {
        "KB_AGENT_TEAMS_APP_ID": wanted.teams_app_id,
        "KB_AGENT_TEAMS_APP_PASSWORD": wanted.teams_app_password,
        "KB_AGENT_TEAMS_TENANT_ID": wanted.teams_tenant_id,
    }
    missing = [name for name, value in needed.items() if value is None]
    if missing:
        raise Misconfigured(
            f"Teams cannot be served without {' and '.join(missing)}",
            why="Without an application id nobody's requests could be told from anybody else's, without a tenant all"
            " organisations would be served, and without a secret nothing could be replied.",
            next_step="Set it; docs/teams.md says where it comes from.",
        )
    addresses = {
        "KB_AGENT_TEAMS_OPENID_URL": wanted.teams_openid_url,
        "KB_AGENT_TEAMS_TOKEN_URL": wanted.teams_token_url,
        "KB_AGENT_TEAMS_ISSUER": wanted.teams_issuer,
    }
    for name, url in addresses.items():
        if not url.startswith("https://"):
            raise Misconfigured(
                f"{name} has to begin with https://",
                why="It decides who is believed.",
                next_step=f"Unset {name}.",
            )


def _is_loopback(host: str) -> bool:
    return is_loopback(urlsplit(f"//{host}").hostname or host if host.startswith("[") else host)


def _app(teams: TeamsConnection, given: PlatformDependencies) -> ActivityHandler:
    """What each activity leads to."""
    connector, background = teams.connector, given.background
    events = TeamsEventHandler(given.conversations, teams.people, connector, background)
    commands = TeamsCommands(events, given.actions, teams.people, connector, given.masker, background)
    actions = TeamsButtons(events, given.actions, given.ledger, connector, given.masker, background)
    return teams_app(events, commands, actions)
