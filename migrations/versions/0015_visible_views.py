"""Views of what is visible: chunks, vectors, propositions, mentions and relations with their documents, under the
condition of the policies.

A policy looks up the document of each row, although the query joins it anyway. A view joins it once, and is planned as
a part of the query that reads it. It belongs to the owner of the tables, so that the policies of these do not hold
inside, and admits the same rows by a condition of its own. It holds for the owner, too.

Its columns are whole rows, so that a query calls their columns what the tables call them; see storage.index.visible.
The release before does not read them.
"""

from alembic import op

revision = "0015"
down_revision = "0014"

# as the policies of 0012; read once a statement
_BITS = "(SELECT ('x' || current_setting('kb.allowed', true))::varbit)"
_ADMITTED = f"position(B'1' IN substring({_BITS} FROM {{row}}.acl_id + 1 FOR 1)) <> 0"

_DOCUMENT = f"d.hidden_at IS NULL AND {_ADMITTED.format(row='d')}"
_CHUNK = f"{_DOCUMENT} AND (c.acl_id IS NULL OR {_ADMITTED.format(row='c')})"
_MENTION = f"{_DOCUMENT} AND (k.acl_id IS NULL OR {_ADMITTED.format(row='k')})"
_WITH_CHUNK = "JOIN chunks c USING (version_id, chunk_no) JOIN documents d USING (document_no)"
# both sides have a document_no
_WITH_CHUNK_OF_RELATION = "JOIN chunks c USING (version_id, chunk_no) JOIN documents d ON d.document_no = c.document_no"

VIEWS = {
    "visible_chunks": ("c, d", "chunks c JOIN documents d USING (document_no)", _CHUNK),
    "visible_vectors": ("v, c, d", f"vectors v {_WITH_CHUNK}", _CHUNK),
    "visible_propositions": ("v, c, d", f"propositions v {_WITH_CHUNK}", _CHUNK),
    "visible_relations": ("r, c, d", f"relations r {_WITH_CHUNK_OF_RELATION}", _CHUNK),
    "visible_mentions": ("k, d", "mentions k JOIN documents d USING (document_no)", _MENTION),
}


def upgrade() -> None:
    for name, (columns, rows, condition) in VIEWS.items():
        op.execute(f"CREATE VIEW {name} AS SELECT {columns} FROM {rows} WHERE {condition}")  # noqa: S608 - constants
