"""AccessWriter over PostgreSQL: who the people of a source are, and until when its permissions hold."""

from collections.abc import AsyncIterator, Collection, Iterable
from contextlib import asynccontextmanager
from datetime import datetime, timedelta

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from domain.access import NOBODY, Principal, SourceDirectory, reliable_directory
from storage.permissions import acls
from storage.permissions.acl_epoch import visibility_transaction
from storage.server.bulk_copy import copy_rows
from storage.server.engine import Engine
from storage.server.locks import LOCK_SOURCE, session_lock
from storage.server.transactions import transaction

_OF_SOURCE = "source_no = (SELECT source_no FROM sources WHERE name = :source)"
_MARK_READ = text(
    f"UPDATE documents SET unseen_at = NULL WHERE {_OF_SOURCE} AND unseen_at IS NOT NULL AND external_id = ANY(:ids)"
)
_MARK_UNREAD = text(
    f"UPDATE documents SET unseen_at = now() WHERE {_OF_SOURCE} AND unseen_at IS NULL"
    " AND NOT EXISTS (SELECT FROM unnest(CAST(:ids AS text[])) AS seen (id) WHERE seen.id = external_id)"
)
_CLOSE_LONG_UNREAD = text(
    f"UPDATE documents SET acl_id = :nobody, acl_at = now() WHERE {_OF_SOURCE}"
    " AND unseen_at < now() - CAST(:limit AS interval) AND acl_id <> :nobody"
)
_DELETE_AWAITED = text(
    f"DELETE FROM awaited_acls WHERE {_OF_SOURCE}"
    " AND NOT EXISTS (SELECT FROM unnest(CAST(:ids AS text[])) AS seen (id) WHERE seen.id = external_id)"
)
_MARK_FRESH = text(
    "UPDATE sources SET permissions_at = :at, permissions_until = :until WHERE name = :source"
    " AND (permissions_at IS NULL OR permissions_at < :at)"
)


class PostgresAccessWriter:
    """What sources say of whom they admit: domain.index_ports.AccessWriter.

    sessions: gives connections whose session lasts, to hold locks with. max_age: how long that holds.
    """

    def __init__(self, engine: Engine, sessions: Engine, max_age: timedelta) -> None:
        self._engine = engine
        self._sessions = sessions
        self._max_age = max_age

    async def replace_directory(self, source: str, directory: SourceDirectory) -> None:
        await self._change_directory(source, directory, adding=True)

    async def remove_lost_members(self, source: str, directory: SourceDirectory) -> None:
        await self._change_directory(source, directory, adding=False)

    async def _change_directory(self, source: str, directory: SourceDirectory, *, adding: bool) -> None:
        async with visibility_transaction(self._engine) as change:
            number = (await change.connection.execute(text(LOCK_SOURCE), {"source": source})).scalar_one_or_none()
            if number is not None:
                change.visibility_changed = await _replace(change.connection, number, directory, adding=adding)

    async def mark_acls_read(self, source: str, external_ids: Collection[str]) -> None:
        values = {"source": source, "ids": list(external_ids)}
        async with visibility_transaction(self._engine) as change:
            await change.connection.execute(text(LOCK_SOURCE), {"source": source})
            await change.connection.execute(_MARK_READ, values)
            await change.connection.execute(_MARK_UNREAD, values)
            await change.connection.execute(_DELETE_AWAITED, values)
            nobody = await acls.intern(change.connection, NOBODY)
            late = {"source": source, "nobody": nobody, "limit": self._max_age}
            change.visibility_changed = (await change.connection.execute(_CLOSE_LONG_UNREAD, late)).rowcount > 0

    async def now(self) -> datetime:
        async with transaction(self._engine) as connection:
            found: datetime = (await connection.execute(text("SELECT clock_timestamp()"))).scalar_one()
            return found

    @asynccontextmanager
    async def acl_read_lock(self, source: str) -> AsyncIterator[None]:
        async with session_lock(self._sessions, f"readings/{source}", wait=True):
            yield

    async def mark_fresh(self, source: str, read_at: datetime) -> None:
        values = {"source": source, "at": read_at, "until": read_at + self._max_age}
        async with transaction(self._engine) as connection:
            await connection.execute(_MARK_FRESH, values)


async def _replace(connection: AsyncConnection, source_no: int, directory: SourceDirectory, *, adding: bool) -> bool:
    """Makes a source's rows those of `directory`, as far as it is to be believed; returns whether they were others.
    adding: whether what is new is taken in as well."""
    query = text("SELECT email, principal FROM directory WHERE source_no = :number")
    held = {(row.email, row.principal) for row in (await connection.execute(query, {"number": source_no})).all()}
    members = reliable_directory(directory, _directory(held)).members
    wanted = {(email, str(each)) for email, who in members.items() for each in who}
    gone, new = held - wanted, wanted - held if adding else set()
    remove = text(
        "DELETE FROM directory d"
        " USING unnest(CAST(:emails AS text[]), CAST(:principals AS text[])) AS gone (email, name)"
        " WHERE source_no = :number AND d.email = gone.email AND d.principal = gone.name"
    )
    if gone:
        emails, principals = zip(*sorted(gone), strict=True)
        await connection.execute(remove, {"number": source_no, "emails": list(emails), "principals": list(principals)})
    rows = [(source_no, email, principal) for email, principal in sorted(new)]
    await copy_rows(connection, "directory", rows)
    return bool(gone or new)


def _directory(rows: Iterable[tuple[str, str]]) -> SourceDirectory:
    members: dict[str, set[Principal]] = {}
    for email, name in rows:
        kind, _, number = name.partition(":")
        members.setdefault(email, set()).add(Principal(kind, number))  # type: ignore[arg-type] # kinds come from `_replace`
    return SourceDirectory({email: frozenset(who) for email, who in members.items()})
