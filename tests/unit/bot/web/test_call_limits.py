"""How often one person may call."""

import pytest

from bot.web.call_limits import PEOPLE, CallLimits
from bot.web.problems import ProblemError


def test_one_too_many_is_told_when_the_next_is_taken_and_others_are_not_concerned() -> None:
    now = [0.0]
    limits = CallLimits(2, lambda: now[0])
    for moment in (0.0, 10.0):
        now[0] = moment
        limits.take("ada")
    with pytest.raises(ProblemError) as caught:
        limits.take("ada")
    assert (caught.value.body.status, caught.value.headers["Retry-After"]) == (429, "50")
    limits.take("bob")
    now[0] = 60.0
    limits.take("ada")


def test_of_many_people_who_called_longest_ago_is_forgotten() -> None:
    limits = CallLimits(1)
    for number in range(PEOPLE + 1):
        limits.take(f"{number}")
    limits.take("0")
    with pytest.raises(ProblemError):
        limits.take("2")
