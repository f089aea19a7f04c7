"""Whether a database has all that this release needs: what a restore or a hand left out, the schema's number does not
tell."""

import re
from collections.abc import Iterator
from typing import Any

from psycopg import AsyncConnection
from sqlalchemy import ForeignKeyConstraint, PrimaryKeyConstraint, Table, UniqueConstraint
from sqlalchemy.schema import ColumnCollectionConstraint

from domain.errors import Misconfigured
from storage.server.app_role import CLOSED, POLICIES, VIEWS
from storage.server.pool import ConnectionPool
from storage.tables import PARTITIONED, acl_epoch, chunk_numbers, metadata, segment_numbers

SHOWN = 12
"""Missing things that are named one by one."""

_OURS = (
    *("function acl_spread", "function acl_added", "function loose_chunks", "trigger acl_added of acls"),
    *(f"view {view} of {view.removeprefix('visible_')}" for view in VIEWS),
    *(f"policy allowed of {table}" for table in POLICIES),
    *(f"row-level security of {table}" for table in (*POLICIES, *CLOSED)),
)
"""What migrations make besides tables, indexes and sequences."""

_THERE = b"""
    WITH ours AS (SELECT oid AS class, relname, relkind FROM pg_class
                  WHERE relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema()))
    SELECT 'table ' || relname FROM ours WHERE relkind IN ('r', 'p')
    UNION ALL SELECT format('view %s of %s', relname, substr(relname, 9)) FROM ours WHERE relkind = 'v'
    UNION ALL SELECT 'sequence ' || relname FROM ours WHERE relkind = 'S'
    UNION ALL SELECT 'index ' || relname FROM ours JOIN pg_index ON indexrelid = class WHERE indisvalid
    UNION ALL SELECT format('column %s.%s', relname, attname) FROM ours JOIN pg_attribute ON attrelid = class
              WHERE attnum > 0 AND NOT attisdropped AND relkind IN ('r', 'p')
    UNION ALL SELECT format('trigger %s of %s', tgname, relname) FROM ours JOIN pg_trigger ON tgrelid = class
    UNION ALL SELECT 'function ' || proname FROM pg_proc WHERE pronamespace = current_schema()::regnamespace
    UNION ALL SELECT format('policy %s of %s', polname, relname) FROM ours JOIN pg_policy ON polrelid = class
    UNION ALL SELECT 'row-level security of ' || relname FROM pg_class WHERE oid IN (SELECT class FROM ours)
              AND relrowsecurity
    UNION ALL SELECT 'type ' || typname FROM pg_type WHERE typnamespace = current_schema()::regnamespace
    UNION ALL SELECT 'extension ' || extname FROM pg_extension
    UNION ALL SELECT format('constraint %s of %s', conname, relname) FROM ours JOIN pg_constraint ON conrelid = class
    UNION ALL SELECT format('%s (%s) of %s', CASE contype WHEN 'p' THEN 'primary key' WHEN 'u' THEN 'unique key'
                            ELSE 'foreign key' END, array_to_string(array(SELECT attname FROM unnest(conkey)
                     WITH ORDINALITY AS key (number, place) JOIN pg_attribute ON attrelid = conrelid AND attnum = number
                     ORDER BY place), ', '), relname)
              FROM ours JOIN pg_constraint ON conrelid = class WHERE contype IN ('p', 'u', 'f')
"""
_VERSIONS = b"SELECT version_id, hnsw_upto > 0, propositions_hnsw_upto > 0 FROM index_versions"
_QUEUES = {
    "table": r"CREATE TABLE (\w+)",
    "index": r"CREATE (?:UNIQUE )?INDEX (\w+)",
    "function": r"CREATE (?:OR REPLACE )?FUNCTION (\w+)",
    "type": r"CREATE TYPE (\w+)",
    "trigger": r"CREATE TRIGGER (\w+)\s[^;]*? ON (\w+)",
}


async def missing(connection: AsyncConnection[Any]) -> list[str]:
    """What the database lacks, in words such as `column documents.title`; of a missing table only the table."""
    there = {row[0] for row in await (await connection.execute(_THERE)).fetchall()}
    needed = [*_needed()]
    if not set(needed) - there:
        versions = await (await connection.execute(_VERSIONS)).fetchall()
        needed += [each for row in versions for each in _of_version(*row)]
    lost = [each for each in needed if each not in there]
    tables = {each.removeprefix("table ") for each in lost if each.startswith("table ")}
    return [each for each in lost if each.startswith("table ") or _table_of(each) not in tables]


async def require_whole(owner: ConnectionPool) -> None:
    """Raises Misconfigured when something is missing that only a schema of this release's number would have."""
    lost = await owner.run(missing)
    if not lost:
        return
    more = f" and {len(lost) - SHOWN} more" if len(lost) > SHOWN else ""
    raise Misconfigured(
        "The database lacks parts of its schema",
        why=f"Missing: {', '.join(lost[:SHOWN])}{more}. A backup that was restored in part looks like that.",
        next_step="Restore the backup again, into an empty database in which a superuser ran CREATE EXTENSION vector"
        " (docs/deployment.md, Backup); or make an empty one, run kb db upgrade, and index again.",
    )


def _needed() -> Iterator[str]:
    """All but what belongs to single index versions."""
    yield "extension vector"
    for table in metadata.sorted_tables:
        yield from _of_table(table)
    yield from (f"sequence {sequence.name}" for sequence in (acl_epoch, chunk_numbers, segment_numbers))
    yield from _OURS
    yield from _of_queue()


def _of_table(table: Table) -> Iterator[str]:
    yield f"table {table.name}"
    yield from (f"column {table.name}.{column.name}" for column in table.columns)
    yield from (f"index {index.name}" for index in sorted(table.indexes, key=lambda index: str(index.name)))
    kinds = {PrimaryKeyConstraint: "primary key", UniqueConstraint: "unique key", ForeignKeyConstraint: "foreign key"}
    for constraint in table.constraints:
        kind = kinds.get(type(constraint))
        if kind and isinstance(constraint, ColumnCollectionConstraint):
            yield f"{kind} ({', '.join(column.name for column in constraint.columns)}) of {table.name}"
        elif constraint.name:
            yield f"constraint {constraint.name} of {table.name}"


def _of_queue() -> Iterator[str]:
    """What the installed release of procrastinate makes."""
    from procrastinate.schema import SchemaManager  # takes long to import, and is seldom needed

    schema = SchemaManager.get_schema()
    for kind, pattern in _QUEUES.items():
        for found in re.finditer(pattern, schema):
            yield f"{kind} {' of '.join(found.groups())}"


def _of_version(version: int, chunks: bool, units: bool) -> Iterator[str]:
    yield from (f"table {table}_{version}" for table in PARTITIONED)
    yield from (
        f"index {table}_{version}_hnsw" for table, built in (("vectors", chunks), ("propositions", units)) if built
    )


def _table_of(what: str) -> str:
    """The table that something belongs to; empty where its name does not say."""
    if what.startswith("column "):
        return what.removeprefix("column ").partition(".")[0]
    if what.startswith("index "):
        return _INDEXED.get(what.removeprefix("index "), "")
    return what.rpartition(" of ")[2] if " of " in what else ""


_INDEXED = {str(index.name): table.name for table in metadata.sorted_tables for index in table.indexes}
