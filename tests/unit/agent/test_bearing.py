"""Whether quoted units bear what a question names."""

import pytest

from agent.questions.expected import expected
from agent.reasoners.offline.bearing import (
    Bearing,
    holds_codes,
    other_number,
    tells_a_story,
    turned_round,
    without_the_story,
)
from agent.reasoners.offline.quotable_units import quotable_units
from agent.retrieval.retriever import Retrieved
from domain.text.tokens import Analyzer
from tests.fakes.agent import a_passage


def missing(question: str, *texts: str, title: str = "Zoo") -> float:
    """What the unit of the texts that lacks least does of a question whose words all weigh the same."""
    measure = Retrieved((), dict.fromkeys(Analyzer().tokens(question), 2.0))
    passages = [a_passage(text, str(n), title=title) for n, text in enumerate(texts)]
    bearing = Bearing(passages, measure, expected(question))
    return min(bearing.missing([unit]) for unit in quotable_units(passages, measure))


@pytest.mark.parametrize(
    ("question", "text", "lacks"),
    [
        ("How long is a walrus fed?", "A walrus is fed for 5 minutes.", 0.0),
        ("How long is a baby walrus fed?", "A walrus is fed for 5 minutes.", 1 / 3),  # of baby, walrus, fed
        ("Which port does the pool use?", "The pool is deep.", 0.5),  # use is a light word
        ("What does the company take for a walrus?", "A walrus costs €5.", 0.0),  # take and company are light
        ("Walross machen", "Das Walross wird gewaschen.", 0.0),  # machen, too
        ("When did Ada leave?", "Ada feeds the walrus.", 0.5),
    ],
)
def test_weighty_words_that_no_unit_holds_are_missing(question: str, text: str, lacks: float) -> None:
    assert missing(question, text) == pytest.approx(lacks)


def test_what_the_title_says_is_not_missing_and_what_stands_beside_is_half() -> None:
    assert missing("Who feeds the walrus in the pool?", "Bo feeds it.", title="Walrus pool") == 0.0
    assert missing("Who cleans the pool?", "Bo swims. The pool is deep.") == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("question", "bear"),
    [("Compare the walrus with the seal", [True, True]), ("Who has a walrus and a seal?", [False, False])],
)
def test_units_bear_together_what_several_things_need(question: str, bear: list[bool]) -> None:
    measure = Retrieved((), dict.fromkeys(Analyzer().tokens(question), 2.0))
    passages = [a_passage("The walrus is old.", "a"), a_passage("The seal is young.", "b")]
    units = quotable_units(passages, measure)
    assert Bearing(passages, measure, expected(question)).bearing(units, 0.2) == bear


def test_a_name_that_the_document_holds_elsewhere_is_hardly_missing() -> None:
    question = "What does the Walrus cost?"
    measure = Retrieved((), {"walrus": 2.0, "cost": 2.0})
    passages = [a_passage("It costs €5.", "a"), a_passage("The Walrus swims.", "a", part=1), a_passage("Walrus", "b")]
    unit = quotable_units(passages, measure)[0]
    assert Bearing(passages, measure, expected(question)).missing([unit]) == pytest.approx(0.1)


def test_of_a_follow_up_its_own_words_count() -> None:
    measure = Retrieved((), {"walrus": 2.0, "seal": 2.0})
    passages = [a_passage("The seal is young.")]
    wanted = expected("How old is the walrus: and the seal?", "and the seal?")
    assert Bearing(passages, measure, wanted).missing(quotable_units(passages, measure)) == 0.0


@pytest.mark.parametrize(
    ("question", "story"),
    [
        ("Our van broke down yesterday. Who repairs vans?", True),
        (" ".join(["van"] * 25) + "?", True),
        ("Who repairs vans in St. Gallen?", True),  # taken for two sentences: then less is asked of the page
        ("What is new in version 4. and 5.?", False),
        ("Who repairs vans?", False),
    ],
)
def test_a_question_behind_other_sentences_tells_a_story(question: str, story: bool) -> None:
    assert tells_a_story(question) is story


def test_of_a_story_the_words_that_nothing_indexed_holds_have_no_weight() -> None:
    assert without_the_story({"annoyed": 7.0, "van": 3.0, "repair": 7.0}, {"repair"}) == {"van": 3.0, "repair": 7.0}


@pytest.mark.parametrize(("text", "holds"), [("In v2 pages have cursors.", True), ("Pages have cursors.", False)])
def test_the_identifier_that_is_asked_for_is_in_the_unit_or_above_it(text: str, holds: bool) -> None:
    passage = a_passage(text, title="Pages")
    (unit,) = quotable_units([passage], Retrieved(()))
    assert holds_codes(unit, passage, expected("How do pages work in API v2?")) is holds
    assert holds_codes(unit, passage, expected("How do pages work?"))


@pytest.mark.parametrize(
    ("question", "text", "other"),
    [
        ("What does version 6 say?", "Version 5, valid from March.", True),
        ("What does version 5 say?", "Version 5, valid from March.", False),
        ("Who chairs the meeting on 17 June?", "Next meeting: 17 June.", False),
        ("What is new since May 2026?", "In May 2025 we moved.", False),
        ("Which tier 2 services are there?", "Services have owners.", False),
    ],
)
def test_what_is_named_by_another_number_alone_is_another_thing(question: str, text: str, other: bool) -> None:
    assert other_number(question, [text]) is other


@pytest.mark.parametrize(
    ("question", "text", "turned"),
    [
        ("When did we replace Walrus with Seal?", "Walrus replaces Seal", True),
        ("When did we replace Seal with Walrus?", "Walrus replaces Seal", False),
        ("When did Bo move from Pool to Shop?", "Bo moved from Shop to Pool in May.", True),
        ("When did Bo move from Shop to Pool?", "Bo moved from Shop to Pool in May.", False),
        ("When did we replace Walrus with Seal?", "Walrus was replaced by Seal in May. Walrus replaces Seal.", False),
        ("When did Bo move?", "Bo moved from Shop to Pool in May.", False),
    ],
)
def test_a_question_that_turns_a_change_round_is_told(question: str, text: str, turned: bool) -> None:
    assert turned_round(question, [text]) is turned
