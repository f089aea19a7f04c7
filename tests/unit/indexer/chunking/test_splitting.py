"""Where prose, lists, tables and code are split that are longer than a chunk, and what each part repeats."""

import pytest

from domain.documents import Block
from tests.unit.indexer.chunking.small_chunks import CODE, LIST, PROSE, TABLE, sentence, texts, words

# -- prose


def test_prose_is_split_at_sentence_ends_and_repeats_the_last_short_one() -> None:
    parts = [sentence(25, "a"), sentence(7, "b"), sentence(25, "c")]
    assert texts(Block(PROSE, " ".join(parts))) == [" ".join(parts[:2]), " ".join(parts[1:])]


def test_no_more_is_repeated_than_the_overlap_allows() -> None:
    parts = [sentence(25, "a"), sentence(9, "b"), sentence(25, "c")]
    assert texts(Block(PROSE, " ".join(parts))) == [" ".join(parts[:2]), parts[2]]


def test_a_chunk_is_never_repeated_as_a_whole() -> None:
    parts = [sentence(8, "a"), sentence(38, "b"), sentence(20, "c")]
    assert texts(Block(PROSE, " ".join(parts))) == parts


def test_nothing_is_repeated_across_headings_or_before_code() -> None:
    text = f"{sentence(30, 'a')} {sentence(5, 'b')}"
    assert texts(Block(PROSE, text, ("A",)), Block(PROSE, sentence(20, "c"), ("B",)))[1] == sentence(20, "c")
    assert texts(Block(PROSE, text), Block(CODE, words(40)))[1] == words(40)


def test_a_long_sentence_is_split_at_clauses_then_at_words_then_inside_words() -> None:
    clauses = ", ".join(words(30, name) for name in "abc")
    assert [part.split()[-1] for part in texts(Block(PROSE, clauses))] == ["a29,", "b29,", "c29"]
    without = texts(Block(PROSE, words(100)))
    assert " ".join(without) == words(100)
    joined = "/".join(f"w{number}" for number in range(100))
    parts = texts(Block(PROSE, joined))
    assert "".join(parts) == joined
    assert all(part.endswith("/") for part in parts[:-1])


@pytest.mark.parametrize("character", ["👩‍👩‍👧", "🇩🇪", "👍🏽", "e\u0301", "❤️"])
def test_visible_characters_stay_whole(character: str) -> None:
    made = texts(Block(PROSE, "x" + character * 120))
    assert len(made) > 1
    assert "".join(made) == "x" + character * 120
    assert all(set(part.removeprefix("x").split(character)) == {""} for part in made)


# -- lists, tables and code


def test_lists_are_split_between_items_that_keep_what_belongs_to_them() -> None:
    items = [f"- {words(12, name)}\n  - {words(5, name * 2)}" for name in "abcd"]
    assert texts(Block(LIST, "\n".join(items))) == ["\n".join(items[:2]), "\n".join(items[2:])]


def test_each_part_of_a_list_repeats_the_sentence_that_announces_it() -> None:
    never = "Nobody may do any of these:"
    items = [f"- {words(12, name)}" for name in "abcdef"]
    announced = Block(PROSE, f"{sentence(8, 'p')} {never}"), Block(LIST, "\n".join(items))
    made = texts(*announced)
    assert made[0].endswith(f"{never}\n\n{items[0]}")
    assert made[1:] == ["\n".join([never, *items[1:3]]), "\n".join([never, *items[3:]])]


def test_no_list_repeats_a_sentence_that_announces_nothing_or_something_else() -> None:
    items = "\n".join(f"- {words(12, name)}" for name in "abcdef")
    for before in (Block(PROSE, sentence(8, "p")), Block(PROSE, "See:", ("Other",)), Block(CODE, "if a:")):
        assert "\n".join(texts(before, Block(LIST, items))).count(before.text) == 1


def test_tables_are_split_between_rows_and_repeat_their_header() -> None:
    header = "| name | size |"
    rows = [f"| n{number} | {number} |" for number in range(20)]
    made = texts(Block(TABLE, "\n".join([header, *rows]), header=header))
    assert all(part.startswith(f"{header}\n| n") for part in made)
    assert [row for part in made for row in part.split("\n")[1:]] == rows


def test_a_header_is_never_left_alone_at_the_end_of_a_chunk() -> None:
    table = "\n".join(["| name | size |", *(f"| {words(15, name)} |" for name in "abcd")])
    made = texts(Block(PROSE, sentence(33, "p")), Block(TABLE, table))
    assert made[0] == sentence(33, "p")
    assert made[1].startswith("| name | size |\n| a0")


def test_a_table_without_a_header_repeats_its_first_lines() -> None:
    rows = [f"| n{number} | {number} |" for number in range(20)]
    ruled = texts(Block(TABLE, "\n".join(["| name | size |", "|------|------|", *rows])))
    assert all(part.startswith("| name | size |\n|------|------|\n| n") for part in ruled)
    assert all(part.startswith("| n0 | 0 |") for part in texts(Block(TABLE, "\n".join(rows))))


def test_a_header_that_is_not_in_the_text_goes_before_all_of_it() -> None:
    assert texts(Block(CODE, "return 1", header="def f():")) == ["def f():\nreturn 1"]
    assert texts(Block(TABLE, "| name |", header="name")) == ["name\n| name |"]


def test_a_header_of_more_than_half_the_room_is_not_repeated() -> None:
    header = f"| {words(30, 'column')} |"
    made = texts(Block(TABLE, "\n".join([header, *(f"| {words(9, name)} |" for name in "abcdef")]), header=header))
    assert sum("column0" in part for part in made) == 1


def test_code_and_tables_that_fit_stay_whole() -> None:
    code = "\n\n".join(words(15, name) for name in "abc")
    assert texts(Block(PROSE, sentence(20, "p")), Block(CODE, code)) == [sentence(20, "p"), code]


def test_code_is_split_at_blank_lines_and_repeats_its_header() -> None:
    header = "def f(x):"
    stanzas = [f"    {words(12, name)}\n    {words(12, name * 2)}" for name in "abcd"]
    made = texts(Block(CODE, header + "\n" + "\n\n".join(stanzas), header=header))
    assert made == [f"{header}\n{stanza}" for stanza in stanzas]


def test_code_without_blank_lines_is_split_at_lines_that_keep_their_indentation() -> None:
    lines = [f"  {words(12, name)}" for name in "abcdef"]
    made = texts(Block(CODE, "\n".join(lines)))
    assert made == ["\n".join(lines[:3]), "\n".join(lines[3:])]


def test_a_row_longer_than_a_chunk_is_split_at_cells() -> None:
    row = "| " + " | ".join(words(11, name) for name in "abcdef") + " |"
    made = texts(Block(TABLE, "| h |\n" + row, header="| h |"))
    assert all(part.startswith("| h |\n") and part.endswith("|") for part in made)
    assert " ".join(part.removeprefix("| h |\n") for part in made) == row


def test_a_line_of_code_longer_than_a_chunk_is_split_at_words_or_marks() -> None:
    minified = "".join(f"f{number}(x);" for number in range(50))
    parts = texts(Block(CODE, minified))
    assert "".join(parts) == minified
    assert all(part[-1] in ";)" for part in parts)
