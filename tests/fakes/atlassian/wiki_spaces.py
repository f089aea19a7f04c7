"""Spaces and people as Confluence's v1 has them."""

from tests.fakes.atlassian.content import space
from tests.fakes.atlassian.people import everyone_in, found_group, found_user, wiki_group, wiki_user
from tests.fakes.atlassian.records import AtlassianError, Body, Space, User
from tests.fakes.atlassian.routing import Answer, SiteRequest, by_offset


def found_space(asked: SiteRequest) -> Space:
    """The space of a key. Raises 404."""
    for each in asked.world.spaces.values():
        if each.key == asked.params["key"] and asked.rights.space(each):
            return each
    raise AtlassianError(404, f"No space with key : {asked.params['key']}")


def spaces(asked: SiteRequest) -> Answer:
    """Spaces that the caller may view."""
    keys, kind, status = asked.many("spaceKey"), asked.one("type"), asked.one("status").lower()
    rows = [each for each in asked.world.spaces.values() if asked.rights.space(each) and (not keys or each.key in keys)]
    rows = [each for each in rows if kind in ("", each.kind) and status in ("", each.status)]
    return by_offset(asked, sorted(rows, key=lambda each: each.key), lambda each: space(asked, each))


def space_permissions(asked: SiteRequest) -> Answer:
    """All permissions of a space, each with its one subject and none for anonymous. For its administrators."""
    found = found_space(asked)
    if not asked.rights.admin:
        raise AtlassianError(403, "The user does not have permission to administer the space")
    world, view = asked.world, found.view
    subjects: list[Body | None] = [{"type": "group", "name": each} for each in sorted(view.groups)]
    subjects += [{"type": "user", "userKey": world.users[each].key} for each in sorted(view.users)]
    subjects += [None] if view.everyone else []
    about = {"spaceKey": found.key, "spaceId": int(found.id)}
    read = {"operation": {"targetType": "space", "operationKey": "read"}}
    rows = [read | ({"subject": each} if each else {}) | about for each in subjects]
    owner = world.users.get(found.author)
    if owner:
        administer = {"operation": {"targetType": "space", "operationKey": "administer"}}
        rows.append(administer | {"subject": {"type": "user", "userKey": owner.key}} | about)
    return rows


def groups(asked: SiteRequest) -> Answer:
    """All groups."""
    rows = sorted(asked.world.groups.values(), key=lambda each: each.name)
    return by_offset(asked, rows, lambda each: wiki_group(asked, each))


def members(asked: SiteRequest) -> Answer:
    """Who is in a group."""
    key = asked.params.get("group", "") if asked.cloud else ""
    name = asked.one("name") if asked.cloud else asked.params["group"]
    found = found_group(asked, name="" if key else name, key=key)
    return by_offset(asked, everyone_in(asked, found), lambda each: wiki_user(asked, each.id))


def user(asked: SiteRequest) -> Answer:
    """One user."""
    return wiki_user(asked, found_user(asked).id)


def users(asked: SiteRequest) -> Answer:
    """All users, on Data Center."""
    rows: list[User] = sorted(asked.world.users.values(), key=lambda each: each.name)
    return by_offset(asked, rows, lambda each: wiki_user(asked, each.id))


def profile(asked: SiteRequest) -> Answer:
    """Data Center's profile of a user for mobile clients, the one place where it shows an e-mail."""
    asked.query = {"username": [asked.params["name"]]}
    found = found_user(asked)
    return {"userName": found.name, "fullName": found.display, "email": found.email, "anonymous": False}


def current(asked: SiteRequest) -> Answer:
    """Who the caller is."""
    return wiki_user(asked, asked.rights.id) if asked.rights.user else {"type": "anonymous", "displayName": "Anonymous"}
