"""The tokens of programs, in PostgreSQL."""

from datetime import datetime
from typing import Any

from domain.web_access import ApiToken, TokenScope
from storage.server.pool import ConnectionPool

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
_REVOKE = b"UPDATE api_tokens SET revoked_at = now() WHERE token_no = %(number)s AND revoked_at IS NULL"


class PostgresApiTokens:
    """See domain.web_access.ApiTokens."""

    def __init__(self, pool: ConnectionPool) -> None:
        self._pool = pool

    async def add(
        self, name: str, email: str, scopes: frozenset[TokenScope], prefix: str, digest: bytes, expires_at: datetime
    ) -> ApiToken:
        """See domain.web_access.ApiTokens."""
        values = {"name": name, "email": email, "scopes": sorted(scopes), "prefix": prefix}
        return _token(await self._pool.fetch_one(_ADD, **values, digest=digest, expires_at=expires_at))

    async def all(self) -> list[ApiToken]:
        """See domain.web_access.ApiTokens."""
        return [_token(row) for row in await self._pool.fetch_all(_ALL)]

    async def find(self, digest: bytes) -> ApiToken | None:
        """See domain.web_access.ApiTokens."""
        row = await self._pool.fetch_one(_FIND, digest=digest)
        if row is None:
            return None
        await self._pool.execute(_USED, number=row.token_no)
        return _token(row)

    async def revoke(self, number: int) -> bool:
        """See domain.web_access.ApiTokens."""
        return bool(await self._pool.execute(_REVOKE, number=number))


def _token(row: Any) -> ApiToken:
    return ApiToken(row.token_no, row.name, row.email, frozenset(row.scopes), *row[4:])
