import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.access import (
    NOBODY,
    ORG,
    ORGANISATION,
    PUBLIC,
    Acl,
    Principal,
    Scope,
    SourceDirectory,
    account,
    email_of,
    group,
    lowered,
    permits,
    reliable_directory,
    site,
    user,
)
from storage.permissions.acls import decode, encode
from tests.fakes.rights import EVERYONE, expanded

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


ADA_IS = frozenset({account("wiki", "a1"), group("wiki", "leads")})
WIKI = SourceDirectory({"ada@example.com": ADA_IS})


def test_the_people_of_a_fresh_source_are_what_its_directory_says() -> None:
    scope = expanded(Scope.member("ada@example.com"), {"wiki": WIKI})
    assert scope.asker == Scope.member("ada@example.com").asker | ADA_IS | {site("wiki")}
    assert expanded(Scope.member("bob@example.com"), {"wiki": WIKI}).asker >= {site("wiki")}
    assert not expanded(Scope.outsider(), {"wiki": WIKI}).asker & ADA_IS
    assert expanded(Scope.member("ada@example.com"), {}) == Scope.member("ada@example.com")


def test_all_readers_of_a_reply_know_the_sites_and_not_each_others_groups() -> None:
    scope = expanded(Scope(Scope.member("ada@example.com").asker, frozenset({PUBLIC, ORG})), {"wiki": WIKI})
    assert scope.audience == frozenset({PUBLIC, ORG, site("wiki")})
    assert not permits(Acl.any_of(group("wiki", "leads")), scope)
    assert permits(Acl.any_of(group("wiki", "leads"), ORG).and_also(Acl.any_of(site("wiki"))), scope)


def test_an_incomplete_directory_is_believed_of_the_accounts_that_were_known() -> None:
    ada, bob = account("wiki", "ada"), account("wiki", "bob")
    leads = group("wiki", "leads")
    before = SourceDirectory({"ada@example.com": frozenset({ada}), "bob@example.com": frozenset({bob, leads})})
    now = {
        "ada@example.com": frozenset({ada, leads}),
        "bob@example.com": frozenset({ada, leads}),
        "new@example.com": frozenset({bob}),
    }
    assert reliable_directory(SourceDirectory(now), before).members == now
    assert reliable_directory(SourceDirectory(now, complete=False), before).members == {
        "ada@example.com": frozenset({ada, leads})
    }


@given(st.characters())
def test_no_letter_becomes_an_ascii_letter_of_an_address_unless_it_is_one(letter: str) -> None:
    assert lowered(f"a{letter}b").isascii() == letter.isascii()
    assert lowered(f"a{letter}b") == f"a{letter.lower() if letter.isascii() else letter}b"


@pytest.mark.parametrize("letter", ["\u212a", "\u0130", "\u017f", "\uff2b"])
def test_an_address_that_looks_like_another_is_another_persons(letter: str) -> None:
    address = f"Mar{letter}@corp.example"
    assert email_of(f" {address} ") == f"mar{letter}@corp.example"
    assert user(address) == Principal("user", f"mar{letter}@corp.example")
    assert email_of("MARK@Corp.example") == "mark@corp.example"
