"""The connection to PostgreSQL: embedded or a service, the same from here on."""

import asyncio
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path

from pgvector.psycopg import register_vector_async
from sqlalchemy import URL, event, make_url, text
from sqlalchemy.exc import ArgumentError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from domain.errors import Misconfigured
from storage.embedded import EmbeddedServer
from storage.faults import translated
from storage.keeping import kept_up
from storage.readers import Readers, open_readers

MIN_SERVER = 150000
MIN_VECTOR = (0, 8)


@dataclass(frozen=True, slots=True)
class DatabaseOptions:
    """Where the database is.

    url: of a PostgreSQL service; None for the embedded one in `data_dir`.
    name: another database on the same server, made when missing; None for the one that the URL names, or the
    embedded default.
    pool: connections kept open. connect_seconds: how long to wait for one.
    kept_up: whether an embedded server that dies is started again.
    """

    url: str | None = field(repr=False)  # it may hold a password
    data_dir: Path
    name: str | None = None
    pool: int = 5
    connect_seconds: float = 10.0
    kept_up: bool = False


@dataclass(frozen=True, slots=True)
class Database:
    """An open database.

    ours: nobody else uses it, so that its schema is kept up without being asked.
    ensure_room: raises Misconfigured when the disk is too full to write more.
    """

    engine: AsyncEngine
    readers: Readers
    ours: bool
    ensure_room: Callable[[], None] = lambda: None  # a service looks after its disk itself


@asynccontextmanager
async def open_database(options: DatabaseOptions) -> AsyncIterator[Database]:
    """Connects, starting the embedded server when there is no URL.

    Raises:
        Misconfigured: wrong URL, server too old, no pgvector, unusable data folder.
        Transient: the server does not answer.
    """
    if options.url is not None:
        url = _service_url(options)
        if options.name:
            await _ensure_database(url, options.name)
            url = url.set(database=options.name)
        async with _connected(url, options) as (engine, readers):
            yield Database(engine, readers, ours=options.name is not None)
        return
    server = EmbeddedServer(options.data_dir)
    starting = asyncio.ensure_future(asyncio.to_thread(server.start))
    try:
        await asyncio.shield(starting)  # Ctrl-C does not end a thread
        name = options.name or "kb"
        await _ensure_database(server.url("postgres"), name)
        async with (
            kept_up(server) if options.kept_up else nullcontext(),
            _connected(server.url(name), options) as (engine, readers),
        ):
            yield Database(engine, readers, ours=True, ensure_room=server.refuse_full_disk)
    finally:
        await asyncio.shield(_leave(server, starting))


async def _leave(server: EmbeddedServer, starting: asyncio.Future[None]) -> None:
    """Leaves a server, also one that is still being started by who wanted it no longer."""
    await asyncio.gather(starting, return_exceptions=True)
    await asyncio.to_thread(server.stop)


def _service_url(options: DatabaseOptions) -> URL:
    given = re.sub("^postgres(?=[+:])", "postgresql", options.url or "")  # libpq takes both
    try:
        url = make_url(given)
    except (ArgumentError, ValueError):
        raise _wrong_url("It is not of the form postgresql://user:password@host:port/name.") from None
    if url.get_backend_name() != "postgresql":
        raise _wrong_url(f"It names {url.get_backend_name()}; only PostgreSQL will do.")
    return url.set(drivername="postgresql+psycopg")


def _wrong_url(why: str) -> Misconfigured:
    return Misconfigured("KB_AGENT_DATABASE_URL is not usable", why=why, next_step="Correct it, or unset it.")


@asynccontextmanager
async def _connected(url: URL, options: DatabaseOptions) -> AsyncIterator[tuple[AsyncEngine, Readers]]:
    engine = create_async_engine(
        url,
        pool_size=options.pool,
        max_overflow=options.pool,
        pool_timeout=options.connect_seconds,
        pool_pre_ping=True,
        hide_parameters=True,
        connect_args={"connect_timeout": max(2, round(options.connect_seconds)), "prepare_threshold": None},
    )
    try:
        with translated():
            async with engine.connect() as connection:
                await _check_server(connection)
        await engine.dispose()  # that connection may be older than the extension, and knows nothing of its types
        _register_vectors(engine)
        async with open_readers(url, size=options.pool, connect_seconds=options.connect_seconds) as readers:
            yield engine, readers
    finally:
        await engine.dispose()


async def _check_server(connection: AsyncConnection) -> None:
    version = int((await connection.execute(text("SHOW server_version_num"))).scalar_one())
    if version < MIN_SERVER:
        raise Misconfigured(
            "The PostgreSQL server is too old",
            why=f"It is version {version // 10000}; 15 or later is needed.",
            next_step="Upgrade it, or unset KB_AGENT_DATABASE_URL to use the embedded server.",
        )
    query = "SELECT default_version FROM pg_available_extensions WHERE name = 'vector'"
    found = (await connection.execute(text(query))).scalar_one_or_none()
    if found is None or tuple(int(part) for part in found.split(".")[:2]) < MIN_VECTOR:
        raise Misconfigured(
            "The PostgreSQL server lacks pgvector 0.8 or later",
            why="The extension is not installed on it." if found is None else f"It has pgvector {found}.",
            next_step="Install pgvector on the server (Debian: postgresql-NN-pgvector), "
            "or unset KB_AGENT_DATABASE_URL to use the embedded server.",
        )
    installed = "SELECT count(*) FROM pg_extension WHERE extname = 'vector'"
    if not (await connection.execute(text(installed))).scalar_one():
        # two first starts may meet here; the loser waits for the lock and finds it done
        await connection.execute(text("SELECT pg_advisory_xact_lock(hashtextextended('kb-agent/schema', 0))"))
        await connection.execute(text("CREATE EXTENSION IF NOT EXISTS vector"))
        await connection.commit()


def _register_vectors(engine: AsyncEngine) -> None:
    """Teaches every new connection pgvector's types."""

    @event.listens_for(engine.sync_engine, "connect")
    def register(connection: object, _record: object) -> None:
        connection.run_async(register_vector_async)  # type: ignore[attr-defined] # SQLAlchemy's async adapter


async def _ensure_database(server_url: URL, name: str) -> None:
    engine = create_async_engine(server_url, isolation_level="AUTOCOMMIT", hide_parameters=True)
    query = text("SELECT count(*) FROM pg_database WHERE datname = :name")
    try:
        with translated():
            async with engine.connect() as connection:
                await connection.execute(text("SELECT pg_advisory_lock(hashtextextended('kb-agent/database', 0))"))
                if not (await connection.execute(query, {"name": name})).scalar_one():
                    await connection.execute(text(f'CREATE DATABASE "{name}"'))
    finally:
        await engine.dispose()
