"""The kinds of sources that there are: each folder of this package that has a module `kind`."""

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pathlib import Path

from domain.errors import Misconfigured
from indexer.sources.kind import SourceKind


@cache
def source_kinds() -> Mapping[str, SourceKind]:
    """All kinds by name, in the order of their names."""
    folders = sorted(each.parent.name for each in Path(__file__).parent.glob("*/kind.py"))
    rows: list[SourceKind] = [import_module(f"indexer.sources.{folder}.kind").KIND for folder in folders]
    return {row.name: row for row in sorted(rows, key=lambda row: row.name)}


def kind_named(kind: str, source: str) -> SourceKind:
    """The kind of a configured source. Raises Misconfigured where this release does not know it."""
    if kind not in source_kinds():
        raise Misconfigured(
            f"The source {source} is of a kind that this release does not know: {kind}",
            next_step=f"Run the release that added it, or remove it: kb sources remove {source}",
        )
    return source_kinds()[kind]


def states_permissions(kind: str) -> bool:
    """Whether sources of this kind say of each document who may read it."""
    return kind in source_kinds() and source_kinds()[kind].states_permissions
