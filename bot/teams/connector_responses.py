"""What the connector's responses mean, in our words. Pure."""

import json
from collections.abc import Mapping
from typing import Any

from bot.conversation.chat_platform import OutcomeUnknown
from bot.teams.connector_transport import ConnectorResponse
from domain.errors import KbError, Misconfigured, Refused, Transient

AGAIN = frozenset({412, 429})
"""Statuses after which nothing was done, and it may be asked again."""


NEVER = 501
"""The status that says that there is no such operation, as for deletions in some of Teams' services."""


class TeamsRefused(Refused):
    """Teams will not do this, however often it is asked. status, code: its own words for why."""

    def __init__(self, method: str, status: int, code: str, words: str = "") -> None:
        super().__init__(f"Teams refused to {_DOING.get(method, method)}", why=f"{status} {code}: {words}"[:300])
        self.status, self.code = status, code


class TooManyMembers(Refused):
    """A conversation has more members than it is worth asking for."""


_DOING = {"POST": "post", "PUT": "change a message", "DELETE": "delete a message", "GET": "say who is there"}


def read_response(got: ConnectorResponse, method: str) -> dict[str, Any]:
    """The reply that a response holds; empty for none.

    Raises:
        Transient, Unclear, TeamsRefused, Misconfigured: see bot.teams.connector.TeamsConnector.send.
    """
    body = _table(got.body)
    if 200 <= got.status < 300:
        if body is None and got.body:
            raise OutcomeUnknown("Teams' answer could not be read")
        return body or {}
    raise _translated(got, body or {}, method)


def _translated(got: ConnectorResponse, body: Mapping[str, Any], method: str) -> KbError:
    told = body.get("error")
    told = told if isinstance(told, dict) else {}
    code, words = str(told.get("code") or "no code"), str(told.get("message") or "")
    if got.status in AGAIN:
        return Transient("Teams wants fewer calls", why=f"{got.status} {code}", retry_after=_seconds(got.headers))
    if (got.status >= 500 and got.status != NEVER) or got.status == 408:
        return OutcomeUnknown("Teams could not do it", why=f"status {got.status}")
    if got.status == 401:
        return Misconfigured(
            "Teams does not accept the bot's token",
            why=words or code,
            next_step="Correct KB_AGENT_TEAMS_APP_ID and KB_AGENT_TEAMS_TENANT_ID; docs/teams.md says where they come"
            " from.",
        )
    return TeamsRefused(method, got.status, code, words)


def _table(text: bytes) -> dict[str, Any] | None:
    try:
        found = json.loads(text) if text else {}
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


def _seconds(headers: Mapping[str, str]) -> float | None:
    """What Retry-After says in seconds; None where it says nothing."""
    try:
        return min(300.0, max(0.05, float(headers["Retry-After"])))
    except (KeyError, ValueError):
        return None
