"""Web pages as a kind of source."""

import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from indexer.sources.kind import OptionError, SourceKind, SourceOption, SourceSetup

if TYPE_CHECKING:
    from indexer.sources.connector import Connector


def of_place(place: str) -> dict[str, object] | None:
    """The options of a URL. Raises Refused for one that cannot be fetched."""
    if not re.match(r"(?i)[a-z][a-z0-9+.-]*://", place):
        return None
    from net.targets import target_of

    target_of(place)
    return {"url": place}


def _stored(given: Mapping[str, Any]) -> dict[str, object]:
    found = of_place(given["url"])
    if found is None:
        raise OptionError(f"{given['url']!r} does not fit a web source.")
    return found


@asynccontextmanager
async def _open(setup: SourceSetup) -> "AsyncIterator[Connector]":
    from indexer.sources.web.connector import WebConnector
    from net.fetch import FetchPolicy, SafeFetcher

    policy = FetchPolicy(allow=setup.fetch_allow, max_bytes=setup.fetch_max_bytes, max_seconds=setup.fetch_seconds)
    async with SafeFetcher(policy) as fetcher:
        url, delay, pages = str(setup.options["url"]), setup.fetch_delay, setup.fetch_max_pages
        yield WebConnector(url, setup.audience, fetcher, delay_s=delay, max_pages=pages)


KIND = SourceKind(
    name="web",
    title="Web",
    summary="A web page, or the pages of a sitemap.",
    options=(SourceOption("--url", "url", "The page or sitemap.", metavar="URL", required=True),),
    stored=_stored,
    open=_open,
    of_place=of_place,
)
