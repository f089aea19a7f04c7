"""The protocols of what tools reach outside the index: documents at their sources, a web search, administration."""

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from domain.access import Scope


@dataclass(frozen=True, slots=True)
class LivePage:
    """A page, an issue or a file as it is at its source now."""

    url: str
    """The address after all redirects."""
    title: str
    text: str
    """Plain text."""
    path: str = ""
    source: str = ""
    media_type: str = "text/plain"
    """Of what was fetched."""
    author: str = ""
    updated_at: datetime | None = None
    """When the source says it last changed; None where it does not say."""


class LiveSource(Protocol):
    """Fetches one thing from where it lives, now."""

    async def fetch(self, name: str, scope: Scope) -> LivePage | None:
        """What `name` (a key, an id, a URL, a path: each source says which) names, when `scope` may see it; else None:
        "not there" and "not allowed" are the same answer.

        Raises:
            Refused: `name` is malformed, or names what must not be fetched.
            Transient: the source is away or busy.
            Misconfigured: the source refuses our credentials.
        """


class SourceAccess(Protocol):
    """Asks sources that have rights of their own whether somebody may read a document there at this moment."""

    async def sources(self) -> frozenset[str]:
        """The names of the sources that it asks. Raises Transient when the database is away."""

    async def admits(self, source: str, name: str, scope: Scope) -> bool:
        """Whether everybody of `scope` may read the document there. name: its id within the source, or its URL. "Not
        there" and "not allowed" are the same answer.

        Raises:
            Refused: the source does not say it of this document.
            Transient: the source is away or busy.
            Misconfigured: the source refuses our credentials.
        """


class WebSearch(Protocol):
    """Asks a search engine."""

    async def find(self, query: str, *, limit: int = 5) -> list[LivePage]:
        """Results with title, URL and an excerpt as text, best first. Raises Transient and Misconfigured."""


class IndexControl(Protocol):
    """Administration of the index from a conversation. Nothing is done without a confirmation outside of it."""

    def is_administrator(self, scope: Scope) -> bool:
        """Whether the asker administers the index."""

    async def status(self, scope: Scope) -> str:
        """How fresh the index is, in words."""

    async def propose(self, command: str, source: str, scope: Scope) -> str:
        """Asks the asker to confirm `command` for `source`, and says in words what happens then. Raises Refused for
        another command or source than there are, and for one who may not."""
