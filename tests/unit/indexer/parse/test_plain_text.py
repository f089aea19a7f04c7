import pytest

from domain.documents import Block, BlockKind, Span
from tests.unit.indexer.parse.parsing import lines_of, of_kind, parsed, paths, refusal, shortened, texts, words

SAMPLE = """\
INSTALLATION GUIDE

This paragraph was wrapped by an editor at some column, as people used
to do, and it ends on a line of its own.

1. Prerequisites

You need:

- a computer
- time

1. not a heading

2. but a list

Setup
=====
    pip install it

********
Overline
********

Name: Jane
Phone: 555

2024-01-01 10:00:00 INFO started
2024-01-01 10:00:01 WARN slow
2024-01-01 10:00:02 INFO stopped

----------

NOTHING BELOW

the last line
"""


def test_every_visible_word_is_in_some_block() -> None:
    file = parsed(SAMPLE, "a.txt")
    visible = (
        SAMPLE.replace("=", " ")
        .replace("*", " ")
        .replace("-", " ")
        .replace(":", " ")
        .replace(".", " ")
        .replace(",", " ")
    )
    assert set(visible.split()) <= words(file)


def test_headings_are_recognised_where_they_stand_alone() -> None:
    file = parsed(SAMPLE, "a.txt")
    assert list(dict.fromkeys(paths(file))) == [
        ("INSTALLATION GUIDE",),
        ("INSTALLATION GUIDE", "1. Prerequisites"),
        ("Setup",),
        ("Overline",),
        ("NOTHING BELOW",),
    ]


def test_wrapped_paragraphs_become_one_line_and_others_keep_theirs() -> None:
    found = texts(parsed(SAMPLE, "a.txt"))
    assert found[0].endswith("people used to do, and it ends on a line of its own.")
    assert "Name: Jane\nPhone: 555" in found


def test_kinds() -> None:
    file = parsed(SAMPLE, "a.txt")
    assert of_kind(file, BlockKind.LIST)[0].text == "- a computer\n- time"
    code = [block.text for block in of_kind(file, BlockKind.CODE)]
    assert code[0] == "    pip install it"
    assert code[1].startswith("2024-01-01")


def test_spans_are_the_source_lines() -> None:
    for block in parsed(SAMPLE, "a.txt").blocks:
        assert lines_of(SAMPLE, block).split()[0] == block.text.split()[0]


def test_one_heading_above_everything_is_the_title() -> None:
    file = parsed("Manual\n======\n\ntext\n", "a.txt")
    assert (file.title, file.blocks) == ("Manual", (Block(BlockKind.PROSE, "text", (), Span(4, 4)),))


def test_logs_are_one_piece_of_code() -> None:
    assert parsed("first\n\nsecond\n", "a.log").blocks == (Block(BlockKind.CODE, "first\n\nsecond", (), Span(1, 3)),)
    log = "".join(f"[2024-01-01 10:00:0{n}] done\n\n" for n in range(9))
    assert [block.kind for block in parsed(log, "a.txt").blocks] == [BlockKind.CODE]


def test_delimited_values_are_a_table_with_a_header() -> None:
    (block,) = parsed('name;note\nAnn;"a;b"\nBob;"two\nlines|x"\n', "a.csv").blocks
    assert (block.kind, block.header) == (BlockKind.TABLE, "| name | note |")
    assert block.text.split("\n")[1:] == ["| Ann | a;b |", "| Bob | two lines\\|x |"]
    assert block.span == Span(1, 4)


def test_tab_separated_values() -> None:
    assert texts(parsed("a b\tc\n1, 2\t3\n", "a.tsv")) == ["| a b | c |\n| 1, 2 | 3 |"]


def test_one_column() -> None:
    assert texts(parsed("name\nAnn\nBob\n", "a.csv")) == ["| name |\n| Ann |\n| Bob |"]


def test_gigantic_table_is_cut() -> None:
    assert shortened("a,b\n" * 2_000, "a.csv", table_rows=1_000) == "a table of more than 1,000 rows"
    assert shortened("x," * 10_000, "a.csv") == "a table of more than 4,000 columns"


def test_field_larger_than_the_reader_allows_is_refused() -> None:
    assert refusal(f'a,b\n1,"{"x" * 200_000}"\n', "a.csv") == "not a table of delimited values"


def test_quotes_that_the_beginning_of_a_table_does_not_show_are_doubled_all_the_same() -> None:
    source = 'name,note\n"Alpha","one"\n' + '"Beta","two"\n' * 1_000 + '"Gamma","Said ""hi"", then left"\n'
    assert texts(parsed(source, "a.csv"))[0].endswith('\n| Gamma | Said "hi", then left |')


def test_an_apostrophe_is_no_quote() -> None:
    source = "name,remark\nAnn,'so, so'\nBob,'no, no'\n"
    assert texts(parsed(source, "a.csv"))[0].split("\n")[1] == "| Ann | 'so | so' |"


def test_a_blank_before_a_quote_does_not_hide_it() -> None:
    assert texts(parsed('a, b\n1, "x, y"\n', "a.csv")) == ["| a | b |\n| 1 | x, y |"]


@pytest.mark.parametrize("delimiter", [";", "\t", "^"])
def test_a_first_line_may_name_the_delimiter(delimiter: str) -> None:
    (block,) = parsed(f"sep={delimiter}\na{delimiter}b\n1,2{delimiter}3,4,5\n", "a.csv").blocks
    assert (block.text, block.header, block.span) == ("| a | b |\n| 1,2 | 3,4,5 |", "| a | b |", Span(2, 3))
