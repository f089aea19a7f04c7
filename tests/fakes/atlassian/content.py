"""Wiki content as Confluence's v1 shows it, on Data Center and in Cloud's searches: fields that were asked for only."""

from datetime import datetime
from urllib.parse import quote

from tests.fakes.atlassian.people import wiki_group, wiki_user
from tests.fakes.atlassian.records import Attachment, Body, Page, PageComment, Readers, Space, Version
from tests.fakes.atlassian.rights import ancestors
from tests.fakes.atlassian.routing import SiteRequest

Content = Page | PageComment | Attachment


def iso(at: datetime) -> str:
    """A time as Confluence writes it."""
    return at.strftime("%Y-%m-%dT%H:%M:%S.") + f"{at.microsecond // 1000:03}Z"


def kind(thing: Content) -> str:
    """The word for its type."""
    return thing.kind if isinstance(thing, Page) else "comment" if isinstance(thing, PageComment) else "attachment"


def page_of(asked: SiteRequest, thing: Content) -> Page:
    """The page that something is, or is on."""
    if isinstance(thing, Page):
        return thing
    return asked.world.pages[thing.page if isinstance(thing, PageComment) else thing.owner]


def space(asked: SiteRequest, found: Space) -> Body:
    """A space of v1."""
    shown: Body = {
        "id": int(found.id),
        "key": found.key,
        "name": found.name,
        "type": found.kind,
        "status": found.status.upper(),
    }
    shown |= {"_links": {"webui": f"/display/{found.key}", "self": f"{asked.at.confluence}/rest/api/space/{found.key}"}}
    if not asked.cloud:
        shown["status"] = found.status.upper()
    return shown | {"_expandable": {"homepage": f"/rest/api/content/{found.home}"}}


def version(asked: SiteRequest, found: Version) -> Body:
    """A version of v1."""
    shown: Body = {"by": wiki_user(asked, found.by), "when": iso(found.at), "message": found.message}
    return shown | {"number": found.number, "minorEdit": False}


def restriction(asked: SiteRequest, operation: str, who: Readers | None, start: int = 0, limit: int = 100) -> Body:
    """Who may do something with a page, as far as the page itself says so."""
    people = sorted(who.users if who else ())
    groups = sorted(each for each in (who.groups if who else ()) if each in asked.world.groups)
    shown = {
        "user": [wiki_user(asked, each) for each in people],
        "group": [wiki_group(asked, asked.world.groups[each]) for each in groups],
    }
    lists = {
        name: {
            "results": rows[start : start + limit],
            "start": start,
            "limit": limit,
            "size": len(rows[start : start + limit]),
        }
        for name, rows in shown.items()
    }
    return {"operation": operation, "restrictions": lists, "_expandable": {"content": ""}, "_links": {}}


def download(thing: Attachment) -> str:
    """The path of a file, from the context path on."""
    number = thing.versions[-1].number
    return f"/download/attachments/{thing.owner}/{quote(thing.name)}?version={number}&api=v2"


def content(asked: SiteRequest, thing: Content) -> Body:
    """A page, comment or attachment of v1, with what `expand` names."""
    last, page = thing.versions[-1], page_of(asked, thing)
    title = thing.name if isinstance(thing, Attachment) else last.title
    base = asked.at.confluence if not asked.cloud else f"{asked.at.site}/wiki"
    links = {"self": f"{base}/rest/api/content/{thing.id}", "webui": f"/spaces/{_key(asked, page)}/pages/{page.id}"}
    shown: Body = {"id": thing.id, "type": kind(thing), "status": thing.status, "title": title, "_links": links}
    if isinstance(thing, Attachment):
        links["download"] = download(thing)
        shown["metadata"] = {"mediaType": thing.media_type, "comment": thing.comment}
        shown["extensions"] = {"mediaType": thing.media_type, "fileSize": len(thing.content), "comment": thing.comment}
    if isinstance(thing, PageComment):
        shown["extensions"] = _place(thing)
    return shown | _expanded(asked, thing, page)


def _key(asked: SiteRequest, page: Page) -> str:
    return asked.world.spaces[page.space].key


def _place(comment: PageComment) -> Body:
    shown: Body = {"location": "resolved" if comment.resolution == "resolved" else comment.place}
    shown["resolution"] = {"status": comment.resolution}
    return shown | ({"inlineProperties": {"originalSelection": comment.selection}} if comment.place == "inline" else {})


def _expanded(asked: SiteRequest, thing: Content, page: Page) -> Body:
    last, first = thing.versions[-1], thing.versions[0]
    shown: Body = {}
    if asked.expands("version"):
        shown["version"] = version(asked, last)
    if asked.expands("space"):
        shown["space"] = space(asked, asked.world.spaces[page.space])
    if asked.expands("body.storage") and not isinstance(thing, Attachment):
        shown["body"] = {"storage": {"value": last.storage, "representation": "storage"}}
    if asked.expands("history"):
        shown["history"] = {"latest": True, "createdBy": wiki_user(asked, first.by), "createdDate": iso(first.at)}
        shown["history"]["lastUpdated"] = version(asked, last)
    if asked.expands("container"):
        shown["container"] = {"id": page.id, "type": page.kind, "status": page.status, "title": page.title}
    if asked.expands("ancestors"):
        shown["ancestors"] = _above(asked, thing)
    return shown | (_of_page(asked, thing) if isinstance(thing, Page) else {})


def _above(asked: SiteRequest, thing: Content) -> list[Body]:
    if isinstance(thing, PageComment):
        parent = asked.world.page_comments.get(thing.parent)
        return [{"id": parent.id, "type": "comment", "status": parent.status}] if parent else []
    if not isinstance(thing, Page):
        return []
    return [
        {"id": each.id, "type": each.kind, "status": each.status, "title": each.title}
        for each in ancestors(asked.world, thing)
    ]


def _of_page(asked: SiteRequest, page: Page) -> Body:
    shown: Body = {}
    if asked.expands("metadata.labels"):
        rows = [label(each) for each in page.labels]
        shown["metadata"] = {"labels": {"results": rows, "start": 0, "limit": 200, "size": len(rows)}}
    if asked.expands("restrictions"):
        named = [each.split(".")[1] for each in asked.many("expand") if each.startswith("restrictions.")]
        who = {"read": page.readers, "update": page.editors}
        shown["restrictions"] = {each: restriction(asked, each, who.get(each)) for each in named}
    return shown


def label(name: str) -> Body:
    """A label."""
    return {"prefix": "global", "name": name, "id": str(sum(name.encode())), "label": name}
