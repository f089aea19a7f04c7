"""How index versions fared with golden questions when these were asked last."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from storage.server.engine import Engine, text
from storage.server.pool import ConnectionPool
from storage.server.transactions import transaction


@dataclass(frozen=True, slots=True)
class GoldenResults:
    """What is known of one version."""

    passed: Mapping[str, bool] = field(default_factory=dict)
    """By a question's key: whether it passed."""
    at: datetime | None = None
    """When a question was asked last."""


class GoldenResultTable:
    """Results by index version; they go with it. Keys of questions are digests: nothing of their words is kept."""

    def __init__(self, engine: Engine, owner: ConnectionPool) -> None:
        self._engine = engine
        self._owner = owner

    async def save(self, version_id: int, passed: Mapping[str, bool]) -> None:
        """Records results beside those of other questions; for a version that is gone, nothing."""
        query = text(
            "UPDATE index_versions SET golden = golden || CAST(:passed AS jsonb), golden_at = now()"
            " WHERE version_id = :version"
        )
        async with transaction(self._engine) as connection:
            await connection.execute(query, {"passed": json.dumps(dict(passed)), "version": version_id})

    async def load(self, version_id: int) -> GoldenResults:
        """What `save` recorded of a version."""
        query = b"SELECT golden, golden_at FROM index_versions WHERE version_id = %(version)s"
        row = await self._owner.fetch_one(query, version=version_id)
        return GoldenResults(dict(row.golden), row.golden_at) if row else GoldenResults()
