"""A local search engine that answers as SearXNG, Brave or Google do, and fails on demand."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.fakes.json_server import JsonServer, Received

KEY = "ws-very-secret"

Result = tuple[str, str, str]
"""URL, title, excerpt."""


@dataclass
class WebSearchServer(JsonServer):
    """What a test sets besides: results, what is found by the words of their titles."""

    results: list[Result] = field(default_factory=list)

    def answer(self, request: Received) -> tuple[int, Any]:
        query = request.query.get("q", "")
        match request.path:
            case "/search":
                return self._as_searxng(request, query)
            case "/brave":
                found = self._rows(query, "url", "description")[: int(request.query["count"])]
                return 200, {"type": "search", **({"web": {"results": found}} if found else {})}
            case "/google":
                return 200, {"kind": "customsearch", "items": self._rows(query, "link", "snippet")}
            case _:
                return 404, {"error": "no such path"}

    def _as_searxng(self, request: Received, query: str) -> tuple[int, Any]:
        if request.query.get("format") != "json":
            return 403, {"error": "only HTML is allowed"}
        return 200, {"query": query, "results": self._rows(query, "url", "content")}

    def _rows(self, query: str, url: str, excerpt: str) -> list[dict[str, str]]:
        return [{url: one, "title": two, excerpt: three} for one, two, three in matching(self.results, query)]


def matching(results: Sequence[Result], query: str) -> list[Result]:
    return [each for each in results if set(query.lower().split()) <= set(each[1].lower().split())]
