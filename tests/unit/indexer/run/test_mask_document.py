"""A document loses its secrets, and nothing else."""

from dataclasses import fields, replace
from typing import Any, get_type_hints

import pytest

from domain.documents import Block, BlockKind, Mentions, PageMention, SourceDocument, Span
from domain.knowledge_graph import EntityType, Link, raw_key
from domain.masking import Masker
from indexer.graph.facts import masked_links, masked_mentions
from indexer.run.mask_document import MAX_LABEL, Withheld, masked_document
from tests.fakes.documents import a_document
from tests.fakes.masking import LEADS, MASK, SLOW, WordMasker, github_token

TOKEN = github_token()

PLANTED: dict[Any, Any] = {str: TOKEN, tuple[str, ...]: (TOKEN,)}
"""A value with a secret, by the type of a field that holds text."""

MASKED_BEFORE = {
    "source": "an administrator names it",
    "external_id": "masked with the listing",
    "url": "masked with the listing",
    "path": "masked with the listing",
    "version": "a digest, and marks that connectors make",
}
"""Fields of a document with text that is left as it is, and why."""

WITHOUT_TEXT = {
    SourceDocument: {"blocks", "acl", "content_hash", "updated_at", "acl_at", "facts"},  # with_facts fills the facts
    Block: {"kind", "span"},
    Mentions: {"pages"},
    PageMention: {"included"},
    Link: {"inverse", "guarded"},
}
"""Fields without text of their own. The texts of blocks and pages are fields of Block and PageMention."""


def written(*blocks: Block, title: str = "Notes") -> SourceDocument:
    return replace(a_document("a", title=title), blocks=blocks)


def prose(text: str, *path: str, header: str = "") -> Block:
    return Block(BlockKind.PROSE, text, path, Span(3, 4), header)


def masked(document: SourceDocument, *words: str) -> SourceDocument:
    return masked_document(document, WordMasker(*words))


def test_a_document_without_a_secret_stays_as_it_is() -> None:
    table = Block(BlockKind.TABLE, "| a | b |\n| 1 | 2 |", ("One", "Two"), Span(7, 8), "| a | b |")
    code = Block(BlockKind.CODE, "x = 1", ("One",), Span(9, 9), "def f():")
    document = replace(written(prose("Text.", "One"), table, code), labels=("l",), space="S", author="Ada")
    assert masked_document(document, Masker()) == document


def test_every_text_is_masked_and_all_else_stays() -> None:
    block = Block(BlockKind.CODE, f"use {TOKEN}.\nend", ("Keys", f"Key {TOKEN}"), Span(3, 4, 2), f"def {TOKEN}:")
    document = replace(
        written(block, title=f"About {TOKEN}"),
        space=f"space {TOKEN}",
        labels=("fine", f"label {TOKEN}"),
        author=f"author {TOKEN}",
        media_type=f"text/{TOKEN}",
    )
    found = masked_document(document, Masker())
    assert TOKEN not in repr(found)
    mask = Masker().secrets(TOKEN).text
    assert mask != TOKEN
    assert found == replace(
        document,
        title=f"About {mask}",
        space=f"space {mask}",
        labels=("fine", f"label {mask}"),
        author=f"author {mask}",
        media_type=f"text/{mask}",
        blocks=(replace(block, text=f"use {mask}.\nend", heading_path=("Keys", f"Key {mask}"), header=f"def {mask}:"),),
    )


def planted(kind: type[Any]) -> dict[str, Any]:
    """A secret for every field that holds text. A field of another type has to be named above."""
    types = {each.name: get_type_hints(kind)[each.name] for each in fields(kind)}
    found = {name: PLANTED[type_] for name, type_ in types.items() if type_ in PLANTED}
    assert set(types) - set(found) == WITHOUT_TEXT[kind]
    return found


def test_no_field_with_text_is_forgotten() -> None:
    block = Block(BlockKind.PROSE, **planted(Block))
    texts = {name: value for name, value in planted(SourceDocument).items() if name not in MASKED_BEFORE}
    document = masked_document(replace(written(block), **texts), Masker())
    assert [name for name in texts if TOKEN in repr(getattr(document, name))] == []
    assert TOKEN not in repr(document.blocks)


def test_no_field_of_what_a_document_points_at_is_forgotten() -> None:
    def mask(text: str) -> str:
        return text.replace(TOKEN, MASK)

    pages = (PageMention(**planted(PageMention)),)
    mentions = masked_mentions(Mentions(**planted(Mentions), pages=pages), mask, mask)
    links = masked_links((replace(Link(**planted(Link)), key=raw_key(EntityType.NAME, TOKEN)),), mask, mask)
    assert TOKEN not in repr((mentions, links))
    assert MASK in repr(mentions)


def test_what_leads_to_a_secret_may_stand_in_the_text_before() -> None:
    for before in (
        written(prose(LEADS), prose("hunter2")),
        written(prose("before"), prose("hunter2", LEADS)),
        written(prose("hunter2"), title=LEADS),
        written(prose("x", "A"), prose("hunter2", "A", LEADS)),
    ):
        assert masked(before).blocks[-1].text == MASK
    assert masked(written(prose("hunter2"), prose(LEADS))).blocks[0].text == "hunter2"


def test_a_heading_stands_once_in_the_sequence_and_above_each_of_its_blocks() -> None:
    document = written(prose("one", LEADS), prose("two", LEADS), prose("three", LEADS, "Below"), prose("four", "Other"))
    found = [(block.heading_path, block.text) for block in masked(document).blocks]
    assert found == [((LEADS,), MASK), ((LEADS,), "two"), ((LEADS, "Below"), "three"), (("Other",), "four")]


def test_lines_stay_where_they_are() -> None:
    block = prose("before\nse\ncret after\nlast")
    (found,) = masked(written(block), "se\ncret").blocks
    assert found.text == f"before\n{MASK}\n after\nlast"
    assert found.span == block.span


def test_a_header_that_is_part_of_the_text_stays_part_of_it() -> None:
    text = f"caption\n| name | {TOKEN} |\n|---|---|\n| a | b |"
    block = Block(BlockKind.TABLE, text, header=f"| name | {TOKEN} |\n|---|---|\n")
    (found,) = masked_document(written(block), Masker()).blocks
    assert TOKEN not in repr(found)
    assert found.header.split("\n") == found.text.split("\n")[1:3]


def test_a_header_outside_of_the_text_comes_before_it() -> None:
    (found,) = masked(written(prose("hunter2", header=LEADS))).blocks
    assert (found.header, found.text) == (LEADS, MASK)


def test_a_label_is_cut_after_it_is_masked() -> None:
    long = "x" * (MAX_LABEL - 10)
    document = replace(written(), labels=(f"{long}hunter2hunter2", "y" * 500))
    assert masked(document, "hunter2hunter2").labels == (f"{long}{MASK}"[:MAX_LABEL], "y" * MAX_LABEL)


@pytest.mark.parametrize(
    "document",
    [
        written(prose("fine"), prose(SLOW)),
        written(prose("fine", SLOW)),
        written(title=SLOW),
        replace(written(), author=SLOW),
        replace(written(), labels=("a", SLOW)),
    ],
    ids=["text", "heading", "title", "author", "label"],
)
def test_a_document_with_a_text_that_the_masker_gave_up_on_is_none(document: SourceDocument) -> None:
    with pytest.raises(Withheld, match="the masker gave up on it"):
        masked(document)
