"""Confluence Cloud's v2: comments and files."""

from tests.fakes.atlassian.content import download, iso
from tests.fakes.atlassian.records import Attachment, Body, Page, PageComment
from tests.fakes.atlassian.rights import shows
from tests.fakes.atlassian.routing import Answer, Route, SiteRequest, by_cursor, route
from tests.fakes.atlassian.wiki_v2 import BASE, KIND, body, missing, one_page, version


def _comment(asked: SiteRequest, comment: PageComment) -> Body:
    last = comment.versions[-1]
    kind = asked.world.pages[comment.page].kind
    home = {"blogPostId" if kind == "blogpost" else "pageId": comment.page}
    shown: Body = {"id": comment.id, "status": comment.status, "title": last.title, **home, "version": version(last)}
    shown |= {
        "body": body(asked, last.storage),
        "_links": {"webui": f"/spaces/x/pages/{comment.page}?focusedCommentId={comment.id}"},
    }
    if comment.parent:
        shown["parentCommentId"] = comment.parent
    if comment.place == "inline":
        shown |= {"resolutionStatus": comment.resolution, "properties": {"inlineOriginalSelection": comment.selection}}
    return shown


def comments(asked: SiteRequest) -> Answer:
    """Comments on a page, without the answers to them."""
    found, place = one_page(asked), asked.params["place"]
    states = set(asked.many("resolution-status"))
    rows = [each for each in asked.world.page_comments.values() if (each.page, each.place) == (found.id, place)]
    rows = [each for each in rows if not each.parent and (not states or each.resolution in states)]
    return by_cursor(asked, rows, lambda each: _comment(asked, each))


def _one_comment(asked: SiteRequest) -> PageComment:
    found = asked.world.page_comments.get(asked.params["id"])
    if found is None or found.place != asked.params["place"] or not asked.rights.page(asked.world.pages[found.page]):
        raise missing()
    return found


def answers(asked: SiteRequest) -> Answer:
    """What answers a comment."""
    over = _one_comment(asked)
    rows = [each for each in asked.world.page_comments.values() if each.parent == over.id]
    return by_cursor(asked, rows, lambda each: _comment(asked, each))


def all_comments(asked: SiteRequest) -> Answer:
    """Comments of all pages that the caller may view, with the answers to them."""
    rows = [each for each in asked.world.page_comments.values() if each.place == asked.params["place"]]
    seen = [each for each in rows if _commentable(asked, asked.world.pages[each.page])]
    return by_cursor(asked, seen, lambda each: _comment(asked, each))


def _commentable(asked: SiteRequest, found: Page) -> bool:
    return found.status in {"current", "archived"} and asked.rights.page(found)


def _attachment(asked: SiteRequest, found: Attachment) -> Body:
    kind = asked.world.pages[found.owner].kind
    home = {"blogPostId" if kind == "blogpost" else "pageId": found.owner}
    shown: Body = {"id": found.id, "status": found.status, "title": found.name, "createdAt": iso(found.created), **home}
    shown |= {"mediaType": found.media_type, "mediaTypeDescription": "File", "comment": found.comment}
    shown |= {"fileId": f"file-{found.id}", "fileSize": len(found.content), "version": version(found.versions[-1])}
    links = {"webui": f"/pages/viewpageattachments.action?pageId={found.owner}", "download": download(found)}
    return shown | {"webuiLink": links["webui"], "downloadLink": links["download"], "_links": links}


def all_attachments(asked: SiteRequest) -> Answer:
    """Files of all pages that the caller may view."""
    rows = [each for each in asked.world.attachments.values() if shows(asked.rights, each)]
    return by_cursor(asked, rows, lambda each: _attachment(asked, each))


def attachment(asked: SiteRequest) -> Answer:
    """One file."""
    found = asked.world.attachments.get(asked.params["id"])
    if found is None or not shows(asked.rights, found):
        raise missing()
    return _attachment(asked, found)


_A, _C = "read:attachment:confluence", "read:comment:confluence"
_PLACE = "(?P<place>footer|inline)-comments"

ROUTES: list[Route] = [
    route(f"{BASE}/{KIND}/{{id}}/{_PLACE}", comments, _C),
    route(f"{BASE}/{_PLACE}", all_comments, _C),
    route(f"{BASE}/{_PLACE}/{{id}}/children", answers, _C),
    route(f"{BASE}/attachments", all_attachments, _A),
    route(f"{BASE}/attachments/{{id}}", attachment, _A),
]
