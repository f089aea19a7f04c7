"""Embeddings from any server that speaks OpenAI's API."""

from collections.abc import Sequence
from types import TracebackType
from typing import Self

import httpx
import numpy as np

from agent.providers.embeddings_api import MODEL, EmbeddingsApi, EmbeddingsEndpoint
from agent.providers.endpoint import RequestRefused
from domain.errors import Misconfigured
from domain.ports import Embedder, EmbedderIdentity, Vectors
from domain.text.encodable import encodable


async def open_openai_embedder(
    endpoint: EmbeddingsEndpoint, *, transport: httpx.AsyncBaseTransport | None = None
) -> "OpenAIEmbedder":
    """Asks the server for one vector, which shows whether everything is set right and how long its vectors are.

    Args:
        endpoint: where and how.
        transport: see EmbeddingsApi.

    Returns:
        An embedder to be closed by `aclose()` or `async with`.

    Raises:
        Transient: the server is away or busy.
        Misconfigured: it refuses the key, does not know the model, or does not speak this API.
    """
    api = EmbeddingsApi(endpoint, transport)
    try:
        dimensions = (await api.vectors(["dimensions"])).shape[1]
        return OpenAIEmbedder(endpoint, dimensions, api)
    except BaseException:
        await api.aclose()
        raise


class OpenAIEmbedder(Embedder):
    """A model behind an OpenAI-compatible `/embeddings` endpoint.

    A text that the server finds too long is represented by the longest beginning that it accepts out of a half,
    a quarter, and so on.

    Args:
        endpoint: where and how.
        dimensions: numbers in one vector; a server that gives another number is refused.
        api: a connection to the endpoint, closed with this object; None: one of its own.

    Raises:
        Misconfigured: `dimensions` are not those that `endpoint` asks for; the URL or the key cannot be used.
    """

    def __init__(self, endpoint: EmbeddingsEndpoint, dimensions: int, api: EmbeddingsApi | None = None) -> None:
        if endpoint.dimensions not in {None, dimensions}:
            raise _wrong_dimensions(endpoint.model, f"asked for {endpoint.dimensions}", dimensions)
        self._endpoint = endpoint
        self._dimensions = dimensions
        self._api = api or EmbeddingsApi(endpoint)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Closes the connections; nothing can be embedded afterwards."""
        await self._api.aclose()

    @property
    def identity(self) -> EmbedderIdentity:
        """Model and length of its vectors; not the server's address, which may change."""
        name = f"{self._endpoint.model}/{self._dimensions}"
        return EmbedderIdentity(name, self._dimensions, self._endpoint.max_tokens)

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """One L2-normalised row for each text, in order: float32, shape (len(texts), dimensions).

        Raises:
            Transient: the server is away or busy for longer than the retries last.
            Misconfigured: it refuses the key, does not know the model, or does not give its vectors.
        """
        size = self._endpoint.batch_size
        sendable = [encodable(text) or " " for text in texts]  # these servers refuse an empty text
        parts = [await self._rows(sendable[start : start + size]) for start in range(0, len(texts), size)]
        return np.concatenate([np.empty((0, self._dimensions), dtype=np.float32), *parts])

    async def _rows(self, texts: Sequence[str]) -> Vectors:
        """One request, or several smaller ones where the server finds it too big."""
        try:
            rows = await self._api.vectors(texts)
        except RequestRefused:
            if len(texts) > 1:
                # apart, so that one long text does not shorten its neighbours
                middle = len(texts) // 2
                return np.concatenate([await self._rows(texts[:middle]), await self._rows(texts[middle:])])
            if len(texts[0]) <= self._endpoint.max_tokens // 4:
                raise  # hardly any character takes four tokens: it is not the length
            return await self._rows([texts[0][: len(texts[0]) // 2]])
        if rows.shape[1] != self._dimensions:
            raise _wrong_dimensions(self._endpoint.model, f"so far {self._dimensions}", rows.shape[1])
        return rows


def _wrong_dimensions(model: str, expected: str, found: int) -> Misconfigured:
    return Misconfigured(
        f"The embeddings endpoint's model {model} gives vectors of another length",
        why=f"{expected} numbers, now {found}",
        next_step=f"check {MODEL} and the number of dimensions asked for; another model needs a new index",
    )
