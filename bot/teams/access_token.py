"""The token that replies are sent with: had ahead of time, by one task for all who want it."""

import asyncio
import json
import logging
import math
import time
from dataclasses import dataclass, field

import aiohttp

from bot.response_body import read_body
from bot.teams.json_reading import Json, table
from domain.cancellation import cancel_and_wait
from domain.errors import KbError, Misconfigured, Transient
from net.retries import retry_after

log = logging.getLogger(__name__)

SCOPE = "https://api.botframework.com/.default"
"""What tokens are for, in the cloud that everybody has."""

SECONDS = 15
"""That a request for a token may take."""

LARGEST = 65_536
"""Bytes of a reply. The real ones take about two thousand."""

AHEAD = 300.0
"""Seconds before its end, or half of its time where that is less, in which a token is had anew."""

AGAIN = 10.0
"""Seconds after a failure in which nobody asks again, where the login service does not say how long."""

LONGEST_PAUSE = 300.0
"""Seconds for which it is left alone at most, whatever it says."""

LEAST = 1.0
"""Seconds for which a token is waited for also where a call has no time for a second try."""

NO_TOKEN = "The login service of Microsoft did not give a token"  # noqa: S105 - words

WRONG = frozenset(
    {"invalid_client", "unauthorized_client", "invalid_request", "invalid_scope", "unsupported_grant_type"}
)
"""The login service's words for what an operator has to mend."""


@dataclass(eq=False, repr=False)
class TeamsCredentials:
    """What the app proves with who it is. url, scope: where tokens are had, and for what. again: see AGAIN."""

    app_id: str
    password: str
    url: str
    scope: str = SCOPE
    again: float = AGAIN
    _token: str = field(default="", init=False)
    _renewed_at: float = field(default=0.0, init=False)
    _ends_at: float = field(default=0.0, init=False)
    _renewing: "asyncio.Task[str] | None" = field(default=None, init=False)
    """The last request for a token; one that failed is kept, for those who ask too soon after it."""
    _not_before: float = field(default=0.0, init=False)
    """When a token may be asked for again after a failure."""

    async def token(self, until: float = math.inf) -> str:
        """A token: the present one as long as it is good, also while a new one is had in the background; else the new
        one, which is waited for until then by the monotonic clock, and for LEAST in any case.

        Raises:
            Misconfigured: id, secret or tenant are wrong. Transient: nobody gives one, or not in time.
        """
        now = time.monotonic()
        if now < self._renewed_at:
            return self._token
        renewing = self._renewal(now)
        if now < self._ends_at:
            return self._token
        await asyncio.wait({renewing}, timeout=None if math.isinf(until) else max(LEAST, until - now))
        if not renewing.done() or renewing.cancelled():
            raise Transient(NO_TOKEN, why="it did not answer in time")
        return renewing.result()

    def forget(self, token: str) -> None:
        """A token was not accepted: the next one is another, unless somebody has had a new one meanwhile."""
        if self._token == token:
            self._token, self._renewed_at, self._ends_at = "", 0.0, 0.0

    async def close(self) -> None:
        """Stops what is under way."""
        if self._renewing is not None:
            await cancel_and_wait(self._renewing)

    def _renewal(self, now: float) -> "asyncio.Task[str]":
        """The request that is under way, or failed a moment ago; else a new one."""
        if self._renewing is None or (self._renewing.done() and now >= self._not_before):
            self._renewing = asyncio.create_task(self._renew())
            self._renewing.add_done_callback(_log_failure)
        return self._renewing

    async def _renew(self) -> str:
        form = {"grant_type": "client_credentials", "scope": self.scope}
        try:
            reply = await _reply(self.url, form | {"client_id": self.app_id, "client_secret": self.password})
        except KbError as error:
            pause = self.again
            if isinstance(error, Transient) and error.retry_after is not None:
                pause = min(LONGEST_PAUSE, max(1.0, error.retry_after))
                error.retry_after = None  # kept here: it would be too long for who comes later
            self._not_before = time.monotonic() + pause
            raise
        try:
            seconds = max(1.0, float(str(reply.get("expires_in"))))
        except ValueError:
            seconds = 60.0
        self._token = str(reply["access_token"])
        self._ends_at = time.monotonic() + seconds
        self._renewed_at = self._ends_at - min(AHEAD, seconds / 2)
        return self._token


def _log_failure(renewing: "asyncio.Task[str]") -> None:
    """Says why there is no new token: nobody may be waiting for it."""
    error = None if renewing.cancelled() else renewing.exception()
    if isinstance(error, KbError):
        log.warning("%s (%s)", error.what, error.why)
    elif error is not None:
        log.error("A new token could not be had", exc_info=error)


async def _reply(url: str, form: dict[str, str]) -> Json:
    """The reply of the login service that holds a token. Raises Misconfigured and Transient."""
    try:
        async with (
            aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=SECONDS)) as session,
            session.post(url, data=form, allow_redirects=False) as response,
        ):
            body = await read_body(response, LARGEST)
    except (aiohttp.ClientError, OSError) as error:
        raise Transient(NO_TOKEN, why=type(error).__name__) from error
    if body is None:
        raise Transient(NO_TOKEN, why="its reply is too large")
    try:
        reply = table(json.loads(body))
    except (ValueError, RecursionError):
        reply = {}
    if response.status != 200 or not reply.get("access_token"):
        raise _translated(response.status, reply, retry_after(response.headers.get("Retry-After")))
    return reply


def _translated(status: int, reply: Json, asked: float | None) -> KbError:
    code = str(reply.get("error") or f"status {status}")[:100]
    if code not in WRONG:
        return Transient(NO_TOKEN, why=code, retry_after=asked)
    return Misconfigured(
        "Microsoft does not accept the bot's id and secret",
        why=str(reply.get("error_description") or code).splitlines()[0][:200],
        next_step="Correct KB_AGENT_TEAMS_APP_ID, KB_AGENT_TEAMS_APP_PASSWORD and KB_AGENT_TEAMS_TENANT_ID;"
        " docs/teams.md says where they come from.",
    )
