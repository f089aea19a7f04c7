"""What the connectors of Confluence and Jira have alike."""

from domain.access import NOBODY, Acl
from domain.errors import Transient
from indexer.sources.atlassian.client import AtlassianClient


class AtlassianConnector:
    """Reads one product of one site, as a RemoteSource. client: open as long as this is used."""

    def __init__(self, client: AtlassianClient) -> None:
        self._client = client

    @property
    def acl(self) -> Acl:
        """Nobody: every document says itself whom it admits."""
        return NOBODY

    @property
    def at_once(self) -> int:
        return self._client.at_once

    @property
    def requests(self) -> int:
        return self._client.requests


def other_readers(path: str) -> Transient:
    """To raise where a document was read with other rights than it was listed with: its ACL may be too wide."""
    return Transient(
        f"{path} got other readers while it was read",
        why="It was listed with the rights of before.",
        next_step="The next run reads it.",
    )
