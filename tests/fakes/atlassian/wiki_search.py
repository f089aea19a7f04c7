"""CQL: which content a caller finds."""

from collections.abc import Callable
from functools import partial
from typing import Any

from tests.fakes.atlassian import query
from tests.fakes.atlassian.content import Content, content, kind, page_of
from tests.fakes.atlassian.records import AtlassianError, Attachment, Body
from tests.fakes.atlassian.routing import Answer, SiteRequest, by_cursor, by_offset

_ORDERS = {"lastmodified", "created", "title"}


def found(asked: SiteRequest) -> list[Content]:
    """What a request's CQL finds: current content that the caller may view. Archived spaces only when asked for."""
    cql = query.parse(asked.one("cql"))
    if not asked.one("cql"):
        raise AtlassianError(400, "The cql parameter is required")
    for name in cql.order:
        if name not in _ORDERS:
            raise AtlassianError(400, f"Could not parse cql : {asked.one('cql')}")
    ids = {id_ for clause in cql.clauses if clause.field == "id" for id_ in clause.values}
    world = asked.world
    every: list[Content] = [*world.pages.values(), *world.page_comments.values(), *world.attachments.values()]
    if ids and len(cql.clauses) == 1:
        every = [each for each in every if each.id in ids]
    rows = [each for each in every if cql.holds(partial(_fits, asked, each)) and _seen(asked, each)]
    for name in reversed(cql.order):
        rows.sort(key=partial(_place, name))
    return rows


def _seen(asked: SiteRequest, thing: Content) -> bool:
    page = page_of(asked, thing)
    old = asked.world.spaces[page.space].status == "archived"
    if page.status != "current" or thing.status != "current" or (old and not asked.flag("includeArchivedSpaces")):
        return False
    return thing.versions[-1].at <= asked.world.now - asked.world.index_lag and asked.rights.page(page)


def _zone(asked: SiteRequest) -> str:
    if asked.cloud or asked.rights.user is None:
        return asked.world.site_zone
    return asked.rights.user.zone


def _fits(asked: SiteRequest, thing: Content, clause: query.Clause) -> bool:
    page = page_of(asked, thing)
    if clause.field in {"lastmodified", "created"}:
        limit = query.moment(clause.values[0], _zone(asked))
        if limit is None:
            raise AtlassianError(400, f"Could not parse cql : the value {clause.values[0]} is not a date")
        return query.compared(clause, thing.versions[-1 if clause.field == "lastmodified" else 0].at, limit)
    words = {
        "space": asked.world.spaces[page.space].key,
        "type": kind(thing),
        "id": thing.id,
        "title": _title(thing),
        "container": page.id,
    }
    if clause.field not in words:
        raise AtlassianError(400, f"Could not parse cql : no field {clause.field}")
    return query.matches(clause, words[clause.field])


def _title(thing: Content) -> str:
    return thing.name if isinstance(thing, Attachment) else thing.versions[-1].title


def _place(name: str, thing: Content) -> Any:
    last, first = thing.versions[-1], thing.versions[0]
    return {"lastmodified": last.at, "created": first.at, "title": _title(thing)}[name]


def _listed(asked: SiteRequest, shown: Callable[[Content], Body]) -> Body:
    most = 50 if asked.expands("body") else 250
    rows = found(asked)
    if not asked.cloud:
        return by_offset(asked, rows, shown, most=most) | {"totalSize": len(rows)}
    page = by_cursor(asked, rows, shown, most=most)
    asked.headers.pop("Link", None)
    links = page["_links"] | {"context": "/wiki", "self": f"{asked.at.site}{asked.again()}"}
    if "next" in links:
        links["next"] = links["next"].removeprefix("/wiki")
    limit = asked.whole("limit", 25, most)
    return page | {"_links": links, "start": 0, "limit": limit, "size": len(page["results"]), "totalSize": len(rows)}


def search_content(asked: SiteRequest) -> Answer:
    """/content/search: content."""
    return _listed(asked, lambda each: content(asked, each))
