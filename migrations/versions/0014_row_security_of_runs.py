"""Row-level security of the other tables with a row for a document: what is indexed of one, what could not be read,
what is awaited, and the reports of runs, which name documents.

Nothing changes for the owner of the tables, as whom the release before connects. With a role of its own, that release
reads `indexed_documents` only together with documents that are seen, and nothing of the three others.
"""

from alembic import op

revision = "0014"
down_revision = "0013"

# as those of 0012
_DOCUMENT = "EXISTS (SELECT FROM documents seen WHERE seen.document_no = indexed_documents.document_no)::int <> 0"

OWNERS = ("awaited_acls", "refusals", "runs")
"""Without a policy, so that nobody but the owner sees a row."""


def upgrade() -> None:
    op.execute(f"CREATE POLICY allowed ON indexed_documents FOR SELECT USING ({_DOCUMENT})")
    for table in ("indexed_documents", *OWNERS):
        op.execute(f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY")
