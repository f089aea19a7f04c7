"""`kb reindex`."""

from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bot.app.golden_file import GoldenFile, golden_of
from bot.cli.find_document import find_document
from bot.cli.index_runs import note_reindex, print_reports, run_each, run_source
from bot.cli.options import json_option, moment, open_store, operator, with_settings
from bot.cli.switch_index import switch_index
from bot.terminal.output import print_result, without_secrets
from config.settings import Settings
from domain.audit import EVERY_SOURCE
from domain.errors import Refused

if TYPE_CHECKING:
    from bot.app.product import Product
    from domain.index_ports import KnowledgeWriter
    from indexer.run.report import RunReport
    from storage.index.sources import Source
    from storage.open import Storage


@click.command()
@click.option("--source", "name", metavar="NAME", help="This source alone; by default all of them.")
@click.option("--full", is_flag=True, help="Make a new index beside the old one, and switch to it at the end.")
@click.option("--since", metavar="TIME", help="Leave alone what is indexed and older, as 2026-03-31.")
@click.option("--document", metavar="ID", help="This document alone: its id, an issue's key, a page's id, or a URL.")
@click.option("--dry-run", is_flag=True, help="Say what would be done, and do nothing.")
@click.option("--prune", type=click.Choice(["confirm"]), help="confirm: hide what is missing, however much that is.")
@click.option(
    "--golden",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="With --full: golden questions that must not get worse, instead of KB_AGENT_GOLDEN.",
)
@click.option("--accept-worse", is_flag=True, help="With --full: switch although golden questions get worse.")
@click.option("--rollback", is_flag=True, help="Go back to the index before the last --full.")
@json_option
@with_settings
async def reindex(settings: Settings, *, as_json: bool, rollback: bool, **rest: Any) -> int:
    """Take in what changed in the configured sources."""
    if rest["full"] and (rest["since"] or rest["document"] is not None or rest["name"] or rest["dry_run"]):
        raise click.UsageError(
            "--full makes a whole index; it goes with neither --source, --since, --document, --dry-run."
        )
    if rollback:
        if any(rest.values()):
            raise click.UsageError("--rollback stands alone.")
        async with open_store(settings) as storage:
            version = await storage.roll_back()
        value = {"live_version": version.version_id, "embedder": version.embedder}
        text = f"Index version {version.version_id} is live again (made with {version.embedder})."
        print_result(value, text, as_json=as_json)
        return 0
    if not rest["full"] and (rest["golden"] or rest["accept_worse"]):
        raise click.UsageError("--golden and --accept-worse go with --full.")
    since = moment(rest["since"], "--since") if rest["since"] else None
    # what is wrong with the file is said at once
    golden = golden_of(settings, rest["golden"], without_secrets) if rest["full"] else None
    return await _reindex(settings, rest, since, golden, as_json=as_json)


async def _reindex(
    settings: Settings, wanted: dict[str, Any], since: datetime | None, golden: GoldenFile | None, *, as_json: bool
) -> int:
    from bot.app.indexing import kind_of, open_to_index
    from indexer.run.dependencies import RunOptions

    options = RunOptions(
        since=since,
        dry_run=wanted["dry_run"],
        prune_max_share=settings.index.prune_max_share,
        prune_confirmed=wanted["prune"] == "confirm",
    )

    async def read(storage: "Storage") -> list[str]:
        found = [] if wanted["dry_run"] or wanted["document"] is not None else await _chosen(storage, wanted["name"])
        return [source.name for source in found]

    async with open_to_index(settings, read, kind_of(options), actor=operator()) as product:
        chosen = await _chosen(product.storage, wanted["name"])
        opening = partial(_writer, product, full=wanted["full"], dry_run=wanted["dry_run"])
        if wanted["document"] is not None:
            meant = await find_document(product, chosen, await opening(), wanted["document"])
            one = {"document": meant.document_id} if meant.document_id else {"names": (meant.name,)}
            chosen, options = [meant.source], replace(options, **one)
        named = {each.name: each for each in chosen}
        await note_reindex(product, wanted["name"] or EVERY_SOURCE, options, full=wanted["full"])

        async def read_one(name: str) -> "RunReport":
            return await run_source(product, named[name], opening, options, quiet=as_json)

        reports, errors = await run_each(named, read_one)
        if len(chosen) == 1 and errors:
            raise errors[chosen[0].name]
        remark = None
        if wanted["full"]:
            may = {"allow_loss": options.prune_confirmed, "accept_worse": wanted["accept_worse"]}
            remark = await switch_index(product, errors, golden, **may, quiet=as_json)
    touched = any(
        (each.added or each.changed or each.unchanged or each.masked_anew)
        or (each.described or each.skipped or each.failed)
        for each in reports
    )
    if wanted["document"] is not None and not errors and not touched:
        raise Refused(
            f"Its source does not list the document {wanted['document']} any more",
            next_step="What was deleted at its source goes with a plain kb reindex.",
        )
    return print_reports(reports, errors, remark, as_json=as_json)


async def _writer(product: "Product", *, full: bool, dry_run: bool) -> "KnowledgeWriter":
    """What to write into; a dry run over an empty index must not even make its first version."""
    if dry_run and await product.storage.version("live") is None:
        from indexer.run.empty_index import EmptyIndex

        return EmptyIndex()
    return await product.writer(rebuild=full)


async def _chosen(storage: "Storage", name: str | None) -> "list[Source]":
    if name:
        return [await storage.sources.get(name)]
    found = [state.source for state in await storage.sources.states()]
    if not found:
        raise Refused("There is no source yet", next_step="Index a folder or a URL first: kb index PATH_OR_URL")
    return found
