"""How many documents speak of a thing, as far as the reader may see them.

`entity_counts` has them all, so nothing that a reader sees may follow from it. It only spares work: what is rare in the
whole index is rare for every reader.
"""

from domain.knowledge_graph import MentionRole
from storage.index import visible

IDENTITY_ROLES = f"('{MentionRole.IDENTITY}', '{MentionRole.TITLE}')"
"""Roles in which a document shows what it is."""

VISIBLE_MENTION = f"""d.hidden_at IS NULL AND d.acl_id = ANY(%(acls)s)
      AND (k.acl_id IS NULL OR k.acl_id = ANY(%(acls)s)) AND k.role <> '{MentionRole.GUARDED}'"""
"""What every query for a reader asks of a document `d` and a mention `k` in it, which has the ACL of its chunk. A
guarded mention tells nobody anything."""


def visible_documents(entity: str) -> str:
    """SQL for the number of visible documents that speak of an entity, counted to one more than `common`.

    It reads an index in order and stops there, so that a thing of which everybody may read costs no more than one that
    is just too common; what the reader may not see has to be passed over. entity: SQL for its number. The statement
    binds `version`, `acls` and `common`.
    """
    return f"""(
        SELECT count(*)::int4 FROM (
            SELECT DISTINCT k.document_no FROM {visible.MENTIONS}
            WHERE k.version_id = %(version)s AND k.entity_no = {entity} AND {VISIBLE_MENTION}
            ORDER BY k.document_no LIMIT %(common)s + 1
        ) speaking)"""


def is_rare(entity: str, indexed: str) -> str:
    """SQL for whether at most `common` visible documents speak of an entity. indexed: SQL for how many of the index
    do."""
    return f"({indexed} <= %(common)s OR {visible_documents(entity)} <= %(common)s)"
