"""Rows of documents: who they are, where they are, whom they admit."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from domain.access import Acl
from domain.documents import SourceDocument
from domain.errors import Refused
from domain.graph import DocumentGraph, Facts
from domain.ports import IndexedState
from storage import acl as acls
from storage.graph import as_json, facts_of


@dataclass(frozen=True, slots=True)
class Stored:
    """A row that was written. rights: whether it was there before with another ACL, or hidden."""

    document_no: int
    rights: bool


_UPSERT = text(
    """
    INSERT INTO documents (document_id, source_no, external_id, title, url, path, media_type, space, labels, author,
                           updated_at, acl_id)
    VALUES (:document_id, :source_no, :external_id, :title, :url, :path, :media_type, :space, :labels, :author,
            :updated_at, :acl_id)
    ON CONFLICT (source_no, external_id) DO UPDATE SET
        title = excluded.title, url = excluded.url, path = excluded.path, media_type = excluded.media_type,
        space = excluded.space, labels = excluded.labels, author = excluded.author,
        updated_at = excluded.updated_at, acl_id = excluded.acl_id, hidden_at = NULL, unseen_at = NULL
    RETURNING document_no
    """
)

# locked, so that what is compared with it is still so at the end
_HELD = text(
    "SELECT acl_id, hidden_at IS NOT NULL AS hidden FROM documents"
    " WHERE source_no = :source AND external_id = :external_id FOR NO KEY UPDATE"
)

_STATES = text(
    """
    SELECT d.external_id, d.document_id, i.content_hash, a.clauses, d.hidden_at IS NOT NULL AS hidden,
           d.title, d.url, d.path, coalesce(i.source_version, '') AS version,
           coalesce(i.graph, 0) AS graph, i.facts IS NOT NULL AS facts
    FROM documents d
    JOIN sources s USING (source_no)
    JOIN acls a USING (acl_id)
    LEFT JOIN indexed_documents i ON i.document_no = d.document_no AND i.version_id = :version
    WHERE s.name = :source
    """
)

_NUMBERS = """
    SELECT d.document_no FROM documents d JOIN sources s USING (source_no)
    WHERE s.name = :source AND d.external_id = ANY(:external_ids)
"""


async def store(connection: AsyncConnection, document: SourceDocument) -> Stored:
    """Inserts or updates the row of `document` and shows it.

    Raises Refused when its source is not there (any more).
    """
    # the lock keeps the source from being removed until this is committed
    find = text("SELECT source_no FROM sources WHERE name = :name FOR KEY SHARE")
    source_no = (await connection.execute(find, {"name": document.source})).scalar_one_or_none()
    if source_no is None:
        raise Refused(f"There is no source {document.source}", next_step="See: kb sources list")
    before = {"source": source_no, "external_id": document.external_id}
    held = (await connection.execute(_HELD, before)).one_or_none()
    acl_id = await acls.intern(connection, document.acl)
    values = {
        "document_id": document.document_id,
        "source_no": source_no,
        "external_id": document.external_id,
        "title": document.title,
        "url": document.url,
        "path": document.path,
        "media_type": document.media_type,
        "space": document.space,
        "labels": list(document.labels),
        "author": document.author,
        "updated_at": document.updated_at,
        "acl_id": acl_id,
    }
    number = int((await connection.execute(_UPSERT, values)).scalar_one())
    return Stored(number, rights=held is not None and (held.acl_id != acl_id or held.hidden))


_MARK = text(
    """
    INSERT INTO indexed_documents AS held
        (version_id, document_no, content_hash, chunks, source_version, graph, facts)
    VALUES (:version, :document_no, :content_hash, :chunks, :source_version, coalesce(CAST(:graph AS smallint), 0),
            CAST(:facts AS jsonb))
    ON CONFLICT (version_id, document_no) DO UPDATE SET content_hash = excluded.content_hash,
        chunks = excluded.chunks, source_version = excluded.source_version, indexed_at = now(),
        graph = coalesce(CAST(:graph AS smallint), held.graph), facts = coalesce(excluded.facts, held.facts)
    """
)


async def mark_indexed(
    connection: AsyncConnection,
    version: int,
    document_no: int,
    document: SourceDocument,
    chunks: int,
    graph: DocumentGraph | None,
) -> None:
    """Notes what content of a document the version holds, and what part of the graph; None: the one that it had."""
    values = {"content_hash": document.content_hash, "chunks": chunks, "source_version": document.version}
    await connection.execute(_MARK, {"version": version, "document_no": document_no, **values, **_marks(graph)})


def _marks(graph: DocumentGraph | None) -> dict[str, object]:
    if graph is None:
        return {"graph": None, "facts": None}
    return {"graph": graph.revision, "facts": json.dumps(as_json(graph.facts))}


async def mark_graph(connection: AsyncConnection, version: int, document_no: int, graph: DocumentGraph) -> None:
    """Notes which rules the document's part of the graph was made by, and what its source states."""
    update = text(
        "UPDATE indexed_documents SET graph = :graph, facts = CAST(:facts AS jsonb)"
        " WHERE version_id = :version AND document_no = :number"
    )
    await connection.execute(update, {"version": version, "number": document_no, **_marks(graph)})


async def facts(connection: AsyncConnection, version: int, document_no: int) -> Facts | None:
    """What its source states of a document; None where that was never asked for."""
    query = text("SELECT facts FROM indexed_documents WHERE version_id = :version AND document_no = :number")
    found = (await connection.execute(query, {"version": version, "number": document_no})).scalar_one_or_none()
    return None if found is None else facts_of(found)


async def mark_version(connection: AsyncConnection, version: int, document_no: int, source_version: str) -> None:
    """Notes that what the version holds of a document is as its source has it in this form, too."""
    update = text(
        "UPDATE indexed_documents SET source_version = :source_version"
        " WHERE version_id = :version AND document_no = :number AND source_version <> :source_version"
    )
    await connection.execute(update, {"version": version, "number": document_no, "source_version": source_version})


async def held_hash(connection: AsyncConnection, version: int, document_no: int) -> bytes | None:
    """The hash of the content that the version holds of a document; None when it holds none."""
    query = text("SELECT content_hash FROM indexed_documents WHERE version_id = :version AND document_no = :number")
    found = (await connection.execute(query, {"version": version, "number": document_no})).scalar_one_or_none()
    return None if found is None else bytes(found)


async def states(connection: AsyncConnection, version: int, source: str) -> dict[str, IndexedState]:
    """What is held of each document of `source`, by external id."""
    rows = (await connection.execute(_STATES, {"version": version, "source": source})).all()
    return {
        row.external_id: IndexedState(
            external_id=row.external_id,
            document_id=row.document_id,
            content_hash=row.content_hash,
            acl=acls.decode(row.clauses),
            hidden=row.hidden,
            title=row.title,
            url=row.url,
            path=row.path,
            version=row.version,
            graph=row.graph,
            facts=row.facts,
        )
        for row in rows
    }


async def admit(connection: AsyncConnection, source: str, external_ids: Sequence[str], acl: Acl) -> bool:
    """Gives documents another ACL, in every version; returns whether any had not that one."""
    changed = await connection.execute(
        text(f"UPDATE documents SET acl_id = :acl WHERE acl_id <> :acl AND document_no IN ({_NUMBERS})"),
        {"acl": await acls.intern(connection, acl), "source": source, "external_ids": list(external_ids)},
    )
    return changed.rowcount > 0


async def hide(connection: AsyncConnection, source: str, external_ids: Sequence[str]) -> bool:
    """Makes documents invisible in every version; returns whether any was not."""
    changed = await connection.execute(
        text(f"UPDATE documents SET hidden_at = now() WHERE hidden_at IS NULL AND document_no IN ({_NUMBERS})"),
        {"source": source, "external_ids": list(external_ids)},
    )
    return changed.rowcount > 0


@dataclass(frozen=True, slots=True)
class NamedRow:
    """A row that was looked for."""

    document_no: int
    title: str
    path: str


async def named(connection: AsyncConnection, document_id: str) -> NamedRow | None:
    """The row of a document; None when there is none."""
    query = text("SELECT document_no, title, path FROM documents WHERE document_id = :id")
    row = (await connection.execute(query, {"id": document_id})).one_or_none()
    return NamedRow(*row) if row else None


async def numbers(connection: AsyncConnection, source: str, external_ids: Sequence[str]) -> list[int]:
    """Document numbers of external ids; the source is not removed until this is committed."""
    query = text(_NUMBERS + " FOR KEY SHARE OF s")
    found = await connection.execute(query, {"source": source, "external_ids": list(external_ids)})
    return [int(number) for number in found.scalars()]


async def delete(connection: AsyncConnection, document_nos: Sequence[int]) -> None:
    """Removes the rows; what versions hold of them must be gone before."""
    await connection.execute(
        text("DELETE FROM documents WHERE document_no = ANY(:numbers)"), {"numbers": list(document_nos)}
    )
