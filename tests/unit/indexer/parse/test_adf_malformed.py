"""Documents in Atlassian's format that are unknown, malformed or too large keep what text they can, in time."""

import json
import time

import pytest

from indexer.parse.limits import ParseLimits
from tests.fakes.atlassian.markup import ADF, read_adf
from tests.unit.indexer.parse.adf_nodes import Json, cell, doc, issue, node, p, row, text
from tests.unit.indexer.parse.parsing import parsed, refusal, shortened, texts, words


def test_what_confluence_could_not_convert_is_in_its_storage_format() -> None:
    file = issue(node("confluenceUnsupportedBlock", cxhtml="<p>a <strong>b</strong></p><ul><li>c</li></ul>"))
    assert texts(file) == ["a b", "- c"]
    key = node("confluenceJiraIssue", issueKey="OPS-3")
    assert issue(p(key)).mentions.issues == ("OPS-3",)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (["a", "b"], ["ab"]),
        ("only text", ["only text"]),
        (doc(node("sticker", text("x"), title="Shown")), ["Shown", "x"]),
        (doc(node("codeBlock", text("a"), node("hardBreak"), node("status", text="b"))), ["a\nb"]),
        (doc(node("heading", level=1), p("x")), ["x"]),
        (doc({"type": "mention", "attrs": {"text": ["x"], "id": {"a": 1}}}, p("x")), ["x"]),
    ],
)
def test_malformed_documents_keep_their_text(value: object, expected: list[str]) -> None:
    assert [block.text for block in read_adf(value).blocks] == expected


@pytest.mark.parametrize("raw", ["{}", "[]", "null", "3", "true", '{"type":"doc","version":1,"content":[]}'])
def test_document_without_text_is_empty(raw: str) -> None:
    assert refusal(raw, "d", ADF) == "empty: no text in it"


def nested(kind: str, depth: int) -> Json:
    made = text("deep")
    for _ in range(depth):
        made = node(kind, made, title="t")
    return made


@pytest.mark.check
@pytest.mark.parametrize("kind", ["panel", "bulletList", "listItem", "table", "paragraph", "new"])
@pytest.mark.parametrize("depth", [101, 10_000])
def test_deep_nesting_keeps_its_text_in_time(kind: str, depth: int) -> None:
    began = time.process_time()
    file = read_adf(doc(nested(kind, depth), p("after")))
    assert {"deep", "after"} <= words(file)
    assert time.process_time() - began < 10


@pytest.mark.check
def test_objects_that_contain_themselves_end() -> None:
    loop: Json = {"type": "panel"}
    loop["content"] = [text("round "), loop]
    assert "round" in words(read_adf(loop))
    loop["content"] = [loop, loop]
    loop["content"].insert(0, text("round "))
    file = read_adf(loop, ParseLimits(nodes=20_000))
    assert file.metadata["cut"] == "more than 20,000 nodes"
    assert "round" in words(file)


def test_big_table_in_time() -> None:
    rows = [row(cell("a", rowspan=2), cell("b"), cell("c", colspan=9)) for _ in range(2_000)]
    began = time.process_time()
    assert issue(node("table", *rows)).blocks[0].text.count("\n") == 1_999
    assert time.process_time() - began < 3  # a fifth of that; the rest is for busy machines


def test_limits_hold() -> None:
    table = json.dumps(doc(node("table", *[row(cell("a"), cell("b"))] * 2_000)))
    assert shortened(table, "d", ADF, table_rows=1_000) == "a table of more than 1,000 rows"
    assert shortened(json.dumps(doc(*[p("word")] * 2_000)), "d", ADF, output_characters=1_000).startswith("more than")


def test_half_surrogates_and_controls_are_left_out() -> None:
    assert texts(parsed('{"type":"paragraph","content":[{"type":"text","text":"a\\ud800\\u0000b"}]}', "d", ADF)) == [
        "ab"
    ]
