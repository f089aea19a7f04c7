"""What an index run asks a source for: everything, what changed, or single documents."""

import logging
from collections.abc import AsyncIterator, Mapping

from domain.errors import Refused
from domain.index_ports import IndexedDocument
from indexer.run.dependencies import RunOptions
from indexer.sources.connector import (
    ChangeSource,
    Connector,
    ListedDocument,
    ReadersSource,
    SingleSource,
    SkippedDocument,
)

log = logging.getLogger(__name__)


def lists_all(connector: Connector, options: RunOptions) -> bool:
    """Whether a run is about all that the source has, so that what `listed_items` do not show is missing."""
    return not options.single and not (options.since is not None and isinstance(connector, ChangeSource))


async def _one(connector: SingleSource, name: str, *, alone: bool) -> ListedDocument | None:
    """One document. What is refused of several keeps none of the others."""
    try:
        return await connector.one(name)
    except Refused as error:
        if alone:
            raise
        log.warning("%s was left aside: %s", name, error.what)
        return None


async def listed_items(
    connector: Connector, options: RunOptions, known: Mapping[str, IndexedDocument]
) -> AsyncIterator[ListedDocument | SkippedDocument]:
    """What a run has to look at; raises as the connector does. known: what the index holds."""
    if options.single and isinstance(connector, SingleSource):
        ids = (each.external_id for each in known.values() if each.document_id == options.document)
        found: dict[str, ListedDocument] = {}
        for name in options.names or ids:
            one = await _one(connector, name, alone=len(options.names) < 2)
            if one is not None and found.setdefault(one.external_id, one) is one:
                yield one
    elif options.since is not None and isinstance(connector, ChangeSource):
        async for item in connector.changes(options.since):
            yield item
    elif options.permissions and isinstance(connector, ReadersSource):
        async for item in connector.readers():
            yield item
    else:
        async for item in connector.listing():
            yield item
