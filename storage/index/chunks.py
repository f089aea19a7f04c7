"""Rows of chunks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from pgvector import HalfVector
from psycopg import AsyncConnection as DriverConnection
from psycopg.rows import namedtuple_row

from domain.documents import BlockKind, Chunk, SourceDocument, Span, compose
from domain.injection import INJECTION_REVISION, injection_in
from domain.search import Passage
from storage.index import visible
from storage.permissions import acls
from storage.permissions.acl_numbers import AclNumbers
from storage.server.bulk_copy import copy_rows
from storage.server.engine import AsyncConnection, text

VISIBLE = "d.hidden_at IS NULL AND d.acl_id = ANY(%(acls)s) AND (c.acl_id IS NULL OR c.acl_id = ANY(%(acls)s))"
"""The condition for a visible chunk `c` of a document `d`. `acls`: numbers of the permitted ACLs."""

_NEIGHBOURS = """
    ARRAY(SELECT n.text FROM chunks n
          WHERE n.version_id = %(version)s AND n.document_no = c.document_no
            AND (n.acl_id IS NULL OR n.acl_id = ANY(%(acls)s)) AND n.ordinal BETWEEN {} ORDER BY n.ordinal)
"""

_PASSAGES = f"""
    SELECT c.chunk_id, d.document_id, c.ordinal, c.title, d.url, d.path, s.name AS source, c.heading_path, c.text,
           c.kind, c.first_line, c.last_line, c.page, d.author, d.updated_at, v.embedding,
           CASE WHEN c.injection_revision >= %(injection_revision)s THEN c.injection END AS injection,
           {_NEIGHBOURS.format("c.ordinal - %(neighbours)s AND c.ordinal - 1")} AS before,
           {_NEIGHBOURS.format("c.ordinal + 1 AND c.ordinal + %(neighbours)s")} AS after
    FROM {visible.vectors("vectors")}
    JOIN sources s USING (source_no)
    WHERE v.version_id = %(version)s AND c.version_id = %(version)s AND c.chunk_id = ANY(%(chunk_ids)s) AND {VISIBLE}
"""


@dataclass(frozen=True, slots=True)
class AnalyzedChunk:
    """A chunk with what is found out of its text before it is written."""

    chunk: Chunk
    tokens: Sequence[str]
    injection: str
    """What sort of text addressed to a machine it holds; empty: none."""


async def new_numbers(connection: AsyncConnection, count: int) -> list[int]:
    """`count` new chunk numbers; a number is never used twice."""
    query = text("SELECT nextval('chunk_numbers') FROM generate_series(1, :count)")
    return [int(number) for number in (await connection.execute(query, {"count": count})).scalars()]


async def write(
    connection: AsyncConnection,
    version: int,
    document_no: int,
    document: SourceDocument,
    numbered: Mapping[int, AnalyzedChunk],
) -> None:
    """Writes the chunks of one document, by their numbers. `acl_id` is null unless a chunk's ACL differs from the
    document's."""
    read = [(number, each.chunk, each.injection) for number, each in numbered.items()]
    own = {chunk.acl for _, chunk, _ in read if chunk.acl != document.acl}
    numbers = {acl: await acls.intern(connection, acl) for acl in own}
    rows = [
        (
            version,
            number,
            chunk.chunk_id,
            document_no,
            chunk.ordinal,
            numbers.get(chunk.acl),
            chunk.kind.value,
            chunk.title,
            list(chunk.heading_path),
            chunk.text,
            chunk.span.first_line,
            chunk.span.last_line,
            chunk.span.page,
            chunk.text_hash,
            injection,
            INJECTION_REVISION,
        )
        for number, chunk, injection in read
    ]
    await copy_rows(connection, "chunks", rows)


async def embedded_texts(connection: AsyncConnection, version: int, document_nos: Sequence[int]) -> dict[int, str]:
    """The texts of documents' chunks, as they were embedded and tokenised, by chunk number."""
    query = text(
        "SELECT chunk_no, title, heading_path, text FROM chunks"
        " WHERE version_id = :version AND document_no = ANY(:numbers)"
    )
    rows = await connection.execute(query, {"version": version, "numbers": list(document_nos)})
    return {int(row.chunk_no): whole_text(row) for row in rows}


def whole_text(row: Any) -> str:  # a row of `chunks`
    """A chunk's text as it was embedded, with title and headings."""
    return compose(row.title, tuple(row.heading_path), row.text)


async def stored_ids(connection: AsyncConnection, version: int, document_id: str) -> list[str] | None:
    """Ids of a document's chunks, in order; None where the version does not hold it."""
    query = text(
        "SELECT ARRAY(SELECT chunk_id FROM chunks c WHERE c.version_id = i.version_id"
        " AND c.document_no = i.document_no ORDER BY c.ordinal)"
        " FROM indexed_documents i JOIN documents d USING (document_no)"
        " WHERE i.version_id = :version AND d.document_id = :document_id"
    )
    found = await connection.execute(query, {"version": version, "document_id": document_id})
    stored_chunks: list[str] | None = found.scalar_one_or_none()
    return stored_chunks


async def stored_chunks(connection: AsyncConnection, version: int, document_no: int) -> list[tuple[int, Chunk]]:
    """The chunks of a document with their numbers, in order; each with the document's ACL or its own."""
    query = text(
        "SELECT c.chunk_no, d.document_id, c.ordinal, c.title, c.heading_path, c.text, c.kind, c.first_line,"
        " c.last_line, c.page, a.clauses FROM chunks c JOIN documents d USING (document_no)"
        " JOIN acls a ON a.acl_id = coalesce(c.acl_id, d.acl_id)"
        " WHERE c.version_id = :version AND c.document_no = :number ORDER BY c.ordinal"
    )
    rows = await connection.execute(query, {"version": version, "number": document_no})
    return [(int(row.chunk_no), _chunk(row)) for row in rows.all()]


def _chunk(row: Any) -> Chunk:  # a row of `stored_chunks`
    return Chunk(
        document_id=row.document_id,
        ordinal=row.ordinal,
        title=row.title,
        heading_path=tuple(row.heading_path),
        text=row.text,
        kind=BlockKind(row.kind),
        span=Span(row.first_line, row.last_line, row.page),
        acl=acls.decode(row.clauses),
    )


async def own_acls(connection: AsyncConnection, version: int, document_no: int) -> set[tuple[bytes, int]]:
    """Text hash and ACL number of those chunks of a document that have an ACL of their own."""
    query = text(
        "SELECT DISTINCT text_hash, acl_id FROM chunks"
        " WHERE version_id = :version AND document_no = :number AND acl_id IS NOT NULL"
    )
    rows = await connection.execute(query, {"version": version, "number": document_no})
    return {(bytes(row.text_hash), int(row.acl_id)) for row in rows.all()}


async def delete(connection: AsyncConnection, version: int, chunk_nos: Sequence[int]) -> None:
    """Removes chunks with their vectors and propositions."""
    for table in ("propositions", "vectors", "chunks"):
        await connection.execute(
            text(f"DELETE FROM {table} WHERE version_id = :version AND chunk_no = ANY(:numbers)"),
            {"version": version, "numbers": list(chunk_nos)},
        )


async def passages(
    connection: DriverConnection[Any], version: int, chunk_ids: Sequence[str], allowed: AclNumbers, neighbours: int
) -> list[Passage]:
    """The visible ones of `chunk_ids`, in that order."""
    values = {
        "version": version,
        "chunk_ids": list(chunk_ids),
        "acls": allowed,
        "neighbours": neighbours,
        "injection_revision": INJECTION_REVISION,
    }
    # binary: to parse the text of fifty vectors takes 10 ms
    async with connection.cursor(row_factory=namedtuple_row, binary=True) as cursor:
        await cursor.execute(_PASSAGES.encode(), values)
        found = {passage.chunk_id: passage for passage in map(_passage, await cursor.fetchall())}
    return [found[chunk_id] for chunk_id in chunk_ids if chunk_id in found]


def _passage(row: Any) -> Passage:  # a row of _PASSAGES
    vector: HalfVector = row.embedding
    return Passage(
        chunk_id=row.chunk_id,
        document_id=row.document_id,
        ordinal=row.ordinal,
        title=row.title,
        url=row.url,
        path=row.path,
        source=row.source,
        heading_path=tuple(row.heading_path),
        text=row.text,
        kind=BlockKind(row.kind),
        span=Span(row.first_line, row.last_line, row.page),
        updated_at=row.updated_at,
        vector=vector.to_numpy().astype(np.float32),
        before=tuple(row.before),
        after=tuple(row.after),
        author=row.author,
        injection=row.injection if row.injection is not None else injection_in(whole_text(row)),
    )
