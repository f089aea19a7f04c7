"""A data set of judged questions, indexed into a database of its own: what every `kb eval` begins with."""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bot.cli.options import with_options
from bot.terminal.output import steps
from config.settings import Settings
from domain.errors import Refused

if TYPE_CHECKING:
    from agent.evaluation.judged_questions import JudgedQuestion
    from bot.app.product import Product
    from indexer.sources.beir.data_set import BeirFolder

SOURCE = "eval"

drawing_options = with_options(
    click.option(
        "--limit", type=click.IntRange(min=1), metavar="N", help="Ask N of the questions only, the same ones each time."
    ),
    click.option("--seed", type=int, default=0, show_default=True, metavar="S", help="Draws those N."),
)


def questions_of(data: "BeirFolder", folder: Path, limit: int | None, seed: int) -> "list[JudgedQuestion]":
    """The questions that have a judgement, or so many drawn from them.

    Raises:
        Refused: there is none.
    """
    from agent.evaluation.judged_questions import drawn, judged_questions

    asked = judged_questions(((query.text, query.gold) for query in data.queries() if query.gold), SOURCE)
    questions = drawn(asked, limit, seed, lambda each: each.text)
    if not questions:
        raise Refused(f"{folder} has no judged question", next_step="Check qrels/test.tsv.")
    return questions


Show = Callable[[int], object]
"""Told how many questions are done."""


def open_data_set(folder: Path, *, titles: bool = True) -> "tuple[Path, BeirFolder]":
    """The folder's real path, and the data set in it. titles: whether its documents have them.

    Raises:
        Refused: a file is missing or not of the layout.
    """
    from indexer.sources.beir.data_set import BeirFolder

    real = Path(os.path.realpath(folder.expanduser()))
    return real, BeirFolder(real, titles=titles)


def database_name(folder: Path, settings: Settings, *, titles: bool = True) -> str:
    """A database for this folder, model, kind of tokens and level of propositions: the same ones find it again.
    titles: whether the documents have them."""
    made_of = [str(folder), settings.embedding.embedding_model or "local", settings.search.lexical_stemming]
    if not titles:
        made_of.append("without titles")
    if settings.index.index_propositions:
        made_of.append("propositions")
    return "kb_eval_" + blake2b("\n".join(made_of).encode(errors="replace"), digest_size=6).hexdigest()


async def index_data_set(product: "Product", data: "BeirFolder", *, quiet: bool) -> tuple[float, int]:
    """Indexes with the real pipeline; returns the seconds it took and the number of documents."""
    from bot.app.connectors import open_parser
    from bot.app.indexing import record_run, tools_of
    from bot.terminal.progress import progress_bar
    from indexer.run.dependencies import RunOptions
    from indexer.run.index_run import IndexRun
    from storage.index.sources import Source

    if not await product.storage.sources.states():
        await product.storage.sources.add(Source(SOURCE, "beir", {}))
    writer = await product.writer()
    started = time.monotonic()
    async with open_parser(product.settings) as parser:
        tools = tools_of(product, writer, parser)
        with progress_bar(SOURCE, quiet=quiet) as show:
            options = RunOptions(prune_confirmed=True)  # what a changed data set no longer has must not be found
            report = await record_run(product, SOURCE, nullcontext(IndexRun(SOURCE, data, tools, options, show)))
    return time.monotonic() - started, report.listed


@contextmanager
def question_counter(label: str, total: int, *, quiet: bool) -> Iterator[Show]:
    """A bar of the questions done, on standard error; gives what to tell after each."""
    if quiet:
        yield lambda _done: None
        return
    with steps(total, f"{label:<8}") as bar:
        yield lambda _done: bar.update(1)
