"""How many questions each worker answers at a time: who asks is told when all of them are busy.

Additive only: the release before runs on this schema; what its workers can do is not counted.
"""

from alembic import op

revision = "0009"
down_revision = "0008"

STATEMENTS = """
CREATE TABLE worker_slots (
    worker_id bigint PRIMARY KEY,
    queues text[] NOT NULL,
    slots integer NOT NULL
);
"""


def upgrade() -> None:
    for statement in filter(str.strip, STATEMENTS.split(";\n")):
        op.execute(statement)
