"""Index versions: one is live, one may be filling beside it, the one before stays for a way back."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from domain.cosine_scale import COMMON_SCALE, CosineScale
from domain.documents import CONTENT_BYTES
from domain.errors import Misconfigured, Refused, Transient
from domain.text.tokens import Analyzer, Stemming, analyzer_named
from domain.vector_names import parts_of
from storage.index.partitioned import hold_partitioned
from storage.server.engine import AsyncConnection, Engine, text
from storage.server.pool import ConnectionPool
from storage.server.transactions import transaction

if TYPE_CHECKING:
    from domain.model_ports import EmbedderIdentity

VersionState = Literal["building", "live", "previous"]

_AS_IT_WAS_TOLD = (
    "Make a new index beside the old: kb reindex --full. Or have the model told of passages what it was told:"
    " KB_AGENT_EMBEDDING_PASSAGE_PREFIX and KB_AGENT_EMBEDDING_INPUT_TYPES (an earlier release told it nothing: set"
    " KB_AGENT_EMBEDDING_QUERY_PREFIX and KB_AGENT_EMBEDDING_PASSAGE_PREFIX to none)."
)
"""What to do about an index whose passages were embedded with another prefix."""

UNSAMPLED = {"mentions": ("surface",), "relations": ("predicate",)}
"""Columns excluded from ANALYZE statistics, so that deleted text does not stay in pg_stats."""


@dataclass(frozen=True, slots=True)
class IndexVersion:
    """One version of the index and what its rows were made with."""

    version_id: int
    state: VersionState
    embedder: str
    dimensions: int
    stemming: Stemming
    analyzer: str
    hnsw_upto: int
    """The highest chunk number when the HNSW index was built; 0 while there is none."""
    propositions: bool = False
    """Whether it has the level of propositions."""
    propositions_hnsw_upto: int = 0
    """As `hnsw_upto`, for the HNSW index of propositions."""
    unrelated: float | None = None
    """Mean cosine that the model gives questions and passages on other things; None where nobody measured it."""
    answering: float | None = None
    """The same for passages that answer them."""
    query_prefix: str | None = None
    """What was put before a query when that was measured."""

    @property
    def scale(self) -> CosineScale:
        """What cosines in it mean; the common scale where nobody measured it."""
        if self.unrelated is None or self.answering is None:
            return COMMON_SCALE
        return CosineScale(self.unrelated, self.answering)

    def is_like(self, other: "IndexVersion") -> bool:
        """Whether both were made with the same model, tokens and levels, so that rows of one fit into the other."""
        mine, others = ((v.embedder, v.analyzer, v.propositions) for v in (self, other))
        return mine == others

    def check(self, embedder: str) -> None:
        """Raises Misconfigured when questions embedded by `embedder`, or this release's tokens, do not fit."""
        if embedder != self.embedder:
            raise Misconfigured(
                "The index was made with another embedding model",
                why=f"It holds vectors of {self.embedder}; the settings name {embedder}.",
                next_step=_AS_IT_WAS_TOLD
                if parts_of(embedder).model == parts_of(self.embedder).model
                else "Put the embedding settings back, or make a new index beside the old: kb reindex --full",
            )
        self.tokens()

    def tokens(self) -> Analyzer:
        """What makes the tokens that it holds. Raises Misconfigured when this release does not know them."""
        found = analyzer_named(self.analyzer, self.stemming)
        if found is None:
            raise Misconfigured(
                "The index was made by another release's tokens",
                why=f"It holds {self.analyzer}; this release makes {Analyzer(self.stemming).name}.",
                next_step="Make a new index beside the old: kb reindex --full",
            )
        return found

    def require_propositions(self) -> None:
        """Raises Misconfigured when the level of propositions is missing."""
        if not self.propositions:
            raise Misconfigured(
                "The index has no propositions",
                why="It was made without them, and a level is there for all documents or for none.",
                next_step="Make a new index beside the old: kb reindex --full. Or switch index_propositions off.",
            )


_VERSION = """
    SELECT version_id, state, embedder, dimensions, stemming, analyzer, hnsw_upto, propositions, propositions_hnsw_upto,
           cosine_unrelated, cosine_answering, cosine_asked
    FROM index_versions WHERE state"""


EVERY = "SELECT FROM index_versions ORDER BY state DESC"
"""Every version in the order in which they are locked: the previous one, the live one, the one that is built."""


async def find(connection: AsyncConnection, state: VersionState) -> IndexVersion | None:
    """The version in that state."""
    row = (await connection.execute(text(f"{_VERSION} = :state"), {"state": state})).one_or_none()
    return IndexVersion(*row) if row else None


async def hold_live(connection: AsyncConnection, of: int | None = None) -> IndexVersion | None:
    """The live version; it stays live until the transaction ends. of: then only if it is a copy of that one, or of a
    copy of it."""
    query = text(f"{_VERSION} = 'live' AND (CAST(:of AS int) IS NULL OR :of = ANY(copied_from)) FOR SHARE")
    row = (await connection.execute(query, {"of": of})).one_or_none()
    return IndexVersion(*row) if row else None


async def numbered(pool: ConnectionPool, version_id: int) -> IndexVersion | None:
    """The version of that number."""
    query = _VERSION.replace("WHERE state", "WHERE version_id = %(number)s").encode()
    row = await pool.fetch_one(query, number=version_id)
    return IndexVersion(*row) if row else None


async def read(pool: ConnectionPool, state: VersionState) -> IndexVersion | None:
    """The version in that state, for who changes nothing: a search needs no connection of the other kind."""
    row = await pool.fetch_one(f"{_VERSION} = %(state)s".encode(), state=state)
    return IndexVersion(*row) if row else None


async def create(
    connection: AsyncConnection,
    state: VersionState,
    embedder: "EmbedderIdentity",
    analyzer: Analyzer,
    *,
    propositions: bool = False,
) -> IndexVersion:
    """A new, empty version with its partitions. propositions: whether it has that level."""
    insert = text(
        "INSERT INTO index_versions (state, embedder, dimensions, stemming, analyzer, propositions)"
        " VALUES (:state, :embedder, :dimensions, :stemming, :analyzer, :propositions) RETURNING version_id"
    )
    values = {
        "state": state,
        "embedder": embedder.name,
        "dimensions": embedder.dimensions,
        "stemming": analyzer.stemming,
        "analyzer": analyzer.name,
        "propositions": propositions,
    }
    number = int((await connection.execute(insert, values)).scalar_one())
    await _create_partitions(connection, number)
    made_with = (embedder.name, embedder.dimensions, analyzer.stemming, analyzer.name)
    return IndexVersion(number, state, *made_with, hnsw_upto=0, propositions=propositions)


async def keep_scale(connection: AsyncConnection, version_id: int, scale: CosineScale, query_prefix: str) -> None:
    """Keeps what cosines in a version mean. query_prefix: see EmbedderIdentity."""
    query = text(
        "UPDATE index_versions SET cosine_unrelated = :unrelated, cosine_answering = :answering,"
        " cosine_asked = :query_prefix WHERE version_id = :id"
    )
    values = {
        "unrelated": scale.unrelated,
        "answering": scale.answering,
        "query_prefix": query_prefix,
        "id": version_id,
    }
    await connection.execute(query, values)


async def _create_partitions(connection: AsyncConnection, version_id: int) -> None:
    """Makes the partitions of a new version."""
    from storage.tables import PARTITIONED

    await hold_partitioned(connection)
    for table in PARTITIONED:
        name = f"{table}_{version_id}"
        await connection.execute(text(f"CREATE TABLE {name} PARTITION OF {table} FOR VALUES IN ({version_id})"))
        for column in UNSAMPLED.get(table, ()):
            await connection.execute(text(f"ALTER TABLE {name} ALTER COLUMN {column} SET STATISTICS 0"))


async def is_copy(connection: AsyncConnection, state: VersionState) -> bool:
    """Whether the version in that state was made by `copy_live`."""
    query = text("SELECT copied FROM index_versions WHERE state = :state")
    return bool((await connection.execute(query, {"state": state})).scalar_one_or_none())


async def is_of_live(connection: AsyncConnection) -> bool:
    """Whether the building version is a copy of the live one; of one that the release before made, nobody knows."""
    query = text(
        "SELECT b.copied AND coalesce(b.copied_from[1] = l.version_id, true)"
        " FROM index_versions b JOIN index_versions l ON l.state = 'live' WHERE b.state = 'building'"
    )
    return bool((await connection.execute(query)).scalar_one_or_none())


async def copy_live(connection: AsyncConnection) -> IndexVersion | None:
    """A building version that holds what the live one does; an earlier copy makes room. None where nothing is live, or
    the building version is none of these. The rows are copied while nobody writes into the live version."""
    from storage.tables import PARTITIONED

    live, building = await find(connection, "live"), await find(connection, "building")
    if live is None or (building is not None and not await is_copy(connection, "building")):
        return None
    await connection.execute(text(f"{EVERY} FOR UPDATE"))
    await drop(connection, "building")
    number = int((await connection.execute(text(_NEW_COPY))).scalar_one())
    await _create_partitions(connection, number)
    for table in (*PARTITIONED, "indexed_documents", "segments"):
        await copy_rows(connection, table, live.version_id, number)
    return replace(live, version_id=number, state="building", hnsw_upto=0, propositions_hnsw_upto=0)


_ANCESTORS = 1000
"""So many versions are kept that a copy was made over: more than are made while one run goes on."""

_NEW_COPY = (
    "INSERT INTO index_versions (state, embedder, dimensions, stemming, analyzer, propositions, copied,"
    " copied_upto, copied_from, cosine_unrelated, cosine_answering, cosine_asked)"
    " SELECT 'building', embedder, dimensions, stemming, analyzer, propositions, true,"
    " coalesce((SELECT max(chunk_no) FROM chunks c WHERE c.version_id = v.version_id), 0),"
    f" (ARRAY[version_id] || copied_from)[1:{_ANCESTORS}], cosine_unrelated, cosine_answering, cosine_asked"
    " FROM index_versions v WHERE state = 'live' RETURNING version_id"
)
_COLUMNS_OF = (
    "SELECT quote_ident(attname) FROM pg_attribute WHERE attrelid = CAST(:table AS regclass) AND attnum > 0"
    " AND NOT attisdropped AND attgenerated = '' AND attname <> 'version_id' ORDER BY attnum"
)


async def copy_rows(
    connection: AsyncConnection,
    table: str,
    source: int,
    target: int,
    condition: str = "true",
    instead: Mapping[str, str] | None = None,
    values: Mapping[str, object] | None = None,
) -> None:
    """Copies those rows of a table that the version `source` has to `target`. instead: by column, what is written in
    place of its value. values: for the places of both."""
    names = (await connection.execute(text(_COLUMNS_OF), {"table": table})).scalars().all()
    columns, found = ", ".join(names), ", ".join((instead or {}).get(name, name) for name in names)
    rows = f"SELECT {target}, {found} FROM {table} WHERE version_id = :source AND {condition}"
    await connection.execute(
        text(f"INSERT INTO {table} (version_id, {columns}) {rows}"), {"source": source, **(values or {})}
    )


async def drop(connection: AsyncConnection, state: VersionState) -> None:
    """Removes the version in that state, if there is one."""
    version = await find(connection, state)
    if version is None:
        return
    from storage.index.graph_rows import delete_unused
    from storage.tables import PARTITIONED

    # before its tables: whoever writes into it, or takes documents out of it, holds this and goes on to those
    hold = text("SELECT FROM index_versions WHERE version_id = :id FOR UPDATE")
    await connection.execute(hold, {"id": version.version_id})
    await hold_partitioned(connection)
    for table in PARTITIONED:
        # the release before makes no partition of a table that came later
        await connection.execute(text(f"DROP TABLE IF EXISTS {table}_{version.version_id}"))
    await connection.execute(text("DELETE FROM index_versions WHERE version_id = :id"), {"id": version.version_id})
    await delete_unused(connection)


_OUTDATED_MASKING = f"""
    SELECT EXISTS (
        SELECT FROM indexed_documents o JOIN index_versions p USING (version_id)
        JOIN indexed_documents n USING (document_no) JOIN index_versions l ON l.version_id = n.version_id
        WHERE p.state = 'previous' AND l.state = 'live'
          AND substr(o.content_hash, {CONTENT_BYTES + 1}) <> substr(n.content_hash, {CONTENT_BYTES + 1}))
"""


async def lock(connection: AsyncConnection) -> None:
    """Only one transaction at a time makes, drops or exchanges versions."""
    await connection.execute(text("SELECT pg_advisory_xact_lock(hashtextextended('kb-agent/versions', 0))"))


async def drop_outdated_masking(engine: Engine) -> None:
    """Drops the previous version if it holds a document in a form that passed another masking than the live one's: it
    may hold what is masked now, and nobody would want to go back to that."""
    async with transaction(engine) as connection:
        if await find(connection, "previous") is None:
            return
        await lock(connection)
        if (await connection.execute(text(_OUTDATED_MASKING))).scalar_one():
            await drop(connection, "previous")


async def count_outdated_masking(owner: ConnectionPool, masking: str) -> dict[str, int]:
    """By a version's state: how many documents it holds that passed another masking than `masking`, or none."""
    query = (
        "SELECT state, count(*) FILTER (WHERE document_no IS NOT NULL"
        f" AND substr(content_hash, {CONTENT_BYTES + 1}) <> %(masking)s::bytea) AS documents"
        " FROM index_versions LEFT JOIN indexed_documents USING (version_id) GROUP BY state"
    )
    rows = await owner.fetch_all(query.encode(), masking=masking.encode())
    return {row.state: row.documents for row in rows}


_MAKE_LIVE = (
    "UPDATE index_versions SET state = CASE state WHEN 'live' THEN 'previous' ELSE 'live' END"
    " WHERE state IN ('live', :state)"
)
_MOVE_BATCHES = (
    "UPDATE index_batches SET version_id = :copy"
    " WHERE version_id = (SELECT version_id FROM index_versions WHERE state = 'live')"
)
_LOST = """
    SELECT d.path FROM documents d
    JOIN indexed_documents i USING (document_no)
    JOIN index_versions v ON v.version_id = i.version_id AND v.state = 'live'
    WHERE d.hidden_at IS NULL AND NOT EXISTS (
        SELECT FROM indexed_documents n JOIN index_versions b USING (version_id)
        WHERE b.state = 'building' AND n.document_no = d.document_no)
    ORDER BY d.path
"""


async def publish(connection: AsyncConnection, *, allow_loss: bool = False, checked: int | None = None) -> None:
    """Makes the building version live, in one statement; the live one stays as previous. checked: the number that it
    must have.

    Raises:
        Misconfigured: none is being built.
        Transient: it is another one than `checked`.
        Refused: `checked` is given, and none is being built; it is a copy of a version that is not live any more; or
            documents that the live version shows would be missing, and `allow_loss` is off.
    """
    building = await find(connection, "building")
    if building is None and checked is not None:
        raise changed_meanwhile()
    if building is None:
        raise Misconfigured("There is no new index to make live", next_step="Make one: kb reindex --full")
    if checked not in {None, building.version_id}:
        raise Transient(
            "The new index is not in use yet; the old one goes on answering",
            why="Another process began another new index meanwhile.",
            next_step="Let that one end, or run kb reindex --full again.",
        )
    # writers hold their version's row while they write: nobody is in the middle of a document from here on
    await connection.execute(text(f"{EVERY} FOR UPDATE"))
    copied = await is_copy(connection, "building")
    if copied and not await is_of_live(connection):
        raise changed_meanwhile()
    lost = (await connection.execute(text(_LOST))).scalars().all()
    if lost and not allow_loss:
        raise Refused(
            "The new index is not in use yet; the old one goes on answering",
            why=f"{len(lost)} documents of the old one are missing in it, such as {', '.join(lost[:3])}.",
            next_step="Mend what the report names and run kb reindex --full again: it goes on where it stopped."
            " If they may go: kb reindex --full --prune=confirm",
        )
    if copied:  # else they go with the version that they were to be written into
        await connection.execute(text(_MOVE_BATCHES), {"copy": building.version_id})
    await drop(connection, "previous")
    await connection.execute(text(_MAKE_LIVE), {"state": "building"})


async def roll_back(connection: AsyncConnection, *, checked: int | None = None) -> IndexVersion:
    """Makes the previous version live again, and the live one previous. checked: the number that the previous one must
    have.

    Raises:
        Misconfigured: there is none. Refused: `checked` is given, and it is another one, or none.
    """
    version = await find(connection, "previous")
    if checked is not None and (version is None or version.version_id != checked):
        raise changed_meanwhile()
    if version is None:
        raise Misconfigured(
            "There is no earlier index to go back to",
            why="Only kb reindex --full leaves one, and scheduled runs with golden_gate=hold.",
            next_step="Nothing was changed.",
        )
    await connection.execute(text(_MAKE_LIVE), {"state": "previous"})
    return replace(version, state="live")


def changed_meanwhile() -> Refused:
    """What was decided is about another version than is there now."""
    return Refused(
        "Nothing was changed: the index versions are others than they were, or a run is going on",
        why="A run began or ended, or somebody else decided meanwhile.",
        next_step="Look at them again.",
    )
