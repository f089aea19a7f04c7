"""Why somebody may see a document, or may not: by the statement that searches ask, taken apart."""

import json

from domain.access import Clause, Principal, Scope
from domain.access_explained import ExplainedAccess, explained_clauses
from storage.permissions import acls
from storage.server.pool import Connection, ConnectionPool, fetch_all, fetch_one

_DOCUMENT = b"""
    SELECT d.document_no, d.source_no, d.space, d.acl_at, s.name AS source, s.permissions_until, a.clauses,
           d.hidden_at IS NULL AND EXISTS (
               SELECT FROM indexed_documents i JOIN index_versions v USING (version_id)
               WHERE v.state = 'live' AND i.document_no = d.document_no) AS shown
    FROM documents d JOIN sources s USING (source_no) JOIN acls a USING (acl_id)
    WHERE d.document_id = %(document)s
"""
_READER = f"{acls.WHOLE} SELECT DISTINCT principal FROM whole WHERE reader = 1".encode()
_PARTS = f"""
    SELECT count(*) AS parts, count(*) FILTER (WHERE c.acl_id IN ({acls.PERMITTED})) AS met
    FROM chunks c JOIN index_versions v ON v.version_id = c.version_id AND v.state = 'live'
    WHERE c.document_no = %(number)s AND c.acl_id IS NOT NULL
""".encode()
_ALIKE = b"""
    WITH near AS (
        SELECT acl_id, count(*) AS documents FROM documents
        WHERE source_no = %(source)s AND space = %(space)s AND hidden_at IS NULL GROUP BY acl_id
    )
    SELECT clause::text, sum(documents)::int AS documents
    FROM near JOIN acls USING (acl_id) CROSS JOIN LATERAL jsonb_array_elements(clauses) AS clause GROUP BY clause
    UNION ALL SELECT NULL, coalesce(sum(documents), 0)::int FROM near
"""


class PostgresAccessExplainer:
    """Reads as the owner of the tables: whom a document admits does not depend on who asks why. Whoever calls this has
    found the document within a scope of theirs."""

    def __init__(self, owner: ConnectionPool) -> None:
        self._owner = owner

    async def explain(self, document_id: str, scope: Scope) -> ExplainedAccess | None:
        """What the asker of `scope` meets of a document's ACL; None where there is no such document."""

        async def work(connection: Connection) -> ExplainedAccess | None:
            row = await fetch_one(connection, _DOCUMENT, {"document": document_id})
            if row is None:
                return None
            names = await fetch_all(connection, _READER, acls.scope_parameters(scope))
            parts = await fetch_one(connection, _PARTS, {**acls.scope_parameters(scope), "number": row.document_no})
            alike = await fetch_all(connection, _ALIKE, {"source": row.source_no, "space": row.space})
            counts = {_clause(each.clause): each.documents for each in alike if each.clause is not None}
            (total,) = (each.documents for each in alike if each.clause is None)
            reader = frozenset(_principal(each.principal) for each in names)
            acl = acls.decode(row.clauses)
            return ExplainedAccess(
                source=row.source,
                space=row.space,
                documents=total,
                clauses=explained_clauses(acl, reader, counts),
                known_as=_in_source(reader, row.source),
                acl_at=row.acl_at,
                permissions_until=row.permissions_until,
                shown=row.shown,
                parts=parts.parts,
                parts_met=parts.met,
            )

        return await self._owner.run(work)


def _clause(text: str) -> Clause:
    (clause,) = acls.decode([json.loads(text)]).clauses
    return clause


def _principal(name: str) -> Principal:
    kind, _, number = name.partition(":")
    return Principal(kind, number)  # type: ignore[arg-type] # kinds come from domain.access


def _in_source(reader: frozenset[Principal], source: str) -> Clause:
    """What somebody is in one source, and everywhere by their address."""
    own = (each for each in reader if each.kind == "user" or each.id.startswith(f"{source}/"))
    return frozenset(own)
