"""The last check of rights: whether who reads a reply may still read what it was made from."""

import asyncio
import logging
import time
from collections.abc import Callable, Iterable, Mapping, Sequence

from agent.retrieval.selection import read_now
from domain.access import Scope
from domain.answers import Readers
from domain.errors import KbError
from domain.scope_reason import ScopeReason
from domain.search import Passage
from domain.search_ports import KnowledgeSearch
from domain.tool_ports import SourceAccess

log = logging.getLogger(__name__)

MAX_CALLS, MAX_SECONDS = 5, 1.0
"""Documents of one answer that are asked for at their sources, and the seconds that this may take in all."""


class RightsCheck:
    """Checks documents for everybody who reads one reply. One object serves one answer.

    Documents are known by their URL, so that what was read live and what the index has of it are one. The index is
    always asked. A document is asked for at its source once, as long as calls and time are left; only where the source
    has rights of its own, because the index knows no less than any other.

    readers: says who reads the reply now; None where that is not to change. seconds: for all sources. clock: in
    seconds.
    """

    def __init__(
        self,
        search: KnowledgeSearch,
        sources: Sequence[SourceAccess],
        scope: Scope,
        *,
        readers: Readers | None = None,
        seconds: float = MAX_SECONDS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._search = search
        self._sources = sources
        self.scope = scope
        """What may be used for the reply, by who read it when that was looked up last."""
        self.scope_reason: ScopeReason | None = None
        """Why it is no more; None where that was not looked up."""
        self._readers = readers
        self._clock = clock
        self._calls, self._seconds = MAX_CALLS, seconds
        self._asked: dict[str, bool | None] = {}
        self.found_closed = False
        """Whether anything was closed at any time."""

    @property
    def unchecked(self) -> frozenset[str]:
        """URLs of the documents that were to be asked for at their source, and could not be in time."""
        return frozenset(url for url, admitted in self._asked.items() if admitted is None)

    async def closed(
        self, known: Iterable[Passage], shown: Sequence[Passage] = (), *, max_age: float = 0.0
    ) -> frozenset[str]:
        """Chunk ids of the passages in `known` that may not be read any more. shown: those whose documents are asked
        for at their sources, too. max_age: seconds; who reads the reply is looked up where that was done longer ago.

        Raises:
            Transient: the index does not say.
        """
        passages = list(known)
        if self._readers is not None:
            self.scope, self.scope_reason = await self._readers.now(max_age=max_age)
        names = await self._readable(passages)
        if await self._ask_sources(shown, names):
            names = await self._readable(passages)  # rights may have changed since the search
        gone = {url for url, admitted in self._asked.items() if admitted is False}
        closed = frozenset(
            each.chunk_id
            for each in passages
            if (not read_now(each) and each.chunk_id not in names) or (each.url and each.url in gone)
        )
        self.found_closed |= bool(closed)
        return closed

    async def _readable(self, passages: Sequence[Passage]) -> Mapping[str, str]:
        """What the index says: see KnowledgeSearch.readable."""
        indexed = [each for each in passages if not read_now(each)]
        if not indexed:
            return {}
        documents = {each.chunk_id: each.document_id for each in indexed}
        paths = {each.chunk_id: each.path for each in indexed}
        return await self._search.readable(documents, self.scope, paths=paths)

    async def _ask_sources(self, shown: Sequence[Passage], names: Mapping[str, str]) -> bool:
        """Asks for documents that were not asked for yet; whether there were any."""
        wanted = {
            each.url: (each.source, each.url if read_now(each) else names[each.chunk_id])
            for each in shown
            if each.url and each.url not in self._asked and (read_now(each) or each.chunk_id in names)
        }
        if not wanted:
            return False
        asked: dict[str, tuple[SourceAccess, str, str]] = {}
        for access in self._sources:
            there = await access.sources()
            asked |= {url: (access, *place) for url, place in wanted.items() if place[0] in there}
        self._asked |= dict.fromkeys(asked)
        affordable = list(asked.items())[: self._calls]
        self._calls -= len(affordable)
        began = self._clock()
        try:
            async with asyncio.timeout(max(0.0, self._seconds)):
                await asyncio.gather(*(self._ask(url, *of) for url, of in affordable))
        except TimeoutError:
            log.info("Not every source said in time who may read its documents")
        self._seconds -= self._clock() - began
        return bool(asked)

    async def _ask(self, url: str, access: SourceAccess, source: str, name: str) -> None:
        try:
            self._asked[url] = await access.admits(source, name, self.scope)
        except KbError as error:
            log.info("%s does not say who may read a document: %s", source, error.what)
