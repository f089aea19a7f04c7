"""Runs a set of judged questions through retrieval."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from agent.evaluation.judged_questions import JudgedQuestion
from agent.evaluation.measures import all_gold, ndcg, percentile, recall, reciprocal_rank
from agent.retrieval.reranking import RerankingRetriever
from agent.retrieval.retriever import Retrieved, Retriever, one_a_document
from domain.access import Scope
from domain.search import Method

CHUNKS = 200
"""Chunks ranked for each question, so that 20 different documents are among them."""


RERANKED = "+rerank"
"""What the name of a method ends with where its candidates were ranked anew."""


async def evaluate(
    retriever: Retriever,
    questions: Sequence[JudgedQuestion],
    method: Method,
    show: Callable[[int], object],
    reranking: RerankingRetriever | None = None,
) -> dict[str, list[dict[str, float]]]:
    """The measures of `method` on each question, shares from 0 to 1, with the milliseconds that it took: `ms` in all,
    `embed_ms` for the vector of the question, `search_ms` for the rest, `rerank_ms` for ranking anew.

    show: told how many questions are done. reranking: ranks what was found anew, as a variant of its own.

    Returns:
        By the name of the variant: the method, and the method with RERANKED.
    """
    rows: dict[str, list[dict[str, float]]] = {method: []}
    for number, question in enumerate(questions, start=1):
        text, times = question.text, {"embed_ms": 0.0}
        if method != "lexical":
            with timed(times, "embed_ms"):
                await retriever.embed(text)  # the retriever remembers it
        with timed(times, "search_ms"):
            found = await retriever.rank(text, Scope.member(), method=method, limit=CHUNKS)
        rows[method].append(_row(found, question.gold, times))
        if reranking is not None:
            with timed(times, "rerank_ms"):
                found = await reranking.again(text, found, Scope.member(), CHUNKS)
            rows.setdefault(method + RERANKED, []).append(_row(found, question.gold, times))
        show(number)
    return rows


@contextmanager
def timed(times: dict[str, float], name: str) -> Iterator[None]:
    """Notes how many milliseconds the block takes."""
    started = time.perf_counter()
    yield
    times[name] = 1000 * (time.perf_counter() - started)


def _row(found: Retrieved, gold: Mapping[str, int], times: Mapping[str, float]) -> dict[str, float]:
    ranking = [item.document_id for item in one_a_document(found.ranked)]
    return measures(ranking, gold) | {"ms": sum(times.values()), **times}


def means(rows: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """The means over all questions, and two percentiles of the whole time."""
    times = [row["ms"] for row in rows]
    result = {name: sum(row[name] for row in rows) / len(rows) for name in rows[0] if name != "ms"}
    return result | {"p50_ms": percentile(times, 0.5), "p95_ms": percentile(times, 0.95)}


def measures(ranking: Sequence[str], gold: Mapping[str, int]) -> dict[str, float]:
    """Every measure of one ranking of documents."""
    found = {f"recall@{k}": recall(ranking, gold, k) for k in (2, 5, 10, 20)}
    found |= {"ndcg@10": ndcg(ranking, gold, 10), "mrr@10": reciprocal_rank(ranking, gold, 10)}
    return found | {f"all_gold@{k}": all_gold(ranking, gold, k) for k in (5, 10, 20)}
