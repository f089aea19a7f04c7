"""Pages in Confluence's storage format: their headings, lists, tables, links and images, and what they mention."""

import asyncio
import json
import re

import pytest

from domain.documents import BlockKind, Mentions, PageMention
from indexer.parse.formats import CONFLUENCE_PAGE
from indexer.parse.sandbox import SandboxedParser
from tests.unit.indexer.parse.parsing import of_kind, paths, texts, words
from tests.unit.indexer.parse.storage_pages import link, page, said

RUNBOOK = """\
<ac:layout><ac:layout-section ac:type="two_right_sidebar" ac:breakout-mode="default"><ac:layout-cell>
<h1>Payment gateway: failover</h1>
<p>This page tells the on-call engineer how to move traffic from <strong>Frankfurt</strong> to <em>Dublin</em>.
It was last rehearsed on <time datetime="2026-03-12" />&nbsp;by <ac:link><ri:user
ri:account-id="557058:f58131cb-b67d-43c7-b30d-6b58d40bd077" /></ac:link>.</p>
<ac:structured-macro ac:name="warning" ac:schema-version="1" ac:macro-id="5d1c"><ac:parameter
ac:name="title">Before you start</ac:parameter><ac:rich-text-body><p>Tell the <ac:link><ri:page
ri:space-key="FIN" ri:content-title="Treasury &amp; settlement desk" /></ac:link> first.</p>
<ul><li><p>Settlement files go out at 18:00.</p></li><li>Refunds stop for about 4 minutes.</li></ul>
</ac:rich-text-body></ac:structured-macro>
<h2>Steps</h2>
<ol start="1"><li><p>Drain the queue:</p><ac:structured-macro ac:name="code"><ac:parameter
ac:name="language">bash</ac:parameter><ac:plain-text-body><![CDATA[gatewayctl drain --region eu-west && echo "done"]]>
</ac:plain-text-body></ac:structured-macro></li>
<li><p>Switch DNS<br />and wait.</p><ul><li>TTL is 60&#160;s</li><li>Check with <code>dig +short</code></li></ul></li>
<li>Post in <a href="https://chat.example/c/payments">#payments</a></li></ol>
<h2>Who decides</h2>
<table class="wrapped"><colgroup><col /><col /><col /></colgroup><tbody>
<tr><th>Role</th><th>Name</th><th>Phone</th></tr>
<tr><td rowspan="2">Duty manager</td><td>Ada Ortega</td><td>7001</td></tr>
<tr><td>Bo Lindqvist</td><td>7002</td></tr>
<tr><td>Vendor</td><td colspan="2">see <ac:link><ri:attachment ri:filename="contacts 2026.pdf" /></ac:link></td></tr>
</tbody></table>
</ac:layout-cell><ac:layout-cell>
<p><ac:structured-macro ac:name="toc" /></p>
<p>State: <ac:structured-macro ac:name="status"><ac:parameter ac:name="colour">Green</ac:parameter><ac:parameter
ac:name="title">Rehearsed</ac:parameter></ac:structured-macro> <ac:emoticon ac:name="tick" /></p>
<p>Tracked in <ac:structured-macro ac:name="jira"><ac:parameter ac:name="server">Jira</ac:parameter><ac:parameter
ac:name="key">PAY-417</ac:parameter></ac:structured-macro>.</p>
</ac:layout-cell></ac:layout-section><ac:layout-section ac:type="single"><ac:layout-cell>
<h2>After the switch</h2>
<ac:task-list><ac:task><ac:task-id>1</ac:task-id><ac:task-status>complete</ac:task-status><ac:task-body>Write to
customers</ac:task-body></ac:task><ac:task><ac:task-id>2</ac:task-id><ac:task-status>incomplete</ac:task-status>
<ac:task-body>Switch back</ac:task-body></ac:task></ac:task-list>
<ac:structured-macro ac:name="expand"><ac:parameter ac:name="title">Why not automatic?</ac:parameter>
<ac:rich-text-body><p>Because of split brain.</p></ac:rich-text-body></ac:structured-macro>
<ac:structured-macro ac:name="excerpt-include"><ac:parameter ac:name=""><ac:link><ri:page ri:space-key="SEC"
ri:content-title="Key ceremony" /></ac:link></ac:parameter></ac:structured-macro>
<p><ac:image ac:alt="Traffic before and after"><ri:attachment ri:filename="traffic.png" /></ac:image></p>
</ac:layout-cell></ac:layout-section></ac:layout>
"""


def test_every_word_of_a_whole_page_is_kept() -> None:
    without_parameters = re.sub(r'<ac:parameter\s+ac:name="(?!title|key).*?</ac:parameter>', "", RUNBOOK)
    hidden = re.sub(r"<ac:task-(id|status)>.*?</ac:task-\1>", "", without_parameters)
    visible = re.sub(r"<(?!!)[^<>]*>|<!\[CDATA\[|\]\]>|&\w+;|&#\d+;", " ", hidden)
    assert set(re.findall(r"\w+", visible)) <= words(page(RUNBOOK))


def test_structure_of_a_whole_page() -> None:
    file = page(RUNBOOK)
    assert file.title == ""
    top = "Payment gateway: failover"
    assert paths(file)[0] == (top,)
    assert [(block.kind, block.heading_path[1:]) for block in file.blocks] == [
        (BlockKind.PROSE, ()),
        (BlockKind.PROSE, ()),
        (BlockKind.PROSE, ()),
        (BlockKind.LIST, ()),
        (BlockKind.LIST, ("Steps",)),
        (BlockKind.TABLE, ("Who decides",)),
        (BlockKind.PROSE, ("Who decides",)),
        (BlockKind.PROSE, ("Who decides",)),
        (BlockKind.LIST, ("After the switch",)),
        (BlockKind.PROSE, ("After the switch", "Why not automatic?")),
        (BlockKind.PROSE, ("After the switch",)),
        (BlockKind.PROSE, ("After the switch",)),
    ]
    assert texts(file)[0].endswith("on 2026-03-12 by someone.")
    assert texts(file)[6:8] == ["State: Rehearsed :tick:", "Tracked in PAY-417."]


def test_mentions_of_a_whole_page() -> None:
    assert page(RUNBOOK).mentions == Mentions(
        pages=(
            PageMention("Treasury & settlement desk", space="FIN"),
            PageMention("Key ceremony", space="SEC", included=True),
        ),
        issues=("PAY-417",),
        urls=("https://chat.example/c/payments",),
        attachments=("contacts 2026.pdf", "traffic.png"),
        people=("accountid:557058:f58131cb-b67d-43c7-b30d-6b58d40bd077",),
        anchors=("#payments",),
    )


def test_no_block_claims_lines_that_no_reader_sees() -> None:
    assert {block.span.first_line for block in page(RUNBOOK).blocks} == {0}


def test_lists_keep_numbers_and_nesting() -> None:
    steps = of_kind(page(RUNBOOK), BlockKind.LIST)[1].text.split("\n")
    assert steps == [
        "1. Drain the queue:",
        '  gatewayctl drain --region eu-west && echo "done"',
        "2. Switch DNS",
        "  and wait.",
        "  - TTL is 60 s",
        "  - Check with dig +short",
        "3. Post in #payments",
    ]


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


def test_a_task_that_is_said_to_be_incomplete_is_open() -> None:
    assert "- [x] Write to customers\n- [ ] Switch back" in said(RUNBOOK)


def test_merged_cells_are_in_every_place_they_cover() -> None:
    table = of_kind(page(RUNBOOK), BlockKind.TABLE)[0]
    assert table.header == "| Role | Name | Phone |"
    assert table.text.split("\n")[1:] == [
        "| Duty manager | Ada Ortega | 7001 |",
        "| Duty manager | Bo Lindqvist | 7002 |",
        "| Vendor | see contacts 2026.pdf | see contacts 2026.pdf |",
    ]


def test_header_column_is_no_header_row() -> None:
    source = "<table><tr><th>A</th><td>1</td></tr><tr><th>B</th><td>2</td></tr></table>"
    block = page(source).blocks[0]
    assert (block.header, block.text) == ("", "| A | 1 |\n| B | 2 |")


def test_tables_that_arrange_a_page_are_opened() -> None:
    source = "<table><tr><td><h2>Left</h2><p>one</p></td><td><table><tr><td>a</td><td>b</td></tr></table></td></tr>"
    assert said(source) == ["one", "| a | b |"]


def test_text_in_a_table_and_outside_its_cells_is_kept() -> None:
    source = "<table><caption>Cap</caption>loose<tbody>more<tr>most<td>a</td><td>b</td></tr></tbody></table>"
    assert said(source) == ["Cap", "loose", "more", "most", "| a | b |"]


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


def test_emoticons() -> None:
    cloud = '<ac:emoticon ac:name="blue-star" ac:emoji-shortname=":smile:" ac:emoji-fallback="😄" />'
    assert said(f'<p>{cloud} <ac:emoticon ac:name="cross" /> <ac:emoticon /> end</p>') == ["😄 :cross: end"]


def test_dates() -> None:
    assert said('<p><time datetime="2026-02-03" /> to <time>4 May</time></p>') == ["2026-02-03 to 4 May"]


def test_nodes_of_the_cloud_editor() -> None:
    attribute = '<ac:adf-attribute key="panel-type">note</ac:adf-attribute>'
    content = "<ac:adf-content><p>Real</p></ac:adf-content>"
    fallback = "<ac:adf-fallback><div><p>Copy</p></div></ac:adf-fallback>"
    node = f'<ac:adf-node type="panel">{attribute}{content}</ac:adf-node>'
    assert said(f"<ac:adf-extension>{node}{fallback}</ac:adf-extension>") == ["Note: Real"]
    empty = '<ac:adf-node type="decision-list"></ac:adf-node>'
    assert said(f"<ac:adf-extension>{empty}{fallback}</ac:adf-extension>") == ["Copy"]


async def test_read_in_a_child_process_with_all_mentions() -> None:
    bundle = json.dumps({"body": {"representation": "storage", "value": RUNBOOK}}).encode()
    (media_type,) = CONFLUENCE_PAGE.media_types
    async with asyncio.timeout(60), SandboxedParser() as pool:
        assert await pool.parse(bundle, "page", media_type) == page(RUNBOOK)
