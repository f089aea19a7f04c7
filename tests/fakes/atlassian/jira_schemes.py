"""Jira's permission schemes, project roles and security levels over HTTP, in both flavours."""

from tests.fakes.atlassian.jira import found_project
from tests.fakes.atlassian.jira_people import administers
from tests.fakes.atlassian.records import AtlassianError, Body
from tests.fakes.atlassian.routing import Answer, Route, SiteRequest, page_bean, route
from tests.fakes.atlassian.tracker_records import Grant, Holder, Level, PermissionScheme, SecurityScheme


def holder(asked: SiteRequest, found: Holder) -> Body:
    """A holder as its type, parameter and value."""
    shown: Body = {"type": found.kind}
    parameter = value = found.value
    if found.kind == "group":
        group = asked.world.groups.get(found.value)
        value = group.id if group else found.value
        shown["expand"] = "group"
    elif found.kind == "user":
        parameter = value = found.value if asked.cloud else asked.world.users[found.value].key
        shown["expand"] = "user"
    if found.value:
        shown["parameter"] = parameter
        if asked.cloud:
            shown["value"] = value
    return shown


def _grant(asked: SiteRequest, scheme: PermissionScheme, found: Grant) -> Body:
    url = f"{asked.api}/permissionscheme/{scheme.id}/permission/{found.id}"
    return {"id": found.id, "self": url, "holder": holder(asked, found.holder), "permission": found.permission}


def _scheme(asked: SiteRequest, found: PermissionScheme) -> Body:
    shown: Body = {
        "id": found.id,
        "name": found.name,
        "description": "",
        "expand": "permissions,user,group,projectRole,field,all",
    }
    shown["self"] = f"{asked.api}/permissionscheme/{found.id}"
    if asked.expands("permissions") or asked.expands("all"):
        shown["permissions"] = [_grant(asked, found, each) for each in found.grants]
    return shown


def project_scheme(asked: SiteRequest) -> Answer:
    """The permission scheme of a project."""
    administers(asked)
    found = found_project(asked, asked.params["project"])
    return _scheme(asked, asked.world.schemes[found.scheme])


# roles


def roles(asked: SiteRequest) -> Answer:
    """The roles of a project with their addresses."""
    administers(asked, 404)
    found = found_project(asked, asked.params["project"])
    return {each.name: f"{asked.api}/project/{found.id}/role/{each.id}" for each in asked.world.roles.values()}


def role(asked: SiteRequest) -> Answer:
    """Who is in a role of a project."""
    administers(asked, 404)
    project, found = found_project(asked, asked.params["project"]), asked.world.roles.get(asked.params["role"])
    if found is None:
        raise AtlassianError(404, f"Can not find a role actor for role {asked.params['role']}.")
    who = project.roles.get(found.id)
    groups = [each for each in sorted(who.groups if who else ()) if each in asked.world.groups]
    actors = [_group_actor(asked, number, each) for number, each in enumerate(groups, 10100)]
    actors += [_user_actor(asked, number, each) for number, each in enumerate(sorted(who.users if who else ()), 10500)]
    shown: Body = {"self": f"{asked.api}/project/{project.id}/role/{found.id}", "name": found.name, "id": int(found.id)}
    return shown | {"description": "", "actors": actors}


def _group_actor(asked: SiteRequest, number: int, name: str) -> Body:
    group: Body = {"name": name, "displayName": name}
    if asked.cloud:
        group["groupId"] = asked.world.groups[name].id
    return {"id": number, "displayName": name, "type": "atlassian-group-role-actor", "name": name, "actorGroup": group}


def _user_actor(asked: SiteRequest, number: int, user_id: str) -> Body:
    user = asked.world.users[user_id]
    shown: Body = {"id": number, "displayName": user.display, "type": "atlassian-user-role-actor"}
    return shown | ({"actorUser": {"accountId": user.id}} if asked.cloud else {"name": user.name})


# security levels


def _level(asked: SiteRequest, found: Level, scheme: SecurityScheme) -> Body:
    shown: Body = {
        "self": f"{asked.api}/securitylevel/{found.id}",
        "id": found.id,
        "name": found.name,
        "description": "",
    }
    return shown | (
        {"isDefault": found.id == scheme.default, "issueSecuritySchemeId": scheme.id} if asked.cloud else {}
    )


def _security(asked: SiteRequest, found: SecurityScheme, *, levels: bool = True) -> Body:
    shown: Body = {
        "self": f"{asked.api}/issuesecurityschemes/{found.id}",
        "id": int(found.id),
        "name": found.name,
        "description": "",
    }
    if found.default:
        shown["defaultSecurityLevelId"] = int(found.default)
    return shown | ({"levels": [_level(asked, each, found) for each in found.levels.values()]} if levels else {})


def _one_security(asked: SiteRequest, number: str) -> SecurityScheme:
    found = asked.world.security.get(number)
    if found is None:
        raise AtlassianError(404, "The issue security scheme does not exist.")
    return found


def project_security(asked: SiteRequest) -> Answer:
    """The security scheme of a project. Raises 404 when it has none."""
    administers(asked)
    return _security(asked, _one_security(asked, found_project(asked, asked.params["project"]).security))


def securities(asked: SiteRequest) -> Answer:
    """All security schemes."""
    administers(asked)
    return {"issueSecuritySchemes": [_security(asked, each, levels=False) for each in asked.world.security.values()]}


def security(asked: SiteRequest) -> Answer:
    """One security scheme with its levels."""
    administers(asked)
    return _security(asked, _one_security(asked, asked.params["scheme"]))


def level_members(asked: SiteRequest) -> Answer:
    """Who is in levels of all schemes, on Cloud."""
    administers(asked)
    schemes_wanted, wanted = asked.many("schemeId"), asked.many("levelId")
    rows = [
        (scheme.id, level.id, *each)
        for scheme in asked.world.security.values()
        for level in scheme.levels.values()
        for each in level.members
        if (not schemes_wanted or scheme.id in schemes_wanted) and (not wanted or level.id in wanted)
    ]
    return page_bean(asked, rows, lambda row: _member(asked, *row))


def _member(asked: SiteRequest, scheme: str, level: str, number: int, found: Holder) -> Body:
    shown: Body = {"id": str(number), "issueSecuritySchemeId": scheme, "issueSecurityLevelId": level}
    return shown | {"holder": holder(asked, found)}


_W, _M = "read:jira-work", "manage:jira-configuration"
_BOTH = [
    ("/project/{project}/permissionscheme", project_scheme, _M),
    ("/project/{project}/role", roles, _W),
    ("/project/{project}/role/{role}", role, _W),
    ("/project/{project}/issuesecuritylevelscheme", project_security, _M),
    ("/issuesecurityschemes", securities, _M),
    ("/issuesecurityschemes/{scheme}", security, _M),
]
_CLOUD = [("/issuesecurityschemes/level/member", level_members, _M)]
CLOUD: list[Route] = [route(f"/rest/api/3{path}", handler, scope) for path, handler, scope in [*_CLOUD, *_BOTH]]
DATA_CENTER: list[Route] = [route(f"/rest/api/2{path}", handler, "") for path, handler, _ in _BOTH]
