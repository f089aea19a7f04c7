"""Permissions that sources state themselves: who their people are, until when that holds, and ACLs spread out so that
the database finds those that admit somebody. Which form of a document was indexed. When the schedule did what.

Additive only: the release before runs on this schema, and what ACLs it adds are spread out by a trigger.
"""

from alembic import op

revision = "0004"
down_revision = "0003"

STATEMENTS = """
CREATE TABLE acl_principals (
    acl_id integer NOT NULL REFERENCES acls ON DELETE CASCADE,
    clause smallint NOT NULL,
    principal text NOT NULL,
    PRIMARY KEY (principal, acl_id, clause)
);
CREATE FUNCTION acl_spread(added acls) RETURNS void LANGUAGE sql AS $$
    INSERT INTO acl_principals (acl_id, clause, principal)
    SELECT DISTINCT added.acl_id, clause.place, concat_ws(':', one.value->>0, nullif(one.value->>1, ''))
    FROM jsonb_array_elements(added.clauses) WITH ORDINALITY AS clause (value, place),
         jsonb_array_elements(clause.value) AS one (value)
$$;
CREATE FUNCTION acl_added() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM acl_spread(NEW); RETURN NULL; END $$;
CREATE TRIGGER acl_added AFTER INSERT ON acls FOR EACH ROW EXECUTE FUNCTION acl_added();
SELECT acl_spread(acls) FROM acls;
CREATE TABLE directory (
    source_no integer NOT NULL REFERENCES sources ON DELETE CASCADE,
    email text NOT NULL,
    principal text NOT NULL,
    PRIMARY KEY (source_no, email, principal)
);
ALTER TABLE sources
    ADD COLUMN permissions_at timestamptz,
    ADD COLUMN permissions_until timestamptz;
CREATE TABLE ticks (
    job text NOT NULL,
    tick text NOT NULL,
    due_at timestamptz NOT NULL,
    taken_at timestamptz NOT NULL DEFAULT now(),
    started_at timestamptz,
    finished_at timestamptz,
    state text NOT NULL,
    detail text NOT NULL DEFAULT '',
    PRIMARY KEY (job, tick)
);
ALTER TABLE documents ADD COLUMN unseen_at timestamptz;
ALTER TABLE indexed_documents ADD COLUMN source_version text NOT NULL DEFAULT '';
"""


def upgrade() -> None:
    op.execute("LOCK TABLE acls IN SHARE ROW EXCLUSIVE MODE")  # none is added between the trigger and the spreading
    for statement in filter(str.strip, STATEMENTS.split(";\n")):
        op.execute(statement)
