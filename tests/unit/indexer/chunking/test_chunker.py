"""How blocks are packed into chunks, and which title, headings and lines a chunk has."""

from dataclasses import replace

import pytest

from domain.documents import Block, Chunk, Span
from indexer.chunking.chunker import chunk_document, chunking_fingerprint
from indexer.chunking.packer import ChunkLimits
from tests.unit.indexer.chunking.small_chunks import (
    CODE,
    COUNTER,
    LIST,
    PROSE,
    SMALL,
    TABLE,
    chunks,
    document,
    lined,
    sentence,
    texts,
    words,
)

# -- what a chunk says


def test_a_small_document_is_one_chunk_with_everything_in_it() -> None:
    page = document(Block(PROSE, "It works.", ("Setup", "Linux"), Span(3, 4, page=2)))
    assert chunk_document(page, COUNTER) == [
        Chunk(
            document_id=page.document_id,
            ordinal=0,
            title="Guide",
            heading_path=("Setup", "Linux"),
            text="It works.",
            kind=PROSE,
            span=Span(3, 4, page=2),
            acl=page.acl,
        )
    ]


def test_a_document_without_visible_text_has_no_chunks() -> None:
    assert chunks() == []
    assert chunks(Block(PROSE, " \n "), Block(CODE, "")) == []


def test_chunks_are_numbered_from_0() -> None:
    made = chunks(*(Block(PROSE, sentence(30, name)) for name in "abc"))
    assert [chunk.ordinal for chunk in made] == [0, 1, 2]


def test_the_kind_is_that_of_most_of_the_text() -> None:
    [chunk] = chunks(Block(PROSE, "See:"), Block(CODE, "run --all --now"), Block(LIST, "- a"))
    assert chunk.kind is CODE


# -- packing


def test_blocks_under_one_heading_are_packed_up_to_the_target() -> None:
    blocks = [Block(PROSE, sentence(12, name), ("Setup",)) for name in "abcde"]
    assert texts(*blocks, limits=replace(SMALL, overlap_tokens=0)) == [
        "\n\n".join(block.text for block in blocks[:3]),
        "\n\n".join(block.text for block in blocks[3:]),
    ]


def test_a_rest_that_fits_below_the_limit_makes_no_tiny_last_chunk() -> None:
    assert len(texts(Block(PROSE, " ".join(sentence(11, name) for name in "abcd")))) == 1  # 44 tokens of 50


def test_a_paragraph_is_not_begun_in_a_chunk_that_is_nearly_full() -> None:
    whole = f"{sentence(10, 'b')} {sentence(10, 'c')} {sentence(10, 'd')}"
    assert texts(Block(PROSE, sentence(29, "a")), Block(PROSE, whole)) == [sentence(29, "a"), whole]


def test_a_new_heading_begins_a_new_chunk() -> None:
    made = chunks(Block(PROSE, sentence(10, "a"), ("A",)), Block(PROSE, sentence(10, "b"), ("B",)))
    assert [(chunk.heading_path, chunk.text) for chunk in made] == [
        (("A",), sentence(10, "a")),
        (("B",), sentence(10, "b")),
    ]


def test_a_tiny_introduction_takes_in_the_section_below_it_with_its_heading() -> None:
    blocks = Block(PROSE, "Choose one.", ("Setup",)), Block(PROSE, "On Linux it is easy.", ("Setup", "Linux"))
    [chunk] = chunks(*blocks)
    assert chunk.heading_path == ("Setup",)
    assert chunk.text == "Choose one.\n\nLinux\n\nOn Linux it is easy."


def test_an_introduction_that_is_not_tiny_stands_alone() -> None:
    made = chunks(Block(PROSE, sentence(9, "a"), ("Setup",)), Block(PROSE, "Run it.", ("Setup", "Linux")))
    assert [chunk.heading_path for chunk in made] == [("Setup",), ("Setup", "Linux")]


def test_a_tiny_text_takes_in_what_exceeds_the_target_but_fits() -> None:
    blocks = Block(PROSE, "A short one."), Block(CODE, words(40)), Block(PROSE, sentence(20, "a"))
    assert texts(*blocks) == [f"A short one.\n\n{words(40)}", sentence(20, "a")]


def test_only_the_first_chunk_of_a_section_joins_the_introduction() -> None:
    long = " ".join(sentence(11, name) for name in "abcdefgh")
    made = chunks(Block(PROSE, "Choose one.", ("Setup",)), Block(PROSE, long, ("Setup", "Linux")))
    assert made[0].text.startswith("Choose one.\n\nLinux\n\nThe a0")
    assert [chunk.heading_path for chunk in made] == [("Setup",), ("Setup", "Linux"), ("Setup", "Linux")]


def test_tiny_neighbours_under_one_parent_are_joined_when_they_fit() -> None:
    neighbours = Block(PROSE, "Run it.", ("Setup", "Linux")), Block(PROSE, "Click it.", ("Setup", "Windows"))
    [chunk] = chunks(*neighbours)
    assert chunk.heading_path == ("Setup",)
    assert chunk.text == "Linux\n\nRun it.\n\nWindows\n\nClick it."
    apart = chunks(neighbours[0], Block(PROSE, sentence(35, "a"), ("Setup", "Windows")))
    assert [part.heading_path for part in apart] == [("Setup", "Linux"), ("Setup", "Windows")]


def test_tiny_sections_without_a_common_parent_stay_apart() -> None:
    assert len(chunks(Block(PROSE, "Yes.", ("Is it on?",)), Block(PROSE, "No.", ("Is it off?",)))) == 2


def test_the_heading_of_an_empty_section_is_kept() -> None:
    assert texts(Block(PROSE, "", ("Setup",)), Block(PROSE, "Run it.", ("Setup", "Linux"))) == ["Run it."]
    [chunk] = chunks(Block(PROSE, " ", ("Setup", "Coming soon"), Span(7, 7)))
    assert (chunk.heading_path, chunk.text, chunk.span) == (("Setup",), "Coming soon", Span(7, 7))


def test_an_announcing_sentence_stays_with_what_it_announces() -> None:
    blocks = Block(PROSE, f"{sentence(30, 'a')} Then run this:"), Block(CODE, words(20, "run"))
    assert texts(*blocks) == [sentence(30, "a"), f"Then run this:\n\n{words(20, 'run')}"]


# -- title and headings


def test_long_headings_lose_the_outermost_and_never_take_more_than_half() -> None:
    path = tuple(words(8, f"{name}h") for name in "abcd")
    made = chunks(Block(PROSE, sentence(60, "a"), path), title="Guide")
    assert {chunk.title for chunk in made} == {"Guide"}
    assert {chunk.heading_path for chunk in made} == {path[2:]}


def test_a_long_title_and_a_long_last_heading_keep_their_beginnings() -> None:
    made = chunks(Block(PROSE, sentence(60, "a"), ("Outer", words(40, "h"))), title=words(40, "t"))
    assert {chunk.title for chunk in made} == {words(11, "t") + "…"}
    assert {chunk.heading_path for chunk in made} == {(words(11, "h") + "…",)}
    assert all(len(COUNTER.offsets([chunk.text])[0]) <= 26 for chunk in made)


# -- spans


def test_a_span_covers_the_lines_that_the_text_comes_from() -> None:
    lines = [f"- {words(18, name)}" for name in "abcd"]
    made = chunks(lined(LIST, "\n".join(lines), first=5), lined(PROSE, "Last.", first=20))
    assert [chunk.span for chunk in made] == [Span(5, 6), Span(7, 20)]


def test_a_repeated_header_does_not_count_in_the_span() -> None:
    rows = [f"| {words(10, name)} |" for name in "abcdef"]
    made = chunks(lined(TABLE, "\n".join(["| h |", *rows]), first=1, header="| h |"))
    assert [chunk.span for chunk in made] == [Span(1, 4), Span(5, 7)]


def test_spans_count_the_fences_of_code_and_the_rule_of_a_table() -> None:
    lines = [words(18, name) for name in "abcd"]
    fenced = chunks(Block(CODE, "\n".join(lines), (), Span(10, 15)))
    assert [chunk.span for chunk in fenced] == [Span(11, 12), Span(13, 14)]
    ruled = chunks(Block(TABLE, "\n".join(["| h |", *lines]), (), Span(10, 15), "| h |"))
    assert [chunk.span for chunk in ruled] == [Span(10, 13), Span(14, 15)]


def test_where_lines_are_not_the_sources_the_span_is_the_blocks() -> None:
    made = chunks(Block(PROSE, " ".join(sentence(18, name) for name in "abcd"), (), Span(10, 15)))
    assert {chunk.span for chunk in made} == {Span(10, 15)}
    assert chunks(Block(PROSE, "Text."))[0].span == Span()


def test_a_chunk_over_two_pages_has_the_first() -> None:
    pages = Block(PROSE, "One.", (), Span(page=3)), Block(PROSE, "Two.", (), Span(page=4))
    assert [chunk.span for chunk in chunks(*pages)] == [Span(0, 0, 3)]


# -- limits


def test_limits_that_hold_no_text_are_refused() -> None:
    with pytest.raises(ValueError, match="at least 8"):
        ChunkLimits(max_tokens=7)


def test_the_fingerprint_follows_every_limit() -> None:
    others = [replace(SMALL, max_tokens=60), replace(SMALL, target_tokens=30), replace(SMALL, overlap_tokens=0)]
    assert len({chunking_fingerprint(limits) for limits in (SMALL, *others)}) == 4
    assert chunking_fingerprint(SMALL) == chunking_fingerprint(replace(SMALL))


def test_a_piece_that_is_cut_leaves_no_blank_half() -> None:
    page = replace(document(Block(PROSE, "a 🇩🇪🇫🇷\n    ", header="a")), title="a a 今天天气很好。")
    made = chunk_document(page, COUNTER, ChunkLimits(max_tokens=8, target_tokens=0, overlap_tokens=0))
    assert [each.text for each in made] == ["a\na", "a\n🇩🇪", "a\n🇫🇷"]
