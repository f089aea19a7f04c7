"""What domain.model_ports.Embedder and TokenCounter promise, held against every implementation."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from itertools import pairwise

import numpy as np
import pytest

from agent.providers.openai_embeddings import EmbeddingsEndpoint, open_openai_embedder
from domain.model_ports import Embedder, TokenCounter, Vectors
from tests.fakes.embedder import HashEmbedder
from tests.fakes.embeddings_server import KEY, MODEL, embeddings_server
from tests.fakes.local_model import local_minilm

LOCAL = pytest.param("minilm", marks=pytest.mark.model)

SHORT = ["Where is the parking garage?", "VPN", "Büroöffnungszeiten", "如何重置密码", "err_404 = -1;"]
PROSE = (
    "Employees hand in travel expenses within thirty days. Receipts above twenty-five euros are attached as "
    "scans, and the cost centre is chosen by the team lead. "
)
LONG = [PROSE * count for count in (1, 3, 5, 8)]
ODD = [
    "",
    " \n\t ",
    "\x00",
    "a\x00b",
    "\ud800 half a pair \udfff",
    "\ufeffwith a byte order mark",
    "👩‍👩‍👧‍👦 🏳️‍🌈",
    "ǵ̸͓̪̀o̴̢̿b̷̳͝l̵̰̈́i̷̜͊n̵͖̕",
    "\u202eright to left",
    "שלום עולם مرحبا بالعالم",
    "\U0010ffff\ue000",
    "x" * 3000,
    "[CLS] [SEP] [MASK] [PAD]",
]


@pytest.fixture(params=[LOCAL, "openai", "hash"])
async def embedder(request: pytest.FixtureRequest) -> AsyncIterator[Embedder]:
    async with AsyncExitStack() as stack:
        if request.param == "openai":
            # limits that the suite meets, so that splitting and shortening are part of what is shown
            server = stack.enter_context(embeddings_server())
            server.max_batch, server.max_characters = 10, 20_000
            endpoint = EmbeddingsEndpoint(server.base_url, KEY, MODEL, batch_size=16, max_tokens=256)
            yield await stack.enter_async_context(await open_openai_embedder(endpoint))
        else:
            yield local_minilm() if request.param == "minilm" else HashEmbedder()


@pytest.fixture(params=[LOCAL, "hash"])
def counter(request: pytest.FixtureRequest) -> TokenCounter:
    return local_minilm() if request.param == "minilm" else HashEmbedder()


def assert_rows(rows: Vectors, count: int, embedder: Embedder) -> None:
    assert rows.shape == (count, embedder.identity.dimensions)
    assert rows.dtype == np.float32
    assert np.linalg.norm(rows, axis=1) == pytest.approx(np.ones(count), abs=1e-5)


async def test_identity_is_complete_and_constant(embedder: Embedder) -> None:
    before = embedder.identity
    await embedder.embed(SHORT)
    assert before.name
    assert before.dimensions > 0
    assert before.max_tokens > 0
    assert embedder.identity == before


async def test_one_normalised_row_for_each_text(embedder: Embedder) -> None:
    assert_rows(await embedder.embed(SHORT + LONG), len(SHORT + LONG), embedder)


async def test_no_texts_give_no_rows(embedder: Embedder) -> None:
    assert_rows(await embedder.embed([]), 0, embedder)


async def test_rows_are_in_the_order_of_the_texts(embedder: Embedder) -> None:
    texts = [f"{word} " * count for count, word in enumerate(PROSE.split()[:20], start=1)]
    together = await embedder.embed(texts)
    backwards = await embedder.embed(texts[::-1])
    assert np.all(np.sum(together * backwards[::-1], axis=1) >= 0.999)
    assert (together @ backwards[::-1].T).argmax(axis=1).tolist() == list(range(20))


@pytest.mark.check
@pytest.mark.parametrize("text", [SHORT[0], LONG[0], LONG[3]], ids=["short", "middling", "cut"])
async def test_a_text_has_the_same_row_in_any_company(embedder: Embedder, text: str) -> None:
    alone = (await embedder.embed([text]))[0]
    among_short = (await embedder.embed([*SHORT, text, *SHORT]))[len(SHORT)]
    among_long = (await embedder.embed([text, *LONG]))[0]
    among_many = (await embedder.embed([*("word " * count for count in range(40)), text]))[-1]
    twins = await embedder.embed([text, text, "another"])
    for row in (among_short, among_long, among_many, *twins[:2]):
        assert float(alone @ row) >= 0.999


async def test_related_texts_are_nearer_than_strangers(embedder: Embedder) -> None:
    question, answer, stranger = await embedder.embed(
        ["how to hand in travel expenses", PROSE, "Slugs eat lettuce at night"]
    )
    assert question @ answer > question @ stranger + 0.1


async def test_a_very_long_text_is_represented_by_its_beginning(embedder: Embedder) -> None:
    beginning = PROSE * 200
    whole, other_end, neighbour = await embedder.embed([beginning * 3, beginning + "slug " * 30_000, SHORT[0]])
    assert whole @ other_end >= 0.999
    assert neighbour @ (await embedder.embed([SHORT[0]]))[0] >= 0.999


async def test_odd_texts_have_rows_and_leave_others_alone(embedder: Embedder) -> None:
    rows = await embedder.embed([*ODD, SHORT[0]])
    assert_rows(rows, len(ODD) + 1, embedder)
    assert rows[-1] @ (await embedder.embed([SHORT[0]]))[0] >= 0.999


async def test_concurrent_callers_get_their_own_rows(embedder: Embedder) -> None:
    asked = [SHORT, LONG, SHORT[::-1], ODD, [], LONG[::-1], SHORT[:1], LONG[:2]]
    together = await asyncio.gather(*map(embedder.embed, asked))
    for texts, rows in zip(asked, together, strict=True):
        assert_rows(rows, len(texts), embedder)
        assert np.all(np.sum(rows * await embedder.embed(texts), axis=1) >= 0.999)


def test_tokens_cover_the_words(counter: TokenCounter) -> None:
    (ranges,) = counter.offsets([PROSE])
    assert "".join(PROSE[start:end] for start, end in ranges) == "".join(PROSE.split())


def test_token_ranges_are_ordered_and_within_the_text(counter: TokenCounter) -> None:
    texts = [*SHORT, *ODD, *LONG]
    found = counter.offsets(texts)
    assert len(found) == len(texts)
    for text, ranges in zip(texts, found, strict=True):
        assert all(0 <= start < end <= len(text) for start, end in ranges)
        assert all(before[1] <= after[0] for before, after in pairwise(ranges))


def test_no_text_has_no_tokens(counter: TokenCounter) -> None:
    assert counter.offsets([]) == []
    assert counter.offsets(["", " "]) == [[], []]


def test_tokens_of_a_long_text_are_not_cut(counter: TokenCounter) -> None:
    (one,), (many,) = counter.offsets([PROSE]), counter.offsets([PROSE * 300])
    assert len(many) == 300 * len(one)


def test_tokens_are_those_of_the_text_alone(counter: TokenCounter) -> None:
    texts = SHORT * 120
    assert counter.offsets(texts) == counter.offsets(SHORT) * 120
