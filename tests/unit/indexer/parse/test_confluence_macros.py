"""Macros of Confluence pages: code, panels, folds and lists, those that include a page, and unknown ones."""

import pytest

from domain.documents import Block, BlockKind, PageMention
from tests.unit.indexer.parse.parsing import paths, texts
from tests.unit.indexer.parse.storage_pages import macro, page, plain, rich, said


def test_cells_hold_lists_macros_and_code_on_one_line() -> None:
    cells = f"<td><ul><li>x</li><li>y</li></ul></td><td>{macro('code', plain('a | b'), title='T')}</td>"
    assert said(f"<table><tr><th>A</th><th>B</th></tr><tr>{cells}</tr></table>") == [
        "| A | B |\n| - x - y | T a \\| b |",
    ]


def test_code_is_kept_as_it_stands() -> None:
    text = 'if (a &lt; b && c > "d") {\n\treturn <p>;\n\n    }  // ü \\n'
    block = page(macro("code", plain(text), language="java", title="Main.java")).blocks[0]
    assert block == Block(BlockKind.CODE, text, header="Main.java (java)")


@pytest.mark.parametrize(
    ("parameters", "header"),
    [({}, ""), ({"language": "sql"}, "Code (sql)"), ({"title": "T"}, "T"), ({"language": "none", "title": "T"}, "T")],
)
def test_header_of_code(parameters: dict[str, str], header: str) -> None:
    assert page(macro("code", plain("x"), **parameters)).blocks[0].header == header


@pytest.mark.parametrize(
    ("name", "label"),
    [("info", "Info: "), ("note", "Note: "), ("tip", "Tip: "), ("warning", "Warning: "), ("panel", "")],
)
def test_panels_say_what_they_are(name: str, label: str) -> None:
    assert said(macro(name, rich("<p>Mind <b>this</b></p><p>and that</p>"))) == [f"{label}Mind this", "and that"]
    assert said(macro(name, rich("<p>x</p>"), title="Title")) == [f"{label}Title", "x"]


def test_headings_in_a_panel_end_with_it() -> None:
    source = f"<h1>A</h1>{macro('panel', rich('<h2>B</h2><p>x</p>'))}<p>y</p>"
    assert paths(page(source)) == [("A", "B"), ("A",)]


def test_expand_without_title_or_body() -> None:
    assert said(macro("expand", rich("<p>x</p>"))) == ["x"]
    assert said(macro("expand", rich(""), title="Only this")) == ["Only this"]


def test_quotes_and_layouts_are_transparent() -> None:
    source = f"<blockquote><p>a</p></blockquote>{macro('quote', rich('<p>b</p>'))}{macro('section', rich('<p>c</p>'))}"
    assert said(f"{source}<div><p>d</p></div>") == ["a", "b", "c", "d"]


def test_jira_macros_keep_the_key_or_the_query() -> None:
    file = page(macro("jira", jqlQuery="key in (OPS-1, OPS-22) AND text ~ UTF-8", columns="key,summary"))
    assert texts(file) == ["Jira: key in (OPS-1, OPS-22) AND text ~ UTF-8"]
    assert file.mentions.issues[:2] == ("OPS-1", "OPS-22")


@pytest.mark.parametrize("name", ["toc", "children", "pagetree", "recently-updated", "contentbylabel", "anchor"])
def test_generated_lists_are_dropped(name: str) -> None:
    assert said(f"<p>a</p>{macro(name, maxLevel='3', title='Generated')}<p>b</p>") == ["a", "b"]


@pytest.mark.parametrize("name", ["include", "excerpt-include"])
def test_included_pages_are_named_and_not_read(name: str) -> None:
    by_text = page(f"<p>a</p>{macro(name, **{'': 'HR:Salary bands'})}<p>b</p>")
    assert texts(by_text) == ["a", "Included page: HR:Salary bands", "b"]
    assert by_text.mentions.pages == (PageMention("Salary bands", space="HR", included=True),)
    resource = '<ac:link><ri:page ri:content-title="Board: minutes" /></ac:link>'
    by_link = page(macro(name, **{"": resource, "nopanel": "true"}))
    assert texts(by_link) == ["Included page: Board: minutes"]
    assert by_link.mentions.pages == (PageMention("Board: minutes", included=True),)


def test_what_stands_in_an_including_macro_is_not_read() -> None:
    file = page(macro("excerpt-include", rich("<p>A copy</p>"), **{"": "HR:Salary bands"}) + "<p>b</p>")
    assert texts(file) == ["Included page: HR:Salary bands", "b"]
    assert file.mentions.pages == (PageMention("Salary bands", space="HR", included=True),)


def test_excerpts_and_page_properties_are_text() -> None:
    inline = macro("excerpt", rich("in<b>side</b>"), **{"atlassian-macro-output-type": "INLINE"})
    assert said(f"<p>be{inline} after</p>") == ["beinside after"]
    assert said(macro("details", rich("<table><tr><th>Owner</th><td>Ops</td></tr></table>"))) == ["| Owner | Ops |"]
