"""Database errors in our own words."""

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from psycopg import errors

from domain.errors import Bug, KbError, Misconfigured, Refused, Transient

DATABASE_URL, DIRECT_URL = "KB_AGENT_DATABASE_URL", "KB_AGENT_DATABASE_DIRECT_URL"
OWNER_URL, READ_URL = "KB_AGENT_DATABASE_OWNER_URL", "KB_AGENT_DATABASE_READ_URL"

_SCHEMA = (errors.UndefinedTable, errors.UndefinedColumn)
_TOO_MUCH = (psycopg.DataError, errors.ProgramLimitExceeded, UnicodeEncodeError)
_OURS = (psycopg.ProgrammingError, psycopg.IntegrityError, psycopg.NotSupportedError)

# errors before there is a session have no SQLSTATE, so they are told apart by their text
_URL_WRONG = re.compile(r"connection option|invalid (port|sslmode|integer|URI)|conninfo")
_UNWELCOME = re.compile(
    r"authentication failed|no password supplied|no pg_hba\.conf entry|(database|role) \"[^\"]*\" does not exist"
    r"|not permitted to log in|permission denied for database|no such (database|user)"
)
_POOLER_ONLY, _POOLER_BUSY = "not allowed in statement pooling mode", "query_wait_timeout"


@contextmanager
def translated(setting: str = DATABASE_URL) -> Iterator[None]:
    """Inside, an error of the database or its driver becomes a KbError that says what to do. setting: which one leads
    to the database."""
    try:
        yield
    except KbError:
        raise
    except _kinds() as error:
        raise translate(error, setting) from error


def _kinds() -> tuple[type[Exception], ...]:
    """What is translated: errors of the driver, and of SQLAlchemy where it is in use."""
    if "sqlalchemy" not in sys.modules:
        return (psycopg.Error, UnicodeEncodeError)
    from sqlalchemy.exc import SQLAlchemyError

    return (SQLAlchemyError, psycopg.Error, UnicodeEncodeError)


def translate(error: Exception, setting: str = DATABASE_URL) -> KbError:
    """The KbError that `error` amounts to. setting: see `translated`."""
    from sqlalchemy.exc import DBAPIError

    cause = error.orig if isinstance(error, DBAPIError) and error.orig else error
    why = " ".join(str(cause).split())[:400]
    if isinstance(cause, errors.DiskFull) or "No space left on device" in why:
        return Misconfigured(
            "The disk is full",
            why="The database could not write. What was written before is kept, and complete.",
            next_step="Free some space and run the same command again: it goes on where it stopped.",
        )
    if isinstance(cause, _SCHEMA):
        return Misconfigured(
            "The database's schema does not fit this release",
            why=why,
            next_step="Run: kb db upgrade; it also says what a restore has left out.",
        )
    if isinstance(cause, errors.InsufficientPrivilege):
        return Misconfigured(
            "The database user lacks a right", why=why, next_step=f"Grant it to the user of {setting}."
        )
    if isinstance(cause, _TOO_MUCH):
        return Refused("The database cannot hold this", why=why, next_step="Shorten or correct what it complains of.")
    return _of_the_server(error, cause, why, setting)


def _of_the_server(error: Exception, cause: BaseException, why: str, setting: str) -> KbError:
    from sqlalchemy.exc import TimeoutError as PoolTimeoutError

    before_session = isinstance(cause, psycopg.Error) and cause.sqlstate is None
    if before_session and _URL_WRONG.search(why):
        return Misconfigured(f"{setting} is not usable", why=why, next_step="Correct it, or unset it.")
    if before_session and _UNWELCOME.search(why):
        return Misconfigured(
            "The database server does not let us in",
            why=why,
            next_step=f"Correct user, password and database in {setting}, or grant access on the server.",
        )
    if _POOLER_ONLY in why:
        return Misconfigured(
            f"{setting} leads through a pooler in statement mode",
            why=why,
            next_step="Set that pooler to transaction mode, or to session mode.",
        )
    if isinstance(error, PoolTimeoutError) or _POOLER_BUSY in why:
        more = "give the pooler more connections" if _POOLER_BUSY in why else "raise KB_AGENT_DATABASE_POOL"
        return Transient("The database is busy", why=why, next_step=f"Try again, or {more}.")
    if isinstance(cause, _OURS):
        return Bug("The database refused a statement", why=why, next_step="Report it, please, with the line above.")
    return Transient("The database does not answer", why=why, next_step="Check the server, then try again.")
