"""A local HTTP server that speaks both dialects of `/rerank` over words in common, and fails on demand."""

from dataclasses import dataclass
from typing import Any

from tests.fakes.json_server import JsonServer, Received
from tests.fakes.reranker import overlap

KEY = "rr-very-secret"
MODEL = "overlap-model"


@dataclass
class RerankServer(JsonServer):
    """What a test sets besides.

    max_batch: more passages in one request are answered with 413. max_characters: a longer one with 422.
    logits: whether scores are given as logits. speaks: names of the list of passages that it knows; a request with
    another one is refused with 422, as servers refuse a field they miss.
    """

    max_batch: int = 100
    max_characters: int = 100_000
    logits: bool = False
    speaks: tuple[str, ...] = ("documents", "texts")

    def answer(self, request: Received) -> tuple[int, Any]:
        asked = request.body
        texts = asked.get("documents", asked.get("texts"))
        if request.path != "/v1/rerank":
            return 404, {"error": "no such path"}
        if request.headers.get("Authorization") != f"Bearer {KEY}":
            return 401, {"error": f"wrong key {request.headers.get('Authorization')}"}
        if "documents" in asked and asked.get("model") != MODEL and "documents" in self.speaks:
            return 404, {"error": "no such model"}
        return self._read(asked, texts)

    def _read(self, asked: dict[str, Any], texts: list[str]) -> tuple[int, Any]:
        if not any(name in asked for name in self.speaks):
            return 422, {"error": f"missing field `{self.speaks[0]}`"}
        if len(texts) > self.max_batch:
            return 413, {"error": "too many"}
        if not asked["query"] or any(not text or len(text) > self.max_characters for text in texts):
            return 422, {"error": f"too long or empty: {texts}"}
        return 200, self._reply(asked, texts)

    def _reply(self, asked: dict[str, Any], texts: list[str]) -> Any:
        """Best first, as such servers do."""
        scores = [overlap(asked["query"], text) for text in texts]
        if self.logits:
            scores = [12 * score - 6 for score in scores]
        ranked = sorted(enumerate(scores), key=lambda pair: -pair[1])
        if "texts" in asked:
            return [{"index": index, "score": score} for index, score in ranked]
        results = [{"index": index, "relevance_score": score} for index, score in ranked[: asked["top_n"]]]
        return {"id": "1", "results": results}
