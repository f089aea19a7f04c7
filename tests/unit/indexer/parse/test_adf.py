"""Descriptions in Atlassian's document format: their structure, their words and whom and what they mention."""

import asyncio
import json
import re

import pytest

from domain.documents import Block, BlockKind, Mentions, PageMention
from indexer.parse.adf import add_fragment
from indexer.parse.formats import JIRA_ISSUE
from indexer.parse.limits import ParseLimits
from indexer.parse.mentions import MentionCollector
from indexer.parse.outline import Outline
from indexer.parse.sandbox import SandboxedParser
from tests.unit.indexer.parse.adf_nodes import Json, cell, doc, head, issue, item, mark, node, p, row, said, text
from tests.unit.indexer.parse.parsing import paths, texts, words

BUG = (
    node("heading", text("Steps to reproduce"), level=2),
    node(
        "orderedList",
        item("Open the basket with more than 99 items."),
        item(
            p("Choose ", text("Express", mark("strong")), " delivery."),
            node(
                "bulletList", item("on iOS 19"), item("on Android 16", node("codeBlock", text("adb shell\n  logcat")))
            ),
        ),
        item(
            p("See ", text("the trace", mark("link", href="https://trace.example/a_b?c=1")), node("hardBreak"), "now")
        ),
        order=3,
    ),
    node("panel", p("Only in production."), p("Since build 4711."), panelType="error"),
    node("heading", text("Impact"), level=2),
    node(
        "table",
        row(head("Market"), head("Orders lost", colspan=2)),
        row(cell("Nordics", rowspan=2), cell("Monday"), cell("41")),
        row(cell("Tuesday"), cell(node("bulletList", item("17"), item("estimated")))),
    ),
    node(
        "expand",
        p("java.lang.IllegalStateException"),
        node("codeBlock", text("at a.B.c"), language="java"),
        title="Log",
    ),
    p(
        node("mention", id="5b10ac8d82e05b22cc7d4ef5", text="@Ada Ortega"),
        " decides by ",
        node("date", timestamp="1767225600000"),
        " ",
        node("status", text="BLOCKED", color="red"),
        " ",
        node("emoji", shortName=":warning:", id="26a0"),
    ),
    node(
        "mediaSingle", node("media", type="file", id="f-1", alt="Basket on iOS"), node("caption", text("Badge is gone"))
    ),
    node("blockCard", url="https://site.example/browse/SHOP-88"),
)


def test_structure_of_a_whole_description() -> None:
    steps, impact = ("Steps to reproduce",), ("Impact",)
    assert [(block.kind, block.heading_path, block.text) for block in issue(*BUG).blocks] == [
        (
            BlockKind.LIST,
            steps,
            (
                "3. Open the basket with more than 99 items.\n4. Choose Express delivery.\n  - on iOS 19\n"
                "  - on Android 16\n    adb shell\n      logcat\n5. See the trace\n  now"
            ),
        ),
        (BlockKind.PROSE, steps, "Error: Only in production."),
        (BlockKind.PROSE, steps, "Since build 4711."),
        (
            BlockKind.TABLE,
            impact,
            (
                "| Market | Orders lost | Orders lost |\n| Nordics | Monday | 41 |\n"
                "| Nordics | Tuesday | - 17 - estimated |"
            ),
        ),
        (BlockKind.PROSE, (*impact, "Log"), "java.lang.IllegalStateException"),
        (BlockKind.CODE, (*impact, "Log"), "at a.B.c"),
        (BlockKind.PROSE, impact, "Ada Ortega decides by 2026-01-01 BLOCKED :warning:"),
        (BlockKind.PROSE, impact, "Basket on iOS"),
        (BlockKind.PROSE, impact, "Badge is gone"),
        (BlockKind.PROSE, impact, "https://site.example/browse/SHOP-88"),
    ]


def test_every_text_of_a_whole_description_is_kept() -> None:
    found = re.findall(r'"text": "((?:[^"\\]|\\.)*)"', json.dumps(doc(*BUG), ensure_ascii=False))
    assert {word for each in found for word in re.findall(r"\w+", json.loads(f'"{each}"'))} <= words(issue(*BUG))


def test_mentions_of_a_whole_description() -> None:
    assert issue(*BUG).mentions == Mentions(
        urls=("https://trace.example/a_b?c=1", "https://site.example/browse/SHOP-88"),
        people=("accountid:5b10ac8d82e05b22cc7d4ef5",),
        called=("Ada Ortega",),
        anchors=("the trace", ""),
    )


def test_headings_have_a_level_from_one_to_six() -> None:
    levels: list[object] = [1, 3, "6", 99, None]
    source = [each for level in levels for each in (node("heading", text(f"H{level}"), level=level), p("x"))]
    assert paths(issue(*source)) == [("H1",), ("H1", "H3"), ("H1", "H3", "H6"), ("H1", "H3", "H99"), ("HNone",)]


def test_marks_leave_no_trace_but_the_target_of_a_link() -> None:
    kinds = ["em", "strong", "strike", "underline", "code", "subsup", "textColor", "annotation", "backgroundColor"]
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


def test_code_keeps_its_lines_and_names_its_language() -> None:
    block = issue(node("codeBlock", text("if a:\n"), text("\tb <c>"), language="python")).blocks[0]
    assert block == Block(BlockKind.CODE, "if a:\n\tb <c>", header="Code (python)")


@pytest.mark.parametrize(
    ("kind", "label"),
    [("info", "Info: "), ("note", "Note: "), ("tip", "Tip: "), ("success", "Success: "), ("custom", ""), ("", "")],
)
def test_panels_say_what_they_are(kind: str, label: str) -> None:
    assert said(node("panel", p("x"), panelType=kind)) == [f"{label}x"]


def test_expands_stand_under_their_title_and_inside_a_cell_behind_it() -> None:
    fold = node("nestedExpand", p("inner"), title="Fold")
    assert paths(issue(node("expand", fold, p("x"), title="Outer"))) == [("Outer", "Fold"), ("Outer",)]
    assert said(node("table", row(cell("a"), cell(fold)))) == ["| a | Fold inner |"]


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


def test_media() -> None:
    file = issue(
        node("mediaGroup", node("media", type="file", id="f1", __fileName="log.txt")),
        node("mediaSingle", node("media", type="external", url="https://a.example/x.png", alt="Chart")),
        p("a ", node("mediaInline", id="f2", alt="Icon"), " b"),
    )
    assert texts(file) == ["log.txt", "Chart", "a Icon b"]
    assert file.mentions == Mentions(urls=("https://a.example/x.png",), attachments=("log.txt",))


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


async def test_read_in_a_child_process_with_all_mentions() -> None:
    bundle = json.dumps({"texts": [["", doc(*BUG)]]}).encode()
    (media_type,) = JIRA_ISSUE.media_types
    async with asyncio.timeout(60), SandboxedParser() as pool:
        assert await pool.parse(bundle, "d", media_type) == issue(*BUG)
