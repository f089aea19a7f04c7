"""Jira's projects and issues and how people change them."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from tests.fakes.atlassian.records import Attachment, Body, Readers, User
from tests.fakes.atlassian.text import text
from tests.fakes.atlassian.tracker_records import (
    Change,
    CustomField,
    Grant,
    Holder,
    Issue,
    IssueComment,
    IssueLink,
    Level,
    PermissionScheme,
    Project,
    RemoteLink,
    Role,
    SecurityScheme,
    Text,
)
from tests.fakes.atlassian.wiki import Who, readers

BROWSE = "BROWSE_PROJECTS"
AGENT = "SERVICEDESK_AGENT"
LINKS = {"Blocks": ("is blocked by", "blocks"), "Relates": ("relates to", "relates to")}
LINKS |= {"Duplicate": ("is duplicated by", "duplicates"), "Cloners": ("is cloned by", "clones")}

_Item = tuple[str, str, str | None, str | None, str | None, str | None]


class Tracker:
    """Projects, schemes and issues by id. To be mixed into the world, which has the clock and the numbers."""

    def _begin_tracker(self) -> None:
        self.projects: dict[str, Project] = {}
        self.schemes: dict[int, PermissionScheme] = {}
        self.security: dict[str, SecurityScheme] = {}
        self.roles: dict[str, Role] = {}
        self.issues: dict[str, Issue] = {}
        self.links: dict[str, IssueLink] = {}
        self.custom_fields: dict[str, CustomField] = {}

    def number(self, what: str, first: int = 1) -> int:
        """The next number of that name."""
        raise NotImplementedError

    def tick(self) -> datetime:
        """The moment of a change."""
        raise NotImplementedError

    # how a site is set up

    def add_scheme(self, name: str, *browse: Holder) -> PermissionScheme:
        """A permission scheme; browse: who has Browse Projects."""
        scheme = PermissionScheme(self.number("scheme", 10100), name)
        self.schemes[scheme.id] = scheme
        for holder in browse:
            self.grant(scheme, holder)
        return scheme

    def grant(self, scheme: PermissionScheme, holder: Holder, permission: str = BROWSE) -> Grant:
        """One more line in a scheme."""
        scheme.grants.append(Grant(self.number("grant", 10200), permission, holder))
        return scheme.grants[-1]

    def revoke(self, scheme: PermissionScheme, holder: Holder, permission: str = BROWSE) -> None:
        """Takes a line out."""
        scheme.grants = [each for each in scheme.grants if (each.holder, each.permission) != (holder, permission)]

    def add_security(self, name: str, **levels: Iterable[Holder]) -> SecurityScheme:
        """An issue security scheme; levels: members by the level's name."""
        scheme = SecurityScheme(str(self.number("security", 10010)), name)
        for each, members in levels.items():
            level = Level(str(self.number("level", 10020)), each)
            level.members = [(self.number("member", 10000), holder) for holder in members]
            scheme.levels[level.id] = level
        self.security[scheme.id] = scheme
        return scheme

    def level(self, name: str) -> Level:
        """The security level of that name."""
        return next(each for one in self.security.values() for each in one.levels.values() if each.name == name)

    def set_members(self, level: Level, *holders: Holder) -> None:
        """Who is in a security level."""
        level.members = [(self.number("member", 10000), holder) for holder in holders]

    def add_role(self, name: str) -> Role:
        """A project role."""
        role = Role(str(self.number("role", 10300)), name)
        self.roles[role.id] = role
        return role

    def fill_role(self, project: Project, role: Role, *who: Who) -> None:
        """Who is in a role of a project."""
        project.roles[role.id] = readers(who)

    def add_field(self, name: str, kind: str = "string") -> CustomField:
        """A custom field; kind: also user, group and array."""
        found = CustomField(f"customfield_{self.number('field', 10030)}", name, kind)
        self.custom_fields[found.id] = found
        return found

    def add_project(
        self,
        key: str,
        name: str,
        *,
        lead: User,
        scheme: PermissionScheme,
        security: SecurityScheme | None = None,
        kind: str = "software",
    ) -> Project:
        """A project without issues, with every role there is and nobody in them."""
        number = str(self.number("project", 10000))
        project = Project(number, key, name, lead.id, scheme.id, security.id if security else "", kind)
        project.roles = {each: Readers() for each in self.roles}
        self.projects[number] = project
        return project

    def rekey(self, project: Project, key: str) -> None:
        """Another key, for its issues too. The former ones still lead there. Issues do not count as changed."""
        project.former.append(project.key)
        project.key = key
        for issue in self.issues.values():
            if issue.project == project.id:
                issue.former.append(issue.key)
                issue.key = f"{key}-{issue.key.rpartition('-')[2]}"

    # what people do with issues

    def add_issue(
        self,
        project: Project,
        summary: str,
        description: str | Body | Text = "",
        *,
        by: User,
        kind: str = "Task",
        **fields: Any,
    ) -> Issue:
        """An issue, reported by `by`; fields: as of Issue."""
        at = self.tick()
        project.last += 1
        number, key = str(self.number("issue", 10000)), f"{project.key}-{project.last}"
        issue = Issue(number, project.id, key, kind, summary, text(description), by.id, at, at)
        default = self.security[project.security].default if project.security else ""
        for name, value in ({"level": default} | fields).items():
            setattr(issue, name, value)
        self.issues[number] = issue
        return issue

    def _changed(self, issue: Issue, by: User, *items: _Item) -> None:
        issue.updated = self.tick()
        issue.changes.append(Change(str(self.number("change", 10000)), by.id, issue.updated, list(items)))

    def set(self, issue: Issue, by: User, **fields: Any) -> None:
        """Changes fields as of Issue; each leaves its trace in the changelog."""
        items: list[_Item] = []
        for name, value in fields.items():
            new = text(value) if name == "description" else value
            items.append(_item(name, getattr(issue, name), new))
            setattr(issue, name, new)
        self._changed(issue, by, *items)

    def move_to(self, issue: Issue, status: str, *, by: User, resolution: str = "") -> None:
        """Another status, with a resolution or without."""
        before, issue.status = issue.status, status
        items: list[_Item] = [("status", "status", None, before, None, status)]
        if resolution != issue.resolution:
            items.append(("resolution", "resolution", None, issue.resolution or None, None, resolution or None))
            issue.resolution = resolution
        self._changed(issue, by, *items)
        issue.resolved = issue.updated if resolution else None

    def secure(self, issue: Issue, level: Level | None, *, by: User) -> None:
        """Another security level, or none."""
        self.set(issue, by, level=level.id if level else "")

    def restrict_issue(self, issue: Issue, *roles: Role, by: User) -> None:
        """Only who has one of these roles of the project may view it: Cloud's team-managed projects. None: all."""
        self.set(issue, by, restricted_to=[each.id for each in roles])

    def say(
        self,
        issue: Issue,
        content: str | Body | Text,
        *,
        by: User,
        group: str = "",
        role: str = "",
        internal: bool = False,
    ) -> IssueComment:
        """A comment; group, role: by name, the only ones to see it. internal: not for customers."""
        at = self.tick()
        visibility = ("group", group) if group else ("role", role) if role else None
        number = str(self.number("comment", 10000))
        issue.comments.append(IssueComment(number, issue.id, by.id, text(content), at, at, visibility, internal))
        issue.updated = at
        return issue.comments[-1]

    def edit_said(self, comment: IssueComment, content: str | Body | Text) -> None:
        """Other words in a comment."""
        comment.text, comment.updated = text(content), self.tick()
        self.issues[comment.issue].updated = comment.updated

    def unsay(self, comment: IssueComment) -> None:
        """Takes a comment away."""
        issue = self.issues[comment.issue]
        issue.comments.remove(comment)
        issue.updated = self.tick()

    def link(self, source: Issue, target: Issue, kind: str = "Blocks") -> IssueLink:
        """source blocks target, for kind Blocks."""
        found = IssueLink(str(self.number("link", 10000)), kind, source.id, target.id)
        self.links[found.id] = found
        source.updated = target.updated = self.tick()
        return found

    def link_away(self, issue: Issue, url: str, title: str, **more: str) -> RemoteLink:
        """A remote link; more: as of RemoteLink. It does not count as a change of the issue."""
        issue.remote_links.append(RemoteLink(self.number("remote", 10000), url, title, **more))
        return issue.remote_links[-1]

    def add_file(
        self, issue: Issue, name: str, content: bytes, *, by: User, media_type: str = "text/plain"
    ) -> Attachment:
        """A file on an issue."""
        number = str(self.number("file", 10000))
        found = Attachment(number, issue.id, name, content, media_type, by.id, self.tick())
        issue.attachments.append(found)
        self._changed(issue, by, ("Attachment", "attachment", None, None, number, name))
        return found

    def delete_issue(self, issue: Issue) -> None:
        """Gone with its sub-tasks; nothing remembers it."""
        for child in [each for each in self.issues.values() if each.parent == issue.id and each.kind == "Sub-task"]:
            self.delete_issue(child)
        del self.issues[issue.id]
        self.links = {key: each for key, each in self.links.items() if issue.id not in (each.source, each.target)}


def _item(name: str, before: Any, after: Any) -> _Item:
    """A line of the changelog. Ids stand in from and to, words in the strings."""
    kinds = {"level": "security", "kind": "issuetype", "fix_versions": "fixVersions", "affected": "versions"}
    field = kinds.get(name, name)
    old, new = _words(before), _words(after)
    return (
        (field, field, old, old, new, new)
        if name in {"assignee", "reporter", "level"}
        else (field, field, None, old, None, new)
    )


def _words(value: Any) -> str | None:
    if isinstance(value, Text):
        return value.wiki
    if isinstance(value, list):
        return " ".join(value)
    return str(value) if value else None
