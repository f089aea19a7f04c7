"""What operators were told of: each sort of trouble once, by one process.

Additive only: the release before runs on this schema.
"""

from alembic import op

revision = "0008"
down_revision = "0007"

STATEMENT = """
CREATE TABLE alerts (
    topic text PRIMARY KEY,
    tried text NOT NULL,
    tried_at timestamptz NOT NULL DEFAULT now(),
    attempts integer NOT NULL DEFAULT 1,
    told text,
    told_at timestamptz
)
"""


def upgrade() -> None:
    op.execute(STATEMENT)
