"""Makes the bundles that indexer.parse.jira_issue reads from issues and comments as Jira shows them."""

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from indexer.sources.atlassian.display_names import mentioned
from indexer.sources.atlassian.text_budget import TextBudget
from indexer.sources.atlassian.timestamps import moment
from indexer.sources.jira.api import JiraApi, Row, text_in

MAX_CHANGES = 20
"""Of status and resolution, the latest ones."""
LONGEST_FACT = 200
"""Characters of a further field; a longer one is a section of its own."""
_TOLD = frozenset({"status", "resolution"})
_EARLIEST = datetime(1, 1, 1, tzinfo=UTC)


def issue_bundle(
    api: JiraApi,
    row: Row,
    comments: Iterable[Row],
    remote: Sequence[Row],
    extra: Mapping[str, str],
    epic: str,
    names: Mapping[str, str],
) -> bytes:
    """The bundle of an issue.

    row: with its fields and its changelog. comments: those that all who may read the issue may read. extra: names of
    further fields by their ids. epic: the id of the field with the epic's key, empty where `parent` has it. names: of
    people, see `people_mentioned`.

    Of linked issues there is the key only: who may read this one need not be able to read them.
    """
    fields = row.get("fields") or {}
    facts, texts = _extra(fields, extra)
    room = TextBudget()
    said = room.rows(comments)
    reporter, project = _name(fields.get("reporter")), fields.get("project") or {}
    return _dumped(
        title=f"{row.get('key')}: {fields.get('summary') or ''}",
        facts=[*_facts(fields, epic), *facts],
        texts=[["Description", fields.get("description")], *texts],
        links=_links(fields, epic),
        remote=[_remote(each) for each in remote],
        history=_history(row),
        comments=[_comment(each) for each in said],
        cut=room.cut,
        metadata={
            "author": reporter,
            "updated": fields.get("updated"),
            "space": project.get("key"),
            "labels": fields.get("labels") or [],
        },
        people=_people(api, [fields.get("reporter"), fields.get("assignee")]),
        names=dict(names),
    )


def people_mentioned(fields: Row, comments: Iterable[Row]) -> list[str]:
    """The people whom the fields and the comments mention."""
    texts = (*fields.values(), *(each.get("body") for each in comments))
    return list(dict.fromkeys(who for text in texts for who in mentioned(text)))


def comment_bundle(api: JiraApi, comment: Row, title: str, key: str, names: Mapping[str, str]) -> bytes:
    """The bundle of a comment that is a document of its own. title: the document's. key: of its issue. names: as of
    issue_bundle."""
    author = _name(comment.get("author"))
    return _dumped(
        title=title,
        facts=[["Comment on", key], ["By", author], ["Written", _day(comment.get("created"))]],
        comments=[_comment(comment)],
        metadata={"author": author, "updated": comment.get("updated"), "space": key.rpartition("-")[0]},
        people=_people(api, [comment.get("author")]),
        names=dict(names),
    )


def _dumped(**entries: object) -> bytes:
    return json.dumps(entries, ensure_ascii=False, sort_keys=True).encode(errors="replace")


def _facts(fields: Row, epic: str) -> list[list[str]]:
    project, parent = fields.get("project") or {}, fields.get("parent") or {}
    resolution = _said(fields.get("resolution")) or "unresolved"
    solved = _day(fields.get("resolutiondate"))
    pairs = {
        "Type": _said(fields.get("issuetype")),
        "Project": f"{project.get('name') or ''} ({project.get('key') or ''})",
        "Status": _said(fields.get("status")),
        "Resolution": f"{resolution} on {solved}" if solved else resolution,
        "Priority": _said(fields.get("priority")),
        "Assignee": _name(fields.get("assignee")) or "nobody",
        "Reporter": _name(fields.get("reporter")),
        "Parent": _said(parent.get("key")),
        "Epic": _said(fields.get(epic)) if epic else "",
        "Labels": _said(fields.get("labels")),
        "Components": _said(fields.get("components")),
        "Fix versions": _said(fields.get("fixVersions")),
        "Affects versions": _said(fields.get("versions")),
        "Created": _day(fields.get("created")),
        "Due": _said(fields.get("duedate")),
        "Attachments": ", ".join(str(each.get("filename")) for each in fields.get("attachment") or ()),
    }
    return [[name, value] for name, value in pairs.items() if value]


def _extra(fields: Row, extra: Mapping[str, str]) -> tuple[list[list[str]], list[list[Any]]]:
    """Further fields: facts where they are short, sections where they are texts."""
    facts, texts = list[list[str]](), list[list[Any]]()
    for number, name in extra.items():
        value = fields.get(number)
        if _is_text(value):
            texts.append([name, value])
        elif said := _said(value):
            facts.append([name, said])
    return facts, texts


def _is_text(value: object) -> bool:
    if isinstance(value, dict):
        return value.get("type") == "doc"
    return isinstance(value, str) and ("\n" in value or len(value) > LONGEST_FACT)


def _said(value: object) -> str:
    """A field's value as text. The value is a text, a number, an object with a name, or a list of these."""
    if isinstance(value, list):
        return ", ".join(filter(None, map(_said, value)))
    if isinstance(value, dict):
        names = ("displayName", "name", "value", "key")
        own = next((str(value[name]) for name in names if isinstance(value.get(name), str | int | float)), "")
        return " – ".join(filter(None, [own, _said(value.get("child"))]))
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value is None else str(value)


def _links(fields: Row, epic: str) -> list[list[str]]:
    pairs: list[list[str]] = []
    for link in fields.get("issuelinks") or ():
        for side, way in (("outwardIssue", "outward"), ("inwardIssue", "inward")):
            if isinstance(link.get(side), dict):
                pairs.append([_said((link.get("type") or {}).get(way)), str(link[side].get("key") or "")])
    pairs += [["has the sub-task", str(each.get("key") or "")] for each in fields.get("subtasks") or ()]
    parent = fields.get("parent") or {}
    pairs.append(["is part of", str(parent.get("key") or "") or (_said(fields.get(epic)) if epic else "")])
    return [pair for pair in pairs if pair[1]]


def _remote(link: Row) -> dict[str, str]:
    about = link.get("object") or {}
    application = link.get("application") or {}
    words = _said(link.get("relationship")) or "links to"
    of = _said(application.get("name"))
    return {
        "words": f"{words} ({of})" if of else words,
        "title": _said(about.get("title")),
        "summary": _said(about.get("summary")),
        "url": _said(about.get("url")),
    }


def _history(row: Row) -> list[dict[str, str]]:
    """Changes of status and resolution, the oldest first; the product's own order differs."""
    histories = (row.get("changelog") or {}).get("histories") or ()
    changes = sorted(histories, key=lambda change: moment(change.get("created")) or _EARLIEST)
    found = [
        {
            "at": _said(change.get("created")),
            "by": _name(change.get("author")),
            "field": _said(item.get("field")),
            "from": _said(item.get("fromString")),
            "to": _said(item.get("toString")),
        }
        for change in changes
        for item in change.get("items") or ()
        if item.get("field") in _TOLD
    ]
    return found[-MAX_CHANGES:]


def _comment(comment: Row) -> Row:
    return {"by": _name(comment.get("author")), "at": comment.get("created"), "text": comment.get("body")}


def _people(api: JiraApi, users: Iterable[object]) -> list[str]:
    """How mentions identify these users."""
    return list(dict.fromkeys(filter(None, map(api.mention, users))))


def _name(user: object) -> str:
    return text_in(user, "displayName")


def _day(value: object) -> str:
    return value[:10] if isinstance(value, str) else ""
