"""How many documents speak of a thing, as far as the reader may see them.

`entity_counts` has them all, so nothing that a reader sees may follow from it. It only spares work: what is rare in the
whole index is rare for every reader.
"""

from domain.graph import Role
from storage.chunks import VISIBLE

BEARS = f"('{Role.IDENTITY}', '{Role.TITLE}')"
"""Roles in which a document shows what it is."""

_NEXT = f"""
    SELECT k.document_no FROM mentions k JOIN chunks c USING (version_id, chunk_no)
    JOIN documents d ON d.document_no = k.document_no
    WHERE k.version_id = %(version)s AND k.entity_no = {{entity}} AND k.document_no > {{after}} AND {VISIBLE}
    ORDER BY k.document_no LIMIT 1
"""


def speakers(entity: str) -> str:
    """SQL for the number of visible documents that speak of an entity, counted to one more than `common`.

    It goes from document to document through an index, so that a thing that is everywhere costs no more than one that
    is just too common. entity: SQL for its number. The statement binds `version`, `acls` and `common`.
    """
    return f"""(
        WITH RECURSIVE seen (document_no, place) AS (
            (SELECT document_no, 1 FROM ({_NEXT.format(entity=entity, after="-1")}) opening)
            UNION ALL
            SELECT onward.document_no, seen.place + 1
            FROM seen CROSS JOIN LATERAL ({_NEXT.format(entity=entity, after="seen.document_no")}) onward
            WHERE seen.place <= %(common)s
        )
        SELECT count(*)::int4 FROM seen)"""


def rare(entity: str, documents: str) -> str:
    """SQL for whether at most `common` visible documents speak of an entity. documents: SQL for how many do in all."""
    return f"({documents} <= %(common)s OR {speakers(entity)} <= %(common)s)"
