"""`kb graph`: the knowledge graph, for whoever keeps the product running."""

from collections.abc import Mapping
from dataclasses import asdict, replace
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bot.app.scopes import scope_of
from bot.cli.ask import NOT_FOUND, PATIENCE
from bot.cli.options import as_option, json_option, open_store, with_settings
from bot.cli.run_files import write_text
from bot.markup.plain_text import counted, one_line
from bot.terminal.output import masked, print_json, print_result, say, without_secrets
from config.settings import Settings
from domain.errors import Refused

if TYPE_CHECKING:
    from domain.graph_search import EntityNeighbourhood, Neighbour
    from storage.graph.analysis import GraphStatistics

MAX_ORPHANS = 20


@click.group()
def graph() -> None:
    """Look at the knowledge graph: around one thing as a reader sees it, or as a whole, which its operator sees."""


@graph.command()
@click.argument("entity")
@click.option("--limit", type=click.IntRange(1, 1000), default=50, show_default=True, help="Relations of each thing.")
@click.option("--dot", "as_dot", is_flag=True, help="Print it for Graphviz and nothing else.")
@click.option("--picture", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE", help="Draw it (SVG).")
@json_option
@as_option
@with_settings
async def show(
    settings: Settings,
    entity: str,
    *,
    limit: int,
    as_dot: bool,
    picture: Path | None,
    as_json: bool,
    email: str | None,
) -> int:
    """Show what ENTITY (a name, a title, a key, an address) hangs together with, and which document says so.

    Relations that the reader may not see at their source are left out: see --as.
    """
    if as_dot and as_json:
        raise click.UsageError("--dot and --json each print something else.")
    if picture is not None and picture.suffix.lower() != ".svg":
        raise click.BadParameter("a picture is drawn as SVG: name it FILE.svg", param_hint="--picture")
    if not entity.strip():
        raise Refused("There is no name", next_step='Name a thing: kb graph show "PROJ-100"')
    from bot.app.graph_search import neighbourhoods

    scope, name = scope_of(email, settings.access.email_domains), without_secrets(entity)
    async with open_store(settings) as storage:
        found = [
            _with_shown_keys(each)
            for each in await neighbourhoods(settings, storage, name, scope, limit=limit, patience=PATIENCE)
        ]
    if picture is not None:
        _draw(found, picture)
    if as_json:
        print_json({"entities": [_thing_json(each) for each in found]})
    elif as_dot:
        from bot.terminal.graph_picture import dot

        say(dot(safe(found)), nl=False)
    elif found:
        say("\n\n".join(in_words(each) for each in found))
    else:
        say(f"The knowledge graph has nothing of that name: {one_line(entity)}")
    return 0 if found else NOT_FOUND


@graph.command()
@json_option
@with_settings
async def stats(settings: Settings, *, as_json: bool) -> int:
    """Show what the graph holds, how it hangs together, and what stands apart."""
    async with open_store(settings) as storage:
        found = await storage.graph_analysis().statistics()
    hubs = [{"key": _shown_key(key, name), "documents": documents} for key, name, documents in found.hubs]
    print_result(asdict(found) | {"hubs": hubs}, _text(found), as_json=as_json)
    return 0


@graph.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@json_option
@with_settings
async def export(settings: Settings, file: Path, *, as_json: bool) -> int:
    """Write the graph to FILE as GraphML, for programs that draw and analyse graphs, without personal data."""
    async with open_store(settings) as storage:
        try:
            entities, relations = await storage.graph_analysis().export(file, masked)
        except OSError as error:
            raise Refused(
                f"{file} cannot be written", why=error.strerror or "", next_step="Name another file."
            ) from None
    value = {"file": str(file), "entities": entities, "relations": relations}
    print_result(value, f"{file}: {entities:,} entities and {counted(relations, 'relation')}", as_json=as_json)
    return 0


def _text(found: "GraphStatistics") -> str:
    lines = [
        f"Documents: {found.read} of {found.documents} read for the graph",
        f"Entities: {_counts(found.entities)}",
        f"Mentions: {_counts(found.mentions)}",
        f"Relations: {_counts(found.relations)}",
        f"Links join the documents to {counted(found.components, 'group')}, the largest of {found.largest}",
        "Mentioned most: "
        + ", ".join(f"{one_line(_shown_key(key, name))} ({documents})" for key, name, documents in found.hubs),
        f"Joined to no other: {counted(len(found.orphans), 'document')}",
        *(f"  {one_line(path)}" for path in found.orphans[:MAX_ORPHANS]),
    ]
    rest = len(found.orphans) - MAX_ORPHANS
    return "\n".join([*lines, f"  and {rest} more"] if rest > 0 else lines)


def _counts(counts: Mapping[str, int]) -> str:
    each = ", ".join(f"{name} {count}" for name, count in counts.items())
    return f"{sum(counts.values())} ({each})" if counts else "none"


def _draw(found: "list[EntityNeighbourhood]", picture: Path) -> None:
    from bot.terminal.graph_picture import svg

    write_text(picture, svg(safe(found)))
    say(f"Drawn: {picture}", err=True)


def _shown_key(key: str, name: str) -> str:
    from domain.knowledge_graph import shown_key

    return shown_key(key, name, masked)


def _with_shown_keys(thing: "EntityNeighbourhood") -> "EntityNeighbourhood":
    def shown(value: "EntityNeighbourhood | Neighbour") -> str:
        return _shown_key(value.key, value.name)

    neighbours = tuple(replace(each, key=shown(each)) for each in thing.neighbours)
    return replace(thing, key=shown(thing), neighbours=neighbours)


def safe(found: "list[EntityNeighbourhood]") -> "list[EntityNeighbourhood]":
    """The things with all that a picture shows of them masked, and without what steers a terminal."""

    def shown(value: "EntityNeighbourhood | Neighbour", *names: str) -> dict[str, Any]:
        return {name: one_line(masked(getattr(value, name))) for name in names}

    return [
        replace(
            thing,
            **shown(thing, "key", "name"),
            neighbours=tuple(
                replace(each, **shown(each, "key", "name", "predicate", "title")) for each in thing.neighbours
            ),
        )
        for thing in found
    ]


def _thing_json(thing: "EntityNeighbourhood") -> dict[str, Any]:
    found = _fields(thing, "key", "kind", "name", "documents", "complete")
    return found | {"neighbours": [_neighbour_json(each) for each in thing.neighbours]}


def _neighbour_json(each: "Neighbour") -> dict[str, Any]:
    found = _fields(each, "key", "kind", "name", "predicate", "direction", "confidence", "pattern", "sources")
    citation = _fields(each, "document_id", "chunk_id", "title", "url", "source")
    return found | {"confidence": round(each.confidence, 3), "citation": citation}


def _fields(value: object, *names: str) -> dict[str, Any]:
    found = {name: getattr(value, name) for name in names}
    return {name: each.value if isinstance(each, Enum) else each for name, each in found.items()}


def in_words(thing: "EntityNeighbourhood") -> str:
    """A thing and its relations, a line each, without what steers a terminal; not masked."""
    head = f"{one_line(thing.name)}  [{one_line(thing.key)}; {counted(thing.documents, 'document')}]"
    lines = [_line(each) for each in thing.neighbours] or ["  no relations"]
    more = [] if thing.complete else ["  … and more: --limit N"]
    return "\n".join([head, *lines, *more])


def _line(each: "Neighbour") -> str:
    predicate, url = one_line(each.predicate), one_line(each.url)
    arrow = f"—{predicate}→" if each.direction == "out" else f"←{predicate}—"
    place = " ".join(part for part in (one_line(each.title), f"<{url}>" if url else "") if part)
    times = f", {each.sources} passages" if each.sources > 1 else ""
    return f"  {arrow} {one_line(each.name)}  [{each.pattern.value} {each.confidence:.2f}{times}]  {place}"
