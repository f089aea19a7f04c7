"""The part of the composition root that serves people in Microsoft Teams."""

import json
import logging
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from urllib.parse import urlsplit

from bot.app.platforms import Listener, PlatformDependencies
from bot.conversation.chat_platform import ChatPlatform, OutcomeUnknown
from bot.teams.access_token import TeamsCredentials
from bot.teams.buttons import TeamsButtons
from bot.teams.commands import TeamsCommands
from bot.teams.connector import TeamsConnector
from bot.teams.connector_session import ConnectorSession
from bot.teams.conversation_reference import TeamsConversation
from bot.teams.escape import escaped
from bot.teams.events import TeamsEventHandler
from bot.teams.http_endpoint import PATH, teams_handler
from bot.teams.outgoing_activities import text_message
from bot.teams.platform import TeamsPlatform
from bot.teams.reply_context import TeamsReplyContext
from bot.teams.request_auth import RequestVerifier, TrustPolicy, is_loopback, may_reply_to
from bot.teams.signing_keys import open_keys
from bot.teams.user_directory import TeamsUserDirectory
from config.chat import TeamsSettings
from config.settings import Settings
from domain.access import lowered
from domain.conversation import Platform, ReplyAudience
from domain.errors import KbError, Misconfigured
from domain.masking import Masker

log = logging.getLogger(__name__)

ANNOUNCING = 30.0
"""Seconds for which it is tried to say something in a conversation."""

CLOSING = 2.0
"""Seconds for which the end waits for messages that are being taken away."""


@dataclass(frozen=True, slots=True)
class OpenTeams:
    """See bot.app.platforms.OpenPlatform."""

    wanted: TeamsSettings
    connector: TeamsConnector
    people: TeamsUserDirectory
    replies: TeamsReplyContext
    chat: ChatPlatform
    trust: TrustPolicy
    name: Platform = "teams"

    @asynccontextmanager
    async def listening(self, dependencies: PlatformDependencies) -> AsyncIterator[Listener]:
        """Over HTTP: Teams has no other way."""
        async with open_keys(self.wanted.teams_openid_url, needed=bool(self.trust.app_id)) as keys:
            given, verifier = dependencies, RequestVerifier(keys.find, self.trust)
            events = TeamsEventHandler(
                given.conversations, self.people, self.connector, given.background, given.corrections
            )
            commands, buttons = TeamsCommands(events, given.actions), TeamsButtons(events, given.actions)
            handler = teams_handler(verifier, events, commands, buttons)
            yield Listener(lambda address: f"Teams over HTTP at {address}{PATH}", {PATH: handler})

    async def tell(self, arguments: Mapping[str, object], words: str) -> None:
        """In the personal chat of who asked: it says how much there is in sources that not everybody may read."""
        try:
            asked = TeamsConversation.of(json.loads(str(arguments["channel"])))
            reference = await self.connector.personal_chat(asked)
            await self.connector.send(reference.handle, text_message(escaped(words, 3_000)), blindly=False)
        except OutcomeUnknown as error:
            log.warning("Somebody may not have been told of a run: %s", error)
        except (KbError, ValueError, KeyError, TypeError) as error:
            log.warning("Somebody could not be told of a run: %s", error)

    async def announce(self, channel: str, lines: Sequence[str], handle: Mapping[str, str]) -> None:
        """See bot.app.platforms.OpenPlatform. Where nobody has asked yet, the first of the allowed hosts is called."""
        service = f"https://{self.wanted.teams_service_hosts[0].lstrip('.')}/teams/"
        bot = f"28:{self.trust.app_id}"
        place = {"service_url": handle.get("service_url", service), "conversation": channel, "bot": bot}
        words = "\n\n".join(escaped(line, 600) for line in lines)
        await self.connector.send(place, text_message(words), patience=ANNOUNCING, blindly=False)

    async def readers(self, channel: str, handle: Mapping[str, str]) -> ReplyAudience:
        """See bot.app.platforms.OpenPlatform. Teams says it of conversations in which somebody has asked."""
        try:
            reference = TeamsConversation.of(handle)
        except KeyError:
            return ReplyAudience("public", "unknown_channel")
        if reference.channel != channel or reference.kind == "personal":
            return ReplyAudience("public", "unknown_channel")
        return await self.people.audience("organisation", reference)

    async def is_open(self, channel: str) -> bool:  # noqa: ARG002 - a team has members of its own
        """See bot.app.platforms.OpenPlatform."""
        return False

    async def ids_with(self, address: str, people: Mapping[str, Mapping[str, str]]) -> frozenset[str]:
        """See bot.app.platforms.OpenPlatform."""
        there = {person: TeamsConversation.of(handle) for person, handle in people.items() if "kind" in handle}
        return await self.people.ids_with(address, there)

    async def check(self) -> None:
        """See bot.app.platforms.OpenPlatform."""
        if self.connector.session.credentials is not None:
            await self.connector.session.credentials.token()

    async def close(self) -> None:
        """Finishes the deletion of messages, for at most CLOSING seconds, then ends the connections."""
        await self.replies.deletions.finish(CLOSING)
        await self.connector.close()


async def open_for_teams(settings: Settings, masker: Masker) -> OpenTeams:
    """Teams, as the settings name it.

    Raises:
        Misconfigured: what is set would let strangers in, or the login service does not accept us. Transient: it does
        not answer.
    """
    wanted = settings.teams
    check_settings(wanted, settings.serve.http_host)
    app_id, tenant = wanted.teams_app_id or "", wanted.teams_tenant_id or ""
    credentials = None
    if app_id and wanted.teams_app_password:
        url = wanted.teams_token_url.replace("{tenant}", tenant)
        credentials = TeamsCredentials(app_id, wanted.teams_app_password.reveal(), url, wanted.teams_token_scope)
        await credentials.token()
    else:
        log.warning("Teams is served without credentials: for development on one machine only")
    loopback = wanted.teams_insecure_dev
    trust = TrustPolicy(app_id, tenant, wanted.teams_service_hosts, loopback=loopback, issuer=wanted.teams_issuer)
    connector = TeamsConnector(ConnectorSession(credentials, partial(may_reply_to, trust=trust)), wanted.teams_patience)
    domains = tuple(lowered(domain) for domain in settings.access.email_domains)
    people = TeamsUserDirectory(connector, tenant, domains)
    streaming = wanted.teams_streaming == "auto"
    replies = TeamsReplyContext(connector, streaming, wanted.teams_edit_seconds, masker=masker)
    return OpenTeams(wanted, connector, people, replies, TeamsPlatform(replies, people), trust)


def check_settings(wanted: TeamsSettings, host: str) -> None:
    """Raises Misconfigured where what is set would let strangers in. host: what is listened on."""
    if wanted.teams_insecure_dev:
        if not is_loopback(urlsplit(f"//{host}").hostname or host if host.startswith("[") else host):
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
