"""The other issues that an issue's text may name: all its readers may read these, too. Pure.

Jira shows nobody that an issue blocks another one which they may not see; nor must a text that all readers share.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from domain.access import Acl
from indexer.sources.jira.api import Row

_SIDES = ("inwardIssue", "outwardIssue")


@dataclass(frozen=True, slots=True)
class RelatedIssue:
    """Another issue that the text of an issue may name."""

    mark: str
    """Of the part of the text that names it: see `parts` of ListedDocument."""
    key: str
    way: str
    """How it is related; part of the version."""


def related_issues(fields: Row, epic: str) -> Iterator[RelatedIssue]:
    """The issues that the fields of one name: links, sub-tasks, the parent and the epic. epic: the id of the field
    with the epic's key; empty where there is none."""
    for link in fields.get("issuelinks") or ():
        for side in _SIDES:
            if isinstance(link.get(side), dict):
                yield _shown(link[side], f"{link.get('id')} {side}")
    for each in fields.get("subtasks") or ():
        yield _shown(each, "below")
    if fields.get("parent"):
        yield _shown(fields["parent"], "above")
    if epic and isinstance(fields.get(epic), str):
        yield RelatedIssue(_epic_mark(fields[epic]), fields[epic], "epic")


def without_others(fields: Row, epic: str, parts: Collection[str]) -> Row:
    """The fields of an issue without the other issues that are not among `parts` of its text."""
    found = dict(fields)
    found["issuelinks"] = [
        link
        for link in fields.get("issuelinks") or ()
        if any(isinstance(link.get(side), dict) and _issue_mark(link[side]) in parts for side in _SIDES)
    ]
    found["subtasks"] = [each for each in fields.get("subtasks") or () if _issue_mark(each) in parts]
    if fields.get("parent") and _issue_mark(fields["parent"]) not in parts:
        found["parent"] = None
    if epic and _epic_mark(str(fields.get(epic))) not in parts:
        found[epic] = None
    return found


def all_may_read(host: Acl, other: Acl) -> bool:
    """Whether it is certain that everybody whom `host` admits is admitted by `other`, too."""
    return all(any(mine <= clause for mine in host.clauses) for clause in other.clauses)


def comment_mark(comment: Row) -> str:
    """The mark of a comment in the text of its issue."""
    return f"c{comment.get('id')}"


def _shown(other: Row, way: str) -> RelatedIssue:
    return RelatedIssue(_issue_mark(other), str(other.get("key")), way)


def _issue_mark(other: Row) -> str:
    return f"i{other.get('id')}"


def _epic_mark(key: str) -> str:
    return f"e{''.join(key.split())}"
