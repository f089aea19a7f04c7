"""Opens Teams: the connector, and who we are there."""

import logging
from dataclasses import dataclass, field

from bot.teams.access_token import SCOPE, TeamsCredentials
from bot.teams.connector import ConnectorClients, TeamsConnector
from bot.teams.message_cleanup import MessageCleanup
from bot.teams.platform import TeamsPlatform
from bot.teams.reply_context import TeamsReplyContext
from bot.teams.request_auth import TrustPolicy, may_reply_to
from bot.teams.user_directory import TeamsUserDirectory
from domain.errors import Misconfigured
from domain.masking import Masker

log = logging.getLogger(__name__)

CLOSING = 2.0
"""Seconds for which the end waits for messages that are being taken away."""


@dataclass(frozen=True, slots=True)
class TeamsOptions:
    """How Teams is used; see config.chat.TeamsSettings.

    token_url: `{tenant}` in it stands for the tenant. service_hosts: see bot.teams.request_auth.TrustPolicy.
    token_scope: what tokens are for. insecure_dev: whether a service on this very machine is talked to, and without an
    app where none is given. domains: see domain.conversation.scope_of.
    """

    app_id: str
    app_password: str
    tenant_id: str
    token_url: str
    service_hosts: tuple[str, ...]
    streaming: bool
    edit_seconds: float
    patience: float
    token_scope: str = SCOPE
    insecure_dev: bool = False
    domains: tuple[str, ...] = ()
    masker: Masker = field(default_factory=Masker)


@dataclass(frozen=True, slots=True)
class TeamsConnection:
    """Teams, open. bot_id: what conversations call us. credentials: None where none are needed."""

    connector: TeamsConnector
    platform: TeamsPlatform
    people: TeamsUserDirectory
    bot_id: str
    cleanup: MessageCleanup
    credentials: TeamsCredentials | None = None

    async def check(self) -> None:
        """Raises a KbError when the login service does not accept us any more, or does not answer."""
        if self.credentials is not None:
            await self.credentials.token()

    async def close(self) -> None:
        """Finishes the deletion of messages, for at most CLOSING seconds, then ends the connections."""
        await self.cleanup.finish(CLOSING)
        await self.connector.close()


async def open_teams(options: TeamsOptions) -> TeamsConnection:
    """Teams, once the login service has accepted us.

    Raises:
        Misconfigured: it does not, or nothing is given that it could accept. Transient: it does not answer.
    """
    credentials = _credentials(options)
    trust = TrustPolicy(options.app_id, options.tenant_id, options.service_hosts, loopback=options.insecure_dev)
    clients = ConnectorClients(credentials, lambda url: may_reply_to(url, trust))
    connector = TeamsConnector(clients, options.patience)
    if credentials is not None:
        await credentials.token()
    people = TeamsUserDirectory(connector, options.tenant_id, options.domains)
    shared = TeamsReplyContext(connector, options.streaming, options.edit_seconds, masker=options.masker)
    platform = TeamsPlatform(shared, people)
    return TeamsConnection(connector, platform, people, f"28:{options.app_id}", shared.cleanup, credentials)


def _credentials(options: TeamsOptions) -> TeamsCredentials | None:
    if options.app_id and options.app_password:
        url = options.token_url.replace("{tenant}", options.tenant_id)
        return TeamsCredentials(options.app_id, options.app_password, options.tenant_id, url, options.token_scope)
    if options.insecure_dev:
        log.warning("Teams is served without credentials: for development on one machine only")
        return None
    raise Misconfigured(
        "The bot in Teams has no id or no secret",
        next_step="Set KB_AGENT_TEAMS_APP_ID and KB_AGENT_TEAMS_APP_PASSWORD; docs/teams.md says where they come from.",
    )
