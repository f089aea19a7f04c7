import time

import pytest

from domain.documents import Block, BlockKind, Mentions, ParsedFile
from tests.fakes.atlassian.markup import WIKI
from tests.unit.indexer.parse.parsing import parsed, paths, refusal, shortened, texts, words


def issue(source: str) -> ParsedFile:
    return parsed(source, "description", WIKI)


def said(source: str) -> list[str]:
    return texts(issue(source))


def test_headings_of_all_levels() -> None:
    assert paths(issue("h1. A\nh3. B\nx\n h2. C\ny\nh6. D\nz")) == [("A", "B"), ("A", "C"), ("A", "C", "D")]
    assert said("h7. x") == ["h7. x"]
    assert said("Sh1. x\nh1.x") == ["Sh1. x\nh1.x"]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("*_both_* (*in*), *a*.", "both (in), a."),
        ("{{a *b* [c]}} {{}}", "a *b* [c] {{}}"),
        (r"\*no\* \{code} \[x] C:\temp", "*no* {code} [x] C:\\temp"),
        (r"one\\ two \\server\share", "one\ntwo \\\\server\\share"),
        ("a {color}b", "a b"),
        ("{anchor:top}a", "a"),
        ("{user} and {chart:type=pie|title=Sales}", "{user} and {chart:type=pie|title=Sales}"),
        ("(/) :) (!)", "(/) :) (!)"),
    ],
)
def test_running_text(source: str, expected: str) -> None:
    assert said(source) == [expected]


def test_marks_end_with_their_line() -> None:
    assert said("a *b\nc* d") == ["a *b\nc* d"]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("# a\n## b\n## c\n# d\n## e", "1. a\n  1. b\n  2. c\n2. d\n  1. e"),
        ("# a\n#* b\n#* c\n# d", "1. a\n  - b\n  - c\n2. d"),
        ("* a\n*# b\n*# c", "- a\n  1. b\n  2. c"),
        ("* a\n* b\n# c\n# d\n* e\n# f", "- a\n- b\n1. c\n2. d\n- e\n1. f"),
        (" * a", "- a"),
        ("*** a", "    - a"),
        (f"{'*' * 99} a\n* b", f"{'  ' * 19}- a\n- b"),
    ],
)
def test_lists(source: str, expected: str) -> None:
    assert said(source) == [expected]


def test_what_is_no_list() -> None:
    assert said("*bold* first\n-x\n-- Bob") == ["bold first\n-x\n-- Bob"]


def test_lists_are_counted_anew_behind_a_blank_line_and_not_behind_code() -> None:
    assert said("# a\n{code}x{code}\n# b\n\n# c") == ["1. a", "x", "2. b", "1. c"]
    assert said("# a\n{noformat}\nx\n{noformat}\n\n# b") == ["1. a", "x", "1. b"]
    assert said("# {code}\nx\n{code}\n# b") == ["x", "2. b"]


def test_rules_divide_and_are_no_text() -> None:
    assert said("a\n----\nb\n-----\n* c\n----\n* d") == ["a", "b", "- c", "- d"]


def test_cells_hold_lines_lists_code_and_boxes() -> None:
    assert said("|a\nb|{code:title=T}x\ny{code}|\n|{panel:title=P}in{panel}|!c.png!|") == [
        "| a b | T x y |\n| P in | c.png |"
    ]


def test_text_around_a_table() -> None:
    assert said("before\n|a|b|\nafter\nh1. T\n|c|d|\nx") == ["before", "| a | b |", "after", "| c | d |", "x"]
    assert said("|a|b\n\nafter") == ["| a | b |", "after"]
    assert said(f"{'|' * 5_000}x") == [f"{'|' * 5_000}x"]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("{code:python}\nif a:\n\t*b*\n{code}", Block(BlockKind.CODE, "if a:\n\t*b*", header="Code (python)")),
        ("{code:title=T|borderStyle=solid}x{code}", Block(BlockKind.CODE, "x", header="T")),
        ("{code:language=sql}x{code}", Block(BlockKind.CODE, "x", header="Code (sql)")),
        ("{noformat}\n  [a|b] {x}\n{noformat}", Block(BlockKind.CODE, "  [a|b] {x}")),
        ("{code}{noformat}x{code}", Block(BlockKind.CODE, "{noformat}x")),
        ("a {code}*b*{code} c", Block(BlockKind.PROSE, "a *b* c")),
        ("{code}never *ended*", Block(BlockKind.PROSE, "never ended")),
    ],
)
def test_code(source: str, expected: Block) -> None:
    assert issue(source).blocks == (expected,)


def test_code_between_words_of_a_line() -> None:
    assert said("a {code}\nb\n{code} c") == ["a", "b", "c"]


def test_quotes() -> None:
    assert said("a\nbq. b *c*\nd\n{quote}\ne\n\nf\n{quote}\ng {quote}h{quote}") == ["a", "b c", "d", "e", "f", "g", "h"]


def test_panels() -> None:
    assert said("{panel}\na\n{panel}b") == ["a", "b"]
    assert said("{panel:title=T *x*|bgColor=#fff}a{panel}") == ["T x", "a"]
    assert said("{warning}a{warning}\n{info:title=I}\nb\n{info}") == ["Warning: a", "Info: I", "b"]
    assert paths(issue("h1. A\n{panel}\nh2. B\nx\n{panel}\ny")) == [("A", "B"), ("A",)]


def test_expands_stand_under_their_title() -> None:
    assert paths(issue("{expand:How?}\nx\n{panel}y{panel}\n{expand}\nz")) == [("How?",), ("How?",), ()]
    assert paths(issue("{expand:title=How?}x{expand}")) == [("How?",)]


def test_boxes_that_are_not_balanced() -> None:
    assert said("{panel:title=T}\na\n{expand:E}\nb\n{panel}\nc") == ["T", "a", "b", "c"]
    assert said("a{panel}") == ["a"]
    assert "deep" in words(issue("{panel:title=x}\n" * 3_000 + "deep"))


@pytest.mark.parametrize(
    ("source", "text", "mentions"),
    [
        ("[a *b*|https://a.example|tip]", "a b", Mentions(urls=("https://a.example",), anchors=("a b",))),
        ("(http://a.example)", "(http://a.example)", Mentions(urls=("http://a.example",))),
        ("[mailto:a@b.example]", "a@b.example", Mentions(urls=("mailto:a@b.example",))),
        ("ask [~JIRAUSER10100]", "ask someone", Mentions(people=("JIRAUSER10100",))),
        ("[~accountid:557058:f5-a]", "someone", Mentions(people=("accountid:557058:f5-a",))),
        ("[#below] [up|#top]", "below up", Mentions()),
        ("[that|PROJ-2] and PROJ-3, x-PROJ-4", "that and PROJ-3, x-PROJ-4", Mentions(issues=("PROJ-2", "PROJ-3"))),
        ("{{PROJ-5}} https://a.example/PROJ-6", "PROJ-5 https://a.example/PROJ-6", None),
        ("[1], [x] a[i] [] [|] [a|b c]", "[1], [x] a[i] [] [|] [a|b c]", Mentions()),
        ("[[x|https://a.example]]", "[x]", Mentions(urls=("https://a.example",), anchors=("x",))),
        ('!a.png|alt="Net, old",thumbnail!', "Net, old", Mentions(attachments=("a.png",))),
    ],
)
def test_links(source: str, text: str, mentions: Mentions | None) -> None:
    file = issue(source)
    assert texts(file) == [text]
    assert file.mentions.issues == () if mentions is None else file.mentions == mentions


def test_controls_that_are_used_inside_are_dropped_from_the_source() -> None:
    assert said("a\x010\x02b {{c}}") == ["a0b c"]


@pytest.mark.parametrize("raw", ["{panel}{panel}", "----", "{code}{code}", "{color:red}{color}"])
def test_description_without_text_is_empty(raw: str) -> None:
    assert refusal(raw, "d", WIKI) == "empty: no text in it"


@pytest.mark.parametrize(
    "piece",
    [
        *("[", "[a|", "{", "{{", "{code", "{code}", "{noformat:", "{panel:", "!a", "!a.png|", "*", "*a ", "_a", "\\"),
        *(
            "|",
            "|a a a\n",
            "||",
            "#",
            "-",
            "h1. ",
            "bq. ",
            "http://a(",
            "[~",
            "{expand}",
            "* a\n** b\n",
            "\\\\ ",
            "* {code}",
        ),
    ],
)
def test_time_is_linear(piece: str) -> None:
    began = time.process_time()
    assert "end" in words(issue(piece * (40_000 // len(piece)) + " end"))
    assert time.process_time() - began < 1  # a tenth of that; the rest is for busy machines


def test_limits_hold() -> None:
    assert shortened("|a|b|\n" * 2_000, "d", WIKI, table_rows=1_000) == "a table of more than 1,000 rows"
    assert shortened("word\n\n" * 2_000, "d", WIKI, output_characters=1_000).startswith("more than 1,000 characters")
