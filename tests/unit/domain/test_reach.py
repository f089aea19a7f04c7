"""What is said where a search does not reach far: each reason has words of its own, and says only what helps."""

from itertools import product
from typing import get_args

import pytest

from domain.reach import UNHELD, OutsiderReason, PublicReason, Reach

OUTSIDERS: tuple[OutsiderReason, ...] = get_args(OutsiderReason)
PUBLIC: tuple[PublicReason, ...] = get_args(PublicReason)
HELD = [Reach(asker, readers, shared=True) for asker, readers in product(OUTSIDERS, PUBLIC) if asker or readers]


@pytest.mark.parametrize("reach", HELD, ids=lambda reach: "-".join(reach.codes))
def test_what_holds_a_search_is_said_with_what_helps(reach: Reach) -> None:
    assert reach.limit.endswith(", so I use only what is public.")
    assert reach.advice.endswith(".")
    assert reach.nothing == f"{reach.limit} Nothing that is indexed is public. {reach.advice}"
    for words in (reach.limit, reach.advice, reach.nothing):
        assert "other words" not in words
        assert "next:" not in words
        assert "\n" not in words


def test_each_reason_has_its_own_words() -> None:
    askers = {Reach(asker).limit for asker in OUTSIDERS}
    readers = {Reach(readers=reason).limit for reason in PUBLIC}
    assert len(askers) == len(OUTSIDERS)
    assert len(readers) == len(PUBLIC)


@pytest.mark.parametrize("reason", [each for each in OUTSIDERS if each])
def test_another_place_does_not_help_an_outsider(reason: OutsiderReason) -> None:
    reach = Reach(reason, "guests", shared=True)
    assert not reach.private_helps
    assert "direct message" not in reach.advice
    assert reach.limit == Reach(reason).limit


def test_only_what_may_go_better_is_to_be_tried_again() -> None:
    assert "in a minute" in Reach(readers="lookup_failed", shared=True).advice
    assert "in a few minutes" in Reach(readers="lookup_unfinished", shared=True).advice
    for reason in PUBLIC:
        if reason not in {"lookup_failed", "lookup_unfinished"}:
            assert "minute" not in Reach(readers=reason, shared=True).advice
    assert "whoever runs this service" in Reach(readers="missing_scope", shared=True).advice.lower()


def test_nothing_is_said_of_a_search_that_nothing_holds() -> None:
    assert (UNHELD.limit, UNHELD.advice, UNHELD.codes) == ("", "", ())
    assert Reach(shared=True).private_helps
    assert "direct message" in Reach(shared=True).nothing
    assert "direct message" not in UNHELD.nothing
