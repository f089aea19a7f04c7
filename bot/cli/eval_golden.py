"""`kb eval golden`, and golden questions as commands read and show them."""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bot.app.golden_file import golden_of
from bot.cli.eval_data_set import question_counter
from bot.cli.options import json_option, with_settings
from bot.markup.plain_text import counted, one_line
from bot.terminal.output import print_result, without_secrets
from config.settings import Settings
from domain.errors import Refused

if TYPE_CHECKING:
    from agent.evaluation.golden_comparison import IndexComparison, LiveResults
    from agent.evaluation.golden_questions import GoldenQuestion, Verdict

HELD = {True: "holds", False: "fails", None: "?"}


@click.command("golden")
@click.argument("file", type=click.Path(path_type=Path), required=False, metavar="[FILE]")
@json_option
@with_settings
async def eval_golden(settings: Settings, file: Path | None, *, as_json: bool) -> int:
    """Ask the golden questions in FILE (by default, those of KB_AGENT_GOLDEN) of the index in use.

    A question holds when every document that it expects is among the 10 best passages, and every fact stands in their
    text. The results are kept with the index, for a kb reindex --full that cannot ask it any more. Exit code 1: one
    fails.
    """
    from bot.app.golden_questions import ask_live
    from bot.app.product import open_product

    golden = golden_of(settings, file, without_secrets)
    if golden is None:
        raise Refused(
            "There is no file of golden questions",
            next_step="Name one: kb eval golden FILE, or set KB_AGENT_GOLDEN; examples/golden.yaml shows its form.",
        )
    async with open_product(settings) as product:
        with question_counter("golden", len(golden.asked), quiet=as_json) as show:
            verdicts = await ask_live(product, golden.asked, show)
    failing = sum(not verdict.holds for verdict in verdicts)
    rows = [(question, verdict) for (question, _), verdict in zip(golden.asked, verdicts, strict=True)]
    found = [_described(question) | {"holds": each.holds, "missing": _missing(each)} for question, each in rows]
    lines = [line for question, each in rows for line in _lines(HELD[each.holds], question, each)]
    head = f"{counted(len(rows), 'golden question')}, {failing} failing ({golden.file})"
    value = {"file": str(golden.file), "failing": failing, "questions": found}
    print_result(value, "\n".join([head, "", *lines]), as_json=as_json, own=True)
    return int(failing > 0)


def comparison_json(comparison: "IndexComparison", file: Path) -> dict[str, Any]:
    """What `kb reindex --full --json` says of it."""
    before = comparison.before
    return {
        "file": str(file),
        "worse": len(comparison.worse),
        "before": {"how": before.how, "why": before.why, "at": before.at},
        "questions": [
            _described(row.question)
            | {"before": row.before, "after": row.after.holds, "worse": row.worse, "missing": _missing(row.after)}
            for row in comparison.rows
        ],
    }


def comparison_text(comparison: "IndexComparison", file: Path) -> str:
    """The same for people: a table."""
    rows = comparison.rows
    held, hold = sum(row.before is True for row in rows), sum(row.after.holds for row in rows)
    head = (
        f"{counted(len(rows), 'golden question')} ({file}): {held} held in the old index, {hold} hold in the new one."
    )
    lines = [head, *_remark(comparison.before), "", "before  after"]
    for row in rows:
        lines += _lines(f"{HELD[row.before]:<7} {HELD[row.after.holds]}", row.question, row.after)
    return "\n".join(lines)


def _remark(before: "LiveResults") -> Iterable[str]:
    """How the column of the old index came about, unless it was simply asked."""
    if before.how == "none":
        yield "There was no index before."
    elif before.how == "recorded":
        when = f" ({before.at:%Y-%m-%d %H:%M} UTC)" if before.at else ""
        yield f"The old index cannot be asked any more; its results are those recorded last{when}. {before.why}"
    elif before.how == "unknown":
        yield f"The old index cannot be asked any more, and no results were recorded. {before.why}"


def _lines(state: str, question: "GoldenQuestion", verdict: "Verdict") -> Iterable[str]:
    asker = f" (as {question.email})" if question.email else ""
    yield f"{state}  {one_line(question.question)}{asker}"
    margin = " " * (len(state) + 2)
    if verdict.documents:
        yield f"{margin}not among the best: {', '.join(map(one_line, verdict.documents))}"
    if verdict.facts:
        yield f"{margin}not in their text: {', '.join(map(one_line, verdict.facts))}"


def _described(question: "GoldenQuestion") -> dict[str, Any]:
    return {"question": question.question, "as": question.email or None}


def _missing(verdict: "Verdict") -> dict[str, list[str]]:
    return {"documents": list(verdict.documents), "facts": list(verdict.facts)}
