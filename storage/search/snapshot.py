"""How every read begins: an index version, the ACLs that admit the asker and the posting lists, read in one statement;
and the condition for a visible chunk."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from domain.access import Scope
from domain.errors import Misconfigured
from domain.search import Filters
from domain.text.tokens import Stemming
from storage.index import bm25, chunks, postings, visible
from storage.index.packing import PostingList
from storage.index.posting_cache import NO_LISTS, PostingCache
from storage.index.vectors import ChunkCondition
from storage.index.versions import IndexVersion, VersionState
from storage.permissions import acls
from storage.permissions.acl_numbers import AclNumbers
from storage.server.pool import Connection, fetch_prepared

_COLUMNS = 12  # of IndexVersion

# what must fit together, in one statement: the version with statistics and ACLs, then a row a posting list, without
# those that are kept of this state; which tokens the version has is not known before it is read, so both kinds go along
_LIVE = f"""
    WITH live AS (
        SELECT v.*, s.*, s.index_state = %(kept)s AS kept
        FROM index_versions v
        CROSS JOIN LATERAL (
            SELECT coalesce(sum(CASE WHEN removed THEN -chunks ELSE chunks END), 0)::int8 AS chunks,
                   coalesce(sum(CASE WHEN removed THEN -tokens ELSE tokens END), 0)::int8 AS tokens,
                   concat_ws(' ', v.version_id, hashtextextended(
                       string_agg(segment_no::text, ' ' ORDER BY segment_no), 0)) AS index_state
            FROM segments WHERE segments.version_id = v.version_id
        ) s
        WHERE v.state = %(state)s
    )
    SELECT json_build_array(version_id, state, embedder, dimensions, stemming, analyzer, hnsw_upto,
                            propositions, propositions_hnsw_upto, cosine_unrelated, cosine_answering,
                            cosine_asked, chunks, tokens, index_state,
                            (SELECT json_agg(acl_id) FROM ({acls.PERMITTED}) permitted),
                            (SELECT count(*) FROM acls)),
           NULL::text, NULL::boolean, NULL::bytea
    FROM live
    UNION ALL
    SELECT NULL, p.term, p.removed, p.entries FROM live JOIN postings p USING (version_id)
    WHERE p.term = ANY(CASE
        WHEN live.stemming = 'english' AND live.kept THEN %(english_left)s::text[]
        WHEN live.stemming = 'english' THEN %(english)s::text[]
        WHEN live.kept THEN %(plain_left)s::text[]
        ELSE %(plain)s::text[]
    END)
""".encode()

_FILTERED = {
    "sources": "d.source_no IN (SELECT source_no FROM sources WHERE name = ANY(%(sources)s))",
    "labels": "d.labels && %(labels)s::text[]",
    "spaces": "d.space = ANY(%(spaces)s)",
    "documents": "d.document_id = ANY(%(documents)s)",
    "titles": (
        "EXISTS (SELECT FROM unnest(%(titles)s::text[]) AS asked(title)"
        " WHERE strpos(lower(d.title || ' ' || d.path), lower(asked.title)) > 0)"
    ),
    "since": "d.updated_at >= %(since)s",
    "until": "d.updated_at <= %(until)s",
}
"""By field of Filters: what a document `d` meets."""

_VIEW = f"""
    SELECT (SELECT last_value FROM acl_epoch), (SELECT json_agg(acl_id) FROM ({acls.PERMITTED}) permitted)
""".encode()


@dataclass(frozen=True, slots=True)
class IndexSnapshot:
    """An index version, usually the live one, and what a search needs of it, as of one moment."""

    version: IndexVersion
    collection: bm25.Collection
    index_state: str
    """Names the version and its segments. Numbers of segments are never used twice, and what a segment holds never
    changes, so that the same name means the same posting lists."""
    acls: AclNumbers
    """Numbers of the permitted ACLs."""
    sees_everything: bool
    """Whether these are all ACLs."""
    lists: Mapping[str, PostingList]
    """The posting list of each of the question's terms that any chunk holds."""


async def read_snapshot(
    connection: Connection,
    scope: Scope,
    terms: Mapping[Stemming, Collection[str]] | None = None,
    *,
    state: VersionState = "live",
    cache: PostingCache | None = None,
) -> IndexSnapshot:
    """The live version, or the one in another state, for `scope`. From here on, the connection sees what the permitted
    ACLs admit.

    Args:
        terms: whose posting lists are wanted, for either kind of tokens.
        cache: where lists are kept; what it has of this state of the index is not read again.

    Raises Misconfigured when there is no such version.
    """
    wanted = terms or {}
    english, plain = set(wanted.get("english", ())), set(wanted.get("none", ()))
    kept = cache.of(english | plain) if cache else NO_LISTS
    bound = {
        "english": list(english),
        "plain": list(plain),
        "english_left": list(english - kept.lists.keys()),
        "plain_left": list(plain - kept.lists.keys()),
        "kept": kept.state,
        "state": state,
        **acls.scope_parameters(scope),
    }
    with connection.planned_once():
        rows = await fetch_prepared(connection, _LIVE, bound)
    about = next((row[0] for row in rows if row[0] is not None), None)
    if about is None:
        if state == "live":
            raise Misconfigured(
                "Nothing is indexed yet", next_step="Index a folder or a URL first: kb index PATH_OR_URL"
            )
        raise Misconfigured(f"There is no index in the state {state}", next_step="Make a new one: kb reindex --full")
    counted, tokens, index_state, permitted, known = about[_COLUMNS:]
    allowed = AclNumbers(permitted or ())
    connection.allow(allowed)
    version = IndexVersion(*about[:_COLUMNS])
    lists = postings.posting_lists(row[1:] for row in rows if row[0] is None)
    if cache:
        cache.put(index_state, lists)
    if kept.state == index_state:
        asked = english if version.stemming == "english" else plain
        lists |= {term: each for term, each in kept.lists.items() if term in asked}
    return IndexSnapshot(version, bm25.Collection(counted, tokens), index_state, allowed, len(allowed) == known, lists)


async def read_permitted_acls(connection: Connection, scope: Scope) -> tuple[int, AclNumbers]:
    """The ACL epoch, and the numbers of the ACLs that admit `scope`, ascending. From here on, the connection sees what
    these admit."""
    row = await (await connection.execute(_VIEW, acls.scope_parameters(scope))).fetchone()
    epoch, permitted = row or (0, None)
    connection.allow(permitted or ())
    return int(epoch), AclNumbers(sorted(permitted or ()))


def select_chunks(snapshot: IndexSnapshot, columns: str, narrowed: ChunkCondition) -> bytes:
    """A query for columns of the chunks `c`, with their documents `d`, of the live version that meet a condition."""
    query = (
        f"SELECT {columns} FROM {visible.CHUNKS}"
        f" WHERE c.version_id = {snapshot.version.version_id} AND {narrowed.condition}"
    )
    return query.encode()


def chunk_condition(filters: Filters, allowed: AclNumbers) -> ChunkCondition:
    """What a visible chunk `c` of a document `d` meets. allowed: numbers of the permitted ACLs."""
    wanted: dict[str, object] = {field: list(names) for field, names in filters.names.items()}
    wanted |= {"since": filters.since, "until": filters.until}
    values = {name: value for name, value in wanted.items() if value}
    condition = " AND ".join([chunks.VISIBLE, *(_FILTERED[name] for name in values)])
    return ChunkCondition(condition, {"acls": allowed, **values})
