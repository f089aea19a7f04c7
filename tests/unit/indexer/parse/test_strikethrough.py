"""What is struck out or hidden does not hold any more: no format gives it, and no table breaks without it."""

from typing import Any

import pytest
from docx.enum.style import WD_STYLE_TYPE

from tests.fakes.atlassian.markup import STORAGE, WIKI
from tests.unit.indexer.parse.adf_nodes import item, mark, node, p, said, text
from tests.unit.indexer.parse.parsing import parsed, texts
from tests.unit.indexer.parse.test_docx import made

STYLE = 'style="color: red; text-decoration: line-through;"'
HTML = f"fee <del>5<b>1</b></del> <s>6</s> <strike>7</strike> <span {STYLE}>8 <span>9</span></span> 10"
TABLE = f"<table><tr><th>a</th><th>b</th></tr><tr><td {STYLE}>1</td><td>2</td></tr><tr {STYLE}><td>3</td></tr></table>"
LIST = f"<ul><li><s>one</s></li><li {STYLE}>two</li><li>three</li></ul>"


@pytest.mark.parametrize(("name", "kind"), [("a.html", ""), ("a.md", ""), ("", STORAGE)])
def test_what_is_struck_out_in_html_is_left_out(name: str, kind: str) -> None:
    source = f"<p>{HTML}</p>\n\n<del><p>gone</p></del>\n\n{TABLE}\n\n{LIST}\n"
    assert texts(parsed(source, name, kind)) == ["fee 10", "| a | b |\n|  | 2 |", "- three"]


def test_what_is_struck_out_in_markdown_is_left_out() -> None:
    source = f"fee ~~5 [x](https://x.org) `old_name`~~ **{HTML}**\n\n- ~~one~~\n- two\n\n|a|b|\n|-|-|\n|~~1~~|2|\n"
    file = parsed(source, "a.md")
    assert texts(file) == ["fee fee 10", "- two", "| a | b |\n|  | 2 |"]
    assert (file.mentions.urls, file.mentions.terms) == ((), ())


def test_a_strike_that_nothing_ends_strikes_nothing() -> None:
    assert texts(parsed("fee <del>5 </s>6", "a.md")) == ["fee 5 6"]


def test_links_that_are_struck_out_lead_nowhere() -> None:
    file = parsed('<p>x <del><a href="https://x.org"><code>old_name</code></a></del></p>', "a.html")
    assert (file.mentions.urls, file.mentions.terms) == ((), ())


def test_what_is_struck_out_in_the_document_format_is_left_out() -> None:
    gone = text("5", mark("strike"), mark("link", href="https://x.org"))
    assert said(p("fee ", gone, " 7"), node("bulletList", item(p(gone)), item("b"))) == ["fee 7", "- b"]


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("-Do not restart the server.- Restart it at night.", ["Restart it at night."]),
        ("The port is -port 8080- 9090 (-old-), *-bold-*, {-}8{-}w.", ["The port is 9090 (), , w."]),
        ("|a|b|\n|-x-|6|", ["| a | b |\n|  | 6 |"]),
        ('fee -x (5) "y" {{x}} [y|https://x.org]- 7', ["fee 7"]),
    ],
)
def test_what_is_struck_out_in_wiki_markup_is_left_out(source: str, said: list[str]) -> None:
    assert texts(parsed(source, "", WIKI)) == said


@pytest.mark.parametrize(
    "source",
    [
        *(
            "pre- and post-deploy, well-known words-",
            "5-10, 2024-05-01 - ok - and -20 to -10",
            "(-5)-(-3)",
            "5 - -3 - 2",
        ),
        *(
            "-x and y -- z -- w",
            "a -> b, pre-, post-",
            "run -v - -f -",
            "- x-",
            "-x\ny-",
            "A-B-C a-{-b",
            "-- x --",
            "--x--",
        ),
        *(
            "-5 °C sind Vor- und Rücklauf",
            "run kb -v, then pre- and post-checks",
            "range -10 to -20, first- or second-class",
            "test A (-), test B (+), test C (-).",
            "CHF 20.-, neu CHF 25.-",
            'use "-" or "_" in names; a blank or "-" is wrong',
            "set -Xmx2g -Dfoo=bar- x",
            "tar -xzf a.tgz -C /opt/app- now",
            "-pre- oder post-",
            '"-v" and "-q" are flags; "x-"',
            "[-f (file- and more)",
            "-8080- 9090",
            "Sat.-Sun. is off, Mon.-, too",
            "keys Ctrl+-, then Ctrl+-.",
        ),
    ],
)
def test_hyphens_ranges_and_dashes_in_wiki_markup_strike_nothing(source: str) -> None:
    assert "\n".join(texts(parsed(f"so {source}", "", WIKI))) == f"so {source}"


def test_code_between_hyphens_in_wiki_markup_stays() -> None:
    assert texts(parsed("{{a}}-{{b}}-{{c}}", "", WIKI)) == ["a-b-c"]


def test_what_a_role_strikes_out_in_restructuredtext_is_left_out() -> None:
    assert texts(parsed(".. role:: strike\n\nfee :strike:`5` 7\n", "a.rst")) == ["fee 7"]


def test_what_is_struck_out_or_hidden_in_a_word_document_is_left_out() -> None:
    def build(document: Any) -> None:
        document.styles.add_style("Secret", WD_STYLE_TYPE.CHARACTER).font.hidden = True
        document.styles.add_style("Old", WD_STYLE_TYPE.PARAGRAPH).font.strike = True
        paragraph = document.add_paragraph("fee ")
        paragraph.add_run("5").font.strike = True
        paragraph.add_run("6").font.double_strike = True
        paragraph.add_run("7").font.hidden = True
        paragraph.add_run("8", style="Secret")
        paragraph.add_run("9", style="Secret").font.hidden = False
        document.add_paragraph("gone", style="Old")
        table = document.add_table(2, 2)
        for number, cell in enumerate(table._cells):
            cell.text = str(number)
        table.cell(1, 0).paragraphs[0].runs[0].font.strike = True

    assert texts(parsed(made(build), "a.docx")) == ["fee 9", "| 0 | 1 |\n|  | 3 |"]
