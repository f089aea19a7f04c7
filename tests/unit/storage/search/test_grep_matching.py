"""How much one pattern may read, and what it says when that was not enough."""

import pytest

from domain.errors import Refused
from domain.search import GrepRequest
from storage.search.grep_matching import GrepLimits, LineFinder, ReadChunk, overlap


def a_chunk(text: str, *, document: str = "d", ordinal: int = 0, first: int = 0, last: int = 0) -> ReadChunk:
    return ReadChunk(f"{document}{ordinal}", document, document, ordinal, text, first, last)


def many(count: int, text: str = "key") -> list[ReadChunk]:
    return [a_chunk(text, document=f"d{number:03}") for number in range(count)]


def test_it_stops_once_there_are_more_lines_than_wanted() -> None:
    finder = LineFinder(GrepRequest("key", limit=3), GrepLimits())
    finder.take(many(50))
    hits, everything = finder.hits()
    assert (len(hits), everything, finder.read, finder.stopped) == (3, False, 4, True)


def test_it_stops_when_enough_bytes_are_read() -> None:
    finder = LineFinder(GrepRequest("absent"), GrepLimits(bytes=25))
    finder.take(many(50, "é" * 5))
    assert (finder.read, finder.stopped) == (3, True)


def test_it_stops_when_time_is_up() -> None:
    finder = LineFinder(GrepRequest("absent"), GrepLimits(seconds=0))
    finder.take(many(3))
    assert (finder.read, finder.stopped) == (1, True)


def test_a_document_is_read_to_its_end_so_that_its_first_lines_are_not_missed() -> None:
    late, early = ("late key\n" * 3).strip(), "early key"
    finder = LineFinder(GrepRequest("key", limit=2), GrepLimits())
    finder.take([a_chunk(late, ordinal=0, first=7, last=9), a_chunk(early, ordinal=1, first=2, last=2), *many(2)])
    hits, _ = finder.hits()
    assert [hit.line for hit in hits] == [2, 7]


@pytest.mark.parametrize(
    ("pattern", "line"),
    [(r"\Akey", "key a"), (r"b key\z", "b key"), ("^key a$", "key a"), (r"(?-m:^b)", "b key"), ("$", "key a")],
)
def test_edges_are_those_of_lines(pattern: str, line: str) -> None:
    finder = LineFinder(GrepRequest(pattern, limit=1), GrepLimits())
    finder.take([a_chunk("key a\nb key")])
    assert [hit.text for hit in finder.hits()[0]] == [line]


@pytest.mark.parametrize(
    ("before", "after", "size"),
    [("a b. c d.", "c d. e", 4), ("abc", "abc", 0), ("abab", "ab", 0), ("x", "", 0), ("ab", "ba", 1), ("ab", "cd", 0)],
)
def test_what_a_chunk_repeats_of_the_one_before(before: str, after: str, size: int) -> None:
    assert overlap(before, after) == size


def test_what_is_wrong_with_a_pattern_is_said() -> None:
    with pytest.raises(Refused) as caught:
        LineFinder(GrepRequest("(a"), GrepLimits())
    assert "missing )" in caught.value.why
