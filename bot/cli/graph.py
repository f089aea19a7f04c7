"""`kb graph`: the knowledge graph, for whoever keeps the product running."""

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bot.cli.graph_show import show
from bot.cli.options import json_option, open_store, with_settings
from bot.markup.plain_text import counted, one_line
from bot.terminal.output import print_result
from config.settings import Settings
from domain.errors import Refused

if TYPE_CHECKING:
    from storage.graph.analysis import GraphStatistics

MOST_ORPHANS = 20


@click.group()
def graph() -> None:
    """Look at the knowledge graph: around one thing as a reader sees it, or as a whole, which its operator sees."""


graph.add_command(show)


@graph.command()
@json_option
@with_settings
async def stats(settings: Settings, *, as_json: bool) -> int:
    """Show what the graph holds, how it hangs together, and what stands apart."""
    async with open_store(settings) as storage:
        found = await storage.graph_analysis().statistics()
    hubs = [{"key": key, "documents": documents} for key, documents in found.hubs]
    print_result(asdict(found) | {"hubs": hubs}, _text(found), as_json=as_json)
    return 0


@graph.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@json_option
@with_settings
async def export(settings: Settings, file: Path, *, as_json: bool) -> int:
    """Write the graph to FILE as GraphML, for programs that draw and analyse graphs."""
    async with open_store(settings) as storage:
        try:
            entities, relations = await storage.graph_analysis().export(file)
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
        "Mentioned most: " + ", ".join(f"{one_line(key)} ({documents})" for key, documents in found.hubs),
        f"Joined to no other: {counted(len(found.orphans), 'document')}",
        *(f"  {one_line(path)}" for path in found.orphans[:MOST_ORPHANS]),
    ]
    rest = len(found.orphans) - MOST_ORPHANS
    return "\n".join([*lines, f"  and {rest} more"] if rest > 0 else lines)


def _counts(counts: Mapping[str, int]) -> str:
    each = ", ".join(f"{name} {count}" for name, count in counts.items())
    return f"{sum(counts.values())} ({each})" if counts else "none"
