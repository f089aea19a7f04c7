from typing import Any

import pytest

from bot.markup.tables import width
from bot.markup.text_length import cut, head, units
from bot.markup.text_parts import TextPart, TextRun
from bot.slack.limits import json_length
from bot.slack.markdown import literal_blocks, markdown_blocks, packed_blocks
from tests.fakes.slack.checks import size
from tests.fakes.slack_limits import seen, wrong_with_blocks

CITED = {
    1: "https://wiki.example/leave",
    2: "file:///docs/a.md",
    3: "https://wiki.example/x",
    4: "https://wiki.example/leave.md",
}


def elements(markdown: str, cited: dict[int, str] | None = None) -> list[Any]:
    (block,) = markdown_blocks(markdown, CITED if cited is None else cited)
    return list(block["elements"])


def runs(markdown: str) -> list[Any]:
    (section,) = elements(markdown)
    return list(section["elements"])


@pytest.mark.parametrize(
    ("markdown", "text", "url"),
    [
        ("[page](https://wiki.example/x)", "page", "https://wiki.example/x"),
        ("https://wiki.example/x.", "https://wiki.example/x", "https://wiki.example/x"),
        ("<https://wiki.example/x>", "https://wiki.example/x", "https://wiki.example/x"),
        ("[](https://wiki.example/x)", "https://wiki.example/x", "https://wiki.example/x"),
        ("[bank.example](https://wiki.example/x)", "https://wiki.example/x", "https://wiki.example/x"),
        ("[leave.md](https://wiki.example/leave.md)", "leave.md", "https://wiki.example/leave.md"),
    ],
)
def test_links_to_what_is_cited(markdown: str, text: str, url: str) -> None:
    assert runs(markdown)[0] == {"type": "link", "url": url, "text": text}


@pytest.mark.parametrize(
    ("markdown", "text"),
    [
        ("[page](https://evil.example/?q=1)", "page (https://evil.example/?q=1)"),
        ("[sign in](https://wiki.example/sign-in)", "sign in (https://wiki.example/sign-in)"),
        ("[https://wiki.example](https://evil.example)", "https://evil.example"),
        ("<https://evil.example>", "https://evil.example"),
        ("https://evil.example", "https://evil.example"),
        ("[mail](mailto:a@b.example)", "mail (mailto:a@b.example)"),
        ("[x](javascript:alert)", "[x](javascript:alert)"),
        ("![alt](https://evil.example/x.png)", "alt (https://evil.example/x.png)"),
        ("![](https://evil.example/x.png)", "(https://evil.example/x.png)"),
        ("[x]()", "x"),
    ],
)
def test_other_links_are_text(markdown: str, text: str) -> None:
    assert runs(markdown) == [{"type": "text", "text": text}]


@pytest.mark.parametrize("text", ["Short", "x" * 150])
def test_a_heading_is_a_header(text: str) -> None:
    assert markdown_blocks(f"# {text}") == [
        {"type": "header", "text": {"type": "plain_text", "text": text, "emoji": False}}
    ]


@pytest.mark.parametrize("markdown", ["# " + "x" * 151, "# a < b", "> # a", "- # a", "# a [1]"])
def test_other_headings_are_bold(markdown: str) -> None:
    text = [run for element in elements(markdown) for run in element["elements"]]
    assert all(run["style"] == {"bold": True} for run in text)


def test_an_empty_heading_is_nothing() -> None:
    assert markdown_blocks("#\n\n``\n\n-\n\n>\n\n```\n```") == [
        {"type": "rich_text", "elements": [{"type": "rich_text_section", "elements": [{"type": "text", "text": "``"}]}]}
    ]


def test_a_list_is_indented_at_most_eight_times() -> None:
    found = elements("\n".join("  " * depth + f"- {depth}" for depth in range(12)))
    assert [each["indent"] for each in found] == [*range(9), 8, 8, 8]


def test_items_of_two_lists_do_not_mix() -> None:
    assert [each["style"] for each in elements("- a\n\n1. b")] == ["bullet", "ordered"]


def test_a_wide_head_alone_is_a_line() -> None:
    assert seen(markdown_blocks(f"| a | {'b' * 90} |\n|---|---|")) == f"a | {'b' * 90}"


@pytest.mark.parametrize(
    ("text", "columns"), [("abc", 3), ("名前", 4), ("e\u0301", 1), ("ｱ", 1), ("Ａ", 2), ("\u200b", 0), ("😀", 2)]
)
def test_widths(text: str, columns: int) -> None:
    assert width(text) == columns


@pytest.mark.parametrize("markdown", ["> " * 100 + "deep", "- " * 100 + "deep", "a" * 20_001, "|" * 10_001])
def test_what_is_too_much_is_shown_as_it_is_written(markdown: str) -> None:
    assert "".join(seen(markdown_blocks(markdown)).split()) == "".join(markdown.split())


def test_text_as_it_is() -> None:
    assert seen(literal_blocks("*a*\n\n# b")) == "*a*\n\n# b"


@pytest.mark.parametrize("kind", ["text", "item", "code"])
@pytest.mark.parametrize("text", ["word " * 3_000, "line of code\n" * 1_000, "x" * 10_000, "😀" * 5_000, '"' * 9_000])
def test_a_long_part_is_cut(kind: Any, text: str) -> None:
    found = packed_blocks([TextPart(kind, (TextRun(text),))])
    assert wrong_with_blocks(found, []) == []
    assert "".join(seen(found).split()) == "".join(text.split())


def test_text_is_cut_between_words_and_code_between_lines() -> None:
    for block in packed_blocks([TextPart("text", (TextRun("seven words stand in this short line " * 400),))]):
        assert not seen([block]).startswith("ords")
        assert seen([block]).split()[-1] in {"seven", "words", "stand", "in", "this", "short", "line"}
    for block in packed_blocks([TextPart("code", (TextRun("a line of code\n" * 900),))]):
        assert set(seen([block]).split("\n")) <= {"a line of code", ""}


def test_many_runs_make_many_blocks() -> None:
    found = markdown_blocks("**a** `b` " * 1_500)
    assert max(map(json_length, found)) < 9_000
    assert wrong_with_blocks(found, []) == []


def test_lengths_are_those_of_utf_16() -> None:
    assert (units("aé名😀"), size("aé名😀")) == (5, 5)
    assert (head("a😀b", 2), head("a😀b", 3), cut("a😀b", 4), cut("a😀bc", 4)) == ("a", "a😀", "a😀b", "a😀…")
