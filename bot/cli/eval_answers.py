"""`kb eval answers`: measures whole answers on questions with known facts."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bot.app.named_file import text_of
from bot.cli.eval_data_set import SOURCE, database_name, question_counter
from bot.cli.options import json_option, with_settings
from bot.cli.run_files import check_writable, out_option, write_rows
from bot.markup.plain_text import one_line
from bot.terminal.output import print_result, without_secrets
from config.settings import Settings
from domain.errors import Refused

if TYPE_CHECKING:
    from agent.evaluation.fact_runs import FactResult
    from bot.app.product import Product
    from domain.answers import Mode


@click.command("answers")
@click.argument("file", type=click.Path(path_type=Path), metavar="FILE")
@click.option(
    "--folder",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Index DIR into a database of its own, and ask that; default: the index in use.",
)
@click.option("--mode", type=click.Choice(["agentic", "direct"]), help="Default: the setting's.")
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="Ask N of the questions only.")
@click.option("--seed", type=int, default=0, show_default=True, metavar="S", help="Draws those N.")
@out_option
@click.option(
    "--judge", metavar="MODEL", help="Also have answers judged by this model at the endpoint that is configured."
)
@click.option("--summary", is_flag=True, help="Show and keep no text of a question or reply.")
@json_option
@with_settings
async def eval_answers(
    settings: Settings,
    file: Path,
    *,
    folder: Path | None,
    mode: "Mode | None",
    limit: int | None,
    seed: int,
    out: Path | None,
    judge: str | None,
    summary: bool,
    as_json: bool,
) -> int:
    """Ask every question in FILE (YAML; examples/questions/development.yaml shows its form), and compare the answers
    with the facts and sources that stand there.

    An answer is right with all facts in whole words and no wording named as wrong, partly right with some facts, and
    wrong otherwise. A question without an answer should be declined. --judge adds faithfulness, answer relevancy,
    context precision and context recall as RAGAS defines them: five requests an answer.
    """
    from agent.evaluation.fact_questions import read_fact_questions
    from agent.evaluation.fact_runs import ask_facts, fact_report, fact_table, run_row
    from agent.evaluation.judged_questions import drawn
    from bot.app.product import open_product

    text = text_of(
        file, f"The questions in {file}", "Name a file such as examples/questions/development.yaml.", Refused
    )
    asked = drawn(read_fact_questions(text, str(file)), limit, seed, lambda each: each.id)
    questions = [replace(each, text=without_secrets(each.text)) for each in asked]
    place = _folder(folder) if folder else None
    check_writable(out)
    async with open_product(settings, database=database_name(place, settings) if place else None) as product:
        if place:
            await _index(product, place, quiet=as_json)
        with question_counter("answers", len(questions), quiet=as_json) as show:
            results = await ask_facts(product.answers, product.retriever, questions, mode, show)
        if judge:
            results = await _judged(settings, product, judge, results, quiet=as_json)
    rows = [run_row(each, texts=not summary) for each in results]
    write_rows(out, rows)
    report = {"file": str(file), "model": settings.model.llm_model or "offline"} | fact_report(results)
    text = fact_table(report)
    if not summary:
        text += "\n\n" + "\n".join(map(_line, rows))
    print_result(report | ({} if summary else {"questions": rows}), text, as_json=as_json)
    return 0


async def _judged(
    settings: Settings, product: "Product", model: str, results: "list[FactResult]", *, quiet: bool
) -> "list[FactResult]":
    from agent.checking.markers import without_markers
    from agent.evaluation.judge import JudgedAnswer
    from bot.app.judging import open_judge
    from domain.access import Scope

    answered = [each for each in results if each.reply]
    found = {}
    async with open_judge(settings, model, product.embedder) as judge:
        with question_counter("judge", len(answered), quiet=quiet) as show:
            for number, each in enumerate(answered, start=1):
                passages = await product.search.passages(each.evidence, Scope.member())
                texts = tuple(passage.text for passage in passages if not passage.injection)
                facts = tuple(wordings[0] for wordings in each.question.facts)
                judged = JudgedAnswer(each.question.text, without_markers(each.reply), texts, facts)
                found[each.question.id] = await judge.judge(judged)
                show(number)
    return [replace(each, scores=each.scores | found.get(each.question.id, {})) for each in results]


def _line(row: dict[str, Any]) -> str:
    return f"{row['verdict']:<9} {row['id']:<22} {one_line(row['question'])}"


def _folder(folder: Path) -> Path:
    real = folder.expanduser().resolve()
    if not real.is_dir():
        raise Refused(f"{folder} is not a folder", next_step="--folder names the folder that the questions are about.")
    return real


async def _index(product: "Product", folder: Path, *, quiet: bool) -> None:
    """Reads the folder into the open database; what did not change is skipped."""
    from bot.cli.index import options_of_place
    from bot.cli.index_runs import run_source
    from indexer.run.dependencies import RunOptions
    from storage.index.sources import Source

    kind, options = options_of_place(str(folder))
    source = Source(SOURCE, kind, options | {"audience": "everyone"})
    if not await product.storage.sources.states():
        await product.storage.sources.add(source)
    await run_source(product, source, product.writer, RunOptions(prune_confirmed=True), quiet=quiet)
