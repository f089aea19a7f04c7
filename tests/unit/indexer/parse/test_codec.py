import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.documents import Block, BlockKind, Mentions, PageMention, ParsedFile, Span
from indexer.parse.codec import LENGTH, decode, encode, frame, from_json, to_json

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
NOTHING: dict[str, object] = {name: [] for name in ("pages", "issues", "urls", "attachments", "people")}


@given(files)
def test_round_trip(file: ParsedFile) -> None:
    assert decode(from_json(to_json(encode(file)))) == file


def test_half_surrogate_pairs_survive() -> None:
    assert from_json(to_json({"name": "a\udcff.txt"})) == {"name": "a\udcff.txt"}


@pytest.mark.parametrize(
    "raw",
    [b"", b"[]", b"nonsense", b"\xff", b"[" * 100_000, b"null"],
)
def test_messages_that_are_no_object_are_refused(raw: bytes) -> None:
    with pytest.raises(ValueError, match=r".*"):
        from_json(raw)


@pytest.mark.parametrize(
    "message",
    [
        {},
        {"title": 1, "blocks": [], "metadata": {}},
        {"title": "", "blocks": {}, "metadata": {}},
        {"title": "", "blocks": [], "metadata": {"a": 1}},
        {"title": "", "blocks": [[]], "metadata": {}},
        {"title": "", "blocks": [["video", "x", [], [0, 0, None], ""]], "metadata": {}},
        {"title": "", "blocks": [["prose", "x", [1], [0, 0, None], ""]], "metadata": {}},
        {"title": "", "blocks": [["prose", "x", [], ["0", 0, None], ""]], "metadata": {}},
        {"title": "", "blocks": [], "metadata": {}, "mentions": {}},
        {"title": "", "blocks": [], "metadata": {}, "mentions": {**NOTHING, "issues": [1]}},
        {"title": "", "blocks": [], "metadata": {}, "mentions": {**NOTHING, "pages": [["t", "1", "S", 0]]}},
    ],
)
def test_anything_that_encode_does_not_make_is_refused(message: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r".+"):
        decode({"mentions": NOTHING, **message})


def test_what_is_no_object_or_lacks_a_part_is_refused() -> None:
    whole = encode(ParsedFile("", ()))
    lacking = [{key: whole[key] for key in whole if key != missing} for missing in whole]
    messages: list[object] = [None, [], *lacking]
    for message in messages:
        with pytest.raises(ValueError, match=r".+"):
            decode(message)


def test_frame_is_length_and_message() -> None:
    assert frame(b"abc") == LENGTH.pack(3) + b"abc"
