from dataclasses import replace

import numpy as np

from agent.questions.expected import expected
from agent.reasoners.offline.quotable_units import quotable_units
from agent.reasoners.offline.quote_context import with_warnings, with_what_follows
from agent.reasoners.offline.quoting import ScoredUnit
from agent.retrieval.retriever import Retrieved
from domain.search import Passage
from tests.fakes.agent import a_passage

STEPS = "1. Drain the pump.\n2. Close the valve."


def scored(*passages: Passage, measure: Retrieved | None = None) -> list[ScoredUnit]:
    known = measure or Retrieved((), {}, "english", None, {})
    return [ScoredUnit(unit, 0.5, np.zeros(1, np.float32)) for unit in quotable_units(passages, known)]


def with_steps(*passages: Passage) -> list[str]:
    """What is quoted with the steps of the last passage."""
    units = [each for each in scored(*passages) if each.unit.form == "list" and each.unit.passage == len(passages) - 1]
    return [each.unit.text for each in with_warnings(units[-1:], passages, Retrieved((), {}, "english", None, {}))]


def test_steps_come_with_the_warnings_above_them_in_their_section() -> None:
    text = f"⚠ Chlorine off first. It is poison.\n\nYou need: key T1.\n\nIt is an old pump of ours.\n\n{STEPS}"
    assert with_steps(a_passage(text)) == ["⚠ Chlorine off first. It is poison.", "You need: key T1.", STEPS]
    assert with_steps(a_passage(f"Never mind the pump.\n\nImportant contacts are below.\n\n{STEPS}")) == [STEPS]


def test_the_warning_of_another_procedure_or_below_the_steps_is_none_of_theirs() -> None:
    other = "## Restart\n\nWarning: 400 volts.\n\n1. Stop it.\n2. Start it."
    assert with_steps(a_passage(f"{other}\n\n## Filter\n\n{STEPS}\n\nWarning: it is hot.")) == [STEPS]
    elsewhere = replace(a_passage("Warning: 400 volts.", headings=("Restart",)), ordinal=3)
    assert with_steps(elsewhere, replace(a_passage(STEPS, headings=("Filter",)), ordinal=4)) == [STEPS]


def test_a_warning_at_the_beginning_of_the_document_holds_for_all_of_it() -> None:
    first = replace(a_passage("WARNING: never go in alone."), ordinal=0)
    steps = replace(a_passage(STEPS, headings=("Level 2",)), ordinal=4)
    assert with_steps(first, steps) == ["WARNING: never go in alone.", STEPS]


def test_a_sentence_comes_with_the_next_one_where_that_holds_what_it_lacks() -> None:
    measure = Retrieved((), {"notic": 2.0, "probat": 3.0}, "english", None, {})
    passage = a_passage("Probation lasts for six months. Notice in that time is two weeks. Pay day is the 28th.")
    units = scored(passage, measure=measure)
    wanted = expected("Which notice is there in probation?")
    first, second = units[0], next(each for each in units if each.unit.text.startswith("Notice"))
    found = with_what_follows([first], units, [passage], measure, wanted)
    assert [each.unit.text for each in found] == ["Probation lasts for six months. Notice in that time is two weeks."]
    both = with_what_follows([first, second], units, [passage], measure, wanted)
    assert [each.unit.text for each in both] == [first.unit.text, second.unit.text], "each is quoted once"
