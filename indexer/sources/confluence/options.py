"""What of a Confluence is read, and what no API tells about it."""

from collections.abc import Sequence
from dataclasses import dataclass

from domain.errors import Refused
from indexer.sources.confluence.records import ConfluenceSpace


@dataclass(frozen=True, slots=True)
class ConfluenceOptions:
    """spaces: keys of those to read; all that the account sees when empty. archived: also spaces that were put away.

    organisation_groups: names of groups that stand for the whole organisation: what admits one of them admits every
        member of it, with an account or without.
    access_groups: names of the groups whose members may use Confluence, which no API tells; empty: all accounts may.
    open_to_all: whether the site admits people who are not logged in, which no API tells either; what the spaces say
        of them counts only then.
    attachments: whether files are read. max_bytes: larger ones are passed.
    """

    spaces: tuple[str, ...] = ()
    archived: bool = False
    organisation_groups: frozenset[str] = frozenset()
    access_groups: frozenset[str] = frozenset()
    open_to_all: bool = False
    attachments: bool = True
    max_bytes: int = 25_000_000


@dataclass(frozen=True, slots=True)
class ConfluenceScope:
    """The spaces that are read. everywhere: these are all that the account sees, archived ones apart."""

    spaces: tuple[ConfluenceSpace, ...]
    everywhere: bool

    @property
    def archived(self) -> bool:
        """Whether archived ones are among them."""
        return any(each.archived for each in self.spaces)


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
