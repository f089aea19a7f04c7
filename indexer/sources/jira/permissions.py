"""Whom Jira admits to an issue and to what is said about it: permission schemes, security levels, restrictions.

An issue is readable by whoever has Browse Projects for it AND is in its security level AND has one of the roles that
it is restricted to. What cannot be read admits nobody, and is remembered.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, Set
from typing import ClassVar, TypeVar

from domain.access import ORG, PUBLIC, Acl, Clause, Principal, account, group
from domain.errors import KbError, Refused, Transient
from indexer.sources.jira.api import JiraApi, JiraHolder, Row
from indexer.sources.jira.datacenter import BY_NAME
from indexer.sources.jira.issue_restriction import restricting_roles
from indexer.sources.jira.options import JiraOptions

T = TypeVar("T")
BROWSE, AGENT = "BROWSE_PROJECTS", "SERVICEDESK_AGENT"
NOBODY_CLAUSE: Clause = frozenset()
EVERY_USER = "*"
"""The id of the group that stands for everyone who may use Jira at all."""


class JiraPermissions:
    """The rights in a Jira: part is read at once, the rest when it is first needed.

    source: the name that stands in principals. unreadable: what could not be read, and why.
    """

    def __init__(self, source: str, api: JiraApi, options: JiraOptions) -> None:
        self.unreadable: dict[str, str] = {}
        self.applications: dict[str, list[str]] = {}
        self.names: dict[str, str] = {}
        self._source = source
        self._api = api
        self._options = options
        self._projects: dict[str, Row] = {}
        self._grants: dict[str, list[tuple[str, JiraHolder]]] = {}
        self._actors: dict[tuple[str, str], frozenset[Principal]] = {}
        self._roles: dict[str, dict[str, str]] = {}
        self._levels: dict[str, list[JiraHolder]] | None = None
        self._secured: dict[str, bool] = {}
        self._organisation: set[str] = set()

    # what is read

    async def read(self, projects: Iterable[Row]) -> None:
        """Reads what holds for many issues: application roles, levels, and the schemes of `projects`."""
        self._projects = {str(row["id"]): row for row in projects}
        await self._read_applications()
        await self._read_levels()
        await asyncio.gather(*(self._read_grants(each) for each in self._projects))

    async def renewed(self) -> "JiraPermissions":
        """A copy that reads projects and levels again."""
        found = JiraPermissions(self._source, self._api, self._options)
        found.applications, found.names = self.applications, self.names
        found._organisation, found._projects = self._organisation, {}
        await found._read_levels()
        return found

    async def _read_applications(self) -> None:
        rows = await self._try_read("application roles", self._api.applications(), [])
        for row in rows:
            details = row.get("groupDetails")
            groups = [self._api.group(each) for each in details] if isinstance(details, list) else row.get("groups")
            self.applications[str(row.get("key"))] = [str(each) for each in groups or () if each]
        if any(self.is_organisation(each) for groups in self.applications.values() for each in groups):
            self._organisation.add(EVERY_USER)

    async def _read_levels(self) -> None:
        self._levels = await self._try_read("security levels", self._api.level_holders(), {})

    async def _try_read(self, path: str, work: Awaitable[T], otherwise: T) -> T:
        try:
            return await work
        except (Refused, Transient) as error:
            self.note(path, error)
            return otherwise

    def note(self, path: str, error: KbError | str) -> None:
        """Remembers what could not be read."""
        self.unreadable.setdefault(path, error if isinstance(error, str) else error.what)

    @property
    def fields(self) -> set[str]:
        """The fields of issues whose users and groups have rights, as far as schemes and levels were read."""
        return self._named("userCustomField", "groupCustomField")

    @property
    def groups(self) -> set[str]:
        """The groups that application roles, schemes and levels name."""
        return self._named("group").union(*self.applications.values(), *self._options.security_levels.values())

    def _named(self, *kinds: str) -> set[str]:
        """The values of the holders of these kinds in schemes and levels."""
        every = [holder for lines in self._grants.values() for _, holder in lines]
        every += [holder for holders in (self._levels or {}).values() for holder in holders]
        return {each.value for each in every if each.kind in kinds}

    async def known(self, project: Row) -> None:
        """Reads the scheme of one project, if that was not done."""
        await self._read_grants(str(project.get("id")), str(project.get("key")))

    async def _read_grants(self, project: str, key: str = "") -> list[tuple[str, JiraHolder]]:
        if project not in self._grants:
            shown = key or str(self._projects.get(project, {}).get("key", project))
            self._grants[project] = await self._try_read(shown, self._api.grants(project), [])
        return self._grants[project]

    # what follows from it

    async def issue(self, row: Row) -> Acl:
        """Who may read an issue. row: with the fields ACL_FIELDS of indexer.sources.jira.documents, and `fields`."""
        clauses = [await self.having(BROWSE, row)]
        level = _field(row, "security")
        if "security" not in (row.get("fields") or {}) and await self._has_levels(row):
            clauses.append(NOBODY_CLAUSE)
        elif level:
            clauses.append(await self._in_level(level, row) if isinstance(level, dict) else NOBODY_CLAUSE)
        clauses += await self._restricted(row)
        return Acl(frozenset(clauses))

    async def _restricted(self, row: Row) -> list[Clause]:
        """Who has one of the roles that an issue is restricted to, if it is."""
        try:
            roles = restricting_roles(row.get("fields") or {})
        except Refused as error:
            self.note(f"{_field(row, 'project', 'key')}/restrictions of issues", error)
            return [NOBODY_CLAUSE]
        project = str(_field(row, "project", "id"))
        found = [await self._role(project, each, row) for each in roles]
        return [frozenset[Principal]().union(*found)] if roles else []

    async def _has_levels(self, row: Row) -> bool:
        """Whether an issue that does not tell its level may have one: a field that is hidden holds all the same."""
        project, key = str(_field(row, "project", "id")), _field(row, "project", "key")
        if project not in self._secured:
            path = f"{key}/security levels"
            self._secured[project] = await self._try_read(path, self._api.has_levels(project), otherwise=True)
            if self._secured[project]:
                self.note(path, "issues do not tell theirs: the field Security Level is hidden")
        return self._secured[project]

    async def having(self, permission: str, row: Row) -> Clause:
        """Who has a permission on an issue, whatever its level."""
        home = _field(row, "project")
        if not isinstance(home, dict) or not home.get("id"):
            return NOBODY_CLAUSE
        lines = await self._read_grants(str(home["id"]), str(home.get("key")))
        return await self._all([holder for name, holder in lines if name == permission], row)

    async def comment(self, row: Row, comment: Row, *, internal: bool) -> Acl | None:
        """Who of the issue's readers may read a comment; None: all of them."""
        clauses: list[Clause] = []
        if internal and self._options.internal_notes == "agents":
            clauses.append(await self.having(AGENT, row))
        visibility = comment.get("visibility")
        if visibility:
            clauses.append(await self._visible(visibility, row) if isinstance(visibility, dict) else NOBODY_CLAUSE)
        return Acl(frozenset(clauses)) if clauses else None

    async def _visible(self, visibility: Row, row: Row) -> Clause:
        holder, project = self._api.visible_to(visibility), str(_field(row, "project", "id"))
        if holder.kind == "group":
            return frozenset(self._group(holder.value))
        if project not in self._roles:
            path = f"{_field(row, 'project', 'key')}/roles"
            self._roles[project] = await self._try_read(path, self._api.roles(project), {})
        role = self._roles[project].get(holder.value)
        if not role:
            self.note(f"{_field(row, 'project', 'key')}/role {holder.value}", "the project does not tell of this role")
            return NOBODY_CLAUSE
        return frozenset(await self._role(project, role, row))

    async def _in_level(self, level: Row, row: Row) -> Clause:
        number, name = str(level.get("id")), str(level.get("name"))
        if self._levels is not None:
            return await self._all(self._levels.get(number, []), row)
        if name not in self._options.security_levels:
            self.note(f"security level {name}", "Data Center does not tell who is in it, and no setting does")
        return frozenset(each for name in self._options.security_levels.get(name, ()) for each in self._group(name))

    async def _all(self, holders: Iterable[JiraHolder], row: Row) -> Clause:
        found: set[Principal] = set()
        for each in holders:
            found |= await self._principals(each, row)
        return frozenset(found)

    async def _principals(self, holder: JiraHolder, row: Row) -> Set[Principal]:
        """The principals that a holder means on one issue."""
        if holder.kind == "projectRole":
            return await self._role(str(_field(row, "project", "id")), holder.value, row)
        if holder.kind == "projectLead":
            return await self._lead(row)
        known = self._KINDS.get(holder.kind)
        if known is None:
            self.note(f"holders of the kind {holder.kind[:60]}", "this kind is not known, so they are left out")
            return set()
        return known(self, holder, row)

    def _in_person(self, holder: JiraHolder, row: Row) -> set[Principal]:
        return self._account(self._api.account(_field(row, holder.kind)))

    def _in_field(self, holder: JiraHolder, row: Row) -> set[Principal]:
        value = _field(row, holder.value)
        every = value if isinstance(value, list) else [value]
        if holder.kind == "userCustomField":
            return {found for each in every for found in self._account(self._api.account(each))}
        return {found for each in every for found in self._group(self._api.group(each))}

    async def _role(self, project: str, role: str, row: Row) -> Set[Principal]:
        if (project, role) not in self._actors:
            path = f"{_field(row, 'project', 'key')}/role {role}"
            found: set[Principal] = set()
            for each in await self._try_read(path, self._api.actors(project, role), []):
                name = each.value
                if each.kind == BY_NAME and name not in self.names:  # the people need not have been read
                    self.names[name] = await self._try_read(f"user {name}", self._api.named(name), "")
                if each.kind == BY_NAME:
                    found |= self._account(self.names[name])
                else:
                    found |= self._account(name) if each.kind == "user" else self._group(name)
            self._actors[(project, role)] = frozenset(found)
        return self._actors[(project, role)]

    async def _lead(self, row: Row) -> Set[Principal]:
        project = str(_field(row, "project", "id"))
        if not isinstance(self._projects.get(project, {}).get("lead"), dict):
            self._projects[project] = await self._try_read(f"{project}/lead", self._api.project(project), {})
        return self._account(self._api.account(self._projects[project].get("lead")))

    @property
    def open_projects(self) -> list[str]:
        """Keys of projects that may be browsed by who is not logged in, as far as schemes were read."""
        holders = ((each, *line) for each, lines in self._grants.items() for line in lines)
        anyone = {each for each, name, holder in holders if name == BROWSE and holder.kind == "anyone"}
        return sorted(str(self._projects.get(each, {}).get("key", each)) for each in anyone)

    def _application(self, key: str) -> set[Principal]:
        if not key:
            return self._group(EVERY_USER)
        return {each for name in self.applications.get(key, ()) for each in self._group(name)}

    def _account(self, name: str) -> set[Principal]:
        return {account(self._source, name)} if name else set()

    def _group(self, name: str) -> set[Principal]:
        if not name:
            return set()
        return {group(self._source, name), *([ORG] if self.is_organisation(name) else ())}

    _KINDS: ClassVar[Mapping[str, Callable[["JiraPermissions", JiraHolder, Row], set[Principal]]]] = {
        # whoever reaches the site, which may be everybody or those in an office: the product does not tell
        "anyone": lambda self, *_: self._group(EVERY_USER) | ({PUBLIC, ORG} if self._options.open_to_all else set()),
        "group": lambda self, holder, _: self._group(holder.value),
        "user": lambda self, holder, _: self._account(holder.value),
        "applicationRole": lambda self, holder, _: self._application(holder.value),
        "reporter": _in_person,
        "assignee": _in_person,
        "userCustomField": _in_field,
        "groupCustomField": _in_field,
        "sd.customer.portal.only": lambda *_: set(),  # who sees the portal of a desk sees no issue in Jira
    }

    def is_organisation(self, name: str) -> bool:
        """Whether a group, by its id, holds everyone of the organisation."""
        return name in self._organisation or name in self._options.organisation_groups

    def called(self, number: str, name: str) -> None:
        """Tells the name of a group, by which operators may have configured it. number: its id."""
        if name in self._options.organisation_groups:
            self._organisation.add(number)


def _field(row: Row, *path: str) -> object:
    """A field of an issue, or something within it; None when it is not there."""
    found: object = row.get("fields")
    for name in path:
        found = found.get(name) if isinstance(found, dict) else None
    return found
