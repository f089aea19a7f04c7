"""Texts of the index and of questions, to see which languages they are in."""

from collections import Counter

from psycopg.types.json import Jsonb

from domain.text.languages import OTHER, told_language
from storage.server.engine import AsyncConnection
from storage.server.pool import ConnectionPool

_MAX_TEXT_CHARACTERS = 2_000
"""Characters of a text that are looked at."""

_SAMPLE_SIZE = 300
"""Chunks that are looked at when a run ends."""

# only the texts of the sampled chunks are read
_CHUNKS = f"""
    SELECT left(text, {_MAX_TEXT_CHARACTERS}) AS text FROM chunks WHERE version_id = {{version}} AND chunk_no IN (
        SELECT chunk_no FROM chunks JOIN documents USING (document_no)
        WHERE version_id = {{version}} AND hidden_at IS NULL ORDER BY md5(chunk_no::text) LIMIT %(most)s
    )
"""
_LIVE = "(SELECT version_id FROM index_versions WHERE state = 'live')"
_QUESTIONS = f"""
    SELECT left(text, {_MAX_TEXT_CHARACTERS}) AS text FROM questions WHERE text <> ''
    ORDER BY question_no DESC LIMIT %(most)s
"""
_UPDATE_LANGUAGES = "UPDATE index_versions SET languages = %(languages)s WHERE version_id = %(version)s"
_SELECT_LANGUAGES = b"SELECT coalesce(languages, '{}') AS languages FROM index_versions WHERE state = 'live'"


async def sampled_chunks(owner: ConnectionPool, most: int) -> list[str]:
    """At most so many chunks of the live index, as if drawn by lot, each time the same."""
    return [row.text for row in await owner.fetch_all(_CHUNKS.format(version=_LIVE).encode(), most=most)]


async def recent_questions(owner: ConnectionPool, most: int) -> list[str]:
    """The last questions whose words are kept, at most so many."""
    return [row.text for row in await owner.fetch_all(_QUESTIONS.encode(), most=most)]


async def note_languages(connection: AsyncConnection, version_id: int) -> None:
    """Keeps which languages a sample of a version's chunks is written in. Raises as the connection does."""
    values: dict[str, object] = {"version": version_id, "most": _SAMPLE_SIZE}
    rows = await connection.exec_driver_sql(_CHUNKS.format(version="%(version)s"), values)
    counts = Counter(language for row in rows if (language := told_language(row.text)) != OTHER)
    shares = {language: count / counts.total() for language, count in counts.items()}
    await connection.exec_driver_sql(_UPDATE_LANGUAGES, values | {"languages": Jsonb(shares)})


async def index_languages(pool: ConnectionPool) -> dict[str, float]:
    """Shares of the live index's texts by the code of their language (domain.text.languages.NAMES), of those that tell
    it, as they were at the end of its last run; empty before the first. Raises Transient while the database is away."""
    row = await pool.fetch_one(_SELECT_LANGUAGES)
    return row.languages if row else {}
