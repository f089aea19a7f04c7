"""What of a source was refused, by which form of it: not downloaded again while that is the same."""

from collections.abc import Mapping

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from domain.documents import Refusal

_OF = "source_no = (SELECT source_no FROM sources WHERE name = :source)"
_READ = text(f"SELECT external_id, mark, reason FROM refusals WHERE {_OF}")
_DELETE = text(f"DELETE FROM refusals WHERE {_OF}")
_SAVE = text(
    "INSERT INTO refusals (source_no, external_id, mark, reason)"
    " SELECT source_no, :external_id, :mark, :reason FROM sources WHERE name = :source"
    " ON CONFLICT (source_no, external_id) DO UPDATE SET mark = excluded.mark, reason = excluded.reason"
)


async def read(connection: AsyncConnection, source: str) -> dict[str, Refusal]:
    """By external id."""
    return {
        row.external_id: Refusal(row.mark, row.reason) for row in await connection.execute(_READ, {"source": source})
    }


async def save(connection: AsyncConnection, source: str, refused: Mapping[str, Refusal], *, whole: bool) -> None:
    """Keeps what was refused. whole: nothing else of the source is any more."""
    if whole:
        await connection.execute(_DELETE, {"source": source})
    rows = [
        {"source": source, "external_id": external_id, "mark": each.mark, "reason": each.reason}
        for external_id, each in sorted(refused.items())
    ]
    if rows:
        await connection.execute(_SAVE, rows)
