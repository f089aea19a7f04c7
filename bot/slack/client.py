"""Slack's Web API: one way to call it, with its limits kept and its errors in our words."""

import json
import math
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeVar
from urllib.parse import urlsplit

import aiohttp
from slack_sdk.errors import SlackApiError, SlackClientError
from slack_sdk.web.async_client import AsyncWebClient

from bot.conversation.chat_platform import OutcomeUnknown
from domain.errors import KbError, Misconfigured, Refused, Transient
from domain.metrics import outgoing_request
from net.retries import Retries, retry_after, retrying

T = TypeVar("T")

RETRIES = Retries(longest_pause=30.0)
"""Slack counts calls by the minute: no pause is longer than half of one, unless Slack asks for it."""

TRANSIENT = frozenset(
    {
        "ratelimited",
        "rate_limited",
        "internal_error",
        "fatal_error",
        "service_unavailable",
        "request_timeout",
        "team_added_to_org",
        "external_channel_migrating",
    }
)
MISCONFIGURED = {
    "invalid_auth": "The token is wrong",
    "not_authed": "There is no token",
    "token_revoked": "The token was revoked",
    "token_expired": "The token has expired",
    "account_inactive": "The app was removed from the workspace",
    "missing_scope": "The app lacks a permission",
    "not_allowed_token_type": "The token is of the wrong kind",
    "app_missing_action_url": "The app's settings lack the interactivity URL",
}
"""Slack's words for what an operator has to mend, and ours."""

RESPONSE_HOSTS = frozenset({"hooks.slack.com", "hooks.slack-gov.com"})
API_HOSTS = frozenset({"slack.com", "slack-gov.com"})

FORMS = frozenset(
    {
        "auth.test",
        "conversations.history",
        "conversations.info",
        "conversations.members",
        "conversations.replies",
        "users.info",
        "users.list",
        "users.lookupByEmail",
    }
)
"""Methods that read their arguments from a form alone."""

PER_CHANNEL = frozenset({"chat.postMessage"})
"""Methods whose calls Slack counts for each channel."""

RESPONSE_BYTES = 1_000
"""Of what is replied to a call of a response URL, so much is read at most."""

UNCLEAR = frozenset({"internal_error", "fatal_error", "request_timeout"})
"""Slack's words for a failure after which something may have been done all the same."""


TOO_MUCH = frozenset(
    {"msg_too_long", "msg_blocks_too_long", "invalid_blocks", "invalid_blocks_format", "too_many_attachments"}
)
"""Slack's words for what it cannot take as it is."""


class SlackRefused(Refused):
    """Slack will not do this, however often it is asked. code: its own word for why."""

    def __init__(self, method: str, code: str) -> None:
        super().__init__(f"Slack refused {method}", why=code)
        self.code = code


class MissingScope(Misconfigured):
    """The app lacks a permission. It has to be reinstalled before this goes better."""


LASTING = (SlackRefused, MissingScope)
"""Failures after which it is of no use to ask again at once. A token that is not accepted is another matter: it takes
one call to find out that it is, again."""


class TokenBucket:
    """At most so many things a minute, with bursts of a tenth of that; shared by all who have the same one."""

    def __init__(self, per_minute: int) -> None:
        self._rate = per_minute / 60
        self._most = max(1.0, per_minute / 10)
        self._left = self._most
        self._at = time.monotonic()

    def take(self) -> bool:
        """Whether one may be done now; it counts then."""
        now = time.monotonic()
        self._left = min(self._most, self._left + (now - self._at) * self._rate)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


class CallHolds:
    """Which calls Slack wants no more of for now: those of a method, of some methods those in one channel."""

    def __init__(self) -> None:
        self._until: dict[tuple[str, str], float] = {}

    def note(self, method: str, channel: str, seconds: float) -> None:
        """Slack wants no such calls for so long."""
        now = time.monotonic()
        for passed in [call for call, until in self._until.items() if until <= now]:
            del self._until[passed]
        call = _counted_call(method, channel)
        self._until[call] = max(self._until.get(call, 0.0), now + seconds)

    def seconds_left(self, method: str, channel: str) -> float:
        """For how long Slack wants no such call; 0 where it takes one."""
        return max(0.0, self._until.get(_counted_call(method, channel), 0.0) - time.monotonic())


def _counted_call(method: str, channel: str) -> tuple[str, str]:
    return method, channel if method in PER_CHANNEL else ""


class SlackClient:
    """Calls methods of the Web API.

    patience: seconds for which a call that fails for now is tried again, if the caller does not say otherwise. until:
    when that ends for all calls, by the monotonic clock. holds: what Slack wants no calls of, as all know who have the
    same; while it is held, a call waits as long as its patience allows, or fails at once.
    """

    def __init__(
        self,
        web: AsyncWebClient,
        patience: float = 120.0,
        until: float = math.inf,
        holds: CallHolds | None = None,
    ) -> None:
        self.web = web
        self._patience = patience
        self._until = until
        self._holds = holds or CallHolds()
        self._scopes: frozenset[str] | None = None

    def may(self, scope: str) -> bool:
        """Whether the app has a scope, as far as Slack's replies have said."""
        return self._scopes is None or scope in self._scopes

    def within(self, seconds: float) -> "SlackClient":
        """The same, for calls that all have to be done so soon: what fails after that is not tried again."""
        return SlackClient(self.web, self._patience, min(self._until, time.monotonic() + seconds), self._holds)

    async def call(
        self,
        method: str,
        *,
        patience: float | None = None,
        unless: Callable[[], Awaitable[dict[str, Any] | None]] | None = None,
        blindly: bool = True,
        **arguments: Any,
    ) -> dict[str, Any]:
        """The reply to a call; arguments that are None are left out.

        unless: for what must not be done twice; after a failure that leaves open whether it was done, it is asked, and
        what it gives stands for the reply. blindly: whether it is done again, too, where nobody can be asked that.

        Raises:
            Transient: Slack is away or wants fewer calls, for longer than our patience. OutcomeUnknown: it may have
                done it.
            SlackRefused: it will not do it; `code` says why.
            Misconfigured: it does not accept the token, or the app lacks a permission.
        """
        given = {name: value for name, value in arguments.items() if value is not None}
        channel = str(given.get("channel", ""))
        unclear = False

        async def attempt() -> dict[str, Any]:
            nonlocal unclear
            if held := self._holds.seconds_left(method, channel):
                raise _too_many(method, held)
            if unless and unclear and (done := await unless()) is not None:
                return done
            try:
                with outgoing_request("slack", method):
                    return await self._once(method, given)
            except Transient as error:
                unclear = isinstance(error, OutcomeUnknown)
                if error.retry_after is not None:
                    self._holds.note(method, channel, error.retry_after)
                raise

        return await self.until_done(attempt, patience, lambda error: blindly or not isinstance(error, OutcomeUnknown))

    async def until_done(
        self,
        attempt: Callable[[], Awaitable[T]],
        patience: float | None = None,
        when: Callable[[Transient], bool] = lambda _: True,
    ) -> T:
        """What an attempt gives, which is made again while it fails for now. patience: see `call`. when: errors after
        which it may be. Raises what the last attempt does."""
        until = min(self._until, time.monotonic() + (self._patience if patience is None else patience))
        again = retrying(lambda failed, error: RETRIES.pause(failed, error.retry_after), until=until, when=when)
        return await again(attempt)

    async def respond(self, url: str, body: Mapping[str, Any]) -> None:
        """Answers through a response URL, once.

        Raises:
            Transient: Slack is away, or wants fewer. SlackRefused: there is no URL, or it was used up, or is too old,
                or Slack does not take what it was given.
        """
        if not self._is_slacks(url):
            raise SlackRefused("a response URL", "it is none of Slack's" if url else "there is none")
        try:
            async with (
                aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=20)) as session,
                session.post(url, json=dict(body), allow_redirects=False) as response,
            ):
                words = (await response.content.read(RESPONSE_BYTES)).decode(errors="replace")
                if response.status == 429:
                    raise _too_many("a response URL", _seconds_asked(response.headers))
                if response.status >= 500:
                    raise Transient("Slack is busy", why=f"status {response.status} for a response URL")
                code = _error_code(words)
                if response.status >= 300 or code:
                    raise SlackRefused("a response URL", code or words[:200] or f"status {response.status}")
        except (aiohttp.ClientError, TimeoutError) as error:
            raise _away("a response URL", error) from error

    def _is_slacks(self, url: str) -> bool:
        """Whether a response URL leads to Slack: who could forge one would be sent private answers."""
        parts = urlsplit(url)
        api = urlsplit(self.web.base_url)
        return (parts.scheme == "https" and parts.hostname in RESPONSE_HOSTS) or (
            (parts.scheme, parts.netloc) == (api.scheme, api.netloc) and api.hostname not in API_HOSTS
        )

    async def _once(self, method: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        try:
            body: dict[str, Any] = {"data" if method in FORMS else "json": dict(arguments)}
            response = await self.web.api_call(method, **body)
        except SlackApiError as error:
            raise _translated(method, error) from error
        except (SlackClientError, aiohttp.ClientError, TimeoutError, OSError, AttributeError) as error:
            raise _away(method, error) from error  # AttributeError: slack_sdk's, for a plain text in place of JSON
        named = (each.strip() for each in _header(response.headers, "x-oauth-scopes").split(","))
        self._scopes = frozenset(filter(None, named)) or self._scopes
        data = response.data
        return data if isinstance(data, dict) else {}


def _too_many(method: str, seconds: float) -> Transient:
    return Transient(f"Slack wants fewer calls of {method}", retry_after=seconds)


def _away(method: str, error: Exception) -> Transient:
    kind = Transient if isinstance(error, aiohttp.ClientConnectorError) else OutcomeUnknown
    return kind(f"Slack did not answer {method}", why=type(error).__name__)


def _translated(method: str, error: SlackApiError) -> KbError:
    response = error.response
    # slack_sdk's response, or aiohttp's where the body was no JSON
    status = int(getattr(response, "status_code", 0) or getattr(response, "status", 0))
    data = getattr(response, "data", None)
    data = data if isinstance(data, dict) else {}
    code = str(data.get("error") or f"status {status}")
    if status == 429 or code in {"ratelimited", "rate_limited"}:
        return _too_many(method, _seconds_asked(response.headers))
    if "error" not in data or code in UNCLEAR:
        return OutcomeUnknown(f"Slack could not do {method}", why=code)
    if code in TRANSIENT or status >= 500:
        return Transient(f"Slack could not do {method}", why=code)
    if code in MISCONFIGURED:
        needed = f"; it needs {data['needed']}" if "needed" in data else ""
        kind = MissingScope if code == "missing_scope" else Misconfigured
        return kind(
            f"Slack does not let us call {method}: {MISCONFIGURED[code]}",
            why=f"{code}{needed}",
            next_step="Reinstall the app, or correct KB_AGENT_SLACK_BOT_TOKEN; docs/slack.md says how.",
        )
    return SlackRefused(method, code)


def _seconds_asked(headers: Mapping[str, Any]) -> float:
    """For how long Slack wants no further call."""
    asked = retry_after(_header(headers, "retry-after"))
    return 1.0 if asked is None else min(300.0, max(0.1, asked))


def _error_code(words: str) -> str:
    """The code of an error that Slack writes as JSON; empty where there is none."""
    try:
        said = json.loads(words)
    except (ValueError, RecursionError):
        return ""
    return str(said.get("error") or "") if isinstance(said, dict) and said.get("ok") is False else ""


def _header(headers: Mapping[str, Any], wanted: str) -> str:
    """The value of a header; empty where there is none. wanted: its name in lower case."""
    given = next((value for name, value in headers.items() if name.lower() == wanted), "")
    return ",".join(given) if isinstance(given, list) else str(given)
