"""What a copy of an index version was made of: the versions that it was copied over, and how far its chunks reached
then; and when the ACL was read that a text was written with.

Additive only: the release before neither writes nor reads them. A copy that it made names no version, and is put to
use whatever is live.
"""

from alembic import op

revision = "0027"
down_revision = "0026"


def upgrade() -> None:
    op.execute(
        "ALTER TABLE index_versions ADD COLUMN copied_upto integer NOT NULL DEFAULT 0,"
        " ADD COLUMN copied_from integer[] NOT NULL DEFAULT '{}'"
    )
    op.execute("ALTER TABLE indexed_documents ADD COLUMN text_acl_at timestamptz")
