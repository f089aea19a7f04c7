"""Opens what reads a source: the connector of a configured source, the process that parses files, and what reads single
documents as they are now while a question is answered."""

import json
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from functools import partial
from typing import TYPE_CHECKING

from config.settings import Settings
from domain.access import NOBODY, ORGANISATION, Acl, user
from indexer.sources.kind import SourceKind, SourceSetup
from indexer.sources.registry import kind_named, source_kinds
from storage.index.sources import Source
from storage.open import Storage

if TYPE_CHECKING:  # indexing's libraries are imported when something is indexed: answering starts faster without
    from indexer.live_fetch import LiveItems, LiveSite
    from indexer.parse.sandbox import SandboxedParser
    from indexer.sources.connector import Connector


LIVE_PATIENCE = 6.0
"""Seconds for which one request is tried again: somebody waits for an answer."""


def open_connector(
    source: Source, settings: Settings, *, patience: float | None = None
) -> "AbstractAsyncContextManager[Connector]":
    """The connector of a configured source. patience: seconds for one request with its repetitions, where not as the
    settings say.

    Raises Misconfigured when this release does not know its kind; opening it, when it cannot be used as it is.
    """
    index = settings.index

    def secret(variable: str) -> str | None:
        found = settings.secrets.get(variable)
        return found.reveal() if found else None

    setup = SourceSetup(
        source.name,
        source.options,
        acl_of(source.options.get("audience")),
        secret,
        # of every kind, although the setting is called after the first ones
        patience=index.atlassian_patience if patience is None else patience,
        max_bytes=round(index.max_file_mb * 1_000_000),
        fetch_allow=index.fetch_allow,
        fetch_max_bytes=round(index.fetch_max_mb * 1_000_000),
        fetch_seconds=index.fetch_seconds,
        fetch_delay=index.fetch_delay,
        fetch_max_pages=index.fetch_max_pages,
    )
    return kind_named(source.kind, source.name).open(setup)


def open_parser(settings: Settings) -> "SandboxedParser":
    """The child process that reads files, with its limits."""
    from indexer.parse.limits import ParseLimits
    from indexer.parse.sandbox import SandboxedParser

    index = settings.index
    limits = ParseLimits(
        memory_bytes=index.parse_memory_mb * 2**20,
        cpu_seconds=max(1, round(index.parse_seconds)),
        wall_seconds=2 * index.parse_seconds,
        input_bytes=round(index.max_file_mb * 1_000_000),
    )
    return SandboxedParser(limits)


def acl_of(audience: object) -> Acl:
    """Whom a source's `audience` option admits: `everyone`, or a list of e-mail addresses; else nobody."""
    if audience == "everyone":
        return ORGANISATION
    if isinstance(audience, list):
        return Acl.any_of(*(user(str(email)) for email in audience))
    return NOBODY


@asynccontextmanager
async def open_live(settings: Settings, storage: Storage) -> AsyncIterator["Mapping[str, LiveItems]"]:
    """By the name of the agent's tool, what reads the documents of a kind of source as they are now; kinds of which no
    source is configured are not in it. Nothing is asked of a source before something is fetched."""
    there = {each.kind for each in await storage.sources.all_sources()}
    kinds = [kind for kind in source_kinds().values() if kind.live_tool and kind.name in there]
    if not kinds:
        yield {}
        return
    # a connector's library takes a while to import: only where there is a source
    from indexer.live_fetch import LiveItems

    async with AsyncExitStack() as stack:
        parser = await stack.enter_async_context(open_parser(settings))
        found: dict[str, LiveItems] = {}
        for kind in kinds:
            places = partial(_sites, kind, settings, storage)
            found[kind.live_tool] = await stack.enter_async_context(LiveItems(places, storage.access_reader(), parser))
        yield found


async def _sites(kind: SourceKind, settings: Settings, storage: Storage) -> "Sequence[LiveSite]":
    from indexer.live_fetch import LiveSite

    return [
        LiveSite(
            source.name,
            str(source.options.get(kind.place_option, "")),
            json.dumps(source.options, sort_keys=True),
            partial(open_connector, source, settings, patience=LIVE_PATIENCE),
        )
        for source in await storage.sources.all_sources()
        if source.kind == kind.name
    ]
