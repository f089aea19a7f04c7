"""Row-level security: a role that owns no table sees only rows of documents that the ACLs of its transaction admit.

The ACLs are in the setting `kb.allowed`: hexadecimal digits of a bit string, in which the bit at place n, from 0, is
ACL n. Without the setting, and for an ACL that came later, nothing is admitted. Nothing changes for the owner of the
tables, as whom the release before connects. What the role may do at all is granted by storage.server.app_role.

Conditions are compared by <>, which the planner takes to hold for nearly all rows: plans should be those of the
condition of the query alone. docs/decisions/row-level-security.md says more, with measurements.
"""

from alembic import op

revision = "0012"
down_revision = "0011"

# read once a statement
_BITS = "(SELECT ('x' || current_setting('kb.allowed', true))::varbit)"
_ADMITTED = f"position(B'1' IN substring({_BITS} FROM acl_id + 1 FOR 1)) <> 0"
_NARROWER = f"(acl_id IS NULL OR {_ADMITTED})"

# looked up, or hashed once a statement, as the planner sees fit
_DOCUMENT = "EXISTS (SELECT FROM documents seen WHERE seen.document_no = {table}.document_no)::int <> 0"
_CHUNK = (
    "(SELECT seen.chunk_no FROM chunks seen"
    " WHERE seen.version_id = {table}.version_id AND seen.chunk_no = {table}.chunk_no) <> 0"
)

POLICIES = {
    "documents": f"hidden_at IS NULL AND {_ADMITTED}",
    "chunks": f"{_NARROWER} AND {_DOCUMENT.format(table='chunks')}",
    "vectors": _CHUNK.format(table="vectors"),
    "propositions": _CHUNK.format(table="propositions"),
    "mentions": f"{_NARROWER} AND {_DOCUMENT.format(table='mentions')}",
    "relations": _CHUNK.format(table="relations"),
}

# as domain.text.required_terms.LOOSE is
_LOOSELY = "[0-9a-zſ][A-Z\u212a]|[A-Z\u212a][A-Z\u212a](?:[a-zſ]|[^\x01-\x7f])|[._-]\\S|[0-9]"
LOOSE = rf"(?:{_LOOSELY})\S*['’＇]\S|['’＇]\S*(?:{_LOOSELY})"

_FUNCTION = """
CREATE FUNCTION loose_chunks(version integer) RETURNS SETOF integer LANGUAGE sql STABLE SECURITY DEFINER
SET search_path FROM CURRENT AS $$
    SELECT chunk_no FROM chunks
    WHERE version_id = version AND (strpos(text, '''') > 0 OR strpos(text, '’') > 0 OR strpos(text, '＇') > 0)
      AND text ~ '{loose}'
$$
"""
"""Numbers of the chunks that hold words of which there is no term, whoever may see them: as posting lists have them."""


def upgrade() -> None:
    op.get_bind().exec_driver_sql(_FUNCTION.format(loose=LOOSE.replace("'", "''")))
    op.execute("REVOKE ALL ON FUNCTION loose_chunks(integer) FROM PUBLIC")
    for table, seen in POLICIES.items():
        op.execute(f"CREATE POLICY allowed ON {table} FOR SELECT USING ({seen})")
        op.execute(f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY")
