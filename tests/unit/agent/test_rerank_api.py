"""HttpReranker against a local server that misbehaves in every way it can."""

import traceback
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest

from agent.providers.rerank_api import SHORT_TEXT, HttpReranker, RerankEndpoint
from domain.errors import KbError, Misconfigured, Transient
from net.retries import Retries
from tests.fakes.json_server import body, changed, status
from tests.fakes.passages import passage
from tests.fakes.rerank_server import KEY, MODEL, RerankServer

QUESTION = "salary of Ms Confidential"
PASSAGES = [passage("the parking garage"), passage("the salary of Ms Confidential", "Pay", ("2026",))]
TEXTS = ["the parking garage", "Pay > 2026\nthe salary of Ms Confidential"]


@pytest.fixture
async def server() -> AsyncIterator[RerankServer]:
    async with RerankServer() as running:
        yield running


@pytest.fixture
def endpoint(server: RerankServer) -> RerankEndpoint:
    retries = Retries(budget=1.5, first_pause=0.01, longest_pause=0.05)
    return RerankEndpoint(server.url + "/v1", KEY, MODEL, "documents", timeout=0.3, retries=retries)


async def scores(endpoint: RerankEndpoint, texts: list[str] | None = None) -> list[float]:
    async with HttpReranker(endpoint) as reranker:
        return await reranker.scores(QUESTION, [passage(text) for text in texts] if texts else PASSAGES)


async def failure(endpoint: RerankEndpoint, kind: type[KbError]) -> KbError:
    """The error that reranking ends in; it and its whole traceback must not give anything away."""
    with pytest.raises(kind) as raised:
        await scores(endpoint)
    told = "".join(traceback.format_exception(raised.value))
    assert KEY not in told
    assert "Confidential" not in told
    return raised.value


async def test_a_request_is_what_the_api_describes(server: RerankServer, endpoint: RerankEndpoint) -> None:
    assert await scores(endpoint) == [0.0, 1.0]
    (request,) = server.requests
    assert request.path == "/v1/rerank"
    assert request.headers["Authorization"] == f"Bearer {KEY}"
    assert request.body == {"model": MODEL, "query": QUESTION, "documents": TEXTS, "top_n": 2}


async def test_the_other_dialect(server: RerankServer, endpoint: RerankEndpoint) -> None:
    assert await scores(replace(endpoint, dialect="texts", model="")) == [0.0, 1.0]
    assert server.requests[0].body == {"query": QUESTION, "texts": TEXTS, "truncate": True}


@pytest.mark.parametrize("speaks", ["documents", "texts"])
async def test_the_dialect_is_found_out_once(server: RerankServer, endpoint: RerankEndpoint, speaks: str) -> None:
    server.speaks = (speaks,)
    async with HttpReranker(replace(endpoint, dialect=None)) as reranker:
        for _ in range(2):
            assert await reranker.scores(QUESTION, PASSAGES) == [0.0, 1.0]
    asked = [next(name for name in ("documents", "texts") if name in each.body) for each in server.requests]
    assert asked == ["documents", *["texts"] * (speaks == "texts"), speaks, speaks]


async def test_a_server_that_understands_neither_dialect_is_named(
    server: RerankServer, endpoint: RerankEndpoint
) -> None:
    server.speaks = ("inputs",)
    error = await failure(replace(endpoint, dialect=None), Misconfigured)
    assert "refuses the request" in error.what


@pytest.mark.parametrize("suffix", ["", "/", "/rerank", "/rerank/"])
async def test_the_address_may_be_written_in_several_ways(
    endpoint: RerankEndpoint, server: RerankServer, suffix: str
) -> None:
    await scores(replace(endpoint, url=endpoint.url + suffix))
    assert server.requests[0].path == "/v1/rerank"


async def test_passages_go_out_in_batches(server: RerankServer, endpoint: RerankEndpoint) -> None:
    texts = [f"salary {number}" for number in range(23)]
    assert await scores(replace(endpoint, batch_size=10), texts) == pytest.approx([1 / 3] * 23)
    assert [len(request.body["documents"]) for request in server.requests] == [10, 10, 3]


async def test_a_passage_too_long_is_read_from_its_beginning(server: RerankServer, endpoint: RerankEndpoint) -> None:
    server.max_characters = 1_000
    long = "Ms Confidential " * 200 + "salary"
    assert await scores(endpoint, [long, "salary"]) == pytest.approx([2 / 3, 1 / 3])


async def test_a_server_that_refuses_even_short_texts_is_named(server: RerankServer, endpoint: RerankEndpoint) -> None:
    server.max_characters = 10
    error = await failure(endpoint, Misconfigured)
    assert "HTTP 422 even for a short text" in error.why
    assert max(len(text) for text in server.requests[-1].body["documents"]) <= SHORT_TEXT


async def test_logits_become_scores_in_the_same_order(server: RerankServer, endpoint: RerankEndpoint) -> None:
    server.logits = True
    async with HttpReranker(endpoint) as reranker:
        low, high = await reranker.scores(QUESTION, PASSAGES)
        assert low == pytest.approx(0.0025, abs=1e-4)
        assert high == pytest.approx(0.9975, abs=1e-4)
        # a logit that by chance looks like a score, from a server that is known to give logits
        (half,) = await reranker.scores("salary garden", [PASSAGES[1]])
        assert half == pytest.approx(0.5)


@pytest.mark.parametrize("logit", [1e4, -1e4, 800.0, -800.0])
async def test_extreme_logits_do_no_harm(server: RerankServer, endpoint: RerankEndpoint, logit: float) -> None:
    server.fail_next(changed(lambda reply: with_scores(reply, logit)))
    assert await scores(endpoint) == [float(logit > 0)] * 2


@pytest.mark.parametrize(
    ("code", "setting"),
    [(401, "KB_AGENT_RERANK_API_KEY"), (403, "KB_AGENT_RERANK_API_KEY"), (404, "KB_AGENT_RERANK_MODEL")],
)
async def test_refusals_name_the_setting(
    server: RerankServer, endpoint: RerankEndpoint, code: int, setting: str
) -> None:
    server.fail_next(status(code))
    error = await failure(endpoint, Misconfigured)
    assert error.why == f"HTTP {code}"
    assert setting in error.next_step


def with_scores(reply: Any, score: object) -> Any:
    return {"results": [{**item, "relevance_score": score} for item in reply["results"]]}


STRANGE = {
    "no JSON": body(b"<html>please log in"),
    "no list": changed(lambda _: {"data": []}),
    "one too few": changed(lambda reply: {"results": reply["results"][:1]}),
    "one twice": changed(lambda reply: {"results": reply["results"] + reply["results"][:1]}),
    "text": changed(lambda reply: with_scores(reply, "high")),
    "no index": changed(lambda reply: {"results": [{"relevance_score": 1}] * 2}),
    "index too high": changed(lambda reply: {"results": [{"index": i, "relevance_score": 1} for i in (1, 2)]}),
    "nested too deep": body(b"[" * 100_000),
    "too large": changed(lambda reply: {**reply, "filler": "a" * 1_200_000}),
    "index without end": body(b'{"results": [{"index": 1e999, "relevance_score": 1}]}'),
}


@pytest.mark.parametrize("fault", STRANGE.values(), ids=STRANGE.keys())
async def test_replies_of_another_api_are_named(server: RerankServer, endpoint: RerankEndpoint, fault: Any) -> None:
    server.fail_next(fault)
    error = await failure(endpoint, Misconfigured)
    assert "does not answer as its API says" in error.what
    assert "KB_AGENT_RERANK_URL" in error.next_step


@pytest.mark.parametrize("number", ["NaN", "1e999"])
async def test_scores_that_are_no_numbers_are_transient(
    server: RerankServer, endpoint: RerankEndpoint, number: str
) -> None:
    items = ", ".join(f'{{"index": {index}, "relevance_score": {number}}}' for index in range(2))
    server.fail_next(body(f'{{"results": [{items}]}}'.encode()))
    assert "no number" in (await failure(endpoint, Transient)).what


@pytest.mark.parametrize("url", ["", "rerank.example.com"])
def test_an_address_that_is_none_is_refused(url: str) -> None:
    with pytest.raises(Misconfigured, match="KB_AGENT_RERANK_URL"):
        HttpReranker(RerankEndpoint(url))


def test_a_key_that_is_none_is_refused_without_being_shown() -> None:
    with pytest.raises(Misconfigured) as raised:
        HttpReranker(RerankEndpoint("http://example.com", "secret\nkey"))
    assert "secret" not in str(raised.value)
    assert "secret" not in repr(RerankEndpoint("http://example.com", "secret"))


async def test_the_name_is_the_model_or_the_host() -> None:
    for endpoint, name in (
        (RerankEndpoint("http://rerank.example.com", model="bge"), "rerank/bge"),
        (RerankEndpoint("http://rerank.example.com"), "rerank/rerank.example.com"),
    ):
        async with HttpReranker(endpoint) as reranker:
            assert reranker.name == name
