"""ACLs, interned: distinct ones are few, so each is stored once and named by a number."""

import json

from domain.access import Acl, Principal, Scope
from storage.server.engine import AsyncConnection, text

Clauses = list[list[list[str]]]
"""An ACL as JSON: clauses of principals of [kind, id]."""


def encode(acl: Acl) -> Clauses:
    """An ACL in one canonical form: equal ACLs give equal lists."""
    return sorted(sorted([p.kind, p.id] for p in clause) for clause in acl.clauses)


def decode(clauses: Clauses) -> Acl:
    """The ACL that `encode` wrote."""
    return Acl(
        frozenset(frozenset(Principal(kind, name) for kind, name in clause) for clause in clauses)  # type: ignore[arg-type] # kinds come from `encode`
    )


async def intern(connection: AsyncConnection, acl: Acl) -> int:
    """The number of `acl`, given to it now when it is new."""
    clauses = json.dumps(encode(acl))
    find = text("SELECT acl_id FROM acls WHERE clauses = CAST(:clauses AS jsonb)")
    found = (await connection.execute(find, {"clauses": clauses})).scalar_one_or_none()
    if found is None:
        insert = text(
            "INSERT INTO acls (clauses) VALUES (CAST(:clauses AS jsonb)) ON CONFLICT DO NOTHING RETURNING acl_id"
        )
        found = (await connection.execute(insert, {"clauses": clauses})).scalar_one_or_none()
    if found is None:  # made at this moment by another writer, and seen by a new statement
        found = (await connection.execute(find, {"clauses": clauses})).scalar_one()
    return int(found)


WHOLE = """
    WITH fresh AS (SELECT source_no, 'site:' || name AS principal FROM sources WHERE permissions_until > now()),
    who (reader, principal) AS (
        SELECT 1, unnest(%(asker)s::text[]) UNION ALL SELECT 2, unnest(%(audience)s::text[])
    ),
    whole (reader, principal) AS (
        SELECT reader, principal FROM who
        UNION SELECT reader, principal FROM fresh, generate_series(1, 2) AS reader
        UNION SELECT reader, d.principal FROM who JOIN fresh ON who.principal LIKE 'user:%%'
              JOIN directory d ON d.source_no = fresh.source_no AND d.email = substr(who.principal, 6)
    )
"""
"""All that the readers of `scope_parameters` are, 1 the asker and 2 the audience, also in sources."""

PERMITTED = f"""
    {WHOLE},
    met AS (
        SELECT acl_id, reader, count(DISTINCT clause) AS clauses FROM acl_principals JOIN whole USING (principal)
        GROUP BY acl_id, reader
    )
    SELECT acl_id FROM acls JOIN met USING (acl_id)
    WHERE met.clauses = jsonb_array_length(acls.clauses) AND (reader = 1 OR %(shared)s)
    GROUP BY acl_id HAVING count(*) = CASE WHEN %(shared)s THEN 2 ELSE 1 END
"""
"""Numbers of the ACLs that admit the readers of `scope_parameters`: as domain.access.permits says of a scope
with all that its people are in sources."""

ADMITTED = f"""
    {WHOLE}
    SELECT NOT EXISTS (
        SELECT FROM generate_series(1, CASE WHEN %(shared)s THEN 2 ELSE 1 END) AS asked (reader),
                    jsonb_array_elements(CAST(%(clauses)s AS jsonb)) AS clause
        WHERE NOT EXISTS (
            SELECT FROM jsonb_array_elements_text(clause) AS name JOIN whole ON whole.principal = name
            WHERE whole.reader = asked.reader
        )
    )
"""
"""Whether an ACL that need not be stored admits the readers of `scope_parameters`. clauses: of `clauses_as_json`."""


def clauses_as_json(acl: Acl) -> str:
    """The clauses of an ACL as JSON, its principals as the directory spells them."""
    return json.dumps([[str(each) for each in clause] for clause in acl.clauses])


def scope_parameters(scope: Scope) -> dict[str, object]:
    """What `PERMITTED` and `ADMITTED` ask for."""
    return {
        "asker": [str(each) for each in scope.asker],
        "audience": [str(each) for each in scope.audience or ()],
        "shared": scope.audience is not None,
    }
