"""Sitemaps: https://www.sitemaps.org/protocol.html, plain or packed with gzip."""

from codecs import BOM_UTF8
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from io import BytesIO

from lxml import etree

from domain.errors import Refused
from net.inflate import GZIP_MAGIC, DamagedError, TooLargeError, gunzip

MAX_ELEMENTS = 500_000
"""Elements in one sitemap: the protocol's 50,000 URLs with 10 elements each. Measured: 3 s for a million."""

Element = etree._Element  # noqa: SLF001 - lxml gives the type no public name

_ENTRIES = {"urlset": "url", "sitemapindex": "sitemap"}


@dataclass(frozen=True, slots=True)
class SitemapEntry:
    """One line of a sitemap. url: as written there. modified_at: None when absent or coarser than a day."""

    url: str
    modified_at: datetime | None


@dataclass(frozen=True, slots=True)
class Sitemap:
    """A sitemap's content. nested: its entries are sitemaps themselves."""

    nested: bool
    entries: tuple[SitemapEntry, ...]


def read_sitemap(raw: bytes, max_bytes: int, max_elements: int = MAX_ELEMENTS) -> Sitemap | None:
    """`raw` as a sitemap; None when it is something else, such as a page.

    max_bytes: limit of the unpacked content. max_elements: limit of its elements.

    Raises:
        Refused: a sitemap that is too large, malformed or has a document type (and so may have entities).
    """
    try:
        xml = gunzip(raw, max_bytes) if raw.startswith(GZIP_MAGIC) else raw
    except TooLargeError as error:
        raise _refused(f"it is larger than {max_bytes:,} bytes when unpacked") from error
    except DamagedError:
        return None
    # blank lines before the XML declaration are a common mistake of templates
    return _parsed(xml.removeprefix(BOM_UTF8).lstrip(), max_elements)


def _parsed(xml: bytes, max_elements: int) -> Sitemap | None:
    kind = ""
    entries: list[SitemapEntry] = []
    try:
        for element, finished in _elements(xml, max_elements):
            if not kind:
                kind = _kind(element)
                if not kind:
                    return None
            elif finished and _name(element) == _ENTRIES[kind]:
                texts = {_name(child): "".join(map(str, child.itertext())).strip() for child in element}
                if texts.get("loc"):
                    entries.append(SitemapEntry(texts["loc"], _moment(texts.get("lastmod", ""))))
    except etree.XMLSyntaxError as error:
        if not kind:
            return None
        raise _refused(f"it is not well-formed XML: {error.msg}") from error
    return Sitemap(kind == "sitemapindex", tuple(entries))


def _elements(xml: bytes, limit: int) -> Iterator[tuple[Element, bool]]:
    """The root when it begins, then each of its children when it is complete; what is done with is dropped.

    Raises:
        Refused: there are too many elements.
        XMLSyntaxError: the XML ends or breaks here.
    """
    # what came before an error tells what the document was meant to be, and comes before it
    events = etree.iterparse(
        BytesIO(xml), ("start", "end"), resolve_entities=False, remove_comments=True, remove_pis=True
    )
    depth = seen = 0
    for event, element in events:
        depth += 1 if event == "start" else -1
        seen += event == "start"
        if seen > limit:
            raise _refused(f"it has more than {limit:,} elements")
        if depth == 1:
            yield element, event == "end"
            if event == "end":  # free it, and what stands before it in its parent
                parent = element.getparent()
                element.clear()
                while parent is not None and element.getprevious() is not None:
                    del parent[0]


def _kind(root: Element) -> str:
    """`urlset` or `sitemapindex`; empty when the root is another element. Raises Refused on a document type."""
    name = _name(root)
    if name not in _ENTRIES:
        return ""
    if root.getroottree().docinfo.internalDTD is not None:
        raise _refused("it declares a document type; sitemaps have none, and entities can be abused")
    return name


def _name(element: Element) -> str:
    """The name without its namespace."""
    return str(element.tag).rpartition("}")[2]


def _moment(text: str) -> datetime | None:
    """A W3C date or date and time; UTC when it names no zone. None for anything else."""
    try:
        moment = datetime.fromisoformat(text)
        return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        return None


def _refused(why: str) -> Refused:
    return Refused("the sitemap cannot be read", why=why, next_step="give the URL of a page or of another sitemap")
