"""The schema as SQLAlchemy tables. The migrations create it; a test holds the two together.

`chunks`, `vectors`, `propositions`, `postings` and the graph (`mentions`, `relations`, `entity_counts`) are partitioned
by index version, so that an old version goes by dropping its partitions. Documents, sources and ACLs are shared by all
versions: a right withdrawn or a document hidden is so in each of them. Entities are shared, too: a key and what follows
from it, nothing of a document. The tables of the job queue are procrastinate's, and not described here.
"""

from pgvector.sqlalchemy import HALFVEC
from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    DateTime,
    Float,
    ForeignKey,
    Identity,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    Sequence,
    SmallInteger,
    Table,
    Text,
    UniqueConstraint,
    func,
    text,
)
from sqlalchemy.dialects.postgresql import ARRAY, JSONB, ExcludeConstraint

from storage import graph_tables, web_tables

metadata = MetaData()
for table in [*graph_tables.metadata.sorted_tables, *web_tables.metadata.sorted_tables]:
    table.to_metadata(metadata)

_now = func.now()

sources = Table(
    "sources",
    metadata,
    Column("source_no", Integer, Identity(), primary_key=True),
    Column("name", Text, nullable=False, unique=True),
    Column("kind", Text, nullable=False),
    Column("options", JSONB, nullable=False),
    Column("created_at", DateTime(timezone=True), nullable=False, server_default=_now),
    # of what the source says itself of whom it admits: when it was read, and until when that may be relied on
    Column("permissions_at", DateTime(timezone=True)),
    Column("permissions_until", DateTime(timezone=True)),
)
"""Sources of documents, as configured, and how long what they say of their permissions holds."""

directory = Table(
    "directory",
    metadata,
    Column("source_no", Integer, ForeignKey("sources.source_no", ondelete="CASCADE"), nullable=False),
    Column("email", Text, nullable=False),
    Column("principal", Text, nullable=False),
    PrimaryKeyConstraint("source_no", "email", "principal"),
)
"""Which principals of a source an e-mail address is: the source's directory of people."""

acls = Table(
    "acls",
    metadata,
    Column("acl_id", Integer, Identity(), primary_key=True),
    Column("clauses", JSONB, nullable=False),
    ExcludeConstraint(("clauses", "="), using="hash", name="acls_clauses_once"),  # unique, of any length
)
"""ACLs, each distinct one once: clauses of principals, see domain.access."""

acl_principals = Table(
    "acl_principals",
    metadata,
    Column("acl_id", Integer, ForeignKey("acls.acl_id", ondelete="CASCADE"), nullable=False),
    Column("clause", SmallInteger, nullable=False),
    Column("principal", Text, nullable=False),
    PrimaryKeyConstraint("principal", "acl_id", "clause"),
)
"""The principals of each ACL's clauses, filled by a trigger on `acls`: by them the permitted ACLs are found."""

documents = Table(
    "documents",
    metadata,
    Column("document_no", Integer, Identity(), primary_key=True),
    Column("document_id", Text, nullable=False, unique=True),
    Column("source_no", Integer, ForeignKey("sources.source_no", ondelete="CASCADE"), nullable=False),
    Column("external_id", Text, nullable=False),
    Column("title", Text, nullable=False),
    Column("url", Text, nullable=False),
    Column("path", Text, nullable=False),
    Column("media_type", Text, nullable=False),
    Column("space", Text, nullable=False),
    Column("labels", ARRAY(Text), nullable=False),
    Column("author", Text, nullable=False),
    Column("updated_at", DateTime(timezone=True)),
    Column("acl_id", Integer, ForeignKey("acls.acl_id"), nullable=False),
    Column("hidden_at", DateTime(timezone=True)),
    Column("unseen_at", DateTime(timezone=True)),  # since when nobody could read again whom it admits
    Column("acl_at", DateTime(timezone=True)),  # when its ACL was read; null where the source says nothing of it
    Index("documents_source_external", "source_no", "external_id", unique=True),
    Index("documents_acl", "acl_id"),
    Index("documents_labels", "labels", postgresql_using="gin"),
)
"""Documents, shared by all index versions. One that is hidden has `hidden_at`; pruning removes the row."""

awaited_acls = Table(
    "awaited_acls",
    metadata,
    Column("source_no", Integer, ForeignKey("sources.source_no", ondelete="CASCADE"), nullable=False),
    Column("external_id", Text, nullable=False),
    Column("acl_id", Integer, ForeignKey("acls.acl_id"), nullable=False),
    Column("read_at", DateTime(timezone=True), nullable=False),
    PrimaryKeyConstraint("source_no", "external_id"),
)
"""ACLs of documents that were listed and are not indexed yet."""

refusals = Table(
    "refusals",
    metadata,
    Column("source_no", Integer, ForeignKey("sources.source_no", ondelete="CASCADE"), nullable=False),
    Column("external_id", Text, nullable=False),
    Column("mark", Text, nullable=False),
    Column("reason", Text, nullable=False),
    PrimaryKeyConstraint("source_no", "external_id"),
)
"""Documents that could not be read. They are not downloaded again while their mark is the same."""

index_versions = Table(
    "index_versions",
    metadata,
    Column("version_id", Integer, Identity(), primary_key=True),
    Column("state", Text, nullable=False),  # building | live | previous
    Column("embedder", Text, nullable=False),
    Column("dimensions", Integer, nullable=False),
    Column("stemming", Text, nullable=False),
    Column("analyzer", Text, nullable=False),
    Column("created_at", DateTime(timezone=True), nullable=False, server_default=_now),
    Column("hnsw_upto", Integer, nullable=False, server_default=text("0")),  # highest chunk number when HNSW was built
    Column("propositions", Boolean, nullable=False, server_default=text("false")),  # whether it has that level
    Column("propositions_hnsw_upto", Integer, nullable=False, server_default=text("0")),  # the same for that level
    Column("cosine_unrelated", Float(53)),  # of a question and passages on other things; NULL: not measured
    Column("cosine_answering", Float(53)),  # of a question and the passage that answers it
    Column("cosine_asked", Text),  # what the model was told of questions when that was measured
    Column("languages", JSONB),  # shares of the texts by the code of their language; NULL: not looked at
    Column(
        "golden", JSONB, nullable=False, server_default=text("'{}'")
    ),  # by key of a golden question: whether it passed
    Column("golden_at", DateTime(timezone=True)),  # when one was asked last
    Column("copied", Boolean, nullable=False, server_default=text("false")),  # made of a live one for a run
    Column("copied_upto", Integer, nullable=False, server_default=text("0")),  # highest chunk number of that one then
    Column("copied_from", ARRAY(Integer), nullable=False, server_default=text("'{}'")),  # that one, and that one's
    UniqueConstraint("state", name="index_versions_one_of_each_state", deferrable=True),
)
"""Index versions: one live, one building beside it, the previous one kept to roll back to."""

index_batches = Table(
    "index_batches",
    metadata,
    Column("batch_no", BigInteger, Identity(), primary_key=True),
    Column("run_id", BigInteger, ForeignKey("runs.run_id", ondelete="CASCADE"), nullable=False),
    Column("version_id", Integer, ForeignKey("index_versions.version_id", ondelete="CASCADE"), nullable=False),
    Column("documents", LargeBinary, nullable=False),  # packed; empty once they are written
    Column("result", JSONB),  # null while it waits
    Index("index_batches_of_run", "run_id"),
)
"""Batches of a run that any worker may embed and write; they go with its end."""

indexed_documents = Table(
    "indexed_documents",
    metadata,
    Column("version_id", Integer, ForeignKey("index_versions.version_id", ondelete="CASCADE"), nullable=False),
    Column("document_no", Integer, ForeignKey("documents.document_no", ondelete="CASCADE"), nullable=False),
    Column("content_hash", LargeBinary, nullable=False),
    Column("chunks", Integer, nullable=False),
    Column("indexed_at", DateTime(timezone=True), nullable=False, server_default=_now),
    Column(
        "source_version", Text, nullable=False, server_default=text("''")
    ),  # domain.documents.SourceDocument.version
    # revision of the rules that its part of the graph was made by; 0: it has none
    Column("graph", SmallInteger, nullable=False, server_default=text("0")),
    Column("facts", JSONB),  # domain.knowledge_graph.Facts that its source states; null: never asked for
    Column("graph_hash", LargeBinary),  # the content_hash that these two are of; another one: they are out of date
    Column("text_acl_at", DateTime(timezone=True)),  # when the ACL was read that the text was written with
    PrimaryKeyConstraint("version_id", "document_no"),
    Index("indexed_documents_document", "document_no"),
)
"""What an index version holds of a document's content."""

chunks = Table(
    "chunks",
    metadata,
    Column("version_id", Integer, nullable=False),
    Column("chunk_no", Integer, nullable=False),
    Column("chunk_id", Text, nullable=False),
    Column("document_no", Integer, nullable=False),
    Column("ordinal", Integer, nullable=False),
    Column("acl_id", Integer),  # narrower than the document's; null: as the document's
    Column("kind", Text, nullable=False),
    Column("title", Text, nullable=False),
    Column("heading_path", ARRAY(Text), nullable=False),
    Column("text", Text, nullable=False),
    Column("first_line", Integer, nullable=False),
    Column("last_line", Integer, nullable=False),
    Column("page", Integer),
    Column("text_hash", LargeBinary, nullable=False),
    # what sort of text addressed to machines it holds, see domain.injection; and the revision that looked; 0: none did
    Column("injection", Text, nullable=False, server_default=text("''")),
    Column("injection_revision", SmallInteger, nullable=False, server_default=text("0")),
    PrimaryKeyConstraint("version_id", "chunk_no"),
    Index("chunks_injection", "version_id", "injection_revision", "injection"),
    Index("chunks_id", "version_id", "chunk_id"),
    Index("chunks_document", "version_id", "document_no", "ordinal"),
    Index("chunks_text_hash", "version_id", "text_hash"),
    postgresql_partition_by="LIST (version_id)",
)
"""Passages as they are stored: the parts of documents that are searched."""

vectors = Table(
    "vectors",
    metadata,
    Column("version_id", Integer, nullable=False),
    Column("chunk_no", Integer, nullable=False),
    Column("embedding", HALFVEC(), nullable=False),
    PrimaryKeyConstraint("version_id", "chunk_no"),
    postgresql_partition_by="LIST (version_id)",
)
"""One vector a chunk."""

propositions = Table(
    "propositions",
    metadata,
    Column("version_id", Integer, nullable=False),
    Column("chunk_no", Integer, nullable=False),
    Column("position", SmallInteger, nullable=False),  # among the units of the chunk
    Column("first", Integer, nullable=False),  # in characters of the chunk's text
    Column("last", Integer, nullable=False),  # exclusive
    Column("embedding", HALFVEC(), nullable=False),
    PrimaryKeyConstraint("version_id", "chunk_no", "position"),
    postgresql_partition_by="LIST (version_id)",
)
"""One vector a sentence-level unit of a chunk, where the index version has that level."""

segments = Table(
    "segments",
    metadata,
    Column("version_id", Integer, ForeignKey("index_versions.version_id", ondelete="CASCADE"), nullable=False),
    Column("segment_no", BigInteger, nullable=False),
    Column("level", SmallInteger, nullable=False),
    Column("removed", Boolean, nullable=False),  # the segment takes chunks away instead of adding them
    Column("chunks", Integer, nullable=False),
    Column("tokens", BigInteger, nullable=False),
    Column("members", LargeBinary, nullable=False),  # packed storage.index.packing.MEMBER
    PrimaryKeyConstraint("version_id", "segment_no"),
)
"""Segments of the inverted index: what was added, or removed, together; merged as they grow."""

postings = Table(
    "postings",
    metadata,
    Column("version_id", Integer, nullable=False),
    Column("term", Text(collation="C"), nullable=False),
    Column("segment_no", BigInteger, nullable=False),
    Column("removed", Boolean, nullable=False),
    Column("entries", LargeBinary, nullable=False),  # packed storage.index.packing.ENTRY
    PrimaryKeyConstraint("version_id", "term", "segment_no"),
    Index("postings_segment", "version_id", "segment_no"),
    postgresql_partition_by="LIST (version_id)",
)
"""Posting lists: one row a term and segment."""

runs = Table(
    "runs",
    metadata,
    Column("run_id", Integer, Identity(), primary_key=True),
    Column("source", Text, nullable=False),
    Column("kind", Text, nullable=False, server_default=text("'content'")),  # storage.index.runs.RunKind
    Column("state", Text, nullable=False),  # storage.index.runs.RunState
    Column("started_at", DateTime(timezone=True), nullable=False, server_default=_now),
    Column("finished_at", DateTime(timezone=True)),
    Column("report", JSONB, nullable=False, server_default=text("'{}'")),
    Column("progress", JSONB),  # how far it is while it goes; null while that is not known
    Index("runs_source", "source", "run_id"),
)
"""Index runs, and what became of them."""

model_replies = Table(
    "model_replies",
    metadata,
    Column("key", LargeBinary, primary_key=True),
    Column("reply", Text, nullable=False),
    Column("created_at", DateTime(timezone=True), nullable=False, server_default=_now),
    Column("used_at", DateTime(timezone=True), nullable=False, server_default=_now),  # to the minute
)
"""Replies of language models, by a digest of all that they depend on."""

worker_slots = Table(
    "worker_slots",
    metadata,
    # of procrastinate_workers; what belongs to none there is nobody's
    Column("worker_id", BigInteger, primary_key=True, autoincrement=False),
    Column("queues", ARRAY(Text), nullable=False),
    Column("slots", Integer, nullable=False),
)
"""How many jobs each worker does at a time."""

ticks = Table(
    "ticks",
    metadata,
    Column("job", Text, nullable=False),
    Column("tick", Text, nullable=False),  # domain.schedule.ScheduledRun.name, or REGISTERED
    Column("due_at", DateTime(timezone=True), nullable=False),
    Column("taken_at", DateTime(timezone=True), nullable=False, server_default=_now),
    Column("started_at", DateTime(timezone=True)),
    Column("finished_at", DateTime(timezone=True)),  # null exactly while it is open
    Column("state", Text, nullable=False),  # domain.schedule.ScheduledRunState
    Column("detail", Text, nullable=False, server_default=text("''")),  # domain.schedule.ScheduledRunProgress
    PrimaryKeyConstraint("job", "tick"),
)
"""Scheduled runs. The table and its column `tick`, a run's name, keep their old names: processes of the release before
read and write them by these, and check that a table of this name is there."""

alerts = Table(
    "alerts",
    metadata,
    Column("topic", Text, primary_key=True),
    Column("tried", Text, nullable=False),  # bot.app.alerts.Alert.mark of what was tried to be told last
    Column("tried_at", DateTime(timezone=True), nullable=False, server_default=_now),
    Column("attempts", Integer, nullable=False, server_default=text("1")),  # at that
    Column("told", Text),  # the mark of what was told last
    Column("told_at", DateTime(timezone=True)),
)
"""What operators were told of, one row a topic."""

audit_entries = Table(
    "audit_entries",
    metadata,
    Column("entry_no", BigInteger, Identity(), primary_key=True),
    Column("at", DateTime(timezone=True), nullable=False, server_default=_now),
    Column("platform", Text, nullable=False),  # terminal: the actor is an account of the machine
    Column("actor", Text, nullable=False),  # empty when the person was erased
    Column("action", Text, nullable=False),  # domain.audit.AuditAction
    Column("subject", Text, nullable=False),
    Column("detail", JSONB, nullable=False, server_default=text("'{}'")),
    Index("audit_entries_at", "at"),
)
"""What administrators did, what was shared, who was erased: see domain.audit."""

PARTITIONED = ("entity_counts", "relations", "mentions", "postings", "propositions", "vectors", "chunks")
"""Tables with a partition for each index version, in the order in which most searches lock them: the visible_ views
name chunks last."""

chunk_numbers = Sequence("chunk_numbers", data_type=Integer, metadata=metadata)
segment_numbers = Sequence("segment_numbers", data_type=BigInteger, metadata=metadata)
acl_epoch = Sequence("acl_epoch", data_type=BigInteger, metadata=metadata)  # see storage.permissions.acl_epoch
