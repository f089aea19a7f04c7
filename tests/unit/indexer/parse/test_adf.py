"""Descriptions in Atlassian's document format: their structure, their words and whom and what they mention."""

import pytest

from domain.documents import Mentions, PageMention
from indexer.parse.adf import add_fragment
from indexer.parse.limits import ParseLimits
from indexer.parse.mentions import MentionCollector
from indexer.parse.outline import Outline
from tests.unit.indexer.parse.adf_nodes import Json, cell, doc, issue, item, mark, node, p, row, said, text
from tests.unit.indexer.parse.parsing import paths, texts


def test_headings_have_a_level_from_one_to_six() -> None:
    levels: list[object] = [1, 3, "6", 99, None]
    source = [each for level in levels for each in (node("heading", text(f"H{level}"), level=level), p("x"))]
    assert paths(issue(*source)) == [("H1",), ("H1", "H3"), ("H1", "H3", "H6"), ("H1", "H3", "H99"), ("HNone",)]


def test_marks_leave_no_trace_but_the_target_of_a_link() -> None:
    kinds = ["em", "strong", "underline", "code", "subsup", "textColor", "annotation", "backgroundColor"]
    file = issue(p(text("f(x) ", *(mark(kind) for kind in kinds)), text("docs", mark("link", href="/wiki/x"))))
    assert (texts(file), file.mentions.urls) == (["f(x) docs"], ("/wiki/x",))


def test_links_within_confluence_say_which_page() -> None:
    page = {"linkType": "page", "contentTitle": "On call", "spaceKey": "OPS", "contentId": "98"}
    mentions = issue(p(text("rota", mark("link", href="/wiki/x/98", __confluenceMetadata=page)))).mentions
    assert (mentions.pages, mentions.urls) == ((PageMention("On call", "98", "OPS"),), ("/wiki/x/98",))


def test_list_inside_a_list_without_an_item() -> None:
    assert said(node("bulletList", item("a"), node("bulletList", item("b")))) == ["- a\n  - b"]


def test_tasks_and_decisions() -> None:
    tasks = node(
        "taskList",
        node("taskItem", text("done"), state="DONE"),
        node("taskList", node("taskItem", text("inner"), state="TODO")),
        node("blockTaskItem", p("block"), state="TODO"),
    )
    decisions = node("decisionList", node("decisionItem", text("We use "), text("SEPA"), state="DECIDED"))
    assert said(tasks, decisions) == ["- [x] done\n  - [ ] inner\n- [ ] block", "- Decision: We use SEPA"]


def test_layouts_quotes_and_synchronised_blocks_are_transparent() -> None:
    layout = node("layoutSection", node("layoutColumn", p("a"), width=50), node("layoutColumn", p("b")))
    copied = node("bodiedSyncBlock", p("d"), resourceId="r")
    elsewhere = node("syncBlock", resourceId="r")
    assert said(layout, node("blockquote", p("c")), node("rule"), copied, elsewhere) == ["a", "b", "c", "d"]


def test_people_without_a_name_are_someone_and_never_an_id() -> None:
    nameless: list[Json | str] = [
        node("mention", id="712020:a-b"),
        " or ",
        node("mention", id="9:x", text="@9:x"),
        node("mention", id=""),
    ]
    file = issue(p("ask ", *nameless))
    assert texts(file) == ["ask someone or someone"]
    assert file.mentions == Mentions(people=("accountid:712020:a-b", "accountid:9:x"))


def test_the_name_that_the_site_tells_outranks_the_one_in_the_document() -> None:
    out, mentioned = Outline(ParseLimits()), MentionCollector({"accountid:1:a": "Ada Lovelace"})
    add_fragment(
        out,
        doc(p(node("mention", id="1:a", text="@Ada King"), " or ", node("mention", id="2:b", text="@Bo"))),
        mentioned,
    )
    assert [block.text for block in out.finish().blocks] == ["Ada Lovelace or Bo"]
    assert mentioned.all().called == ("Ada Lovelace", "Bo")


@pytest.mark.parametrize(
    ("timestamp", "expected"),
    [
        ("1772323200000", "2026-03-01"),
        (1772323200000, "2026-03-01"),
        ("-1", "1969-12-31"),
        ("soon", "soon"),
        ("9" * 99, "9" * 99),
        ("nan", "nan"),
    ],
)
def test_dates(timestamp: object, expected: str) -> None:
    assert said(p(node("date", timestamp=timestamp))) == [expected]


def test_emoji_are_their_text_or_name() -> None:
    emoji = node("emoji", shortName=":grin:", text="😀"), text(" "), node("emoji", shortName=":custom:")
    assert said(p(*emoji)) == ["😀 :custom:"]


def test_cards() -> None:
    jql = {"id": "d", "parameters": {"cloudId": "c", "jql": "parent = SHOP-7"}, "views": []}
    source = [
        p("see ", node("inlineCard", url="https://a.example/1"), " and ", node("inlineCard", data={"name": "Plan"})),
        node("embedCard", url="https://a.example/2", layout="wide"),
        node("blockCard", datasource=jql, url="https://a.example/3"),
    ]
    file = issue(*source)
    assert texts(file) == [
        "see https://a.example/1 and Plan",
        "https://a.example/2",
        "Jira: parent = SHOP-7 https://a.example/3",
    ]
    assert file.mentions.urls == ("https://a.example/1", "https://a.example/2", "https://a.example/3")
    assert file.mentions.issues == ("SHOP-7",)


def extension(kind: str, name: str, /, *content: Json, **parameters: object) -> Json:
    macro = {name: {"value": value} for name, value in parameters.items()}
    return node(kind, *content, extensionKey=name, extensionType="com.example", parameters={"macroParams": macro})


def test_extensions_keep_name_title_and_body() -> None:
    assert said(extension("extension", "drawio", diagramName="Plan")) == ["drawio: Plan"]
    assert said(extension("bodiedExtension", "roadmap", p("a"), p("b"), title="2027")) == ["roadmap: 2027", "a", "b"]
    assert said(p("x ", extension("inlineExtension", "counter", title="Days"), " y")) == ["x counter: Days y"]
    assert said(node("extension", extensionKey="k", text="Shown", parameters={"title": "T"})) == ["k: T Shown"]
    app = node("extension", extensionKey="0a/1b/static/Poll", parameters={"extensionTitle": "Lunch"})
    assert said(app) == ["poll: Lunch"]
    frames = node("extensionFrame", p("one")), node("extensionFrame", p("two"))
    assert said(extension("multiBodiedExtension", "tabs", *frames)) == ["tabs", "one", "two"]


def test_extensions_that_are_known_macros() -> None:
    assert said(extension("bodiedExtension", "warning", p("x"))) == ["Warning: x"]
    assert said(extension("bodiedExtension", "excerpt", p("x"))) == ["x"]
    assert paths(issue(extension("bodiedExtension", "expand", p("x"), title="T"))) == [("T",)]
    assert said(p("a"), extension("extension", "toc", maxLevel="3"), p("b")) == ["a", "b"]
    file = issue(extension("extension", "jira", key="OPS-9"))
    assert (texts(file), file.mentions.issues) == (["OPS-9"], ("OPS-9",))


def test_included_pages_are_named_and_not_read() -> None:
    file = issue(extension("extension", "excerpt-include", p("Never shown"), **{"": "HR:Salary bands", "name": "e"}))
    assert texts(file) == ["Included page: HR:Salary bands"]
    assert file.mentions.pages == (PageMention("Salary bands", space="HR", included=True),)


def test_table_without_header_and_table_for_layout() -> None:
    assert issue(node("table", row(cell("a"), cell("b")), row(cell("c"), cell("d")))).blocks[0].header == ""
    assert said(node("table", row(cell(node("heading", text("H"), level=1), "x"), cell("y")))) == ["x", "y"]
    assert said(node("table", row(cell("a", "b")), row(cell("c")))) == ["a", "b", "c"]
