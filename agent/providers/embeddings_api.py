"""One call of an OpenAI-compatible `/embeddings` endpoint: sent, tried again, checked, its faults translated.

No error made here contains the key, the texts, or anything the server wrote: servers like to quote both.
"""

import asyncio
import json
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

import httpx
import numpy as np
from numpy.typing import NDArray

from domain.errors import Misconfigured, Transient
from domain.ports import Vectors

API_KEY = "KB_AGENT_EMBEDDING_API_KEY"
BASE_URL = "KB_AGENT_EMBEDDING_BASE_URL"
MODEL = "KB_AGENT_EMBEDDING_MODEL"

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
class EmbeddingsEndpoint:
    """Where embeddings come from.

    base_url: up to and without `/embeddings`, as in https://api.openai.com/v1.
    api_key: sent as a bearer token; empty for a server that wants none.
    model: the server's name of the model.
    max_tokens: how much of a text the model reads.
    dimensions: asked of the server, for models that can shorten their vectors; None: whatever it gives.
    batch_size: texts in one request.
    timeout: seconds for one try.
    retries: how long failing requests are tried again.
    """

    base_url: str
    api_key: str = field(repr=False)
    model: str
    max_tokens: int = 512
    dimensions: int | None = None
    batch_size: int = 64
    timeout: float = 30.0
    retries: Retries = Retries()


class TextsRefused(Misconfigured):
    """The server refuses the request as such: a text is too long, or there are too many."""


class EmbeddingsApi:
    """A connection to an endpoint.

    Args:
        endpoint: where and how.
        transport: carries the requests instead of httpx's own, for a proxy or a private certificate authority:
            the environment's proxy variables are not read.

    Raises:
        Misconfigured: the URL or the key cannot be used at all.
    """

    def __init__(self, endpoint: EmbeddingsEndpoint, transport: httpx.AsyncBaseTransport | None = None) -> None:
        self._endpoint = endpoint
        self._url = _embeddings_url(endpoint.base_url)
        self._client = httpx.AsyncClient(
            headers=_headers(endpoint.api_key),
            timeout=None,  # noqa: S113 - each try as a whole has its time in _answer, which also ends a trickle
            transport=transport,
            trust_env=False,
        )

    async def aclose(self) -> None:
        """Closes the connections."""
        await self._client.aclose()

    async def vectors(self, texts: Sequence[str]) -> Vectors:
        """One L2-normalised row for each text, in order: float32, shape (len(texts), whatever the model gives).

        Args:
            texts: one or more, none empty, within the server's limits.

        Raises:
            TextsRefused: a text is too long, or there are too many.
            Transient: the server is away or busy for longer than the retries last, or gives no usable numbers.
            Misconfigured: it refuses the key, does not know the model, or does not speak this API.
        """
        request: dict[str, object] = {
            "model": self._endpoint.model,
            "input": list(texts),
            "encoding_format": "float",
        }
        if self._endpoint.dimensions is not None:
            request["dimensions"] = self._endpoint.dimensions
        return _normalised(_rows(await self._answer(request), len(texts)))

    async def _answer(self, request: dict[str, object]) -> bytes:
        """The body of the first successful reply."""
        retries, start, tries = self._endpoint.retries, time.monotonic(), 0
        while True:
            asked = None
            try:
                async with asyncio.timeout(self._endpoint.timeout):
                    response = await self._client.post(self._url, json=request)
            except TimeoutError:
                cause = f"no reply within {self._endpoint.timeout:g} s"
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

    def _passing_fault(self, response: httpx.Response) -> tuple[str, float | None]:
        """What is wrong and the wait asked for, in seconds, when another try may help; raises when not."""
        status = response.status_code
        if status not in _WORTH_ANOTHER_TRY and status < 500:
            raise self._refusal(status)
        if status == 429 and _error_code(response.content) == "insufficient_quota":
            raise Misconfigured(
                f"The account at the embeddings endpoint {self._url.host} has no credit left",
                next_step=f"add credit, or use another key in {API_KEY}",
            )
        return f"HTTP {status}", _seconds(response.headers.get("Retry-After"))

    def _refusal(self, status: int) -> Misconfigured:
        host, model = self._url.host, self._endpoint.model
        if status in _REFUSES_TEXTS:
            return TextsRefused(
                f"The embeddings endpoint {host} refuses the request",
                why=f"HTTP {status} even for a short text, with model {model}",
                next_step=f"check {MODEL}, and whether the model can give the number of dimensions asked for",
            )
        if status in {401, 403}:
            return Misconfigured(
                f"The embeddings endpoint {host} refuses our key",
                why=f"HTTP {status}",
                next_step=f"check {API_KEY}",
            )
        return Misconfigured(
            f"The embeddings endpoint {host} has no model {model}, or no embeddings at {self._url.path}",
            why=f"HTTP {status}",
            next_step=f"check {MODEL} and {BASE_URL}",
        )

    def _given_up(self, cause: str, tries: int, asked: float | None) -> Transient:
        wish = "" if asked is None else f", asking us to wait {asked:.0f} s"
        return Transient(
            f"The embeddings endpoint {self._url.host} is not available",
            why=f"{cause}{wish}; tried {tries} times",
            next_step=f"try again later; if it stays so, check {BASE_URL}",
        )


def _embeddings_url(base_url: str) -> httpx.URL:
    try:
        url = httpx.URL(base_url.rstrip("/").removesuffix("/embeddings") + "/embeddings")
    except httpx.InvalidURL:
        url = httpx.URL("")
    if url.scheme not in {"http", "https"} or not url.host:
        raise Misconfigured(
            "The address of the embeddings endpoint is not a URL",
            next_step=f"set {BASE_URL} to something like https://api.openai.com/v1",
        )
    return url


def _headers(api_key: str) -> dict[str, str]:
    # the HTTP library would refuse such a key too, but quote it
    if not (api_key.isascii() and api_key.isprintable()) or " " in api_key:
        raise Misconfigured(
            "The key of the embeddings endpoint has a character that no key has",
            why="a space, a line break or a letter outside ASCII",
            next_step=f"copy the key again into {API_KEY}",
        )
    return {"Authorization": f"Bearer {api_key}"} if api_key else {}


def _seconds(retry_after: str | None) -> float | None:
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


def _rows(body: bytes, count: int) -> NDArray[np.float64]:
    """The vectors of a reply in the order of their `index`: shape (count, dimensions)."""
    try:
        data = json.loads(body)["data"]
        rows = {int(item.get("index", place)): item["embedding"] for place, item in enumerate(data)}
    except (ValueError, LookupError, TypeError, AttributeError):
        raise _not_the_api("the reply is not JSON with a list `data` of embeddings") from None
    if sorted(rows) != list(range(count)):
        raise _not_the_api(f"asked for {count} vectors, got {len(data)}")
    try:
        matrix = np.array([rows[index] for index in range(count)], dtype=np.float64)
    except (ValueError, TypeError):
        matrix = np.empty(0)
    if matrix.ndim != 2 or matrix.shape[1] == 0:
        raise _not_the_api("the vectors are not lists of numbers, all of one length")
    return matrix


def _normalised(rows: NDArray[np.float64]) -> Vectors:
    with np.errstate(over="ignore", invalid="ignore"):
        norms = np.linalg.norm(rows, axis=1, keepdims=True)
    if not np.all(np.isfinite(norms) & (norms > 0)):
        raise Transient(
            "The embeddings endpoint gave a vector without a direction",
            why="it is all zeros, or has numbers that are not finite",
            next_step="try again later; if it stays so, the server's model runs at too low a precision",
        )
    vectors: Vectors = (rows / norms).astype(np.float32)
    return vectors


def _not_the_api(why: str) -> Misconfigured:
    return Misconfigured(
        "The embeddings endpoint does not answer as the OpenAI API does",
        why=why,
        next_step=f"check that {BASE_URL} is the address of an OpenAI-compatible API, usually ending in /v1",
    )
