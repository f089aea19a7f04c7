"""The token that replies are sent with: had ahead of time, without blocking, by one at a time."""

import asyncio
import time
from dataclasses import dataclass, field
from typing import Any

import aiohttp

from domain.errors import KbError, Misconfigured, Transient

SCOPE = "https://api.botframework.com/.default"
"""What tokens are for, in the cloud that everybody has."""

SECONDS = 15
"""That a request for a token may take."""

AHEAD = 300.0
"""Seconds before its end, or half of its time where that is less, in which a token is had anew."""

WRONG = frozenset(
    {"invalid_client", "unauthorized_client", "invalid_request", "invalid_scope", "unsupported_grant_type"}
)
"""The login service's words for what an operator has to mend."""


@dataclass(eq=False, repr=False)
class TeamsCredentials:
    """What the app proves with who it is. url, scope: where tokens are had, and for what."""

    app_id: str
    password: str
    url: str
    scope: str = SCOPE
    _token: str = field(default="", init=False)
    _renewed_at: float = field(default=0.0, init=False)
    _ends_at: float = field(default=0.0, init=False)
    _lock: asyncio.Lock = field(default_factory=asyncio.Lock, init=False)

    async def token(self) -> str:
        """A token that is good for a while.

        Raises:
            Misconfigured: id, secret or tenant are wrong. Transient: nobody gives one.
        """
        if time.monotonic() < self._renewed_at:
            return self._token
        async with self._lock:
            if time.monotonic() >= self._renewed_at:
                try:
                    await self._renew()
                except KbError:
                    if time.monotonic() >= self._ends_at:
                        raise
        return self._token

    def forget(self, token: str) -> None:
        """A token was not accepted: the next one is another, unless somebody has had a new one meanwhile."""
        if self._token == token:
            self._token, self._renewed_at, self._ends_at = "", 0.0, 0.0

    async def _renew(self) -> None:
        form = {"grant_type": "client_credentials", "scope": self.scope}
        status, reply = await _reply(self.url, form | {"client_id": self.app_id, "client_secret": self.password})
        if status != 200 or not reply.get("access_token"):
            raise _translated(status, reply)
        try:
            seconds = max(1.0, float(str(reply.get("expires_in"))))
        except ValueError:
            seconds = 60.0
        self._token = str(reply["access_token"])
        self._ends_at = time.monotonic() + seconds
        self._renewed_at = self._ends_at - min(AHEAD, seconds / 2)


async def _reply(url: str, form: dict[str, str]) -> tuple[int, dict[str, Any]]:
    """Status and reply of the login service. Raises Transient."""
    try:
        async with (
            aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=SECONDS)) as session,
            session.post(url, data=form, allow_redirects=False) as response,
        ):
            reply = await response.json(content_type=None)
            return response.status, reply if isinstance(reply, dict) else {}
    except (aiohttp.ClientError, TimeoutError, ValueError) as error:
        raise Transient("The login service of Microsoft did not give a token", why=type(error).__name__) from error


def _translated(status: int, reply: dict[str, Any]) -> KbError:
    code = str(reply.get("error") or f"status {status}")
    if code not in WRONG:
        return Transient("The login service of Microsoft did not give a token", why=code)
    return Misconfigured(
        "Microsoft does not accept the bot's id and secret",
        why=str(reply.get("error_description") or code).splitlines()[0][:200],
        next_step="Correct KB_AGENT_TEAMS_APP_ID, KB_AGENT_TEAMS_APP_PASSWORD and KB_AGENT_TEAMS_TENANT_ID;"
        " docs/teams.md says where they come from.",
    )
