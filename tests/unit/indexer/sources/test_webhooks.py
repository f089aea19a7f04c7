"""What is taken from webhooks: that they are signed, and ids."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.sources.atlassian.webhook_body import MAX_DOCUMENTS
from indexer.sources.confluence.webhook import WEBHOOK as PAGES
from indexer.sources.jira.webhook import WEBHOOK as ISSUES
from indexer.sources.webhooks import delivery_id, signed
from tests.attacks.requests_http import BODY, SECRET, sign


def test_a_body_is_signed_by_who_knows_the_secret() -> None:
    assert signed(SECRET, sign(), BODY)
    assert signed(SECRET, sign(b""), b"")


def test_the_documented_example() -> None:
    signature = "sha256=a4771c39fbe90f317c7824e83ddef3caae9cb3d976c214ace1f2937e133263c9"
    assert signed("It's a Secret to Everybody", signature, b"Hello World!")


def test_nothing_is_signed_without_a_secret() -> None:
    assert not signed("", sign(secret=""), BODY)


def test_a_delivery_is_known_by_its_identifier_or_its_body() -> None:
    assert delivery_id("abc-1", BODY) == delivery_id("abc-1", b"other") == "abc-1"
    assert delivery_id(None, BODY) == delivery_id("", BODY) == delivery_id("x" * 101, BODY) != delivery_id(None, b"")


ISSUE = {"id": "10001", "key": "PAY-8", "fields": {"summary": "Refund"}}


@pytest.mark.parametrize(
    ("body", "ids"),
    [
        ({"webhookEvent": "jira:issue_created", "issue": ISSUE}, ["issue:10001"]),
        ({"webhookEvent": "jira:issue_updated", "issue": ISSUE, "changelog": {"id": "7"}}, ["issue:10001"]),
        ({"webhookEvent": "jira:issue_deleted", "issue": ISSUE}, []),
        (
            {"webhookEvent": "comment_created", "issue": ISSUE, "comment": {"id": "10500"}},
            ["issue:10001", "comment:10001/10500"],
        ),
        ({"webhookEvent": "comment_deleted", "issue": ISSUE, "comment": {"id": "10500"}}, ["issue:10001"]),
        (
            {"webhookEvent": "issuelink_created", "issueLink": {"sourceIssueId": 10001, "destinationIssueId": 10002}},
            ["issue:10001", "issue:10002"],
        ),
        ({"webhookEvent": "jira:version_released", "version": {"id": "1"}}, []),
        ({"webhookEvent": "jira:issue_updated", "issue": {"id": "1/../2"}}, []),
        ({"webhookEvent": "jira:issue_updated", "issue": "10001", "issueLink": "x"}, []),
        ({}, []),
    ],
)
def test_what_jira_hints_at(body: dict[str, Any], ids: list[str]) -> None:
    assert list(ISSUES.changed(json.dumps(body).encode())) == ids


@pytest.mark.parametrize(
    ("body", "ids"),
    [
        ({"event": "page_created", "page": {"id": 65540, "spaceKey": "ENG"}}, ["page:65540"]),
        ({"event": "page_updated", "page": {"id": "65540"}}, ["page:65540"]),
        ({"event": "page_trashed", "page": {"id": 65540}}, []),
        ({"event": "page_removed", "page": {"id": 65540}}, []),
        ({"event": "blog_updated", "blog": {"id": 7}}, ["blog:7"]),
        (
            {"event": "comment_created", "comment": {"id": 9, "parent": {"id": 65540, "contentType": "page"}}},
            ["page:65540"],
        ),
        (
            {"event": "comment_removed", "comment": {"id": 9, "parent": {"id": 7, "contentType": "blogpost"}}},
            ["blog:7"],
        ),
        (
            {"event": "attachment_created", "attachedTo": {"id": 65540}, "attachments": [{"id": 3}, {"id": "att4"}]},
            ["page:65540", "attachment:att3", "attachment:att4"],
        ),
        ({"event": "attachment_removed", "attachedTo": {"id": 65540}, "attachments": [{"id": 3}]}, ["page:65540"]),
        ({"event": "space_updated", "space": {"key": "ENG"}}, []),
        ({"event": "page_updated", "page": [1], "comment": {"parent": 3}, "attachments": "x"}, []),
        ({"event": "page_updated", "page": {"id": True}}, []),
    ],
)
def test_what_confluence_hints_at(body: dict[str, Any], ids: list[str]) -> None:
    assert list(PAGES.changed(json.dumps(body).encode())) == ids


def test_one_delivery_makes_so_much_work_at_most() -> None:
    body = {"event": "attachment_created", "attachments": [{"id": number} for number in range(1, 500)]}
    assert len(tuple(PAGES.changed(json.dumps(body).encode()))) == MAX_DOCUMENTS


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["id", "issue", "comment", "page", "blog", "parent", "attachedTo", "attachments", "issueLink", "event"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(st.dictionaries(st.sampled_from(["issue", "comment", "page", "attachments", "attachedTo", "issueLink"]), JSON))
def test_whatever_is_sent_gives_ids_or_nothing(body: dict[str, Any]) -> None:
    for changed in (ISSUES.changed, PAGES.changed):
        for each in changed(json.dumps(body).encode()):
            kind, _, rest = each.partition(":")
            assert kind in {"issue", "comment", "page", "blog", "attachment"}
            assert rest.removeprefix("att").replace("/", "", 1).isdigit()
