import pytest

from agent.replies.follow_ups import MAX_FOLLOW_UPS, follow_ups
from agent.state import Evidence
from tests.fakes.agent import a_passage, an_evidence


def section(name: str, part: int, score: float = 0.5, document: str = "d") -> Evidence:
    passage = a_passage("text", document, part=part, title="Handbook", headings=(name,) if name else ())
    return an_evidence(passage, scores={1: score})


def test_other_sections_of_the_cited_documents_are_offered_best_first() -> None:
    cited = section("Leave", 0)
    evidence = [cited, section("Travel", 1, 0.4), section("Sickness", 2, 0.6)]
    assert follow_ups([cited.passage], evidence) == (
        "What is said about sickness in “Handbook”?",
        "What is said about travel in “Handbook”?",
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
    assert len(found) == len(set(found)) == MAX_FOLLOW_UPS


@pytest.mark.parametrize(
    ("heading", "asked"),
    [
        ("5 Changing the battery", "What is said about changing the battery in “Handbook”?"),
        ("2.1. API keys", "What is said about API keys in “Handbook”?"),
        ("4.4.1 (3 February 2026)", "What is said about 4.4.1 (3 February 2026) in “Handbook”?"),
        ("Is it us?", "Is it us? (“Handbook”)"),
    ],
)
def test_a_heading_becomes_a_question_that_a_colleague_would_ask(heading: str, asked: str) -> None:
    assert follow_ups([section("Leave", 0).passage], [section(heading, 1)]) == (asked,)


def test_a_heading_that_only_repeats_the_title_is_not_asked_about() -> None:
    assert follow_ups([section("Leave", 0).passage], [section("Handbook, version 3", 1)]) == ()


def test_german_nouns_keep_their_capitals() -> None:
    passage = a_passage("Der Urlaub wird im Portal beantragt.", "d", part=1, title="Handbook", headings=("Urlaub",))
    assert follow_ups([section("Leave", 0).passage], [an_evidence(passage)]) == (
        "What is said about Urlaub in “Handbook”?",
    )
