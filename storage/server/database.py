"""The connection to PostgreSQL: embedded or a service, the same from here on."""

import asyncio
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pgvector.psycopg import register_vector_async
from sqlalchemy import URL, NullPool, event, make_url, text
from sqlalchemy.exc import ArgumentError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from domain.errors import Misconfigured
from storage.server.connections import UNPREPARED
from storage.server.embedded import EmbeddedServer
from storage.server.errors import DATABASE_URL, DIRECT_URL, translated
from storage.server.migrate import read_revision
from storage.server.pool import ConnectionPool, open_pool
from storage.server.pooler import refuse_by_transaction, require_same_database
from storage.server.requirements import require_server
from storage.server.supervisor import supervised

Opened = tuple[AsyncEngine, AsyncEngine, ConnectionPool, str | None]
"""For changes, for sessions, and for reading, and the schema's revision; see Database."""


@dataclass(frozen=True, slots=True)
class DatabaseOptions:
    """Where the database is."""

    url: str | None = field(repr=False)  # it may hold a password
    """Of a PostgreSQL service; None for the embedded server in `data_dir`."""
    data_dir: Path
    name: str | None = None
    """Another database on the same server, made when missing; None for the one that the URL names, or the embedded
    default. It is reached without a pooler."""
    pool_size: int = 5
    """Connections kept open."""
    connect_seconds: float = 10.0
    """How long to wait for a connection."""
    supervised: bool = False
    """Whether an embedded server that dies is started again."""
    direct_url: str | None = field(default=None, repr=False)
    """Of the same database without the pooler that `url` leads through; None where no pooler lends connections by the
    transaction."""

    @property
    def where(self) -> str:
        """Where it is, in words; without any password."""
        if self.url is None:
            return "embedded"
        address = shown_url(service_url(self.url, DATABASE_URL))
        if self.direct_url is None:
            return f"a service: {address}"
        return f"a service: {address}; directly: {shown_url(service_url(self.direct_url, DIRECT_URL))}"


@dataclass(frozen=True, slots=True)
class Database:
    """An open database."""

    engine: AsyncEngine
    sessions: AsyncEngine
    """Gives connections whose session is ours until they are closed, for locks and migrations. Each is opened anew and
    past any pooler: a held lock must not keep waiting those who do the work under it."""
    pool: ConnectionPool
    revision: str | None
    """Of the schema, when it was opened; None for an empty database."""
    ours: bool
    """Whether nobody else uses it, so that its schema is upgraded without being asked."""
    ensure_room: Callable[[], None] = lambda: None  # a service looks after its disk itself
    """Raises Misconfigured when the disk is too full to write more."""


@asynccontextmanager
async def open_database(options: DatabaseOptions) -> AsyncIterator[Database]:
    """Connects, starting the embedded server when there is no URL.

    Raises:
        Misconfigured: wrong URL, server too old, no pgvector, unusable data folder, a pooler that lends connections by
        the transaction and no direct URL beside it.
        Transient: the server does not answer.
    """
    if options.url is not None:
        async with _service(options) as opened:
            yield Database(*opened, ours=options.name is not None)
        return
    if options.direct_url is not None:
        raise _wrong_url(DIRECT_URL, f"There is no {DATABASE_URL} beside it: the embedded server has no pooler.")
    server = EmbeddedServer(options.data_dir)
    starting = asyncio.ensure_future(asyncio.to_thread(server.start))
    try:
        await asyncio.shield(starting)  # Ctrl-C does not end a thread
        name = options.name or "kb"
        await _ensure_database(server.url("postgres"), name)
        async with (
            supervised(server) if options.supervised else nullcontext(),
            _connected(server.url(name), options) as opened,
        ):
            yield Database(*opened, ours=True, ensure_room=server.refuse_full_disk)
    finally:
        await asyncio.shield(_leave(server, starting))


async def _leave(server: EmbeddedServer, starting: asyncio.Future[None]) -> None:
    """Leaves a server, also one that is still being started by who wanted it no longer."""
    await asyncio.gather(starting, return_exceptions=True)
    await asyncio.to_thread(server.stop)


@asynccontextmanager
async def _service(options: DatabaseOptions) -> AsyncIterator[Opened]:
    url = service_url(options.url or "", DATABASE_URL)
    direct = service_url(options.direct_url, DIRECT_URL) if options.direct_url is not None else None
    if options.name:
        url, direct = direct or url, None
        await _ensure_database(url, options.name, options.connect_seconds)
        url = url.set(database=options.name)
    async with _connected(url, options, direct) as opened:
        yield opened


def service_url(given: str, setting: str) -> URL:
    """A URL as we use it. setting: which one names it. Raises Misconfigured when it is none of PostgreSQL."""
    given = re.sub("^postgres(?=[+:])", "postgresql", given)  # libpq takes both
    try:
        url = make_url(given)
    except (ArgumentError, ValueError):
        raise _wrong_url(setting, "It is not of the form postgresql://user:password@host:port/name.") from None
    if url.get_backend_name() != "postgresql":
        raise _wrong_url(setting, f"It names {url.get_backend_name()}; only PostgreSQL will do.")
    return url.set(drivername="postgresql+psycopg")


def shown_url(url: URL) -> str:
    """A URL as it may be shown: user, host, port and database."""
    host, port = url.host or url.query.get("host", ""), url.port or url.query.get("port", "")
    place = f"{host}:{port}" if port else f"{host}"
    return f"{url.username}@{place}/{url.database}" if url.username else f"{place}/{url.database}"


def _wrong_url(setting: str, why: str) -> Misconfigured:
    return Misconfigured(f"{setting} is not usable", why=why, next_step="Correct it, or unset it.")


@asynccontextmanager
async def _connected(url: URL, options: DatabaseOptions, direct: URL | None = None) -> AsyncIterator[Opened]:
    engine = _engine(
        url, options, pool_size=options.pool_size, max_overflow=options.pool_size, pool_timeout=options.connect_seconds
    )
    sessions = _engine(url if direct is None else direct, options, poolclass=NullPool)
    try:
        revision = await _check(sessions, options.connect_seconds, None if direct is None else engine)
        await engine.dispose()  # that connection may be older than the extension, and knows nothing of its types
        _register_vectors(engine)
        async with open_pool(
            url, size=options.pool_size, connect_seconds=options.connect_seconds, pooled=direct is not None
        ) as pool:
            yield engine, sessions, pool, revision
    finally:
        await engine.dispose()


def _engine(url: URL, options: DatabaseOptions, **pool: Any) -> AsyncEngine:
    arguments = {"connect_timeout": max(2, round(options.connect_seconds)), **UNPREPARED}
    return create_async_engine(url, pool_pre_ping=True, hide_parameters=True, connect_args=arguments, **pool)


async def _check(sessions: AsyncEngine, connect_seconds: float, through: AsyncEngine | None) -> str | None:
    """Gives the schema's revision. through: leads through a pooler; None where there is none."""
    setting = DATABASE_URL if through is None else DIRECT_URL
    with translated(setting):
        async with sessions.connect() as connection:
            await refuse_by_transaction(connection, connect_seconds, setting)
            await require_server(connection)
            if through is not None:
                with translated():
                    async with through.connect() as pooled:
                        await require_same_database(pooled, connection)
            return await read_revision(connection)


def _register_vectors(engine: AsyncEngine) -> None:
    """Teaches every new connection pgvector's types."""

    @event.listens_for(engine.sync_engine, "connect")
    def register(connection: object, _record: object) -> None:
        connection.run_async(register_vector_async)  # type: ignore[attr-defined] # SQLAlchemy's async adapter


async def _ensure_database(server_url: URL, name: str, connect_seconds: float = 10.0) -> None:
    engine = create_async_engine(server_url, isolation_level="AUTOCOMMIT", hide_parameters=True)
    query = text("SELECT count(*) FROM pg_database WHERE datname = :name")
    try:
        with translated():
            async with engine.connect() as connection:
                await refuse_by_transaction(connection, connect_seconds, DATABASE_URL)
                await connection.execute(text("SELECT pg_advisory_lock(hashtextextended('kb-agent/database', 0))"))
                if not (await connection.execute(query, {"name": name})).scalar_one():
                    await connection.execute(text(f'CREATE DATABASE "{name}"'))
    finally:
        await engine.dispose()
