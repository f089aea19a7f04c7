"""Row-level security of conversations: a transaction that names a person sees and changes only that person's turns.

Additive only: a transaction that names nobody works on all of them, as those of the release before do, and those that
write, correct or prune them for everybody. A later release may close them to it.
"""

from alembic import op

revision = "0018"
down_revision = "0017"

# read once a statement
_PERSON = "(SELECT coalesce(current_setting('kb.person', true), ''))"


def upgrade() -> None:
    op.execute(f"CREATE POLICY own ON turns USING ({_PERSON} IN ('', platform || ' ' || person))")
    op.execute("ALTER TABLE turns ENABLE ROW LEVEL SECURITY")
