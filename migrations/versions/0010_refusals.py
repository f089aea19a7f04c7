"""What was refused of a source's documents, so that it is not downloaded again until it changes.

Additive only: the release before runs on this schema.
"""

from alembic import op

revision = "0010"
down_revision = "0009"

STATEMENT = """
CREATE TABLE refusals (
    source_no integer NOT NULL REFERENCES sources ON DELETE CASCADE,
    external_id text NOT NULL,
    mark text NOT NULL,
    reason text NOT NULL,
    PRIMARY KEY (source_no, external_id)
)
"""


def upgrade() -> None:
    op.execute(STATEMENT)
