from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from domain.text.sentences import sentences

WORDS = st.sampled_from(
    [
        "Dr",
        "e.g",
        "word",
        "The",
        "x",
        "2.5",
        "v1.2",
        "settings.py",
        "`a. b`",
        "`",
        "日本語",
        "привет",
        "مرحبا",
        "👩‍👩‍👧",
        "-",
        "1",
        "|",
    ]
)
STOPS = st.sampled_from(
    [" ", ". ", "! ", "? ", "。", "؟ ", "। ", "… ", ".) ", '." ', "\n", ".\n", "\n\n", "\n- ", "\r\n", "."]
)
TEXTS = st.lists(st.tuples(WORDS, STOPS)).map(lambda pairs: "".join(word + stop for word, stop in pairs)) | st.text()


@given(TEXTS)
def test_ranges_are_in_order_and_begin_and_end_with_something_visible(text: str) -> None:
    found = sentences(text)
    assert all(0 <= start < end <= len(text) for start, end in found)
    assert all(before[1] <= after[0] for before, after in pairwise(found))
    assert all(text[start:end] == text[start:end].strip() for start, end in found)


@given(TEXTS)
def test_only_blanks_are_left_out(text: str) -> None:
    kept = "".join(text[start:end] for start, end in sentences(text))
    assert "".join(kept.split()) == "".join(text.split())


@given(TEXTS, TEXTS)
def test_a_blank_line_parts_what_does_not_know_of_each_other(first: str, second: str) -> None:
    shift = len(first) + 2
    moved = [(start + shift, end + shift) for start, end in sentences(second)]
    assert sentences(f"{first}\n\n{second}") == [*sentences(first), *moved]


@given(TEXTS)
def test_the_same_text_gives_the_same_sentences(text: str) -> None:
    assert sentences(text) == sentences(text)
