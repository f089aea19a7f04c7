"""A batch that is packed comes out as it went in, but for blocks and facts, of which all is made already."""

from dataclasses import replace
from datetime import UTC, datetime

from domain.access import Acl, group, user
from domain.documents import Block, BlockKind, Chunk, Span
from domain.knowledge_graph import DocumentGraph, Facts, Link, Mention, MentionRole, Relation, RelationOrigin
from indexer.chunking.propositions import SentenceUnit
from indexer.run.batch import PreparedDocument
from indexer.run.packed_batch import packed, unpacked
from tests.fakes.documents import a_document

BOTH = Acl(frozenset({frozenset({user("ann@example.com"), group("wiki", "staff")}), frozenset({group("wiki", "all")})}))
FACTS = Facts(("page:x",), (Link("is in", "page:y", words="wohnt in", guarded=True),), ("Kräne",))


def a_batch() -> list[PreparedDocument]:
    moment = datetime(2026, 3, 1, 12, tzinfo=UTC)
    full = replace(
        a_document("a", title="Kräne"), acl=BOTH, labels=("x", "y"), updated_at=moment, acl_at=moment, facts=FACTS
    )
    chunk = Chunk(full.document_id, 0, "Kräne", ("Teil 1",), "Ein „Kran\u2028“", BlockKind.TABLE, Span(1, 2, 3), BOTH)
    graph = DocumentGraph(
        4,
        FACTS,
        (Mention("thing:kran", 0, MentionRole.TITLE, 0.95, "Kran"),),
        (Relation("thing:kran", "is in", "page:y", 0, 0.5, RelationOrigin.VERB, guarded=True),),
    )
    plain = PreparedDocument(a_document("b", title="b"), [], new=False, units=[], masked_anew=True)
    return [PreparedDocument(full, [chunk], new=True, units=[[SentenceUnit(0, 3, "Ein")]], graph=graph), plain]


def test_it_comes_out_as_it_went_in() -> None:
    batch = a_batch()
    slim = [replace(each, document=replace(each.document, blocks=(), facts=Facts())) for each in batch]
    assert unpacked(packed(batch)) == slim


def test_what_the_document_was_made_of_stays_out() -> None:
    whole = replace(a_document("a", title="a"), blocks=(Block(BlockKind.PROSE, "a word that is in no chunk"),))
    (found,) = unpacked(packed([PreparedDocument(whole, [], new=True, units=[])]))
    assert found.document.blocks == ()
