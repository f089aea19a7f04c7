"""`kb runs`: the latest index runs, or all about one of them."""

from typing import TYPE_CHECKING

import click

from bot.cli.options import json_option, open_store, with_settings
from bot.cli.source_checks import accounts
from bot.markup.plain_text import one_line
from bot.terminal.output import print_json, say
from config.settings import Settings

if TYPE_CHECKING:
    from storage.index.runs import RunRecord


@click.command()
@click.argument("run_id", type=int, required=False, metavar="[ID]")
@click.option("--all", "everything", is_flag=True, help="Those of webhooks, too, which read single documents.")
@json_option
@with_settings
async def runs(settings: Settings, run_id: int | None, *, everything: bool, as_json: bool) -> int:
    """Show the latest index runs, or all about the run ID."""
    from bot.app.run_reports import manifest_text
    from indexer.run.report import RunReport
    from storage.index.runs import KINDS

    kinds = [kind for kind in KINDS if everything or kind != "hint"]
    async with open_store(settings) as storage:
        found = await storage.runs.latest(kinds=kinds) if run_id is None else [await storage.runs.get(run_id)]
        known = accounts([state.source for state in await storage.sources.states()])
    known += [str(each.report["embedder"]) for each in found if each.report.get("embedder")]
    if as_json:
        print_json({"runs": [_run_json(each) for each in found]}, known=known)
        return 0
    for each in found:
        say(_run_line(each), known=known)
    if run_id is not None and found[0].report:
        say(manifest_text(RunReport.from_json(found[0].report)), known=known)
    if not found:
        say("There was no run yet.")
    return 0


def _run_json(each: "RunRecord") -> dict[str, object]:
    return {
        "id": each.run_id,
        "source": each.source,
        "kind": each.kind,
        "state": each.state,
        "reason": each.reason,
        "started_at": each.started_at,
        "finished_at": each.finished_at,
        "report": dict(each.report),
    }


def _run_line(each: "RunRecord") -> str:
    from bot.app.run_reports import counts
    from indexer.run.report import RunReport

    of_kind = "" if each.kind == "content" else f" ({each.kind})"
    line = (
        f"{each.run_id:>5}  {each.started_at:%Y-%m-%d %H:%M:%S} UTC  {each.state:<11}  {one_line(each.source)}{of_kind}"
    )
    done = "; ".join(filter(None, (one_line(each.reason), counts(RunReport.from_json(each.report)))))
    return f"{line}: {done}" if done else line
