"""The connection to PostgreSQL: embedded or a service, the same from here on."""

import asyncio
import re
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from psycopg import AsyncConnection
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from domain.errors import Misconfigured
from storage.server.connections import UNPREPARED, connect_timeout, keepalive, session
from storage.server.embedded import EmbeddedServer
from storage.server.engine import Engine, pooled_engine, sessions_engine
from storage.server.errors import DATABASE_URL, DIRECT_URL, OWNER_URL, READ_URL, translated
from storage.server.migrate import read_revision
from storage.server.pool import ConnectionPool, fetch_one, open_pool
from storage.server.pooler import refuse_by_transaction, require_same_database
from storage.server.replica import ReplicaPool, open_replica
from storage.server.requirements import require_owner, require_server
from storage.server.supervisor import supervised

APP_ROLE = "kb_app"
"""The role of the application on the embedded server."""


OWNERS = 2
"""Connections at most by which a process reads as the owner, where that is another role than the application's."""


@dataclass(frozen=True, slots=True)
class DatabaseUrls:
    """The ways to one database, as libpq takes them."""

    app: str = field(repr=False)  # each may hold a password
    """As the application: for questions, conversations and jobs."""
    direct: str | None = field(default=None, repr=False)
    """The same past the pooler that `app` leads through; None where it leads through none."""
    owner: str | None = field(default=None, repr=False)
    """As the owner of the tables: for the schema, and for indexing. None where `app` is that, too."""
    read: str | None = field(default=None, repr=False)
    """As the application, to a replica; None where there is none."""


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
    owner_url: str | None = field(default=None, repr=False)
    """Of the same database, as the role that owns its tables; None where `url` names that role."""
    read_url: str | None = field(default=None, repr=False)
    """Of a replica of the same database, for searching; None where there is none."""
    read_lag: float = 5.0
    """Seconds by which it may lag."""
    application: str = "kb"
    """What a service calls our connections, in pg_stat_activity, where neither the URL nor PGAPPNAME says it."""
    posting_cache: int = 32 * 2**20
    """Bytes of posting lists that searches keep in this process."""

    @property
    def where(self) -> str:
        """Where it is, in words; without any password."""
        if self.url is None:
            return "embedded"
        ways = {"a service": (self.url, DATABASE_URL)}
        ways |= {"directly": (self.direct_url, DIRECT_URL)} if self.direct_url is not None else {}
        ways |= {"as the owner": (self.owner_url, OWNER_URL)} if self.owner_url is not None else {}
        ways |= {"for searching": (self.read_url, READ_URL)} if self.read_url is not None else {}
        return "; ".join(f"{way}: {shown(service_conninfo(*given))}" for way, given in ways.items())


@dataclass(frozen=True, slots=True)
class Database:
    """An open database."""

    engine: Engine
    """For changes, as the owner of the tables."""
    sessions: Engine
    """Gives connections of the owner whose session is ours until they are closed, for locks and migrations. Each is
    opened anew and past any pooler: a held lock must not keep waiting those who do the work under it."""
    owner: ConnectionPool
    """For what is read of the whole database, as the owner of the tables."""
    pool: ConnectionPool
    """For questions, conversations and jobs, as the application."""
    urls: DatabaseUrls
    revision: str | None
    """Of the schema, when it was opened; None for an empty database."""
    app_role: str | None
    """The application's role; None where it is the owner."""
    ours: bool
    """Whether nobody else uses it, so that its schema is upgraded without being asked."""
    replica: ReplicaPool | None = None
    """For searches, as the application; None where there is no replica."""
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
            yield opened
        return
    for setting, given in (
        (DIRECT_URL, options.direct_url),
        (OWNER_URL, options.owner_url),
        (READ_URL, options.read_url),
    ):
        if given is not None:
            raise _wrong_url(setting, f"There is no {DATABASE_URL} beside it: the embedded server needs none.")
    server = EmbeddedServer(options.data_dir)
    starting = asyncio.ensure_future(asyncio.to_thread(server.start))
    try:
        await asyncio.shield(starting)  # Ctrl-C does not end a thread
        name = options.name or "kb"
        await _ensure_database(server.conninfo("postgres"), name, role=APP_ROLE)
        urls = DatabaseUrls(server.conninfo(name, APP_ROLE), owner=server.conninfo(name))
        async with (
            supervised(server) if options.supervised else nullcontext(),
            _connected(urls, options, ours=True, app_role=APP_ROLE) as opened,
        ):
            yield replace(opened, ensure_room=server.refuse_full_disk)
    finally:
        await asyncio.shield(_leave(server, starting))


async def _leave(server: EmbeddedServer, starting: asyncio.Future[None]) -> None:
    """Leaves a server, also one that is still being started by who wanted it no longer."""
    await asyncio.gather(starting, return_exceptions=True)
    await asyncio.to_thread(server.stop)


@asynccontextmanager
async def _service(options: DatabaseOptions) -> AsyncIterator[Database]:
    def way(url: str, setting: str) -> str:
        return make_conninfo(service_conninfo(url, setting), fallback_application_name=options.application)

    app = way(options.url or "", DATABASE_URL)
    direct = way(options.direct_url, DIRECT_URL) if options.direct_url is not None else None
    owner = way(options.owner_url, OWNER_URL) if options.owner_url is not None else None
    read = way(options.read_url, READ_URL) if options.read_url is not None else None
    if options.name:
        app, direct, read = direct or app, None, None
        await _ensure_database(owner or app, options.name, options.connect_seconds)
        app = make_conninfo(app, dbname=options.name)
        owner = make_conninfo(owner, dbname=options.name) if owner else None
    async with _connected(DatabaseUrls(app, direct, owner, read), options, ours=options.name is not None) as opened:
        yield opened


_PLAIN = re.compile(
    r"postgresql://(?:[\w.%~-]+(?::[\w.%~-]+)?@)?[\w.-]*(?::[0-9]+)?/[\w.%~-]+(?:\?[\w.%/=&~-]*)?", re.ASCII
)
"""What libpq reads as SQLAlchemy does."""


def service_conninfo(given: str, setting: str) -> str:
    """A URL as words of libpq. setting: which one names it. Raises Misconfigured when it is none of PostgreSQL."""
    given = re.sub("^postgres(?=[+:])", "postgresql", given)  # libpq takes both
    with translated(setting):
        return make_conninfo(**(conninfo_to_dict(given) if _PLAIN.fullmatch(given) else _read(given, setting)))


def _read(given: str, setting: str) -> Mapping[str, Any]:
    """A URL as SQLAlchemy reads it: with a driver's name, and signs that libpq takes otherwise, such as a plus within
    the query."""
    from sqlalchemy import make_url
    from sqlalchemy.dialects.postgresql.psycopg import PGDialect_psycopg
    from sqlalchemy.exc import ArgumentError

    try:
        url = make_url(given)
    except (ArgumentError, ValueError):
        raise _wrong_url(setting, "It is not of the form postgresql://user:password@host:port/name.") from None
    if url.get_backend_name() != "postgresql":
        raise _wrong_url(setting, f"It names {url.get_backend_name()}; only PostgreSQL will do.")
    dialect = PGDialect_psycopg()  # type: ignore[no-untyped-call] # SQLAlchemy's
    _, parts = dialect.create_connect_args(url)  # type: ignore[no-untyped-call]
    found: Mapping[str, Any] = parts
    return found


def shown(conninfo: str) -> str:
    """Where it leads to, as it may be shown: user, host, port and database."""
    given = conninfo_to_dict(conninfo)
    user = f"{given['user']}@" if given.get("user") else ""
    port = f":{given['port']}" if given.get("port") else ""
    return f"{user}{given.get('host', '')}{port}/{given.get('dbname')}"


def _wrong_url(setting: str, why: str) -> Misconfigured:
    return Misconfigured(f"{setting} is not usable", why=why, next_step="Correct it, or unset it.")


@asynccontextmanager
async def _connected(
    urls: DatabaseUrls, options: DatabaseOptions, *, ours: bool, app_role: str | None = None
) -> AsyncIterator[Database]:
    """app_role: the application's role, where that is known."""
    size, seconds = options.pool_size, options.connect_seconds
    arguments = {"connect_timeout": connect_timeout(seconds), **UNPREPARED}
    changes, direct = urls.owner or urls.app, urls.owner or urls.direct or urls.app
    pooled = urls.direct is not None and not urls.owner
    engine = pooled_engine(changes, arguments | keepalive(changes), size=size, seconds=seconds, pooled=pooled)
    sessions = sessions_engine(direct, arguments | keepalive(direct))
    revision, app_role = await _check(urls, options, app_role)
    try:
        async with (
            open_pool(urls.app, size=size, connect_seconds=seconds, pooled=urls.direct is not None) as pool,
            _owners_pool(urls.owner, options) if urls.owner else nullcontext(pool) as owner,
            _replica(urls, pool, options) if urls.read else nullcontext() as replica,
        ):
            yield Database(engine, sessions, owner, pool, urls, revision, app_role, ours, replica)
    finally:
        await engine.dispose()


def _owners_pool(conninfo: str, options: DatabaseOptions) -> AbstractAsyncContextManager[ConnectionPool]:
    return open_pool(conninfo, size=OWNERS, connect_seconds=options.connect_seconds, vectors=False)


def _replica(
    urls: DatabaseUrls, primary: ConnectionPool, options: DatabaseOptions
) -> AbstractAsyncContextManager[ReplicaPool]:
    size, seconds, pooled = options.pool_size, options.connect_seconds, urls.direct is not None
    return open_replica(
        urls.read or "", primary, most_lag=options.read_lag, size=size, connect_seconds=seconds, pooled=pooled
    )


async def _check(urls: DatabaseUrls, options: DatabaseOptions, app_role: str | None) -> tuple[str | None, str | None]:
    """Gives the schema's revision, and the application's role if that is not the owner. app_role: of the embedded
    server."""
    if app_role is not None:
        setting = DATABASE_URL
    else:
        setting = OWNER_URL if urls.owner else DIRECT_URL if urls.direct else DATABASE_URL
    conninfo = urls.owner or urls.direct or urls.app
    with translated(setting):
        async with session(conninfo, options.connect_seconds) as connection:
            await refuse_by_transaction(connection, conninfo, options.connect_seconds, setting)
            await require_server(connection, conninfo)
            if app_role is None:
                await require_owner(connection)
            if setting != DATABASE_URL:
                role = await _check_others(connection, urls, options, setting)
                app_role = role if urls.owner else None
            return await read_revision(connection), app_role


async def _check_others(held: AsyncConnection[Any], urls: DatabaseUrls, options: DatabaseOptions, setting: str) -> str:
    """Gives the role of the application's URL, which has to lead to the same database as `held`. What needs a session
    must have one. setting: which one names where `held` leads to."""
    seconds = options.connect_seconds
    with translated():
        async with session(urls.app, seconds) as app:
            if urls.direct is None:
                await refuse_by_transaction(app, urls.app, seconds, DATABASE_URL)
            await require_same_database(app, held, setting)
            if urls.owner is None:  # what changes goes this way, whoever the direct one is
                await require_owner(app)
            role = str((await fetch_one(app, b"SELECT current_user AS role", {})).role)
    if urls.owner is not None and urls.direct is not None:
        with translated(DIRECT_URL):
            async with session(urls.direct, seconds) as direct:
                await refuse_by_transaction(direct, urls.direct, seconds, DIRECT_URL)
    return role


_THERE = b"""
    SELECT EXISTS (SELECT FROM pg_database WHERE datname = %(name)s) AS made,
           %(role)s::text IS NULL OR EXISTS (SELECT FROM pg_roles WHERE rolname = %(role)s) AS known
"""


async def _ensure_database(conninfo: str, name: str, connect_seconds: float = 10.0, *, role: str | None = None) -> None:
    """Makes the database, and the application's role if one is named, where they are missing. conninfo: of the
    server."""
    with translated():
        async with session(conninfo, connect_seconds) as connection:
            await refuse_by_transaction(connection, conninfo, connect_seconds, DATABASE_URL)
            await connection.execute("SELECT pg_advisory_lock(hashtextextended('kb-agent/database', 0))")
            there = await fetch_one(connection, _THERE, {"name": name, "role": role})
            if not there.known:
                await connection.execute(f'CREATE ROLE "{role}" LOGIN'.encode())
            if not there.made:
                await connection.execute(f'CREATE DATABASE "{name}"'.encode())
