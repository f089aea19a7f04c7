"""`kb eval`: measures the product on judged questions."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from bot.cli.eval_ablation import eval_ablation
from bot.cli.eval_answers import eval_answers
from bot.cli.eval_compare import eval_compare
from bot.cli.eval_data_set import (
    SOURCE,
    database_name,
    drawing_options,
    index_data_set,
    open_data_set,
    question_counter,
)
from bot.cli.eval_golden import eval_golden
from bot.cli.eval_retrieval import eval_retrieval
from bot.cli.eval_table import eval_table
from bot.cli.options import json_option, with_settings
from bot.cli.run_files import check_writable, out_option, write_measures
from bot.terminal.output import print_result
from config.settings import Settings
from domain.errors import Refused

if TYPE_CHECKING:
    from domain.answers import Mode

MODES: "tuple[Mode, ...]" = ("agentic", "direct")


@click.group("eval")
def evaluate() -> None:
    """Measure the product on judged questions."""


evaluate.add_command(eval_retrieval)
evaluate.add_command(eval_answers)
evaluate.add_command(eval_golden)
evaluate.add_command(eval_compare)
evaluate.add_command(eval_ablation)
evaluate.add_command(eval_table)


@evaluate.command()
@click.argument("folder", type=click.Path(path_type=Path), metavar="DIR")
@click.option("--mode", "modes", type=click.Choice(MODES), multiple=True, help="Repeat for several; default both.")
@click.option("--variant", metavar="NAME", help="What the one mode is called in the results; default: the mode.")
@drawing_options
@out_option
@json_option
@with_settings
async def agent(
    settings: Settings,
    folder: Path,
    *,
    modes: "tuple[Mode, ...]",
    variant: str | None,
    limit: int | None,
    seed: int,
    out: Path | None,
    as_json: bool,
) -> int:
    """Index the data set in DIR (BEIR layout) into a database of its own, and ask the agent every question.

    A question with a judgement should be answered, one without should be declined. Measures are shares from 0 to 1,
    means for one question, and counts; each question belongs to one of two fixed halves: choose thresholds by the
    sweep, which is made on the development half, and report the held-out half.

    With a model configured (KB_AGENT_LLM_MODEL), the model is asked: that costs several requests a question and mode,
    but for replies that are kept from before, which also take no time. The sweep starts at the relevance from which
    questions are answered: set KB_AGENT_ANSWER_MIN_RELEVANCE=0 to see it all.
    """
    from agent.evaluation.answer_runs import ask_all, question_measures
    from agent.evaluation.judged_questions import drawn, judged_questions
    from agent.evaluation.reports import answer_report, answer_table
    from bot.app.product import open_product

    if variant is not None and len(set(modes)) != 1:
        raise click.UsageError("--variant names one mode: give one --mode.")
    folder, data = open_data_set(folder)
    check_writable(out)
    asked = judged_questions(((query.text, query.gold) for query in data.queries()), SOURCE)
    questions = drawn(asked, limit, seed, lambda each: each.text)
    if not questions:
        raise Refused(f"{folder} has no question", next_step="Check queries.jsonl.")
    async with open_product(settings, database=database_name(folder, settings)) as product:
        seconds, documents = await index_data_set(product, data, quiet=as_json)
        found = {}
        for mode in tuple(dict.fromkeys(modes)) or MODES:
            with question_counter(mode, len(questions), quiet=as_json) as show:
                found[mode] = await ask_all(product.answers, product.search, product.retriever, questions, mode, show)
    rows = {variant or mode: list(map(question_measures, seen)) for mode, seen in found.items()}
    write_measures(out, questions, rows)
    model = settings.model.llm_model or "offline"
    report = answer_report(folder.name, documents, seconds, questions, model, found)
    print_result(report, answer_table(report), as_json=as_json)
    return 0
