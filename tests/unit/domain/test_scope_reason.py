"""What is said where a search is limited: each reason has words of its own, and says only what helps."""

from typing import get_args

import pytest

from domain.scope_reason import UNRESTRICTED, OutsiderReason, PublicReason, ScopeReason

OUTSIDERS: tuple[OutsiderReason, ...] = get_args(OutsiderReason)
PUBLIC: tuple[PublicReason, ...] = get_args(PublicReason)
HELD = [
    *(ScopeReason(asker, shared=True) for asker in OUTSIDERS if asker),
    *(ScopeReason(readers=readers, shared=True) for readers in PUBLIC if readers),
    ScopeReason("guest", "guests", shared=True),
]


@pytest.mark.parametrize("reason", HELD, ids=lambda reason: "-".join(reason.codes))
def test_what_holds_a_search_is_said_with_what_helps(reason: ScopeReason) -> None:
    assert reason.limit.endswith(", so I use only what is public.")
    assert reason.advice.endswith(".")
    assert reason.nothing == f"{reason.limit} Nothing that is indexed is public. {reason.advice}"
    for words in (reason.limit, reason.advice, reason.nothing):
        assert "other words" not in words
        assert "next:" not in words
        assert "\n" not in words


def test_each_reason_has_its_own_words() -> None:
    askers = {ScopeReason(asker).limit for asker in OUTSIDERS}
    readers = {ScopeReason(readers=reason).limit for reason in PUBLIC}
    assert len(askers) == len(OUTSIDERS)
    assert len(readers) == len(PUBLIC)


@pytest.mark.parametrize("reason", [each for each in OUTSIDERS if each])
def test_another_place_does_not_help_an_outsider(reason: OutsiderReason) -> None:
    both = ScopeReason(reason, "guests", shared=True)
    assert not both.private_helps
    assert "direct message" not in both.advice
    assert both.limit == ScopeReason(reason).limit


def test_only_what_may_go_better_is_to_be_tried_again() -> None:
    assert "in a minute" in ScopeReason(readers="lookup_failed", shared=True).advice
    assert "in a few minutes" in ScopeReason(readers="lookup_unfinished", shared=True).advice
    for reason in PUBLIC:
        if reason not in {"lookup_failed", "lookup_unfinished"}:
            assert "minute" not in ScopeReason(readers=reason, shared=True).advice
    assert "whoever runs this service" in ScopeReason(readers="missing_scope", shared=True).advice.lower()


def test_nothing_is_said_of_a_search_that_nothing_holds() -> None:
    assert (UNRESTRICTED.limit, UNRESTRICTED.advice, UNRESTRICTED.codes) == ("", "", ())
    assert ScopeReason(shared=True).private_helps
    assert "direct message" in ScopeReason(shared=True).nothing
    assert "direct message" not in UNRESTRICTED.nothing
