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


def test_code_that_holds_the_end_of_cdata() -> None:
    assert said(macro("code", plain("a[b[0]]]]><![CDATA[> 1"))) == ["a[b[0]]> 1"]


@pytest.mark.parametrize(
    ("parameters", "header"),
    [({}, ""), ({"language": "sql"}, "Code (sql)"), ({"title": "T"}, "T"), ({"language": "none", "title": "T"}, "T")],
)
def test_header_of_code(parameters: dict[str, str], header: str) -> None:
    assert page(macro("code", plain("x"), **parameters)).blocks[0].header == header


def test_noformat_and_pre() -> None:
    found = page(macro("noformat", plain("  a\n  *b*")) + "<pre>c\n  d &amp; e</pre>").blocks
    assert [(block.kind, block.text) for block in found] == [
        (BlockKind.CODE, "  a\n  *b*"),
        (BlockKind.CODE, "c\n  d & e"),
    ]


@pytest.mark.parametrize(
    ("name", "label"),
    [("info", "Info: "), ("note", "Note: "), ("tip", "Tip: "), ("warning", "Warning: "), ("panel", "")],
)
def test_panels_say_what_they_are(name: str, label: str) -> None:
    assert said(macro(name, rich("<p>Mind <b>this</b></p><p>and that</p>"))) == [f"{label}Mind this", "and that"]
    assert said(macro(name, rich("<p>x</p>"), title="Title")) == [f"{label}Title", "x"]


def test_panel_that_begins_with_code() -> None:
    assert said(macro("warning", rich(macro("code", plain("rm -rf"))))) == ["Warning", "rm -rf"]


def test_headings_in_a_panel_end_with_it() -> None:
    source = f"<h1>A</h1>{macro('panel', rich('<h2>B</h2><p>x</p>'))}<p>y</p>"
    assert paths(page(source)) == [("A", "B"), ("A",)]


def test_expand_stands_under_its_title() -> None:
    source = f"<h2>Q</h2>{macro('expand', rich('<p>x</p><h3>I</h3><p>y</p>'), title='How?')}<p>z</p>"
    assert paths(page(source)) == [("Q", "How?"), ("Q", "How?", "I"), ("Q",)]


def test_expand_without_title_or_body() -> None:
    assert said(macro("expand", rich("<p>x</p>"))) == ["x"]
    assert said(macro("expand", rich(""), title="Only this")) == ["Only this"]


def test_expand_in_a_cell_keeps_title_and_body() -> None:
    cell = macro("expand", rich("<p>inner</p>"), title="Fold")
    assert said(f"<table><tr><td>a</td><td>{cell}</td></tr></table>") == ["| a | Fold inner |"]


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


def test_unknown_macros_keep_name_title_and_body() -> None:
    assert said(macro("drawio", diagramName="Network plan", width="800")) == ["drawio: Network plan"]
    assert said(macro("roadmap", rich("<p>a</p>"), title="2027")) == ["roadmap: 2027", "a"]
    found = page(macro("plantuml", plain("A -> B\nB -> C"))).blocks
    assert [(block.kind, block.text) for block in found] == [
        (BlockKind.PROSE, "plantuml"),
        (BlockKind.CODE, "A -> B\nB -> C"),
    ]


def test_unknown_macros_note_the_resources_in_their_parameters() -> None:
    file = page(macro("view-file", name='<ri:attachment ri:filename="Plan.xlsx" />'))
    assert (texts(file), file.mentions.attachments) == (["view-file: Plan.xlsx"], ("Plan.xlsx",))


def test_excerpts_and_page_properties_are_text() -> None:
    inline = macro("excerpt", rich("in<b>side</b>"), **{"atlassian-macro-output-type": "INLINE"})
    assert said(f"<p>be{inline} after</p>") == ["beinside after"]
    assert said(macro("details", rich("<table><tr><th>Owner</th><td>Ops</td></tr></table>"))) == ["| Owner | Ops |"]
