"""JsonWebSearch against a local engine that misbehaves in every way it can."""

import gzip
import json
import time
import traceback
from collections.abc import AsyncIterator
from typing import Any

import pytest

from domain.errors import KbError, Misconfigured, Transient
from domain.tool_ports import LivePage, WebSearch
from indexer.sources.web.search_engine import MAX_EXCERPT, MAX_QUERY, MAX_TITLE, JsonWebSearch, SearchEndpoint
from tests.fakes.json_server import body, hang, reset, status, trickle
from tests.fakes.web_search_server import KEY, WebSearchServer

PRIVATE = "".join(("Confi", "dential"))  # put together, as a traceback shows lines of this file
RESULTS = [
    ("https://example.com/a?x=1", "Release notes 5", "All that is new."),
    ("http://example.org/b", "Release plan", "What will be new."),
    ("https://example.net/", "Garden", "Slugs."),
]


@pytest.fixture
async def server() -> AsyncIterator[WebSearchServer]:
    async with WebSearchServer(results=list(RESULTS)) as running:
        yield running


async def find(endpoint: SearchEndpoint, query: str = "release", limit: int = 5) -> list[LivePage]:
    async with JsonWebSearch(endpoint) as engine:
        return await engine.find(query, limit=limit)


def urls(found: list[LivePage]) -> list[str]:
    return [page.url for page in found]


async def failure(endpoint: SearchEndpoint, kind: type[KbError]) -> KbError:
    """The error that a search ends in; it and its whole traceback must not give the key or the query away."""
    with pytest.raises(kind) as raised:
        await find(endpoint, PRIVATE)
    told = "".join(traceback.format_exception(raised.value))
    assert KEY not in told
    assert PRIVATE not in told
    return raised.value


async def test_searxng_needs_nothing_but_its_address(server: WebSearchServer) -> None:
    engine: WebSearch
    async with JsonWebSearch(SearchEndpoint(server.url + "/search")) as engine:
        found = await engine.find("release")
    assert found == [
        LivePage(
            "https://example.com/a?x=1",
            "Release notes 5",
            "All that is new.",
            path="example.com/a?x=1",
            source="example.com",
            media_type="text/html",
        ),
        LivePage(
            "http://example.org/b",
            "Release plan",
            "What will be new.",
            path="example.org/b",
            source="example.org",
            media_type="text/html",
        ),
    ]
    (request,) = server.requests
    assert request.query == {"q": "release", "format": "json"}
    assert "Authorization" not in request.headers


@pytest.mark.parametrize("suffix", ["/search?language=en", "/search?language=en#top"])
async def test_an_address_may_have_parameters_of_its_own(server: WebSearchServer, suffix: str) -> None:
    assert len(await find(SearchEndpoint(server.url + suffix))) == 2
    assert server.requests[0].query == {"language": "en", "q": "release", "format": "json"}


async def test_a_template_says_where_query_and_limit_stand(server: WebSearchServer) -> None:
    found = await find(SearchEndpoint(server.url + "/brave?q={query}&count={limit}"), limit=1)
    assert urls(found) == ["https://example.com/a?x=1"]
    assert found[0].text == "All that is new."
    assert server.requests[0].query == {"q": "release", "count": "1"}


async def test_a_key_goes_as_a_bearer_token_by_default(server: WebSearchServer) -> None:
    await find(SearchEndpoint(server.url + "/search", KEY))
    assert server.requests[0].headers["Authorization"] == f"Bearer {KEY}"


async def test_other_names_and_places_of_fields(server: WebSearchServer) -> None:
    assert urls(await find(SearchEndpoint(server.url + "/google?q={query}"))) == [one for one, *_ in RESULTS[:2]]


async def test_nothing_found_is_no_error(server: WebSearchServer) -> None:
    brave = SearchEndpoint(server.url + "/brave?q={query}&count={limit}")
    assert await find(SearchEndpoint(server.url + "/search"), "unheard") == []
    assert await find(brave, "unheard") == []


@pytest.mark.parametrize(
    "query", ["a&b=c#d", "100 % {limit} {query}", "größe 東京", "a/b?c", "+plus", "\\", "half \ud800 pair", '"x"; --']
)
async def test_a_query_arrives_as_it_is(server: WebSearchServer, query: str) -> None:
    await find(SearchEndpoint(server.url + "/google?before={limit}&q={query}"), query)
    assert server.requests[0].query == {"before": "5", "q": query.replace("\ud800", "?")}


async def test_a_query_is_one_line_of_bounded_length(server: WebSearchServer) -> None:
    await find(SearchEndpoint(server.url + "/search"), " many\n\twords " * 200)
    sent = server.requests[0].query["q"]
    assert sent.startswith("many words many words")
    assert len(sent) == MAX_QUERY


@pytest.mark.parametrize(("query", "limit"), [("", 5), (" \n", 5), ("release", 0)])
async def test_asking_for_nothing_asks_nobody(server: WebSearchServer, query: str, limit: int) -> None:
    assert await find(SearchEndpoint(server.url + "/search"), query, limit) == []
    assert not server.requests


async def test_only_web_pages_are_results(server: WebSearchServer) -> None:
    odd = ["ftp://example.com/", "javascript:alert(1)", "file:///etc/passwd", "data:text/html,x", "/relative", ""]
    odd += ["http://user:pw@example.com/", "https://example.com\\@evil.test/", "//example.com/", "mailto:a@b.c"]
    server.results = [(url, "Release", "x") for url in odd] + RESULTS
    assert urls(await find(SearchEndpoint(server.url + "/search"))) == [one for one, *_ in RESULTS[:2]]


async def test_each_page_once_and_no_more_than_asked_for(server: WebSearchServer) -> None:
    server.results = [(f"https://example.com/{number // 2}#part{number}", "Release", "x") for number in range(20)]
    found = await find(SearchEndpoint(server.url + "/search"), limit=3)
    assert urls(found) == ["https://example.com/0", "https://example.com/1", "https://example.com/2"]


async def test_excerpts_are_plain_and_bounded(server: WebSearchServer) -> None:
    marked = "if a < b and <strong>c</strong> > d,\n use <span class='x'>&lt;b&gt;</span> &amp; &#39;e&#39;"
    rows = [
        {"url": "https://a.test/", "title": "<b>Release</b> ", "content": marked},
        {"url": "https://b.test/", "title": "x" * 999, "content": "y" * 9_999},
        {"url": "https://c.test/", "title": "", "content": ""},
    ]
    server.fail_next(body(json.dumps({"results": rows}).encode()))
    first, second, third = await find(SearchEndpoint(server.url + "/search"))
    assert (first.title, first.text) == ("Release", "if a < b and c > d, use <b> & 'e'")
    assert (len(second.title), len(second.text)) == (MAX_TITLE, MAX_EXCERPT)
    assert (third.title, third.text) == ("c.test", "")


@pytest.mark.parametrize(
    "reply",
    [
        {"results": [None, 5, "x", [], {}, {"url": None}, {"url": 5}, {"url": ["https://a.test/"]}]},
        {"results": {"url": "https://a.test/"}},
        {"results": None},
        {"web": []},
        {},
        [],
    ],
)
async def test_results_that_are_none_are_left_out(server: WebSearchServer, reply: Any) -> None:
    server.fail_next(body(json.dumps(reply).encode()))
    assert await find(SearchEndpoint(server.url + "/search")) == []


async def test_a_bare_list_will_do(server: WebSearchServer) -> None:
    server.fail_next(body(b'[{"link": "https://a.test/", "title": 7, "content": " ", "snippet": "s"}]'))
    (found,) = await find(SearchEndpoint(server.url + "/search"))
    assert (found.url, found.title, found.text) == ("https://a.test/", "a.test", "s")


@pytest.mark.parametrize("code", [408, 425, 429, 500, 502, 503, 504])
async def test_what_passes_is_transient(server: WebSearchServer, code: int) -> None:
    server.fail_next(status(code, Retry_After="120"))
    error = await failure(SearchEndpoint(server.url + "/search", KEY), Transient)
    assert isinstance(error, Transient)
    assert error.retry_after == 120
    assert error.why == f"HTTP {code}"
    assert len(server.requests) == 1


@pytest.mark.parametrize("code", [400, 401, 403, 404, 422, 301, 302])
async def test_refusals_are_for_the_operator(server: WebSearchServer, code: int) -> None:
    server.fail_next(status(code, Location="http://127.0.0.1:1/"))
    error = await failure(SearchEndpoint(server.url + "/search", KEY), Misconfigured)
    assert error.why == f"HTTP {code}"
    assert len(server.requests) == 1


@pytest.mark.parametrize("fault", [hang, trickle], ids=["hang", "trickle"])
async def test_a_slow_reply_is_given_up(server: WebSearchServer, fault: Any) -> None:
    server.fail_next(fault)
    start = time.monotonic()
    error = await failure(SearchEndpoint(server.url + "/search", timeout=0.2), Transient)
    assert "within 0.2 s" in error.why
    assert time.monotonic() - start < 30


async def test_a_broken_connection_is_transient(server: WebSearchServer) -> None:
    server.fail_next(reset)
    await failure(SearchEndpoint(server.url + "/search"), Transient)
    await failure(SearchEndpoint("http://127.0.0.1:1/search"), Transient)


@pytest.mark.parametrize("packed", [False, True])
async def test_too_much_is_not_read(server: WebSearchServer, packed: bool) -> None:
    content = b" " * 3_000_000
    server.fail_next(body(gzip.compress(content), Content_Encoding="gzip") if packed else body(content))
    error = await failure(SearchEndpoint(server.url + "/search", max_bytes=1_000_000), Transient)
    assert "larger than 1,000,000 bytes" in error.why


async def test_a_packed_reply_is_unpacked(server: WebSearchServer) -> None:
    content = json.dumps({"results": [{"url": "https://a.test/"}]}).encode()
    server.fail_next(body(gzip.compress(content), Content_Encoding="gzip"))
    assert urls(await find(SearchEndpoint(server.url + "/search"))) == ["https://a.test/"]
    server.fail_next(body(b"no gzip", Content_Encoding="gzip"))
    await failure(SearchEndpoint(server.url + "/search"), Transient)


@pytest.mark.parametrize("content", [b"<html>log in</html>", b"", b"5", b"null", b"\xff\xfe", b"[" * 200_000])
async def test_what_is_not_json_is_for_the_operator(server: WebSearchServer, content: bytes) -> None:
    server.fail_next(body(content))
    assert "JSON" in (await failure(SearchEndpoint(server.url + "/search"), Misconfigured)).what


@pytest.mark.parametrize("url", ["", "search.example.com", "ftp://example.com/{query}", "http://"])
def test_an_address_that_is_none_is_refused(url: str) -> None:
    with pytest.raises(Misconfigured, match="not a URL"):
        JsonWebSearch(SearchEndpoint(url))


@pytest.mark.parametrize("key", ["secret\nkey", "secretü"])
def test_a_key_that_cannot_be_sent_is_refused_without_being_shown(key: str) -> None:
    with pytest.raises(Misconfigured) as raised:
        JsonWebSearch(SearchEndpoint("http://example.com", key))
    assert "secret" not in str(raised.value)


def test_keys_do_not_show() -> None:
    assert "secret" not in repr(SearchEndpoint("http://example.com/?key=secret&q={query}", "secret"))
