"""What a server must be and have, and what its administrator is told to do where it is not so."""

from typing import Any

from psycopg import AsyncConnection, ProgrammingError
from psycopg.conninfo import conninfo_to_dict

from domain.errors import Misconfigured
from storage.server.errors import DATABASE_URL, OWNER_URL
from storage.server.pool import fetch_one

MIN_SERVER = 150000
MIN_VECTOR = (0, 8)

_SELECT_VERSIONS = b"""
    SELECT current_setting('server_version_num')::int AS server, current_database() AS database,
           (SELECT default_version FROM pg_available_extensions WHERE name = 'vector') AS available,
           (SELECT extversion FROM pg_extension WHERE extname = 'vector') AS installed
"""


async def require_server(connection: AsyncConnection[Any], conninfo: str) -> None:
    """Checks the database's encoding, the server's release and pgvector; creates the extension in the database where
    it is missing. conninfo: where `connection` leads to.

    Raises:
        Misconfigured: the database is not UTF8, the server is too old, or pgvector is missing, too old, or not ours to
        create.
    """
    await _require_utf8(connection)
    found = await fetch_one(connection, _SELECT_VERSIONS, {})
    if found.server < MIN_SERVER:
        raise Misconfigured(
            "The PostgreSQL server is too old",
            why=f"It is version {found.server // 10000}; 15 or later is needed.",
            next_step=f"Upgrade it, or unset {DATABASE_URL} to use the embedded server.",
        )
    if not _new_enough(found.available):
        raise Misconfigured(
            "The PostgreSQL server lacks pgvector 0.8 or later",
            why=f"It has pgvector {found.available}." if found.available else "The extension is not installed on it.",
            next_step="Install pgvector on the machine of the server (Debian: postgresql-NN-pgvector), "
            f"or unset {DATABASE_URL} to use the embedded server.",
        )
    if found.installed is None:
        await _create_extension(connection, conninfo, found.database)
    elif not _new_enough(found.installed):
        why = f"Its pgvector is {found.installed}; the server has {found.available}."
        raise _for_a_superuser(conninfo, found.database, why, "ALTER EXTENSION vector UPDATE")


async def _require_utf8(connection: AsyncConnection[Any]) -> None:
    # as bytes: in a database without an encoding (SQL_ASCII), the driver decodes no text
    found = await fetch_one(connection, b"SELECT current_setting('server_encoding')::bytea AS encoding", {})
    encoding = found.encoding.decode("ascii")
    if encoding != "UTF8":
        raise Misconfigured(
            f"The database {connection.info.dbname} is not in UTF8",
            why=f"Its encoding is {encoding}, which does not hold every text; it cannot be changed afterwards.",
            next_step=f"Create another one by CREATE DATABASE name ENCODING 'UTF8' TEMPLATE template0; and name it in "
            f"{DATABASE_URL}: docs/deployment.md, One PostgreSQL service.",
        )


def _new_enough(version: str | None) -> bool:
    return version is not None and tuple(int(part) for part in version.split(".")[:2]) >= MIN_VECTOR


async def _create_extension(connection: AsyncConnection[Any], conninfo: str, database: str) -> None:
    async with connection.transaction():
        # two first starts may meet here; the loser waits for the lock and finds it done
        await connection.execute("SELECT pg_advisory_xact_lock(hashtextextended('kb-agent/schema', 0))")
        try:
            await connection.execute("CREATE EXTENSION IF NOT EXISTS vector")
        except ProgrammingError as error:  # the server says that it takes a superuser
            why = f"It is not created there, and we may not do it: {str(error).splitlines()[0]}."
            raise _for_a_superuser(conninfo, database, why, "CREATE EXTENSION vector") from error


_HIDDEN = b"SELECT current_user AS role, row_security_active(to_regclass('documents')) AS hidden"


async def require_owner(connection: AsyncConnection[Any]) -> None:
    """Raises Misconfigured when row-level security hides documents from who indexes them."""
    found = await fetch_one(connection, _HIDDEN, {})
    if found.hidden:
        raise Misconfigured(
            f"The database user {found.role} does not own the tables",
            why="Row-level security hides documents from it, so that it cannot index.",
            next_step=f"Name the user who owns the tables in {OWNER_URL}: docs/deployment.md, Two roles.",
        )


def _for_a_superuser(conninfo: str, database: str, why: str, statement: str) -> Misconfigured:
    command = psql(conninfo, database, statement)
    return Misconfigured(
        f"The database {database} lacks the extension pgvector 0.8 or later",
        why=why,
        next_step=f"A superuser of the server has to run, once, in that database: {statement}; for example: {command}",
    )


def psql(conninfo: str, database: str, statement: str) -> str:
    """The command by which a superuser runs a statement in a database of the server that `conninfo` names."""
    given = conninfo_to_dict(conninfo)
    where = [f"--{name}={given[name]}" for name in ("host", "port") if given.get(name)]
    return " ".join(["psql", *where, "--username=postgres", f"--dbname={database}", f'--command="{statement}"'])
