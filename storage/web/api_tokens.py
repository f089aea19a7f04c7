"""The tokens of programs, in PostgreSQL."""

from datetime import datetime
from typing import Any

from domain.audit import AuditAction, AuditEntry
from domain.conversation import Participant
from domain.web_access import ApiToken, TokenScope
from storage.privacy.audit_log import note
from storage.server.pool import Connection, ConnectionPool, fetch_one

_COLUMNS = "token_no, name, email, scopes, prefix, created_at, expires_at, used_at, revoked_at"
_ADD = f"""
    INSERT INTO api_tokens (name, email, scopes, prefix, digest, expires_at)
    VALUES (%(name)s, %(email)s, %(scopes)s, %(prefix)s, %(digest)s, %(expires_at)s) RETURNING {_COLUMNS}
""".encode()
_ALL = f"SELECT {_COLUMNS} FROM api_tokens ORDER BY token_no".encode()
_FIND = f"""
    SELECT {_COLUMNS} FROM api_tokens WHERE digest = %(digest)s AND revoked_at IS NULL AND expires_at > now()
""".encode()
_USED = b"""
    UPDATE api_tokens SET used_at = date_trunc('minute', now())
    WHERE token_no = %(number)s AND used_at IS DISTINCT FROM date_trunc('minute', now())
"""
_REVOKE = f"""
    UPDATE api_tokens SET revoked_at = now() WHERE token_no = %(number)s AND revoked_at IS NULL RETURNING {_COLUMNS}
""".encode()


class PostgresApiTokens:
    """See domain.web_access.ApiTokens. actor: who makes and revokes them, for the audit log; None notes nothing."""

    def __init__(self, pool: ConnectionPool, actor: Participant | None = None) -> None:
        self._pool = pool
        self._actor = actor

    async def add(
        self, name: str, email: str, scopes: frozenset[TokenScope], prefix: str, digest: bytes, expires_at: datetime
    ) -> ApiToken:
        values = {"name": name, "email": email, "scopes": sorted(scopes), "prefix": prefix}

        async def work(connection: Connection) -> ApiToken:
            async with connection.transaction():
                given = {**values, "digest": digest, "expires_at": expires_at}
                made = _token(await fetch_one(connection, _ADD, given))
                await self._note(connection, "token_made", made)
                return made

        return await self._pool.run(work)

    async def all(self) -> list[ApiToken]:
        return [_token(row) for row in await self._pool.fetch_all(_ALL)]

    async def find(self, digest: bytes) -> ApiToken | None:
        row = await self._pool.fetch_one(_FIND, digest=digest)
        if row is None:
            return None
        await self._pool.execute(_USED, number=row.token_no)
        return _token(row)

    async def revoke(self, number: int) -> bool:
        async def work(connection: Connection) -> bool:
            async with connection.transaction():
                row = await fetch_one(connection, _REVOKE, {"number": number})
                if row is not None:
                    await self._note(connection, "token_revoked", _token(row))
                return row is not None

        return await self._pool.run(work)

    async def _note(self, connection: Connection, action: AuditAction, token: ApiToken) -> None:
        """In the transaction that changes it."""
        if self._actor:
            detail = {"person": [token.email], "scopes": sorted(token.scopes)}
            await note(connection, AuditEntry(self._actor, action, str(token.number), detail))


def _token(row: Any) -> ApiToken:
    return ApiToken(row.token_no, row.name, row.email, frozenset(row.scopes), *row[4:])
