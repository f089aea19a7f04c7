"""One recorded pass over a source, and what is said about it."""

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING

from bot.terminal.output import print_json, say
from bot.terminal.plain import plain
from domain.errors import KbError

if TYPE_CHECKING:
    from bot.main import Product
    from indexer.pipeline import FileParser, Pass, RunOptions, Tools, Writer
    from indexer.report import RunReport
    from storage.sources import Source


async def run_source(
    product: "Product", source: "Source", writer: "Writer", options: "RunOptions", *, quiet: bool
) -> "RunReport":
    """One recorded pass over one source, with a progress bar unless `quiet`."""
    from bot.main import open_connector, open_parser
    from bot.terminal.progress import progress_bar
    from indexer.pipeline import Pass

    async with open_connector(source, product.settings) as connector, open_parser(product.settings) as parser:
        tools = tools_of(product, writer, parser)
        with progress_bar(source.name, quiet=quiet) as show:
            work = Pass(source.name, connector, tools, options, show)
            return await (work.run() if options.dry_run else recorded(product, source.name, work))


def tools_of(product: "Product", writer: "Writer", parser: "FileParser") -> "Tools":
    """What a pass works with."""
    from indexer.pipeline import Tools

    return Tools(writer, product.embedder, product.counter, parser, product.masker, product.chunk_limits)


async def recorded(product: "Product", source: str, work: "Pass") -> "RunReport":
    """Runs `work` as the only one on its source, and keeps its report, however it ends. Before, what was kept under
    another masking beside documents loses what these lose now: reports are masked anew, replies of models dropped."""
    from agent.providers.cached import masking_mark

    async with product.storage.runs.begin(source) as run_id:
        masker = product.masker
        await product.storage.replies().keep_only(masking_mark(masker.version))
        await product.storage.runs.mask(masker.version, lambda text: masker.secrets(text).text)
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
        say("\n\n".join(report_text(report) for report in reports))
    for name, error in errors.items():
        say(f"Error: {name}: {plain(str(error))}", err=True)
    return max([error.exit_code for error in errors.values()] + [int(bool(report.failed)) for report in reports])
