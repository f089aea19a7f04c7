"""`kb eval retrieval`: how good retrieval is on judged questions."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from bot.cli.eval_data_set import SOURCE, database_name, index_data_set, open_data_set, question_counter
from bot.cli.options import json_option, with_settings
from bot.terminal.output import print_result
from domain.errors import Refused

if TYPE_CHECKING:
    from config.settings import Settings

METHODS = ("lexical", "dense", "hybrid", "hybrid+graph")


@click.command()
@click.argument("folder", type=click.Path(path_type=Path), metavar="DIR")
@click.option("--method", "methods", type=click.Choice(METHODS), multiple=True, help="Repeat for several; default all.")
@json_option
@with_settings
async def retrieval(settings: "Settings", folder: Path, *, methods: tuple[str, ...], as_json: bool) -> int:
    """Index the data set in DIR (BEIR layout) into a database of its own, and measure retrieval on it.

    The database is kept beside the usual one: a second run over the same data indexes only what changed.
    """
    from agent.evaluation.judged_questions import judged_questions
    from agent.evaluation.reports import retrieval_report, retrieval_table
    from agent.evaluation.retrieval_runs import evaluate as measure
    from bot.app.product import open_product

    folder, data = open_data_set(folder)
    async with open_product(settings, database=database_name(folder, settings)) as product:
        seconds, documents = await index_data_set(product, data, quiet=as_json)
        questions = judged_questions(((query.text, query.gold) for query in data.queries() if query.gold), SOURCE)
        if not questions:
            raise Refused(f"{folder} has no judged question", next_step="Check qrels/test.tsv.")
        found: dict[str, dict[str, float]] = {}
        for method in methods or METHODS:
            with question_counter(method, len(questions), quiet=as_json) as show:
                found[method] = await measure(product.retriever, questions, method, show)  # type: ignore[arg-type] # one of METHODS
    report = retrieval_report(folder.name, documents, seconds, len(questions), found)
    print_result(report, retrieval_table(report), as_json=as_json)
    return 0
