"""How an answer came about: what its evidence holds, whether searching again and other words helped, and its time."""

from collections.abc import Callable, Collection, Sequence
from itertools import chain, zip_longest

from agent.retrieval.retriever import Retriever
from domain.access import Scope
from domain.answers import EvidenceNote, Trace
from domain.search import Passage

Scores = dict[str, float]

PASSAGES = 12
"""Passages of the asked and of the rewritten words that are compared."""

SEARCHES = frozenset({"hybrid_search", "vector_search", "keyword_search"})

PROCESS_MEASURES = (
    *("evidence_precision", "evidence_recall", "searched_again", "again_right", "again_gained"),
    *("rewritten", "rewriting_gain"),
    *(f"{stage}_ms" for stage in ("analyze", "plan", "search", "grade", "write", "verify", "mask")),
)
"""Their names, in the order of reports."""


def stage_times(trace: Trace) -> Scores:
    """The milliseconds of each stage, over all its visits, as `search_ms`."""
    return {f"{stage}_ms": ms for stage, ms in trace.timings_ms.items() if stage != "total"}


def evidence_measures(trace: Trace, wanted: Collection[str], held: Callable[[EvidenceNote], Collection[str]]) -> Scores:
    """What the evidence of an answer holds, without a judge.

    Args:
        wanted: the documents that answer the question, by any name; at least one.
        held: which of them a passage is of.

    Returns:
        evidence_precision: the sum over the passages of wanted documents of the precision at their rank, divided by
        their number; 0 without any. evidence_recall: share of the wanted documents among the evidence. searched_again:
        1 if there was more than one pass, else 0. again_right: 1 if there was another pass where the first had not
        found all of them, or none where it had; else 0. again_gained: of what was searched again, 1 if a later pass
        brought a further wanted document.
    """
    hits = [(frozenset(held(each)), each.iteration) for each in trace.evidence]
    precisions = [
        sum(bool(found) for found, _ in hits[:rank]) / rank for rank, (found, _) in enumerate(hits, start=1) if found
    ]
    everything = frozenset[str]().union(*(found for found, _ in hits))
    first = frozenset[str]().union(*(found for found, iteration in hits if iteration <= 1))
    again = trace.iterations > 1
    scores = {
        "evidence_precision": sum(precisions) / len(precisions) if precisions else 0.0,
        "evidence_recall": len(everything) / len(wanted),
        "searched_again": float(again),
        "again_right": float(again != (len(first) == len(wanted))),
    }
    return scores | ({"again_gained": float(len(everything) > len(first))} if again else {})


async def rewriting_measures(
    retriever: Retriever, asked: str, trace: Trace, found_in: Callable[[Sequence[Passage]], float]
) -> Scores:
    """Whether other words than the asker's found more in the first pass.

    Args:
        asked: the question as it was asked.
        found_in: the share of what is wanted that passages hold, 0 to 1.

    Returns:
        rewritten: 1 if the first pass searched for other words, else 0. rewriting_gain, of such a question: the share
        that the best passages for those words hold, in turn where there are several wordings, less the share that as
        many passages for the asked words hold; -1 to 1.
    """
    calls = (call for call in trace.tool_calls if call.iteration == 1 and call.name in SEARCHES)
    queries = dict.fromkeys(str(call.args.get("query", "")) for call in calls)
    others = [query for query in queries if query and query != asked]
    if not others:
        return {"rewritten": 0.0}
    rankings = [await _passages(retriever, query) for query in others]
    in_turn = [each for each in chain.from_iterable(zip_longest(*rankings)) if each is not None]
    rewritten = list({each.chunk_id: each for each in in_turn}.values())[:PASSAGES]
    return {"rewritten": 1.0, "rewriting_gain": found_in(rewritten) - found_in(await _passages(retriever, asked))}


async def _passages(retriever: Retriever, text: str) -> list[Passage]:
    found = await retriever.rank(text, Scope.member(), limit=PASSAGES)
    return await retriever.passages(found.ranked, Scope.member())


def means_of_process(rows: Sequence[Scores]) -> Scores:
    """The mean of each measure over the questions that have it."""
    found = {name: [row[name] for row in rows if name in row] for name in PROCESS_MEASURES}
    return {name: sum(values) / len(values) for name, values in found.items() if values}
