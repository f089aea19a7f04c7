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
    questions_channel_minute: Count
    questions_user_day: Count
    questions_waiting: Count
    answer_deadline: Positive
    memory_turns: int
    memory_hours: Positive
    memory_days: Positive
    question_days: Positive
    audit_days: Positive
    correct_replies: Literal["off", "rights", "all"]
    correct_days: Positive
    admins: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ServeSettings:
    """What `kb serve` and `kb worker` run."""

    http_host: str
    http_port: Port
    ops_host: str | None
    ops_port: Port | None
    log_format: Literal["text", "json"]
    worker_concurrency: int
    worker_takes: Literal["all", "questions", "indexing"]
    worker_heartbeat: Positive
    worker_lost: Positive
    shutdown_seconds: Positive


@dataclass(frozen=True, slots=True)
class WebSettings:
    """The HTTP API, and the pages."""

    api_host: str
    api_port: Port | None
    api_public_url: str | None
    api_mcp: bool
    api_requests_minute: Count
    web_session_hours: Positive
    oidc_issuer: str | None
    oidc_client_id: str | None
    oidc_client_secret: Secret | None


@dataclass(frozen=True, slots=True)
class SlackSettings:
    """The Slack app."""

    slack_bot_token: Secret | None
    slack_app_token: Secret | None
    slack_signing_secret: Secret | None
    slack_api_url: str
    slack_command: str
    slack_streaming: Literal["auto", "off"]
    slack_follow: tuple[str, ...]
    slack_edit_seconds: Positive
    slack_edits_minute: Count
    slack_patience: Positive


@dataclass(frozen=True, slots=True)
class TeamsSettings:
    """The bot in Microsoft Teams."""

    teams_app_id: Guid | None
    teams_app_password: Secret | None
    teams_tenant_id: Guid | None
    teams_insecure_dev: bool
    teams_openid_url: str
    teams_token_url: str
    teams_issuer: str
    teams_token_scope: str
    teams_service_hosts: tuple[str, ...]
    teams_streaming: Literal["auto", "off"]
    teams_edit_seconds: Positive
    teams_patience: Positive
