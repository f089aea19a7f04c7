"""`kb eval retrieval`: how well each method of retrieval finds."""

from pathlib import Path

import click

from bot.cli.eval_data_set import (
    database_name,
    drawing_options,
    index_data_set,
    open_data_set,
    question_counter,
    questions_of,
)
from bot.cli.options import json_option, rerank_options, with_settings
from bot.cli.run_files import check_writable, out_option, write_measures
from bot.terminal.output import print_result
from config.settings import Settings

METHODS = ("lexical", "dense", "hybrid", "hybrid+graph", "graph")


@click.command("retrieval")
@click.argument("folder", type=click.Path(path_type=Path), metavar="DIR")
@click.option(
    "--method", "methods", type=click.Choice(METHODS), multiple=True, help="Repeat for several; default all but graph."
)
@rerank_options
@drawing_options
@out_option
@json_option
@with_settings
async def eval_retrieval(
    settings: Settings,
    folder: Path,
    *,
    methods: tuple[str, ...],
    rerank: bool | None,
    rerank_candidates: int | None,
    rerank_blend: float | None,
    limit: int | None,
    seed: int,
    out: Path | None,
    as_json: bool,
) -> int:
    """Index the data set in DIR (BEIR layout) into a database of its own, and measure retrieval on it.

    The database is kept beside the usual one: a second run over the same data indexes only what changed. With
    --rerank, what each method found is also measured with its candidates ranked anew, as METHOD+rerank.
    """
    from agent.evaluation.reports import retrieval_report, retrieval_table
    from agent.evaluation.retrieval_runs import evaluate as measure
    from agent.evaluation.retrieval_runs import means
    from bot.app.product import open_product
    from bot.app.reranked_search import open_reranking

    folder, data = open_data_set(folder)
    check_writable(out)
    async with open_product(settings, database=database_name(folder, settings)) as product:
        seconds, documents = await index_data_set(product, data, quiet=as_json)
        questions = questions_of(data, folder, limit, seed)
        found: dict[str, list[dict[str, float]]] = {}
        opening = open_reranking(product, wanted=rerank, candidates=rerank_candidates, blend=rerank_blend)
        async with opening as reranking:
            for method in methods or METHODS[:-1]:
                with question_counter(method, len(questions), quiet=as_json) as show:
                    found |= await measure(product.retriever, questions, method, show, reranking)  # type: ignore[arg-type] # one of METHODS
    report = retrieval_report(
        folder.name, documents, seconds, len(questions), {variant: means(rows) for variant, rows in found.items()}
    )
    write_measures(out, questions, found)
    print_result(report, retrieval_table(report), as_json=as_json)
    return 0
