"""What a caller may see, for the answers to requests: sets worked out once a request, then compared."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

from tests.fakes.atlassian.records import Account, Attachment, Page, Readers, Space, User
from tests.fakes.atlassian.tracker_records import Holder, Issue, IssueComment, Project
from tests.fakes.atlassian.world import World

_OWN = {"reporter", "assignee", "userCustomField", "groupCustomField"}
"""Kinds of holders that differ from issue to issue."""


@dataclass
class Rights:
    """The rights of one caller. user: None without an account. account: None when it is asked about someone else."""

    world: World
    user: User | None
    account: Account | None = None
    _levels: dict[str, list[Holder]] = field(default_factory=dict)

    @cached_property
    def groups(self) -> frozenset[str]:
        """The names of all groups that the caller is in, up through those that contain them."""
        if self.user is None:
            return frozenset()
        found = {name for name, group in self.world.groups.items() if self.user.id in group.members}
        while more := {name for name, group in self.world.groups.items() if group.groups & found} - found:
            found |= more
        return frozenset(found)

    @property
    def id(self) -> str:
        """The caller's account id."""
        return self.user.id if self.user else ""

    @property
    def admin(self) -> bool:
        """Whether the caller may see how the site is set up."""
        return self.account is not None and self.account.admin

    @property
    def live(self) -> bool:
        """Whether it is an account that may log in, or none at all."""
        return self.user is None or (self.user.active and self.user.kind != "customer")

    def among(self, who: Readers) -> bool:
        """Whether the caller is one of these."""
        return who.everyone or self.id in who.users or bool(self.groups & who.groups)

    def _super(self) -> bool:
        return self.account is not None and self.account.sees_all

    # the wiki

    def wiki(self) -> bool:
        """May use Confluence."""
        if self.user is None:
            return self.world.wiki_anonymous
        return self.live and (self._super() or not self.groups.isdisjoint(self.world.wiki_groups))

    def space(self, space: Space) -> bool:
        """May view a space."""
        return self.wiki() and (self._super() or self.among(space.view))

    def page(self, page: Page) -> bool:
        """May view a page of any state, also in the trash."""
        if page.status == "draft" and page.author != self.id:
            return False
        return self.space(self.world.spaces[page.space]) and (self._super() or all(map(self.among, self._walls(page))))

    def _walls(self, page: Page) -> list[Readers]:
        lineage = [page, *ancestors(self.world, page)]
        return [each.readers for each in lineage if each.readers is not None]

    # the tracker

    def browse(self, project: Project) -> bool:
        """May know of a project: has Browse Projects whatever the issue, or might have it for one."""
        given = self._granted(project, "BROWSE_PROJECTS")
        return self.live and any(
            self._holds(each, project) or (each.kind in _OWN and self._some(project, each)) for each in given
        )

    def _some(self, project: Project, holder: Holder) -> bool:
        return any(
            self._holds(holder, project, each) for each in self.world.issues.values() if each.project == project.id
        )

    def issue(self, issue: Issue, permission: str = "BROWSE_PROJECTS") -> bool:
        """May do something, or view, an issue."""
        project = self.world.projects[issue.project]
        held = any(self._holds(each, project, issue) for each in self._granted(project, permission))
        return self.live and held and self.level(issue) and self.has_role(issue)

    def has_role(self, issue: Issue) -> bool:
        """Has one of the roles that an issue is restricted to, if it is."""
        given = self.world.projects[issue.project].roles
        wanted = issue.restricted_to
        return not wanted or any(self.among(given[each]) for each in wanted if each in given)

    def level(self, issue: Issue) -> bool:
        """Is in the issue's security level, if it has one."""
        if not issue.level:
            return True
        if issue.level not in self._levels:
            schemes = self.world.security.values()
            members = [
                member
                for each in schemes
                for level in each.levels.values()
                if level.id == issue.level
                for member in level.members
            ]
            self._levels[issue.level] = [holder for _, holder in members]
        project = self.world.projects[issue.project]
        return any(self._holds(each, project, issue) for each in self._levels[issue.level])

    def said(self, comment: IssueComment, issue: Issue) -> bool:
        """May view a comment of an issue that the caller may view."""
        if comment.internal and self.world.internal_notes == "agents" and not self.issue(issue, "SERVICEDESK_AGENT"):
            return False
        if comment.visibility is None:
            return True
        kind, name = comment.visibility
        if kind == "group":
            return name in self.groups
        roles = self.world.projects[issue.project].roles
        return any(self.world.roles[each].name == name and self.among(who) for each, who in roles.items())

    def _granted(self, project: Project, permission: str) -> list[Holder]:
        scheme = self.world.schemes[project.scheme]
        return [each.holder for each in scheme.grants if each.permission == permission]

    def _holds(self, holder: Holder, project: Project, issue: Issue | None = None) -> bool:
        if holder.kind == "anyone":
            return True
        if self.user is None:
            return False
        return self._kinds[holder.kind](holder.value, project, issue)

    @cached_property
    def _kinds(self) -> dict[str, Callable[[str, Project, Issue | None], bool]]:
        return {
            "user": lambda value, _project, _issue: value == self.id,
            "group": lambda value, _project, _issue: value in self.groups,
            "projectRole": lambda value, project, _issue: self.among(project.roles.get(value, Readers())),
            "projectLead": lambda _value, project, _issue: project.lead == self.id,
            "applicationRole": lambda value, _project, _issue: self._uses(value),
            "reporter": lambda _value, _project, issue: issue is not None and issue.reporter == self.id,
            "assignee": lambda _value, _project, issue: issue is not None and issue.assignee == self.id,
            "userCustomField": lambda value, _project, issue: self.id in _listed(issue, value),
            "groupCustomField": lambda value, _project, issue: not self.groups.isdisjoint(_listed(issue, value)),
        }

    def _uses(self, application: str) -> bool:
        found = self.world.applications
        wanted = [application] if application else list(found)
        return any(not self.groups.isdisjoint(found.get(each, ())) for each in wanted)


def _listed(issue: Issue | None, field: str) -> list[str]:
    value = issue.fields.get(field) if issue else None
    return [value] if isinstance(value, str) else list(value or [])


def ancestors(world: World, page: Page) -> list[Page]:
    """The pages above one, the highest first."""
    above = world.pages.get(page.parent)
    return [*ancestors(world, above), above] if above else []


def shows(rights: Rights, attachment: Attachment) -> bool:
    """May view an attachment of a page that is not in the trash."""
    page = rights.world.pages.get(attachment.owner)
    if attachment.status != "current" or page is None or page.status not in {"current", "archived"}:
        return False
    return rights.page(page)
