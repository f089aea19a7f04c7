"""Jira's users and groups over HTTP, in both flavours."""

from tests.fakes.atlassian.people import everyone_in, found_group, found_user, jira_group, jira_user
from tests.fakes.atlassian.records import AtlassianError, Body, User
from tests.fakes.atlassian.rights import Rights
from tests.fakes.atlassian.routing import Answer, Route, SiteRequest, jira_slice, page_bean, route


def administers(asked: SiteRequest, status: int = 403) -> None:
    """Raises unless the caller may see how the site is set up."""
    if asked.rights.user is None:
        raise AtlassianError(401, "You are not authenticated. Authentication required to perform this operation.")
    if not asked.rights.admin:
        raise AtlassianError(status, "You do not have permission to perform this operation.")


def members(asked: SiteRequest) -> Answer:
    """Who is in a group, through the groups within it."""
    administers(asked)
    found = found_group(asked, name=asked.one("groupname"), key=asked.one("groupId"))
    rows = [each for each in everyone_in(asked, found) if each.active or asked.flag("includeInactiveUsers")]
    return page_bean(asked, rows, lambda each: jira_user(asked, each.id), most=50)


def groups(asked: SiteRequest) -> Answer:
    """Cloud's groups."""
    administers(asked)
    return page_bean(asked, list(asked.world.groups.values()), lambda each: {"name": each.name, "groupId": each.id})


def pick_groups(asked: SiteRequest) -> Answer:
    """Groups with something in their name."""
    rows = [each for each in asked.world.groups.values() if asked.one("query").lower() in each.name.lower()]
    shown: list[Body] = [
        {"name": each.name, "html": each.name, "labels": []} for each in rows[: asked.whole("maxResults", 20, 1000)]
    ]
    if asked.cloud:
        shown = [row | {"groupId": asked.world.groups[row["name"]].id} for row in shown]
    return {"header": f"Showing {len(shown)} of {len(rows)} matching groups", "total": len(rows), "groups": shown}


def applications(asked: SiteRequest) -> Answer:
    """The application roles with their groups."""
    administers(asked)
    return [_application(asked, key, names) for key, names in asked.world.applications.items()]


def _application(asked: SiteRequest, key: str, names: list[str]) -> Body:
    shown: Body = {"key": key, "name": key, "groups": names, "defaultGroups": names, "selectedByDefault": True}
    if asked.cloud:
        shown["groupDetails"] = [jira_group(asked, each) for each in names if each in asked.world.groups]
    return shown | {"defined": True, "platform": False, "hasUnlimitedSeats": True, "numberOfSeats": -1, "userCount": 0}


def user_list(asked: SiteRequest, rows: list[User]) -> Answer:
    """A part of a list of users, without anything around it."""
    part = jira_slice(asked, rows, most=1000)
    return [jira_user(asked, each.id) for each in part.rows]


def user(asked: SiteRequest) -> Answer:
    """One user; with expand=groups the groups as well."""
    found = found_user(asked)
    shown = jira_user(asked, found.id) or {}
    if asked.expands("groups"):
        names = sorted(Rights(asked.world, found).groups)
        shown["groups"] = {"size": len(names), "items": [jira_group(asked, each) for each in names]}
    return shown


def users(asked: SiteRequest) -> Answer:
    """Cloud's users, all of them."""
    return user_list(asked, sorted(asked.world.users.values(), key=lambda each: each.id))


def many_users(asked: SiteRequest) -> Answer:
    """Cloud's users of some account ids."""
    wanted = asked.query.get("accountId", [])
    rows = [each for each in asked.world.users.values() if each.id in wanted]
    return page_bean(asked, rows, lambda each: jira_user(asked, each.id))


def find_users(asked: SiteRequest) -> Answer:
    """Active users whose name or visible e-mail has something in it; on Data Center a full stop finds all."""
    word = (asked.one("query") or asked.one("username")).lower()
    if word == "." and not asked.cloud:
        word = ""
    rows = [each for each in asked.world.users.values() if each.active and _named(asked, each, word)]
    return user_list(asked, sorted(rows, key=lambda each: each.name))


def _named(asked: SiteRequest, found: User, word: str) -> bool:
    mail = "" if found.hidden and asked.cloud else found.email
    return word in f"{found.name} {found.display} {mail}".lower()


def myself(asked: SiteRequest) -> Answer:
    """Who the caller is, with the time zone that JQL is read in."""
    shown = jira_user(asked, asked.rights.id)
    if shown is None:
        raise AtlassianError(401, "Client must be authenticated to access this resource.")
    return shown | {"locale": "en_US"}


_U, _M = "read:jira-user", "manage:jira-configuration"
_BOTH = [
    ("/group/member", members, _U),
    ("/groups/picker", pick_groups, _U),
    ("/applicationrole", applications, _M),
    ("/user", user, _U),
    ("/user/search", find_users, _U),
    ("/myself", myself, _U),
]
_CLOUD = [
    ("/group/bulk", groups, _U),
    ("/users/search", users, _U),
    ("/user/bulk", many_users, _U),
]
CLOUD: list[Route] = [route(f"/rest/api/3{path}", handler, scope) for path, handler, scope in [*_CLOUD, *_BOTH]]
DATA_CENTER: list[Route] = [route(f"/rest/api/2{path}", handler, "") for path, handler, _ in _BOTH]
