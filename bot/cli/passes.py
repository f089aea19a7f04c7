"""One recorded pass over a source, and what is said about it."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bot.terminal.output import print_json, say
from bot.terminal.plain import plain
from domain.errors import KbError

if TYPE_CHECKING:
    from bot.main import Product
    from indexer.pipeline import RunOptions, Writer
    from indexer.report import RunReport
    from storage.sources import Source


@dataclass(frozen=True, slots=True)
class Remark:
    """What is said behind the reports. name, value: in JSON. text: for people."""

    name: str
    value: object
    text: str


async def run_source(
    product: "Product",
    source: "Source",
    opening: "Callable[[], Awaitable[Writer]]",
    options: "RunOptions",
    *,
    quiet: bool,
) -> "RunReport":
    """One recorded pass over one source, with a progress bar unless `quiet`. opening: see bot.indexing.run_pass."""
    from bot.indexing import run_pass
    from bot.terminal.progress import progress_bar

    with progress_bar(source.name, quiet=quiet) as show:
        return await run_pass(product, source, opening, options, show)


def finish(
    reports: "list[RunReport]",
    errors: Mapping[str, KbError] | None = None,
    remark: Remark | None = None,
    *,
    as_json: bool,
) -> int:
    """Prints what the passes did, a remark, and what kept others from their end, by source; returns the exit code: 1
    also where an operator has to look at what a pass held back."""
    from bot.terminal.reports import report_text

    errors = errors or {}
    if as_json:
        failures = [
            {"source": name, "what": error.what, "why": error.why, "next": error.next_step}
            for name, error in errors.items()
        ]
        more = {remark.name: remark.value} if remark else {}
        print_json({"runs": [report.as_json() for report in reports], "errors": failures, **more})
    elif reports or remark:
        say("\n\n".join([*map(report_text, reports), *([remark.text] if remark else [])]))
    for name, error in errors.items():
        say(f"Error: {name}: {plain(str(error))}", err=True)
    return max(
        [error.exit_code for error in errors.values()]
        + [int(bool(report.failed or report.held_back)) for report in reports]
    )
