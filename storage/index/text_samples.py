"""Texts of the index and of questions, to see which languages they are in."""

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from storage.server.transactions import transaction

_LONGEST = 2_000
"""Characters of a text that are looked at."""

_CHUNKS = text(
    f"""
    SELECT left(text, {_LONGEST}) FROM chunks JOIN documents USING (document_no)
    WHERE version_id = (SELECT version_id FROM index_versions WHERE state = 'live') AND hidden_at IS NULL
    ORDER BY md5(chunk_no::text) LIMIT :most
    """
)
_QUESTIONS = text(
    f"SELECT left(text, {_LONGEST}) FROM questions WHERE text <> '' ORDER BY question_no DESC LIMIT :most"
)


async def sampled_chunks(engine: AsyncEngine, most: int) -> list[str]:
    """At most so many chunks of the live index, as if drawn by lot, each time the same."""
    async with transaction(engine) as connection:
        return list((await connection.execute(_CHUNKS, {"most": most})).scalars())


async def recent_questions(engine: AsyncEngine, most: int) -> list[str]:
    """The last questions whose words are kept, at most so many."""
    async with transaction(engine) as connection:
        return list((await connection.execute(_QUESTIONS, {"most": most})).scalars())
