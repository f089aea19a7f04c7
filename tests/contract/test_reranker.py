"""What domain.model_ports.Reranker promises, held against every implementation."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

import pytest

from agent.providers.maxsim import MaxSimReranker
from agent.providers.rerank_api import Dialect, HttpReranker, RerankEndpoint
from domain.model_ports import Reranker
from tests.fakes.local_model import local_minilm
from tests.fakes.passages import passage
from tests.fakes.rerank_server import KEY, MODEL, RerankServer
from tests.fakes.reranker import OverlapReranker

KINDS = [pytest.param("maxsim", marks=pytest.mark.model), "documents", "texts", "found out", "logits", "overlap"]

QUESTION = "How are travel expenses handed in?"
RIGHT = passage("Travel expenses are handed in within thirty days, with receipts attached as scans.", "Expenses")
NEAR = passage("Travel to customers is booked by the office, at least a week ahead.", "Booking")
STRANGER = passage("Slugs eat lettuce at night and hide below stones by day.", "Garden")
PASSAGES = [STRANGER, RIGHT, NEAR]
ODD = ["", " \n\t", "\x00", "\ud800 half a pair", "👩‍👩‍👧‍👦", "如何重置密码", "x" * 3000, "[CLS] [SEP]", "???"]


@pytest.fixture(params=KINDS)
async def reranker(request: pytest.FixtureRequest) -> AsyncIterator[Reranker]:
    async with AsyncExitStack() as stack:
        if request.param == "maxsim":
            yield MaxSimReranker(local_minilm())
        elif request.param == "overlap":
            yield OverlapReranker()
        else:
            # limits that the suite meets, so that splitting and shortening are part of what is shown
            limits = RerankServer(max_batch=5, max_characters=2_000, logits=request.param == "logits")
            server = await stack.enter_async_context(limits)
            dialects: dict[str, Dialect | None] = {"texts": "texts", "found out": None}
            dialect = dialects.get(request.param, "documents")
            if request.param == "found out":
                server.speaks = ("texts",)
            endpoint = RerankEndpoint(server.url + "/v1", KEY, MODEL, dialect, batch_size=8)
            yield await stack.enter_async_context(HttpReranker(endpoint))


def test_it_has_a_name(reranker: Reranker) -> None:
    assert reranker.name


async def test_the_answer_is_above_its_neighbour_and_that_above_a_stranger(reranker: Reranker) -> None:
    stranger, right, near = await reranker.scores(QUESTION, PASSAGES)
    assert 1 >= right > near > stranger >= 0
    assert right - stranger > 0.3


async def test_scores_are_in_the_order_of_the_passages(reranker: Reranker) -> None:
    many = [*PASSAGES * 5, passage("word " * 300)]
    scores = await reranker.scores(QUESTION, many)
    assert scores[:3] == pytest.approx(scores[12:15], abs=1e-4)
    assert (await reranker.scores(QUESTION, many[::-1]))[::-1] == pytest.approx(scores, abs=1e-4)


async def test_no_passages_have_no_scores(reranker: Reranker) -> None:
    assert await reranker.scores(QUESTION, []) == []


async def test_title_and_headings_are_read_too(reranker: Reranker) -> None:
    text = "It is done within thirty days."
    bare, titled, headed = await reranker.scores(
        QUESTION, [passage(text), passage(text, "Travel expenses"), passage(text, headings=("Travel expenses",))]
    )
    assert bare < titled
    assert bare < headed


async def test_a_score_does_not_depend_on_the_company(reranker: Reranker) -> None:
    among = await reranker.scores(QUESTION, PASSAGES)
    alone = [(await reranker.scores(QUESTION, [each]))[0] for each in PASSAGES]
    assert alone == pytest.approx(among, abs=1e-3)


@pytest.mark.parametrize("question", ["", "\ud800 half a pair", "如何重置密码", QUESTION * 200])
async def test_odd_questions_and_passages_have_scores(reranker: Reranker, question: str) -> None:
    scores = await reranker.scores(question, [*(passage(text) for text in ODD), RIGHT])
    assert len(scores) == len(ODD) + 1
    assert all(0 <= score <= 1 for score in scores)


async def test_concurrent_callers_get_their_own_scores(reranker: Reranker) -> None:
    asked = [PASSAGES, PASSAGES[::-1], [RIGHT], []]
    together = await asyncio.gather(*(reranker.scores(QUESTION, each) for each in asked))
    stranger, right, near = together[0]
    assert [list(each) for each in together[1:]] == [
        pytest.approx([near, right, stranger], abs=1e-3),
        pytest.approx([right], abs=1e-3),
        [],
    ]
