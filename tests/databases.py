"""Databases for tests on the session's embedded server: copies of a template, and one that is emptied and used again.

Copying a template and dropping the copy costs the server ten times as much as emptying what a test has written.
"""

import fcntl
from collections.abc import Callable, Collection
from contextlib import suppress
from pathlib import Path
from typing import LiteralString

import psycopg
from psycopg.sql import SQL, Identifier

from tests.command import TEMPLATE, connected, database_url

_DISCONNECT_OTHERS = """
    SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()
"""
_TABLES = "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')"
_WRITTEN = f"{_TABLES} AND relname <> 'alembic_version' AND pg_relation_size(oid) > 0"
_SEQUENCES = "SELECT sequencename, coalesce(last_value, start_value), last_value IS NOT NULL FROM pg_sequences"
_SCHEMA = """
    SELECT md5(concat(
        (SELECT array_agg(oid ORDER BY oid) FROM pg_class WHERE relnamespace = 'public'::regnamespace),
        (SELECT array_agg((attrelid, attnum, xmin) ORDER BY attrelid, attnum) FROM pg_attribute
         WHERE attrelid IN (SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace)),
        (SELECT array_agg((oid, xmin) ORDER BY oid) FROM pg_constraint WHERE conrelid > 0),
        (SELECT array_agg((oid, xmin) ORDER BY oid) FROM pg_trigger),
        (SELECT array_agg((oid, xmin) ORDER BY oid) FROM pg_proc WHERE pronamespace = 'public'::regnamespace),
        (SELECT array_agg((oid, xmin) ORDER BY oid) FROM pg_extension),
        (SELECT array_agg(version_num) FROM alembic_version)))
"""
"""Changes with every change of the schema: what is altered is stored anew, by another transaction."""


def make_once(made: Path, make: Callable[[], object]) -> None:
    """Makes something for all workers: the first calls `make`, the others wait for it. made: a file that says so."""
    with made.with_suffix(".lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not made.exists():
            make()
            made.touch()


def copy_template(data_dir: Path, name: str) -> None:
    """Makes a database with our schema and nothing in it."""
    with connected(database_url(data_dir, "postgres")) as server:
        server.execute(SQL("CREATE DATABASE {} TEMPLATE {}").format(Identifier(name), Identifier(TEMPLATE)))


def drop(data_dir: Path, name: str) -> None:
    """Drops a database, whoever is connected to it."""
    with connected(database_url(data_dir, "postgres")) as server:
        server.execute(SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(Identifier(name)))


class ReusedDatabase:
    """A copy of the template that serves one test after the other."""

    def __init__(self, data_dir: Path, name: str) -> None:
        self._data_dir = data_dir
        self._name = name
        self._copy()

    def emptied(self) -> str:
        """Its name. It is as new, and nobody else is connected to it."""
        as_new = False
        with suppress(psycopg.Error):  # a test may have ended this connection, too, or dropped what is asked for
            as_new = self._empty()
        if not as_new:
            self.drop()
            self._copy()
        return self._name

    def drop(self) -> None:
        """Ends its use."""
        self._connection.close()
        drop(self._data_dir, self._name)

    def _copy(self) -> None:
        copy_template(self._data_dir, self._name)
        self._connection = psycopg.connect(database_url(self._data_dir, self._name), autocommit=True)
        self._tables = set(self._names(_TABLES))
        self._sequences = set(self._connection.execute(_SEQUENCES))
        self._schema = self._connection.execute(_SCHEMA).fetchone()

    def _empty(self) -> bool:
        """Takes away what was written; returns False where the schema is not as it was."""
        self._connection.execute(_DISCONNECT_OTHERS)
        self._each("DROP TABLE {} CASCADE", set(self._names(_TABLES)) - self._tables)
        if self._connection.execute(_SCHEMA).fetchone() != self._schema:
            return False
        self._each("TRUNCATE {} CASCADE", self._names(_WRITTEN))
        for name, value, called in self._sequences - set(self._connection.execute(_SEQUENCES)):
            self._connection.execute("SELECT setval(quote_ident(%s)::regclass, %s, %s)", (name, value, called))
        self._connection.execute("DELETE FROM pg_statistic WHERE starelid >= 16384")  # what ANALYZE found
        return True

    def _names(self, query: LiteralString) -> list[str]:
        return [name for (name,) in self._connection.execute(query)]

    def _each(self, statement: LiteralString, tables: Collection[str]) -> None:
        """One statement over all the tables, if there are any."""
        if tables:
            self._connection.execute(SQL(statement).format(SQL(", ").join(map(Identifier, tables))))
