"""Run reports as text. Pure."""

import shlex

from bot.terminal.plain import counted, one_line
from indexer.report import RunReport

SHOWN = 20
"""Skipped or failed files named one by one."""


def report_text(report: RunReport) -> str:
    """What a run did, as a person reads it."""
    head = f"{one_line(report.source)}: {counted(report.listed, 'document')} in {report.seconds:.1f} s"
    lines = [head + (" (dry run: nothing was written)" if report.dry_run else ""), f"  {counts(report)}"]
    if report.chunks:
        lines.append(f"  {counted(report.chunks, 'chunk')} written, {report.embedded:,} embedded now")
    lines += _named("skipped", report.skipped) + _named("failed, tried again by the next run", report.failed)
    if report.held_back:
        lines.append(
            f"  {counted(report.held_back, 'document')} missing all at once: kept, the source may be at fault."
            f" If they are gone: kb reindex --source {shlex.quote(report.source)} --prune=confirm"
        )
    return "\n".join(line for line in lines if line.strip())


def counts(report: RunReport) -> str:
    """What became of the documents, in one line; empty when nothing did."""
    numbers = {
        "added": report.added,
        "changed": report.changed,
        "unchanged": report.unchanged,
        "masked anew": report.masked_anew,
        "described anew": report.described,
        "renamed": report.renamed,
        "hidden": report.hidden,
        "removed": report.purged,
        "skipped": len(report.skipped),
        "failed": len(report.failed),
        "held back": report.held_back,
    }
    return ", ".join(f"{number:,} {name}" for name, number in numbers.items() if number)


def _named(what: str, items: list[tuple[str, str]]) -> list[str]:
    lines = [f"  {what}: {one_line(path)} ({one_line(reason)})" for path, reason in items[:SHOWN]]
    more = len(items) - SHOWN
    return lines + ([f"  … and {more} more; kb runs ID --json lists them all"] if more > 0 else [])
