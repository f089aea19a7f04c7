"""Texts of the index and of questions, to see which languages they are in."""

from storage.server.pool import ConnectionPool

_LONGEST = 2_000
"""Characters of a text that are looked at."""

_CHUNKS = f"""
    SELECT left(text, {_LONGEST}) AS text FROM chunks JOIN documents USING (document_no)
    WHERE version_id = (SELECT version_id FROM index_versions WHERE state = 'live') AND hidden_at IS NULL
    ORDER BY md5(chunk_no::text) LIMIT %(most)s
"""
_QUESTIONS = f"""
    SELECT left(text, {_LONGEST}) AS text FROM questions WHERE text <> '' ORDER BY question_no DESC LIMIT %(most)s
"""


async def sampled_chunks(owner: ConnectionPool, most: int) -> list[str]:
    """At most so many chunks of the live index, as if drawn by lot, each time the same."""
    return [row.text for row in await owner.fetch_all(_CHUNKS.encode(), most=most)]


async def recent_questions(owner: ConnectionPool, most: int) -> list[str]:
    """The last questions whose words are kept, at most so many."""
    return [row.text for row in await owner.fetch_all(_QUESTIONS.encode(), most=most)]
