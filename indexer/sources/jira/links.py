"""The links of an issue to other issues, to people and to parts of its project, as Jira states them."""

from collections.abc import Iterator
from dataclasses import replace

from domain.knowledge_graph import EntityType, Link, issue_key, raw_key
from domain.text_references import account_key
from indexer.sources.jira.api import JiraApi, Row, text_in

PART_OF = "part of"
"""Between a sub-task and its parent, and between an issue and its epic."""
COMMENT_ON = "comment on"
ATTACHED_TO = "attached to"

_LISTS = (
    ("components", "has the component", EntityType.COMPONENT),
    ("fixVersions", "is fixed in", EntityType.VERSION),
    ("versions", "affects", EntityType.VERSION),
)


def issue_links(api: JiraApi, fields: Row, told: Row, epic: str) -> tuple[Link, ...]:
    """The links of an issue.

    fields: of the issue. told: the same without those other issues that not all its readers may read; links to these
    are guarded. epic: the id of the field with the epic's key, empty where `parent` has it.
    """
    assigned = _person(api, told.get("assignee"), "assigned to")
    reported = _person(api, told.get("reporter"), "reported by")
    known = dict.fromkeys([*_others(told, epic), *assigned, *reported, *_parts(told)])
    guarded = (replace(each, guarded=True) for each in _others(fields, epic) if each not in known)
    return tuple(dict.fromkeys([*known, *guarded]))


def comment_links(api: JiraApi, comment: Row, key: str) -> tuple[Link, ...]:
    """The links of a comment that is a document of its own. key: of its issue."""
    author = _person(api, comment.get("author"), "written by")
    return (Link(COMMENT_ON, issue_key(key), key), *author)


def file_links(key: str) -> tuple[Link, ...]:
    """The links of a file. key: of its issue."""
    return (Link(ATTACHED_TO, issue_key(key), key),)


def _others(fields: Row, epic: str) -> list[Link]:
    return [*_issues(fields), *_family(fields, epic)]


def _issues(fields: Row) -> Iterator[Link]:
    """Links between issues. Both issues state the same relation; the words are those of the outward direction."""
    for link in fields.get("issuelinks") or ():
        words = str((link.get("type") or {}).get("outward") or "relates to")
        for side in ("outwardIssue", "inwardIssue"):
            key = (link.get(side) or {}).get("key") if isinstance(link.get(side), dict) else None
            if key:
                yield Link(words, issue_key(str(key)), str(key), inverse=side == "inwardIssue")


def _family(fields: Row, epic: str) -> Iterator[Link]:
    for each in fields.get("subtasks") or ():
        if each.get("key"):
            yield Link(PART_OF, issue_key(str(each["key"])), str(each["key"]), inverse=True)
    above = [(fields.get("parent") or {}).get("key"), fields.get(epic) if epic else None]
    for key in above:
        if isinstance(key, str) and key:
            yield Link(PART_OF, issue_key(key), key)


def _person(api: JiraApi, user: object, predicate: str) -> Iterator[Link]:
    if mention := api.mention(user):
        name = text_in(user, "displayName")
        yield Link(predicate, account_key(mention), name, name=name)


def _parts(fields: Row) -> Iterator[Link]:
    project = str((fields.get("project") or {}).get("key") or "")
    for field, predicate, kind in _LISTS:
        for name in (str(each["name"]) for each in fields.get(field) or () if each.get("name")):
            yield Link(predicate, raw_key(kind, f"{project}/{name}"), name)
