"""Asks an index golden questions, with the retrieval that answers are made from."""

from collections.abc import Callable, Sequence

from agent.evaluation.golden_questions import RESULTS, GoldenQuestion, Verdict, judge
from agent.retrieval.retriever import Retriever
from domain.access import Scope
from domain.search import Passage


async def results(retriever: Retriever, question: str, scope: Scope) -> list[Passage]:
    """The best passages for a question, by words and by meaning.

    Raises:
        Transient: the model or the database is away: by words alone, it would be another retrieval that is judged.
        Misconfigured: see domain.search_ports.KnowledgeSearch and Embedder.
    """
    await retriever.embed(question)
    found = await retriever.rank(question, scope, limit=RESULTS)
    return await retriever.passages(found.ranked, scope)


async def ask_golden(
    retriever: Retriever, asked: Sequence[tuple[GoldenQuestion, Scope]], show: Callable[[int], object]
) -> list[Verdict]:
    """How each question fares, in order. show: told how many are done. Raises what `results` raises."""
    verdicts = []
    for number, (question, scope) in enumerate(asked, start=1):
        verdicts.append(judge(question, await results(retriever, question.question, scope)))
        show(number)
    return verdicts
