"""The part of the composition root that reads single documents at their sources while a question is answered."""

import json
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from typing import TYPE_CHECKING

from bot.app.connectors import open_connector, open_parser
from config.settings import Settings
from domain.tool_ports import LiveSource
from indexer.sources.kind import SourceKind
from indexer.sources.registry import source_kinds
from storage.open import Storage

if TYPE_CHECKING:
    from indexer.live_fetch import LiveSite

LIVE_PATIENCE = 6.0
"""Seconds for which one request is tried again: somebody waits for an answer."""


@asynccontextmanager
async def open_live(settings: Settings, storage: Storage) -> AsyncIterator[Mapping[str, LiveSource]]:
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
        found: dict[str, LiveSource] = {}
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
