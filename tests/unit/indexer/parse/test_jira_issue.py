import json
from typing import Any

import pytest

from domain.documents import BlockKind, PageMention, ParsedFile
from indexer.parse.formats import JIRA_ISSUE
from tests.fakes.atlassian import adf
from tests.unit.indexer.parse.parsing import of_kind, parsed, paths, refusal, shortened, texts

TYPE = next(iter(JIRA_ISSUE.media_types))


def bundle(**entries: Any) -> ParsedFile:
    return parsed(json.dumps(entries), "PAY-1.json", TYPE)


def test_facts_are_one_block_of_lines() -> None:
    found = bundle(title="PAY-1: It fails", facts=[["Type", "Bug"], ["Status", "To Do"], ["Due", ""], ["Odd"]])
    assert found.title == "PAY-1: It fails"
    assert texts(found) == ["Type: Bug\nStatus: To Do"]
    assert paths(found) == [()]


@pytest.mark.parametrize(
    "text",
    ["h2. Steps\n\nPress *it*, see [the page|https://a.example/x]", None],
    ids=["wiki markup", "document"],
)
def test_a_text_of_either_form_stands_under_its_heading(text: str | None) -> None:
    heading = {"type": "heading", "attrs": {"level": 2}, "content": [{"type": "text", "text": "Steps"}]}
    link = [{"type": "link", "attrs": {"href": "https://a.example/x"}}]
    paragraph = {
        "type": "paragraph",
        "content": [{"type": "text", "text": "Press it, see "}, {"type": "text", "text": "the page", "marks": link}],
    }
    document = text or {"type": "doc", "version": 1, "content": [heading, paragraph]}
    found = bundle(title="t", texts=[["Description", document], ["Risk", None], ["Empty", ""]])
    assert paths(found) == [("Description", "Steps")]
    assert texts(found) == ["Press it, see the page"]
    assert found.mentions.urls == ("https://a.example/x",)


def test_links_say_which_way_they_go() -> None:
    found = bundle(
        title="t",
        links=[["blocks", "PAY-2"], ["is blocked by", "NET-3"]],
        remote=[
            {"words": "mentioned in", "title": "Plan", "url": "https://c.example/wiki/spaces/ENG/pages/77/Plan"},
            {"words": "links to", "title": "Log", "summary": "of May", "url": "https://l.example/9"},
            {"words": "links to", "title": "", "url": "https://c.example/pages/viewpage.action?pageId=12"},
        ],
    )
    assert of_kind(found, BlockKind.LIST)[0].text.split("\n") == [
        "- blocks PAY-2",
        "- is blocked by NET-3",
        "- mentioned in Plan <https://c.example/wiki/spaces/ENG/pages/77/Plan>",
        "- links to Log: of May <https://l.example/9>",
        "- links to <https://c.example/pages/viewpage.action?pageId=12>",
    ]
    assert found.mentions.issues == ("PAY-2", "NET-3")
    assert found.mentions.pages == (PageMention(page_id="77", space="ENG"), PageMention(page_id="12"))
    assert len(found.mentions.urls) == 3


def test_history_is_told_in_short() -> None:
    change = {"at": "2026-01-05T08:00:00.000+0000", "by": "Ann Lee", "field": "resolution", "from": None, "to": "Done"}
    found = bundle(title="t", history=[change])
    assert (paths(found), texts(found)) == ([("History",)], ["- 2026-01-05 Ann Lee: resolution none → Done"])


def test_a_comment_begins_with_whose_it_is() -> None:
    said = [
        {"by": "Ann Lee", "at": "2026-01-05T08:00:00.000+0000", "text": "It is [~bob]'s"},
        {"by": "Bo Ek", "at": "2026-01-06T08:00:00.000+0000", "text": adf("No", "Yes")},
        {"by": "Cy", "at": "2026-01-07T08:00:00.000+0000", "text": ""},
    ]
    found = bundle(title="t", comments=said, people=["user:k1"], names={"bob": "Bob Vogel"})
    assert texts(found) == ["Ann Lee, 2026-01-05: It is Bob Vogel's", "Bo Ek, 2026-01-06: No", "Yes"]
    assert set(paths(found)) == {("Comments",)}
    assert found.mentions.people == ("bob", "user:k1")


def test_metadata() -> None:
    said = {"author": "Ann", "updated": "2026-01-05T08:00:00.000+0100", "space": "PAY", "labels": ["a", "b"]}
    assert bundle(title="t", metadata=said).metadata == {
        "labels": "a, b",
        "author": "Ann",
        "updated": "2026-01-05T08:00:00+01:00",
        "space": "PAY",
    }


@pytest.mark.parametrize("content", ["{", "[1]", '"x"', "[" * 100_000])
def test_what_is_no_bundle_is_refused(content: str) -> None:
    assert refusal(content, "x.json", TYPE)


def test_entries_of_the_wrong_form_are_left_out() -> None:
    odd: dict[str, Any] = {name: [1, None, {}, ["a"], {"text": 5}] for name in ("facts", "texts", "links", "comments")}
    assert bundle(title="t", metadata=[], people={}, remote="x", history=[{"by": 4}], **odd).title == "t"


def test_limits_hold_across_texts() -> None:
    long = json.dumps({"title": "t", "comments": [{"text": "word " * 50}] * 10})
    assert "more than 1,000" in shortened(long, "x", TYPE, output_characters=1000)


def test_neither_name_nor_content_make_another_format_of_it() -> None:
    assert parsed('{"title": "<html><body>"}', "page.html", TYPE).title == "<html><body>"
