"""A whole company's Confluence and Jira, indexed from Cloud and from Data Center: what it costs, and who finds what.

    python -m benchmarks.atlassian [--pages N] [--issues N] [--people N] [--flavour F] [--hashed F]

The products are local servers in this process. Prints what it does on standard error and one JSON object for each
flavour on standard output: documents, chunks, seconds and requests of the first run, of one with nothing changed, of
one with a hundredth changed and of a pass over the permissions; and, after each step, in how many documents what the
people find differs from what an oracle says that they may read: `more` is what nobody may find, `less` what is
missing, `untold` what no API of Data Center lets anybody know. With --hashed, a flavour is embedded by counting words.
"""

import argparse
import asyncio
import json
import time
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from agent.providers.minilm import open_minilm
from benchmarks.measuring import new_folder, parser, say
from bot.app.embedding import LocalModel
from domain.errors import Refused, Transient
from indexer.run.dependencies import RunOptions
from indexer.run.report import RunReport
from tests.fakes.atlassian import Fault, found_company
from tests.fakes.embedder import HashEmbedder
from tests.flows.atlassian.company_sync import Flavour, Sync, synced

PERMISSIONS = RunOptions(permissions=True)
FLAVOURS: tuple[Flavour, ...] = ("cloud", "datacenter")
ASKED = "restriction|permission|role|securitylevel|issuesecurity|group"
"""Paths of requests that tell of rights."""


async def measure(flavour: Flavour, options: argparse.Namespace, folder: Path) -> dict[str, Any]:
    """Everything of one flavour, on a new database in `folder`."""
    hashed = flavour in options.hashed
    model: LocalModel = HashEmbedder() if hashed else open_minilm(folder / "models", 2)
    found = partial(found_company, pages=options.pages, issues=options.issues, people=options.people)
    async with synced(flavour, folder, None, folder, found=found, model=model) as sync:
        first = await _run(sync, "first run")
        status = await sync.product.storage.status()
        assert status is not None
        return {
            "flavour": flavour,
            "model": model.identity.name,
            "documents": status.documents,
            "chunks": status.chunks,
            "first": first,
            "visible_after_first": await _compared(sync),
            "unchanged": await _run(sync, "second run"),
            "one_in_a_hundred": await _after_some(sync),
            **await _after_moves(sync),
            **await _with_failures(sync),
        }


async def _after_some(sync: Sync) -> dict[str, Any]:
    changed = sync.company.change_some(0.01)
    return {"edited": len(changed), **await _run(sync, "a hundredth changed")}


async def _after_moves(sync: Sync) -> dict[str, Any]:
    """First rights alone, read by the pass over permissions; then moves and deletions, by a whole run."""
    company = sync.company
    for _ in range(10):
        company.restrict()
        company.unrestrict()
        company.remove_from_group()
    permissions = await _run(sync, "permissions", PERMISSIONS)
    visible = await _compared(sync)
    for _ in range(10):
        company.move_page()
        company.trash()
        company.delete_issue()
    await _run(sync, "moves and deletions")
    return {
        "permissions": permissions,
        "visible_after_rights": visible,
        "visible_after_moves": await _compared(sync),
    }


async def _with_failures(sync: Sync) -> dict[str, Any]:
    """Rights are tightened while a twentieth of what is asked about rights is refused; then all is well again."""
    for _ in range(10):
        sync.company.restrict()
        sync.company.remove_from_group()
    sync.at.fail(ASKED, Fault.forbidden(), times=None, rate=0.05, seed=3)
    reports = [report for source in sync.sources if (report := await _tried(sync, source.name))]
    failing = await _compared(sync)
    sync.at.heal()
    await _run(sync, "permissions, healed", PERMISSIONS)
    return {
        "visible_while_failing": failing | {"unreadable": sum(len(report.unreadable) for report in reports)},
        "visible_after_healing": await _compared(sync),
    }


async def _tried(sync: Sync, name: str) -> RunReport | None:
    with suppress(Refused, Transient):  # it may give up as a whole
        return await sync.one(next(each for each in sync.sources if each.name == name), PERMISSIONS)
    return None


async def _run(sync: Sync, what: str, options: RunOptions | None = None) -> dict[str, Any]:
    """One pass over both sources."""
    say(what)
    sync.at.forget_calls()
    started = time.perf_counter()
    reports = (await sync.run(options)).values()
    seconds = round(time.perf_counter() - started, 1)
    stages: dict[str, float] = {}
    for name, spent in (item for report in reports for item in report.stages.items()):
        stages[name] = round(stages.get(name, 0.0) + spent, 1)
    return {
        "seconds": seconds,
        "stages": stages,
        "requests": sum(report.requests for report in reports),
        "embedded": sum(report.embedded for report in reports),
        "tokens": sum(report.tokens for report in reports),
        "documents_written": sum(report.added + report.changed for report in reports),
        "failed": sum(len(report.failed) for report in reports),
    }


async def _compared(sync: Sync) -> dict[str, int]:
    """In how many documents people find something else than they may read."""
    say("comparing what each of the people finds")
    found = await sync.differences()
    less = [each for _, missing in found.values() for each in missing]
    untold = len(sync.untold(less))
    people = sum(user.kind != "app" for user in sync.world.users.values())
    more = sum(len(each) for each, _ in found.values())
    return {"people": people, "more": more, "less": len(less) - untold, "untold": untold}


def main() -> None:
    """Measures, and prints the result of each flavour."""
    given = parser(__doc__, pages=2000, issues=3000, people=200)
    given.add_argument("--flavour", choices=FLAVOURS, action="append", help="this one alone")
    given.add_argument("--hashed", choices=FLAVOURS, action="append", default=[])
    options = given.parse_args()
    for flavour in options.flavour or FLAVOURS:
        with new_folder() as folder:
            print(json.dumps(asyncio.run(measure(flavour, options, folder))), flush=True)


if __name__ == "__main__":
    main()
