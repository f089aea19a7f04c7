"""Settings of the chat platforms and of what serves them; see config.settings for how they are written."""

from dataclasses import dataclass
from typing import Annotated, Literal

from config.bounds import Bounds, Count, Guid, Secret

Port = Annotated[int, Bounds(0, 65535)]
Seconds = Annotated[float, Bounds(0.05, 86_400)]
Hours = Annotated[float, Bounds(0.05, 876_000)]
Days = Annotated[float, Bounds(0.05, 36_500)]


@dataclass(frozen=True, slots=True)
class ConversationSettings:
    """What is accepted from people, and what is remembered of it."""

    questions_user_minute: Count
    questions_channel_minute: Count
    questions_user_day: Count
    questions_waiting: Count
    answer_deadline: Seconds
    memory_turns: int
    memory_hours: Hours
    memory_days: Days
    question_days: Days
    audit_days: Days
    correct_replies: Literal["off", "rights", "all"]
    correct_days: Days
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
    worker_heartbeat: Seconds
    worker_lost: Seconds
    shutdown_seconds: Seconds


@dataclass(frozen=True, slots=True)
class WebSettings:
    """The HTTP API, and the pages."""

    api_host: str
    api_port: Port | None
    api_public_url: str | None
    api_mcp: bool
    api_requests_minute: Count
    web_session_hours: Hours
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
    slack_edit_seconds: Seconds
    slack_edits_minute: Count
    slack_patience: Seconds


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
    teams_edit_seconds: Seconds
    teams_patience: Seconds
