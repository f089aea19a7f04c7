"""A web page as it is now."""

from collections.abc import Sequence

from domain.access import Scope
from domain.documents import Block, ParsedFile
from domain.tool_ports import LivePage, LiveSource
from indexer.chunking.headings import shared_headings
from indexer.parse.sandbox import FileParser
from indexer.sources.web.connector import GONE, as_utf8, file_name, http_date, require_content
from net.fetch import FetchedPage, SafeFetcher
from net.targets import target_of


class LivePages(LiveSource):
    """Pages by URL. Nothing is sent that would show who asks, so that any scope may read what comes.

    Args:
        fetcher: entered by the caller; its policy says which hosts may be asked.
        parser: the same.
    """

    def __init__(self, fetcher: SafeFetcher, parser: FileParser) -> None:
        self._fetcher, self._parser = fetcher, parser

    async def fetch(self, name: str, scope: Scope) -> LivePage | None:  # noqa: ARG002 - public pages are for anybody
        """The page at the URL `name`; None when the server says that there is none (404, 410).

        Raises:
            Refused: the URL may not be fetched; the server does not show the page to the public; it is no document.
            Transient: the server is away or busy.
        """
        page = await self._fetcher.get(name)
        if page.status in GONE:
            return None
        require_content(page)
        raw = as_utf8(page.raw, page.media_type, page.charset)
        return _live(page, await self._parser.parse(raw, file_name(page.url), page.media_type))


def readable(blocks: Sequence[Block]) -> str:
    """Blocks as plain text, an empty line between them, each new heading above its blocks on a line of its own: `#`
    for the outermost, one more for each level below."""
    parts: list[str] = []
    above: tuple[str, ...] = ()
    for block in blocks:
        same = len(shared_headings(above, block.heading_path))
        parts += [f"{'#' * level} {heading}" for level, heading in enumerate(block.heading_path, 1) if level > same]
        parts.append(block.text)
        above = block.heading_path
    return "\n\n".join(parts)


def _live(page: FetchedPage, parsed: ParsedFile) -> LivePage:
    return LivePage(
        url=page.url,
        title=parsed.title or file_name(page.url),
        text=readable(parsed.blocks),
        path=page.url.partition("://")[2],
        source=target_of(page.url).host,
        media_type=page.media_type or "text/plain",
        author=parsed.metadata.get("author", ""),
        updated_at=http_date(page.last_modified),
    )
