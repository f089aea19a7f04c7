"""Which questions were sent to the owner of a document: each once; and which index versions are copies of a live one.

Additive only: the release before runs on this schema and sends none.
"""

from alembic import op

revision = "0021"
down_revision = "0020"

STATEMENTS = """
CREATE TABLE owner_requests (
    question_no bigint PRIMARY KEY REFERENCES questions ON DELETE CASCADE,
    document_id text NOT NULL,
    sent_at timestamptz NOT NULL DEFAULT now()
);
ALTER TABLE index_versions ADD COLUMN copied boolean NOT NULL DEFAULT false
"""


def upgrade() -> None:
    for statement in filter(str.strip, STATEMENTS.split(";\n")):
        op.execute(statement)
