import pytest

from domain.documents import BlockKind
from tests.unit.indexer.parse.parsing import lines_of, of_kind, parsed, paths, refusal, shortened, texts, words

SAMPLE = """\
<!DOCTYPE html>
<html><head>
<title>Expenses — Intranet</title>
<meta name="author" content="Jane Doe">
<meta name="keywords" content="money, travel,money">
<meta name="description" content="About expenses">
<meta property="article:modified_time" content="2024-01-15T10:00:00+02:00">
<style>.styled { color: red }</style><script>var scripted = 1</script>
</head>
<body>
<header>Logo words</header>
<nav><ul><li>Navigation</li></ul></nav>
<main>
<header><h1>Expenses<a class="headerlink" href="#x">¶</a></h1></header>
<p>First paragraph with <b>bold</b>,
<a href="/x">a link</a><br>and a break. <img src="i.png" alt="Receipt"></p>
loose text
<div>in a <span>div</span><p>Nested paragraph</p>tail text</div>
<h2>Steps</h2>
<ol start="3">
  <li>Collect</li>
  <li>Send
    <ul><li>by mail</li><li>by post<p>with stamp</p></li></ul>
  </li>
  <li value="9"><pre>run  it
  now</pre></li>
</ol>
<h3>Amounts</h3>
<table><caption>Per day</caption>
<thead><tr><th>City</th><th colspan="2">Limits</th></tr></thead>
<tbody><tr><td rowspan="2">Oslo</td><td>200</td><td>a|b</td></tr>
<tr><td>300</td><td><ul><li>x</li><li>y</li></ul></td></tr></tbody>
</table>
<pre><code>if a:
    b()
</code></pre>
<dl><dt>VAT</dt><dd>Value added tax</dd><dt>Net</dt><dd><p>Without it</p><p>Really</p></dd></dl>
<blockquote>Quoted <em>words</em></blockquote>
<details><summary>More</summary>Folded text</details>
<aside class="admonition note">Callout text</aside>
<aside>Related pages</aside>
<form role="search"><label>Search field</label></form>
<form><h4>Leave</h4><p>Leave is asked for in <b>writing</b>. <label>Days</label>
<input value="typed"><select><option>Chosen</select>
<button>Press</button><textarea>Written</textarea></p></form>
<div hidden>Hidden one</div><p style="color:red; display: none">Hidden two</p>
<div role="tabpanel" hidden>Tab text</div>
<!-- commented -->
<h2>Empty section</h2>
<footer>Edited by nobody</footer>
</main>
<footer>Copyright words</footer>
<noscript>Enable scripts</noscript>
</body></html>
"""


def test_every_visible_word_is_in_some_block() -> None:
    visible = """Expenses First paragraph with bold a link and a break Receipt loose text in div Nested tail Steps
    Collect Send by mail post stamp run it now Amounts Per day City Limits Oslo 200 a b 300 x y if VAT Value added tax
    Net Without Really Quoted words More Folded Callout Tab Empty section Leave is asked for in writing Days"""
    assert set(visible.split()) <= words(parsed(SAMPLE, "a.html"))


def test_what_is_no_part_of_the_document_is_left_out() -> None:
    unwanted = """Logo Navigation Related Search Hidden commented Edited Copyright Enable styled scripted typed
    Chosen Press Written"""
    assert not set(unwanted.split()) & words(parsed(SAMPLE, "a.html"))


def test_title_and_metadata() -> None:
    file = parsed(SAMPLE, "a.html")
    assert file.title == "Expenses"
    assert file.metadata == {
        "author": "Jane Doe",
        "labels": "money, travel",
        "description": "About expenses",
        "updated": "2024-01-15T10:00:00+02:00",
    }


@pytest.mark.parametrize(
    ("page", "title", "path"),
    [
        ("<title>A</title><h1>B</h1><p>x", "A", ("B",)),
        ("<h1>B</h1><p>x", "B", ()),
        ("<title>B | Site</title><h1>b</h1><p>x", "b", ()),
        ("<title>Page - Book</title><h1>Book</h1><main><h1>Page</h1><p>x</main>", "Page", ()),
        ("<title> </title><p>x", "", ()),
    ],
)
def test_title_is_that_of_the_head_or_the_heading_in_it(page: str, title: str, path: tuple[str, ...]) -> None:
    file = parsed(page, "a.html")
    assert (file.title, paths(file)) == (title, [path])


def test_paragraphs_and_the_text_around_blocks() -> None:
    found = texts(parsed(SAMPLE, "a.html"))
    assert found[0] == "First paragraph with bold, a link\nand a break. Receipt"
    assert found[1:5] == ["loose text", "in a div", "Nested paragraph", "tail text"]


def test_lists_keep_markers_numbers_and_nesting() -> None:
    steps = of_kind(parsed(SAMPLE, "a.html"), BlockKind.LIST)[0]
    assert steps.heading_path == ("Steps",)
    assert steps.text.split("\n") == [
        "3. Collect",
        "4. Send",
        "  - by mail",
        "  - by post",
        "    with stamp",
        "9. run  it",
        "    now",
    ]


def test_list_with_letters_and_roman_numbers() -> None:
    assert texts(parsed("<ol type=a start=25><li>x<li>y<li>z</ol>", "a.html")) == ["y. x\nz. y\naa. z"]
    assert texts(parsed("<ol type=I start=1994><li>x</ol>", "a.html")) == ["MCMXCIV. x"]


def test_definitions() -> None:
    terms = of_kind(parsed(SAMPLE, "a.html"), BlockKind.LIST)[1]
    assert terms.text == "- VAT: Value added tax\n- Net\n  Without it\n  Really"


def test_list_directly_inside_a_list() -> None:
    assert texts(parsed("<ul><li>a</li><ul><li>b</li></ul>stray</ul>", "a.html")) == ["- a\n  - b\nstray"]


def test_table_expands_spans() -> None:
    block = of_kind(parsed(SAMPLE, "a.html"), BlockKind.TABLE)[0]
    assert block.header == "| City | Limits | Limits |"
    assert block.text.split("\n")[1:] == ["| Oslo | 200 | a\\|b |", "| Oslo | 300 | - x - y |"]
    assert block.heading_path == ("Steps", "Amounts")


def test_table_header_without_th() -> None:
    rows = "<tr><td><b>A</b></td><td><strong>B</strong></td></tr><tr><td>1</td><td><b>2</b></td></tr>"
    assert parsed(f"<table>{rows}</table>", "a.html").blocks[0].header == "| A | B |"


def test_tables_for_layout_are_opened() -> None:
    page = (
        "<table><tr><td><h2>Left</h2><p>one</p></td><td><table><tr><td>a</td><td>b</td></tr></table></td></tr></table>"
    )
    assert [(block.kind, block.text) for block in parsed(page, "a.html").blocks] == [
        (BlockKind.PROSE, "one"),
        (BlockKind.TABLE, "| a | b |"),
    ]


@pytest.mark.parametrize("heading", ["<tr><th>Role<th>Deploy", "<thead><tr><td>Role<td>Deploy</thead>"])
def test_tables_with_headings_hold_data_whatever_is_in_their_cells(heading: str) -> None:
    rows = "<tr><td><h4>Guest</h4><td>no<tr><td>Admin<td>yes<table><tr><td>since<td>2020</table>"
    assert [
        (block.heading_path, block.text)
        for block in parsed(f"<h2>Who</h2><table>{heading}{rows}</table>", "a.html").blocks
    ] == [((), "| Role | Deploy |\n| Guest | no |\n| Admin | yes \\| since \\| 2020 \\| |")]


def test_headings_within_a_table_for_layout_end_with_it() -> None:
    page = "<h1>T</h1><h2>A</h2><p>x</p><table><tr><td><h2>B</h2><td>y</table><p>z</p><h2>C</h2><p>w"
    assert paths(parsed(page, "a.html")) == [("A",), ("A", "B"), ("A",), ("C",)]


@pytest.mark.parametrize("bar", ["<td><h2>B</h2>", "<td>logo<td><h2>B</h2>", "<td><h2>B</h2><p>y</p>"])
def test_a_heading_that_a_table_ends_with_or_that_is_framed_is_that_of_the_text_below(bar: str) -> None:
    page = f"<h1>T</h1><h2>A</h2><p>x</p><table><tr>{bar}</table><p>z</p><h3>C</h3><p>w"
    assert paths(parsed(page, "a.html"))[-2:] == [("B",), ("B", "C")]


def test_code_is_verbatim() -> None:
    assert of_kind(parsed(SAMPLE, "a.html"), BlockKind.CODE)[0].text == "if a:\n    b()"


def test_spans_are_the_source_lines() -> None:
    file = parsed(SAMPLE, "a.html")
    found = {block.text.split("\n")[0]: lines_of(SAMPLE, block) for block in file.blocks}
    assert found["First paragraph with bold, a link"].startswith("<p>First")
    assert found["First paragraph with bold, a link"].endswith('alt="Receipt"></p>')
    assert found["loose text"] == "loose text"
    assert found["3. Collect"].startswith("<ol")
    assert found["3. Collect"].endswith("now</pre></li>")
    assert found["| City | Limits | Limits |"].endswith("</tr></tbody>")
    assert found["if a:"].startswith("<pre>")


def test_lines_that_the_library_cannot_count_have_no_span() -> None:
    file = parsed("<p>a</p>" + "\n" * 70_000 + "<p>b</p>", "a.html")
    assert [block.span.first_line for block in file.blocks] == [1, 0]


def test_links_to_the_heading_itself_are_no_text() -> None:
    page = (
        '<h1>T</h1><h2><a class="header-anchor" href="#x">#</a> Using C#</h2><p>x</p><h2>Two<a href="#y">¶</a></h2><p>y'
    )
    assert paths(parsed(page, "a.html")) == [("Using C#",), ("Two",)]


def test_page_inside_a_form() -> None:
    assert "text" in words(parsed("<form><h1>T</h1><p>text</p></form>", "a.html"))


@pytest.mark.parametrize(
    "form",
    [
        "<label>Search this site</label><input list=d><datalist id=d><option>Berlin</datalist>",
        "<p>Subscribe to our newsletter</p><a href=x>Forgot password?</a>",
        f"<label>Town</label><select><option>{'x' * 300}</select><textarea>{'y' * 300}</textarea>",
    ],
)
def test_forms_of_the_site_are_no_text(form: str) -> None:
    assert words(parsed(f"<p>text</p><form>{form}</form>", "a.html")) == {"text"}


@pytest.mark.parametrize("form", ["<ul><li>x</ul>", "<table><tr><td>x<td>y</table>", f"x {'long text ' * 25}"])
def test_forms_with_more_than_fields_are_text(form: str) -> None:
    assert "x" in words(parsed(f"<form>{form}</form>", "a.html"))


def test_buttons_in_headings_and_outside_forms_are_text() -> None:
    heading = "<h2><button>How do I cancel?</button></h2><p>"
    file = parsed(f"{heading}Press <button>Save</button>.</p><textarea>curl x</textarea>", "a.html")
    assert (file.title or paths(file)[0][0], texts(file)) == ("How do I cancel?", ["Press Save.", "curl x"])
    assert words(parsed(f"<form><h1>T</h1>{heading}x<button>Send</button></form>", "a.html")) == {
        *("T", "How", "do", "I", "cancel", "x")
    }


def test_lone_article_is_the_content_and_several_are_not() -> None:
    assert words(parsed("<p>around</p><article>inside</article>", "a.html")) == {"inside"}
    assert words(parsed("<p>around</p><article>a</article><article>b</article>", "a.html")) == {"around", "a", "b"}


def test_entities_and_unbalanced_tags() -> None:
    assert words(parsed("<div><p>one &amp; two<p>thr&eacute;e</b></div></td><li>four", "a.html")) == {
        *("one", "two", "thrée", "four")
    }


def test_nesting_that_is_allowed_is_complete() -> None:
    assert words(parsed("<div>" * 150 + "deep" + "</div>" * 150 + "<p>after", "a.html")) == {"deep", "after"}


def test_very_long_text_is_complete() -> None:
    assert len(parsed("<p>" + "word " * 900_000 + "</p><p>end</p>", "a.html").blocks) == 2


def test_gigantic_tables_are_cut() -> None:
    rows = "<tr><td>1<td>2" * 2_000
    assert shortened(f"<table>{rows}</table>", "a.html", table_rows=1_000) == "a table of more than 1,000 rows"
    wide = f"<table><tr>{'<td>x' * 5_000}<tr><td>y</table><p>end</p>"
    assert shortened(wide, "a.html") == "a table of more than 4,000 columns"
    file = parsed(wide, "a.html")
    assert file.blocks[0].text.count("x") == 4_000
    assert words(file) >= {"y", "end"}


def test_spans_cannot_multiply_text() -> None:
    for words_in_cell in (10, 1_000):
        cell = f"<td colspan=99999 rowspan=99999>{'long ' * words_in_cell}</td>"
        tall = f"<table><tr>{cell}<td>b</td></tr>{'<tr><td>x</td></tr>' * 1_000}</table>"
        assert len(texts(parsed(tall, "a.html"))[0]) < 200_000
    assert shortened(tall.replace("long", "l" * 90), "a.html", output_characters=90_000).startswith("more than")


def test_long_text_of_a_spanning_cell_stands_once_and_a_name_in_every_row() -> None:
    text = "long " * 30
    page = f"<table><tr><td>a<td>b<td>c<tr><td rowspan=2>Oslo<td colspan=2>{text}<tr><td>1<td>2</table>"
    assert texts(parsed(page, "a.html"))[0].split("\n")[1:] == [f"| Oslo | {text.strip()} |  |", "| Oslo | 1 | 2 |"]


def test_headings_of_rows_are_no_header() -> None:
    page = "<table><tr><th>A<th>B<tr><th scope=row rowspan=2>x<tr><td>1</table>"
    assert parsed(page, "a.html").blocks[0].header == "| A | B |"


def test_page_without_text_is_empty() -> None:
    assert refusal("<html><body><script>x()</script></body></html>", "a.html") == "empty: no text in it"
    assert refusal("<!doctype html><!-- -->", "a.html") == "empty: no text in it"
