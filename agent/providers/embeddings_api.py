"""One call of an OpenAI-compatible `/embeddings` endpoint: what is asked, and what is made of the reply."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field

import httpx
import numpy as np
from numpy.typing import NDArray

from agent.providers.endpoint import Endpoint, EndpointCall, EndpointNames
from domain.errors import Transient
from domain.ports import Vectors
from net.retries import Retries

__all__ = ["API_KEY", "BASE_URL", "MODEL", "EmbeddingsApi", "EmbeddingsEndpoint", "Retries"]

API_KEY = "KB_AGENT_EMBEDDING_API_KEY"
BASE_URL = "KB_AGENT_EMBEDDING_BASE_URL"
MODEL = "KB_AGENT_EMBEDDING_MODEL"

_SERVICE = EndpointNames("embeddings", "https://api.openai.com/v1", BASE_URL, API_KEY, MODEL)


@dataclass(frozen=True, slots=True)
class EmbeddingsEndpoint:
    """Where embeddings come from."""

    base_url: str
    """Address up to and without `/embeddings`, as in https://api.openai.com/v1."""
    api_key: str = field(repr=False)
    """Sent as a bearer token; empty for a server that wants none."""
    model: str
    """The server's name of the model."""
    max_tokens: int = 512
    """Tokens of a text that the model reads."""
    dimensions: int | None = None
    """Asked of the server, for models that can shorten their vectors; None: whatever it gives."""
    batch_size: int = 64
    """Texts in one request."""
    timeout: float = 30.0
    """Seconds for one try."""
    retries: Retries = field(default_factory=Retries)
    """How long failing requests are tried again."""


class EmbeddingsApi:
    """A connection to an endpoint.

    Args:
        endpoint: where and how.
        transport: see agent.providers.endpoint.Endpoint.

    Raises:
        Misconfigured: the URL or the key cannot be used at all.
    """

    def __init__(self, endpoint: EmbeddingsEndpoint, transport: httpx.AsyncBaseTransport | None = None) -> None:
        self._model, self._dimensions = endpoint.model, endpoint.dimensions
        url = endpoint.base_url.rstrip("/").removesuffix("/embeddings") + "/embeddings"
        call = EndpointCall(url, endpoint.api_key, endpoint.model, endpoint.timeout, endpoint.retries)
        self._endpoint = Endpoint(_SERVICE, call, transport)

    async def aclose(self) -> None:
        """Closes the connections."""
        await self._endpoint.aclose()

    async def vectors(self, texts: Sequence[str]) -> Vectors:
        """One L2-normalised row for each text, in order: float32, shape (len(texts), whatever the model gives).

        Args:
            texts: one or more, none empty, within the server's limits.

        Raises:
            RequestRefused: a text is too long, or there are too many.
            Transient: the server is away or busy for longer than the retries last, or gives no usable numbers.
            Misconfigured: it refuses the key, does not know the model, or does not speak this API.
        """
        request: dict[str, object] = {"model": self._model, "input": list(texts), "encoding_format": "float"}
        if self._dimensions is not None:
            request["dimensions"] = self._dimensions
        return _normalised(_rows(await self._endpoint.post(request), len(texts), self._endpoint))


def _rows(body: bytes, count: int, endpoint: Endpoint) -> NDArray[np.float64]:
    """The vectors of a reply in the order of their `index`: shape (count, dimensions)."""
    try:
        data = json.loads(body)["data"]
        rows = {int(item.get("index", place)): item["embedding"] for place, item in enumerate(data)}
    except (ValueError, LookupError, TypeError, AttributeError):
        raise endpoint.unlike_the_api("the reply is not JSON with a list `data` of embeddings") from None
    if sorted(rows) != list(range(count)):
        raise endpoint.unlike_the_api(f"asked for {count} vectors, got {len(data)}")
    try:
        matrix = np.array([rows[index] for index in range(count)], dtype=np.float64)
    except (ValueError, TypeError):
        matrix = np.empty(0)
    if matrix.ndim != 2 or matrix.shape[1] == 0:
        raise endpoint.unlike_the_api("the vectors are not lists of numbers, all of one length")
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
