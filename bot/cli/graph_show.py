"""`kb graph show`: what the knowledge graph has around a thing."""

from dataclasses import replace
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bot.cli.ask import NOT_FOUND, PATIENCE
from bot.cli.options import as_option, json_option, scope_of, with_settings
from bot.markup.plain_text import counted, one_line
from bot.terminal.output import masked, print_json, say, without_secrets
from config.settings import Settings
from domain.errors import Refused

if TYPE_CHECKING:
    from domain.graph_search import EntityNeighbourhood, Neighbour


@click.command()
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
    from bot.app.product import open_product

    scope = scope_of(email, settings.access.email_domains)
    async with open_product(settings, patience=PATIENCE) as product:
        found = await product.graph.neighbourhoods(without_secrets(entity), scope, limit=limit)
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


def _draw(found: "list[EntityNeighbourhood]", picture: Path) -> None:
    from bot.terminal.graph_picture import svg

    try:
        picture.write_text(svg(safe(found)), encoding="utf-8")
    except OSError as error:
        raise Refused(
            f"The picture cannot be written to {picture}", why=str(error), next_step="Name another file."
        ) from None
    say(f"Drawn: {picture}", err=True)


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
