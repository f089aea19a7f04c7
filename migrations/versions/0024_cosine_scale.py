"""What the cosines of an index version's model mean: the means of strangers and of answers, see domain.cosine_scale.

Additive only: the release before neither writes nor reads them; NULL is a version whose model was not measured.
"""

from alembic import op

revision = "0024"
down_revision = "0023"


def upgrade() -> None:
    op.execute("ALTER TABLE index_versions ADD COLUMN cosine_unrelated float8, ADD COLUMN cosine_answering float8")
