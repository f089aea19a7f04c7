"""What of a Confluence is read, and what no API tells about it."""

from dataclasses import dataclass

from indexer.connectors.atlassian.confluence_records import Space


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
class Scope:
    """The spaces that are read. everywhere: these are all that the account sees, archived ones apart."""

    spaces: tuple[Space, ...]
    everywhere: bool

    @property
    def archived(self) -> bool:
        """Whether archived ones are among them."""
        return any(each.archived for each in self.spaces)
