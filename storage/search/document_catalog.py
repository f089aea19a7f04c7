"""DocumentCatalog over PostgreSQL: documents by name, and part after part."""

import re
from collections.abc import Mapping
from typing import Any

from psycopg.rows import namedtuple_row
from rapidfuzz import fuzz, process
from rapidfuzz.utils import default_process

from domain.access import Scope
from domain.search import DocumentInfo, Filters, Passage
from storage.index import chunks
from storage.index.vectors import ChunkCondition
from storage.search.snapshot import IndexSnapshot, chunk_condition, read_snapshot, select_chunks
from storage.server.pool import Connection, ConnectionPool

FITS = 0.5
"""A lower score says that a name and a document have little in common."""

_NEAR = 0.99  # the best score of a document that does not bear the very name
_CANDIDATES = 300
_WORDS = 12  # of a name that are looked at
_WORD = re.compile(r"[^\W_]+")

_SELECT_DOCUMENTS = """
    WITH found AS (
        SELECT d.*, {named} AS named, {held} AS held
        FROM documents d CROSS JOIN LATERAL (SELECT lower(d.title || ' ' || d.path) AS title_and_path) t
        WHERE {wanted} AND EXISTS (
            SELECT FROM chunks c
            WHERE c.version_id = {version} AND c.document_no = d.document_no AND {visible})
    )
    SELECT d.document_id, d.title, d.url, d.path, s.name AS source, d.author, d.updated_at, d.named,
           (SELECT count(*) FROM chunks c
            WHERE c.version_id = {version} AND c.document_no = d.document_no AND {visible}) AS chunks
    FROM (SELECT * FROM found d ORDER BY {order} LIMIT %(most)s) d JOIN sources s USING (source_no)
    ORDER BY {order}
"""
"""named: whether a document bears the very name. held: how many pieces of it its title and path have."""

_NAMED = """
    (d.document_id = %(name)s OR d.path = %(name)s OR d.url = %(name)s OR d.title = %(name)s
     OR right(d.path, char_length(%(name)s) + 1) = '/' || %(name)s)
"""
_MOST_ALIKE = 'd.named DESC, d.held DESC, char_length(d.title), d.path COLLATE "C", d.document_id COLLATE "C"'
_NEWEST = 'd.updated_at DESC NULLS LAST, d.path COLLATE "C", d.document_id COLLATE "C"'


class PostgresDocumentCatalog:
    """The domain.search_ports.DocumentCatalog: documents of the live index version of which the reader may see a
    part."""

    def __init__(self, pool: ConnectionPool) -> None:
        self._pool = pool

    async def find(self, name: str, scope: Scope, *, filters: Filters, limit: int = 10) -> list[DocumentInfo]:
        asked = name.strip()

        async def work(connection: Connection) -> list[DocumentInfo]:
            snapshot = await read_snapshot(connection, scope)
            narrowed = chunk_condition(filters, snapshot.acls)
            if not asked:
                every = {"named": "true", "held": "0", "wanted": "true", "order": _NEWEST}
                newest = await _rows(connection, snapshot, narrowed, every, {"most": max(0, limit)})
                return [_info(row, 1.0) for row in newest]
            rows = await _candidates(connection, snapshot, narrowed, asked)
            found = [_info(row, 1.0 if row.named else likeness(asked, row.title, row.path)) for row in rows]
            fitting = [info for info in found if info.score >= FITS]
            return sorted(fitting, key=lambda info: (-info.score, info.path, info.document_id))[: max(0, limit)]

        return await self._pool.run(work)

    async def chunks(self, document_id: str, scope: Scope, *, first: int = 0, limit: int = 50) -> list[Passage]:
        return await self._passages(scope, Filters(documents=(document_id,)), b"ORDER BY c.ordinal", limit, first)

    async def marked_passages(self, scope: Scope, *, filters: Filters, limit: int) -> list[Passage]:
        """The first `limit` passages, by document, that hold text addressed to machines, see domain.injection. Chunks
        that no detector of now has looked at are not among them."""
        return await self._passages(scope, filters, b"AND c.injection <> '' ORDER BY c.document_no, c.ordinal", limit)

    async def _passages(
        self, scope: Scope, filters: Filters, chosen: bytes, limit: int, first: int = 0
    ) -> list[Passage]:
        async def work(connection: Connection) -> list[Passage]:
            snapshot = await read_snapshot(connection, scope)
            narrowed = chunk_condition(filters, snapshot.acls)
            query = (
                select_chunks(snapshot, "c.chunk_id", narrowed) + b" " + chosen + b" LIMIT %(most)s OFFSET %(first)s"
            )
            bound = {**narrowed.values, "first": first, "most": max(0, limit)}
            ids = [row[0] for row in await (await connection.execute(query, bound)).fetchall()]
            return await chunks.passages(connection, snapshot.version.version_id, ids, snapshot.acls, 0)

        return await self._pool.run(work)


def likeness(name: str, title: str, path: str) -> float:
    """How well a name fits a document's title, path or file name, 0 to 0.99: RapidFuzz's weighted ratio of the best
    of the three, without regard to case and punctuation."""
    places = [title, path, path.rpartition("/")[2]]
    scored = process.extractOne(name, places, scorer=fuzz.WRatio, processor=default_process)
    return min(_NEAR, scored[1] / 100)


async def _candidates(
    connection: Connection, snapshot: IndexSnapshot, narrowed: ChunkCondition, name: str
) -> list[Any]:
    """Documents that bear the very name, then those that have most pieces of its words in title or path."""
    pieces = {f"piece{number}": piece for number, piece in enumerate(pieces_of(name))}
    has = [f"strpos(title_and_path, lower(%({key})s)) > 0" for key in pieces]
    parts = {
        "named": _NAMED,
        "held": " + ".join(f"({each})::int" for each in has) or "0",
        "wanted": f"({' OR '.join([_NAMED, *has])})",
        "order": _MOST_ALIKE,
    }
    return await _rows(connection, snapshot, narrowed, parts, {**pieces, "name": name, "most": _CANDIDATES})


async def _rows(
    connection: Connection,
    snapshot: IndexSnapshot,
    narrowed: ChunkCondition,
    parts: Mapping[str, str],
    values: Mapping[str, object],
) -> list[Any]:
    query = _SELECT_DOCUMENTS.format(version=snapshot.version.version_id, visible=narrowed.condition, **parts)
    async with connection.cursor(row_factory=namedtuple_row) as cursor:
        await cursor.execute(query.encode(), {**narrowed.values, **values})
        return await cursor.fetchall()


def _info(row: Any, score: float) -> DocumentInfo:  # a row of _SELECT_DOCUMENTS
    about = (row.document_id, row.title, row.url, row.path, row.source, row.author, row.updated_at, row.chunks)
    return DocumentInfo(*about, score)


def pieces_of(name: str) -> list[str]:
    """What to look for in titles and paths: the beginnings of a name's words, so that an ending may be another one,
    or mistyped; the whole of short words."""
    words = dict.fromkeys(word[: max(3, 2 * len(word) // 3)] for word in _WORD.findall(name))
    return list(words)[:_WORDS]
