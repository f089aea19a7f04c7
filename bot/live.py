"""The part of the composition root that reads single issues and pages while a question is answered."""

import json
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from typing import TYPE_CHECKING

from bot.atlassian import KINDS, open_atlassian
from config.settings import Settings
from domain.ports import LiveSource
from storage.open import Storage
from storage.sources import Source

if TYPE_CHECKING:
    from indexer.connectors.atlassian.live import Place

PATIENCE = 6.0
"""Seconds for which one request is tried again: somebody waits for an answer."""


@asynccontextmanager
async def open_live(settings: Settings, storage: Storage) -> AsyncIterator[Mapping[str, LiveSource]]:
    """By kind of source, what reads its documents as they are now; kinds of which no source is configured are not in
    it. Nothing is asked of a source before something is fetched."""
    there = {each.kind for each in await storage.sources.configured()}
    kinds = [kind for kind in KINDS if kind in there]
    if not kinds:
        yield {}
        return
    # the products' library takes a while to import: only where there is a source
    from bot.main import open_parser
    from indexer.connectors.atlassian.live import LiveItems

    async with AsyncExitStack() as stack:
        parser = await stack.enter_async_context(open_parser(settings))
        found: dict[str, LiveSource] = {}
        for kind in kinds:
            places = partial(_places, kind, settings, storage)
            found[kind] = await stack.enter_async_context(LiveItems(places, storage.admission(), parser))
        yield found


async def _places(kind: str, settings: Settings, storage: Storage) -> "Sequence[Place]":
    return [_place(each, settings) for each in await storage.sources.configured() if each.kind == kind]


def _place(source: Source, settings: Settings) -> "Place":
    from indexer.connectors.atlassian.live import Place

    return Place(
        source.name,
        str(source.options.get("url", "")),
        json.dumps(source.options, sort_keys=True),
        partial(open_atlassian, source, settings, patience=PATIENCE),
    )
