"""What sources say of whom they admit, kept with the documents in memory."""

import asyncio
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from domain.access import Acl, Scope, SourceDirectory, permits
from domain.ports import AccessReader, AccessWriter
from tests.fakes.knowledge import MemoryKnowledge


@dataclass
class MemoryAccess(AccessWriter):
    """An AccessWriter. max_age: how long what is said holds."""

    kept: MemoryKnowledge
    max_age: timedelta = timedelta(hours=6)

    async def know(self, source: str, directory: SourceDirectory) -> None:
        self.kept.know(source, directory)

    async def withdraw(self, source: str, directory: SourceDirectory) -> None:
        self.kept.know(source, directory, adding=False)

    async def seen(self, source: str, external_ids: Collection[str]) -> None:
        self.kept.seen(source, external_ids, await self.moment(), self.max_age)

    @asynccontextmanager
    async def reading(self, source: str) -> AsyncIterator[None]:
        async with self.kept.turns.setdefault(source, asyncio.Lock()):
            yield

    async def moment(self) -> datetime:
        return datetime.now(UTC)

    async def mark_fresh(self, source: str, read_at: datetime) -> None:
        self.kept.mark_fresh(source, read_at, read_at + self.max_age)


@dataclass
class MemoryAdmission(AccessReader):
    """An AccessReader."""

    kept: MemoryKnowledge

    async def admits(self, acl: Acl, scope: Scope) -> bool:
        return permits(acl, self.kept.whole(scope))
