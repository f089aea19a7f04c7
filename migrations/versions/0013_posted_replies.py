"""Answers as they are shown, so that they can be corrected when one of their sources is gone.

Additive only: the release before runs on this schema. What it answers is not corrected.
"""

from alembic import op

revision = "0013"
down_revision = "0012"

STATEMENTS = """
CREATE TABLE posted_replies (
    question_no bigint PRIMARY KEY REFERENCES questions ON DELETE CASCADE,
    reply text NOT NULL,
    citations jsonb NOT NULL,
    confidence double precision NOT NULL,
    posted_at timestamptz NOT NULL DEFAULT now(),
    state text,
    claimed_until timestamptz,
    fixed boolean NOT NULL DEFAULT false
);
CREATE INDEX posted_replies_posted ON posted_replies (posted_at);
"""


def upgrade() -> None:
    for statement in filter(str.strip, STATEMENTS.split(";\n")):
        op.execute(statement)
