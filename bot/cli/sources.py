"""`kb sources`: what is to be indexed, and as whom it is read."""

from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from bot.cli.index import audience_of, checked_name
from bot.cli.options import Option, json_option, open_store, with_options, with_settings
from bot.cli.source_checks import accounts, findings, good, text
from bot.cli.source_checks import as_json as findings_json
from bot.markup.plain_text import counted, one_line
from bot.terminal.output import agreed, print_json, print_result, say
from config.settings import Settings
from domain.errors import Refused
from indexer.sources.kind import OptionError, SourceKind, SourceOption
from indexer.sources.registry import kind_named, source_kinds, states_permissions

if TYPE_CHECKING:
    from indexer.sources.connector import CheckFinding
    from storage.index.sources import Source, SourceState


_NAME = click.option("--name", metavar="NAME", required=True, help="A name of your choice.")
_AUDIENCE = click.option(
    "--audience", multiple=True, metavar="everyone|EMAIL", help="Who may read it; repeat for several. Else everyone."
)
_UNCHECKED = click.option("--unchecked", is_flag=True, help="Add it without trying it first.")
_REPLACE = click.option("--replace", is_flag=True, help="Other options for the source of this name; its index stays.")


@click.group()
def sources() -> None:
    """List, add, check and remove sources of documents."""


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
    async with open_store(settings) as storage:
        await storage.sources.get(name)  # nobody is asked about one that is not there
        if not yes and not agreed(f"Remove {name} and all its documents from the index?", "Nothing was removed"):
            return 1
        count = await storage.sources.remove(name)
    words = f"Removed {name} with {counted(count, 'document')}."
    print_result({"removed": name, "documents": count}, words, as_json=as_json)
    return 0


@sources.group("add")
def add() -> None:
    """Configure a source; kb reindex then reads it."""


def _command_of(kind: SourceKind) -> click.Command:
    """`kb sources add KIND`, with the options of its row."""
    # what the source says of its readers is tried first; of another one, the operator says who they are
    more = (_UNCHECKED, _REPLACE) if kind.states_permissions else (_AUDIENCE,)

    options = with_options(_NAME, *map(_option, kind.options), *more, json_option)
    return click.command(kind.name, help=kind.summary)(options(with_settings(partial(_add, kind))))


def _option(option: SourceOption) -> Option:
    if option.switch:
        return click.option(option.flag, option.name, is_flag=True, help=option.help)
    kind = click.Choice(option.choices) if option.choices else None
    more: dict[str, Any] = {} if option.default is None else {"default": option.default}
    if option.choices and option.default:
        more["show_default"] = True
    if option.required or option.multiple:
        more |= {"required": option.required, "multiple": option.multiple, "callback": _not_blank}
    return click.option(option.flag, option.name, metavar=option.metavar, type=kind, help=option.help, **more)


def _not_blank(_context: click.Context, _option: click.Parameter, given: str | tuple[str, ...]) -> Any:
    """What was given of an option, which a variable that is not set leaves empty. Raises click.BadParameter then."""
    if not all(each.strip() for each in ((given,) if isinstance(given, str) else given)):
        raise click.BadParameter("it is empty")
    return given


async def _add(kind: SourceKind, settings: Settings, *, as_json: bool, replace: bool = False, **given: Any) -> int:
    from storage.index.sources import Source

    try:
        options = kind.stored(given)
    except OptionError as error:
        if error.flag:
            raise click.BadParameter(str(error), param_hint=error.flag) from None
        raise click.UsageError(str(error)) from None
    if not kind.states_permissions:
        options["audience"] = audience_of(given["audience"])
    source = Source(checked_name(given["name"]), kind.name, options)
    checked = kind.states_permissions and not given["unchecked"]
    found: list[CheckFinding] = []
    async with open_store(settings) as storage:
        known = {state.source.name: state.source.kind for state in await storage.sources.states()}
        _refuse_unfitting(source, known.get(source.name), replace=replace)
        if checked:
            found = await findings(source, settings)
            if not as_json:
                say(text(source.name, found), known=accounts([source]))
        if not good(found) and as_json:
            print_json(_result(source, "nothing", found), known=accounts([source]))
            return Refused.exit_code
        if not good(found):
            raise Refused(
                f"{source.name} was not {'changed' if replace else 'added'}",
                why="It could not be read as it is; see above.",
                next_step="Mend that and try again, or do it all the same with --unchecked.",
            )
        await (storage.sources.replace if replace else storage.sources.add)(source)
    if as_json:
        print_json(_result(source, "changed" if replace else "added", found), known=accounts([source]))
    else:
        say(f"{'Changed' if replace else 'Added'}. Read it now: kb reindex --source {source.name}")
    return 0


def _result(source: "Source", done: str, found: "list[CheckFinding]") -> dict[str, object]:
    return {"source": source.name, "kind": source.kind, "done": done, "findings": list(map(asdict, found))}


def _refuse_unfitting(source: "Source", known: str | None, *, replace: bool) -> None:
    """Raises Refused where a name is taken, or there is nothing of the kind to replace. known: its kind, if any."""
    if replace and known != source.kind:
        raise Refused(
            f"There is no source {source.name} of {kind_named(source.kind, source.name).title}",
            why=f"{source.name} is of the kind {known}." if known else "",
            next_step="See: kb sources list. Without --replace a new one is added.",
        )
    if known is not None and not replace:
        next_step = f"Choose another name, or remove it first: kb sources remove {source.name}"
        if known == source.kind and states_permissions(known):
            next_step += ". It is given other options with --replace."
        raise Refused(f"There is a source {source.name} already", next_step=next_step)


for _kind in source_kinds().values():
    add.add_command(_command_of(_kind))
