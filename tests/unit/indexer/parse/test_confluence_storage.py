"""Pages in Confluence's storage format: their headings, lists, tables, links and images, and what they mention."""

import pytest

from domain.documents import Mentions, PageMention
from tests.unit.indexer.parse.parsing import paths, texts
from tests.unit.indexer.parse.storage_pages import link, page, said


def test_list_directly_inside_a_list_and_loose_text() -> None:
    assert said('<ul><li>a</li><ul><li>b</li></ul>stray</ul><ol start="7"><li>c</li></ol>') == [
        "- a\n  - b\nstray",
        "7. c",
    ]


def test_headings_of_all_levels() -> None:
    source = "".join(f"<h{level}>H{level}</h{level}><p>x</p>" for level in range(1, 7))
    assert paths(page(source))[-1] == ("H1", "H2", "H3", "H4", "H5", "H6")


def test_task_lists_tell_what_is_done_and_nest() -> None:
    inner = "<ac:task-list><ac:task><ac:task-body>inner</ac:task-body></ac:task></ac:task-list>"
    done = "<ac:task-id>7</ac:task-id><ac:task-uuid>u</ac:task-uuid><ac:task-status>complete</ac:task-status>"
    source = f"<ac:task-list><ac:task>{done}<ac:task-body>outer {inner}</ac:task-body></ac:task></ac:task-list>"
    assert said(source) == ["- [x] outer\n  - [ ] inner"]


def test_a_cell_that_covers_three_rows_ends_with_the_third() -> None:
    rows = (
        "<tr><td rowspan='3'>a</td><td>1</td></tr><tr><td>2</td></tr><tr><td>3</td></tr><tr><td>b</td><td>4</td></tr>"
    )
    assert said(f"<table><tbody>{rows}</tbody></table>") == ["| a | 1 |\n| a | 2 |\n| a | 3 |\n| b | 4 |"]


def test_text_in_a_table_and_outside_its_cells_is_kept() -> None:
    source = "<table><caption>Cap</caption>loose<tbody>more<tr>most<td>a</td><td>b</td></tr></tbody></table>"
    assert said(source) == ["Cap", "loose", "more", "most", "| a | b |"]


def test_tables_with_headings_hold_data_whatever_is_in_their_cells() -> None:
    rows = (
        "<tr><td><h4>Guest</h4></td><td>no</td></tr><tr><td>Admin</td><td><p>yes</p><h4>Since</h4><p>2020</p></td></tr>"
    )
    source = f"<h2>Who</h2><table><tbody><tr><th>Role</th><th>Deploy</th></tr>{rows}</tbody></table><p>Ask.</p>"
    assert said(source) == ["| Role | Deploy |\n| Guest | no |\n| Admin | yes Since 2020 |", "Ask."]


def test_headings_within_a_table_for_layout_end_with_it() -> None:
    source = "<h2>A</h2><p>x</p><table><tbody><tr><td><h2>B</h2></td><td>y</td></tr></tbody></table><p>z</p>"
    assert paths(page(source)) == [("A",), ("A", "B"), ("A",)]


@pytest.mark.parametrize("cells", ["<td><h2>B</h2></td>", "<td>y</td><td><h2>B</h2></td>"])
def test_a_heading_that_a_table_ends_with_or_that_is_framed_is_that_of_the_text_below(cells: str) -> None:
    source = f"<h2>A</h2><p>x</p><table><tbody><tr>{cells}</tr></tbody></table><p>z</p>"
    assert paths(page(source))[-1] == ("B",)


def test_links_to_pages_have_their_text_or_the_title() -> None:
    target = '<ri:page ri:content-title="Run &quot;book&quot;" ri:space-key="OPS" />'
    assert said(link(target)) == ['Run "book"']
    assert said(link(target, "<ac:plain-text-link-body><![CDATA[the <book>]]></ac:plain-text-link-body>")) == [
        "the <book>"
    ]
    assert said(link(target, "<ac:link-body>rich <em>text</em></ac:link-body>")) == ["rich text"]
    assert page(link(target)).mentions.pages == (PageMention('Run "book"', space="OPS"),)


def test_other_links() -> None:
    assert page(link('<ri:blog-post ri:content-title="News" ri:posting-day="2026/01/02" />')).mentions.pages == (
        PageMention("News"),
    )
    assert page(
        link('<ri:content-entity ri:content-id="98765" />', "<ac:link-body>x</ac:link-body>")
    ).mentions.pages == (PageMention(page_id="98765"),)
    assert said('<p><ac:link ac:anchor="below"></ac:link></p>') == ["below"]
    assert said(link('<ri:space ri:space-key="OPS" />')) == ["OPS"]


def test_attachment_of_another_page() -> None:
    inside = '<ri:attachment ri:filename="a b.xlsx"><ri:page ri:content-title="Budget" /></ri:attachment>'
    file = page(link(inside))
    assert texts(file) == ["a b.xlsx"]
    assert file.mentions == Mentions(pages=(PageMention("Budget"),), attachments=("a b.xlsx",))


@pytest.mark.parametrize(
    ("attribute", "person", "said"),
    [
        ('ri:account-id="5b10:a-1"', "accountid:5b10:a-1", "someone"),
        ('ri:userkey="8a7f808b"', "user:8a7f808b", "someone"),
        ('ri:username="jdoe"', "jdoe", "jdoe"),
    ],
)
def test_people_whose_name_is_not_told_are_no_ids_in_the_text(attribute: str, person: str, said: str) -> None:
    file = page(f"<p>Ask {link(f'<ri:user {attribute} />')[3:-4]} now</p>")
    assert texts(file) == [f"Ask {said} now"]
    assert file.mentions.people == (person,)


def test_plain_links_note_their_target() -> None:
    source = '<p><a href="https://a.example/?x=1&amp;y=2">text</a> <a href="#top">up</a> <a href="/wiki/x"></a></p>'
    file = page(source)
    assert texts(file) == ["text up /wiki/x"]
    assert file.mentions.urls == ("https://a.example/?x=1&y=2", "/wiki/x")


def test_link_around_blocks() -> None:
    file = page('<a href="https://a.example"><p>one</p><p>two</p></a>')
    assert (texts(file), file.mentions.urls) == (["one", "two"], ("https://a.example",))


def test_images_are_what_is_said_of_them() -> None:
    file_name = '<ri:attachment ri:filename="net.png" />'
    assert said(f"<p>a<ac:image>{file_name}</ac:image>b</p>") == ["a net.png b"]
    caption = "<ac:caption><p>The <b>net</b></p></ac:caption>"
    assert said(f'<ac:image ac:alt="Plan">{file_name}{caption}</ac:image>') == ["Plan\nThe net"]
    file = page('<ac:image><ri:url ri:value="https://a.example/x.png" /></ac:image>')
    assert (texts(file), file.mentions.urls) == (["https://a.example/x.png"], ("https://a.example/x.png",))


def test_dates() -> None:
    assert said('<p><time datetime="2026-02-03" /> to <time>4 May</time></p>') == ["2026-02-03 to 4 May"]
