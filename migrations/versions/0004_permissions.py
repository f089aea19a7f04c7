"""What was due at certain times, and what became of it.

Additive only: the release before runs on this schema.
"""

from alembic import op

revision = "0004"
down_revision = "0003"

STATEMENTS = """
CREATE TABLE ticks (
    job text NOT NULL,
    tick text NOT NULL,
    due_at timestamptz NOT NULL,
    taken_at timestamptz NOT NULL DEFAULT now(),
    started_at timestamptz,
    finished_at timestamptz,
    state text NOT NULL,
    detail text NOT NULL DEFAULT '',
    PRIMARY KEY (job, tick)
);
"""


def upgrade() -> None:
    for statement in filter(str.strip, STATEMENTS.split(";\n")):
        op.execute(statement)
