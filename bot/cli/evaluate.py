"""`kb eval`: how good retrieval is on judged questions; the agent's part is in bot.cli.evaluate_agent."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bot.cli.data_set import SOURCE, counting, database_name, indexed, opened
from bot.cli.evaluate_agent import agent
from bot.cli.golden import eval_golden
from bot.cli.options import json_option, run
from bot.terminal.output import print_json, say, settings_in_force
from domain.errors import Refused

if TYPE_CHECKING:
    from config.settings import Settings
    from indexer.connectors.beir import BeirFolder

METHODS = ("lexical", "dense", "hybrid", "hybrid+graph")
DEFAULT = "hybrid+graph"


@click.group("eval")
def evaluate() -> None:
    """Measure the product on judged questions."""


evaluate.add_command(agent)
evaluate.add_command(eval_golden)


@evaluate.command()
@click.argument("folder", type=click.Path(path_type=Path), metavar="DIR")
@click.option("--method", "methods", type=click.Choice(METHODS), multiple=True, help="Repeat for several; default all.")
@json_option
def retrieval(folder: Path, *, methods: tuple[str, ...], as_json: bool) -> int:
    """Index the data set in DIR (BEIR layout) into a database of its own, and measure retrieval on it.

    The database is kept beside the usual one: a second run over the same data indexes only what changed.
    """
    settings = settings_in_force()
    folder, data = opened(folder)
    return run(_measure(settings, data, folder, methods or METHODS, as_json=as_json))


async def _measure(
    settings: "Settings", data: "BeirFolder", folder: Path, methods: tuple[str, ...], *, as_json: bool
) -> int:
    from agent.evaluation.retrieval import evaluate as measure
    from bot.main import open_product

    async with open_product(settings, database=database_name(folder, settings)) as product:
        seconds, documents = await indexed(product, data, quiet=as_json)
        questions = _judged(data, folder)
        found: dict[str, dict[str, float]] = {}
        for method in methods:
            with counting(method, len(questions), quiet=as_json) as show:
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
        say(table(result))
    return 0


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


def table(result: dict[str, Any]) -> str:
    """The result as a table."""
    names = list(next(iter(result["methods"].values())))
    head = f"{result['dataset']}: {result['documents']} documents, {result['queries']} questions, indexed in "
    lines = [head + f"{result['index_seconds']} s", "", "method        " + "  ".join(f"{name:>11}" for name in names)]
    for method, row in result["methods"].items():
        lines.append(f"{method:<14}" + "  ".join(f"{row[name]:>11.3f}" for name in names))
    return "\n".join(lines)
