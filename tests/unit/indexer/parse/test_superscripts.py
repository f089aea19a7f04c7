"""Superscripts: they merge with no number and no word, whatever the format."""

from time import process_time

import pytest

from indexer.parse.outline import one_line
from indexer.parse.superscripts import as_superscript
from tests.fakes.atlassian.markup import STORAGE, WIKI
from tests.unit.indexer.parse.adf_nodes import mark, p, said, text
from tests.unit.indexer.parse.parsing import parsed, texts
from tests.unit.indexer.parse.test_docx import made, xml


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
        ("at most *10*{^}6{^} of H{~}2{~}O on the 1{^}st{^}", "", WIKI),
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


@pytest.mark.parametrize(
    ("source", "read"),
    [
        ("<msup><mn>10</mn> <mn>6</mn></msup>", "10^6"),
        ("<msubsup><mi>x</mi><mn>1</mn><mn>2</mn></msubsup>", "x1^2"),
        ("<mfrac><mn>1</mn><mn>2</mn></mfrac>", "1/2"),
        ("<mn>2</mn><mfrac><mn>1</mn><mn>2</mn></mfrac><mi>x</mi>", "2 1/2 x"),
        ("<mfrac><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mi>c</mi></mfrac>", "(a+b)/c"),
        ("<msup><mn>10</mn><msup><mi>x</mi><mn>2</mn></msup></msup>", "10^x^2"),
        ("<msqrt><mi>a</mi><mo>+</mo><mn>1</mn></msqrt>", "√(a+1)"),
        ("<mroot><mi>a</mi><mn>3</mn></mroot>", "∛a"),
        (
            "<semantics><mrow><mi>a</mi></mrow><annotation encoding='application/x-tex'>a_0</annotation></semantics>",
            "a",
        ),
    ],
)
def test_equations_of_web_pages(source: str, read: str) -> None:
    assert texts(parsed(f"<p><math>{source}</math></p>", "a.html")) == [read]


@pytest.mark.parametrize(
    ("source", "read"),
    [
        ("2<math><mfrac><mn>1</mn><mn>2</mn></mfrac></math> cups", "2 1/2 cups"),
        ("2 <math><semantics><mrow><mfrac><mn>1</mn><mn>2</mn></mfrac></mrow></semantics></math>", "2 1/2"),
        ("(<math><mfrac><mn>1</mn><mn>2</mn></mfrac></math>)", "(1/2)"),
        ("<b>2</b><math><mfrac><mn>1</mn><mn>2</mn></mfrac></math>", "2 1/2"),
        ("<math><mo>(</mo><mfrac linethickness='0pt'><mi>n</mi><mi>k</mi></mfrac><mo>)</mo></math>", "(n k)"),
    ],
)
def test_fractions_beside_numbers_outside_the_equation_and_without_a_line(source: str, read: str) -> None:
    assert texts(parsed(f"<p>{source}</p>", "a.html")) == [read]


def test_fractions_of_office_beside_numbers_outside_the_equation() -> None:
    half = f"<m:f><m:num>{run('1')}</m:num><m:den>{run('2')}</m:den></m:f>"
    names = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'
    words = f"<w:r><w:t>2</w:t></w:r><w:proofErr/><m:oMath {names}>{half}</m:oMath><w:r><w:t> l</w:t></w:r>"
    assert texts(parsed(made(lambda document: xml(document, f"<w:p>{words}</w:p>")), "a.docx")) == ["2 1/2 l"]


def test_an_equation_that_a_library_has_drawn_is_told_once() -> None:
    said = "<span class='katex-mathml'><math><msup><mn>10</mn><mn>6</mn></msup></math></span>"
    drawn = "<span class='katex-html' aria-hidden='true'><span>10</span><span>6</span></span>"
    assert texts(parsed(f"<p>at <span class='katex'>{said}{drawn}</span> s</p>", "a.html")) == ["at 10^6 s"]


def run(text: str) -> str:
    return f"<m:r><m:t>{text}</m:t></m:r>"


@pytest.mark.parametrize(
    ("source", "read"),
    [
        (f"<m:sSup><m:e>{run('10')}</m:e><m:sup>{run('6')}</m:sup></m:sSup>", "10^6"),
        (f"{run('2')}<m:f><m:fPr/><m:num>{run('1')}</m:num><m:den>{run('2')}</m:den></m:f>", "2 1/2"),
        (
            f"<m:f><m:fPr><m:type m:val='noBar'/></m:fPr><m:num>{run('n')}</m:num><m:den>{run('k')}</m:den></m:f>",
            "n k",
        ),
        (f"<m:rad><m:deg/><m:e>{run('x')}</m:e></m:rad>", "√x"),
        (f"<m:rad><m:deg>{run('3')}</m:deg><m:e>{run('x')}</m:e></m:rad>", "∛x"),
        (f"<m:sSup><m:e><m:d><m:e>{run('a+b')}</m:e></m:d></m:e><m:sup>{run('2')}</m:sup></m:sSup>", "(a+b)^2"),
        (f"<m:d><m:dPr><m:begChr m:val='['/><m:endChr m:val=']'/></m:dPr><m:e>{run('a')}</m:e></m:d>", "[a]"),
        (
            "<m:nary><m:naryPr><m:chr m:val='∑'/></m:naryPr>"  # noqa: ISC003
            + f"<m:sub>{run('i=1')}</m:sub><m:sup>{run('n')}</m:sup><m:e>{run('i')}</m:e></m:nary>",
            "∑i=1^n i",
        ),
    ],
)
def test_equations_of_a_word_document(source: str, read: str) -> None:
    names = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'
    raw = made(lambda document: xml(document, f"<w:p><m:oMath {names}>{source}</m:oMath></w:p>"))
    assert texts(parsed(raw, "a.docx")) == [read]


def test_unbalanced_superscripts_take_linear_time() -> None:
    started = process_time()
    assert texts(parsed("x<sup>1" * 3_000, "a.md"))
    assert one_line(as_superscript("") * 200_000 + "\x06" * 200_000) == ""
    assert process_time() - started < 5
