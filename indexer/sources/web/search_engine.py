"""Searching the web by an engine that answers with JSON: SearXNG, Google's Custom Search and their like."""

import asyncio
import html
import json
import logging
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Self
from urllib.parse import quote

import httpx

from domain.errors import Misconfigured, Refused, Transient
from domain.tool_ports import LivePage, WebSearch
from net.inflate import DamagedError, Gunzip, Plain, TooLargeError
from net.retries import retry_after
from net.service import is_sendable, open_client, server_url
from net.targets import Target, target_of

MAX_QUERY = 400
"""Characters of a query that are sent."""

MAX_TITLE = 300
MAX_EXCERPT = 2_000
"""Characters kept of a result's title and excerpt."""

USUAL_PATHS = ("results", "web.results", "items", "data")
"""Where engines keep their list of results: SearXNG, Brave, Google, others."""

_URL, _TITLE, _EXCERPT = ("url", "link"), ("title",), ("content", "snippet", "description")
_LATER = frozenset({408, 425, 429})
_MARKUP = re.compile(r"</?(?:b|strong|em|i|mark|span|br|p)\b[^<>]{0,100}>", re.IGNORECASE)

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class SearchEndpoint:
    """A search engine, by the operator's choice."""

    url: str = field(repr=False)
    """With `{query}` and, if wanted, `{limit}` in it, which are percent-encoded; without `{query}`, as SearXNG wants
    it: `q` and `format=json` are added. It may hold a key, and is not shown in errors but for its host."""
    key: str = field(default="", repr=False)
    """Sent as a bearer token; empty for an engine that wants none."""
    max_bytes: int = 2_000_000
    """Of the unpacked reply."""
    timeout: float = 10.0
    """Seconds for all of it."""


class JsonWebSearch(WebSearch):
    """A search engine over HTTP; to be closed by `aclose()` or `async with`. One request a search, never tried again;
    no redirects, no proxies.

    Raises:
        Misconfigured: the URL or the key cannot be used at all.
    """

    def __init__(self, endpoint: SearchEndpoint) -> None:
        self._endpoint = endpoint
        self._template = _template(endpoint.url)
        self._host = _usable(_filled(self._template, "query", 1)).host
        wanted = {"Accept": "application/json", "Accept-Encoding": "gzip"}
        self._client = open_client({**wanted, **_key(endpoint.key)})

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Closes the connections."""
        await self._client.aclose()

    async def find(self, query: str, *, limit: int = 5) -> list[LivePage]:
        """At most `limit` results, best first, each URL once; those without an http or https URL are left out. The
        `text` is the engine's excerpt, plain. An empty query finds nothing.

        Raises:
            Transient: the engine is away, busy or too slow, or its reply breaks off.
            Misconfigured: it refuses us, or does not answer with JSON as told.
        """
        asked = " ".join(query.split())[:MAX_QUERY].encode("utf-8", "replace").decode()
        if not asked or limit < 1:
            return []
        url = _filled(self._template, asked, limit)
        found: dict[str, LivePage] = {}
        for page in self._pages(await self._reply(url)):
            found.setdefault(page.url, page)
        return list(found.values())[:limit]

    async def _reply(self, url: str) -> bytes:
        """The unpacked body of the engine's reply."""
        why = ""
        try:
            async with (
                asyncio.timeout(self._endpoint.timeout),
                self._client.stream("GET", url) as response,
            ):
                self._check(response)
                packed = response.headers.get("content-encoding", "").strip().lower() in {"gzip", "x-gzip"}
                sink = Gunzip(self._endpoint.max_bytes) if packed else Plain(self._endpoint.max_bytes)
                async for piece in response.aiter_raw():
                    sink.feed(piece)
                return sink.content()
        except TimeoutError:
            why = f"no whole reply within {self._endpoint.timeout:g} s"
        except (httpx.RequestError, DamagedError) as error:
            why = f"the connection failed or broke off ({type(error).__name__})"
        except TooLargeError:
            why = f"its reply is larger than {self._endpoint.max_bytes:,} bytes"
        # raised out here, so that the library's errors, which hold the request, are not part of ours
        raise self._away(why)

    def _check(self, response: httpx.Response) -> None:
        """Raises Transient or Misconfigured for a reply that is no success."""
        status = response.status_code
        if response.is_success:
            return
        if status >= 500 or status in _LATER:
            raise self._away(f"HTTP {status}", retry_after(response.headers.get("retry-after")))
        hint = "check its key, and whether it may answer in JSON" if status in {401, 403} else "check its URL"
        raise Misconfigured(f"The search engine {self._host} refuses us", why=f"HTTP {status}", next_step=hint)

    def _away(self, why: str, retry_after: float | None = None) -> Transient:
        return Transient(
            f"The search engine {self._host} is not available",
            why=why,
            next_step="try again later",
            retry_after=retry_after,
        )

    def _pages(self, body: bytes) -> Iterator[LivePage]:
        try:
            reply = json.loads(body)
        except (ValueError, RecursionError):
            reply = None
        if not isinstance(reply, dict | list):
            raise Misconfigured(
                f"The search engine {self._host} does not answer with JSON", next_step="check its URL and its settings"
            )
        for item in self._items(reply):
            if isinstance(item, dict):
                try:
                    target = target_of(_text(item, _URL).strip())
                except Refused:  # what could not be fetched, such as other schemes
                    continue
                yield _page(target, item)

    def _items(self, reply: object) -> list[object]:
        """The list of results; empty when it is missing: some engines leave it out when they find nothing."""
        if isinstance(reply, list):
            return reply
        for path in USUAL_PATHS:
            found = reply
            for part in path.split("."):
                found = found.get(part) if isinstance(found, dict) else None
            if isinstance(found, list):
                return found
        _log.info("the reply of the search engine %s has no list of results", self._host)
        return []


def _template(url: str) -> str:
    if "{query}" in url:
        return url
    base = url.partition("#")[0]
    return f"{base}{'&' if '?' in base else '?'}q={{query}}&format=json"


def _filled(template: str, query: str, limit: int) -> str:
    values = {"query": quote(query, safe=""), "limit": str(limit)}
    return re.sub(r"\{(query|limit)\}", lambda found: values[found[1]], template)


def _usable(url: str) -> httpx.URL:
    found = server_url(url)
    if found is None:
        raise Misconfigured(
            "The address of the search engine is not a URL",
            next_step="set something like https://search.example.com/search or https://api.example.com/?q={query}",
        )
    return found


def _key(key: str) -> dict[str, str]:
    if not is_sendable(key):
        raise Misconfigured(
            "The key of the search engine has a character that cannot be sent", next_step="copy the key again"
        )
    return {"Authorization": f"Bearer {key}"} if key else {}


def _text(item: dict[str, object], names: Sequence[str]) -> str:
    """The first of the fields `names` that is a text with something in it."""
    values = (item.get(name) for name in names)
    return next((value for value in values if isinstance(value, str) and value.strip()), "")


def _page(target: Target, item: dict[str, object]) -> LivePage:
    url = str(target.url)
    return LivePage(
        url=url,
        title=_plain(_text(item, _TITLE), MAX_TITLE) or target.host,
        text=_plain(_text(item, _EXCERPT), MAX_EXCERPT),
        path=url.partition("://")[2],
        source=target.host,
        media_type="text/html",
    )


def _plain(text: str, limit: int) -> str:
    """`text` without the engine's mark-up, on one line, cut to `limit` characters."""
    return " ".join(html.unescape(_MARKUP.sub("", text)).split())[:limit]
