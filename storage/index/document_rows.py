"""Rows of documents: who they are, where they are, whom they admit."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from domain.access import Acl, admitted_by_both
from domain.documents import SourceDocument, content_of
from domain.errors import Refused
from domain.index_ports import IndexedDocument
from domain.knowledge_graph import DocumentGraph
from storage.index.graph_rows import facts_as_json
from storage.permissions import acls
from storage.server.locks import LOCK_SOURCE


@dataclass(frozen=True, slots=True)
class StoredDocument:
    """A row that was written."""

    document_no: int
    visibility_changed: bool
    """Whether the document was there before with another ACL, or hidden."""


_UPSERT = text(
    """
    INSERT INTO documents (document_id, source_no, external_id, title, url, path, media_type, space, labels, author,
                           updated_at, acl_id, acl_at)
    VALUES (:document_id, :source_no, :external_id, :title, :url, :path, :media_type, :space, :labels, :author,
            :updated_at, :acl_id, :acl_at)
    ON CONFLICT (source_no, external_id) DO UPDATE SET
        title = excluded.title, url = excluded.url, path = excluded.path, media_type = excluded.media_type,
        space = excluded.space, labels = excluded.labels, author = excluded.author,
        updated_at = excluded.updated_at, acl_id = excluded.acl_id, acl_at = excluded.acl_at,
        hidden_at = CASE WHEN documents.hidden_at > :listed_at THEN documents.hidden_at END,
        unseen_at = CASE WHEN documents.unseen_at > :listed_at THEN documents.unseen_at END
    RETURNING document_no, hidden_at IS NOT NULL AS hidden
    """
)

# locked, so that what is compared with it is still so at the end
_STORED_ACL = text(
    """
    SELECT acl_id, clauses, acl_at, hidden_at IS NOT NULL AS hidden,
           (SELECT i.content_hash FROM indexed_documents i JOIN index_versions v USING (version_id)
            WHERE i.document_no = d.document_no AND v.state = 'live' AND version_id <> :version) AS shown_hash
    FROM documents d JOIN acls USING (acl_id)
    WHERE source_no = :source AND external_id = :external_id FOR NO KEY UPDATE OF d
    """
)
_TAKE_AWAITED_ACL = text(
    "DELETE FROM awaited_acls USING acls WHERE source_no = :source AND external_id = :external_id"
    " AND acls.acl_id = awaited_acls.acl_id RETURNING clauses, read_at AS acl_at"
)
_SET_ACL = text(
    """
    UPDATE documents SET acl_id = :acl, acl_at = coalesce(:at, acl_at)
    WHERE source_no = :source AND external_id = ANY(:external_ids) AND acl_id <> :acl
    AND (CAST(:at AS timestamptz) IS NULL OR acl_at IS NULL OR acl_at <= :at)
    """
)
_ADD_AWAITED_ACLS = text(
    """
    INSERT INTO awaited_acls (source_no, external_id, acl_id, read_at)
    SELECT :source, wanted.id, :acl, :at FROM unnest(CAST(:external_ids AS text[])) AS wanted (id)
    WHERE NOT EXISTS (SELECT FROM documents WHERE source_no = :source AND external_id = wanted.id)
    ON CONFLICT (source_no, external_id) DO UPDATE SET acl_id = excluded.acl_id, read_at = excluded.read_at
    WHERE awaited_acls.read_at <= excluded.read_at
    """
)

_INDEXED_DOCUMENTS = text(
    """
    SELECT d.external_id, d.document_id, i.content_hash, a.clauses, d.hidden_at IS NOT NULL AS hidden,
           d.title, d.url, d.path, coalesce(i.source_version, '') AS version,
           CASE WHEN i.graph_hash = i.content_hash THEN i.graph ELSE 0 END AS graph_revision,
           i.facts IS NOT NULL AND i.graph_hash IS NOT DISTINCT FROM i.content_hash AS has_facts,
           (SELECT coalesce(shown.source_version, '') FROM indexed_documents shown
            JOIN index_versions v USING (version_id)
            WHERE shown.document_no = d.document_no AND v.state = 'live' AND version_id <> :version) AS shown_version,
           (SELECT copied.source_version FROM indexed_documents copied JOIN index_versions v USING (version_id)
            WHERE copied.document_no = d.document_no AND v.state = 'building' AND v.copied
            AND version_id <> :version) AS copy_version
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


async def upsert(connection: AsyncConnection, document: SourceDocument, version: int) -> StoredDocument:
    """Inserts or updates the row of `document`, which `version` of the index is to hold, and shows it. Where an ACL is
    held, or awaits the document, that was read later than the document's, only those read it whom both admit: whom it
    was opened to may never have been allowed to read the text of before. So it is where the live version is another one
    and shows another text. What was found missing since its ACL was read stays hidden.

    Raises Refused when its source is not there (any more).
    """
    # the lock keeps the source from being removed, and ACLs from being written, until this is committed
    find = text("SELECT source_no FROM sources WHERE name = :name FOR KEY SHARE")
    source_no = (await connection.execute(find, {"name": document.source})).scalar_one_or_none()
    if source_no is None:
        raise Refused(f"There is no source {document.source}", next_step="See: kb sources list")
    before = {"source": source_no, "external_id": document.external_id}
    held = (await connection.execute(_STORED_ACL, before | {"version": version})).one_or_none()
    come = (await connection.execute(_TAKE_AWAITED_ACL, before)).one_or_none()
    acl, acl_at = _acl_of_text(document, held, come)
    acl_id = await acls.intern(connection, acl)
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
        "acl_at": acl_at,
        "listed_at": document.acl_at,
    }
    row = (await connection.execute(_UPSERT, values)).one()
    changed = held is not None and (held.acl_id != acl_id or held.hidden != row.hidden)
    return StoredDocument(int(row.document_no), visibility_changed=changed)


def _acl_of_text(document: SourceDocument, held: Any, come: Any) -> tuple[Acl, datetime | None]:
    """Whom a document's text admits beside the ACLs that are held of it and that have come for it, and when the last of
    these was read; its own where it is not dated."""
    acl, read_at = document.acl, document.acl_at
    if held and held.shown_hash and content_of(bytes(held.shown_hash)) != content_of(document.content_hash):
        acl = admitted_by_both(acl, acls.decode(held.clauses))
    rows = [row for row in (held, come) if row is not None]
    later = [row for row in rows if read_at and row.acl_at is not None and row.acl_at > read_at]
    if later:
        newest = max(later, key=lambda row: row.acl_at)
        acl, read_at = admitted_by_both(acl, acls.decode(newest.clauses)), newest.acl_at
    return acl, read_at


_MARK_INDEXED = text(
    """
    INSERT INTO indexed_documents AS held
        (version_id, document_no, content_hash, chunks, source_version, graph, facts, graph_hash, text_acl_at)
    VALUES (:version, :document_no, :content_hash, :chunks, :source_version, coalesce(CAST(:graph AS smallint), 0),
            CAST(:facts AS jsonb), :content_hash, (SELECT acl_at FROM documents WHERE document_no = :document_no))
    ON CONFLICT (version_id, document_no) DO UPDATE SET content_hash = excluded.content_hash,
        chunks = excluded.chunks, source_version = excluded.source_version, indexed_at = now(),
        text_acl_at = excluded.text_acl_at,
        graph = coalesce(CAST(:graph AS smallint), held.graph), facts = coalesce(excluded.facts, held.facts),
        graph_hash = CASE WHEN CAST(:graph AS smallint) IS NULL AND held.graph_hash IS DISTINCT FROM held.content_hash
                     THEN held.graph_hash ELSE excluded.content_hash END
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
    await connection.execute(
        _MARK_INDEXED, {"version": version, "document_no": document_no, **values, **_graph_values(graph)}
    )


def _graph_values(graph: DocumentGraph | None) -> dict[str, object]:
    if graph is None:
        return {"graph": None, "facts": None}
    return {"graph": graph.revision, "facts": json.dumps(facts_as_json(graph.facts))}


async def mark_graph(connection: AsyncConnection, version: int, document_no: int, graph: DocumentGraph) -> None:
    """Notes which rules the document's part of the graph was made by, and what its source states."""
    update = text(
        "UPDATE indexed_documents SET graph = :graph, facts = CAST(:facts AS jsonb), graph_hash = content_hash,"
        " indexed_at = now()"
        " WHERE version_id = :version AND document_no = :number"
    )
    await connection.execute(update, {"version": version, "number": document_no, **_graph_values(graph)})


async def mark_version(connection: AsyncConnection, version: int, document_no: int, source_version: str) -> None:
    """Notes that what the version holds of a document is as its source has it in this form, too."""
    update = text(
        "UPDATE indexed_documents SET source_version = :source_version"
        " WHERE version_id = :version AND document_no = :number AND source_version <> :source_version"
    )
    await connection.execute(update, {"version": version, "number": document_no, "source_version": source_version})


async def mark_absent(connection: AsyncConnection, version: int, document_no: int) -> None:
    """Notes that the version holds nothing of a document any more."""
    delete = text("DELETE FROM indexed_documents WHERE version_id = :version AND document_no = :number")
    await connection.execute(delete, {"version": version, "number": document_no})


async def stored_hash(connection: AsyncConnection, version: int, document_no: int) -> bytes | None:
    """The hash of the content that the version holds of a document; None when it holds none."""
    query = text("SELECT content_hash FROM indexed_documents WHERE version_id = :version AND document_no = :number")
    found = (await connection.execute(query, {"version": version, "number": document_no})).scalar_one_or_none()
    return None if found is None else bytes(found)


async def hidden_text(connection: AsyncConnection, document: SourceDocument, version: int) -> int | None:
    """The number of a document that is hidden, if the live version is another one than `version` and holds another text
    of it."""
    query = text(
        "SELECT document_no, content_hash FROM documents JOIN indexed_documents USING (document_no)"
        " JOIN index_versions USING (version_id) WHERE document_id = :id AND hidden_at IS NOT NULL"
        " AND state = 'live' AND version_id <> :version"
    )
    row = (await connection.execute(query, {"id": document.document_id, "version": version})).one_or_none()
    if row is None or content_of(bytes(row.content_hash)) == content_of(document.content_hash):
        return None
    return int(row.document_no)


async def indexed_documents(connection: AsyncConnection, version: int, source: str) -> dict[str, IndexedDocument]:
    """What is held of each document of `source`, by external id."""
    found = {}
    for row in (await connection.execute(_INDEXED_DOCUMENTS, {"version": version, "source": source})).mappings():
        about = dict(row)
        found[about["external_id"]] = IndexedDocument(acl=acls.decode(about.pop("clauses")), **about)
    return found


async def set_acl(
    connection: AsyncConnection, source: str, external_ids: Sequence[str], acl: Acl, read_at: datetime | None
) -> bool:
    """Gives documents another ACL, in every version; returns whether any had not that one. read_at: when it was read;
    one that was read later stays then, and it is kept for documents that are still to come."""
    # nobody writes a document of the source meanwhile: it is here, or will find its ACL when it comes
    find = text("SELECT source_no FROM sources WHERE name = :source FOR UPDATE")
    source_no = (await connection.execute(find, {"source": source})).scalar_one_or_none()
    if source_no is None:
        return False
    number = await acls.intern(connection, acl)
    values = {"source": source_no, "external_ids": list(external_ids), "acl": number, "at": read_at}
    changed = (await connection.execute(_SET_ACL, values)).rowcount > 0
    if read_at is not None:
        await connection.execute(_ADD_AWAITED_ACLS, values)
    return changed


_HIDE = text(
    f"""
    UPDATE documents SET hidden_at = now() WHERE hidden_at IS NULL AND document_no IN ({_NUMBERS})
    AND (CAST(:listed_at AS timestamptz) IS NULL OR acl_at IS NULL OR acl_at <= :listed_at)
    """
)


async def hide(
    connection: AsyncConnection, source: str, external_ids: Sequence[str], listed_at: datetime | None
) -> bool:
    """Makes documents invisible in every version; returns whether any was not. listed_at: when they were missing; those
    whose ACL was read later stay."""
    await connection.execute(text(LOCK_SOURCE), {"source": source})
    changed = await connection.execute(
        _HIDE, {"source": source, "external_ids": list(external_ids), "listed_at": listed_at}
    )
    return changed.rowcount > 0


async def find(connection: AsyncConnection, version: int, document_id: str) -> Any:
    """Number, title, path and facts of a document; None when the version holds none of that id. Its facts are None
    where its source was never asked for them, or before it changed."""
    query = text(
        "SELECT document_no, title, path, CASE WHEN graph_hash = content_hash THEN facts END AS facts"
        " FROM documents JOIN indexed_documents USING (document_no)"
        " WHERE version_id = :version AND document_id = :id"
    )
    return (await connection.execute(query, {"version": version, "id": document_id})).one_or_none()


async def numbers(
    connection: AsyncConnection, source: str, external_ids: Sequence[str], hidden_by: datetime | None
) -> list[int]:
    """Document numbers of external ids; the source is not removed until this is committed. hidden_by: only of those
    that have been hidden since then or longer."""
    hidden = "AND (CAST(:hidden_by AS timestamptz) IS NULL OR d.hidden_at <= :hidden_by)"
    query = text(f"{_NUMBERS} {hidden} FOR KEY SHARE OF s")
    values = {"source": source, "external_ids": list(external_ids), "hidden_by": hidden_by}
    found = await connection.execute(query, values)
    return [int(number) for number in found.scalars()]


async def delete(connection: AsyncConnection, document_nos: Sequence[int]) -> None:
    """Removes the rows; what versions hold of them must be gone before."""
    await connection.execute(
        text("DELETE FROM documents WHERE document_no = ANY(:numbers)"), {"numbers": list(document_nos)}
    )
