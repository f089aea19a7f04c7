"""One page has one address, whichever way it is written."""

import pytest

from domain.knowledge_graph import LONGEST_NAME, EntityType, key, page_key, split_key
from domain.text.page_addresses import numbered, titled

WIKI = "https://acme.atlassian.net/wiki"


@pytest.mark.parametrize(
    "url",
    [
        f"{WIKI}/spaces/ENG/pages/123/Some+title",
        f"{WIKI}/spaces/ENG/pages/123",
        f"{WIKI}/spaces/ENG/pages/edit-v2/123?draft=1",
        f"{WIKI}/pages/viewpage.action?pageId=123&focusedCommentId=9#c",
        f"{WIKI}/spaces/ENG/blog/2026/01/31/123/News",
        "http://www.acme.atlassian.net:80/wiki/pages/viewpage.action?pageId=123",
        f"{WIKI}/x/ewAAAA",
        f"{WIKI}/x/ew",
    ],
)
def test_a_page_of_confluence_by_its_number(url: str) -> None:
    assert page_key(url) == "page:acme.atlassian.net/wiki/pages/123"


def test_a_page_of_confluence_by_its_title() -> None:
    by_title = "page:acme.atlassian.net/wiki/display/eng/on call"
    assert page_key(f"{WIKI}/display/ENG/On+call") == by_title
    assert page_key(f"{WIKI}/display/ENG/2026/03/01/On+call") == by_title
    assert page_key(f"{WIKI}/pages/viewpage.action?spaceKey=ENG&title=On%20call") == by_title
    assert key(EntityType.PAGE, titled(f"{WIKI}/spaces/ENG/pages/5/x", "ENG", "On  Call")) == by_title


def test_other_pages_of_the_same_confluence() -> None:
    assert numbered("https://wiki.acme.com/pages/viewpage.action?pageId=5", "77") == "wiki.acme.com/pages/77"
    assert numbered("https://acme.com/handbook", "77") == ""
    assert titled("https://acme.com/handbook", "ENG", "On call") == ""


def test_a_ticket_by_its_address() -> None:
    for url in ("/browse/pay-1?focusedCommentId=7", "/issues/PAY-1", "/jira/boards/3?selectedIssue=PAY-1"):
        assert page_key(f"https://acme.atlassian.net{url}") == "issue:PAY-1"


@pytest.mark.parametrize(
    ("url", "same"),
    [
        ("https://www.acme.com/a/index.html?utm_source=x#top", "http://acme.com/a"),
        ("https://acme.com/a?b=2&a=1", "https://acme.com/a/?a=1&b=2"),
        ("https://acme.com/a%20b", "https://acme.com/a b"),
        ("https://ACME.com", "https://acme.com/"),
    ],
)
def test_other_addresses(url: str, same: str) -> None:
    assert page_key(url) == page_key(same) != ""


@pytest.mark.parametrize(
    "url", ["mailto:a@b.example", "docs/a.md", "", "https://", "https://a:x/", "http://[::1", "#top"]
)
def test_what_is_none(url: str) -> None:
    assert page_key(url) == ""


def test_a_long_name_is_cut_and_told_apart() -> None:
    one, other = (key(EntityType.PAGE, "x" * 5000 + end) for end in "ab")
    assert one != other
    assert len(split_key(one)[1]) <= LONGEST_NAME
