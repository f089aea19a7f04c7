"""How an index version fared with golden questions.

Additive only: the release before runs on this schema.
"""

from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.execute(
        "ALTER TABLE index_versions ADD COLUMN golden jsonb NOT NULL DEFAULT '{}', ADD COLUMN golden_at timestamptz"
    )
