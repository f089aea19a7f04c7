"""kill -9 of `kb serve` at every point between receipt and posting, then another start: one visible outcome, and where
the platform gives nothing back that was sent, at most one sign too many, which is recorded."""

from collections.abc import Iterator

import pytest

from tests.command import Kb
from tests.fakes.slack import local_slack
from tests.fakes.teams import local_teams
from tests.fakes.teams_keys import teams_keys
from tests.faults.kill_cases import KillCase, SlackCase, TeamsCase
from tests.flows.slack.reading import questions

pytestmark = pytest.mark.faults


@pytest.fixture(params=["slack messages", "slack streams", "teams messages", "teams streams"])
def case(request: pytest.FixtureRequest, indexed: Kb) -> Iterator[KillCase]:
    platform, way = request.param.split()
    if platform == "slack":
        with local_slack() as slack:
            yield SlackCase(indexed, slack, streams=way == "streams")
        return
    with local_teams() as teams, teams_keys() as keys:
        teams.unlimited()
        yield TeamsCase(indexed, teams, keys, streams=way == "streams")


ANYWHERE = pytest.mark.parametrize(
    "case", [pytest.param("slack messages", marks=pytest.mark.everyday), "teams messages"], indirect=True
)
"""Where it makes no difference how an answer is shown."""


@ANYWHERE
def test_before_the_question_is_in_the_ledger(case: KillCase) -> None:
    case.kill_behind("questions")
    assert not questions(case.kb)
    assert case.outcome_after_restart() == []


def test_before_the_first_sign(case: KillCase) -> None:
    case.kill_at(case.before, case.first_sign)
    assert not case.shown()
    assert case.outcome_after_restart(doubted=not case.takes_back) == [], "a sign might have been there"


def test_when_the_first_sign_is_shown_and_not_noted(case: KillCase) -> None:
    case.kill_at(case.after, case.first_sign)
    signs = case.shown()
    assert len(signs) == 1
    too_many = case.outcome_after_restart(doubted=not case.takes_back)
    assert [each.text for each in too_many] == [each.text for each in signs if not case.takes_back]


@ANYWHERE
def test_while_it_is_answered(case: KillCase) -> None:
    case.kill_at(case.before, case.look_up)
    assert case.states() == [("running",)]
    assert case.outcome_after_restart() == []


def test_before_the_outcome_is_shown(case: KillCase) -> None:
    case.kill_at(case.before, case.last_word, lambda: case.states() == [("posting",)])
    assert not case.is_answered()
    assert case.outcome_after_restart() == []


def test_when_the_outcome_is_shown_and_the_platform_has_not_said_so(case: KillCase) -> None:
    case.kill_at(case.after, case.last_word, case.is_answered)
    assert case.is_answered()
    assert case.outcome_after_restart() == []


def test_when_the_outcome_is_shown_and_not_in_the_ledger(case: KillCase) -> None:
    case.kill_behind("turns", case.is_answered)
    assert case.states() == [("posting",)]
    assert case.outcome_after_restart() == []
