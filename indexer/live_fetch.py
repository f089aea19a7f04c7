"""Issues and pages as they are now, for who may read them now."""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import KW_ONLY, dataclass, field
from typing import Protocol, Self
from urllib.parse import urlsplit

from domain.access import Scope
from domain.cancellation import cancel_and_wait
from domain.documents import ParsedFile
from domain.errors import Bug, KbError, Misconfigured, Refused, Transient
from domain.search_ports import AccessReader
from domain.tool_ports import LivePage, LiveSource, SourceAccess
from indexer.parse.sandbox import FileParser
from indexer.run.acl_sync import admitted
from indexer.run.source_document import source_document
from indexer.sources.connector import (
    Connector,
    FetchedDocument,
    ListedDocument,
    LookupUnsupported,
    NotThere,
    SingleSource,
)
from indexer.sources.web.live_page import readable

log = logging.getLogger(__name__)

FETCH_SECONDS = 9.0
"""For one fetch, whatever it takes: a little less than a tool call may."""

KEPT_SECONDS = 300.0


class SingleDocumentConnector(Connector, SingleSource, Protocol):
    """A connector of single documents."""


@dataclass(frozen=True, slots=True)
class LiveSite:
    """A source that may be asked."""

    name: str
    url: str
    """Where people open it."""
    mark: str
    """Another one as soon as the source is configured in another way."""
    open: Callable[[], AbstractAsyncContextManager[Connector]]
    """Its connector; raises Misconfigured, and asks nothing of the source by itself."""


@dataclass(slots=True)
class _Held:
    """The connector of a source, while it is kept. One at a time uses it."""

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    stack: AsyncExitStack = field(default_factory=AsyncExitStack)
    connector: SingleDocumentConnector | None = None
    mark: str = ""
    since: float = 0.0

    async def anew(self, place: LiveSite, now: float) -> SingleDocumentConnector:
        await self.close()
        connector = await self.stack.enter_async_context(place.open())
        if not isinstance(connector, SingleSource):
            raise Bug(f"the connector of {place.name} cannot read one document")
        await connector.orient()
        self.connector, self.mark, self.since = connector, place.mark, now
        return connector

    async def close(self) -> None:
        self.connector = None
        await self.stack.aclose()


@dataclass(eq=False)
class LiveItems(LiveSource, SourceAccess):
    """Issues or pages by key, id or URL, read as the service account and checked as the asker. Use it as an async
    context manager.

    Read anew by each fetch: the item, its own restrictions or security level, those of every page above it, who may
    view its space or browse its project. Up to `kept` seconds old: which spaces and projects belong to the source,
    application roles, and which groups stand for the organisation. As old as the last reading of permissions: which
    account and which groups are the asker's; when that reading is too old to be relied on, nothing is shown.

    places: told anew for each fetch, so that a source that was removed is not read. seconds: for one fetch. kept: for
    how long a connector is used again. clock: seconds.
    """

    places: Callable[[], Awaitable[Sequence[LiveSite]]]
    access: AccessReader
    parser: FileParser
    _: KW_ONLY
    seconds: float = FETCH_SECONDS
    kept: float = KEPT_SECONDS
    clock: Callable[[], float] = time.monotonic

    def __post_init__(self) -> None:
        self._held: dict[str, _Held] = {}
        self._asking: set[asyncio.Task[bool]] = set()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await cancel_and_wait(*self._asking)
        for each in self._held.values():
            await each.close()

    async def fetch(self, name: str, scope: Scope) -> LivePage | None:
        """What the first place that has it has, when `scope` may read it there; see domain.tool_ports.LiveSource.

        Raises Refused as well for what `scope` may read and no text can be made of.
        """
        try:
            async with asyncio.timeout(self.seconds):
                return await self._first(name, scope)
        except TimeoutError:
            raise Transient(
                f"{name} was not read in time",
                why=f"Its source took longer than {self.seconds:g} seconds.",
                next_step="Ask again in a minute.",
            ) from None

    async def sources(self) -> frozenset[str]:
        """See domain.tool_ports.SourceAccess."""
        return frozenset(place.name for place in await self.places())

    async def admits(self, source: str, name: str, scope: Scope) -> bool:
        """Whether `scope` may read a document there; see domain.tool_ports.SourceAccess. A caller that is
        cancelled does not cancel the lookup: a connector that was opened serves the next one who asks."""
        asking = asyncio.create_task(self._admits(source, name, scope))
        self._asking.add(asking)
        asking.add_done_callback(self._discard_asking)
        return await asyncio.shield(asking)

    def _discard_asking(self, asking: asyncio.Task[bool]) -> None:
        self._asking.discard(asking)
        if not asking.cancelled():
            asking.exception()  # marks it as retrieved: the asker may have gone

    async def _admits(self, source: str, name: str, scope: Scope) -> bool:
        place = next((each for each in await self.places() if each.name == source), None)
        if place is None:
            return False
        try:
            async with asyncio.timeout(self.seconds), self._connector(place) as connector:
                item = await connector.one(name)
        except LookupUnsupported:
            raise
        except Refused as error:  # as in `_read`: what the account is refused is not there
            log.info("A document was refused: %s", error.what)
            return False
        except TimeoutError:
            raise Transient(f"{source} did not say in time who may read a document") from None
        return item is not None and await self.access.admits(admitted(source, item.acl), scope)

    async def _first(self, name: str, scope: Scope) -> LivePage | None:
        failure: KbError | None = None
        try:
            host = urlsplit(name).hostname or "" if "://" in name else None
        except ValueError:  # brackets around what is no address
            return None
        for place in await self.places():
            if host is not None and host != urlsplit(place.url).hostname:
                continue  # a URL says where it leads
            try:
                found = await self._read(place, name, scope)
            except (Transient, Misconfigured) as error:  # another place may have it
                log.warning("%s could not be asked: %s", place.name, error.what)
                failure = failure or error
            else:
                if found is not None:
                    return found
        if failure is not None:
            raise failure
        return None

    async def _read(self, place: LiveSite, name: str, scope: Scope) -> LivePage | None:
        async with self._connector(place) as connector:
            try:
                item = await connector.one(name)
            except Refused as error:  # what the account is refused is not there
                log.info("A document was refused: %s", error.what)
                return None
            # nothing of its content is asked for before it is known that the asker may have it
            if item is None or not await self.access.admits(admitted(place.name, item.acl), scope):
                return None
            try:
                fetched = await connector.fetch(item)
            except NotThere:
                return None
        return _page(place.name, item, fetched, await self.parser.parse(fetched.raw, fetched.name, fetched.media_type))

    @asynccontextmanager
    async def _connector(self, place: LiveSite) -> AsyncIterator[SingleDocumentConnector]:
        held = self._held.setdefault(place.name, _Held())
        async with held.lock:
            now = self.clock()
            usable = held.mark == place.mark and now - held.since <= self.kept
            yield held.connector if held.connector and usable else await held.anew(place, now)


def _page(source: str, item: ListedDocument, fetched: FetchedDocument, parsed: ParsedFile) -> LivePage:
    document = source_document(source, item, fetched, parsed, admitted(source, item.acl), b"")
    return LivePage(
        url=document.url,
        title=document.title,
        text=readable(document.blocks),
        path=document.path,
        source=source,
        media_type=document.media_type or "text/plain",
        author=document.author,
        updated_at=document.updated_at,
    )
