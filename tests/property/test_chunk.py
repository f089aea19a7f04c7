import re
from collections.abc import Sequence
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from domain.access import ORG, Acl
from domain.documents import Block, BlockKind, Chunk, SourceDocument, Span
from domain.model_ports import TokenCounter
from indexer.chunking.chunker import chunk_document
from indexer.chunking.packer import ChunkLimits
from tests.fakes.embedder import HashEmbedder


class ThreeLetters:
    """Counts tokens of up to three letters, so that most words can be cut."""

    def offsets(self, texts: Sequence[str]) -> list[list[tuple[int, int]]]:
        return [[match.span() for match in re.finditer(r"\w{1,3}|[^\w\s]", text)] for text in texts]


class Opaque:
    """Counts a word of more than ten characters as one token and others by the letter, as WordPiece may."""

    def offsets(self, texts: Sequence[str]) -> list[list[tuple[int, int]]]:
        return [[match.span() for match in re.finditer(r"\S{11,}|\S", text)] for text in texts]


COUNTERS: list[TokenCounter] = [HashEmbedder(), ThreeLetters(), Opaque()]

words = st.one_of(
    st.sampled_from(["a", "word", "Dr.", "e.g.", "settings.py", "2.5", "|", "-", "1.", "(x)", "end.", "Why?", "so:"]),
    st.sampled_from(
        ["今天天气很好。", "日本語、", "привет", "مرحبا؟", "यह।", "👩‍👩‍👧", "🇩🇪🇫🇷", "e\u0301", "\u200b", "\x1c"]
    ),
    st.builds(
        lambda text, times: text * times, st.sampled_from(["x", "ab.", "長い", "👍🏽", "f(x);"]), st.integers(1, 300)
    ),
    st.integers(0, 9999).map(lambda number: f"n{number}"),
)
gaps = st.sampled_from([" ", " ", " ", "\n", "\n\n", ", ", ". ", "\n- ", "\n  - ", " | ", " |\n| ", "\n    ", "\t"])
passages = st.lists(st.tuples(words, gaps), max_size=60).map(lambda parts: "".join(map("".join, parts)))
huge = st.builds(
    lambda row, times: row * times, st.sampled_from(["| a | b |\n", "x = 1\n\n", "- i\n", "So. "]), st.integers(1, 200)
)
headings = st.lists(st.one_of(st.sampled_from(["", " ", "Setup", "Linux", "Mac"]), passages.map(str.strip)), max_size=4)
blocks = st.builds(
    Block,
    kind=st.sampled_from(BlockKind),
    text=passages | huge,
    heading_path=headings.map(tuple),
    header=st.sampled_from(["", "", "| a | b |", "def f(x):", "a", "x" * 90]),
)
limits = st.builds(
    ChunkLimits, max_tokens=st.integers(8, 254), target_tokens=st.integers(0, 254), overlap_tokens=st.integers(0, 40)
)


def document(contents: list[Block], title: str = "") -> SourceDocument:
    """The blocks one below the other, a line apart."""
    placed: list[Block] = []
    line = 1
    for block in contents:
        last = line + block.text.count("\n")
        placed.append(replace(block, span=Span(line, last)))
        line = last + 2
    return SourceDocument("docs", "page", title, "", "page", tuple(placed), Acl.any_of(ORG), b"0" * 16)


pages = st.builds(document, st.lists(blocks, max_size=8), st.one_of(st.just("Guide"), passages.map(str.strip)))
announcing = (":", "：")  # the end of what a list repeats
plain_pages = st.lists(blocks, max_size=8).map(
    lambda contents: document(
        [
            replace(block, heading_path=(), header="")
            for block in contents
            if not block.text.rstrip().endswith(announcing)
        ]
    )
)
counters = st.sampled_from(COUNTERS)


def squashed(text: str) -> str:
    return "".join(text.split())


def size(counter: TokenCounter, text: str) -> int:
    return len(counter.offsets([text])[0])


@given(pages, counters, limits)
def test_no_chunk_is_longer_than_the_limit_and_none_is_blank(
    page: SourceDocument, counter: TokenCounter, limits: ChunkLimits
) -> None:
    made = chunk_document(page, counter, limits)
    assert all(size(counter, chunk.embedded_text) <= limits.max_tokens for chunk in made)
    assert all(chunk.text.strip() and chunk.text == chunk.text.rstrip() for chunk in made)
    assert [chunk.ordinal for chunk in made] == list(range(len(made)))
    assert {chunk.acl for chunk in made} <= {page.acl}


@given(pages, counters, limits)
def test_every_word_is_in_a_chunk(page: SourceDocument, counter: TokenCounter, limits: ChunkLimits) -> None:
    kept = {word for chunk in chunk_document(page, counter, limits) for word in chunk.text.split()}
    for block in page.blocks:
        found = {word for word in re.findall(r"\S+", f"{block.header} {block.text}") if word.isascii()}
        assert {word for word in found if word.isalnum() and len(word) <= limits.max_tokens // 8} <= kept


@given(plain_pages, counters, limits)
def test_chunks_without_overlap_make_the_document(
    page: SourceDocument, counter: TokenCounter, limits: ChunkLimits
) -> None:
    # a table repeats its first row even where nobody says that it has a header
    page = replace(page, blocks=tuple(block for block in page.blocks if block.kind is not BlockKind.TABLE))
    made = chunk_document(page, counter, replace(limits, overlap_tokens=0))
    assert "".join(squashed(chunk.text) for chunk in made) == squashed("".join(block.text for block in page.blocks))


@given(plain_pages, counters, limits)
def test_spans_hold_the_text_and_stay_inside_the_document(
    page: SourceDocument, counter: TokenCounter, limits: ChunkLimits
) -> None:
    source = "\n\n".join(block.text for block in page.blocks).split("\n")
    for chunk in chunk_document(page, counter, limits):
        assert 1 <= chunk.span.first_line <= chunk.span.last_line <= len(source)
        lines = source[chunk.span.first_line - 1 : chunk.span.last_line]
        assert lines[0].strip()
        assert lines[-1].strip()
        if chunk.kind is not BlockKind.TABLE and BlockKind.TABLE not in {block.kind for block in page.blocks}:
            assert squashed(chunk.text) in squashed("".join(lines))


@given(pages, counters)
def test_no_heading_is_lost_while_there_is_room(page: SourceDocument, counter: TokenCounter) -> None:
    short = tuple(
        replace(block, heading_path=tuple(heading for heading in block.heading_path if len(heading) < 10))
        for block in page.blocks
    )
    made = chunk_document(replace(page, title="Guide", blocks=short), counter)
    shown = "\n".join(chunk.embedded_text for chunk in made)
    assert all(heading.strip() in shown for block in short for heading in block.heading_path)


@given(pages, counters, limits)
def test_the_same_document_gives_the_same_chunks(
    page: SourceDocument, counter: TokenCounter, limits: ChunkLimits
) -> None:
    first: list[Chunk] = chunk_document(page, counter, limits)
    assert chunk_document(page, counter, limits) == first
