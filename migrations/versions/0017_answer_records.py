"""How each chat answer came about and how good it is, for the gap register and for looking at an answer afterwards.

Additive only: the release before runs on this schema. What it answers has no record. It forgets questions without
knowing of the records: a record counts as forgotten when the question's text is.
"""

from alembic import op

revision = "0017"
down_revision = "0016"

STATEMENTS = """
CREATE TABLE answer_records (
    question_no bigint PRIMARY KEY REFERENCES questions ON DELETE CASCADE,
    outcome text NOT NULL,
    cause text NOT NULL,
    question text NOT NULL,
    confidence double precision NOT NULL,
    requests integer NOT NULL,
    tokens integer NOT NULL DEFAULT 0,
    nearest jsonb NOT NULL,
    trace jsonb NOT NULL,
    quality double precision,
    supported double precision,
    relevance double precision,
    scored_at timestamptz
);
CREATE INDEX answer_records_unscored ON answer_records (question_no) WHERE scored_at IS NULL
"""


def upgrade() -> None:
    for statement in filter(str.strip, STATEMENTS.split(";\n")):
        op.execute(statement)
