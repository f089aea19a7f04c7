"""`kb status`: what is indexed, how fresh it is, and how old its permissions are."""

import shlex
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import click

from bot.app.permission_age import permission_age
from bot.cli.ask import NOT_FOUND
from bot.cli.options import json_option, open_store, with_settings
from bot.markup.plain_text import counted
from bot.terminal.output import print_result
from config.settings import AccessSettings, Settings
from indexer.sources.registry import states_permissions

if TYPE_CHECKING:
    from storage.index.golden_results import GoldenResults
    from storage.index.index_status import IndexStatus
    from storage.index.sources import SourceState


@click.command()
@json_option
@with_settings
async def status(settings: Settings, *, as_json: bool) -> int:
    """Show what is indexed, and how fresh it is."""
    from bot.app.database import data_dir
    from bot.app.masking import masker_of, policy_of

    async with open_store(settings) as storage:
        index, states = await storage.status(), await storage.sources.states()
        older = await storage.count_outdated_masking(masker_of(policy_of(settings)).version)
        golden = await storage.golden_results().load(index.version.version_id) if index else None
    ages = settings.access
    where = "a PostgreSQL service" if settings.storage.database_url else f"embedded, in {data_dir(settings)}"
    sources = [_freshness(each, ages) for each in states]
    value = {"database": where, "index": _index_json(index, older), "golden": _golden_json(golden), "sources": sources}
    text = _status_text(where, index, older, states, ages)
    print_result(value, "\n".join([text, *_golden_text(golden)]), as_json=as_json)
    return 0 if index else NOT_FOUND


_VERSIONS = {"live": "index", "previous": "index before", "building": "unfinished index"}


def _index_json(index: "IndexStatus | None", older: dict[str, int]) -> dict[str, object] | None:
    if index is None:
        return None
    return {
        "version": index.version.version_id,
        "embedder": index.version.embedder,
        "dimensions": index.version.dimensions,
        "tokens": index.version.analyzer,
        "documents": index.documents,
        "chunks": index.chunks,
        "segments": index.segments,
        "suspicious": index.injections,
        "suspicious_unknown": index.not_examined,
        "hnsw": bool(index.version.hnsw_upto),
        "database_bytes": index.size,
        "previous_version": index.previous.version_id if index.previous else None,
        "masked_otherwise": older,
    }


def _golden_json(results: "GoldenResults | None") -> dict[str, object] | None:
    if results is None or results.at is None:
        return None
    return {
        "asked": len(results.passed),
        "failing": sum(not passed for passed in results.passed.values()),
        "at": results.at,
    }


def _golden_text(results: "GoldenResults | None") -> list[str]:
    """How golden questions fared when they were asked last; nothing where they never were."""
    if results is None or results.at is None:
        return []
    failing = sum(not passed for passed in results.passed.values())
    asked = f"{counted(len(results.passed), 'golden question')} asked, the last {results.at:%Y-%m-%d %H:%M} UTC"
    return [f"Golden: {failing} failing of {asked}" + ("; see: kb eval golden" if failing else "")]


def _freshness(state: "SourceState", ages: AccessSettings) -> dict[str, object]:
    found: dict[str, object] = {
        "name": state.source.name,
        "documents": state.documents,
        "hidden": state.hidden,
        "last_run_state": state.last_run_state,
        "last_finished_at": state.last_finished_at,
        "last_done_at": state.last_done_at,
    }
    if not states_permissions(state.source.kind):
        return found
    return found | {"permissions": permission_age(state, ages, datetime.now(UTC))._asdict()}


def _permissions_text(state: "SourceState", ages: AccessSettings) -> str:
    found = permission_age(state, ages, datetime.now(UTC))
    hours, anew = found.hours, f"kb reindex --source {shlex.quote(state.source.name)}"
    if hours is None:
        return f"hidden: its permissions were never read. Read them: {anew}"
    age = f"{hours:.1f} h" if hours >= 1 else counted(round(hours * 60), "minute")
    if found.state == "hidden":
        return f"hidden: its permissions are {age} old, more than {ages.acl_max_age:g} h. Read them anew: {anew}"
    if found.state == "late":
        return f"permissions {age} old, and hidden from {ages.acl_max_age:g} h on. See: kb schedule"
    return f"permissions {age} old"


def _status_text(
    where: str,
    index: "IndexStatus | None",
    older: dict[str, int],
    states: "list[SourceState]",
    ages: AccessSettings,
) -> str:
    lines = [f"Database: {where}"]
    if index is None:
        return "\n".join([*lines, "Nothing is indexed yet. Start with: kb index PATH_OR_URL"])
    lines += [
        f"Index: version {index.version.version_id}, {counted(index.documents, 'document')}, "
        + counted(index.chunks, "chunk"),
        f"Model: {index.version.embedder}, {index.version.dimensions} dimensions",
        f"Vectors: {'HNSW' if index.version.hnsw_upto else 'all compared'}; {index.size / 1e6:.0f} MB in all",
        f"Tokens: {index.version.analyzer}",
    ]
    if index.injections:
        count = counted(index.injections, "chunk")
        lines.append(f"Suspicious: {count} with text addressed to machines; see: kb search --suspicious")
    if index.not_examined:
        count = counted(index.not_examined, "chunk")
        lines.append(f"Suspicious: {count} not looked at yet; the next run does: kb reindex")
    if index.previous:
        lines.append(f"Before: version {index.previous.version_id}; back to it: kb reindex --rollback")
    for which, name in _VERSIONS.items():
        if older.get(which):
            count = counted(older[which], "document")
            lines.append(f"Masking: {count} of the {name} passed an older one, or none; anew with: kb reindex")
    for state in states:
        last = content_text(state)
        rights = f"; {_permissions_text(state, ages)}" if states_permissions(state.source.kind) else ""
        why = "; what about: kb runs" if state.last_run_state == "attention" else ""
        lines.append(f"Source {state.source.name}: {counted(state.documents, 'document')}, content {last}{why}{rights}")
    return "\n".join(lines)


def content_text(state: "SourceState") -> str:
    """How the last reading of a source's content ended, and when the last one did that came to its end."""
    finished, done = state.last_finished_at, state.last_done_at
    before = f", last done {done:%Y-%m-%d %H:%M} UTC" if done else ", never done"
    if finished is None:
        return f"{state.last_run_state or 'never read'}{before if state.last_run_state else ''}"
    return f"{state.last_run_state} {finished:%Y-%m-%d %H:%M} UTC{'' if done == finished else before}"
