import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.access import EVERYONE, NOBODY, ORG, ORGANISATION, PUBLIC, Acl, Principal, Scope, permits, user
from storage.acl import decode, encode, permitted

PEOPLE = [PUBLIC, ORG, user("ada@example.com"), user("bob@example.com"), Principal("group", "leads")]
principals = st.sampled_from(PEOPLE)
groups = st.frozensets(principals, max_size=4)
acls = st.frozensets(groups, min_size=1, max_size=3).map(Acl)
scopes = st.builds(Scope, groups, st.none() | groups)


@given(acls, scopes)
def test_every_clause_needs_one_of_the_asker_and_one_of_the_audience(acl: Acl, scope: Scope) -> None:
    for_asker = all(any(p in scope.asker for p in clause) for clause in acl.clauses)
    for_audience = scope.audience is None or all(any(p in scope.audience for p in clause) for clause in acl.clauses)
    assert permits(acl, scope) == (for_asker and for_audience)


@given(acls, acls, scopes)
def test_and_also_admits_whom_both_admit(first: Acl, second: Acl, scope: Scope) -> None:
    both = first.and_also(second)
    assert permits(both, scope) == (permits(first, scope) and permits(second, scope))
    assert both == second.and_also(first)
    assert first.and_also(first) == first


@given(scopes, acls)
def test_nobody_is_nobody_and_stays_so(scope: Scope, acl: Acl) -> None:
    assert not permits(NOBODY, scope)
    assert not permits(acl.and_also(NOBODY), scope)


@given(acls, groups, groups)
def test_an_audience_only_narrows(acl: Acl, asker: frozenset[Principal], audience: frozenset[Principal]) -> None:
    if permits(acl, Scope(asker, audience)):
        assert permits(acl, Scope(asker))
        assert permits(acl, Scope(audience))


@given(acls, groups, groups)
def test_being_more_never_hides(acl: Acl, some: frozenset[Principal], more: frozenset[Principal]) -> None:
    if permits(acl, Scope(some)):
        assert permits(acl, Scope(some | more))


def test_an_empty_audience_reads_nothing() -> None:
    assert not permits(EVERYONE, Scope(Scope.member().asker, audience=frozenset()))


def test_an_acl_without_clauses_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one clause"):
        Acl(frozenset())


def test_members_and_outsiders() -> None:
    member, named, outsider = Scope.member(), Scope.member(" Ada@Example.com "), Scope.outsider()
    private = Acl.any_of(user("ada@example.com"))
    assert [permits(private, scope) for scope in (member, named, outsider)] == [False, True, False]
    assert [permits(ORGANISATION, scope) for scope in (member, named, outsider)] == [True, True, False]
    assert [permits(EVERYONE, scope) for scope in (member, named, outsider)] == [True, True, True]
    assert not permits(Acl.any_of(Principal("user")), member)


def test_a_user_is_not_a_group_of_the_same_name() -> None:
    assert not permits(Acl.any_of(Principal("group", "ada@example.com")), Scope.member("ada@example.com"))


def test_principals_read_as_their_kind_and_id() -> None:
    assert [str(principal) for principal in (PUBLIC, ORG, user("A@b.c"))] == ["public", "org", "user:a@b.c"]


@given(acls)
def test_stored_acls_come_back_as_they_were_in_one_form(acl: Acl) -> None:
    assert decode(encode(acl)) == acl
    clauses = sorted(acl.clauses, key=sorted, reverse=True)
    again = Acl(frozenset(frozenset(sorted(clause, reverse=True)) for clause in clauses))
    assert encode(again) == encode(acl)


@given(st.lists(acls, max_size=6), scopes)
def test_permitted_numbers_are_those_of_the_acls_that_admit(stored: list[Acl], scope: Scope) -> None:
    numbered = [(number, encode(acl)) for number, acl in enumerate(stored)]
    assert permitted(numbered, scope) == [number for number, acl in enumerate(stored) if permits(acl, scope)]
