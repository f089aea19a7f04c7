"""Permissions are read while content is: when each ACL was read, what is known of documents before they come, and
which kind of reading a run was.

Additive only: the release before runs on this schema.
"""

from alembic import op

revision = "0006"
down_revision = "0005"

STATEMENTS = """
ALTER TABLE documents ADD COLUMN acl_at timestamptz;
CREATE TABLE awaited_acls (
    source_no integer NOT NULL REFERENCES sources ON DELETE CASCADE,
    external_id text NOT NULL,
    acl_id integer NOT NULL REFERENCES acls,
    read_at timestamptz NOT NULL,
    PRIMARY KEY (source_no, external_id)
);
ALTER TABLE runs ADD COLUMN kind text NOT NULL DEFAULT 'content';
UPDATE runs SET kind = 'permissions' WHERE report->>'permissions' = 'true';
"""


def upgrade() -> None:
    for statement in filter(str.strip, STATEMENTS.split(";\n")):
        op.execute(statement)
