"""What sources say of whom they admit, kept with the documents in memory."""

import asyncio
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from domain.access import Acl, Scope, SourceDirectory, permits
from domain.index_ports import AccessWriter
from domain.search_ports import AccessReader
from tests.fakes.knowledge import MemoryKnowledge


@dataclass
class MemoryAccessWriter(AccessWriter):
    """An AccessWriter. max_age: how long what is said holds."""

    kept: MemoryKnowledge
    max_age: timedelta = timedelta(hours=6)

    async def replace_directory(self, source: str, directory: SourceDirectory) -> None:
        self.kept.replace_directory(source, directory)

    async def remove_lost_members(self, source: str, directory: SourceDirectory) -> None:
        self.kept.replace_directory(source, directory, adding=False)

    async def mark_acls_read(self, source: str, external_ids: Collection[str]) -> None:
        self.kept.mark_acls_read(source, external_ids, await self.now(), self.max_age)

    @asynccontextmanager
    async def acl_read_lock(self, source: str) -> AsyncIterator[None]:
        async with self.kept.turns.setdefault(source, asyncio.Lock()):
            yield

    async def now(self) -> datetime:
        return datetime.now(UTC)

    async def mark_fresh(self, source: str, read_at: datetime) -> None:
        self.kept.mark_fresh(source, read_at, read_at + self.max_age)


@dataclass
class MemoryAccessReader(AccessReader):
    """An AccessReader."""

    kept: MemoryKnowledge

    async def admits(self, acl: Acl, scope: Scope) -> bool:
        return permits(acl, self.kept.whole(scope))
