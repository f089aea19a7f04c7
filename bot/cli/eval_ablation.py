"""`kb eval ablation`: what each list, weight and feature of the search is worth."""

from dataclasses import asdict
from pathlib import Path

import click

from bot.cli.eval_data_set import SOURCE, database_name, index_data_set, limit_option, open_data_set, question_counter
from bot.cli.options import json_option, with_settings
from bot.cli.run_files import write_text
from bot.terminal.output import print_result
from config.settings import Settings
from domain.errors import Refused


@click.command("ablation")
@click.argument("folder", type=click.Path(path_type=Path), metavar="DIR")
@limit_option
@click.option("--seed", type=int, default=0, show_default=True, metavar="S", help="Draws the bootstrap samples.")
@click.option("--plot", type=click.Path(path_type=Path), metavar="FILE.svg", help="Draw the differences.")
@json_option
@with_settings
async def eval_ablation(
    settings: Settings, folder: Path, *, limit: int | None, seed: int, plot: Path | None, as_json: bool
) -> int:
    """Index the data set in DIR (BEIR layout) into a database of its own, and rank its questions with each list alone,
    with pairs, with all and several weights, and with the learned sum without each of its features.

    Prints a table in Markdown. Each difference to the default has the interval of 95 % of 10,000 paired bootstrap
    samples. For what an answer does beside (HyDE, rerank, decomposition, iterations), run `kb eval agent --out` or
    `kb eval answers --out` with each setting, then `kb eval compare`.
    """
    from agent.evaluation.ablation import ablation, ablation_cases, ablation_plot, ablation_table
    from agent.evaluation.judged_questions import drawn, judged_questions
    from bot.app.product import open_product

    folder, data = open_data_set(folder)
    if plot:
        write_text(plot, "")  # what cannot be written is said before the questions are asked
    async with open_product(settings, database=database_name(folder, settings)) as product:
        await index_data_set(product, data, quiet=as_json)
        asked = judged_questions(((query.text, query.gold) for query in data.queries() if query.gold), SOURCE)
        questions = drawn(asked, limit)
        if not questions:
            raise Refused(f"{folder} has no judged question", next_step="Check qrels/test.tsv.")
        with question_counter("ablation", len(questions), quiet=as_json) as show:
            cases = await ablation_cases(product.retriever, product.search, questions, show)
    rows = ablation(cases, seed)
    if plot:
        write_text(plot, ablation_plot(folder.name, rows))
    value = {"dataset": folder.name, "questions": len(questions), "settings": list(map(asdict, rows))}
    print_result(value, ablation_table(folder.name, rows), as_json=as_json)
    return 0
