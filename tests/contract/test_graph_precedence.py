"""What GraphSearch promises of documents that replace others."""

from dataclasses import replace
from typing import Any

import pytest

from domain.documents import document_id
from tests.contract.graph_pages import BOB_ASKS, BOBS, Page, put
from tests.contract.knowledge import MEMBER, Knowledge
from tests.contract.knowledge import OTHER as ELSEWHERE

PLACES = ("postgresql",)


def an_old_and_a_new_page(**more: Any) -> tuple[Page, Page]:
    """A page that says that it replaces the other."""
    said = [("file:new.md", "replaces", "file:old.md", 1)]
    new = Page("New rules", ("valid from May", "instead of the old ones"), keys=["file:new.md"], relations=said)
    return replace(new, **more), Page("Old rules", keys=["file:old.md", "doc:1"])


async def test_a_document_that_says_so_counts_before_another(knowledge: Knowledge) -> None:
    new, old = an_old_and_a_new_page()
    third = Page("A list", keys=["file:list.md"], relations=[("file:old.md", "replaces", "file:new.md", 0)])
    for page in (new, old, third):
        await put(knowledge, page)
    pair = {(new.document_id, old.document_id): "replaces"}
    ids = [each.document_id for each in (new, old, third)]
    assert await knowledge.graph.precedence(ids, MEMBER) == pair, "what a third one says of them does not count"
    assert await knowledge.graph.precedence(ids[:1], MEMBER) == {}
    assert await knowledge.graph.precedence([], MEMBER) == {}


@pytest.mark.parametrize(
    "more", [{"acl": BOBS}, {"texts": ("valid from May", ("instead of the old ones", BOBS))}], ids=["page", "part"]
)
async def test_who_may_not_read_that_a_document_counts_is_not_told(knowledge: Knowledge, more: dict[str, Any]) -> None:
    new, old = an_old_and_a_new_page(**more)
    for page in (new, old):
        await put(knowledge, page)
    ids = [new.document_id, old.document_id]
    assert await knowledge.graph.precedence(ids, MEMBER) == {}
    assert await knowledge.graph.precedence(ids, BOB_ASKS) == {(ids[0], ids[1]): "replaces"}


async def test_the_edition_that_a_text_says_it_replaces_is_found_without_a_link(knowledge: Knowledge) -> None:
    new = Page("Travel rules", ("Version 3. This version replaces version 2 of February 2024, as agreed.",))
    old = Page("Travel rules (2024)", ("Version 2, in force until further notice.",))
    others = [Page("Travel rules (2022)", ("Version 1.",)), Page("Parking rules (2024)", ("Version 2.",))]
    for page in (new, old, *others):
        await put(knowledge, page)
    ids = [each.document_id for each in (new, old, *others)]
    assert await knowledge.graph.precedence(ids, MEMBER) == {(ids[0], ids[1]): "replaces"}
    assert await knowledge.graph.precedence(ids[1:], MEMBER) == {}
    assert await knowledge.graph.precedence([ids[0], *ids[2:]], MEMBER) == {}
    hidden = Page("Travel rules, second copy", ("Version 2.",), acl=BOBS)
    await put(knowledge, replace(hidden, title="Travel rules (v2)"))
    assert await knowledge.graph.precedence(ids, MEMBER) == {(ids[0], ids[1]): "replaces"}
    assert await knowledge.graph.precedence(ids, BOB_ASKS) == {}, "two may be meant"


async def test_what_a_text_says_that_it_is_replaced_by_is_found_by_its_title(knowledge: Knowledge) -> None:
    old = Page("Old rules of travelling", ("Superseded by the Travel policy of March 2026.",))
    new = Page("Travel policy", ("Valid from March 2026.",))
    other = Page("Parking policy", ("Valid from March 2026.",))
    for page in (old, new, other):
        await put(knowledge, page)
    ids = [each.document_id for each in (old, new, other)]
    assert await knowledge.graph.precedence(ids, MEMBER) == {(ids[1], ids[0]): "replaces"}
    await put(
        knowledge, replace(Page("Travel policy, as bob sees it", ("Valid.",), acl=BOBS), title="Travel Policy 2025")
    )
    assert await knowledge.graph.precedence(ids, MEMBER) == {(ids[1], ids[0]): "replaces"}
    assert await knowledge.graph.precedence(ids, BOB_ASKS) == {}, "two may be meant"


async def test_who_may_not_read_what_a_text_says_of_editions_is_not_told(knowledge: Knowledge) -> None:
    new = Page("Travel rules", (("It replaces version 2.", BOBS), "More is told below."))
    old = Page("Travel rules (v2)")
    for page in (new, old):
        await put(knowledge, page)
    ids = [new.document_id, old.document_id]
    assert await knowledge.graph.precedence(ids, MEMBER) == {}
    assert await knowledge.graph.precedence(ids, BOB_ASKS) == {(ids[0], ids[1]): "replaces"}


async def test_a_document_of_another_source_does_not_put_itself_before(knowledge: Knowledge) -> None:
    new, old = an_old_and_a_new_page(source=ELSEWHERE)
    says_so = Page("Older rules", keys=["file:older.md"], relations=[("file:new.md", "replaces", "file:older.md", 0)])
    for page in (new, old, says_so):
        await put(knowledge, page)
    ids = [document_id(ELSEWHERE, new.title), old.document_id, says_so.document_id]
    assert await knowledge.graph.precedence(ids, MEMBER) == {(ids[0], ids[2]): "replaces"}
