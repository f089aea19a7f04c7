"""What Jira states of an issue, as links of the knowledge graph."""

from typing import Any

from domain.knowledge_graph import Link
from indexer.sources.atlassian.client import AtlassianClient
from indexer.sources.atlassian.site import AtlassianSite
from indexer.sources.jira.cloud import JiraCloud
from indexer.sources.jira.links import comment_links, issue_links

JANE = {"accountId": "5:a", "key": "jane", "displayName": "Jane Doe"}
BLOCKS = {"name": "Blocks", "inward": "is blocked by", "outward": "Blocks"}
FIELDS: dict[str, Any] = {
    "project": {"key": "PAY"},
    "issuelinks": [
        {"type": BLOCKS, "outwardIssue": {"key": "PAY-2"}},
        {"type": BLOCKS, "inwardIssue": {"key": "OPS-3"}},
        {"type": BLOCKS},
    ],
    "subtasks": [{"key": "PAY-4"}],
    "parent": {"key": "PAY-5"},
    "customfield_1": "PAY-6",
    "components": [{"name": "Web"}],
    "fixVersions": [{"name": "2.1"}],
    "versions": [{"name": "2.0"}],
    "assignee": JANE,
    "reporter": None,
}


CLOUD = JiraCloud(AtlassianClient(AtlassianSite("jira", "https://jira.test", "cloud", "bot@jira.test", "token")))


def test_an_issue() -> None:
    links = issue_links(CLOUD, FIELDS, FIELDS, "customfield_1")
    assert links == (
        Link("Blocks", "issue:PAY-2", "PAY-2"),
        Link("Blocks", "issue:OPS-3", "OPS-3", inverse=True),
        Link("part of", "issue:PAY-4", "PAY-4", inverse=True),
        Link("part of", "issue:PAY-5", "PAY-5"),
        Link("part of", "issue:PAY-6", "PAY-6"),
        Link("assigned to", "person:5:a", "Jane Doe", name="Jane Doe"),
        Link("has the component", "component:PAY/Web", "Web"),
        Link("is fixed in", "version:PAY/2.1", "2.1"),
        Link("affects", "version:PAY/2.0", "2.0"),
    )


def test_links_that_are_not_told_to_all_are_guarded() -> None:
    told = {**FIELDS, "issuelinks": FIELDS["issuelinks"][1:], "subtasks": [], "parent": None, "assignee": None}
    links = issue_links(CLOUD, FIELDS, told, "customfield_1")
    assert [link.key for link in links if not link.guarded][:2] == ["issue:OPS-3", "issue:PAY-6"]
    assert [link for link in links if link.guarded] == [
        Link("Blocks", "issue:PAY-2", "PAY-2", guarded=True),
        Link("part of", "issue:PAY-4", "PAY-4", inverse=True, guarded=True),
        Link("part of", "issue:PAY-5", "PAY-5", guarded=True),
    ]


def test_a_comment() -> None:
    assert comment_links(CLOUD, {"author": JANE}, "PAY-1") == (
        Link("comment on", "issue:PAY-1", "PAY-1"),
        Link("written by", "person:5:a", "Jane Doe", name="Jane Doe"),
    )
