"""What the application's role may do in the database, and whether the policies of the tables hold for it.

The role reads documents, and what is made of them, through the policies. It reads and writes questions, jobs and the
schedule. It owns nothing, and it cannot change what indexing writes: that is done as the owner of the tables.
"""

from collections.abc import Mapping

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from domain.errors import Misconfigured
from storage.server.migrate import LOCK
from storage.server.pool import ConnectionPool
from storage.server.transactions import transaction

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
        "model_replies",
        "worker_slots",
        "ticks",
    ),
    "alerts",
    *("procrastinate_jobs", "procrastinate_events", "procrastinate_periodic_defers", "procrastinate_workers"),
)
_SEQUENCES = tuple(f"procrastinate_{name}_id_seq" for name in ("jobs", "events", "periodic_defers", "workers"))
_COLUMNS = {
    "sources": ("source_no", "name", "permissions_until"),  # not how they are configured
    "indexed_documents": ("version_id", "document_no", "chunks"),
}
"""Columns that are read of other tables."""

POLICIES = (*GUARDED, "indexed_documents")
"""Tables with a policy."""

CLOSED = ("awaited_acls", "refusals", "runs")
"""Tables with row-level security and without a policy: whatever is granted, only the owner sees a row."""

_PACKED = "A row belongs to many documents; what is read of it is filtered before it leaves `storage`."
_BEFORE = "From it follows what is allowed, before anything is."
_WORK = "Every worker works for every person, so that no transaction belongs to one."
_OF_PERSONS = (
    "Asked for by person and place. A policy would hide it from the release before, which could not forget it."
)

WITHOUT_POLICY: Mapping[str, str] = {
    **dict.fromkeys(("postings", "segments", "entity_counts"), _PACKED),
    "entities": "A name belongs to all documents that mention it; names are reached through mentions and relations.",
    **dict.fromkeys(("acls", "acl_principals", "directory"), _BEFORE),
    "sources": "Of a source, not of a document; the application reads its name and until when permissions hold.",
    "index_versions": "Nothing of a document.",
    "alembic_version": "Nothing of a document; not granted.",
    **dict.fromkeys(("turns", "feedback"), _OF_PERSONS),
    **dict.fromkeys(("questions", "posted_replies", "answer_records", "owner_requests"), _WORK),
    **dict.fromkeys(
        ("worker_slots", "ticks", "alerts", *(each for each in _WRITTEN if each.startswith("procr"))), _WORK
    ),
    "model_replies": "Found by a digest of all that a model was given, which covers what may be seen.",
}
"""Why a table has no row-level security."""

_GRANTS = (
    f"SELECT ON {', '.join((*GUARDED, *VIEWS, *SHARED, *_RIGHTS))}",
    *(f"SELECT ({', '.join(columns)}) ON {table}" for table, columns in _COLUMNS.items()),
    f"SELECT, INSERT, UPDATE, DELETE ON {', '.join(_WRITTEN)}",
    f"USAGE ON SEQUENCE {', '.join(_SEQUENCES)}",
    "SELECT ON SEQUENCE acl_epoch",
    "EXECUTE ON FUNCTION loose_chunks(integer)",
)

# of what is missing nothing is known: storage.server.schema_check names it
_GRANTED = text(
    """
    SELECT bool_and(held) IS NOT FALSE FROM (
        SELECT has_table_privilege(:role, to_regclass(name), privilege) AS held
        FROM unnest(CAST(:written AS text[])) AS name,
             unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) AS privilege
        UNION ALL
        SELECT has_table_privilege(:role, to_regclass(name), 'SELECT') FROM unnest(CAST(:read AS text[])) AS name
        UNION ALL
        SELECT has_column_privilege(:role, to_regclass(name), each, 'SELECT')
        FROM unnest(CAST(:tables AS text[]), CAST(:columns AS text[])) AS of_table (name, each)
        UNION ALL
        SELECT has_sequence_privilege(:role, to_regclass(name), 'USAGE') FROM unnest(CAST(:sequences AS text[])) AS name
        UNION ALL
        SELECT has_function_privilege(:role, to_regproc('loose_chunks'), 'EXECUTE')
    ) rights
    """
)

_ACTIVE = b"""
    SELECT current_user AS role, bool_and(row_security_active(name)) AS active FROM unnest(%(guarded)s::text[]) AS name
"""


async def grant(engine: AsyncEngine, role: str) -> None:
    """Grants the application's role all that it needs, and nothing else. engine: connects as the owner."""
    async with transaction(engine) as connection:
        await connection.execute(text(LOCK))  # two that grant at the same moment would fail
        quoted, schema = (await connection.execute(_QUOTED, {"role": role})).one()
        await connection.execute(text(f"GRANT USAGE ON SCHEMA {schema} TO {quoted}"))
        for each in _GRANTS:
            await connection.execute(text(f"GRANT {each} TO {quoted}"))


_QUOTED = text("SELECT quote_ident(:role), quote_ident(current_schema())")


async def is_granted(connection: AsyncConnection, role: str) -> bool:
    """Whether the application's role has all that it needs."""
    values = {
        "role": role,
        "written": list(_WRITTEN),
        "read": [*GUARDED, *VIEWS, *SHARED, *_RIGHTS, "acl_epoch"],
        "tables": [table for table, columns in _COLUMNS.items() for _ in columns],
        "columns": [column for columns in _COLUMNS.values() for column in columns],
        "sequences": list(_SEQUENCES),
    }
    return bool((await connection.execute(_GRANTED, values)).scalar_one())


async def require_grants(engine: AsyncEngine, role: str, *, give: bool) -> None:
    """Checks that the application's role has all that it needs; grants it if `give` is set. engine: connects as the
    owner.

    Raises Misconfigured when something is missing and `give` is off.
    """
    async with transaction(engine) as connection:
        granted = await is_granted(connection, role)
    if granted:
        return
    if not give:
        raise Misconfigured(
            f"The database user {role} lacks a right",
            why="It is not granted all that the application needs; a backup that was restored grants nothing.",
            next_step="Run: kb db upgrade",
        )
    await grant(engine, role)


async def bypassing_role(pool: ConnectionPool) -> str | None:
    """The application's role, if the policies of the tables do not hold for it; None if they do."""
    row = await pool.fetch_one(_ACTIVE, guarded=list(GUARDED))
    return None if row.active else str(row.role)
