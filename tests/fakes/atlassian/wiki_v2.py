"""Confluence Cloud's v2: spaces and pages."""

import json
from collections.abc import Callable, Iterable

from tests.fakes.atlassian.content import iso
from tests.fakes.atlassian.records import AtlassianError, Body, Page, Space, User, Version
from tests.fakes.atlassian.rights import ancestors
from tests.fakes.atlassian.routing import Answer, Route, SiteRequest, by_cursor, route
from tests.fakes.atlassian.text import adf, storage_lines

_KINDS = {"pages": "page", "blogposts": "blogpost"}
_STATES = {"page": {"current", "archived", "deleted", "trashed"}, "blogpost": {"current", "deleted", "trashed"}}
_OF_FILES = {"current", "archived", "trashed"}


def missing() -> AtlassianError:
    """The answer to what is not there, or not for the caller."""
    return AtlassianError(404, "Not Found")


def version(found: Version) -> Body:
    """A version of v2."""
    return {
        "number": found.number,
        "createdAt": iso(found.at),
        "authorId": found.by,
        "message": found.message,
        "minorEdit": False,
    }


def body(asked: SiteRequest, value: str, given: Body | None = None) -> Body:
    """The body in the form that was asked for; given: its ADF, made of the storage format otherwise."""
    form = asked.one("body-format")
    if form == "storage":
        return {"storage": {"representation": "storage", "value": value}}
    if form == "atlas_doc_format":
        document = json.dumps(given or adf(*storage_lines(value)))
        return {"atlas_doc_format": {"representation": "atlas_doc_format", "value": document}}
    if form:
        raise AtlassianError(400, f"Provided value {{{form}}} for 'body-format' is not the correct type.")
    return {}


def _page(asked: SiteRequest, page: Page) -> Body:
    key = asked.world.spaces[page.space].key
    shown: Body = {
        "id": page.id,
        "status": page.status,
        "title": page.title,
        "spaceId": page.space,
        "authorId": page.author,
    }
    shown |= {"createdAt": iso(page.created), "version": version(page.version)}
    shown |= {
        "body": body(asked, page.version.storage, page.adf),
        "_links": {"webui": f"/spaces/{key}/pages/{page.id}"},
    }
    if page.kind == "page":
        shown |= {
            "parentId": page.parent or None,
            "parentType": "page" if page.parent else None,
            "position": page.position,
        }
        shown |= {"ownerId": page.author, "lastOwnerId": None}
    return shown


def _space(space: Space) -> Body:
    shown: Body = {"id": space.id, "key": space.key, "name": space.name, "type": space.kind, "status": space.status}
    shown |= {
        "authorId": space.author,
        "homepageId": space.home,
        "createdAt": iso(space.created) if space.created else None,
    }
    return shown | {"_links": {"webui": f"/spaces/{space.key}"}}


def one_page(asked: SiteRequest) -> Page:
    """The page or blog post that a path names. Raises 404, also when the caller may not view it."""
    found = asked.world.pages.get(asked.params["id"])
    kind = _KINDS[asked.params["kind"]]
    if found is None or found.kind != kind or found.status == "deleted" or not asked.rights.page(found):
        raise missing()
    return found


def one_space(asked: SiteRequest) -> Space:
    """The space that a path names. Raises 404."""
    found = asked.world.spaces.get(asked.params["id"])
    if found is None or not asked.rights.space(found):
        raise missing()
    return found


def wanted_states(asked: SiteRequest, *default: str, kind: str = "") -> set[str]:
    """The states that are asked for: of pages, blog posts, or of files without a kind. Raises 400 for others."""
    found = set(asked.many("status")) or set(default)
    wrong = sorted(found - _STATES.get(kind, _OF_FILES))
    if wrong:
        raise AtlassianError(400, f"Provided value {{{wrong[0]}}} for 'status' is not the correct type.")
    return found


def _listed(asked: SiteRequest, rows: Iterable[Page], kind: str) -> Answer:
    default = ("current", "archived") if kind == "page" else ("current",)
    states, ids, title = wanted_states(asked, *default, kind=kind), set(asked.many("id")), asked.one("title")
    homes = set(asked.many("space-id"))
    found = [
        page
        for page in rows
        if page.kind == kind and page.status in states and (not ids or page.id in ids) and title in ("", page.title)
        if (not homes or page.space in homes) and asked.rights.page(page)
    ]
    return by_cursor(asked, _sorted(asked, found), lambda each: _page(asked, each))


def _sorted(asked: SiteRequest, rows: list[Page]) -> list[Page]:
    name = asked.one("sort", "id")
    places: dict[str, Callable[[Page], object]] = {
        "id": lambda page: int(page.id),
        "title": lambda page: page.title,
        "created-date": lambda page: page.created,
        "modified-date": lambda page: page.version.at,
    }
    if name.removeprefix("-") not in places:
        raise AtlassianError(400, "Provided value for 'sort' is not the correct type.")
    return sorted(rows, key=places[name.removeprefix("-")], reverse=name.startswith("-"))  # type: ignore[arg-type]


def pages(asked: SiteRequest) -> Answer:
    """Pages or blog posts of all spaces."""
    return _listed(asked, asked.world.pages.values(), _KINDS[asked.params["kind"]])


def page(asked: SiteRequest) -> Answer:
    """One page or blog post."""
    found = one_page(asked)
    shown = _page(asked, found)
    if asked.flag("include-labels"):
        shown["labels"] = {"results": [_label(each) for each in found.labels], "meta": {"hasMore": False}, "_links": {}}
    return shown


def above(asked: SiteRequest) -> Answer:
    """The pages above one, the highest first."""
    return by_cursor(asked, ancestors(asked.world, one_page(asked)), lambda each: {"id": each.id, "type": each.kind})


def _label(name: str) -> Body:
    return {"id": str(sum(name.encode())), "name": name, "prefix": "global"}


def spaces(asked: SiteRequest) -> Answer:
    """Spaces that the caller may view."""
    ids, keys, kinds, states = (set(asked.many(each)) for each in ("ids", "keys", "type", "status"))
    rows = [each for each in asked.world.spaces.values() if asked.rights.space(each)]
    rows = [each for each in rows if (not ids or each.id in ids) and (not keys or each.key in keys)]
    rows = [each for each in rows if (not kinds or each.kind in kinds) and (not states or each.status in states)]
    return by_cursor(asked, rows, _space)


def permissions(asked: SiteRequest) -> Answer:
    """Who may do what in a space. Anonymous access is not among it."""
    found = one_space(asked)
    groups = sorted(each for each in found.view.groups if each in asked.world.groups)
    rows = [("group", asked.world.groups[each].id, "read") for each in groups]
    rows += [("user", each, "read") for each in sorted(found.view.users)]
    rows += [("user", found.author, "administer")] if found.author else []
    return by_cursor(asked, [(found.id, *each) for each in rows], _permission)


def users(asked: SiteRequest) -> Answer:
    """The accounts of some ids, with their state; no more than 250."""
    ids = asked.given("accountIds")
    if not isinstance(ids, list) or not 0 < len(ids) <= 250:
        raise AtlassianError(400, "Provided value for 'accountIds' is not the correct type.")
    found = [asked.world.users[each] for each in ids if each in asked.world.users]
    return {"results": [_user(each) for each in found], "_links": {"base": f"{asked.at.site}/wiki"}}


def _user(found: User) -> Body:
    shown: Body = {"accountId": found.id, "accountType": found.kind, "publicName": found.display}
    shown |= {"displayName": found.display, "email": "" if found.hidden else found.email}
    return shown | {"accountStatus": "active" if found.active else "inactive", "isExternalCollaborator": False}


def _permission(row: tuple[str, str, str, str]) -> Body:
    space_id, kind, who, operation = row
    # the permission's own id is opaque: it is made of what it says
    shown: Body = {"id": f"{space_id}-{kind}-{who}-{operation}", "principal": {"type": kind, "id": who}}
    return shown | {"operation": {"key": operation, "targetType": "space"}}


_P, _S = "read:page:confluence", "read:space:confluence"
BASE = "/wiki/api/v2"
KIND = "(?P<kind>pages|blogposts)"

ROUTES: list[Route] = [
    route(f"{BASE}/spaces", spaces, _S),
    route(f"{BASE}/spaces/{{id}}/permissions", permissions, _S),
    route(f"{BASE}/users-bulk", users, "read:user:confluence", "POST"),
    route(f"{BASE}/{KIND}", pages, _P),
    route(f"{BASE}/{KIND}/{{id}}", page, _P),
    route(f"{BASE}/{KIND}/{{id}}/ancestors", above, "read:content.metadata:confluence"),
]
