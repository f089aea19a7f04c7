"""Which documents count before which, as they say themselves."""

from collections.abc import Collection
from typing import get_args

from domain.knowledge_graph import MentionRole, Precedence
from domain.text.editions import Opening, first_word, replaced_edition, replaced_editions, replacing_titles
from storage.index.chunks import VISIBLE
from storage.search.snapshot import IndexSnapshot
from storage.server.pool import Connection, fetch_prepared

# The first chunk shows what a document is. What a third document says of the two does not count, nor that one puts
# itself before a document of another source: whoever may write there need not be who may write here.
_PRECEDENCE = f"""
    WITH asked AS MATERIALIZED (
        SELECT d.document_no, d.source_no, d.document_id, k.entity_no
        FROM documents d JOIN chunks c ON c.version_id = %(version)s AND c.document_no = d.document_no AND c.ordinal = 0
        JOIN mentions k ON k.version_id = %(version)s AND k.chunk_no = c.chunk_no
        WHERE d.document_id = ANY(%(documents)s) AND k.role = '{MentionRole.IDENTITY}' AND {VISIBLE}
    )
    SELECT DISTINCT one.document_id, other.document_id, r.predicate
    FROM asked one JOIN relations r ON r.version_id = %(version)s AND r.subject_no = one.entity_no
    JOIN asked other ON other.entity_no = r.object_no AND other.document_no <> one.document_no
    JOIN chunks c ON c.version_id = %(version)s AND c.chunk_no = r.chunk_no
    JOIN documents d ON d.document_no = c.document_no
    WHERE r.predicate = ANY(%(predicates)s) AND NOT r.guarded
      AND (d.document_no = other.document_no OR (d.document_no = one.document_no AND one.source_no = other.source_no))
      AND {VISIBLE}
    ORDER BY r.predicate DESC
""".encode()

# how a document begins, as domain.text.editions.Opening has it
_OPENINGS = f"""
    SELECT d.document_id, d.source_no, d.title, array_to_string(c.heading_path, ' '), c.text, d.updated_at
    FROM documents d JOIN chunks c ON c.version_id = %(version)s AND c.document_no = d.document_no AND c.ordinal = 0
    WHERE {VISIBLE} AND {{}}
"""
_ASKED = _OPENINGS.format("d.document_id = ANY(%(documents)s)").encode()
_ALIKE = _OPENINGS.format(
    "d.source_no = ANY(%(sources)s) AND lower(split_part(d.title, ' ', 1)) = ANY(%(words)s)"
).encode()


async def precedence(
    connection: Connection, snapshot: IndexSnapshot, documents: Collection[str]
) -> dict[tuple[str, str], Precedence]:
    """See domain.search_ports.GraphSearch."""
    bound = {
        "version": snapshot.version.version_id,
        "acls": snapshot.acls,
        "documents": list(documents),
        "predicates": list(get_args(Precedence)),
    }
    found: dict[tuple[str, str], Precedence] = dict.fromkeys(await _editions(connection, bound), "replaces")
    return found | {(one, other): said for one, other, said in await fetch_prepared(connection, _PRECEDENCE, bound)}


def _says(opening: Opening) -> bool:
    return opening.counts_no_longer or replaced_edition(opening.text) is not None


async def _editions(connection: Connection, bound: dict[str, object]) -> set[tuple[str, str]]:
    """Pairs of the asked documents of which one says, without a link, that it replaces that edition of itself, or that
    it is replaced by what has that title."""
    asked = [Opening(*row) for row in await fetch_prepared(connection, _ASKED, bound)]
    titles = {each.document_id: by[0] for each in asked if (by := replacing_titles(each.text))}
    saying = [each for each in asked if _says(each) or each.document_id in titles]
    if not saying:
        return set()
    words = [*(each.first_word for each in saying), *(first_word(each) for found in titles.values() for each in found)]
    bound |= {"sources": [each.source for each in saying], "words": words}
    among = [Opening(*row) for row in await fetch_prepared(connection, _ALIKE, bound)]
    known = {each.document_id for each in asked}
    return {pair for pair in replaced_editions(saying, among) if known.issuperset(pair)}
