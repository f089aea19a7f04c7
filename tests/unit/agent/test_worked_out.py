"""A day that follows from a rule of its source is put to the check, where it would else be left out."""

from dataclasses import replace
from datetime import date

import pytest

from agent.reasoner import SynthesisInput
from agent.replies.unit_checks import UnitChecks
from domain.answers import Question
from tests.fakes.agent import MEMBER, a_passage, an_analysis, an_evidence

RULE = "The restore drill takes place on the first Thursday of each quarter."
ONCE = "The restore drill took place on Thursday, 2 July 2026."
ASKED = "When is the next restore drill?"


def checks(source: str, today: date | None = date(2026, 11, 27)) -> UnitChecks:
    evidence = (an_evidence(a_passage(source)),)
    return UnitChecks(
        SynthesisInput(Question(ASKED, MEMBER), replace(an_analysis(ASKED), asked_on=today), (), evidence)
    )


@pytest.mark.parametrize("day", ["Thursday, 2027-01-07", "7 January 2027", "Thursday, 7 January 2027"])
def test_the_next_day_by_a_rule_is_put_to_the_check(day: str) -> None:
    found = checks(RULE).checked(f"The next restore drill is on {day} [1].")
    assert found is not None
    assert found.comparison is not None
    assert found.comparison.verdict == "disagrees", "it is shown only where the check clears it"


@pytest.mark.parametrize(
    ("rule", "day"),
    [
        ("on the last Friday of the month", "25 December 2026"),
        ("on the second Monday of every month", "14 December 2026"),
        ("every Tuesday", "Tuesday, 2026-12-01"),
        ("on Tuesdays", "2026-12-01"),
    ],
)
def test_rules_name_a_day_of_the_week(rule: str, day: str) -> None:
    found = checks(f"The restore drill takes place {rule}.").checked(f"The next restore drill is on {day} [1].")
    assert found is not None


@pytest.mark.parametrize(
    ("source", "said", "today"),
    [
        (ONCE, "The next restore drill is on 7 January 2027 [1].", date(2026, 11, 27)),
        (RULE, "The next restore drill is on Friday, 7 January 2027 [1].", date(2026, 11, 27)),
        (RULE, "The next restore drill is on 7 January 2027 [1].", None),
        (RULE, "The next restore drill is in January 2027 [1].", date(2026, 11, 27)),
        (RULE, "The next restore drill is on 14 January 2027 [1].", date(2026, 11, 27)),
        (RULE, "The next restore drill is on 4 February 2027 [1].", date(2026, 11, 27)),
        ("The drill is held every March.", "The next drill is on 14 March 2027 [1].", date(2026, 11, 27)),
        (RULE, "The next restore drill is on 31 February 2027 [1].", date(2026, 11, 27)),
        (RULE, "The next restore drill with 12 engineers is on 7 January 2027 [1].", date(2026, 11, 27)),
    ],
)
def test_any_other_day_that_no_source_says_is_left_out(source: str, said: str, today: date | None) -> None:
    assert checks(source, today).checked(said) is None


def test_what_day_it_is_the_check_judges() -> None:
    said = "As of 2026-11-27, the restore drill takes place on the first Thursday of each quarter [1]."
    found = checks(RULE).checked(said)
    assert found is not None
    assert found.comparison is not None
    assert found.comparison.verdict == "disagrees"
    assert checks(RULE, None).checked(said) is None
    assert checks(RULE).checked("The passages do not say whether the drill is moved after 2026-11-27.") is not None
