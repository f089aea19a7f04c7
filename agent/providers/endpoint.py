"""A POST to a model's server: sent, tried again, its faults translated.

No error made here contains the key, the request, or anything the server wrote: servers like to quote both.
"""

import asyncio
import json
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Self, TypeVar

import httpx

from domain.errors import Misconfigured, Transient
from domain.metrics import outgoing_request
from net.retries import Retries, retry_after, retrying
from net.service import is_sendable, open_client, server_url

T = TypeVar("T")

PASSING, REFUSED = frozenset({408, 409, 425, 429}), frozenset({400, 413, 422})
"""Statuses after which another try may help, and of a request that is refused as such."""


ROOM = 1_000_000
"""Bytes of a reply besides what it has for each text."""


@dataclass(frozen=True, slots=True)
class EndpointNames:
    """An endpoint in the words of its errors."""

    noun: str
    """What it gives, as in `the embeddings endpoint`."""
    example: str
    """An address of one."""
    base_url: str
    """Name of the setting that has the address; `key` and `model` are such names, too."""
    key: str
    model: str


class RequestRefused(Misconfigured):
    """The server refuses the request as such: a text is too long, or there are too many."""


class _PassingFault(Transient):
    """What went wrong with one try; another one may help."""


class _TooLarge(Exception):
    """A reply is larger than any may be."""


class Endpoint:
    """A connection to a server of models.

    Args:
        service: what it is called in errors.
        url: that requests go to.
        api_key: sent as a bearer token; empty for a server that wants none.
        model: for messages.
        timeout: seconds for one try.
        retries: how long failing requests are tried again.

    Raises:
        Misconfigured: the URL or the key cannot be used at all.
    """

    def __init__(
        self, service: EndpointNames, url: str, *, api_key: str, model: str, timeout: float, retries: Retries
    ) -> None:
        self._service, self._model, self._timeout, self._retries = service, model, timeout, retries
        self._url = usable_url(service, url)
        self._client = open_client(bearer(service, api_key))

    @property
    def host(self) -> str:
        """The server's host, for names and messages."""
        host: str = self._url.host
        return host

    async def aclose(self) -> None:
        """Closes the connections."""
        await self._client.aclose()

    async def post(self, request: Mapping[str, object], most: int) -> bytes:
        """The body of the first successful reply to `request`, sent as JSON; of a larger one than `most` bytes, no more
        is read.

        Raises:
            RequestRefused: a text is too long, or there are too many.
            Transient: the server is away or busy for longer than the retries last.
            Misconfigured: it refuses the key, does not know the model, does not speak this API, or its reply is larger.
        """
        retries = self._retries
        again = retrying(
            lambda failed, error: retries.pause(failed, error.retry_after), until=time.monotonic() + retries.budget
        )
        try:
            return await again(self._post_with_metrics, request, most)
        except _PassingFault as fault:
            raise self._given_up(fault, again.statistics["attempt_number"]) from None

    async def _post_with_metrics(self, request: Mapping[str, object], most: int) -> bytes:
        with outgoing_request(self._service.noun, "post"):
            return await self._post_once(request, most)

    async def _post_once(self, request: Mapping[str, object], most: int) -> bytes:
        """The body of a successful reply. Raises _PassingFault when another try may help."""
        try:
            async with (
                asyncio.timeout(self._timeout),
                self._client.stream("POST", self._url, json=request) as response,
            ):
                body = await _body(response, most)
        except TimeoutError:
            raise _PassingFault(f"no reply within {self._timeout:g} s") from None
        except httpx.RequestError as error:
            raise _PassingFault(f"no connection ({type(error).__name__})") from None
        except _TooLarge:
            raise self.unlike_the_api(f"its reply is larger than {most:,} bytes") from None
        if response.is_success:
            return body
        raise self._passing_fault(response, body)

    def unlike_the_api(self, why: str) -> Misconfigured:
        """What to raise for a reply that is not of this API."""
        return Misconfigured(
            f"The {self._service.noun} endpoint does not answer as its API says",
            why=why,
            next_step=f"check that {self._service.base_url} is an address like {self._service.example}",
        )

    def _passing_fault(self, response: httpx.Response, body: bytes) -> "_PassingFault":
        """What is wrong when another try may help; raises when not."""
        status = response.status_code
        if status not in PASSING and status < 500:
            raise self._refusal(status)
        if status == 429 and _error_code(body) == "insufficient_quota":
            raise Misconfigured(
                f"The account at the {self._service.noun} endpoint {self.host} has no credit left",
                next_step=f"add credit, or use another key in {self._service.key}",
            )
        return _PassingFault(f"HTTP {status}", retry_after=retry_after(response.headers.get("Retry-After")))

    def _refusal(self, status: int) -> Misconfigured:
        noun, model = self._service.noun, self._model
        if status in REFUSED:
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

    def _given_up(self, fault: "_PassingFault", tries: int) -> Transient:
        wish = "" if fault.retry_after is None else f", asking us to wait {fault.retry_after:.0f} s"
        return Transient(
            f"The {self._service.noun} endpoint {self.host} is not available",
            why=f"{fault.what}{wish}; tried {tries} times",
            next_step=f"try again later; if it stays so, check {self._service.base_url}",
        )


class EndpointModel:
    """A model behind an endpoint; to be closed by `aclose()` or `async with`."""

    def __init__(self, server: Endpoint) -> None:
        self._server = server

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Closes the connections; nothing can be asked afterwards."""
        await self._server.aclose()


async def sent_in_parts(
    send: Callable[[Sequence[str]], Awaitable[Sequence[T]]], texts: Sequence[str], shortest: int
) -> list[T]:
    """What `send` gives for each text, by one request, or by several smaller ones where the server finds that too big:
    apart, so that one long text does not shorten its neighbours; then with the beginning of the text alone.

    shortest: characters of a text that every model can read: where a server refuses these, it is not for their length.
    """
    try:
        return list(await send(texts))
    except RequestRefused:
        if half := len(texts) // 2:
            first = await sent_in_parts(send, texts[:half], shortest)
            return first + await sent_in_parts(send, texts[half:], shortest)
        if len(texts[0]) <= shortest:
            raise
        return await sent_in_parts(send, [texts[0][: len(texts[0]) // 2]], shortest)


def usable_url(service: EndpointNames, text: str) -> httpx.URL:
    """`text` as the URL of a server; raises Misconfigured, without quoting it, when it is none."""
    url = server_url(text)
    if url is None:
        raise Misconfigured(
            f"The address of the {service.noun} endpoint is not a URL",
            next_step=f"set {service.base_url} to something like {service.example}",
        )
    return url


def bearer(service: EndpointNames, api_key: str) -> dict[str, str]:
    """The header that carries the key, none for an empty one; raises Misconfigured, without quoting it, when it cannot
    be a key."""
    if not is_sendable(api_key) or " " in api_key:
        raise Misconfigured(
            f"The key of the {service.noun} endpoint has a character that no key has",
            why="a space, a line break or a letter outside ASCII",
            next_step=f"copy the key again into {service.key}",
        )
    return {"Authorization": f"Bearer {api_key}"} if api_key else {}


async def _body(response: httpx.Response, most: int) -> bytes:
    """The body of a reply, as it is unpacked; raises _TooLarge as soon as it has more than `most` bytes."""
    body = bytearray()
    async for part in response.aiter_bytes():
        body += part
        if len(body) > most:
            raise _TooLarge
    return bytes(body)


def _error_code(body: bytes) -> object:
    try:
        return json.loads(body)["error"]["code"]
    except (ValueError, LookupError, TypeError, RecursionError):
        return None
