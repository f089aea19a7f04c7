import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.documents import Block, BlockKind, Mentions, PageMention, ParsedFile, Span
from indexer.parse.codec import LENGTH, ParserReply, decode, encode, frame

numbers = st.integers(0, 1 << 40)
spans = st.builds(Span, numbers, numbers, st.none() | st.integers(1, 1 << 20))
blocks = st.builds(
    Block, st.sampled_from(BlockKind), st.text(), st.lists(st.text(), max_size=4).map(tuple), spans, st.text()
)
some = st.lists(st.text(), max_size=3).map(tuple)
pages = st.builds(PageMention, st.text(), st.text(), st.text(), st.booleans())
mentions = st.builds(Mentions, st.lists(pages, max_size=3).map(tuple), some, some, some, some)
files = st.builds(
    ParsedFile,
    st.text(),
    st.lists(blocks, max_size=5).map(tuple),
    st.dictionaries(st.text(), st.text(), max_size=3),
    mentions,
)
NOTHING: dict[str, object] = {"title": "", "blocks": []}


@given(files)
def test_round_trip(file: ParsedFile) -> None:
    assert decode(encode(ParserReply(file))) == ParserReply(file)


def test_a_refusal_is_told_with_whether_the_process_ends() -> None:
    reply = ParserReply(refused="parser ran out of memory", spent=True)
    assert decode(encode(reply)) == reply


def test_half_of_a_character_does_not_stop_a_reply() -> None:
    assert decode(encode(ParserReply(ParsedFile("a\udcff", ())))) == ParserReply(ParsedFile("a?", ()))


@pytest.mark.parametrize("raw", [b"", b"[]", b"nonsense", b"\xff", b"[" * 100_000, b"null"])
def test_messages_that_are_no_reply_are_refused(raw: bytes) -> None:
    with pytest.raises(ValueError, match=r".*"):
        decode(raw)


@pytest.mark.parametrize(
    "parsed",
    [
        {},
        {"title": 1, "blocks": []},
        {"title": "", "blocks": {}},
        {**NOTHING, "metadata": {"a": 1}},
        {"title": "", "blocks": [{}]},
        {"title": "", "blocks": [{"kind": "video", "text": "x"}]},
        {"title": "", "blocks": [{"kind": "prose", "text": "x", "heading_path": [1]}]},
        {"title": "", "blocks": [{"kind": "prose", "text": "x", "span": {"first_line": "0"}}]},
        {**NOTHING, "mentions": {"issues": [1]}},
        {**NOTHING, "mentions": {"pages": [{"included": 0}]}},
    ],
)
def test_anything_that_encode_does_not_make_is_refused(parsed: dict[str, object]) -> None:
    assert decode(json.dumps({"parsed": NOTHING}).encode()).parsed == ParsedFile("", ())
    with pytest.raises(ValueError, match=r".+"):
        decode(json.dumps({"parsed": parsed}).encode())


def test_frame_is_length_and_message() -> None:
    assert frame(b"abc") == LENGTH.pack(3) + b"abc"
