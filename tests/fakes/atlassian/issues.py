"""Issues as Jira shows them, in both flavours: the fields that were asked for, as far as the caller may see them."""

import re
from collections.abc import Iterable
from datetime import datetime
from typing import Any
from urllib.parse import quote

from tests.fakes.atlassian.people import jira_group, jira_user
from tests.fakes.atlassian.records import Attachment, Body
from tests.fakes.atlassian.routing import SiteRequest
from tests.fakes.atlassian.tracker import LINKS
from tests.fakes.atlassian.tracker_records import Change, Issue, IssueComment, Project, RemoteLink, Text

CATEGORIES = {"To Do": ("new", 2), "Open": ("new", 2), "In Progress": ("indeterminate", 4), "Done": ("done", 3)}


def stamp(at: datetime) -> str:
    """A time as Jira writes it."""
    return at.strftime("%Y-%m-%dT%H:%M:%S.") + f"{at.microsecond // 1000:03}{at.strftime('%z')}"


def _named(asked: SiteRequest, kind: str, name: str) -> Body:
    number = str(10000 + sum(name.encode()) % 1000)
    return {"self": f"{asked.api}/{kind}/{number}", "id": number, "name": name}


def status(asked: SiteRequest, name: str) -> Body:
    """A status with its category."""
    key, number = CATEGORIES.get(name, ("done" if name in {"Closed", "Resolved"} else "indeterminate", 4))
    category = {
        "self": f"{asked.api}/statuscategory/{number}",
        "id": number,
        "key": key,
        "name": name,
        "colorName": "yellow",
    }
    return _named(asked, "status", name) | {"statusCategory": category, "description": ""}


def kind(asked: SiteRequest, name: str) -> Body:
    """An issue type."""
    level = {"Epic": 1, "Sub-task": -1}.get(name, 0)
    return _named(asked, "issuetype", name) | {"subtask": level < 0, "hierarchyLevel": level, "description": ""}


def project(asked: SiteRequest, found: Project) -> Body:
    """A project, in short."""
    shown: Body = {"self": f"{asked.api}/project/{found.id}", "id": found.id, "key": found.key, "name": found.name}
    return shown | {"projectTypeKey": found.kind} | ({"simplified": False} if asked.cloud else {})


def rich(asked: SiteRequest, text: Text) -> Any:
    """Rich text: ADF on Cloud, None when there is none; wiki mark-up on Data Center."""
    if asked.cloud:
        return text.adf if text.adf.get("content") else None
    return text.wiki or None


def short(asked: SiteRequest, issue: Issue) -> Body:
    """An issue inside another."""
    fields = {"summary": issue.summary, "status": status(asked, issue.status), "issuetype": kind(asked, issue.kind)}
    return {"id": issue.id, "key": issue.key, "self": f"{asked.api}/issue/{issue.id}", "fields": fields}


def comment(asked: SiteRequest, found: IssueComment) -> Body:
    """A comment; the properties, which say whether it is a service desk's note, with expand=properties."""
    author = jira_user(asked, found.author)
    body = found.text.adf if asked.cloud else found.text.wiki
    shown: Body = {"self": f"{asked.api}/issue/{found.issue}/comment/{found.id}", "id": found.id, "body": body}
    shown |= {
        "author": author,
        "updateAuthor": author,
        "created": stamp(found.created),
        "updated": stamp(found.updated),
    }
    home = asked.world.projects[asked.world.issues[found.issue].project]
    if asked.cloud and home.kind == "service_desk":
        shown["jsdPublic"] = not found.internal
    if found.visibility:
        of, name = found.visibility
        shown["visibility"] = {"type": of, "value": name}
        if asked.cloud:
            group = asked.world.groups.get(name)
            shown["visibility"]["identifier"] = group.id if of == "group" and group else name
    if asked.expands("properties"):
        shown["properties"] = [{"key": "sd.public.comment", "value": {"internal": True}}] if found.internal else []
    return shown


def comments(asked: SiteRequest, issue: Issue) -> list[IssueComment]:
    """The comments that the caller may see."""
    return [each for each in issue.comments if asked.rights.said(each, issue)]


def attachment(asked: SiteRequest, found: Attachment) -> Body:
    """A file of an issue."""
    content = f"{asked.api}/attachment/content/{found.id}"
    if not asked.cloud:
        content = f"{asked.site}/secure/attachment/{found.id}/{quote(found.name)}"
    shown: Body = {
        "self": f"{asked.api}/attachment/{found.id}",
        "id": found.id,
        "filename": found.name,
        "content": content,
    }
    shown |= {"author": jira_user(asked, found.author), "created": stamp(found.created)}
    return shown | {"size": len(found.content), "mimeType": found.media_type}


def change(asked: SiteRequest, found: Change) -> Body:
    """A line of history."""
    items = []
    for field, field_id, old, old_text, new, new_text in found.items:
        shown: Body = {
            "field": field,
            "fieldtype": "jira",
            "from": old,
            "fromString": old_text,
            "to": new,
            "toString": new_text,
        }
        items.append(shown | ({"fieldId": field_id} if asked.cloud and field_id else {}))
    return {"id": found.id, "author": jira_user(asked, found.by), "created": stamp(found.at), "items": items}


def remote(asked: SiteRequest, issue: Issue, found: RemoteLink) -> Body:
    """A remote link."""
    about: Body = {"url": found.url, "title": found.title, "summary": found.summary, "icon": {}}
    shown: Body = {"id": found.id, "self": f"{asked.api}/issue/{issue.key}/remotelink/{found.id}", "object": about}
    shown["globalId"] = f"local={found.url}"
    application = {"name": found.application} if found.application else {}
    if page := re.search(r"pageId=(\d+)", found.url):
        shown["globalId"] = f"appId=11111111-0000-4000-8000-000000000000&{page.group()}"
        application["type"] = "com.atlassian.confluence"
    if found.relationship:
        shown["relationship"] = found.relationship
    return shown | {"application": application}


def _links(asked: SiteRequest, issue: Issue) -> list[Body]:
    rows: list[Body] = []
    for each in asked.world.links.values():
        if issue.id not in (each.source, each.target):
            continue
        outward = each.source == issue.id
        other = asked.world.issues[each.target if outward else each.source]
        if not asked.rights.issue(other):
            continue
        inward_word, outward_word = LINKS.get(each.kind, (each.kind, each.kind))
        about = _named(asked, "issueLinkType", each.kind) | {"inward": inward_word, "outward": outward_word}
        side = {"outwardIssue" if outward else "inwardIssue": short(asked, other)}
        rows.append({"id": each.id, "self": f"{asked.api}/issueLink/{each.id}", "type": about, **side})
    return rows


def _family(asked: SiteRequest, issue: Issue) -> Body:
    below = [each for each in asked.world.issues.values() if each.parent == issue.id and each.kind == "Sub-task"]
    shown: Body = {"subtasks": [short(asked, each) for each in below if asked.rights.issue(each)]}
    parent = asked.world.issues.get(issue.parent)
    if parent is not None and asked.rights.issue(parent):
        if asked.cloud or issue.kind == "Sub-task":
            shown["parent"] = short(asked, parent)
        else:
            shown["customfield_10014"] = parent.key
    return shown


def _level(asked: SiteRequest, issue: Issue) -> Body | None:
    for scheme in asked.world.security.values():
        if issue.level in scheme.levels:
            level = scheme.levels[issue.level]
            return {
                "self": f"{asked.api}/securitylevel/{level.id}",
                "id": level.id,
                "name": level.name,
                "description": "",
            }
    return None


def _restriction(asked: SiteRequest, issue: Issue) -> Body:
    """The roles that an issue is restricted to, as Cloud alone shows them: nothing within where it is not."""
    if not asked.cloud:
        return {}
    roles = [asked.world.roles[each] for each in issue.restricted_to]
    shown = [{"self": f"{asked.api}/role/{each.id}", "id": each.id, "name": each.name} for each in roles]
    within = {"projectrole": shown} if shown else {}
    return {"issuerestriction": {"issuerestrictions": within, "shouldDisplay": bool(shown)}}


def _listed_comments(asked: SiteRequest, issue: Issue) -> Body:
    rows = comments(asked, issue)
    shown = [comment(asked, each) for each in rows]
    return {
        "comments": shown,
        "maxResults": len(rows),
        "total": len(rows),
        "startAt": 0,
        "self": f"{asked.api}/issue/{issue.id}/comment",
    }


def _custom(asked: SiteRequest, issue: Issue) -> Body:
    shown: Body = {}
    for each in asked.world.custom_fields.values():
        value = issue.fields.get(each.id)
        if each.kind == "user" and value:
            found: Any = (
                [jira_user(asked, one) for one in value] if isinstance(value, list) else jira_user(asked, value)
            )
        elif each.kind == "group" and value:
            names = [value] if isinstance(value, str) else value
            found = [jira_group(asked, one) for one in names if one in asked.world.groups]
        else:
            found = value
        shown[each.id] = found
    return shown


def _fields(asked: SiteRequest, issue: Issue) -> Body:
    home = asked.world.projects[issue.project]
    shown: Body = {"summary": issue.summary, "description": rich(asked, issue.description), "labels": issue.labels}
    shown |= {
        "project": project(asked, home),
        "issuetype": kind(asked, issue.kind),
        "status": status(asked, issue.status),
    }
    shown["resolution"] = _named(asked, "resolution", issue.resolution) if issue.resolution else None
    shown["resolutiondate"] = stamp(issue.resolved) if issue.resolved else None
    shown |= {"priority": _named(asked, "priority", issue.priority), "reporter": jira_user(asked, issue.reporter)}
    shown |= {"creator": jira_user(asked, issue.reporter), "assignee": jira_user(asked, issue.assignee)}
    shown |= {"created": stamp(issue.created), "updated": stamp(issue.updated), "security": _level(asked, issue)}
    shown["components"] = [_named(asked, "component", each) for each in issue.components]
    shown["fixVersions"] = [_named(asked, "version", each) for each in issue.fix_versions]
    shown["versions"] = [_named(asked, "version", each) for each in issue.affected]
    shown |= {"issuelinks": _links(asked, issue), "attachment": [attachment(asked, each) for each in issue.attachments]}
    shown |= {"comment": _listed_comments(asked, issue)} | _restriction(asked, issue)
    return shown | _family(asked, issue) | _custom(asked, issue)


_HEAVY = {"comment", "attachment"}


def _hidden(asked: SiteRequest) -> set[str]:
    return asked.world.hidden_fields


def _chosen(every: Body, wanted: list[str]) -> Body:
    """What a list of field names leaves: names, *all, *navigable, and -name to take one away."""
    if "*all" in wanted or (wanted and all(each.startswith("-") for each in wanted)):
        found = dict(every)
    elif "*navigable" in wanted:
        found = {name: value for name, value in every.items() if name not in _HEAVY}
    else:
        found = {}
    found |= {name: every[name] for name in wanted if name in every}
    return {name: value for name, value in found.items() if f"-{name}" not in wanted}


def issue(asked: SiteRequest, found: Issue, fields: Iterable[str], expand: Iterable[str] = ()) -> Body:
    """An issue with the fields of those names; without any field, its id alone on Cloud."""
    wanted, more = list(fields), set(expand)
    shown: Body = {"id": found.id}
    if wanted == ["id"] and asked.cloud:
        return shown
    shown |= {"expand": "names,schema,changelog", "key": found.key, "self": f"{asked.api}/issue/{found.id}"}
    every = {} if wanted in (["key"], ["id"]) else _fields(asked, found)
    shown["fields"] = {name: each for name, each in _chosen(every, wanted).items() if name not in _hidden(asked)}
    if "changelog" in more:
        rows = [change(asked, each) for each in found.changes]
        shown["changelog"] = {"startAt": 0, "maxResults": len(rows), "total": len(rows), "histories": rows}
    if "names" in more:
        shown["names"] = {each: each for each in shown["fields"]}
    return shown
