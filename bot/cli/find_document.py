"""Which document an operator means by an id, an issue's key, a path or a URL."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

from domain.errors import Refused
from indexer.sources.registry import source_kinds, states_permissions

if TYPE_CHECKING:
    from bot.app.product import Product
    from domain.index_ports import IndexedDocument, KnowledgeWriter
    from storage.index.sources import Source

SHOWN = 10
"""Documents that are named where several are meant."""


class DocumentMatch(NamedTuple):
    """A document. document_id: the index's own; empty where the index does not have it. name: as its source has it."""

    source: "Source"
    name: str
    path: str
    document_id: str = ""


async def find_document(
    product: "Product", sources: "Sequence[Source]", writer: "KnowledgeWriter", said: str
) -> DocumentMatch:
    """The one document: of those that are indexed, else of what the sources have now that state permissions.

    Raises Refused when there is none, or several; and what the connectors' `one` raises.
    """
    said = said.strip()
    if not said:
        raise Refused("--document names no document", next_step="Leave it out to read all documents.")
    indexed = [(source, each) for source in sources for each in (await writer.indexed_documents(source.name)).values()]
    held = [
        DocumentMatch(source, each.external_id, each.path, each.document_id)
        for source, each in indexed
        if said.casefold().rstrip("/") in map(str.casefold, _names(source.kind, each))
    ]
    own = [each for each in held if said in {each.document_id, each.name}]
    found = own or held or await _at_their_sources(product, sources, said)
    if len(found) == 1:
        return found[0]
    if not found:
        kinds = " nor ".join(kind.title for kind in source_kinds().values() if kind.states_permissions)
        raise Refused(
            f"No source has a document {said}",
            why=f"It is no id, key, path or URL of what is indexed, and neither {kinds} shows it.",
            next_step="kb search --json shows ids; what was deleted at its source goes with a plain kb reindex.",
        )
    shown = [f"{each.source.name}: {each.path} ({each.document_id or each.name})" for each in found[:SHOWN]]
    raise Refused(
        f"{said} means {len(found)} documents",
        why="; ".join(shown) + ("; …" if len(found) > SHOWN else "") + ".",
        next_step="Name one of them by what stands in brackets, or the source with --source.",
    )


def _names(kind: str, state: "IndexedDocument") -> Iterator[str]:
    yield from (state.document_id, state.external_id, state.path, state.url.rstrip("/"))
    if kind in source_kinds():
        yield from source_kinds()[kind].document_names(state.external_id, state.url)


async def _at_their_sources(product: "Product", sources: "Sequence[Source]", said: str) -> list[DocumentMatch]:
    from bot.app.connectors import open_connector
    from indexer.sources.connector import SingleSource

    found = []
    for source in sources:
        if not states_permissions(source.kind) or not _may_have(source, said):
            continue
        async with open_connector(source, product.settings) as connector:
            if isinstance(connector, SingleSource):
                await connector.orient()
                item = await connector.one(said)
                found += [DocumentMatch(source, item.external_id, item.path)] if item else []
    return found


def _may_have(source: "Source", said: str) -> bool:
    """Whether it is worth asking: a URL says where it leads."""
    if "//" not in said:
        return True
    try:
        host = urlsplit(said).hostname
    except ValueError:  # such as http://[::1
        return False
    return host is None or host == urlsplit(str(source.options.get("url", ""))).hostname
