"""The part of the composition root that opens Confluence and Jira: a stored source in, its connector out."""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from config.settings import Settings
from domain.errors import Misconfigured

if TYPE_CHECKING:
    from indexer.connectors.atlassian.confluence import ConfluenceConnector
    from indexer.connectors.atlassian.jira import JiraConnector
    from indexer.connectors.atlassian.site import Site
    from storage.sources import Source

KINDS = ("confluence", "jira")
TRIES = 4
"""How often a request that hangs is made within the patience."""


@asynccontextmanager
async def open_atlassian(
    source: "Source", settings: Settings, *, patience: float | None = None
) -> "AsyncIterator[ConfluenceConnector | JiraConnector]":
    """The connector of a source of Confluence or Jira. patience: seconds for one request with its repetitions, where
    not as the settings say.

    Raises Misconfigured when its token is not in the environment, or its address cannot be used.
    """
    from indexer.connectors.atlassian.client import AtlassianClient

    index = settings.index
    patience = index.atlassian_patience if patience is None else patience
    async with AtlassianClient(site_of(source, settings), patience=patience, timeout=patience / TRIES) as client:
        max_bytes = round(index.max_file_mb * 1_000_000)
        confluence = source.kind == "confluence"
        yield _confluence(source, client, max_bytes) if confluence else _jira(source, client, max_bytes)


def site_of(source: "Source", settings: Settings) -> "Site":
    """Where a source is, with its token. Raises Misconfigured when that is not in the environment."""
    from indexer.connectors.atlassian.site import Site

    variable = str(source.options.get("token_env") or "")
    token = settings.secrets.get(variable)
    if token is None:
        raise Misconfigured(
            f"The token of {source.name} is not there",
            why=f"It is read from the environment variable {variable}, which is not set."
            if variable
            else "The source names no environment variable for it.",
            next_step=f"Set {variable} where this command and kb serve run."
            if variable
            else f"Name it: kb sources add {source.kind} --name {source.name} --replace --token-env VARIABLE …",
        )
    options: Mapping[str, Any] = source.options
    return Site(
        product="confluence" if source.kind == "confluence" else "jira",
        url=str(options.get("url", "")),
        flavour="datacenter" if options.get("flavour") == "datacenter" else "cloud",
        email=str(options.get("email") or ""),
        token=token.reveal(),
        api_url=str(options.get("api_url") or ""),
    )


def _confluence(source: "Source", client: Any, max_bytes: int) -> "ConfluenceConnector":  # an AtlassianClient
    from indexer.connectors.atlassian.confluence import ConfluenceConnector
    from indexer.connectors.atlassian.confluence_options import ConfluenceOptions

    options = ConfluenceOptions(
        spaces=tuple(_texts(source, "spaces")),
        archived=bool(source.options.get("archived")),
        organisation_groups=frozenset(_texts(source, "organisation_groups")),
        access_groups=frozenset(_texts(source, "access_groups")),
        open_to_all=bool(source.options.get("open_to_all")),
        attachments=bool(source.options.get("attachments", True)),
        max_bytes=max_bytes,
    )
    return ConfluenceConnector(source.name, client, options)


def _jira(source: "Source", client: Any, max_bytes: int) -> "JiraConnector":  # an AtlassianClient
    from indexer.connectors.atlassian.jira import JiraConnector
    from indexer.connectors.atlassian.jira_options import JiraOptions

    levels = source.options.get("security_levels")
    options = JiraOptions(
        projects=tuple(_texts(source, "projects")),
        organisation_groups=frozenset(_texts(source, "organisation_groups")),
        security_levels=levels if isinstance(levels, dict) else {},
        open_to_all=bool(source.options.get("open_to_all")),
        internal_notes="browse" if source.options.get("internal_notes") == "browse" else "agents",
        fields=tuple(_texts(source, "fields")),
        attachments=bool(source.options.get("attachments", True)),
        max_bytes=max_bytes,
    )
    return JiraConnector(source.name, client, options)


def _texts(source: "Source", option: str) -> Sequence[str]:
    found = source.options.get(option)
    return [str(each) for each in found] if isinstance(found, list) else []
