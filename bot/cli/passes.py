"""One recorded pass over a source, and what is said about it."""

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING

import click

from bot.cli.options import print_json
from bot.terminal.plain import plain
from domain.errors import KbError

if TYPE_CHECKING:
    from bot.main import Product
    from indexer.pipeline import Pass, RunOptions, Writer
    from indexer.report import RunReport
    from storage.sources import Source


async def run_source(
    product: "Product", source: "Source", writer: "Writer", options: "RunOptions", *, quiet: bool
) -> "RunReport":
    """One recorded pass over one source, with a progress bar unless `quiet`."""
    from bot.main import open_connector, open_parser
    from bot.terminal.progress import progress_bar
    from indexer.pipeline import Pass, Tools

    async with open_connector(source, product.settings) as connector, open_parser(product.settings) as parser:
        tools = Tools(writer, product.embedder, product.counter, parser, product.chunk_limits)
        with progress_bar(source.name, quiet=quiet) as show:
            work = Pass(source.name, connector, tools, options, show)
            return await (work.run() if options.dry_run else recorded(product, source.name, work))


async def recorded(product: "Product", source: str, work: "Pass") -> "RunReport":
    """Runs `work` as the only one on its source, and keeps its report, however it ends."""
    async with product.storage.runs.begin(source) as run_id:
        return await _closed(product, run_id, work)


async def _closed(product: "Product", run_id: int, work: "Pass") -> "RunReport":
    state = "failed"
    try:
        report = await work.run()
        state = "done"
        return report
    except asyncio.CancelledError:
        state = "interrupted"
        raise
    finally:
        closing = product.storage.runs.finish(run_id, state, work.report.as_json())  # type: ignore[arg-type] # a RunState
        await asyncio.shield(closing)


def finish(reports: "list[RunReport]", errors: Mapping[str, KbError] | None = None, *, as_json: bool) -> int:
    """Prints what the passes did, and what kept others from their end, by source; returns the exit code."""
    from bot.terminal.reports import report_text

    errors = errors or {}
    if as_json:
        failures = [
            {"source": name, "what": error.what, "why": error.why, "next": error.next_step}
            for name, error in errors.items()
        ]
        print_json({"runs": [report.as_json() for report in reports], "errors": failures})
    elif reports:
        click.echo("\n\n".join(report_text(report) for report in reports))
    for name, error in errors.items():
        click.echo(f"Error: {name}: {plain(str(error))}", err=True)
    return max([error.exit_code for error in errors.values()] + [int(bool(report.failed)) for report in reports])
