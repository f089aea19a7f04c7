"""What a pass asks a source for: everything, what changed, or one document."""

from collections.abc import AsyncIterator, Mapping

from domain.ports import IndexedState
from indexer.connectors.base import (
    ChangeSource,
    Connector,
    Listed,
    Passed,
    ReadersSource,
    SingleSource,
)
from indexer.tools import RunOptions


def lists_all(connector: Connector, options: RunOptions) -> bool:
    """Whether a pass is about all that the source has, so that what `items` do not show is missing."""
    return not options.single and not (options.since is not None and isinstance(connector, ChangeSource))


async def items(
    connector: Connector, options: RunOptions, known: Mapping[str, IndexedState]
) -> AsyncIterator[Listed | Passed]:
    """What a pass has to know of; see indexer.connectors.base for what it raises. known: what the index holds."""
    if options.single and isinstance(connector, SingleSource):
        ids = (each.external_id for each in known.values() if each.document_id == options.document)
        name = options.name or next(ids, "")
        found = await connector.one(name) if name else None
        if found is not None:
            yield found
    elif options.since is not None and isinstance(connector, ChangeSource):
        async for item in connector.changes(options.since):
            yield item
    elif options.permissions and isinstance(connector, ReadersSource):
        async for item in connector.readers():
            yield item
    else:
        async for item in connector.listing():
            yield item
