"""Which rows of a table tell a relation the way round in which a question asks for it."""

import pytest

from agent.reasoners.offline.relations import related_rows
from agent.retrieval.retriever import Retrieved
from tests.fakes.agent import a_passage

STAFF = """Staff.

| Name | Room | Deputy |
|---|---|---|
| Ada Moss | 12 | Ben Hart |
| Ben Hart | 14 | Cleo Vance |
| Cleo Vance | 16 | – |
"""


@pytest.mark.parametrize(
    ("question", "rows", "turned"),
    [
        ("Who is the deputy of Ben Hart?", ["Ben Hart – Room: 14; Deputy: Cleo Vance"], 1),
        ("Who is Ben Hart's deputy?", ["Ben Hart – Room: 14; Deputy: Cleo Vance"], 1),
        ("Who stands in for Ada Moss?", ["Ada Moss – Room: 12; Deputy: Ben Hart"], 0),
        ("Who is the deputy of Cleo Vance?", ["Cleo Vance – Room: 16; Deputy: –"], 1),
        ("Whose deputy is Ben Hart?", ["Ada Moss – Room: 12; Deputy: Ben Hart"], 1),
        ("For whom does Cleo Vance stand in?", ["Ben Hart – Room: 14; Deputy: Cleo Vance"], 1),
        ("Who is the manager of Ben Hart?", [], 0),
        ("Where does Ben Hart sit?", [], 0),
    ],
)
def test_the_row_that_counts_is_told_by_the_way_round(question: str, rows: list[str], turned: int) -> None:
    related = related_rows(question, [a_passage(STAFF, "staff")], Retrieved((), {}, "english"))
    assert [each.shown for each in related.rows] == rows
    assert len(related.turned) == turned
