"""Confluence as a kind of source."""

from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from indexer.sources.atlassian.options import SITE_OPTIONS, open_client, shared_options, stored_site
from indexer.sources.confluence.webhook import WEBHOOK
from indexer.sources.kind import SourceKind, SourceOption, SourceSetup

if TYPE_CHECKING:
    from indexer.sources.connector import Connector

_OPTIONS = (
    SourceOption("--space", "spaces", "This space; repeat for several. Else all.", metavar="KEY", multiple=True),
    SourceOption("--archived", "archived", "Archived spaces, too.", switch=True),
    SourceOption(
        "--access-group",
        "access_groups",
        "Whose members may use Confluence at all; repeat for several. Else every account.",
        metavar="GROUP",
        multiple=True,
    ),
)


def _stored(given: Mapping[str, Any]) -> dict[str, object]:
    own = {"spaces": list(given["spaces"]), "access_groups": list(given["access_groups"])}
    return {**stored_site(given), **own, "archived": given["archived"]}


@asynccontextmanager
async def _open(setup: SourceSetup) -> "AsyncIterator[Connector]":
    from indexer.sources.confluence.connector import ConfluenceConnector
    from indexer.sources.confluence.options import ConfluenceOptions

    options = ConfluenceOptions(
        spaces=setup.texts("spaces"),
        archived=bool(setup.options.get("archived")),
        access_groups=frozenset(setup.texts("access_groups")),
        **shared_options(setup),
    )
    async with open_client(setup, "confluence") as client:
        yield ConfluenceConnector(setup.name, client, options)


def _document_names(external_id: str, _url: str) -> Iterator[str]:
    """A page, a blog post or a file by its id without the kind."""
    kind, sign, number = external_id.partition(":")
    if sign and kind in {"page", "blog", "attachment"}:
        yield number


KIND = SourceKind(
    name="confluence",
    title="Confluence",
    summary="Spaces of a Confluence, Cloud or Data Center, with the permissions that it states.",
    options=(*SITE_OPTIONS, *_OPTIONS),
    stored=_stored,
    open=_open,
    states_permissions=True,
    live_tool="confluence_fetch",
    webhook=WEBHOOK,
    document_names=_document_names,
)
