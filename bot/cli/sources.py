"""`kb sources`: what is indexed."""

from typing import TYPE_CHECKING

import click

from bot.cli.options import json_option, open_store, with_settings
from bot.cli.source_checks import accounts, findings, good, text
from bot.cli.source_checks import as_json as findings_json
from bot.cli.sources_add import add
from bot.markup.plain_text import counted, one_line
from bot.terminal.output import asked, print_result, say
from config.settings import Settings
from domain.errors import Refused
from indexer.sources.registry import source_kinds

if TYPE_CHECKING:
    from storage.index.sources import SourceState


@click.group()
def sources() -> None:
    """List, add, check and remove sources of documents."""


sources.add_command(add)


@sources.command("list")
@json_option
@with_settings
async def list_(settings: Settings, *, as_json: bool) -> int:
    """Show the sources and what is held of them."""
    async with open_store(settings) as storage:
        states = await storage.sources.states()
    none = "There is no source yet. Index a folder or a URL first: kb index PATH_OR_URL"
    value = {"sources": [_state_json(state) for state in states]}
    print_result(value, "\n".join(map(_state_text, states)) or none, as_json=as_json, own=True)
    return 0


def _state_json(state: "SourceState") -> dict[str, object]:
    return {
        "name": state.source.name,
        "kind": state.source.kind,
        "options": state.source.options,
        "documents": state.documents,
        "hidden": state.hidden,
        "last_run": state.last_run_id,
        "last_run_state": state.last_run_state,
        "last_finished_at": state.last_finished_at,
    }


def _state_text(state: "SourceState") -> str:
    place = state.source.options.get("path") or state.source.options.get("url") or ""
    hidden = f", {state.hidden:,} hidden" if state.hidden else ""
    last = f"{state.last_run_state} {state.last_finished_at:%Y-%m-%d %H:%M} UTC" if state.last_finished_at else "never"
    return (
        f"{state.source.name}  ({state.source.kind})  {one_line(str(place))}\n"
        f"  {counted(state.documents, 'document')}{hidden}; last run: {last}; {_readers(state)}"
    )


def _readers(state: "SourceState") -> str:
    """Whom a source is for, as its operator or itself says."""
    kind = source_kinds().get(state.source.kind)
    if kind and kind.states_permissions:
        return f"readers as {kind.title} says"
    readers = state.source.options.get("audience")
    named = ", ".join(map(str, readers if isinstance(readers, list) else ()))
    return f"for {'everyone' if readers == 'everyone' else named}"


@sources.command("check")
@click.argument("name", required=False)
@json_option
@with_settings
async def check(settings: Settings, name: str | None, *, as_json: bool) -> int:
    """See whether the sources (or the one NAME) can be listed and read."""
    async with open_store(settings) as storage:
        chosen = [state.source for state in await storage.sources.states() if name in {None, state.source.name}]
    if name and not chosen:
        raise Refused(f"There is no source {name}", next_step="See: kb sources list")
    found = {source.name: await findings(source, settings) for source in chosen}
    value = {"sources": [findings_json(name, each) for name, each in found.items()]}
    words = "\n".join(text(name, each) for name, each in found.items())
    print_result(value, words, as_json=as_json, known=accounts(chosen))
    return 0 if all(map(good, found.values())) else 1


@sources.command("remove")
@click.argument("name")
@click.option("--yes", is_flag=True, help="Do not ask first.")
@json_option
@with_settings
async def remove(settings: Settings, name: str, *, yes: bool, as_json: bool) -> int:
    """Remove the source NAME and everything indexed from it."""
    if as_json and not yes:
        raise Refused("Nothing was removed", why="With --json nobody is asked.", next_step="Add --yes.")
    try:
        agreed = yes or asked(f"Remove {name} and all its documents from the index?")
    except click.Abort:  # nobody is there to answer
        raise Refused("Nothing was removed", why="The question was not answered.", next_step="Add --yes.") from None
    if not agreed:
        say("Nothing was removed.", err=True)
        return 1
    async with open_store(settings) as storage:
        count = await storage.sources.remove(name)
    words = f"Removed {name} with {counted(count, 'document')}."
    print_result({"removed": name, "documents": count}, words, as_json=as_json)
    return 0
