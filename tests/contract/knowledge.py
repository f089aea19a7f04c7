"""The implementations of KnowledgeSearch and KnowledgeWriter, with what contract tests do to them again and again."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta

from domain.access import Acl, Scope
from domain.documents import SourceDocument
from domain.index_ports import AccessWriter, KnowledgeWriter
from domain.search import Filters, Hits, Retrieval, SearchRequest
from domain.search_ports import AccessReader, DocumentCatalog, GraphSearch, Grep, KnowledgeSearch
from domain.text.tokens import Analyzer
from storage.index.sources import Source
from storage.open import open_storage
from storage.server.database import DatabaseOptions
from tests.fakes.access import MemoryAccessReader, MemoryAccessWriter
from tests.fakes.document_catalog import MemoryGrep, MemoryLibrary
from tests.fakes.documents import SOURCE, put
from tests.fakes.embedder import HashEmbedder
from tests.fakes.knowledge import MemoryKnowledge
from tests.fakes.tools import Relations

OTHER = "wiki"
HOUR = timedelta(hours=1)
MEMBER = Scope.member("ada@example.com")


@dataclass(frozen=True)
class Knowledge:
    """One implementation, with what tests do to it again and again. thrifty: grep that reads no more than two chunks
    without a word to look up. access: holds for an hour. hasty: for no time. graph: told by PostgreSQL alone."""

    search: KnowledgeSearch
    writer: KnowledgeWriter
    embedder: HashEmbedder
    grep: Grep
    thrifty: Grep
    catalog: DocumentCatalog
    access_writer: AccessWriter
    hasty: AccessWriter
    access_reader: AccessReader
    graph: GraphSearch

    async def put(self, document: SourceDocument, *texts: str | tuple[str, Acl]) -> list[str]:
        """Writes chunks of `texts`; gives their ids."""
        return await put(self.writer, self.embedder, document, *texts)

    async def hits(
        self,
        text: str,
        scope: Scope = MEMBER,
        *,
        limit: int = 10,
        filters: Filters | None = None,
        retrievals: tuple[Retrieval, ...] = ("lexical", "dense"),
        embedder: str | None = None,
    ) -> Hits:
        """A search by the vector of `text` and its words."""
        name = self.embedder.identity.name if embedder is None else embedder
        vector = self.embedder.vectors([text])[0]
        request = SearchRequest(text, vector, name, retrievals, limit, filters or Filters())
        return await self.search.search(request, scope)

    async def found(
        self, text: str, scope: Scope = MEMBER, *, limit: int = 10, filters: Filters | None = None
    ) -> set[str]:
        """Ids of all chunks that any ranking has."""
        hits = await self.hits(text, scope, limit=limit, filters=filters)
        return {hit.chunk_id for ranking in hits.rankings.values() for hit in ranking}


@asynccontextmanager
async def opened(place: DatabaseOptions | None) -> AsyncIterator[Knowledge]:
    """The implementation over PostgreSQL, or the one in memory when there is no place, with two sources."""
    embedder = HashEmbedder()
    if place is None:
        memory = MemoryKnowledge(embedder.identity)
        yield Knowledge(
            search=memory,
            writer=memory,
            embedder=embedder,
            grep=MemoryGrep(memory),
            thrifty=MemoryGrep(memory, small=2),
            catalog=MemoryLibrary(memory),
            access_writer=MemoryAccessWriter(memory, HOUR),
            hasty=MemoryAccessWriter(memory, timedelta()),
            access_reader=MemoryAccessReader(memory),
            graph=Relations([]),
        )
        return
    async with open_storage(place) as storage:
        for name in (SOURCE, OTHER):
            await storage.sources.add(Source(name, "files", {}))
        yield Knowledge(
            writer=await storage.writer(embedder.identity, Analyzer()),
            search=storage.search(embedder.identity),
            embedder=embedder,
            grep=storage.grep(),
            thrifty=storage.grep(small=2),
            catalog=storage.document_catalog(),
            access_writer=storage.access_writer(HOUR),
            hasty=storage.access_writer(timedelta()),
            access_reader=storage.access_reader(),
            graph=storage.graph_search(),
        )
