"""Asks questions with known facts, and puts what comes of them in rows and a table."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from agent.evaluation.fact_questions import FactQuestion
from agent.evaluation.fact_scores import Scores, Verdict, scores_of, sources_among, verdict_of
from agent.evaluation.judge import MEASURES as JUDGED
from agent.evaluation.process_measures import PROCESS_MEASURES, rewriting_measures
from agent.retrieval.retriever import Retriever
from agent.service import AnswerService
from domain.access import Scope
from domain.answers import Answer, Mode, NotFound, Outcome, Overrides, Question, Turn
from domain.search import Passage

VERDICTS: tuple[Verdict, ...] = ("right", "partly", "wrong", "declined", "failed")
WITHOUT: tuple[Verdict, ...] = ("answered", "declined", "failed")
MEASURES: tuple[str, ...] = (
    "facts",
    "near_facts",
    "citation_precision",
    "citation_recall",
    "hops",
    "supported",
    "requests",
    "tokens",
    "ms",
)
MEASURES += (*JUDGED, *PROCESS_MEASURES)


@dataclass(frozen=True, slots=True)
class FactResult:
    """What came of one question."""

    question: FactQuestion
    verdict: Verdict
    scores: Scores
    reply: str
    """The answer's text; empty without one."""
    evidence: tuple[str, ...] = ()
    """Ids of the chunks that it was made from, best first."""


async def ask_facts(
    service: AnswerService,
    retriever: Retriever,
    questions: Sequence[FactQuestion],
    mode: Mode | None,
    show: Callable[[int], object],
) -> list[FactResult]:
    """Every question, one after the other, each in a conversation of its own. mode: None for the setting's. show: told
    how many are done."""
    overrides = Overrides(mode=mode)
    await service.ask(Question("Hello", Scope.member()))  # loads the graph, and asks neither index nor model
    results = []
    for number, question in enumerate(questions, start=1):
        history: tuple[Turn, ...] = ()
        if question.before:
            earlier = await service.ask(Question(question.before, Scope.member(), overrides=overrides))
            history = _turn(question.before, earlier.outcome)
        started = time.perf_counter()
        asked = Question(question.text, Scope.member(), history=history, overrides=overrides)
        outcome = (await service.ask(asked)).outcome
        scores = scores_of(question, outcome) | {"ms": 1000 * (time.perf_counter() - started)}
        if question.answerable and question.sources:
            share = partial(_source_share, question)
            scores |= await rewriting_measures(retriever, question.text, outcome.trace, share)
        reply = outcome.text if isinstance(outcome, Answer) else ""
        evidence = tuple(dict.fromkeys(each.chunk_id for each in outcome.trace.evidence))
        results.append(FactResult(question, verdict_of(question, outcome), scores, reply, evidence))
        show(number)
    return results


def _source_share(question: FactQuestion, passages: Sequence[Passage]) -> float:
    return len(sources_among(question, (each.path for each in passages))) / len(question.sources)


def _turn(question: str, outcome: Outcome) -> tuple[Turn, ...]:
    """What a conversation remembers of an outcome."""
    match outcome:
        case Answer():
            cited = tuple((each.chunk_id, each.document_id) for each in outcome.citations if each.chunk_id)
            return (Turn(question, outcome.text, cited),)
        case NotFound():
            return (Turn(question, f"Not found. Searched {outcome.searched}."),)
        case _:
            return ()


def run_row(result: FactResult, *, texts: bool) -> dict[str, Any]:
    """A line of a file of results. texts: with question and reply."""
    asked = result.question
    row: dict[str, Any] = {"id": asked.id, "kind": asked.kind, "answerable": asked.answerable}
    row |= {"verdict": result.verdict, "measures": {name: round(each, 4) for name, each in result.scores.items()}}
    return row | {"question": asked.text, "reply": result.reply} if texts else row


def fact_report(results: Sequence[FactResult]) -> dict[str, Any]:
    """Counts of verdicts by kind and in all, and means of the measures, for questions with an answer and without."""
    parts = {"answerable": True, "unanswerable": False}
    return {name: _part([each for each in results if each.question.answerable is has]) for name, has in parts.items()}


def _part(results: Sequence[FactResult]) -> dict[str, Any]:
    kinds = dict.fromkeys(each.question.kind for each in results)
    by_kind = {kind: _counted([each for each in results if each.question.kind == kind]) for kind in kinds}
    return {"kinds": by_kind, "total": _counted(results), "measures": means([each.scores for each in results])}


def means(rows: Sequence[Mapping[str, float]]) -> Scores:
    """The mean of each measure over the rows that have it."""
    found = {name: [row[name] for row in rows if name in row] for name in MEASURES}
    return {name: round(sum(values) / len(values), 4) for name, values in found.items() if values}


def _counted(results: Sequence[FactResult]) -> dict[str, int]:
    counts = {"questions": len(results)}
    for each in results:
        counts[each.verdict] = counts.get(each.verdict, 0) + 1
    return counts


def fact_table(report: Mapping[str, Any]) -> str:
    """The report for people: a table of kinds for each part, and the means below."""
    lines: list[str] = []
    for part, verdicts in (("answerable", VERDICTS), ("unanswerable", WITHOUT)):
        found = report[part]
        if not found["total"]["questions"]:
            continue
        names = ("questions", *verdicts)
        lines += ["", f"{part:<22}" + "".join(f"{name:>10}" for name in names)]
        for kind, row in [*found["kinds"].items(), ("total", found["total"])]:
            lines.append(f"{kind or '-':<22}" + "".join(f"{row.get(name, 0):>10}" for name in names))
        shares = {name: f"{100 * found['total'].get(name, 0) / found['total']['questions']:.1f} %" for name in verdicts}
        lines.append(f"{'share':<22}{'':>10}" + "".join(f"{shares[name]:>10}" for name in verdicts))
        lines += ["", *(f"{name:<22}{value:>10.3f}" for name, value in found["measures"].items())]
    return "\n".join(lines[1:])
