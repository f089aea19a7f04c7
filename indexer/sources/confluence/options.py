"""What of a Confluence is read, and what no API tells about it."""

from collections.abc import Sequence
from dataclasses import dataclass

from domain.errors import Refused
from indexer.sources.atlassian.options import SharedOptions
from indexer.sources.confluence.records import ConfluenceScope, ConfluenceSpace


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfluenceOptions(SharedOptions):
    """What an operator says of a Confluence."""

    spaces: tuple[str, ...] = ()
    """Keys of those to read; all that the account sees when empty."""
    archived: bool = False
    """Also spaces that were put away."""
    access_groups: frozenset[str] = frozenset()
    """Names of the groups whose members may use Confluence, which no API tells; empty: all accounts may."""


def scope_of(every: Sequence[ConfluenceSpace], options: ConfluenceOptions) -> ConfluenceScope:
    """The spaces to read, of all that the account sees. Raises Refused when one that was named is not there, or none
    is: what is in them would look deleted."""
    wanted = set(options.spaces)
    missing = sorted(wanted - {each.key for each in every})
    if missing or not every:
        raise Refused(
            f"Confluence shows no space {', '.join(missing)}".strip(),
            why="It was deleted or renamed, or the account may not view it.",
            next_step="Give the account the right to view it, or correct --space of kb sources add.",
        )
    chosen = [each for each in every if not wanted or each.key in wanted]
    kept = tuple(each for each in chosen if options.archived or not each.archived)
    return ConfluenceScope(kept, everywhere=not wanted)
