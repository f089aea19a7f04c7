"""What the local Jira keeps: projects, the schemes that say who may do what, and issues. No behaviour here."""

from dataclasses import dataclass, field
from datetime import datetime

from tests.fakes.atlassian.records import Attachment, Body, Readers


@dataclass(frozen=True)
class Holder:
    """Who a permission or a security level is for.

    kind: anyone, group, user, projectRole, reporter, assignee, projectLead, applicationRole, userCustomField or
    groupCustomField. value: the group's name, user's id, role's id, application's key ("" is any) or field's id.
    """

    kind: str
    value: str = ""


@dataclass(frozen=True)
class Grant:
    """One line of a permission scheme."""

    id: int
    permission: str
    holder: Holder


@dataclass
class PermissionScheme:
    """What projects share."""

    id: int
    name: str
    grants: list[Grant] = field(default_factory=list)


@dataclass
class Level:
    """An issue security level. members: with their ids."""

    id: str
    name: str
    members: list[tuple[int, Holder]] = field(default_factory=list)


@dataclass
class SecurityScheme:
    """Security levels that projects share. default: a level's id."""

    id: str
    name: str
    levels: dict[str, Level] = field(default_factory=dict)
    default: str = ""


@dataclass
class Role:
    """A project role, the same in all projects; who is in it is the project's."""

    id: str
    name: str


@dataclass
class Project:
    """roles: role id to who is in it. kind: software, service_desk or business. former: keys that it had."""

    id: str
    key: str
    name: str
    lead: str
    scheme: int
    security: str = ""
    kind: str = "software"
    roles: dict[str, Readers] = field(default_factory=dict)
    former: list[str] = field(default_factory=list)
    archived: bool = False
    last: int = 0


@dataclass
class Text:
    """Rich text in both forms: wiki mark-up for Data Center, ADF for Cloud."""

    wiki: str
    adf: Body


@dataclass
class IssueComment:
    """visibility: ("group", name) or ("role", name). internal: a service desk's note that customers do not see."""

    id: str
    issue: str
    author: str
    text: Text
    created: datetime
    updated: datetime
    visibility: tuple[str, str] | None = None
    internal: bool = False


@dataclass
class Change:
    """What one person changed at once. items: (field, field id, from, from text, to, to text)."""

    id: str
    by: str
    at: datetime
    items: list[tuple[str, str, str | None, str | None, str | None, str | None]]


@dataclass
class IssueLink:
    """source blocks target, for kind Blocks."""

    id: str
    kind: str
    source: str
    target: str


@dataclass
class RemoteLink:
    """A link from an issue to somewhere else."""

    id: int
    url: str
    title: str
    summary: str = ""
    relationship: str = ""
    application: str = ""


@dataclass
class Issue:
    """An issue. parent: an issue's id. level: of security, an id. restricted_to: ids of roles, of which a reader needs
    one; empty for all. fields: custom ones by field id."""

    id: str
    project: str
    key: str
    kind: str
    summary: str
    description: Text
    reporter: str
    created: datetime
    updated: datetime
    assignee: str = ""
    status: str = "To Do"
    resolution: str = ""
    resolved: datetime | None = None
    priority: str = "Medium"
    parent: str = ""
    level: str = ""
    restricted_to: list[str] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)
    components: list[str] = field(default_factory=list)
    fix_versions: list[str] = field(default_factory=list)
    affected: list[str] = field(default_factory=list)
    fields: Body = field(default_factory=dict)
    comments: list[IssueComment] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)
    remote_links: list[RemoteLink] = field(default_factory=list)
    attachments: list[Attachment] = field(default_factory=list)
    former: list[str] = field(default_factory=list)


@dataclass
class CustomField:
    """kind: user, group, string or array, as in Jira's schema of fields."""

    id: str
    name: str
    kind: str = "string"
