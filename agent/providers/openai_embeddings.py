"""Embeddings from any server that speaks OpenAI's API."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agent.providers.embedding_prefixes import Prefixes
from agent.providers.endpoint import ROOM, Endpoint, EndpointModel, EndpointNames, sent_in_parts
from domain.errors import Misconfigured, Transient
from domain.model_ports import Embedder, EmbedderIdentity, TextKind, Vectors
from domain.text.encodable import encodable
from domain.vector_names import vector_name
from net.retries import Retries

MODEL = "KB_AGENT_EMBEDDING_MODEL"

VECTOR_BYTES = 300_000
"""Of one vector in a reply, at most: some 8,000 numbers, written out."""

_NAMES = EndpointNames(
    "embeddings",
    "https://api.openai.com/v1",
    "KB_AGENT_EMBEDDING_BASE_URL",
    "KB_AGENT_EMBEDDING_API_KEY",
    MODEL,
)


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
    batch_size: int = 64
    """Texts in one request."""
    timeout: float = 30.0
    """Seconds for one try."""
    retries: Retries = field(default_factory=Retries)
    """How long failing requests are tried again."""
    prefixes: Prefixes = field(default_factory=Prefixes)
    """Put before each text."""
    input_types: Mapping[TextKind, str] = field(default_factory=dict)
    """What the request's field `input_type` says of each kind of text; empty for servers without that field."""

    def name(self, dimensions: int) -> str:
        """What names its vectors, of so many numbers: what it is told of passages makes other ones."""
        kinds = [self.input_types["passage"]] if self.input_types else []
        return vector_name(self.model, [self.prefixes.passage, *kinds], dimensions)


async def open_openai_embedder(endpoint: EmbeddingsEndpoint) -> "OpenAIEmbedder":
    """Asks the server for one vector, which shows whether everything is set right and how long its vectors are.

    Returns:
        An embedder to be closed by `aclose()` or `async with`.

    Raises:
        Transient: the server is away or busy.
        Misconfigured: it refuses the key, does not know the model, or does not speak this API.
    """
    server = _server(endpoint)
    try:
        dimensions = (await _vectors(server, endpoint, [endpoint.prefixes.query + "dimensions"], "query")).shape[1]
        return OpenAIEmbedder(endpoint, dimensions, server)
    except BaseException:
        await server.aclose()
        raise


class OpenAIEmbedder(EndpointModel, Embedder):
    """A model behind an OpenAI-compatible `/embeddings` endpoint.

    A text that the server finds too long is represented by the longest beginning that it accepts out of a half,
    a quarter, and so on.

    Args:
        endpoint: where and how.
        dimensions: numbers in one vector; a server that gives another number is refused.
        server: a connection to the endpoint, closed with this object; None: one of its own.

    Raises:
        Misconfigured: the URL or the key cannot be used.
    """

    def __init__(self, endpoint: EmbeddingsEndpoint, dimensions: int, server: Endpoint | None = None) -> None:
        super().__init__(server or _server(endpoint))
        self._endpoint = endpoint
        self._dimensions = dimensions

    @property
    def identity(self) -> EmbedderIdentity:
        """Model, prefix of passages, and length of its vectors; not the server's address, which may change."""
        name = self._endpoint.name(self._dimensions)
        query_prefix = self._endpoint.prefixes.query + self._endpoint.input_types.get("query", "")
        return EmbedderIdentity(name, self._dimensions, self._endpoint.max_tokens, encodable(query_prefix))

    async def embed(self, texts: Sequence[str], kind: TextKind = "passage") -> Vectors:
        """One L2-normalised row for each text, in order: float32, shape (len(texts), dimensions).

        Raises:
            Transient: the server is away or busy for longer than the retries last.
            Misconfigured: it refuses the key, does not know the model, or does not give its vectors.
        """
        size = self._endpoint.batch_size
        prefix = self._endpoint.prefixes.of(kind)
        sendable = [encodable(prefix + text) or " " for text in texts]  # these servers refuse an empty text
        ask = partial(self._rows, kind=kind)
        rows: list[NDArray[np.float32]] = []
        for start in range(0, len(texts), size):
            # hardly any character takes four tokens
            rows += await sent_in_parts(ask, sendable[start : start + size], self._endpoint.max_tokens // 4)
        return np.array(rows, dtype=np.float32).reshape(len(texts), self._dimensions)

    async def _rows(self, texts: Sequence[str], kind: TextKind) -> list[NDArray[np.float32]]:
        """What one request gives."""
        rows = await _vectors(self._server, self._endpoint, texts, kind)
        if rows.shape[1] != self._dimensions:
            raise Misconfigured(
                f"The embeddings endpoint's model {self._endpoint.model} gives vectors of another length",
                why=f"so far {self._dimensions} numbers, now {rows.shape[1]}",
                next_step=f"check {MODEL}; another model needs a new index",
            )
        return list(rows)


def _server(endpoint: EmbeddingsEndpoint) -> Endpoint:
    url = endpoint.base_url.rstrip("/").removesuffix("/embeddings") + "/embeddings"
    return Endpoint(
        _NAMES,
        url,
        api_key=endpoint.api_key,
        model=endpoint.model,
        timeout=endpoint.timeout,
        retries=endpoint.retries,
    )


async def _vectors(server: Endpoint, endpoint: EmbeddingsEndpoint, texts: Sequence[str], kind: TextKind) -> Vectors:
    """One L2-normalised row for each text, in order, by one request. texts: one or more, none empty, with prefixes.

    Raises:
        RequestRefused: a text is too long, or there are too many.
        Transient: the server is away or busy for longer than the retries last, or gives no usable numbers.
        Misconfigured: it refuses the key, does not know the model, or does not speak this API.
    """
    request: dict[str, Any] = {"model": endpoint.model, "input": list(texts), "encoding_format": "float"}
    if endpoint.input_types:
        request["input_type"] = endpoint.input_types[kind]
    body = await server.post(request, ROOM + VECTOR_BYTES * len(texts))
    return _normalised(_matrix(body, len(texts), server))


def _matrix(body: bytes, count: int, server: Endpoint) -> NDArray[np.float64]:
    """The vectors of a reply in the order of their `index`: shape (count, dimensions)."""
    try:
        data = json.loads(body)["data"]
        rows = {item.get("index", place): item["embedding"] for place, item in enumerate(data)}
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        raise server.unlike_the_api("the reply is not JSON with a list `data` of embeddings") from None
    if len(data) != count or len(rows) != count:
        raise server.unlike_the_api(
            f"asked for {count} vectors, got {len(data)}, {len(rows)} of them of different texts"
        )
    if not all(type(index) is int and 0 <= index < count for index in rows):
        raise server.unlike_the_api("an `index` is not the place of a text")
    try:
        matrix = np.array([_numbers(rows[index]) for index in range(count)], dtype=np.float64)
    except (ValueError, TypeError, OverflowError):
        matrix = np.empty(0)
    if matrix.ndim != 2 or matrix.shape[1] == 0:
        raise server.unlike_the_api("the vectors are not lists of numbers, all of one length")
    return matrix


def _numbers(row: object) -> list[float | None]:
    """A vector as it came, where some servers write null for what is no number; raises TypeError where it is none:
    numpy would read strings and truth values as numbers."""
    if not isinstance(row, list) or not set(map(type, row)) <= {int, float, type(None)}:
        raise TypeError
    return row


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
