"""Users and groups as the products show them."""

from tests.fakes.atlassian.records import AtlassianError, Body, Group, User
from tests.fakes.atlassian.routing import SiteRequest


def wiki_user(asked: SiteRequest, user_id: str) -> Body:
    """A user as Confluence has it; one that is gone is unknown."""
    user = asked.world.users.get(user_id)
    if user is None:
        return {"type": "unknown", "displayName": "Anonymous"}
    if not asked.cloud:
        shown: Body = {"type": "known", "username": user.name, "userKey": user.key, "displayName": user.display}
        if asked.expands("status"):
            shown["status"] = "current" if user.active else "deactivated"
        return shown | {
            "_links": {"self": f"{asked.at.confluence}/rest/api/user?key={user.key}"},
            "_expandable": {"status": ""},
        }
    shown = {"type": "known", "accountId": user.id, "accountType": user.kind, "displayName": user.display}
    shown |= {"email": "" if user.hidden else user.email, "publicName": user.display, "isExternalCollaborator": False}
    return shown | {"_links": {"self": f"{asked.at.site}/wiki/rest/api/user?accountId={user.id}"}, "_expandable": {}}


def wiki_group(asked: SiteRequest, group: Group) -> Body:
    """A group as Confluence has it."""
    own = {"id": group.id} if asked.cloud else {}
    return {"type": "group", "name": group.name, **own, "_links": {}}


def jira_user(asked: SiteRequest, user_id: str) -> Body | None:
    """A user as Jira has it, in fields of issues and lists."""
    user = asked.world.users.get(user_id)
    if user is None:
        return None
    name = f"accountId={user.id}" if asked.cloud else f"username={user.name}"
    shown: Body = {"self": f"{asked.api}/user?{name}", "displayName": user.display, "active": user.active}
    shown |= {"timeZone": user.zone, "avatarUrls": {"48x48": f"{asked.site}/avatar/{user.name}.png"}}
    if not asked.cloud:
        return shown | {"name": user.name, "key": user.key, "emailAddress": user.email}
    shown |= {"accountId": user.id, "accountType": user.kind}
    return shown if user.hidden else shown | {"emailAddress": user.email}


def jira_group(asked: SiteRequest, name: str) -> Body:
    """A group as Jira has it."""
    group = asked.world.groups[name]
    own = {"groupId": group.id} if asked.cloud else {}
    key = f"groupId={group.id}" if asked.cloud else f"groupname={name}"
    return {"name": name, **own, "self": f"{asked.api}/group?{key}"}


def found_user(asked: SiteRequest) -> User:
    """The user that a request names by account id, key or name. Raises 404."""
    names = ("accountId",) if asked.cloud else ("key", "username")
    by, wanted = next(((each, asked.one(each)) for each in names if asked.one(each)), ("", ""))
    for user in asked.world.users.values():
        if wanted and wanted == {"accountId": user.id, "key": user.key, "username": user.name}[by]:
            return user
    raise AtlassianError(404, f"The user '{wanted}' does not exist")


def found_group(asked: SiteRequest, *, name: str = "", key: str = "") -> Group:
    """The group of a name or an id. Raises 404."""
    for group in asked.world.groups.values():
        if (name and group.name == name) or (key and group.id == key):
            return group
    raise AtlassianError(404, f"No group with name '{name or key}' exists.")


def everyone_in(asked: SiteRequest, group: Group) -> list[User]:
    """Who is in a group. Cloud knows no groups within groups: it has all of their people in each."""
    return asked.world.members(group.name, deep=asked.cloud or asked.world.nested)
