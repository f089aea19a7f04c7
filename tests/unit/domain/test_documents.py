from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.access import NOBODY, ORGANISATION
from domain.documents import BlockKind, Chunk, SourceDocument, Span, compose, digest, document_id

names = st.text(max_size=8)
CHUNK = Chunk("d" * 32, 0, "Title", ("Part", "One"), "Text.", BlockKind.PROSE, Span(1, 2), ORGANISATION)


def test_ids_stay_what_they_are() -> None:
    """They are stored: another release has to make the same."""
    assert document_id("docs", "handbook/travel.md") == "3ed7552a339bbc641f2842ea431f7d15"
    assert CHUNK.chunk_id == "69b16782c71776bea46de88910460a3f"
    assert CHUNK.text_hash.hex() == "416346bc06173654175405ed735ceca7"


@given(st.lists(names, max_size=4), st.lists(names, max_size=4))
def test_digests_keep_their_parts_apart(first: list[str], second: list[str]) -> None:
    assert (digest(*first) == digest(*second)) == (first == second)


@given(names, names, names, names)
def test_document_ids_follow_from_source_and_external_id_alone(a: str, b: str, c: str, d: str) -> None:
    assert (document_id(a, b) == document_id(c, d)) == ((a, b) == (c, d))
    assert len(document_id(a, b)) == 32
    assert set(document_id(a, b)) <= set("0123456789abcdef")


def test_a_document_has_the_same_id_whatever_its_title() -> None:
    document = SourceDocument("docs", "a", "Title", "", "", (), ORGANISATION, b"hash")
    assert document.document_id == replace(document, title="Other", path="elsewhere").document_id
    assert document.document_id != replace(document, source="wiki").document_id


@pytest.mark.parametrize(
    "change",
    [
        {"document_id": "e" * 32},
        {"ordinal": 1},
        {"title": "Other"},
        {"heading_path": ("Part",)},
        {"text": "Other."},
    ],
    ids=lambda change: next(iter(change)),
)
def test_chunk_ids_follow_from_document_position_and_content(change: dict[str, object]) -> None:
    assert replace(CHUNK, **change).chunk_id != CHUNK.chunk_id  # type: ignore[arg-type] # fields of a chunk


def test_chunk_ids_do_not_follow_from_place_or_rights() -> None:
    assert replace(CHUNK, span=Span(5, 6), acl=NOBODY, kind=BlockKind.CODE).chunk_id == CHUNK.chunk_id


def test_equal_texts_have_equal_hashes_wherever_they_stand() -> None:
    assert replace(CHUNK, document_id="e" * 32, ordinal=4).text_hash == CHUNK.text_hash
    assert replace(CHUNK, text="Text!").text_hash != CHUNK.text_hash


@pytest.mark.parametrize(
    ("title", "headings", "text", "whole"),
    [
        ("Title", ("A", "B"), "text", "Title > A > B\ntext"),
        ("", ("A",), "text", "A\ntext"),
        ("Title", (), "text", "Title\ntext"),
        ("Title", ("", "B"), "two\nlines", "Title > B\ntwo\nlines"),
        ("", (), "text", "text"),
    ],
)
def test_title_and_headings_stand_above_the_text(title: str, headings: tuple[str, ...], text: str, whole: str) -> None:
    assert compose(title, headings, text) == whole
