"""A table is taken for whole only where a passage holds all of it, however the document was cut into passages."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from agent.reasoners.offline.quotable_units import quotable_units
from agent.reasoners.offline.whole_tables import table_of
from agent.retrieval.retriever import Retrieved
from domain.documents import Block, BlockKind
from indexer.chunking.chunker import chunk_document
from tests.fakes.agent import MODEL, a_passage
from tests.fakes.documents import a_document

TEXT = st.sampled_from(["", "Rates.", "The rates of each office are these, by year. " * 3])
CELL = st.sampled_from(["7", "1,204", "CZ-9", "yes", "an office in the south", "表"])


@given(
    before=TEXT,
    behind=TEXT,
    cell=CELL,
    name=st.sampled_from(["column", "the name of a column that says very much about it"]),
    columns=st.integers(2, 15),
    rows=st.integers(2, 90),
)
def test_what_is_taken_for_a_whole_table_has_all_its_rows(
    before: str, behind: str, cell: str, name: str, columns: int, rows: int
) -> None:
    names = "| " + " | ".join(f"{name} {number}" for number in range(columns)) + " |"
    lines = [f"| {row} | " + " | ".join([cell] * (columns - 1)) + " |" for row in range(rows)]
    table = "\n".join([names, "|---" * columns + "|", *lines])
    kinds = ((BlockKind.PROSE, before), (BlockKind.TABLE, table), (BlockKind.PROSE, behind))
    document = replace(a_document("a"), blocks=tuple(Block(kind, text) for kind, text in kinds if text))
    texts = [chunk.text for chunk in chunk_document(document, MODEL)]
    for number, text in enumerate(texts):
        passage = a_passage(text)
        beside = replace(passage, before=tuple(texts[:number][-1:]), after=tuple(texts[number + 1 :][:1]))
        for unit in quotable_units([passage], Retrieved(())):
            tables = (table_of(unit, passage), table_of(unit, passage, beside)) if unit.form == "row" else ()
            assert all(list(found.rows) == lines for found in tables if found)
