"""Which chunks hold text that is addressed to machines.

Additive only: the release before runs on this schema. What it writes, and what was written before, has revision 0: it
is looked at when it is read, and marked by the next run.
"""

from alembic import op

revision = "0011"
down_revision = "0010"

STATEMENTS = """
ALTER TABLE chunks ADD COLUMN injection text NOT NULL DEFAULT '',
                   ADD COLUMN injection_revision smallint NOT NULL DEFAULT 0;
CREATE INDEX chunks_injection ON chunks (version_id, injection_revision, injection);
"""


def upgrade() -> None:
    for statement in filter(str.strip, STATEMENTS.split(";\n")):
        op.execute(statement)
