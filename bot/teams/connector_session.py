"""Requests to the services of Teams: signed, from one kept session of aiohttp; and what the responses mean."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import aiohttp
from yarl import URL

from bot.conversation.chat_platform import OutcomeUnknown
from bot.response_body import read_body
from bot.teams.access_token import TeamsCredentials
from bot.teams.rate_limits import READING, CallRateLimiter
from domain.errors import KbError, Misconfigured, Refused, Transient
from net.retries import retry_after

SECONDS = 15
"""That one request may take."""

LARGEST = 8_000_000
"""Bytes of a response. A page of members takes some hundred thousand."""

TRY_AGAIN = frozenset({412, 429})
"""Statuses after which nothing was done, and it may be asked again."""

CLOSED = "The connection to Teams is closed"

NOT_IMPLEMENTED = 501
"""The status that says that there is no such operation, as for deletions in some of Teams' services."""


@dataclass(frozen=True, slots=True)
class ConnectorResponse:
    """A response, read."""

    status: int
    headers: Mapping[str, str]
    body: bytes | None
    """None for one that is larger than LARGEST."""


@dataclass(slots=True)
class ConnectorSession:
    """What all connectors of a process share."""

    credentials: TeamsCredentials | None
    """None for none, in development."""
    trusted: Callable[[str], bool]
    """Whether an address is a service's: whoever gets a token can speak as us."""
    sending: CallRateLimiter = field(default_factory=CallRateLimiter)
    """How often something may be sent in a conversation."""
    reading: CallRateLimiter = field(init=False)
    """How often the members of a conversation may be read."""
    _session: aiohttp.ClientSession | None = None
    _closed: bool = False

    def __post_init__(self) -> None:
        self.reading = self.sending.beside(READING)

    async def token(self, until: float) -> str:
        """What requests are signed with, waited for until then by the monotonic clock; empty for no signature. Raises
        Transient when the session is closed, and what the token's login raises."""
        if self._closed:
            raise Transient(CLOSED)
        return "" if self.credentials is None else await self.credentials.token(until)

    async def request(
        self, method: str, service_url: str, path: str, body: Mapping[str, Any] | None, token: str = ""
    ) -> ConnectorResponse:
        """The response of a service; nothing is followed. token: what it is signed with. Raises what aiohttp raises,
        Refused for an address that is no service's, and Transient when the session is closed."""
        if not self.trusted(service_url):
            raise Refused("The address of a conversation is not one of Teams' services", why=service_url[:200])
        headers = {"Accept": "application/json"}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        if body is not None:
            headers["Content-Type"] = "application/json; charset=utf-8"
        if self._closed:
            raise Transient(CLOSED)
        if self._session is None:
            timeout = aiohttp.ClientTimeout(total=SECONDS)
            self._session = aiohttp.ClientSession(timeout=timeout, connector=aiohttp.TCPConnector(limit=0))
        url = URL(
            service_url.rstrip("/") + path, encoded=True
        )  # an id holds characters that would be decoded otherwise
        data = None if body is None else json.dumps(body)
        async with self._session.request(method, url, data=data, headers=headers, allow_redirects=False) as response:
            return ConnectorResponse(response.status, response.headers, await read_body(response, LARGEST))

    async def close(self) -> None:
        """Ends the session for good."""
        self._closed = True
        if self.credentials is not None:
            await self.credentials.close()
        if self._session is not None:
            await self._session.close()


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
        Transient, OutcomeUnknown, TeamsRefused, Misconfigured: see bot.teams.connector.TeamsConnector.send.
    """
    body = _table(got.body)
    if 200 <= got.status < 300:
        if body is None:
            raise OutcomeUnknown("Teams' answer could not be read")
        return body
    raise _translated(got, body or {}, method)


def _translated(got: ConnectorResponse, body: Mapping[str, Any], method: str) -> KbError:
    told = body.get("error")
    told = told if isinstance(told, dict) else {}
    code, words = str(told.get("code") or "no code"), str(told.get("message") or "")
    if got.status in TRY_AGAIN:
        asked = retry_after(got.headers.get("Retry-After"))
        seconds = None if asked is None else min(300.0, max(0.05, asked))
        return Transient("Teams wants fewer calls", why=f"{got.status} {code}", retry_after=seconds)
    if (got.status >= 500 and got.status != NOT_IMPLEMENTED) or got.status == 408:
        return OutcomeUnknown("Teams could not do it", why=f"status {got.status}")
    if got.status == 401:
        return Misconfigured(
            "Teams does not accept the bot's token",
            why=words or code,
            next_step="Correct KB_AGENT_TEAMS_APP_ID and KB_AGENT_TEAMS_TENANT_ID; docs/teams.md says where they come"
            " from.",
        )
    return TeamsRefused(method, got.status, code, words)


def _table(text: bytes | None) -> dict[str, Any] | None:
    """The object that a text holds, an empty one where there is no text; None for what cannot be read."""
    if text is None:
        return None
    try:
        found = json.loads(text) if text else {}
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None
