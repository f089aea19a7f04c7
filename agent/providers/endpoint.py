"""A POST to a model's server: sent, tried again, its faults translated.

No error made here contains the key, the request, or anything the server wrote: servers like to quote both.
"""

import asyncio
import json
import random
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

import httpx

from domain.errors import Misconfigured, Transient

_WORTH_ANOTHER_TRY = frozenset({408, 409, 425, 429})
_REFUSES_TEXTS = frozenset({400, 413, 422})

_jitter = random.SystemRandom()


@dataclass(frozen=True, slots=True)
class Retries:
    """How long a call is tried again.

    budget: seconds from the first try after which no further one starts.
    first_pause: seconds before the second try at most; each further pause is twice as long.
    longest_pause: seconds; what the server asks for with Retry-After may be longer.
    """

    budget: float = 30.0
    first_pause: float = 0.5
    longest_pause: float = 8.0

    def pause(self, attempt: int, asked: float | None) -> float:
        """Seconds to wait after try number `attempt` (from 0); `asked` is the server's own wish."""
        if asked is not None:
            return asked + _jitter.uniform(0, self.first_pause)
        return min(self.longest_pause, self.first_pause * 2.0**attempt) * _jitter.uniform(0.5, 1)


@dataclass(frozen=True, slots=True)
class Service:
    """An endpoint in the words of its errors.

    noun: what it gives, as in `the embeddings endpoint`. example: an address of one.
    base_url, key, model: names of the settings.
    """

    noun: str
    example: str
    base_url: str
    key: str
    model: str


@dataclass(frozen=True, slots=True)
class Call:
    """How an endpoint is called.

    url: that requests go to. api_key: sent as a bearer token; empty for a server that wants none.
    model: for messages. timeout: seconds for one try. retries: how long failing requests are tried again.
    """

    url: str
    api_key: str = field(repr=False)
    model: str
    timeout: float
    retries: Retries


class RequestRefused(Misconfigured):
    """The server refuses the request as such: a text is too long, or there are too many."""


class Endpoint:
    """A connection to a server of models.

    Args:
        service: what it is called in errors.
        call: where and how.
        transport: carries the requests instead of httpx's own, for a proxy or a private certificate authority:
            the environment's proxy variables are not read.

    Raises:
        Misconfigured: the URL or the key cannot be used at all.
    """

    def __init__(self, service: Service, call: Call, transport: httpx.AsyncBaseTransport | None = None) -> None:
        self._service, self._call = service, call
        self._url = usable_url(service, call.url)
        self._client = httpx.AsyncClient(
            headers=bearer(service, call.api_key),
            timeout=None,  # noqa: S113 - each try as a whole has its time in `post`, which also ends a trickle
            transport=transport,
            trust_env=False,
        )

    @property
    def host(self) -> str:
        """The server's host, for names and messages."""
        host: str = self._url.host
        return host

    async def aclose(self) -> None:
        """Closes the connections."""
        await self._client.aclose()

    async def post(self, request: Mapping[str, object]) -> bytes:
        """The body of the first successful reply to `request`, sent as JSON.

        Raises:
            RequestRefused: a text is too long, or there are too many.
            Transient: the server is away or busy for longer than the retries last.
            Misconfigured: it refuses the key, does not know the model, or does not speak this API.
        """
        retries, start, tries = self._call.retries, time.monotonic(), 0
        while True:
            asked = None
            try:
                async with asyncio.timeout(self._call.timeout):
                    response = await self._client.post(self._url, json=request)
            except TimeoutError:
                cause = f"no reply within {self._call.timeout:g} s"
            except httpx.RequestError as error:
                cause = f"no connection ({type(error).__name__})"
            else:
                if response.is_success:
                    return response.content
                cause, asked = self._passing_fault(response)
            pause = retries.pause(tries, asked)
            tries += 1
            if time.monotonic() - start + pause > retries.budget:
                raise self._given_up(cause, tries, asked)
            await asyncio.sleep(pause)

    def unlike_the_api(self, why: str) -> Misconfigured:
        """What to raise for a reply that is not of this API."""
        return Misconfigured(
            f"The {self._service.noun} endpoint does not answer as its API says",
            why=why,
            next_step=f"check that {self._service.base_url} is an address like {self._service.example}",
        )

    def _passing_fault(self, response: httpx.Response) -> tuple[str, float | None]:
        """What is wrong and the wait asked for, in seconds, when another try may help; raises when not."""
        status = response.status_code
        if status not in _WORTH_ANOTHER_TRY and status < 500:
            raise self._refusal(status)
        if status == 429 and _error_code(response.content) == "insufficient_quota":
            raise Misconfigured(
                f"The account at the {self._service.noun} endpoint {self.host} has no credit left",
                next_step=f"add credit, or use another key in {self._service.key}",
            )
        return f"HTTP {status}", seconds(response.headers.get("Retry-After"))

    def _refusal(self, status: int) -> Misconfigured:
        noun, model = self._service.noun, self._call.model
        if status in _REFUSES_TEXTS:
            return RequestRefused(
                f"The {noun} endpoint {self.host} refuses the request",
                why=f"HTTP {status} even for a short text, with model {model}",
                next_step=f"check {self._service.model}, and whether the model can give what was asked for",
            )
        if status in {401, 403}:
            return Misconfigured(
                f"The {noun} endpoint {self.host} refuses our key",
                why=f"HTTP {status}",
                next_step=f"check {self._service.key}",
            )
        return Misconfigured(
            f"The {noun} endpoint {self.host} has no model {model}, or no such API at {self._url.path}",
            why=f"HTTP {status}",
            next_step=f"check {self._service.model} and {self._service.base_url}",
        )

    def _given_up(self, cause: str, tries: int, asked: float | None) -> Transient:
        wish = "" if asked is None else f", asking us to wait {asked:.0f} s"
        return Transient(
            f"The {self._service.noun} endpoint {self.host} is not available",
            why=f"{cause}{wish}; tried {tries} times",
            next_step=f"try again later; if it stays so, check {self._service.base_url}",
        )


def usable_url(service: Service, text: str) -> httpx.URL:
    """`text` as the URL of a server; raises Misconfigured, without quoting it, when it is none."""
    try:
        url = httpx.URL(text)
    except httpx.InvalidURL:
        url = httpx.URL("")
    if url.scheme not in {"http", "https"} or not url.host:
        raise Misconfigured(
            f"The address of the {service.noun} endpoint is not a URL",
            next_step=f"set {service.base_url} to something like {service.example}",
        )
    return url


def bearer(service: Service, api_key: str) -> dict[str, str]:
    """The header that carries the key, none for an empty one; raises Misconfigured, without quoting it, when it cannot
    be a key."""
    # the HTTP library would refuse such a key too, but quote it
    if not (api_key.isascii() and api_key.isprintable()) or " " in api_key:
        raise Misconfigured(
            f"The key of the {service.noun} endpoint has a character that no key has",
            why="a space, a line break or a letter outside ASCII",
            next_step=f"copy the key again into {service.key}",
        )
    return {"Authorization": f"Bearer {api_key}"} if api_key else {}


def seconds(retry_after: str | None) -> float | None:
    """The value of a Retry-After header, which is a number of seconds or a date; None when it is neither."""
    if retry_after is None:
        return None
    try:
        return max(0.0, float(retry_after))
    except ValueError:
        pass
    try:
        return max(0.0, (parsedate_to_datetime(retry_after) - datetime.now(UTC)).total_seconds())
    except (ValueError, TypeError):  # no date, or one without a time zone
        return None


def _error_code(body: bytes) -> object:
    try:
        return json.loads(body)["error"]["code"]
    except (ValueError, LookupError, TypeError):
        return None
