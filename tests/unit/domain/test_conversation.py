"""Why somebody is no member, and why a platform leaves that open."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.access import PUBLIC
from domain.conversation import Identity, lookup_failure, outsider, scope_of
from domain.errors import KbError, Misconfigured, Refused, Transient
from domain.scope_reason import OutsiderReason


@pytest.mark.parametrize(
    ("identity", "reason"),
    [
        (Identity("a@b.example", member=True), ""),
        (Identity("a@b.example", member=False), "unknown_person"),
        (Identity("a@b.example", member=False, reason="guest"), "guest"),
        (Identity(None, member=True), "no_address"),
        (Identity("", member=True), "no_address"),
        (Identity("a@c.example", member=True), "foreign_domain"),
        (Identity("a@b.example.evil.example", member=True), "foreign_domain"),
    ],
)
def test_who_is_no_member_is_one_for_a_reason(identity: Identity, reason: OutsiderReason) -> None:
    assert outsider(identity, ("b.example",)) == reason


@given(st.builds(Identity, st.none() | st.sampled_from(["", "a@b.example", "a@c.example"]), member=st.booleans()))
def test_whoever_sees_what_is_public_alone_is_told_why(identity: Identity) -> None:
    public_alone = scope_of(identity, "asker", ("b.example",)).asker == frozenset({PUBLIC})
    assert bool(outsider(identity, ("b.example",))) == public_alone


@pytest.mark.parametrize(
    ("error", "reason"),
    [(Transient("away"), "lookup_failed"), (Refused("no"), "lookup_failed"), (Misconfigured("no"), "missing_scope")],
)
def test_a_failed_look_up_says_whether_another_one_may_go_better(error: KbError, reason: str) -> None:
    assert lookup_failure(error) == reason
