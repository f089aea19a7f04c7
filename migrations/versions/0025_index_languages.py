"""The languages that the texts of an index version are written in.

Additive only: the release before neither writes nor reads them; NULL is a version that no run has ended for since.
"""

from alembic import op

revision = "0025"
down_revision = "0024"


def upgrade() -> None:
    op.execute("ALTER TABLE index_versions ADD COLUMN languages jsonb")
