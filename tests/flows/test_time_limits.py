"""Servers that hang, over the whole `kb ask`: an answer all the same, in time, marked as what it is."""

import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from agent.providers.guarded import Guard, GuardedReranker
from agent.providers.rerank_api import HttpReranker, RerankEndpoint
from agent.retrieval.reranking import RerankOptions
from tests.command import Kb, embeddings_env, own_database, write
from tests.fakes import embeddings_server as embedding
from tests.fakes import model_faults as faults
from tests.fakes.embeddings_server import KEY, EmbeddingsServer, embeddings_server
from tests.fakes.json_server import hang
from tests.fakes.model_agent import BOILER, LEADER, OPTIONS, PAGES, knowledge_of, model_agent
from tests.fakes.model_rules import always, purpose
from tests.fakes.model_server import CHAT_MODEL, SMALL_MODEL, Answer, ModelServer, Reply
from tests.fakes.rerank_server import KEY as RERANK_KEY
from tests.fakes.rerank_server import MODEL as RERANK_MODEL
from tests.fakes.rerank_server import RerankServer

LLM_TIMEOUT, BEYOND = 0.6, 60.0
"""Seconds for one reply, and a generous limit for all else: 15 are promised, on a machine that does nothing besides."""

MARCH = "The boiler in the plant room is serviced every March."


@pytest.fixture(scope="module")
def embeddings() -> Iterator[EmbeddingsServer]:
    with embeddings_server() as started:
        yield started


@pytest.fixture(scope="module")
def filled(data_dir: Path, embeddings: EmbeddingsServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kb]:
    """The command over a few pages."""
    docs = tmp_path_factory.mktemp("docs")
    write(docs, **{name: f"# {name.capitalize()}\n\n{text}\n" for name, text in PAGES.items()})
    with own_database(data_dir, f"limits_{uuid4().hex}") as url:
        env = {"KB_AGENT_DATA_DIR": str(data_dir), "KB_AGENT_DATABASE_URL": url, **embeddings_env(embeddings)}
        kb = Kb(env, tmp_path_factory.mktemp("working"))
        assert kb("index", str(docs), "--json").report["added"] == len(PAGES)
        yield kb


@pytest.fixture
def kb(filled: Kb, server: ModelServer) -> Kb:
    """With a model whose replies are not kept."""
    return filled.having(
        LLM_BASE_URL=server.base_url,
        LLM_API_KEY=KEY,
        LLM_MODEL=CHAT_MODEL,
        LLM_READING_TEST="false",
        LLM_SMALL_MODEL=SMALL_MODEL,
        LLM_TIMEOUT=str(LLM_TIMEOUT),
        MODEL_CACHE_ENTRIES="0",
        HYDE="false",
    )


def asked(kb: Kb, *words: str) -> tuple[Any, float]:
    """The outcome, and after how many seconds."""
    start = time.monotonic()
    done = kb("ask", "--json", *words)
    return done.json, time.monotonic() - start


HANGING: dict[str, Answer] = {
    "before headers": faults.hang,
    "after headers": faults.hang_in_body,
    "a token now and then": faults.trickle(LLM_TIMEOUT / 2),
}


@pytest.mark.parametrize("mode", ["agentic", "direct"])
@pytest.mark.parametrize("fault", HANGING.values(), ids=HANGING)
def test_after_one_call_that_hung_excerpts_are_given_and_say_why(
    kb: Kb, server: ModelServer, fault: Answer, mode: str
) -> None:
    server.rules.insert(0, always("", fault))
    told, seconds = asked(kb, BOILER, "--mode", mode)
    assert seconds < LLM_TIMEOUT + BEYOND
    assert told["status"] == "answered"
    assert told["answer"] == f"{MARCH} [1]"
    assert f"did not answer in time (no reply within {LLM_TIMEOUT:g} s)" in told["notice"]
    assert "these are the best excerpts of the sources" in told["notice"]
    assert told["model_calls"] == len(server.requests) == 1


def test_a_model_that_hangs_when_it_writes_is_not_asked_for_anything_else(kb: Kb, server: ModelServer) -> None:
    server.rules.insert(0, always("synthesize", faults.hang))
    told, seconds = asked(kb, LEADER)
    assert seconds < LLM_TIMEOUT + BEYOND
    assert [purpose(each.body) for each in server.requests].count("synthesize") == 1
    assert purpose(server.requests[-1].body) == "synthesize"
    assert "did not answer in time" in told["notice"]


def test_all_calls_together_end_before_the_deadline_of_the_question(kb: Kb, server: ModelServer) -> None:
    """A model none of whose replies is too slow by itself."""
    slow = Reply('{"standalone": "", "sub_questions": []}', latency=0.4)
    server.rules.insert(0, lambda body: None if body.get("stream") else slow)
    told, _ = asked(kb.having(ANSWER_DEADLINE="1.0", LLM_TIMEOUT="30"), LEADER)
    assert told["status"] in {"answered", "not_found"}
    assert told["model_calls"] <= 2
    assert any("in time" in line for line in told["reasoning_trace"])


def test_a_slow_model_may_take_as_long_for_its_first_word_as_for_all(kb: Kb, server: ModelServer) -> None:
    said = Reply(f"{MARCH} [1]", latency=1.0)
    server.rules.insert(0, lambda body: said if body.get("stream") else None)
    told, _ = asked(kb.having(LLM_TIMEOUT="20"), BOILER)
    assert told["answer"] == f"{MARCH} [1]"
    assert told.get("notice", "") == ""


def test_a_server_of_embeddings_that_hangs_leaves_words(kb: Kb, embeddings: EmbeddingsServer) -> None:
    embeddings.fail_next(*[embedding.hang] * 9)
    told, seconds = asked(kb, "In which month is the boiler of the plant serviced?", "--model", "offline")
    embeddings.faults.clear()
    assert seconds < 5 + BEYOND
    assert told["answer"].startswith(MARCH)
    assert "by words alone" in told["notice"]


async def test_a_reranker_that_hangs_costs_a_question_its_limit_once(server: ModelServer) -> None:
    options = replace(OPTIONS, features=replace(OPTIONS.features, rerank=True), rerank=RerankOptions(minimum=1))
    async with RerankServer() as reranking:
        reranking.fail_next(*[hang] * 9)
        endpoint = RerankEndpoint(f"{reranking.url}/v1", RERANK_KEY, RERANK_MODEL)
        async with HttpReranker(endpoint) as remote:
            guarded = GuardedReranker(remote, Guard("reranking", "KB_AGENT_RERANK_URL"), seconds=0.2)
            async with model_agent(server, await knowledge_of(PAGES), options=options, reranker=guarded) as agent:
                told = [await agent.ask(BOILER) for _ in range(2)]
        assert len(reranking.requests) == 1
    for each in told:
        assert each.answer.text == f"{MARCH} [1]"
        assert "not reranked: The reranking endpoint" in each.reasoning
