"""The protocols of models and of what keeps their replies; tests/contract holds every implementation to them."""

from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from domain.chat import ChatRequest
from domain.search import Passage

Vectors = NDArray[np.float32]

TextKind = Literal["query", "passage"]
"""Of a text to embed: many models make other vectors of what is asked than of what is found by it."""


@dataclass(frozen=True, slots=True)
class EmbedderIdentity:
    """What makes vectors comparable."""

    name: str
    """Model and revision; vectors of different names are never compared."""
    dimensions: int
    """Numbers in one vector."""
    max_tokens: int
    """How much of a text, in the tokens of `TokenCounter`, one vector covers."""
    query_prefix: str = ""
    """Prefix (instruction) put before a query; cosines depend on it."""


class TokenCounter(Protocol):
    """Measures text in the embedding model's tokens."""

    def offsets(self, texts: Sequence[str]) -> list[list[tuple[int, int]]]:
        """For each text, the [start, end) character range of each of its tokens, special tokens left out."""


class Embedder(Protocol):
    """Turns text into vectors whose inner product is their cosine."""

    @property
    def identity(self) -> EmbedderIdentity:
        """Model, dimensions, and how much of a text one vector covers."""

    async def embed(self, texts: Sequence[str], kind: TextKind = "passage") -> Vectors:
        """One L2-normalised row for each text, in order: float32, shape (len(texts), dimensions).

        The same text gives the same row (cosine at least 0.999) in whatever company it is embedded.

        Args:
            texts: of any length; of each, the beginning that the model reads counts.
            kind: questions and passages are compared with each other; texts of one sort, as names, all as `query`.

        Raises:
            Transient: the model's server is away or busy.
            Misconfigured: the model is missing, or refuses our credentials.
        """


class ChatModel(Protocol):
    """A language model that is spoken to in messages."""

    @property
    def name(self) -> str:
        """What names the model in caches and traces."""

    async def complete(self, request: ChatRequest) -> str:
        """The whole reply. Exactly one request is made to the model's server.

        Raises:
            Transient: the server is away, busy or too slow, or its reply is empty; `retry_after` where it said so.
            Refused: the model will not answer, or the request is longer than it can read.
            Misconfigured: the server refuses the key, or does not know the model.
        """

    def stream(self, request: ChatRequest) -> AsyncGenerator[str, None]:
        """The reply in pieces as they come; raises as `complete` does, also in the middle of a reply, and Refused
        behind the last piece of one that is longer than the request allows. Closing it closes its connection."""


class Reranker(Protocol):
    """Says how well passages answer a question, by looking at both together."""

    @property
    def name(self) -> str:
        """What names it in traces."""

    async def scores(self, question: str, passages: Sequence[Passage]) -> list[float]:
        """One score in 0..1 for each passage, in order; higher is better.

        Raises:
            Transient: its server is away or busy.
            Misconfigured: its server refuses us.
        """


class ReplyCache(Protocol):
    """Keeps replies of a model by a key that says everything they depend on."""

    async def get(self, key: bytes) -> str | None:
        """The reply kept under `key`, unless it is too old."""

    async def put(self, key: bytes, reply: str) -> None:
        """Keeps a reply; when there are too many, those unused for longest go."""
