"""Reranking by a server: the `/rerank` API that Cohere, Jina, vLLM, llama.cpp and others share, or the one of
Text Embeddings Inference."""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, cast, get_args

from agent.providers.endpoint import ROOM, Endpoint, EndpointModel, EndpointNames, RequestRefused, sent_in_parts
from domain.documents import compose
from domain.errors import Misconfigured, Transient
from domain.model_ports import Reranker
from domain.search import Passage
from domain.text.encodable import encodable
from net.retries import Retries

API_KEY = "KB_AGENT_RERANK_API_KEY"
URL = "KB_AGENT_RERANK_URL"
MODEL = "KB_AGENT_RERANK_MODEL"

_SERVICE = EndpointNames("reranking", "https://api.example.com/v1/rerank", URL, API_KEY, MODEL)

SHORT_TEXT = 256
"""Characters of a passage that every model can read: where a server refuses these, it is not for their length."""

ECHO = 12
"""Bytes that a character may take in a reply, as JSON escapes it: some servers send the passages back."""

Dialect = Literal["documents", "texts"]
"""What a request looks like.

documents: `{model, query, documents, top_n}`, as most servers have it.
texts: `{query, texts, truncate}`, as Text Embeddings Inference has it; the server has one model.

Replies are understood in either form, whatever was asked: `{"results": [{"index", "relevance_score"}]}` or
`[{"index", "score"}]`.
"""


@dataclass(frozen=True, slots=True)
class RerankEndpoint:
    """Where passages are reranked."""

    url: str
    """Address, with or without `/rerank` at its end."""
    api_key: str = field(default="", repr=False)
    """Sent as a bearer token; empty for a server that wants none."""
    model: str = ""
    """The server's name of the model; may be empty where it has only one."""
    dialect: Dialect | None = None
    """What a request looks like; None: found out by the first request."""
    batch_size: int = 32
    """Passages in one request; Text Embeddings Inference takes 32 unless it is told otherwise."""
    timeout: float = 10.0
    """Seconds for one try."""
    retries: Retries = field(default_factory=lambda: Retries(budget=10.0))
    """How long failing requests are tried again."""


class HttpReranker(EndpointModel, Reranker):
    """A model behind a `/rerank` endpoint.

    Some servers give logits instead of scores. Once any number lies outside 0..1, that reply's and all later ones are
    put through the logistic function, which keeps their order.

    Raises:
        Misconfigured: the URL or the key cannot be used at all.
    """

    def __init__(self, endpoint: RerankEndpoint) -> None:
        url = endpoint.url.rstrip("/").removesuffix("/rerank") + "/rerank"
        super().__init__(
            Endpoint(
                _SERVICE,
                url,
                api_key=endpoint.api_key,
                model=endpoint.model,
                timeout=endpoint.timeout,
                retries=endpoint.retries,
            )
        )
        self._settings = endpoint
        self._dialect = endpoint.dialect
        self._gives_logits = False

    @property
    def name(self) -> str:
        """The model, or the server's host where none is named."""
        return f"rerank/{self._settings.model or self._server.host}"

    async def scores(self, question: str, passages: Sequence[Passage]) -> list[float]:
        """One score in 0..1 for each passage, in order. A passage is sent with its title and headings; one that the
        server finds too long is represented by its beginning.

        Raises:
            Transient: the server is away or busy for longer than the retries last, or gives no usable numbers.
            Misconfigured: it refuses the key or the request, does not know the model, or does not speak this API.
        """
        # such servers refuse an empty text
        texts = [encodable(compose(each.title, each.heading_path, each.text)) or " " for each in passages]
        size, given = self._settings.batch_size, list[float]()
        if texts and self._dialect is None:
            self._dialect = await self._find_dialect()
        dialect = self._dialect or "documents"

        async def send(some: Sequence[str]) -> list[float]:
            most = ROOM + ECHO * sum(map(len, some))
            reply = await self._server.post(self._request(dialect, encodable(question) or " ", some), most)
            return _numbers(reply, len(some), self._server)

        for start in range(0, len(texts), size):
            given += await sent_in_parts(send, texts[start : start + size], SHORT_TEXT)
        self._gives_logits = self._gives_logits or any(not 0 <= number <= 1 for number in given)
        return [_logistic(number) for number in given] if self._gives_logits else given

    async def _find_dialect(self) -> Dialect:
        """What the server understands, by a request of two words: the common form, else the other one.

        Raises:
            Misconfigured: it understands neither.
        """
        refused: Misconfigured | None = None
        for dialect in get_args(Dialect):
            try:
                reply = await self._server.post(self._request(dialect, "question", ["passage"]), ROOM)
                _numbers(reply, 1, self._server)
            except RequestRefused as error:
                refused = refused or error
            else:
                return cast("Dialect", dialect)
        raise refused or self._server.unlike_the_api("no form of request was understood")

    def _request(self, dialect: Dialect, question: str, texts: Sequence[str]) -> Mapping[str, object]:
        if dialect == "texts":
            return {"query": question, "texts": texts, "truncate": True}
        named = {"model": self._settings.model} if self._settings.model else {}
        return {**named, "query": question, "documents": texts, "top_n": len(texts)}


def _numbers(body: bytes, count: int, endpoint: Endpoint) -> list[float]:
    """The scores of a reply in the order of the passages, as the server gives them."""
    try:
        reply = json.loads(body)
        items = reply if isinstance(reply, list) else reply["results"]
        found = {int(item["index"]): float(item.get("relevance_score", item.get("score"))) for item in items}
    except (ValueError, LookupError, TypeError, AttributeError, OverflowError, RecursionError):
        raise endpoint.unlike_the_api("the reply is not JSON with a list of `index` and `relevance_score`") from None
    if sorted(found) != list(range(count)) or len(items) != count:
        raise endpoint.unlike_the_api(f"asked for {count} scores, got {len(items)}")
    if not all(map(math.isfinite, found.values())):
        raise Transient(
            "The reranking endpoint gave a score that is no number",
            next_step="try again later; if it stays so, the server's model runs at too low a precision",
        )
    return [found[index] for index in range(count)]


def _logistic(logit: float) -> float:
    """1 / (1 + e^-logit), written so that nothing overflows."""
    return 0.5 * (1 + math.tanh(logit / 2))
