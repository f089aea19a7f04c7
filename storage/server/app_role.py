"""What the application's role may do in the database, and whether the policies of the tables hold for it.

The role reads documents, and what is made of them, through the policies. It reads and writes questions, jobs and the
schedule. It owns nothing, and it cannot change what indexing writes: that is done as the owner of the tables.
"""

from typing import Any

from psycopg import AsyncConnection

from domain.errors import Misconfigured
from storage.server.migrate import LOCK
from storage.server.pool import Connection, ConnectionPool, fetch_one

GUARDED = ("documents", "chunks", "vectors", "propositions", "mentions", "relations")
"""Tables with a policy: a row is seen if the ACLs of the transaction admit the document that it belongs to."""

VIEWS = ("visible_chunks", "visible_vectors", "visible_propositions", "visible_mentions", "visible_relations")
"""Views that hold what the policies of their tables show."""

SHARED = ("segments", "postings", "entities", "entity_counts")
"""Tables of which a row belongs to many documents; what is read of them is filtered before it leaves `storage`."""

_RIGHTS = ("acls", "acl_principals", "directory", "index_versions")
"""From which follows which ACLs admit whom, before any is allowed."""

_WRITTEN = (
    *(
        "questions",
        "posted_replies",
        "answer_records",
        "owner_requests",
        "turns",
        "feedback",
        "web_replies",
        "model_replies",
        "worker_slots",
        "ticks",
    ),
    "alerts",
    *("api_tokens", "web_sessions"),
    *("procrastinate_jobs", "procrastinate_events", "procrastinate_periodic_defers", "procrastinate_workers"),
)
_ADDED = ("audit_entries",)
"""Tables to which the application adds and of which it removes nothing."""

_SEQUENCES = tuple(f"procrastinate_{name}_id_seq" for name in ("jobs", "events", "periodic_defers", "workers"))
_COLUMNS = {
    "sources": ("source_no", "name", "permissions_until"),  # not how they are configured
    "indexed_documents": ("version_id", "document_no", "chunks"),
}
"""Columns that are read of other tables."""

POLICIES = (*GUARDED, "indexed_documents")
"""Tables with a policy."""

CLOSED = ("awaited_acls", "correction_queue", "index_batches", "refusals", "runs")
"""Tables with row-level security and without a policy: whatever is granted, only the owner sees a row."""

_GRANTS = (
    f"SELECT ON {', '.join((*GUARDED, *VIEWS, *SHARED, *_RIGHTS))}",
    *(f"SELECT ({', '.join(columns)}) ON {table}" for table, columns in _COLUMNS.items()),
    f"SELECT, INSERT, UPDATE, DELETE ON {', '.join(_WRITTEN)}",
    f"SELECT, INSERT ON {', '.join(_ADDED)}",
    f"USAGE ON SEQUENCE {', '.join(_SEQUENCES)}",
    "SELECT ON SEQUENCE acl_epoch",
    "EXECUTE ON FUNCTION loose_chunks(integer)",
)

# of what is missing nothing is known: storage.server.schema_check names it
_GRANTED = b"""
    SELECT bool_and(held) IS NOT FALSE FROM (
        SELECT has_table_privilege(%(role)s::text, to_regclass(name), privilege) AS held
        FROM unnest(%(written)s::text[]) AS name,
             unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) AS privilege
        UNION ALL
        SELECT has_table_privilege(%(role)s::text, to_regclass(name), 'INSERT') FROM unnest(%(added)s::text[]) AS name
        UNION ALL
        SELECT has_table_privilege(%(role)s::text, to_regclass(name), 'SELECT') FROM unnest(%(read)s::text[]) AS name
        UNION ALL
        SELECT has_column_privilege(%(role)s::text, to_regclass(name), each, 'SELECT')
        FROM unnest(%(tables)s::text[], %(columns)s::text[]) AS of_table (name, each)
        UNION ALL
        SELECT has_sequence_privilege(%(role)s::text, to_regclass(name), 'USAGE')
        FROM unnest(%(sequences)s::text[]) AS name
        UNION ALL
        SELECT has_function_privilege(%(role)s::text, to_regproc('loose_chunks'), 'EXECUTE')
    ) rights
"""

_ACTIVE = b"""
    SELECT current_user AS role, bool_and(row_security_active(name)) AS active FROM unnest(%(guarded)s::text[]) AS name
"""


async def grant(owner: ConnectionPool, role: str) -> None:
    """Grants the application's role all that it needs, and nothing else. owner: of the tables."""

    async def work(connection: Connection) -> None:
        async with connection.transaction():
            await connection.execute(LOCK.encode())  # two that grant at the same moment would fail
            names = await fetch_one(connection, _QUOTED, {"role": role})
            for each in (f"USAGE ON SCHEMA {names.schema}", *_GRANTS):
                await connection.execute(f"GRANT {each} TO {names.role}".encode())

    await owner.run(work)


_QUOTED = b"SELECT quote_ident(%(role)s) AS role, quote_ident(current_schema()) AS schema"


async def is_granted(connection: AsyncConnection[Any], role: str) -> bool:
    """Whether the application's role has all that it needs."""
    values = {
        "role": role,
        "written": list(_WRITTEN),
        "added": list(_ADDED),
        "read": [*GUARDED, *VIEWS, *SHARED, *_RIGHTS, *_ADDED, "acl_epoch"],
        "tables": [table for table, columns in _COLUMNS.items() for _ in columns],
        "columns": [column for columns in _COLUMNS.values() for column in columns],
        "sequences": list(_SEQUENCES),
    }
    row = await (await connection.execute(_GRANTED, values)).fetchone()
    return bool(row and row[0])


async def require_grants(owner: ConnectionPool, role: str, *, give: bool) -> None:
    """Checks that the application's role has all that it needs; grants it if `give` is set. owner: of the
    tables.

    Raises Misconfigured when something is missing and `give` is off.
    """
    if await owner.run(lambda connection: is_granted(connection, role)):
        return
    if not give:
        raise Misconfigured(
            f"The database user {role} lacks a right",
            why="It is not granted all that the application needs; a backup that was restored grants nothing.",
            next_step="Run: kb db upgrade",
        )
    await grant(owner, role)


async def bypassing_role(pool: ConnectionPool) -> str | None:
    """The application's role, if the policies of the tables do not hold for it; None if they do."""
    row = await pool.fetch_one(_ACTIVE, guarded=list(GUARDED))
    return None if row.active else str(row.role)
