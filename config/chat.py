"""Settings of the chat platforms and of what serves them; see config.settings for how they are written."""

from dataclasses import dataclass
from typing import Annotated, Literal

from config.bounds import Bounds, Count, Guid, Secret

Port = Annotated[int, Bounds(0, 65535)]
Positive = Annotated[float, Bounds(0.05)]


@dataclass(frozen=True, slots=True)
class ConversationSettings:
    """What is accepted from people, and what is remembered of it."""

    questions_user_minute: Count
    """Questions of one person a minute."""
    questions_channel_minute: Count
    """Questions in one channel a minute."""
    questions_user_day: Count
    """Questions of one person in 24 hours."""
    questions_waiting: Count
    """Questions that are accepted and not answered yet, of all."""
    answer_deadline: Positive
    """Seconds within which a question ends, one way or another."""
    memory_turns: int
    """Earlier questions of a conversation that a new one is understood with."""
    memory_hours: Positive
    """Hours after which a conversation begins anew."""
    memory_days: Positive
    """Days for which questions and replies are kept, masked."""
    question_days: Positive
    """Days for which it is kept that a question was asked, and what was thought of its reply."""
    admins: tuple[str, ...]
    """Addresses of those who may start indexing from a chat."""


@dataclass(frozen=True, slots=True)
class ServeSettings:
    """What `kb serve` and `kb worker` run."""

    http_host: str
    """Address that is listened on, for Teams, Slack's HTTP mode, webhooks and health."""
    http_port: Port
    """Port; 0 takes a free one."""
    ops_host: str | None
    """Address of the listener for operators, of `/healthz` and `/readyz`; None: there is none."""
    ops_port: Port | None
    """Its port; 0 takes a free one; None: there is none."""
    worker_concurrency: int
    """Questions that one process answers at a time; 0: this process answers none."""
    worker_heartbeat: Positive
    """Seconds between a worker's signs of life."""
    worker_lost: Positive
    """Seconds without one after which others take over."""
    shutdown_seconds: Positive
    """Seconds that running answers get when a process is asked to end."""


@dataclass(frozen=True, slots=True)
class SlackSettings:
    """The Slack app."""

    slack_bot_token: Secret | None
    """xoxb-…; None: no Slack."""
    slack_app_token: Secret | None
    """xapp-…: Socket Mode; None: HTTP."""
    slack_signing_secret: Secret | None
    """Checks requests in HTTP mode."""
    slack_api_url: str
    """Base of the Web API."""
    slack_command: str
    """The slash command."""
    slack_streaming: Literal["auto", "off"]
    """Whether answers are streamed where the workspace allows it."""
    slack_follow: tuple[str, ...]
    """Channels in whose threads questions are followed without a mention; * for all."""
    slack_edit_seconds: Positive
    """Least time between two changes of a message."""
    slack_edits_minute: Count
    """Changes of messages a minute, by one process."""
    slack_patience: Positive
    """Seconds for which one call that shows an outcome is tried again."""


@dataclass(frozen=True, slots=True)
class TeamsSettings:
    """The bot in Microsoft Teams."""

    teams_app_id: Guid | None
    """The bot's application (client) id; None: no Teams."""
    teams_app_password: Secret | None
    """Its client secret, which replies are sent with."""
    teams_tenant_id: Guid | None
    """The tenant that the bot is registered in; nobody else is served."""
    teams_insecure_dev: bool
    """For development on one machine: no application id is needed, and Teams may be a local one."""
    teams_openid_url: str
    """The OpenID document of who signs requests."""
    teams_token_url: str
    """Where tokens for replies are had; `{tenant}` stands for the tenant."""
    teams_issuer: str
    """Who says of requests that they are Teams'."""
    teams_token_scope: str
    """What tokens for replies are for."""
    teams_service_hosts: tuple[str, ...]
    """Hosts that replies may be sent to."""
    teams_streaming: Literal["auto", "off"]
    """Whether answers are streamed in personal chats."""
    teams_edit_seconds: Positive
    """Least time between two changes of a message."""
    teams_patience: Positive
    """Seconds for which one call that shows an outcome is tried again."""
