"""Whom an ACL admits is one answer, whether a document has it or not."""

from dataclasses import replace

import pytest

from domain.access import NOBODY, ORG, ORGANISATION, PUBLIC, Acl, Scope, SourceDirectory, account, group, site, user
from domain.search import Filters
from tests.contract.knowledge import HOUR, OTHER, Knowledge
from tests.fakes.documents import SOURCE, a_document
from tests.fakes.rights import EVERYONE

ADA, BOB, CARL = (Scope.member(f"{name}@example.com") for name in ("ada", "bob", "carl"))
LEADS, A1, B1 = group(SOURCE, "leads"), account(SOURCE, "a1"), account(SOURCE, "b1")
PEOPLE = SourceDirectory({"ada@example.com": frozenset({A1, LEADS}), "bob@example.com": frozenset({B1})})
FRESH = Acl.any_of(site(SOURCE))
ACLS = {
    "nobody": NOBODY,
    "everyone": EVERYONE,
    "organisation": ORGANISATION,
    "ada": Acl.any_of(user("ada@example.com")),
    "leads": Acl.any_of(LEADS).and_also(FRESH),
    "bob": Acl.any_of(B1).and_also(FRESH),
    "both": Acl.any_of(A1, B1).and_also(FRESH),
    "leads or all": Acl.any_of(LEADS, ORG).and_also(FRESH),
    "leads and bob": Acl.any_of(LEADS).and_also(Acl.any_of(B1)),
    "another source's": Acl.any_of(group(OTHER, "leads"), account(OTHER, "a1")),
    "fresh elsewhere": ORGANISATION.and_also(Acl.any_of(site(OTHER))),
}
SCOPES = (
    ADA,
    BOB,
    CARL,
    Scope.member(),
    Scope.outsider(),
    replace(ADA, audience=frozenset({PUBLIC, ORG})),
    replace(ADA, audience=BOB.asker),
    replace(ADA, audience=frozenset({PUBLIC})),
)


@pytest.mark.parametrize("name", ACLS)
async def test_it_says_what_a_search_shows(knowledge: Knowledge, name: str) -> None:
    await knowledge.access_writer.replace_directory(SOURCE, PEOPLE)
    await knowledge.access_writer.mark_fresh(SOURCE, await knowledge.access_writer.now())
    await knowledge.put(a_document(name, acl=ACLS[name]), "the plan of the harbour")
    for scope in SCOPES:
        shown = await knowledge.search.count_documents(scope, Filters())
        assert await knowledge.access_reader.admits(ACLS[name], scope) == bool(shown), (name, scope)


async def test_what_no_document_has_is_judged_as_well(knowledge: Knowledge) -> None:
    await knowledge.access_writer.replace_directory(SOURCE, PEOPLE)
    await knowledge.access_writer.mark_fresh(SOURCE, await knowledge.access_writer.now())
    told = {name: [await knowledge.access_reader.admits(acl, scope) for scope in SCOPES] for name, acl in ACLS.items()}
    assert told["leads"] == [True] + [False] * 7
    assert told["both"] == [True, True, False, False, False, False, True, False]
    assert told["leads or all"] == [True, True, True, True, False, True, True, False]
    assert not any(told["nobody"] + told["leads and bob"] + told["another source's"] + told["fresh elsewhere"])


async def test_nobody_is_anything_in_a_source_whose_permissions_are_too_old(knowledge: Knowledge) -> None:
    await knowledge.access_writer.replace_directory(SOURCE, PEOPLE)
    assert not await knowledge.access_reader.admits(ACLS["leads"], ADA), "never vouched for"
    await knowledge.access_writer.mark_fresh(SOURCE, await knowledge.access_writer.now() - HOUR)
    assert not await knowledge.access_reader.admits(Acl.any_of(LEADS), ADA)
    assert not await knowledge.access_reader.admits(FRESH, ADA)
