"""What the products' rules say of who may read what, thing by thing. It shares nothing with what answers requests."""

from typing import TYPE_CHECKING

from tests.fakes.atlassian.records import Attachment, Page, PageComment, Readers, Space, User
from tests.fakes.atlassian.tracker_records import Holder, Issue, IssueComment, Project

if TYPE_CHECKING:
    from tests.fakes.atlassian.world import World


def may_read(world: "World", user: User | None, thing: object) -> bool:
    """Whether a person, or anyone without an account for None, may read a thing of the wiki or of the tracker."""
    if user is not None and (not user.active or user.kind == "customer"):
        return False
    if isinstance(thing, Attachment):
        home = (world.pages if thing.id.startswith("att") else world.issues).get(thing.owner)
        return thing.status == "current" and home is not None and may_read(world, user, home)
    if isinstance(thing, Space):
        enters = world.wiki_anonymous if user is None else any(_in(world, user, each) for each in world.wiki_groups)
        return enters and _among(world, user, thing.view)
    if isinstance(thing, Page | PageComment):
        page = thing if isinstance(thing, Page) else world.pages.get(thing.page)
        gone = isinstance(thing, PageComment) and thing.id not in world.page_comments
        return page is not None and not gone and _page(world, user, page)
    if isinstance(thing, Project):
        return _granted(world, user, thing, None, "BROWSE_PROJECTS")
    if not isinstance(thing, Issue | IssueComment):
        raise TypeError(f"nothing to read: {thing!r}")
    return _issue(world, user, thing) if isinstance(thing, Issue) else _said(world, user, thing)


def _in(world: "World", user: User | None, group: str, seen: frozenset[str] = frozenset()) -> bool:
    if user is None or group not in world.groups or group in seen:
        return False
    here = world.groups[group]
    return user.id in here.members or any(_in(world, user, inner, seen | {group}) for inner in here.groups)


def _among(world: "World", user: User | None, who: Readers) -> bool:
    if who.everyone or (user is not None and user.id in who.users):
        return True
    return any(_in(world, user, one) for one in who.groups)


def _page(world: "World", user: User | None, page: Page) -> bool:
    own_draft = page.status == "draft" and user is not None and user.id == page.author
    if (page.status not in {"current", "archived"} and not own_draft) or page.id not in world.pages:
        return False
    at: Page | None = page
    while at is not None:
        if at.readers is not None and not _among(world, user, at.readers):
            return False
        at = world.pages.get(at.parent)
    return may_read(world, user, world.spaces[page.space])


def _holders(world: "World", project: Project, issue: Issue | None, holder: Holder) -> Readers:
    value = issue.fields.get(holder.value) if issue else None
    listed = {value} if isinstance(value, str) else set(value or ())
    applications = {holder.value} if holder.value else set(world.applications)
    return {
        "anyone": Readers(everyone=True),
        "user": Readers({holder.value}),
        "group": Readers(groups={holder.value}),
        "projectRole": project.roles.get(holder.value, Readers()),
        "projectLead": Readers({project.lead}),
        "applicationRole": Readers(
            groups={group for each in applications for group in world.applications.get(each, ())}
        ),
        "reporter": Readers({issue.reporter} if issue else set()),
        "assignee": Readers({issue.assignee} if issue else set()),
        "userCustomField": Readers(listed),
        "groupCustomField": Readers(groups=listed),
    }[holder.kind]


def _granted(world: "World", user: User | None, project: Project, issue: Issue | None, permission: str) -> bool:
    grants = [each for each in world.schemes[project.scheme].grants if each.permission == permission]
    return any(_among(world, user, _holders(world, project, issue, each.holder)) for each in grants)


def _issue(world: "World", user: User | None, issue: Issue, permission: str = "BROWSE_PROJECTS") -> bool:
    project = world.projects[issue.project]
    if issue.id not in world.issues or not _granted(world, user, project, issue, permission):
        return False
    roles = [project.roles.get(each, Readers()) for each in issue.restricted_to]
    if roles and not any(_among(world, user, each) for each in roles):
        return False
    levels = [each.levels[issue.level] for each in world.security.values() if issue.level in each.levels]
    members = [member for each in levels for member in each.members]
    return not issue.level or any(_among(world, user, _holders(world, project, issue, each)) for _, each in members)


def _said(world: "World", user: User | None, comment: IssueComment) -> bool:
    issue = world.issues.get(comment.issue)
    if issue is None or comment not in issue.comments or not _issue(world, user, issue):
        return False
    if comment.internal and world.internal_notes == "agents" and not _issue(world, user, issue, "SERVICEDESK_AGENT"):
        return False
    kind, name = comment.visibility or ("", "")
    if kind == "role":
        roles = world.projects[issue.project].roles.items()
        return any(_among(world, user, who) for each, who in roles if world.roles[each].name == name)
    return kind == "" or _in(world, user, name)
