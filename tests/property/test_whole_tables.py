"""A table is taken for whole only where a passage holds all of it, however the document was cut into passages."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from agent.reasoners.offline.quotable_units import quotable_units, table_of
from agent.retrieval.retriever import Retrieved
from domain.documents import Block, BlockKind
from indexer.chunking.chunker import chunk_document
from tests.fakes.agent import MODEL, a_passage
from tests.fakes.documents import a_document

TEXT = st.sampled_from(["", "Rates.", "The rates of each office are these, by year. " * 3])
CELL = st.sampled_from(["7", "1,204", "CZ-9", "yes", "an office in the south", "表"])


@given(before=TEXT, behind=TEXT, cell=CELL, columns=st.integers(2, 6), rows=st.integers(2, 90))
def test_what_is_taken_for_a_whole_table_has_all_its_rows(
    before: str, behind: str, cell: str, columns: int, rows: int
) -> None:
    names = "| " + " | ".join(f"column {number}" for number in range(columns)) + " |"
    lines = [f"| {row} | " + " | ".join([cell] * (columns - 1)) + " |" for row in range(rows)]
    table = "\n".join([names, "|---" * columns + "|", *lines])
    kinds = ((BlockKind.PROSE, before), (BlockKind.TABLE, table), (BlockKind.PROSE, behind))
    document = replace(a_document("a"), blocks=tuple(Block(kind, text) for kind, text in kinds if text))
    for chunk in chunk_document(document, MODEL):
        passage = a_passage(chunk.text)
        for unit in quotable_units([passage], Retrieved(())):
            if unit.form == "row" and (found := table_of(unit, passage)):
                assert list(found.rows) == lines
