"""Kept replies of models, sentence-level units of chunks, and an epoch of permissions.

Additive only: the release before runs on this schema. A version that it makes meanwhile has no partition of
`propositions`, and no rows for one.
"""

from alembic import op
from sqlalchemy import text

revision = "0002"
down_revision = "0001"

STATEMENTS = """
CREATE SEQUENCE acl_epoch;
-- the first call leaves last_value as it was; each later one raises it
SELECT nextval('acl_epoch');
CREATE TABLE model_replies (
    key bytea PRIMARY KEY,
    reply text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    used_at timestamptz NOT NULL DEFAULT now()
);
ALTER TABLE index_versions
    ADD COLUMN propositions boolean NOT NULL DEFAULT false,
    ADD COLUMN propositions_hnsw_upto integer NOT NULL DEFAULT 0;
CREATE TABLE propositions (
    version_id integer NOT NULL,
    chunk_no integer NOT NULL,
    position smallint NOT NULL,
    first integer NOT NULL,
    last integer NOT NULL,
    embedding halfvec NOT NULL,
    PRIMARY KEY (version_id, chunk_no, position)
) PARTITION BY LIST (version_id);
ALTER TABLE propositions ALTER COLUMN embedding SET STORAGE PLAIN;
"""


def upgrade() -> None:
    for statement in filter(str.strip, STATEMENTS.split(";\n")):
        op.execute(statement)
    # changing the table above keeps writers from adding a version until this is committed
    for number in op.get_bind().execute(text("SELECT version_id FROM index_versions")).scalars().all():
        op.execute(f"CREATE TABLE propositions_{number} PARTITION OF propositions FOR VALUES IN ({number})")
