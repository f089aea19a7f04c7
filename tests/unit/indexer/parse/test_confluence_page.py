"""Pages of Confluence as the connector bundles them."""

import json
from typing import Any

from domain.documents import PageMention
from tests.unit.indexer.parse.parsing import parsed, refusal

KIND = "application/vnd.kb-agent.confluence-page+json"


def bundle(value: str = "", comments: list[dict[str, str]] | None = None, **more: Any) -> str:
    body = {"representation": more.pop("representation", "storage"), "value": value}
    return json.dumps({"title": "A page", "body": body, "comments": comments or []} | more)


def said(value: str, **more: str) -> dict[str, str]:
    return {
        "representation": "storage",
        "value": value,
        "author": "Ann Lee",
        "date": "2026-01-05T08:00:00+00:00",
    } | more


def test_headings_of_the_page_end_where_the_comments_begin() -> None:
    file = parsed(bundle("<h1>One</h1><h2>Two</h2><p>Text.</p>", [said("<h1>Mine</h1><p>No.</p>")]), "1.json", KIND)
    assert [(each.heading_path, each.text) for each in file.blocks] == [
        (("One", "Two"), "Text."),
        (("Comments", "Ann Lee, 2026-01-05", "Mine"), "No."),
    ]


def test_mentions_of_body_and_comments_are_kept() -> None:
    link = '<p><ac:link><ri:page ri:content-title="Other" ri:space-key="ENG" /></ac:link></p>'
    person = '<p><ac:link><ri:user ri:account-id="1:2" /></ac:link></p>'
    file = parsed(bundle(link, [said(person)], names={"accountid:1:2": "Ada Lovelace"}), "1.json", KIND)
    mentions = file.mentions
    assert file.blocks[-1].text == "Ada Lovelace"
    assert mentions.pages == (PageMention("Other", "", "ENG"),)
    assert mentions.people == ("accountid:1:2",)


def test_what_a_page_says_of_itself() -> None:
    file = parsed(
        bundle("<p>x</p>", labels=["b", "a", "b"], author="Ann", updated="2026-01-05T08:00:00Z", space="ENG"), "1", KIND
    )
    assert file.title == "A page"
    assert file.metadata == {"labels": "b, a", "author": "Ann", "updated": "2026-01-05T08:00:00+00:00", "space": "ENG"}


def test_the_newer_format_is_read_too() -> None:
    value = {
        "type": "doc",
        "version": 1,
        "content": [{"type": "paragraph", "content": [{"type": "text", "text": "Hi"}]}],
    }
    file = parsed(bundle(json.dumps(value), representation="atlas_doc_format"), "1.json", KIND)
    assert [each.text for each in file.blocks] == ["Hi"]


def test_a_comment_without_author_and_date_stands_under_the_comments() -> None:
    file = parsed(bundle("", [{"representation": "storage", "value": "<p>Yes.</p>"}]), "1.json", KIND)
    assert [(each.heading_path, each.text) for each in file.blocks] == [(("Comments",), "Yes.")]


def test_a_page_may_be_empty() -> None:
    assert parsed(bundle(), "1.json", KIND).blocks == ()


def test_what_is_no_bundle_is_refused() -> None:
    assert refusal("{", "1.json", KIND) == "damaged JSON"
    assert refusal("[]", "1.json", KIND) == "damaged JSON"
    assert refusal("[" * 100_000, "1.json", KIND) == "nested too deeply"
    assert refusal(bundle("{", representation="atlas_doc_format"), "1.json", KIND) == "damaged document"
    assert parsed('{"title": "x", "body": 3, "comments": [4], "labels": 5}', "1.json", KIND).title == "x"
