"""Runs a set of judged questions through retrieval."""

import time
from collections.abc import Callable, Mapping, Sequence

from agent.evaluation.judged_questions import JudgedQuestion
from agent.evaluation.measures import all_gold, ndcg, percentile, recall, reciprocal_rank
from agent.retrieval.retriever import Retriever, one_a_document
from domain.access import Scope
from domain.search import Method

CHUNKS = 200
"""Chunks ranked for each question, so that 20 different documents are among them."""


async def evaluate(
    retriever: Retriever, questions: Sequence[JudgedQuestion], method: Method, show: Callable[[int], object]
) -> list[dict[str, float]]:
    """The measures of `method` on each question, shares from 0 to 1, with `ms`, the milliseconds that it took.

    show: told how many questions are done.
    """
    rows: list[dict[str, float]] = []
    for number, question in enumerate(questions, start=1):
        started = time.perf_counter()
        found = await retriever.rank(question.text, Scope.member(), method=method, limit=CHUNKS)
        taken = 1000 * (time.perf_counter() - started)
        row = measures([item.document_id for item in one_a_document(found.ranked)], question.gold)
        rows.append(row | {"ms": taken})
        show(number)
    return rows


def means(rows: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """The means over all questions, and two percentiles of the time."""
    times = [row["ms"] for row in rows]
    result = {name: sum(row[name] for row in rows) / len(rows) for name in rows[0] if name != "ms"}
    return result | {"p50_ms": percentile(times, 0.5), "p95_ms": percentile(times, 0.95)}


def measures(ranking: Sequence[str], gold: Mapping[str, int]) -> dict[str, float]:
    """Every measure of one ranking of documents."""
    found = {f"recall@{k}": recall(ranking, gold, k) for k in (2, 5, 10, 20)}
    found |= {"ndcg@10": ndcg(ranking, gold, 10), "mrr@10": reciprocal_rank(ranking, gold, 10)}
    return found | {f"all_gold@{k}": all_gold(ranking, gold, k) for k in (5, 10, 20)}
