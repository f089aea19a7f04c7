"""Measures of how an answer came about, on made traces."""

import pytest

from agent.evaluation.process_measures import evidence_measures, means_of_process, rewriting_measures, stage_times
from agent.retrieval.retriever import RetrievalOptions, Retriever
from domain.answers import EvidenceNote, ToolCall, Trace
from tests.fakes.documents import a_document, put
from tests.fakes.embedder import HashEmbedder
from tests.fakes.knowledge import MemoryKnowledge

MODEL = HashEmbedder()


def a_trace(*documents: tuple[str, int], iterations: int = 1) -> Trace:
    """documents: the document of each passage of evidence, best first, and the pass that found it."""
    evidence = tuple(
        EvidenceNote(f"c{n}", document, "", (), 1.0, None, iteration)
        for n, (document, iteration) in enumerate(documents)
    )
    return Trace(iterations=iterations, evidence=evidence)


def measured(trace: Trace) -> dict[str, float]:
    wanted = {"a", "b"}
    return evidence_measures(trace, wanted, lambda note: wanted & {note.document_id})


def test_precision_looks_at_ranks_and_recall_at_documents() -> None:
    found = measured(a_trace(("x", 1), ("a", 1), ("a", 1), ("y", 1)))
    assert found["evidence_precision"] == pytest.approx((1 / 2 + 2 / 3) / 2)
    assert found["evidence_recall"] == 0.5
    nothing = measured(a_trace(("x", 1)))
    assert (nothing["evidence_precision"], nothing["evidence_recall"]) == (0.0, 0.0)


@pytest.mark.parametrize(
    ("trace", "right", "gained"),
    [
        (a_trace(("a", 1), ("b", 1)), 1.0, None),
        (a_trace(("a", 1)), 0.0, None),
        (a_trace(("a", 1), ("b", 2), iterations=2), 1.0, 1.0),
        (a_trace(("a", 1), iterations=2), 1.0, 0.0),
        (a_trace(("a", 1), ("b", 1), ("x", 2), iterations=2), 0.0, 0.0),
    ],
)
def test_another_pass_is_right_where_the_first_lacked_something(
    trace: Trace, right: float, gained: float | None
) -> None:
    found = measured(trace)
    assert (found["again_right"], found.get("again_gained")) == (right, gained)


async def test_other_words_are_compared_with_the_asked_ones() -> None:
    knowledge = MemoryKnowledge(MODEL.identity)
    await put(knowledge, MODEL, a_document("leave"), "Annual leave is thirty days.")
    for number in range(12):
        await put(knowledge, MODEL, a_document(f"other{number}"), f"A vacation photograph, number {number}.")
    retriever, wanted = Retriever(knowledge, MODEL, RetrievalOptions()), a_document("leave").document_id
    asked = "vacation photograph number"

    def calls(*queries: str) -> Trace:
        return Trace(tool_calls=tuple(ToolCall("hybrid_search", {"query": each}, 1.0, 1) for each in queries))

    async def gain(trace: Trace) -> dict[str, float]:
        return await rewriting_measures(
            retriever, asked, trace, lambda passages: float(wanted in {each.document_id for each in passages})
        )

    assert await gain(calls(asked)) == {"rewritten": 0.0}
    assert await gain(calls(asked, "annual leave")) == {"rewritten": 1.0, "rewriting_gain": 1.0}
    assert await gain(calls("a photograph of a vacation")) == {"rewritten": 1.0, "rewriting_gain": 0.0}


def test_times_are_those_of_stages_and_means_leave_out_what_is_missing() -> None:
    times = stage_times(Trace(timings_ms={"search": 4.0, "write": 2.0, "total": 7.0}))
    assert times == {"search_ms": 4.0, "write_ms": 2.0}
    assert means_of_process([times, {"search_ms": 6.0}]) == {"search_ms": 5.0, "write_ms": 2.0}
