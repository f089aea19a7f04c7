"""What AuditLog promises, held against every implementation."""

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import pytest

from domain.audit import AuditEntry, AuditFilter, AuditLog
from domain.conversation import Participant
from storage.open import open_storage
from storage.server.database import DatabaseOptions
from tests.fakes.audit import MemoryAuditLog
from tests.unit.storage.rows import change

ROOT, ADA = Participant("terminal", "root"), Participant("slack", "U1")
ADDED = AuditEntry(ROOT, "source_added", "docs", {"kind": "files"})
SHARED = AuditEntry(ADA, "answer_shared", "7", {"channel": "C1"})
DAY = timedelta(days=1)


@dataclass
class Kept:
    """A log, and what makes all its entries older."""

    log: AuditLog
    pass_time: Callable[[timedelta], Awaitable[None]]

    async def found(self, wanted: AuditFilter, limit: int = 9) -> list[AuditEntry]:
        return [each.entry for each in await self.log.entries(wanted, limit)]


@pytest.fixture
async def kept(place: DatabaseOptions | None) -> AsyncIterator[Kept]:
    if place is None:
        log = MemoryAuditLog()

        async def older(by: timedelta) -> None:
            log.kept = [type(each)(each.number, each.at - by, each.entry) for each in log.kept]

        yield Kept(log, older)
        return
    async with open_storage(place) as storage:

        async def shifted(by: timedelta) -> None:
            await change(storage, "UPDATE audit_entries SET at = at - CAST(:by AS interval)", by=by)

        yield Kept(storage.audit_log(), shifted)


def since(days: float = 1) -> datetime:
    return datetime.now(UTC) - timedelta(days=days)


async def test_entries_come_back_as_they_were_newest_first(kept: Kept) -> None:
    numbers = [await kept.log.record(each) for each in (ADDED, SHARED)]
    assert numbers == sorted(numbers)
    found = await kept.log.entries(AuditFilter(since()), 9)
    assert [(each.number, each.entry) for each in found] == [(numbers[1], SHARED), (numbers[0], ADDED)]
    assert all(since(0.01) < each.at <= datetime.now(UTC) + timedelta(minutes=1) for each in found)
    assert await kept.found(AuditFilter(since()), 1) == [SHARED]


async def test_entries_are_chosen_by_act_actor_and_time(kept: Kept) -> None:
    for each in (ADDED, SHARED):
        await kept.log.record(each)
    assert await kept.found(AuditFilter(since(), "source_added")) == [ADDED]
    assert await kept.found(AuditFilter(since(), "source_removed")) == []
    assert await kept.found(AuditFilter(since(), actors=(("slack", "U1"), ("slack", "U2")))) == [SHARED]
    assert await kept.found(AuditFilter(since(), actors=(("teams", "U1"),))) == [], "another person of that id"
    assert await kept.found(AuditFilter(since(), "source_added", (("slack", "U1"),))) == []
    assert await kept.found(AuditFilter(since(-1))) == []


async def test_what_is_too_old_goes_and_its_number_is_not_used_again(kept: Kept) -> None:
    first = await kept.log.record(ADDED)
    await kept.pass_time(2 * DAY)
    await kept.log.record(SHARED)
    assert await kept.log.prune(before=since()) == 1
    assert await kept.log.prune(before=since()) == 0
    assert await kept.found(AuditFilter(since(9))) == [SHARED]
    await kept.pass_time(2 * DAY)
    assert await kept.log.prune(before=since()) == 1
    assert await kept.log.record(ADDED) > first + 1


async def test_odd_characters_never_fail(kept: Kept) -> None:
    odd = AuditEntry(Participant("slack", "U\0"), "reindex", "nul \0 and half \ud83d")
    await kept.log.record(odd)
    (found,) = await kept.found(AuditFilter(since()))
    assert found.subject.startswith("nul ")
    assert found.actor.id == "U\N{REPLACEMENT CHARACTER}"
