"""What domain.search_ports.KnowledgeSearch.existing_names promises, held against every implementation."""

from dataclasses import replace

import pytest

from domain.access import NOBODY, ORG, PUBLIC, Acl, Scope, user
from domain.documents import document_id
from domain.errors import Refused
from domain.search import Filters
from tests.contract.knowledge import MEMBER, OTHER, Knowledge
from tests.fakes.documents import SOURCE, a_document

BOB_ASKS = Scope.member("bob@example.com")
ASKED = Filters(
    sources=(SOURCE, OTHER, "nowhere"),
    labels=("how-to", "how", "hers", "his"),
    spaces=("HR", "hr", "LAW"),
    documents=(document_id(SOURCE, "a"), document_id(SOURCE, "his")),
    titles=("guide", "expense policy", "Émile", "g%e", "_50%", "court", ""),
)
EVERYBODYS = Filters(
    sources=(SOURCE,),
    labels=("how-to",),
    spaces=("HR",),
    documents=(document_id(SOURCE, "a"),),
    titles=("guide", "Émile", "_50%", ""),
)


@pytest.fixture
async def shelf(knowledge: Knowledge) -> Knowledge:
    guide = a_document("a", title="Émile's Guide", path="hr/guide_50%.md", space="HR", labels=["how-to", "new"])
    his = Acl.any_of(user("bob@example.com"))
    await knowledge.put(guide, "some words")
    await knowledge.put(a_document("his", title="Court files", space="LAW", labels=["his"], acl=his), "some words")
    nobodys = a_document("none", source=OTHER, title="Expense Policy", labels=["hers"], acl=NOBODY)
    await knowledge.put(nobodys, "some words")
    return knowledge


@pytest.mark.filters_alone
async def test_names_are_those_of_documents_that_the_reader_may_see(shelf: Knowledge) -> None:
    assert await shelf.search.existing_names(ASKED, MEMBER) == EVERYBODYS
    his = await shelf.search.existing_names(ASKED, BOB_ASKS)
    assert (his.labels, his.spaces, his.titles) == (
        ("how-to", "his"),
        ("HR", "LAW"),
        ("guide", "Émile", "_50%", "court", ""),
    )


@pytest.mark.filters_alone
async def test_where_others_read_along_they_have_to_see_them_too(shelf: Knowledge) -> None:
    assert await shelf.search.existing_names(ASKED, replace(BOB_ASKS, audience=frozenset({PUBLIC, ORG}))) == EVERYBODYS
    assert await shelf.search.existing_names(ASKED, Scope.outsider()) == Filters()


@pytest.mark.filters_alone
async def test_a_part_that_the_reader_may_not_see_does_not_bear_the_name(knowledge: Knowledge) -> None:
    await knowledge.put(a_document("a", labels=["secret"]), ("some words", NOBODY))
    assert await knowledge.search.existing_names(Filters(labels=("secret",)), MEMBER) == Filters()


@pytest.mark.filters_alone
async def test_hidden_documents_and_no_names_at_all(shelf: Knowledge) -> None:
    assert await shelf.search.existing_names(Filters(), MEMBER) == Filters()
    await shelf.writer.hide(SOURCE, ["a"])
    assert await shelf.search.existing_names(ASKED, MEMBER) == Filters()


async def test_what_cannot_be_stored_is_refused(shelf: Knowledge) -> None:
    with pytest.raises(Refused):
        await shelf.search.existing_names(Filters(titles=("a\0b",)), MEMBER)
