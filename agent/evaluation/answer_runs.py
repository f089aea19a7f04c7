"""Asking judged questions and looking at what comes of them."""

import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from agent.checking.markers import cited_numbers
from agent.evaluation.judged_questions import JudgedQuestion
from agent.evaluation.measures import percentile
from agent.evaluation.process_measures import evidence_measures, means_of_process, rewriting_measures, stage_times
from agent.retrieval.retriever import Retriever
from agent.service import AnswerService
from domain.access import Scope
from domain.answers import Answer, Failed, Mode, Outcome, Overrides, Question
from domain.search import Passage
from domain.search_ports import KnowledgeSearch

_SPACES = re.compile(r"\s+")
_MASKED = re.compile(r"\[masked: [^\]]{0,40}\]")


@dataclass(frozen=True, slots=True)
class AnswerResult:
    """What came of one question."""

    question: JudgedQuestion
    answered: bool
    failed: bool
    """Whether something broke, which is neither an answer nor a refusal."""
    confidence: float
    """Of the answer, 0 to 1; 0 without an answer."""
    all_gold: bool
    """Whether every relevant document is in the evidence."""
    items: int
    """Passages of evidence."""
    retrievals: int
    """Calls of tools."""
    model_calls: int
    dangling: int
    """Markers in the text without a citation."""
    misquoted: int
    """Quotes that do not stand in the evidence that they cite."""
    ms: float
    """Wall time in milliseconds."""
    process: Mapping[str, float] = field(default_factory=dict)
    """Times by stage, and of a question with an answer the other measures of agent.evaluation.process_measures."""


async def ask_all(
    service: AnswerService,
    search: KnowledgeSearch,
    retriever: Retriever,
    questions: Sequence[JudgedQuestion],
    mode: Mode | None,
    show: Callable[[int], object],
) -> list[AnswerResult]:
    """Every question, one after the other. mode: None for the setting's. show: told how many are done."""
    await service.ask(Question("Hello", Scope.member()))  # loads the graph, and asks neither index nor model
    seen = []
    for number, question in enumerate(questions, start=1):
        started = time.perf_counter()
        answer = await service.ask(Question(question.text, Scope.member(), overrides=Overrides(mode=mode)))
        result = await _evaluate_answer(question, answer.outcome, search, 1000 * (time.perf_counter() - started))
        seen.append(replace(result, process=await _process(question, answer.outcome, retriever)))
        show(number)
    return seen


async def _evaluate_answer(
    question: JudgedQuestion, outcome: Outcome, search: KnowledgeSearch, ms: float
) -> AnswerResult:
    trace = outcome.trace
    found = {item.document_id for item in trace.evidence}
    dangling = misquoted = 0
    if isinstance(outcome, Answer):
        numbers = {citation.n for citation in outcome.citations}
        dangling = sum(n not in numbers for n in cited_numbers(outcome.text))
        passages = await search.passages([item.chunk_id for item in trace.evidence], Scope.member())
        texts: dict[str, str] = {}
        for passage in passages:
            texts[passage.document_id] = texts.get(passage.document_id, "") + " " + _flat(passage.text)
        quotes = [
            (citation.document_id, quote) for citation in outcome.citations for quote in citation.quote.split(" … ")
        ]
        misquoted = sum(not _stands(quote, texts.get(document, "")) for document, quote in quotes)
    return AnswerResult(
        question,
        answered=isinstance(outcome, Answer),
        failed=isinstance(outcome, Failed),
        confidence=outcome.confidence if isinstance(outcome, Answer) else 0.0,
        all_gold=bool(question.gold) and question.gold.keys() <= found,
        items=len(trace.evidence),
        retrievals=len(trace.tool_calls),
        model_calls=trace.model_calls,
        dangling=dangling,
        misquoted=misquoted,
        ms=ms,
    )


async def _process(question: JudgedQuestion, outcome: Outcome, retriever: Retriever) -> dict[str, float]:
    gold, trace = question.gold.keys(), outcome.trace
    times = stage_times(trace)
    if not gold:
        return times

    def share(passages: Sequence[Passage]) -> float:
        return len(gold & {each.document_id for each in passages}) / len(gold)

    evidence = evidence_measures(trace, gold, lambda note: gold & {note.document_id})
    return evidence | await rewriting_measures(retriever, question.text, trace, share) | times


def _stands(quote: str, text: str) -> bool:
    """Whether a quote stands in a text, whatever is masked in it; its parts in their order."""
    position = 0
    for part in _MASKED.split(quote):
        place = text.find(_flat(part), position)
        if place < 0:
            return False
        position = place + len(_flat(part))
    return True


def _flat(text: str) -> str:
    return _SPACES.sub(" ", text).strip()


def question_measures(seen: AnswerResult) -> dict[str, float]:
    """The measures of one question, to be compared with another run's: `answered` and `all_gold` of one with an answer,
    `declined` of one without, as 0 or 1; retrievals, model_calls, ms; and how it came about."""
    counts = {"retrievals": float(seen.retrievals), "model_calls": float(seen.model_calls), "ms": seen.ms}
    counts |= seen.process
    if seen.question.gold:
        return {"answered": float(seen.answered), "all_gold": float(seen.all_gold)} | counts
    return {"declined": float(not seen.answered and not seen.failed)} | counts


def measured(seen: Sequence[AnswerResult]) -> dict[str, float]:
    """Shares from 0 to 1, means, counts, and milliseconds. What would be taken over no question at all is left out.

    questions: how many. failed: of these. answered: share of the answerable ones. all_gold: share of the answerable
    ones whose evidence has every relevant document. declined: share of the unanswerable ones that were not answered
    and did not fail. evidence_items, retrievals, model_calls: means for one question. markers_without_evidence,
    quotes_not_in_source: counts. p50_ms, p95_ms: wall time of a question. The measures of
    agent.evaluation.process_measures: means over the questions that have them.
    """
    answerable = [each for each in seen if each.question.gold]
    unanswerable = [each for each in seen if not each.question.gold]
    found: dict[str, float] = {"questions": len(seen)}
    if not seen:
        return found
    found["failed"] = sum(each.failed for each in seen)
    if answerable:
        found["answered"] = _mean([each.answered for each in answerable])
        found["all_gold"] = _mean([each.all_gold for each in answerable])
    if unanswerable:
        found["declined"] = _mean([not (each.answered or each.failed) for each in unanswerable])
    times = [each.ms for each in seen]
    return found | {
        "evidence_items": _mean([each.items for each in seen]),
        "retrievals": _mean([each.retrievals for each in seen]),
        "model_calls": _mean([each.model_calls for each in seen]),
        "markers_without_evidence": sum(each.dangling for each in seen),
        "quotes_not_in_source": sum(each.misquoted for each in seen),
        "p50_ms": percentile(times, 0.5),
        "p95_ms": percentile(times, 0.95),
        **means_of_process([dict(each.process) for each in seen]),
    }


def sweep(seen: Sequence[AnswerResult], thresholds: Sequence[float]) -> list[dict[str, float]]:
    """Answered and declined shares on the development half at each threshold of confidence.

    Only what was answered can be declined by a higher threshold: below the one that the questions were asked with,
    rows are the same. None when the half has no answerable or no unanswerable question; what failed is left out.
    """
    half = [each for each in seen if each.question.development and not each.failed]
    rows = []
    for threshold in thresholds:
        answered = [each.answered and each.confidence >= threshold for each in half if each.question.gold]
        declined = [not each.answered or each.confidence < threshold for each in half if not each.question.gold]
        if answered and declined:
            rows.append({"threshold": threshold, "answered": _mean(answered), "declined": _mean(declined)})
    return rows


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0
