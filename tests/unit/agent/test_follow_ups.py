from agent.replies.follow_ups import MOST, follow_ups
from agent.state import Evidence
from tests.fakes.agent import a_passage, an_evidence


def section(name: str, part: int, score: float = 0.5, document: str = "d") -> Evidence:
    passage = a_passage("text", document, part=part, title="Handbook", headings=(name,) if name else ())
    return an_evidence(passage, scores={1: score})


def test_other_sections_of_the_cited_documents_are_offered_best_first() -> None:
    cited = section("Leave", 0)
    evidence = [cited, section("Travel", 1, 0.4), section("Sickness", 2, 0.6)]
    assert follow_ups([cited.passage], evidence) == (
        "“Sickness” – what does “Handbook” say about it?",
        "“Travel” – what does “Handbook” say about it?",
    )


def test_nothing_else_is() -> None:
    cited = section("Leave", 0)
    same, plain, title = section("Leave", 1), section("", 2), section("Handbook", 3)
    assert follow_ups([cited.passage], [cited, same, plain, title, section("Other", 0, document="e")]) == ()
    assert follow_ups([], [section("Travel", 1)]) == ()


def test_each_once_and_no_more_than_a_few() -> None:
    cited = section("Leave", 0)
    others = [section(f"Part {n % 5}", n + 1) for n in range(10)]
    found = follow_ups([cited.passage], others)
    assert len(found) == len(set(found)) == MOST
