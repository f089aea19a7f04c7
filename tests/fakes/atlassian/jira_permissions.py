"""Jira's answers to who may do what, in both flavours."""

from tests.fakes.atlassian.jira import by_name, found_project
from tests.fakes.atlassian.jira_people import administers, user_list
from tests.fakes.atlassian.records import AtlassianError, Body
from tests.fakes.atlassian.rights import Rights
from tests.fakes.atlassian.routing import Answer, Route, SiteRequest, route
from tests.fakes.atlassian.tracker import AGENT, BROWSE

NAMES = {BROWSE: ("10", "Browse Projects", "PROJECT"), AGENT: ("-1", "Service Project Agent", "PROJECT")}
NAMES |= {"ADMINISTER": ("0", "Administer Jira", "GLOBAL"), "USER_PICKER": ("27", "Browse Users", "GLOBAL")}
NAMES |= {"ADMINISTER_PROJECTS": ("23", "Administer Projects", "PROJECT")}


def _permission(name: str) -> Body:
    number, words, kind = NAMES[name]
    return {"id": number, "key": name, "name": words, "type": kind, "description": ""}


def permissions(asked: SiteRequest) -> Answer:
    """All permissions that there are."""
    administers(asked)
    return {"permissions": {name: _permission(name) for name in NAMES}}


def _may(asked: SiteRequest, rights: Rights, name: str) -> bool:
    key, project = asked.one("issueKey") or asked.one("issueId"), asked.one("projectKey") or asked.one("projectId")
    if name not in {BROWSE, AGENT}:
        return rights.admin
    if key:
        found = by_name(asked, key)
        if found is None:
            raise AtlassianError(404, "Issue does not exist or you do not have permission to see it.")
        return rights.issue(found, name)
    if project:
        return name == BROWSE and rights.browse(found_project(asked, project))
    return any(rights.browse(each) for each in asked.world.projects.values())


def my_permissions(asked: SiteRequest) -> Answer:
    """Which permissions the caller has, at all, in a project or on an issue. Cloud must be told which ones."""
    wanted = asked.many("permissions")
    if asked.cloud and not wanted:
        raise AtlassianError(400, "The 'permissions' query parameter is required.")
    if not set(wanted) <= set(NAMES):
        raise AtlassianError(400, f"Unrecognized permission: {', '.join(sorted(set(wanted) - set(NAMES)))}")
    rows = {name: _permission(name) | {"havePermission": _may(asked, asked.rights, name)} for name in wanted or NAMES}
    return {"permissions": rows}


def check(asked: SiteRequest) -> Answer:
    """Which of some issues and projects a user has permissions on; for another user, administrators may ask."""
    who = asked.given("accountId")
    if who and who != asked.rights.id:
        administers(asked)
    rights = Rights(asked.world, asked.world.users.get(who)) if who else asked.rights
    rows: list[Body] = []
    for wanted in asked.given("projectPermissions") or []:
        held = [asked.world.issues.get(str(each)) for each in wanted.get("issues", [])]
        homes = [asked.world.projects.get(str(each)) for each in wanted.get("projects", [])]
        for name in wanted["permissions"]:
            seen = [int(each.id) for each in held if each and rights.issue(each, name)]
            known = [int(each.id) for each in homes if each and name == BROWSE and rights.browse(each)]
            rows.append({"permission": name, "issues": seen, "projects": known})
    return {"globalPermissions": [], "projectPermissions": rows}


def who_may(asked: SiteRequest) -> Answer:
    """Active users who have a permission on an issue or in a project."""
    administers(asked)
    names = [BROWSE if each == "BROWSE" else each for each in asked.many("permissions")]
    if not names or not set(names) <= set(NAMES):
        raise AtlassianError(400, "The permissions parameter is not valid.")
    rows = [each for each in asked.world.users.values() if each.active]
    held = [each for each in rows if all(_may(asked, Rights(asked.world, each), name) for name in names)]
    return user_list(asked, sorted(held, key=lambda each: each.name))


_W, _M = "read:jira-work", "manage:jira-configuration"
_BOTH = [
    ("/permissions", permissions, _M),
    ("/mypermissions", my_permissions, _W),
    ("/user/permission/search", who_may, "read:jira-user"),
]
CLOUD: list[Route] = [
    route("/rest/api/3/permissions/check", check, _W, "POST"),
    *(route(f"/rest/api/3{path}", handler, scope) for path, handler, scope in _BOTH),
]
DATA_CENTER: list[Route] = [route(f"/rest/api/2{path}", handler, "") for path, handler, _ in _BOTH]
