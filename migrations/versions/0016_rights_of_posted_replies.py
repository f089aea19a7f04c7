"""Whom a posted answer was for, and what that person was in the sources it cites: who leaves a group may not read it.

Additive only: the release before runs on this schema. What it answers is looked at when documents change, as before.
"""

from alembic import op

revision = "0016"
down_revision = "0015"


def upgrade() -> None:
    op.execute("ALTER TABLE posted_replies ADD COLUMN address text NOT NULL DEFAULT ''")
    op.execute("ALTER TABLE posted_replies ADD COLUMN rights text DEFAULT ''")
