"""`kb eval agent`: what the agent makes of judged questions."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bot.cli.data_set import SOURCE, counting, database_name, indexed, opened
from bot.cli.options import json_option, run
from bot.terminal.output import print_json, say, settings_in_force
from domain.errors import Refused

if TYPE_CHECKING:
    from agent.evaluation.answers import AskedQuestion, Seen
    from bot.main import Product
    from config.settings import Settings
    from domain.answers import Mode
    from indexer.connectors.beir import BeirFolder

MODES: "tuple[Mode, ...]" = ("agentic", "direct")

THRESHOLDS = tuple(step / 20 for step in range(1, 20))
"""Of confidence, 0.05 to 0.95."""

HALVES = {"development": True, "held_out": False}


@click.command()
@click.argument("folder", type=click.Path(path_type=Path), metavar="DIR")
@click.option("--mode", "modes", type=click.Choice(MODES), multiple=True, help="Repeat for several; default both.")
@click.option(
    "--limit", type=click.IntRange(min=1), metavar="N", help="Ask N of the questions only, always the same ones."
)
@json_option
def agent(folder: Path, *, modes: "tuple[Mode, ...]", limit: int | None, as_json: bool) -> int:
    """Index the data set in DIR (BEIR layout) into a database of its own, and ask the agent every question.

    A question with a judgement should be answered, one without should be declined. Measures are shares from 0 to 1,
    means for one question, and counts; each question belongs to one of two fixed halves: choose thresholds by the
    sweep, which is made on the development half, and report the held-out half.

    With a model configured (KB_AGENT_LLM_MODEL), the model is asked: that costs several requests a question and mode,
    but for replies that are kept from before, which also take no time. The sweep starts at the relevance from which
    questions are answered: set KB_AGENT_ANSWER_MIN_RELEVANCE=0 to see it all.
    """
    settings = settings_in_force()
    folder, data = opened(folder)
    wanted = tuple(dict.fromkeys(modes)) or MODES
    return run(_measure(settings, data, folder, wanted, limit, as_json=as_json))


async def _measure(
    settings: "Settings", data: "BeirFolder", folder: Path, modes: "Sequence[Mode]", limit: int | None, *, as_json: bool
) -> int:
    from bot.main import open_product

    questions = _asked(data, folder, limit)
    async with open_product(settings, database=database_name(folder, settings)) as product:
        seconds, documents = await indexed(product, data, quiet=as_json)
        found = {mode: await _in_mode(product, questions, mode, quiet=as_json) for mode in modes}
    answerable = sum(bool(question.gold) for question in questions)
    result = {
        "dataset": folder.name,
        "documents": documents,
        "queries": len(questions),
        "answerable": answerable,
        "unanswerable": len(questions) - answerable,
        "index_seconds": round(seconds, 1),
        "model": settings.model.llm_model or "offline",
        "modes": found,
    }
    if as_json:
        print_json(result)
    else:
        say(table(result))
    return 0


def _asked(data: "BeirFolder", folder: Path, limit: int | None) -> "list[AskedQuestion]":
    """The questions in the order of the data set; `limit` of them drawn by their text, so that neither the order of
    the file nor its kinds of questions decide."""
    from agent.evaluation.answers import AskedQuestion
    from domain.documents import digest, document_id

    questions = [
        AskedQuestion(query.text, {document_id(SOURCE, key): grade for key, grade in query.gold.items()})
        for query in data.queries()
    ]
    if not questions:
        raise Refused(f"{folder} has no question", next_step="Check queries.jsonl.")
    drawn = sorted(range(len(questions)), key=lambda number: digest("drawn", questions[number].text))[:limit]
    return [questions[number] for number in sorted(drawn)]


async def _in_mode(
    product: "Product", questions: "Sequence[AskedQuestion]", mode: "Mode", *, quiet: bool
) -> dict[str, Any]:
    """All measures of one mode."""
    from agent.evaluation.answers import ask_all, sweep

    with counting(mode, len(questions), quiet=quiet) as show:
        seen = await ask_all(product.answers, product.search, questions, mode, show)
    return {
        "all": _rounded(seen),
        "halves": {
            name: _rounded([each for each in seen if each.question.development is development])
            for name, development in HALVES.items()
        },
        "sweep": [{name: round(value, 4) for name, value in row.items()} for row in sweep(seen, THRESHOLDS)],
    }


def _rounded(seen: "Sequence[Seen]") -> dict[str, float]:
    from agent.evaluation.answers import measured

    return {name: round(value, 4) for name, value in measured(seen).items()}


def table(result: dict[str, Any]) -> str:
    """The result as a table: a column for each mode and part of the questions, and one for each mode's sweep."""
    modes: dict[str, Any] = result["modes"]
    columns = {
        (mode, part): values
        for mode, row in modes.items()
        for part, values in (("all", row["all"]), *row["halves"].items())
    }
    names = dict.fromkeys(name for values in columns.values() for name in values)
    asked = f"{result['answerable']} questions with an answer, {result['unanswerable']} without"
    made = f"indexed in {result['index_seconds']} s; model: {result['model']}"
    lines = [
        f"{result['dataset']}: {result['documents']} documents, {asked}, {made}",
        "",
        f"{'':<26}" + "".join(f"{mode:>13}" for mode, _ in columns),
        f"{'':<26}" + "".join(f"{part:>13}" for _, part in columns),
    ]
    lines += [f"{name:<26}" + "".join(f"{_cell(name, each):>13}" for each in columns.values()) for name in names]
    for mode, row in modes.items():
        if row["sweep"]:
            lines += ["", *_sweep_lines(mode, row["sweep"])]
    return "\n".join(lines)


def _cell(name: str, values: dict[str, float]) -> str:
    if name not in values:
        return "-"
    value = values[name]
    return str(value) if isinstance(value, int) else f"{value:.3f}"


def _sweep_lines(mode: str, rows: list[dict[str, float]]) -> list[str]:
    head = f"{mode}, development half: {'threshold':>9}{'answered':>10}{'declined':>10}"
    left = len(head) - 29
    return [
        head,
        *(f"{'':<{left}}{row['threshold']:>9.2f}{row['answered']:>10.3f}{row['declined']:>10.3f}" for row in rows),
    ]
