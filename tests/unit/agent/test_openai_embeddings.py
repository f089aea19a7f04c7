"""OpenAIEmbedder against a local server that misbehaves in every way it can."""

import asyncio
import socket
import time
import traceback
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from agent.providers.openai_embeddings import EmbeddingsEndpoint, OpenAIEmbedder, open_openai_embedder
from domain.errors import KbError, Misconfigured, Transient
from net.retries import Retries
from tests.fakes.embedder import HashEmbedder
from tests.fakes.embeddings_server import (
    KEY,
    MODEL,
    EmbeddingsServer,
    Fault,
    body,
    embeddings_server,
    hang,
    reset,
    status,
    trickle,
    vectors,
    wrong_count,
    wrong_order,
)

TEXTS = ["the salary of Ms Confidential", "the parking garage", "VPN access from abroad"]
PASSING = [status(429), status(503), status(408), reset, hang, trickle]
PASSING_NAMES = ["429", "503", "408", "reset", "hang", "trickle"]


@pytest.fixture
def server() -> Iterator[EmbeddingsServer]:
    with embeddings_server() as running:
        yield running


@pytest.fixture
def endpoint(server: EmbeddingsServer) -> EmbeddingsEndpoint:
    retries = Retries(budget=1.5, first_pause=0.01, longest_pause=0.05)
    return EmbeddingsEndpoint(server.base_url, KEY, MODEL, timeout=0.3, retries=retries)


async def embed(endpoint: EmbeddingsEndpoint, texts: list[str] = TEXTS, dimensions: int = 64) -> np.ndarray:
    async with OpenAIEmbedder(endpoint, dimensions) as embedder:
        return await embedder.embed(texts)


async def failure(endpoint: EmbeddingsEndpoint, kind: type[KbError]) -> KbError:
    """The error that embedding ends in; it and its whole traceback must not give anything away."""
    with pytest.raises(kind) as raised:
        await embed(endpoint)
    told = "".join(traceback.format_exception(raised.value))
    assert KEY not in told
    assert not any(text in told for text in TEXTS)
    return raised.value


def expected(texts: list[str] = TEXTS) -> np.ndarray:
    return HashEmbedder().vectors(texts)


async def test_a_request_is_what_the_api_describes(server: EmbeddingsServer, endpoint: EmbeddingsEndpoint) -> None:
    assert np.allclose(await embed(endpoint), expected(), atol=1e-6)
    (request,) = server.requests
    assert request.path == "/v1/embeddings"
    assert request.authorization == f"Bearer {KEY}"
    assert request.body == {"model": MODEL, "input": TEXTS, "encoding_format": "float"}


@pytest.mark.parametrize("suffix", ["", "/", "/embeddings", "/embeddings/"])
async def test_the_address_may_be_written_in_several_ways(
    endpoint: EmbeddingsEndpoint, server: EmbeddingsServer, suffix: str
) -> None:
    await embed(replace(endpoint, base_url=server.base_url + suffix))
    assert server.requests[0].path == "/v1/embeddings"


async def test_opening_finds_the_dimensions(server: EmbeddingsServer, endpoint: EmbeddingsEndpoint) -> None:
    server.dimensions = 48
    async with await open_openai_embedder(endpoint) as embedder:
        assert embedder.identity.dimensions == 48
        assert embedder.identity.name == "hash-model/48"
    assert len(server.requests) == 1


async def test_texts_go_out_in_batches(server: EmbeddingsServer, endpoint: EmbeddingsEndpoint) -> None:
    texts = [f"text {number}" for number in range(23)]
    assert np.allclose(await embed(replace(endpoint, batch_size=10), texts), expected(texts), atol=1e-6)
    assert [len(request.body["input"]) for request in server.requests] == [10, 10, 3]


async def test_a_batch_too_big_is_split(server: EmbeddingsServer, endpoint: EmbeddingsEndpoint) -> None:
    server.max_batch = 4
    texts = [f"text {number}" for number in range(23)]
    assert np.allclose(await embed(endpoint, texts), expected(texts), atol=1e-6)


async def test_a_text_too_long_is_shortened_alone(server: EmbeddingsServer, endpoint: EmbeddingsEndpoint) -> None:
    server.max_characters = 5_000
    texts = ["short", "long " * 3_000, "other"]
    assert np.allclose(await embed(endpoint, texts), expected(texts), atol=1e-6)
    assert server.requests[-1].body["input"] == ["other"]


@pytest.mark.parametrize("fault", PASSING, ids=PASSING_NAMES)
async def test_a_passing_fault_is_overcome(
    server: EmbeddingsServer, endpoint: EmbeddingsEndpoint, fault: Fault
) -> None:
    server.fail_next(fault, fault)
    assert np.allclose(await embed(endpoint), expected(), atol=1e-6)
    assert len(server.requests) == 3


@pytest.mark.parametrize("fault", PASSING, ids=PASSING_NAMES)
async def test_a_lasting_fault_is_transient_within_the_budget(
    server: EmbeddingsServer, endpoint: EmbeddingsEndpoint, fault: Fault
) -> None:
    server.fail_next(*[fault] * 200)
    short = replace(endpoint, retries=Retries(budget=0.4, first_pause=0.02, longest_pause=0.1))
    error = await failure(short, Transient)
    assert "127.0.0.1 is not available" in error.what
    assert f"tried {len(server.requests)} times" in error.why
    assert 1 < len(server.requests) <= 0.4 / 0.02 + 2, "as often as the budget has pauses"


async def test_a_server_that_is_not_there_is_transient(endpoint: EmbeddingsEndpoint) -> None:
    with socket.create_server(("127.0.0.1", 0)) as unused:
        port = unused.getsockname()[1]
    short = replace(endpoint, base_url=f"http://127.0.0.1:{port}", retries=Retries(budget=0.1, first_pause=0.02))
    error = await failure(short, Transient)
    assert "ConnectError" in error.why


async def test_a_wait_beyond_the_budget_is_not_begun(server: EmbeddingsServer, endpoint: EmbeddingsEndpoint) -> None:
    server.fail_next(status(429, retry_after="3600"))
    start = time.monotonic()
    error = await failure(endpoint, Transient)
    assert time.monotonic() - start < 30
    assert "HTTP 429, asking us to wait 3600 s; tried 1 times" in error.why


def test_pauses_grow_differ_and_end() -> None:
    retries = Retries(budget=100, first_pause=1, longest_pause=8)
    for failed, most in enumerate([1, 2, 4, 8, 8, 8], start=1):
        pauses = {retries.pause(failed) for _ in range(50)}
        assert most / 2 <= min(pauses) < max(pauses) <= most
    assert 20 <= retries.pause(1, 20) <= 21


@pytest.mark.parametrize(
    ("fault", "settings"),
    [
        (status(401), ["KB_AGENT_EMBEDDING_API_KEY"]),
        (status(403), ["KB_AGENT_EMBEDDING_API_KEY"]),
        (status(404), ["KB_AGENT_EMBEDDING_MODEL", "KB_AGENT_EMBEDDING_BASE_URL"]),
        (status(301), ["KB_AGENT_EMBEDDING_BASE_URL"]),
        (status(429, error="insufficient_quota"), ["KB_AGENT_EMBEDDING_API_KEY"]),
        (body(b"<html>Welcome to nginx</html>"), ["KB_AGENT_EMBEDDING_BASE_URL"]),
        (body(b'{"data": 5}'), ["KB_AGENT_EMBEDDING_BASE_URL"]),
        (body(b'{"data": [1, 2, 3]}'), ["KB_AGENT_EMBEDDING_BASE_URL"]),
        (wrong_count, ["KB_AGENT_EMBEDDING_BASE_URL"]),
        (vectors(lambda _: "AAAA"), ["KB_AGENT_EMBEDDING_BASE_URL"]),
        (vectors(lambda _: [[1.0]]), ["KB_AGENT_EMBEDDING_BASE_URL"]),
        (vectors(lambda vector: vector[:-1]), ["KB_AGENT_EMBEDDING_MODEL"]),
    ],
)
async def test_a_lasting_refusal_names_its_setting_at_once(
    server: EmbeddingsServer, endpoint: EmbeddingsEndpoint, fault: Fault, settings: list[str]
) -> None:
    server.fail_next(fault)
    error = await failure(replace(endpoint, timeout=10), Misconfigured)  # a busy machine may be slow to answer
    assert all(setting in error.next_step for setting in settings)
    assert len(server.requests) == 1


ODD = {
    "a huge number": b'{"index": 0, "embedding": [1%s, 1]}' % (b"0" * 400),
    "an endless index": b'{"index": 1e999, "embedding": [1, 2]}',
    "a broken index": b'{"index": 0.9, "embedding": [1, 2]}',
    "an index that is none": b'{"index": false, "embedding": [1, 2]}',
    "an index twice": b'{"index": 0, "embedding": [1, 2]}, {"index": 0, "embedding": [5, 1]}',
    "texts": b'{"index": 0, "embedding": ["1", "2"]}',
    "truth values": b'{"index": 0, "embedding": [true, false]}',
    "nested too deep": b"[" * 100_000,
    "too large": b'{"index": 0, "embedding": [1, 2]}' + b" " * 1_500_000,
}


@pytest.mark.parametrize("content", ODD.values(), ids=ODD)
async def test_an_odd_reply_is_told_as_such(
    server: EmbeddingsServer, endpoint: EmbeddingsEndpoint, content: bytes
) -> None:
    server.fail_next(body(b'{"data": [%s]}' % content))
    async with OpenAIEmbedder(replace(endpoint, timeout=10), 2) as embedder:
        with pytest.raises(Misconfigured, match="does not answer as its API says"):
            await embedder.embed(["garage"])


async def test_a_wrong_count_is_told(server: EmbeddingsServer, endpoint: EmbeddingsEndpoint) -> None:
    server.fail_next(wrong_count)
    assert "asked for 3 vectors, got 2" in (await failure(endpoint, Misconfigured)).why


async def test_a_wrong_length_is_told(server: EmbeddingsServer, endpoint: EmbeddingsEndpoint) -> None:
    server.fail_next(vectors(lambda vector: vector[:-1]))
    assert "so far 64 numbers, now 63" in (await failure(endpoint, Misconfigured)).why


@pytest.mark.parametrize("number", [float("nan"), None, 1e300, 0.0])
async def test_a_vector_without_a_direction_is_transient(
    server: EmbeddingsServer, endpoint: EmbeddingsEndpoint, number: float | None
) -> None:
    server.fail_next(vectors(lambda vector: [number, *(each if number else 0.0 for each in vector[1:])]))
    assert "without a direction" in (await failure(endpoint, Transient)).what


async def test_vectors_of_any_length_are_normalised(server: EmbeddingsServer, endpoint: EmbeddingsEndpoint) -> None:
    server.fail_next(vectors(lambda vector: [17.0 * number for number in vector]))
    assert np.allclose(await embed(endpoint), expected(), atol=1e-6)


async def test_the_index_tells_the_order(server: EmbeddingsServer, endpoint: EmbeddingsEndpoint) -> None:
    server.fail_next(wrong_order)
    assert np.allclose(await embed(endpoint), expected(), atol=1e-6)


async def test_a_request_refused_for_other_reasons_ends(server: EmbeddingsServer, endpoint: EmbeddingsEndpoint) -> None:
    server.fail_next(*[status(400)] * 200)
    error = await failure(endpoint, Misconfigured)
    assert "HTTP 400 even for a short text" in error.why
    assert len(server.requests) < 10


@pytest.mark.parametrize("base_url", ["", "api.openai.com/v1", "http://a:b:c"])
async def test_an_address_that_is_none_is_refused(endpoint: EmbeddingsEndpoint, base_url: str) -> None:
    with pytest.raises(Misconfigured, match="KB_AGENT_EMBEDDING_BASE_URL"):
        OpenAIEmbedder(replace(endpoint, base_url=base_url), 64)


@pytest.mark.parametrize("key", ["sk-secret\n", "sk-\u200bsecret"])
async def test_a_key_with_strange_characters_is_refused_unquoted(endpoint: EmbeddingsEndpoint, key: str) -> None:
    with pytest.raises(Misconfigured, match="KB_AGENT_EMBEDDING_API_KEY") as refusal:
        OpenAIEmbedder(replace(endpoint, api_key=key), 64)
    assert "cret" not in str(refusal.value)


async def test_no_key_means_no_header(server: EmbeddingsServer, endpoint: EmbeddingsEndpoint) -> None:
    assert (await failure(replace(endpoint, api_key=""), Misconfigured)).why == "HTTP 401"
    assert server.requests[0].authorization is None


def test_the_key_is_not_shown_with_the_endpoint(endpoint: EmbeddingsEndpoint) -> None:
    assert KEY not in repr(endpoint)


async def test_a_cancelled_call_leaves_the_embedder_usable(
    server: EmbeddingsServer, endpoint: EmbeddingsEndpoint
) -> None:
    server.fail_next(hang)
    async with OpenAIEmbedder(replace(endpoint, timeout=5), 64) as embedder:
        call = asyncio.create_task(embedder.embed(TEXTS))
        await asyncio.sleep(0.1)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        assert np.allclose(await embedder.embed(TEXTS), expected(), atol=1e-6)
