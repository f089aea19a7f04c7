"""`kb eval ablation`: what each list, weight, feature and switch of the search is worth."""

from contextlib import AsyncExitStack
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

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
from bot.cli.run_files import check_writable, out_option, write_measures, write_text
from bot.terminal.output import print_result, say
from config.settings import Settings
from domain.errors import Refused

if TYPE_CHECKING:
    from agent.evaluation.ablation import AblationCase
    from agent.evaluation.judged_questions import JudgedQuestion
    from bot.app.lone_tools import Hypotheses
    from bot.app.product import Product
    from indexer.sources.beir.data_set import BeirFolder

NO_TITLES = "documents without their titles"
SENTENCES = "sentences alone (propositions)"
HYPOTHETICAL = "a hypothetical answer alone (HyDE)"


@click.command("ablation")
@click.argument("folder", type=click.Path(path_type=Path), metavar="DIR")
@rerank_options
@click.option("--without-titles", is_flag=True, help="Index the documents without titles as well, and ask these.")
@click.option("--propositions", is_flag=True, help="Index the documents by their sentences as well, and ask these.")
@click.option("--hyde", is_flag=True, help="Search by a hypothetical answer of the model; a request a question.")
@drawing_options
@click.option("--plot", type=click.Path(path_type=Path), metavar="FILE.svg", help="Draw the differences.")
@out_option
@json_option
@with_settings
async def eval_ablation(
    settings: Settings,
    folder: Path,
    *,
    rerank: bool | None,
    rerank_candidates: int | None,
    rerank_blend: float | None,
    without_titles: bool,
    propositions: bool,
    hyde: bool,
    limit: int | None,
    seed: int,
    plot: Path | None,
    out: Path | None,
    as_json: bool,
) -> int:
    """Index the data set in DIR (BEIR layout) into a database of its own, and rank its questions with each list alone,
    with pairs, with all and several weights, with the learned sum without each of its features, and with the switches
    of the search turned on: diversity, neighbours by meaning, with --rerank candidates ranked anew. --propositions and
    --hyde rank with these tools of the agent alone, which search by meaning: compare them with the list "dense".

    Prints a table in Markdown. Each difference to the default has the interval of 95 % of 10,000 paired bootstrap
    samples; the seed draws these, too. For what an answer does beside (decomposition, passes of search), run
    `kb eval agent --out` or `kb eval answers --out` with each setting, then `kb eval table` or `kb eval compare`.
    """
    from agent.evaluation.ablation import ablation, ablation_plot, ablation_table, kept_measures

    check_writable(plot)
    check_writable(out)
    wanted = _Switches(rerank, rerank_candidates, rerank_blend, without_titles, propositions, hyde, quiet=as_json)
    questions, cases = await _asked(settings, folder, wanted, limit, seed)
    rows = ablation(cases, seed)
    if plot:
        write_text(plot, ablation_plot(folder.name, rows))
    if out:
        write_measures(out, questions, kept_measures(cases))
    value = {"dataset": folder.name, "questions": len(questions), "settings": list(map(asdict, rows))}
    print_result(value, ablation_table(folder.name, rows), as_json=as_json)
    return 0


@dataclass(frozen=True, slots=True)
class _Switches:
    rerank: bool | None
    candidates: int | None
    blend: float | None
    without_titles: bool
    propositions: bool
    hyde: bool
    quiet: bool


async def _asked(
    settings: Settings, folder: Path, wanted: _Switches, limit: int | None, seed: int
) -> "tuple[list[JudgedQuestion], list[AblationCase]]":
    """The questions of the data set, and what each setting ranks for them."""
    from agent.evaluation.ablation import ablation_cases, by_chunks, by_tool, switches
    from bot.app.lone_tools import Hypotheses, ensure_model, proposition_tool
    from bot.app.reranked_search import open_reranking

    if wanted.hyde:
        ensure_model(settings)
    hypotheses = Hypotheses()
    async with AsyncExitStack() as stack:
        data, product = await _indexed(settings, folder, stack, quiet=wanted.quiet)
        questions = questions_of(data, folder, limit, seed)
        turned = switches(product.retriever)
        opening = open_reranking(product, wanted=wanted.rerank, candidates=wanted.candidates, blend=wanted.blend)
        if (reranking := await stack.enter_async_context(opening)) is not None:
            turned[f"reranked, weight {reranking.options.blend:g}"] = by_chunks(reranking)
        if wanted.without_titles:
            _, other = await _indexed(settings, folder, stack, titles=False, quiet=wanted.quiet)
            turned[NO_TITLES] = by_chunks(other.retriever)
        if wanted.propositions:
            _, other = await _indexed(_with_propositions(settings), folder, stack, quiet=wanted.quiet)
            turned[SENTENCES] = by_tool(proposition_tool(other))
        if wanted.hyde:
            turned[HYPOTHETICAL] = by_tool(await hypotheses.tool(product, stack))
        with question_counter("ablation", len(questions), quiet=wanted.quiet) as show:
            cases = await ablation_cases(product.retriever, product.search, questions, show, turned)
    if hypotheses.written < hypotheses.asked:
        cases = _told(cases, hypotheses)
    return questions, cases


def _told(cases: "list[AblationCase]", hypotheses: "Hypotheses") -> "list[AblationCase]":
    """The cases, whose name of the hypothetical answers says that some are missing.

    Raises:
        Refused: all are.
    """
    if not hypotheses.written:
        raise Refused(
            "The model wrote no hypothetical answer",
            why=hypotheses.failure,
            next_step="Try it with kb doctor, or leave out --hyde.",
        )
    name = f"{HYPOTHETICAL}, written for {hypotheses.written} of {hypotheses.asked} questions"
    say(
        f"Of {hypotheses.asked} questions, {hypotheses.written} had a hypothetical answer: {hypotheses.failure}",
        err=True,
    )
    found = []
    for case in cases:
        switched = {name if each == HYPOTHETICAL else each: ranking for each, ranking in case.switched.items()}
        found.append(replace(case, switched=switched))
    return found


async def _indexed(
    settings: Settings, folder: Path, stack: AsyncExitStack, *, titles: bool = True, quiet: bool
) -> "tuple[BeirFolder, Product]":
    from bot.app.product import open_product

    real, data = open_data_set(folder, titles=titles)
    database = database_name(real, settings, titles=titles)
    product = await stack.enter_async_context(open_product(settings, database=database))
    await index_data_set(product, data, quiet=quiet)
    return data, product


def _with_propositions(settings: Settings) -> Settings:
    """The same settings, by which documents are indexed by their sentences as well."""
    return replace(settings, index=replace(settings.index, index_propositions=True))
