"""Run reports as text. Pure."""

import shlex
from collections.abc import Mapping

from bot.markup.plain_text import counted, one_line
from indexer.run.report import RunReport

SHOWN = 20
"""Documents named one by one, of each kind."""

_DIFFERENCE = {
    "added": "new",
    "changed": "changed",
    "masked_anew": "masked anew",
    "described": "moved, or with another title or other readers",
    "renamed": "moved",
    "hidden": "would be hidden",
    "purged": "would be removed",
    "held_back": "missing, and kept",
}
"""What a dry run says of documents, by the counts that they are in."""


def report_text(report: RunReport) -> str:
    """What a run did, as a person reads it."""
    total = max(report.listed, sum(_kinds(report).values()))  # what listing skips is not listed
    head = f"{one_line(report.source)}: {counted(total, 'document')} in {report.seconds:.1f} s"
    lines = [head + (" (dry run: nothing was written)" if report.dry_run else ""), f"  {counts(report)}"]
    if report.chunks:
        lines.append(f"  {counted(report.chunks, 'chunk')} written, {report.embedded:,} embedded now")
    for what, name in _DIFFERENCE.items():
        lines += _listed(name, report.names.get(what, []), "--json lists them all")
    lines += _named("skipped", report.skipped) + _named("failed, tried again by the next run", report.failed)
    lines += _named("cut", report.cut)
    lines += _named("permissions not read, so that nobody finds it", report.unreadable)
    lines += [f"  {report.held}"] if report.held else []
    if report.hidden and not report.dry_run:
        lines.append(
            f"  hidden: {counted(report.hidden, 'document')} no longer found in the source, or empty there: not shown"
            " any more, and removed by the next complete run that does not find it either"
        )
    if report.held_back:
        lines.append(
            f"  {counted(report.held_back, 'document')} missing all at once: kept, the source may be at fault."
            f" If they are gone: kb reindex --source {shlex.quote(report.source)} --prune=confirm"
        )
    return "\n".join(line for line in lines if line.strip())


def manifest_text(report: RunReport) -> str:
    """All that is kept of a run, as a person reads it."""
    lines = [report_text(report)]
    if report.readdressed:
        lines.append(f"  {counted(report.readdressed, 'document')} got other readers")
    if report.requests:
        lines.append(f"  {counted(report.requests, 'request')} made to the source")
    listing = "all that the source has was listed" if report.complete else "not all of the source was listed"
    missing = ", ".join(map(one_line, report.missing[:SHOWN])) + (", …" if len(report.missing) > SHOWN else "")
    lines.append(f"  {listing}; {f'missing: {missing}' if missing else 'nothing is missing'}")
    if report.stages:
        longest = sorted(report.stages.items(), key=lambda stage: -stage[1])
        lines.append("  time: " + ", ".join(f"{name} {spent:.1f} s" for name, spent in longest))
    if report.embedder:
        # apart: beside the word "token", the name of a model looks like a secret
        lines += [f"  model: {one_line(report.embedder)}", f"  {counted(report.tokens, 'token')} read"]
    return "\n".join(lines)


def remark(report: RunReport) -> str:
    """What an operator has to know of how it ended, in numbers, and without the names of documents."""
    if report.outcome == "failed":
        return f"none of {counted(len(report.failed), 'document')} could be read"
    said = [report.held] if report.held else []
    if report.held_back:
        said.append(f"{counted(report.held_back, 'document')} missing all at once, and kept")
    if report.failed:
        said.append(f"{counted(len(report.failed), 'document')} could not be read")
    return "; ".join(said)


def counts(report: RunReport) -> str:
    """What became of the documents, in one line; empty when nothing did. Each document counts once; after the semicolon
    stands what is told of some of them besides, and of those that the source has no more."""
    besides = {
        "of them read in part": len(report.cut),
        "hidden": report.hidden,
        "removed": report.purged,
        "held back": report.held_back,
    }
    return "; ".join(filter(None, map(_numbers, (_kinds(report), besides))))


def _kinds(report: RunReport) -> dict[str, int]:
    return {
        "added": report.added,
        "changed": report.changed,
        "unchanged": report.unchanged,
        "masked anew": report.masked_anew,
        "described anew": report.described,
        "renamed": report.renamed,
        "skipped": len(report.skipped),
        "failed": len(report.failed),
    }


def _numbers(numbers: Mapping[str, int]) -> str:
    return ", ".join(f"{number:,} {name}" for name, number in numbers.items() if number)


def _named(what: str, items: list[tuple[str, str]]) -> list[str]:
    return _listed(what, [f"{path} ({reason})" for path, reason in items], "kb runs ID --json lists them all")


def _listed(what: str, items: list[str], where: str) -> list[str]:
    lines = [f"  {what}: {one_line(each)}" for each in items[:SHOWN]]
    more = len(items) - SHOWN
    return lines + ([f"  … and {more:,} more; {where}"] if more > 0 else [])
