"""How far a run is while it goes, and how many values were masked in a question and its reply.

Additive only: the release before runs on this schema, notes no progress and counts no masks.
"""

from alembic import op

revision = "0022"
down_revision = "0021"

STATEMENTS = """
ALTER TABLE runs ADD COLUMN progress jsonb;
ALTER TABLE answer_records ADD COLUMN masked integer NOT NULL DEFAULT 0
"""


def upgrade() -> None:
    for statement in filter(str.strip, STATEMENTS.split(";\n")):
        op.execute(statement)
