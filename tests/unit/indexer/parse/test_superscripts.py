"""Superscripts: they merge with no number and no word, whatever the format."""

from time import process_time

import pytest

from indexer.parse.outline import one_line
from indexer.parse.superscripts import as_superscript
from tests.fakes.atlassian.markup import STORAGE
from tests.unit.indexer.parse.adf_nodes import mark, p, said, text
from tests.unit.indexer.parse.parsing import parsed, texts
from tests.unit.indexer.parse.test_docx import made


@pytest.mark.parametrize(
    ("before", "up", "whole"),
    [
        *[("10", "6", "10^6"), ("10", "-6", "10^-6"), ("10", "−6", "10^−6"), ("m", "2", "m^2"), ("x", "n+1", "x^n+1")],
        *[("word", "1", "word^1"), ("word", "1,2", "word^1,2"), ("word", "[1]", "word[1]"), ("word", "*", "word*")],
        *[("1", "st", "1st"), ("2", "e", "2e"), ("n", "th", "nth"), ("(a+b)", "2", "(a+b)^2"), ("", "14", "14")],
        *[("word", "citation needed", "word citation needed"), ("a ", "1", "a 1"), ("a", "", "a")],
    ],
)
def test_what_a_superscript_reads_like(before: str, up: str, whole: str) -> None:
    assert one_line(f"{before}{as_superscript(up)}") == whole


def test_a_superscript_in_several_pieces_is_one() -> None:
    assert one_line(f"10{as_superscript('-')}{as_superscript('6')} s") == "10^-6 s"


HTML = "at most <b>10</b><sup>6</sup> of H<sub>2</sub>O on the 1<sup>st</sup>"
READ = "at most 10^6 of H2O on the 1st"


@pytest.mark.parametrize(
    ("source", "name", "kind"),
    [
        (f"<p>{HTML}</p>", "a.html", ""),
        (HTML, "a.md", ""),
        (HTML.replace("<b>10</b>", "**10**"), "a.md", ""),
        (f"<p>{HTML}</p>", "", STORAGE),
        ("at most **10**\\ :sup:`6` of H\\ :sub:`2`\\ O on the 1\\ :sup:`st`", "a.rst", ""),
    ],
)
def test_superscripts_of_text_formats(source: str, name: str, kind: str) -> None:
    assert texts(parsed(source, name, kind)) == [READ]


def test_superscripts_of_a_markdown_table() -> None:
    assert texts(parsed("| a |\n|---|\n| 10<sup>*6*</sup> |\n", "a.md")) == ["| a |\n| 10^6 |"]


def test_superscripts_of_the_document_format() -> None:
    up = mark("subsup", type="sup")
    assert said(p("10", text("-", up), text("6", up), " H", text("2", mark("subsup", type="sub")))) == ["10^-6 H2"]


def test_superscripts_of_a_word_document() -> None:
    def build(document: object) -> None:
        paragraph = document.add_paragraph("10")  # type: ignore[attr-defined]
        paragraph.add_run("-").font.superscript = True
        paragraph.add_run("7").font.superscript = True
        paragraph.add_run(" H")
        paragraph.add_run("2").font.subscript = True

    assert texts(parsed(made(build), "a.docx")) == ["10^-7 H2"]


def test_unbalanced_superscripts_take_linear_time() -> None:
    started = process_time()
    assert texts(parsed("x<sup>1" * 3_000, "a.md"))
    assert one_line(as_superscript("") * 200_000 + "\x06" * 200_000) == ""
    assert process_time() - started < 5
