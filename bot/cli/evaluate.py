"""`kb eval`: how good retrieval is on judged questions."""

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bot.cli.ask import METHODS
from bot.cli.options import json_option, print_json, run
from bot.cli.passes import recorded
from config.load import load
from domain.errors import Refused

if TYPE_CHECKING:
    from bot.main import Product
    from config.settings import Settings
    from indexer.connectors.beir import BeirFolder

DEFAULT = "hybrid"
SOURCE = "eval"


@click.group("eval")
def evaluate() -> None:
    """Measure the product on judged questions."""


@evaluate.command()
@click.argument("folder", type=click.Path(path_type=Path), metavar="DIR")
@click.option("--method", "methods", type=click.Choice(METHODS), multiple=True, help="Repeat for several; default all.")
@json_option
def retrieval(folder: Path, *, methods: tuple[str, ...], as_json: bool) -> int:
    """Index the data set in DIR (BEIR layout) into a database of its own, and measure retrieval on it.

    The database is kept beside the usual one: a second run over the same data indexes only what changed.
    """
    from indexer.connectors.beir import BeirFolder

    settings = load()
    folder = Path(os.path.realpath(folder.expanduser()))
    data = BeirFolder(folder)
    return run(_measure(settings, data, folder, methods or METHODS, as_json=as_json))


async def _measure(
    settings: "Settings", data: "BeirFolder", folder: Path, methods: tuple[str, ...], *, as_json: bool
) -> int:
    from agent.evaluation.retrieval import evaluate as measure
    from bot.main import open_product

    async with open_product(settings, database=database_name(folder, settings)) as product:
        seconds, documents = await _index(product, data, quiet=as_json)
        questions = _judged(data, folder)
        found: dict[str, dict[str, float]] = {}
        for method in methods:
            with _counting(method, len(questions), quiet=as_json) as show:
                found[method] = await measure(product.retriever, questions, method, show)  # type: ignore[arg-type] # one of METHODS
    result = {
        "dataset": folder.name,
        "documents": documents,
        "queries": len(questions),
        "index_seconds": round(seconds, 1),
        "default": DEFAULT,
        "methods": {method: {name: round(value, 4) for name, value in row.items()} for method, row in found.items()},
    }
    if as_json:
        print_json(result)
    else:
        click.echo(table(result))
    return 0


def database_name(folder: Path, settings: "Settings") -> str:
    """A database for this folder, model and kind of tokens: the same ones find it again."""
    made_of = (str(folder), settings.embedding.embedding_model or "local", settings.search.lexical_stemming)
    return "kb_eval_" + blake2b("\n".join(made_of).encode(errors="replace"), digest_size=6).hexdigest()


async def _index(product: "Product", data: "BeirFolder", *, quiet: bool) -> tuple[float, int]:
    """Indexes with the real pipeline; returns the seconds it took and the number of documents."""
    from bot.main import open_parser
    from bot.terminal.progress import progress_bar
    from indexer.pipeline import Pass, RunOptions, Tools
    from storage.sources import Source

    if not await product.storage.sources.states():
        await product.storage.sources.add(Source(SOURCE, "beir", {}))
    writer = await product.storage.writer(product.embedder.identity, product.analyzer)
    started = time.monotonic()
    async with open_parser(product.settings) as parser:
        tools = Tools(writer, product.embedder, product.counter, parser, product.chunk_limits)
        with progress_bar(SOURCE, quiet=quiet) as show:
            options = RunOptions(prune_confirmed=True)  # what a changed data set no longer has must not be found
            report = await recorded(product, SOURCE, Pass(SOURCE, data, tools, options, show))
    return time.monotonic() - started, report.listed


def _judged(data: "BeirFolder", folder: Path) -> list[Any]:
    from agent.evaluation.retrieval import JudgedQuestion
    from domain.documents import document_id

    judged = [
        JudgedQuestion(query.text, {document_id(SOURCE, key): grade for key, grade in query.gold.items()})
        for query in data.queries()
        if query.gold
    ]
    if not judged:
        raise Refused(f"{folder} has no judged question", next_step="Check qrels/test.tsv.")
    return judged


@contextmanager
def _counting(method: str, total: int, *, quiet: bool) -> Iterator[Callable[[int], object]]:
    """A bar of the questions done; gives what to tell after each."""
    if quiet:
        yield lambda _done: None
        return
    progress: Any = click.progressbar(length=total, label=f"{method:<8}", file=sys.stderr)
    with progress as bar:
        yield lambda _done: bar.update(1)


def table(result: dict[str, Any]) -> str:
    """The result as a table."""
    names = list(next(iter(result["methods"].values())))
    head = f"{result['dataset']}: {result['documents']} documents, {result['queries']} questions, indexed in "
    lines = [head + f"{result['index_seconds']} s", "", "method    " + "  ".join(f"{name:>11}" for name in names)]
    for method, row in result["methods"].items():
        lines.append(f"{method:<10}" + "  ".join(f"{row[name]:>11.3f}" for name in names))
    return "\n".join(lines)
