"""One recorded index run over a source, and what is said about it."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING

from bot.cli.options import operator
from bot.markup.plain_text import counted, one_line, plain
from bot.terminal.output import print_json, say
from domain.audit import AuditEntry
from domain.errors import KbError

if TYPE_CHECKING:
    from bot.app.product import Product
    from domain.index_ports import KnowledgeWriter
    from indexer.run.dependencies import RunOptions
    from indexer.run.report import RunReport
    from storage.index.sources import Source


async def run_each(
    names: Iterable[str], read: "Callable[[str], Awaitable[RunReport | None]]"
) -> "tuple[list[RunReport], dict[str, KbError]]":
    """The reports of `read` for each source, and what it raised. One that cannot be read does not keep the others from
    theirs."""
    reports, errors = [], {}
    for name in names:
        try:
            report = await read(name)
            reports += [report] if report else []
        except KbError as error:
            errors[name] = error
    return reports, errors


async def note_reindex(product: "Product", source: str, options: "RunOptions", *, full: bool = False) -> None:
    """Notes in the audit log that the operator has a source read (`*`: all), before it is; a dry run is none."""
    if options.dry_run:
        return
    audit = product.storage.audit_log()
    detail = {"full": full, "one_document": options.single}
    await audit.record(AuditEntry(operator(), "reindex", source, detail))
    if options.prune_confirmed:
        await audit.record(AuditEntry(operator(), "prune_confirmed", source))


async def run_source(
    product: "Product",
    source: "Source",
    opening: "Callable[[], Awaitable[KnowledgeWriter]]",
    options: "RunOptions",
    *,
    quiet: bool,
    judge: "Callable[[RunReport], Awaitable[None]] | None" = None,
) -> "RunReport":
    """One recorded run over one source, with a progress bar unless `quiet`. opening, judge: see index_source."""
    from bot.app.indexing import index_source
    from bot.terminal.progress import progress_bar

    try:
        with progress_bar(source.name, quiet=quiet) as show:
            return await index_source(product, source, opening, options, show, judge=judge)
    except asyncio.CancelledError:
        if not options.dry_run:
            with suppress(KbError):  # who stops a command need not hear that the database is away
                await _tell_what_is_kept(product, source.name)
        raise


async def _tell_what_is_kept(product: "Product", source: str) -> None:
    from indexer.run.report import RunReport

    run = next((each for each in await product.storage.runs.latest() if each.source == source), None)
    if run is None or run.state != "interrupted":
        return
    report = RunReport.from_json(run.report)
    written = report.added + report.changed + report.masked_anew
    kept = f"{counted(written, 'document')} written so far: kept; the next run goes on from there"
    say(f"\n{one_line(source)}: {kept if written else 'nothing was written yet'}", err=True)


def print_reports(
    reports: "list[RunReport]",
    errors: Mapping[str, KbError] | None = None,
    golden: tuple[object, str] | None = None,
    *,
    as_json: bool,
) -> int:
    """Prints what the runs did, what there is to say of golden questions (in JSON, and for people), and what kept other
    runs from their end, by source; returns the exit code: 1 also where an operator has to look at what a run held
    back."""
    from bot.app.run_reports import report_text

    errors = errors or {}
    if as_json:
        failures = [
            {"source": name, "what": error.what, "why": error.why, "next": error.next_step}
            for name, error in errors.items()
        ]
        more = {"golden": golden[0]} if golden else {}
        print_json({"runs": [report.as_json() for report in reports], "errors": failures, **more})
    elif reports or golden:
        say("\n\n".join([*map(report_text, reports), *([golden[1]] if golden else [])]))
    for name, error in errors.items():
        say(f"Error: {name}: {plain(str(error))}", err=True)
    return max(
        [error.exit_code for error in errors.values()]
        + [int(bool(report.failed or report.held_back or report.held)) for report in reports]
    )
