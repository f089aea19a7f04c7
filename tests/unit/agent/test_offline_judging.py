"""How the reasoner without a language model grades evidence, and what it misses in it."""

from dataclasses import replace

import pytest

from agent.state import CitedClaim
from domain.answers import Answer, Question
from tests.fakes.agent import ASKED, MEMBER, MODEL, a_passage, a_service, an_analysis, an_evidence
from tests.fakes.documents import a_document, put
from tests.fakes.knowledge import MemoryKnowledge
from tests.fakes.offline import a_reasoner, a_zoo_reasoner


async def test_evidence_that_says_all_words_of_a_simple_question_is_conclusive() -> None:
    reasoner, answer = await a_zoo_reasoner(), an_evidence(a_passage("The walrus is fed at noon."))
    assert await reasoner.conclusive(an_analysis(ASKED), [answer])
    assert not await reasoner.conclusive(an_analysis(ASKED), [an_evidence(a_passage("Buses leave at nine."))])
    assert not await reasoner.conclusive(an_analysis(ASKED), [])
    assert not await reasoner.conclusive(replace(an_analysis(ASKED), complexity="moderate"), [answer])


async def test_every_item_gets_a_grade_for_every_part_it_was_found_for() -> None:
    reasoner = await a_zoo_reasoner()
    analysis = an_analysis("x", ASKED, "When do buses leave?")
    walrus = an_evidence(a_passage("The walrus is fed at noon.", "w"), found_for=(1, 2))
    bus = an_evidence(a_passage("Buses leave at nine.", "b"), found_for=(2,))
    marks = await reasoner.grade(analysis, [walrus, bus], [])
    assert set(marks.grades) == {(1, walrus.key), (2, walrus.key), (2, bus.key)}
    assert all(0 <= grade <= 1 for grade in marks.grades.values())
    assert marks.grades[1, walrus.key] > 0.7 > marks.grades[2, walrus.key]
    assert marks.grades[2, bus.key] > 0.7


async def test_what_was_found_with_other_words_is_graded_by_those_too() -> None:
    reasoner, passage = await a_zoo_reasoner(), a_passage("Buses leave at nine.")
    plain, onward = an_evidence(passage), an_evidence(passage, queries=("When do buses leave?",))
    low = (await reasoner.grade(an_analysis(ASKED), [plain], [])).grades[1, plain.key]
    high = (await reasoner.grade(an_analysis(ASKED), [onward], [])).grades[1, onward.key]
    assert high > 0.7 > low


async def test_the_words_that_no_evidence_holds_are_missing() -> None:
    reasoner = await a_zoo_reasoner()
    known = an_evidence(a_passage("The walrus is fed at noon."))
    marks = await reasoner.grade(an_analysis("When is the old walrus in Dublin fed?"), [known], [])
    assert set(marks.missing) == {"old", "dublin"}
    assert (await reasoner.grade(an_analysis(ASKED), [], [known])).missing == ()


PAGE_URL = "https://wiki.example/spaces/ENG/pages/12345/Feeding"


@pytest.mark.parametrize("asked", [f"When is the walrus fed? See {PAGE_URL}.", f"{PAGE_URL}: when is the walrus fed?"])
async def test_words_of_a_url_count_only_where_its_page_was_not_read(asked: str) -> None:
    reasoner, passage = await a_zoo_reasoner(), a_passage("The walrus is fed at noon.")
    searched = an_evidence(passage)
    read = replace(searched, names=frozenset({PAGE_URL}))
    low, high = [await reasoner.grade(an_analysis(asked), [each], []) for each in (searched, read)]
    assert high.grades[1, read.key] > 0.6 > 2 * low.grades[1, read.key]
    assert set(high.missing) <= {"see"}
    assert "example" in low.missing


async def test_words_of_a_url_that_the_page_holds_count() -> None:
    reasoner, read = await a_zoo_reasoner(), frozenset({PAGE_URL})
    held, other = [
        replace(an_evidence(a_passage(text, text)), names=read) for text in ("Feeding: noon.", "Buses leave at nine.")
    ]
    marks = await reasoner.grade(an_analysis(f"Is {PAGE_URL} new?"), [held, other], [])
    assert marks.grades[1, held.key] > marks.grades[1, other.key]


async def test_a_page_is_quoted_whose_url_stands_in_the_question() -> None:
    knowledge = MemoryKnowledge(MODEL.identity)
    await put(knowledge, MODEL, replace(a_document("walrus"), url=PAGE_URL), "The walrus is fed at noon.")
    await put(knowledge, MODEL, a_document("bus"), "Buses leave at nine.")
    outcome = (await a_service(knowledge).ask(Question(f"When is the walrus fed? See {PAGE_URL}.", MEMBER))).outcome
    assert isinstance(outcome, Answer)
    assert outcome.text.startswith("The walrus is fed at noon.")


async def test_nothing_here_clears_a_doubt() -> None:
    claim = CitedClaim("The walrus is fed at noon.", (a_passage("The walrus is fed at noon."),))
    assert await a_reasoner().check(an_analysis("?"), [claim, claim]) == [None, None]


async def test_nothing_here_writes_a_hypothesis() -> None:
    assert await a_reasoner().hypothesise(ASKED) == ""
