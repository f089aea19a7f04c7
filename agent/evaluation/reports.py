"""Results of evaluations as values for JSON and as tables for people."""

from collections.abc import Mapping, Sequence
from typing import Any

from agent.evaluation.answer_runs import AnswerResult, measured, sweep
from agent.evaluation.judged_questions import JudgedQuestion
from domain.answers import Mode

DEFAULT_METHOD = "hybrid+graph"
"""The method of retrieval that answers are made with."""

THRESHOLDS = tuple(step / 20 for step in range(1, 20))
"""Of confidence, 0.05 to 0.95."""

HALVES = {"development": True, "held_out": False}


def rounded(measures: Mapping[str, float]) -> dict[str, float]:
    """Measures with four digits behind the point."""
    return {name: round(value, 4) for name, value in measures.items()}


def retrieval_report(
    name: str, documents: int, seconds: float, questions: int, methods: Mapping[str, Mapping[str, float]]
) -> dict[str, Any]:
    """How well each method finds. name: of the data set. seconds: for indexing its documents."""
    return {
        "dataset": name,
        "documents": documents,
        "queries": questions,
        "index_seconds": round(seconds, 1),
        "default": DEFAULT_METHOD,
        "methods": {method: rounded(row) for method, row in methods.items()},
    }


def answer_report(
    name: str,
    documents: int,
    seconds: float,
    questions: Sequence[JudgedQuestion],
    model: str,
    modes: Mapping[Mode, Sequence[AnswerResult]],
) -> dict[str, Any]:
    """What the agent made of the questions in each mode: of all, of both halves, and by threshold."""
    answerable = sum(bool(question.gold) for question in questions)
    return {
        "dataset": name,
        "documents": documents,
        "queries": len(questions),
        "answerable": answerable,
        "unanswerable": len(questions) - answerable,
        "index_seconds": round(seconds, 1),
        "model": model,
        "modes": {mode: _in_mode(seen) for mode, seen in modes.items()},
    }


def _in_mode(seen: Sequence[AnswerResult]) -> dict[str, Any]:
    return {
        "all": rounded(measured(seen)),
        "halves": {
            name: rounded(measured([each for each in seen if each.question.development is development]))
            for name, development in HALVES.items()
        },
        "sweep": [rounded(row) for row in sweep(seen, THRESHOLDS)],
    }


def retrieval_table(report: Mapping[str, Any]) -> str:
    """One line for each method of retrieval."""
    names = list(next(iter(report["methods"].values())))
    head = f"{report['dataset']}: {report['documents']} documents, {report['queries']} questions, indexed in "
    lines = [
        head + f"{report['index_seconds']} s",
        "",
        "method              " + "  ".join(f"{name:>11}" for name in names),
    ]
    for method, row in report["methods"].items():
        lines.append(f"{method:<20}" + "  ".join(f"{row[name]:>11.3f}" for name in names))
    return "\n".join(lines)


def answer_table(report: Mapping[str, Any]) -> str:
    """A column for each mode and part of the questions, and below them each mode's sweep."""
    modes: dict[str, Any] = report["modes"]
    columns = {
        (mode, part): values
        for mode, row in modes.items()
        for part, values in (("all", row["all"]), *row["halves"].items())
    }
    names = dict.fromkeys(name for values in columns.values() for name in values)
    asked = f"{report['answerable']} questions with an answer, {report['unanswerable']} without"
    made = f"indexed in {report['index_seconds']} s; model: {report['model']}"
    lines = [
        f"{report['dataset']}: {report['documents']} documents, {asked}, {made}",
        "",
        f"{'':<26}" + "".join(f"{mode:>13}" for mode, _ in columns),
        f"{'':<26}" + "".join(f"{part:>13}" for _, part in columns),
    ]
    lines += [f"{name:<26}" + "".join(f"{_cell(name, each):>13}" for each in columns.values()) for name in names]
    for mode, row in modes.items():
        if row["sweep"]:
            lines += ["", *_sweep_lines(mode, row["sweep"])]
    return "\n".join(lines)


def _cell(name: str, values: Mapping[str, float]) -> str:
    if name not in values:
        return "-"
    value = values[name]
    return str(value) if isinstance(value, int) else f"{value:.3f}"


def _sweep_lines(mode: str, rows: Sequence[Mapping[str, float]]) -> list[str]:
    head = f"{mode}, development half: {'threshold':>9}{'answered':>10}{'declined':>10}"
    left = len(head) - 29
    return [
        head,
        *(f"{'':<{left}}{row['threshold']:>9.2f}{row['answered']:>10.3f}{row['declined']:>10.3f}" for row in rows),
    ]
