"""What an index holds, apart from the numbers that its rows happen to have: equal for equal documents."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import psycopg

from storage.index.packing import ENTRY, MEMBER, unpack
from tests.command import connected

_LIVE = "version_id = (SELECT version_id FROM index_versions WHERE state = 'live')"

_DOCUMENTS = """
    SELECT s.name, d.external_id, d.document_id, d.title, d.url, d.path, d.labels, d.author, d.updated_at, a.clauses,
           d.hidden_at IS NOT NULL, i.content_hash, i.chunks
    FROM documents d JOIN sources s USING (source_no) JOIN acls a USING (acl_id)
    LEFT JOIN indexed_documents i ON i.document_no = d.document_no
     AND i.version_id = (SELECT version_id FROM index_versions WHERE state = 'live')
"""

_CHUNKS = """
    SELECT c.chunk_no, c.chunk_id, d.document_id, c.ordinal, c.title, c.heading_path, c.text, c.kind, c.first_line,
           c.last_line, c.page, c.text_hash, a.clauses, v.embedding::text
    FROM chunks c LEFT JOIN documents d USING (document_no) LEFT JOIN acls a ON a.acl_id = c.acl_id
    LEFT JOIN vectors v USING (version_id, chunk_no)
    WHERE c.version_id = (SELECT version_id FROM index_versions WHERE state = 'live')
"""

_ORPHANS = {
    "vectors without a chunk": "SELECT count(*) FROM vectors v WHERE NOT EXISTS"
    " (SELECT FROM chunks c WHERE c.version_id = v.version_id AND c.chunk_no = v.chunk_no)",
    "chunks without a vector": "SELECT count(*) FROM chunks c WHERE NOT EXISTS"
    " (SELECT FROM vectors v WHERE v.version_id = c.version_id AND v.chunk_no = c.chunk_no)",
    "chunks without a document": "SELECT count(*) FROM chunks WHERE document_no NOT IN"
    " (SELECT document_no FROM documents)",
    "documents that are not indexed": "SELECT count(*) FROM documents WHERE document_no NOT IN"
    " (SELECT document_no FROM indexed_documents)",
    "postings without a segment": "SELECT count(*) FROM postings p WHERE NOT EXISTS"
    " (SELECT FROM segments s WHERE s.version_id = p.version_id AND s.segment_no = p.segment_no)",
    "rows of a version that is not there": "SELECT count(*) FROM chunks WHERE version_id NOT IN"
    " (SELECT version_id FROM index_versions)",
}


@dataclass(frozen=True)
class IndexState:
    """Everything that readers can tell apart.

    documents: by source and id in it. chunks: by chunk id. vectors: by chunk id. postings: for each term, how often
    which chunk holds it, and how long that is. collection: chunks and tokens that BM25 counts.
    orphans: rows that belong to nothing, by what they are.
    """

    documents: Mapping[tuple[str, str], tuple[Any, ...]]
    chunks: Mapping[str, tuple[Any, ...]]
    vectors: Mapping[str, Any] = field(repr=False)
    postings: Mapping[str, Mapping[str, tuple[int, int]]] = field(repr=False)
    collection: tuple[int, int]
    orphans: Mapping[str, int]


def index_state(url: str) -> IndexState:
    """What the live version of a database holds."""
    with connected(url) as connection:
        documents = {row[:2]: row[2:] for row in connection.execute(_DOCUMENTS.encode())}
        found = connection.execute(_CHUNKS.encode()).fetchall()
        names = {row[0]: row[1] for row in found}
        counts = {what: connection.execute(query.encode()).fetchone() for what, query in _ORPHANS.items()}
        return IndexState(
            documents=documents,
            chunks={row[1]: row[2:-1] for row in found},
            vectors={row[1]: np.array(json.loads(row[-1]), np.float64) for row in found if row[-1]},
            postings=_postings(connection, names),
            collection=_collection(connection, set(names)),
            orphans={what: row[0] for what, row in counts.items() if row and row[0]},
        )


def _postings(connection: psycopg.Connection, names: Mapping[int, str]) -> dict[str, dict[str, tuple[int, int]]]:
    """Posting lists after additions and removals have met; a removal of what was never added is an error."""
    added: dict[tuple[str, int], tuple[int, int]] = {}
    removed: dict[tuple[str, int], tuple[int, int]] = {}
    query = (
        b"SELECT term, removed, entries FROM postings WHERE version_id ="
        b" (SELECT version_id FROM index_versions WHERE state = 'live')"
    )
    for term, is_removal, raw in connection.execute(query):
        for entry in unpack([raw], ENTRY):
            into = removed if is_removal else added
            key = (term, int(entry["chunk"]))
            assert key not in into, f"{key} is there twice"
            into[key] = (int(entry["frequency"]), int(entry["length"]))
    for key, value in removed.items():
        assert added.pop(key, None) == value, f"{key} was removed and never added"
    lists: dict[str, dict[str, tuple[int, int]]] = {}
    for (term, chunk), value in added.items():
        lists.setdefault(term, {})[names.get(chunk, f"no chunk {chunk}")] = value
    return lists


def _collection(connection: psycopg.Connection, chunk_nos: set[int]) -> tuple[int, int]:
    """Chunks and tokens as the segments count them; their members must be the chunks that there are."""
    chunks = tokens = 0
    live: dict[int, int] = {}
    query = (
        b"SELECT removed, chunks, tokens, members FROM segments WHERE version_id ="
        b" (SELECT version_id FROM index_versions WHERE state = 'live') ORDER BY removed"
    )
    for is_removal, count, length, raw in connection.execute(query):
        sign = -1 if is_removal else 1
        chunks, tokens = chunks + sign * count, tokens + sign * length
        for member in unpack([raw], MEMBER):
            live[int(member["chunk"])] = live.get(int(member["chunk"]), 0) + sign
    assert {chunk for chunk, times in live.items() if times} == chunk_nos
    assert set(live.values()) <= {0, 1}
    return chunks, tokens


def assert_whole(state: IndexState) -> None:
    """Nothing in the index belongs to nothing, and every list agrees with the chunks."""
    assert state.orphans == {}
    assert state.vectors.keys() == state.chunks.keys()
    assert state.collection[0] == len(state.chunks)
    held = {chunk for entries in state.postings.values() for chunk in entries}
    assert held <= state.chunks.keys()
    by_document: dict[str, int] = {}
    for chunk in state.chunks.values():
        by_document[chunk[0]] = by_document.get(chunk[0], 0) + 1
    assert by_document == {row[0]: row[-1] for row in state.documents.values() if row[-1]}


def assert_same(one: IndexState, other: IndexState) -> None:
    """Two indexes that a reader cannot tell apart."""
    assert one.documents == other.documents
    assert one.chunks == other.chunks
    assert {term: len(entries) for term, entries in one.postings.items()} == {
        term: len(entries) for term, entries in other.postings.items()
    }
    assert one.postings == other.postings
    assert one.collection == other.collection
    for chunk_id, vector in one.vectors.items():
        other_vector = other.vectors[chunk_id]
        cosine = vector @ other_vector / np.linalg.norm(vector) / np.linalg.norm(other_vector)
        assert cosine > 0.999, chunk_id
