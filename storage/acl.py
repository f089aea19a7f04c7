"""ACLs, interned: distinct ones are few, so each is stored once and named by a number."""

import json
from collections.abc import Sequence

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from domain.access import Acl, Principal, Scope, permits

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


def permitted(numbered: Sequence[tuple[int, Clauses]], scope: Scope) -> list[int]:
    """Numbers of the ACLs that admit `scope`, out of all there are."""
    return [number for number, clauses in numbered if permits(decode(clauses), scope)]
