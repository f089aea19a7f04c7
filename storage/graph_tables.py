"""The tables of the knowledge graph."""

from sqlalchemy import (
    REAL,
    Boolean,
    Column,
    Identity,
    Index,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    Table,
    Text,
    text,
)

metadata = MetaData()

entities = Table(
    "entities",
    metadata,
    Column("entity_no", Integer, Identity(), primary_key=True),
    Column("key", Text(collation="C"), nullable=False, unique=True),  # domain.knowledge_graph: kind, colon, name
    Column("kind", Text, nullable=False),
    Column("name", Text, nullable=False),
)
"""Entities: things that documents name, by key; shared by all index versions."""

mentions = Table(
    "mentions",
    metadata,
    Column("version_id", Integer, nullable=False),
    Column("entity_no", Integer, nullable=False),
    Column("chunk_no", Integer, nullable=False),  # the chunk that shows it
    Column("role", Text, nullable=False),  # domain.knowledge_graph.MentionRole
    Column("document_no", Integer, nullable=False),
    Column("confidence", REAL, nullable=False),
    Column("surface", Text, nullable=False),  # as the chunk has it
    Column("acl_id", Integer),  # the chunk's: narrower than the document's; null: as the document's
    PrimaryKeyConstraint("version_id", "entity_no", "chunk_no", "role"),
    Index("mentions_chunk", "version_id", "chunk_no"),
    Index(  # who speaks of a thing
        "mentions_document", "version_id", "entity_no", "document_no", postgresql_include=["acl_id", "role"]
    ),
    Index(  # who is it: few, however many speak of it
        "mentions_borne",
        "version_id",
        "entity_no",
        "document_no",
        postgresql_include=["confidence", "acl_id"],
        postgresql_where=text("role IN ('identity', 'title')"),
    ),
    postgresql_partition_by="LIST (version_id)",
)
"""Which chunk shows which entity, in which role."""

relations = Table(
    "relations",
    metadata,
    Column("version_id", Integer, nullable=False),
    Column("subject_no", Integer, nullable=False),
    Column("predicate", Text, nullable=False),
    Column("object_no", Integer, nullable=False),
    Column("chunk_no", Integer, nullable=False),  # the chunk that shows it
    Column("pattern", Text, nullable=False),  # domain.knowledge_graph.RelationOrigin
    Column("document_no", Integer, nullable=False),
    Column("confidence", REAL, nullable=False),
    Column("guarded", Boolean, nullable=False),  # told to those alone who may read a document for each end
    PrimaryKeyConstraint("version_id", "subject_no", "predicate", "object_no", "chunk_no", "pattern"),
    Index("relations_subject", "version_id", "subject_no", "chunk_no"),
    Index("relations_object", "version_id", "object_no", "chunk_no"),
    Index(  # other names of a thing
        "relations_alias",
        "version_id",
        "subject_no",
        "object_no",
        text("confidence DESC"),
        postgresql_where=text("predicate = 'same as'"),
    ),
    Index(
        "relations_aliased",
        "version_id",
        "object_no",
        "subject_no",
        text("confidence DESC"),
        postgresql_where=text("predicate = 'same as'"),
    ),
    Index("relations_chunk", "version_id", "chunk_no"),
    postgresql_partition_by="LIST (version_id)",
)
"""Directed relations between entities, each with the chunk that shows it, which mentions both ends."""

entity_counts = Table(
    "entity_counts",
    metadata,
    Column("version_id", Integer, nullable=False),
    Column("entity_no", Integer, nullable=False),
    Column("documents", Integer, nullable=False),  # that mention it, hidden ones included: nobody is told
    PrimaryKeyConstraint("version_id", "entity_no"),
    Index("entity_counts_entity", "entity_no"),
    postgresql_partition_by="LIST (version_id)",
)
"""How many documents mention an entity, hidden ones included; of what none mentions there is no row."""
