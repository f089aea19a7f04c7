"""Connections of the driver psycopg: their time limits, and what is different through a pooler."""

import asyncio
from collections.abc import AsyncIterator, Collection, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any, Self

from psycopg import AsyncConnection, AsyncCursor, AsyncTransaction, OperationalError
from psycopg.abc import Params
from psycopg.conninfo import conninfo_to_dict
from psycopg.pq import TransactionStatus
from psycopg.rows import Row

STUCK_SECONDS = 5
"""The server ends a session that is idle in a transaction for so many seconds, and nobody waits longer for a lock: one
process that hangs must not stop all others."""

TRANSACTION_SECONDS = 60
"""The server, from PostgreSQL 17 on, ends a session whose transaction takes longer than so many seconds: one whose
client is gone in the middle of a pipeline counts as active, not as idle, and would keep its locks. More than
SILENT_SECONDS, after which the client has given up."""

SILENT_SECONDS = 40.0
"""Seconds after which a server that says nothing to a statement is taken for gone: its host is frozen, or a pooler is.
More than any statement of a search or a conversation takes, and more than procrastinate listens at a time (30)."""

_KEEPALIVE = {"keepalives_idle": 30, "keepalives_interval": 10, "keepalives_count": 3, "tcp_user_timeout": 60_000}
"""How the operating system finds out that the way to the server is gone: a firewall that has forgotten a connection
tells nobody, and Linux notices it after two hours. Seconds, and milliseconds."""

UNPREPARED = {"prepare_threshold": None}
"""Arguments of a connection that never prepares a statement."""


@asynccontextmanager
async def session(conninfo: str, connect_seconds: float) -> AsyncIterator[AsyncConnection[Any]]:
    """One connection in autocommit mode that never prepares a statement, for a moment."""
    opened = await AsyncConnection.connect(
        conninfo, autocommit=True, connect_timeout=connect_timeout(connect_seconds), **UNPREPARED
    )
    async with opened:
        yield opened


def connect_timeout(seconds: float) -> int:
    """The same as libpq takes it: whole seconds, two at least."""
    return max(2, round(seconds))


def keepalive(conninfo: str) -> dict[str, int]:
    """Arguments of a connection over TCP, but for those that its URL sets itself."""
    given = conninfo_to_dict(conninfo)
    return {name: value for name, value in _KEEPALIVE.items() if name not in given}


def server_keepalive() -> bytes:
    """The statement by which the server, too, finds out soon that the way to its client is gone, and ends the session
    with its locks: it would notice after two hours. It does nothing over a Unix socket. Not for a pooler that lends by
    the transaction, whose connections are its own."""
    return f"SELECT {', '.join(_keepalive_settings())}".encode()


def session_limits(*, local: bool) -> bytes:
    """The statement that sets the time limits. local: for the transaction; else for the session, with what
    `server_keepalive` sets."""
    scope = str(local).lower()
    names = ("idle_in_transaction_session_timeout", "lock_timeout")
    settings = [f"set_config('{name}', '{STUCK_SECONDS}s', {scope})" for name in names]
    whole = f"set_config('transaction_timeout', '{TRANSACTION_SECONDS}s', {scope})"
    settings.append(f"CASE WHEN current_setting('server_version_num')::int >= 170000 THEN {whole} END")
    return f"SELECT {', '.join(settings if local else settings + _keepalive_settings())}".encode()


def _keepalive_settings() -> list[str]:
    names = {name if name.startswith("tcp_") else f"tcp_{name}": value for name, value in _KEEPALIVE.items()}
    return [f"set_config('{name}', '{value}', false)" for name, value in names.items()]


def acls_as_bits(numbers: Collection[int]) -> str:
    """A set of ACL numbers as hexadecimal digits of a bit string, in which the bit at place n, from 0, is ACL n."""
    bits = bytearray(max(numbers, default=-1) // 8 + 1)
    for number in numbers:
        bits[number // 8] |= 0x80 >> number % 8
    return bits.hex()


class AppCursor(AsyncCursor[Row]):
    """Sends along with every statement outside of a transaction what holds for one transaction; the two are one."""

    async def execute(
        self, query: Any, params: Params | None = None, *, prepare: bool | None = None, binary: bool | None = None
    ) -> Self:
        """See psycopg.AsyncCursor."""
        connection = self.connection
        if not isinstance(connection, AppConnection) or not connection.begins_transaction():
            return await super().execute(query, params, prepare=prepare, binary=binary)
        async with connection.pipeline():
            await connection.set_locally()
            return await super().execute(query, params, prepare=prepare, binary=binary)


class BoundedConnection(AsyncConnection[Any]):
    """A connection that is given up when its server falls silent: psycopg waits for an answer for ever."""

    async def wait(self, *arguments: Any, **more: Any) -> Any:
        """See psycopg.AsyncConnection. Raises OperationalError after SILENT_SECONDS; the connection is closed then."""
        try:
            async with asyncio.timeout(SILENT_SECONDS):
                return await super().wait(*arguments, **more)
        except TimeoutError:
            self.pgconn.finish()
            raise OperationalError(f"the database did not answer for {SILENT_SECONDS:.0f} seconds") from None


class AppConnection(BoundedConnection):
    """A connection of the application. Opened with AS_APP.

    It says in every transaction which ACLs are allowed, for that transaction: the policies of the tables admit no row
    without it, and another client of a pooler does not get it.
    """

    limited = False
    """Whether the time limits are set in every transaction, too."""
    _allowed = ""
    _person = ""
    _planned_once = False

    def allow(self, acls: Collection[int]) -> None:
        """The numbers of the ACLs that are allowed from the next transaction on, in place of those before. The pool
        takes them away when the connection goes back."""
        self._allowed = acls_as_bits(acls)

    def act_for(self, platform: str, person: str) -> None:
        """Whose conversations are read and changed from the next transaction on; empty for those of all."""
        self._person = f"{platform} {person}".strip()

    @contextmanager
    def planned_once(self) -> Iterator[None]:
        """Inside, a prepared statement has one plan for each connection, not one for each set of values: for one that
        takes longer to plan than to run, and whose best plan does not depend on the values. Through a pooler nothing is
        prepared; within a transaction the server decides, as ever."""
        before, self._planned_once = self._planned_once, self.prepare_threshold is not None
        try:
            yield
        finally:
            self._planned_once = before

    def begins_transaction(self) -> bool:
        """Whether the next statement is a transaction of its own, for which something has to be set."""
        idle = self.pgconn.transaction_status == TransactionStatus.IDLE and not self.pgconn.pipeline_status
        return idle and bool(self.limited or self._allowed or self._person or self._planned_once)

    async def set_locally(self) -> None:
        """Sets for this transaction what holds in each."""
        if self.limited:
            await AsyncCursor(self).execute(session_limits(local=True))
        if self._allowed:
            await AsyncCursor(self).execute(_ALLOW, [self._allowed])
        if self._person:
            await AsyncCursor(self).execute(_ACT_FOR, [self._person])
        if self._planned_once:
            await AsyncCursor(self).execute(_PLAN_ONCE)

    @asynccontextmanager
    async def transaction(
        self, savepoint_name: str | None = None, force_rollback: bool = False
    ) -> AsyncIterator[AsyncTransaction]:
        """See psycopg.AsyncConnection."""
        outermost = self.pgconn.transaction_status == TransactionStatus.IDLE
        async with super().transaction(savepoint_name, force_rollback) as transaction:
            if outermost:
                await self.set_locally()
            yield transaction


class PooledConnection(AppConnection):
    """One through a pooler that lends server connections by the transaction: settings of a session would reach other
    clients. Opened with THROUGH_POOLER."""

    limited = True


_ALLOW = b"SELECT set_config('kb.allowed', %s, true)"
_ACT_FOR = b"SELECT set_config('kb.person', %s, true)"
_PLAN_ONCE = b"SELECT set_config('plan_cache_mode', 'force_generic_plan', true)"

AS_APP = {"cursor_factory": AppCursor}
"""Arguments of an AppConnection."""

THROUGH_POOLER = {**UNPREPARED, **AS_APP}
"""Arguments of a PooledConnection."""
