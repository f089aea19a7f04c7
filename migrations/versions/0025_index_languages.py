"""The languages that the texts of an index version are written in, and what its model was told of questions when its
scale of cosines was measured.

Additive only: the release before neither writes nor reads them; NULL is a version that no run has ended for since. A
database made while 0024 had the second column for some commits has it already.
"""

from alembic import op

revision = "0025"
down_revision = "0024"


def upgrade() -> None:
    op.execute(
        "ALTER TABLE index_versions ADD COLUMN IF NOT EXISTS cosine_asked text,"
        " ADD COLUMN IF NOT EXISTS languages jsonb"
    )
