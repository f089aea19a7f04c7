"""`kb eval table`: kept results of several settings and data sets as one table in Markdown."""

from pathlib import Path

import click

from bot.cli.run_files import Rows, read_run, write_text
from bot.terminal.output import say
from domain.errors import Refused


@click.command("table")
@click.argument("runs", nargs=-1, required=True, metavar="SET=RUN.jsonl...")
@click.option("--measure", default="ndcg@10", show_default=True, metavar="NAME", help="What is compared.")
@click.option("--default", default="as shipped", show_default=True, metavar="NAME", help="The variant compared with.")
@click.option("--seed", type=int, default=0, show_default=True, metavar="S", help="Draws the bootstrap samples.")
@click.option("--into", "page", type=click.Path(path_type=Path), metavar="PAGE.md", help="Write it into this page.")
@click.option(
    "--name", metavar="NAME", help="Of the marks in the page: <!-- table NAME --> and <!-- end of table NAME -->."
)
def eval_table(
    runs: tuple[str, ...], *, measure: str, default: str, seed: int, page: Path | None, name: str | None
) -> int:
    """Print what --out of `kb eval ablation`, `kb eval retrieval` or `kb eval agent` kept as a table in Markdown.

    SET is the name of a data set; several runs of one set are put together. Each variant has a row, each set a column;
    a cell has the mean and the difference to the default, with the interval of 95 % of 10,000 paired bootstrap samples.
    Shares are in points of 100.
    """
    from agent.evaluation.result_tables import result_table, with_table

    if (page is None) != (name is None):
        raise click.UsageError("--into takes --name, and --name takes --into.")
    sets: dict[str, Rows] = {}
    for each in runs:
        set_name, is_there, file = each.partition("=")
        if not is_there:
            raise click.UsageError(f"{each} is not of the form SET=RUN.jsonl.")
        sets.setdefault(set_name, {}).update(read_run(Path(file)))
    if not any(measure in row for rows in sets.values() for row in rows.get(default, {}).values()):
        raise Refused(
            f"No run has {measure} of a variant {default!r}",
            why="The variants are: " + ", ".join(sorted({variant for rows in sets.values() for variant in rows})) + ".",
            next_step="Name another with --default, or another measure with --measure.",
        )
    table = result_table(sets, default, measure, seed)
    if page is None or name is None:
        say(table)
        return 0
    written = with_table(page.read_text(encoding="utf-8"), name, table) if page.is_file() else None
    if written is None:
        raise Refused(
            f"{page} has no place for the table",
            why=f"It has no line <!-- table {name} --> with a line <!-- end of table {name} --> below it.",
            next_step="Write both lines where the table is to stand.",
        )
    write_text(page, written)
    return 0
