"""Pages and what is on them, as Confluence's v1 has them."""

from aiohttp import web

from tests.fakes.atlassian.content import content, restriction
from tests.fakes.atlassian.records import AtlassianError, Attachment, Page, PageComment
from tests.fakes.atlassian.rights import shows
from tests.fakes.atlassian.routing import Answer, SiteRequest, by_offset


def _missing(what: str) -> AtlassianError:
    return AtlassianError(404, f"No content found with id: ContentId{{id={what}}}")


def page(asked: SiteRequest) -> Page:
    """The page that a path names. Raises 404, also when the caller may not view it."""
    found = asked.world.pages.get(asked.params["id"])
    status = asked.one("status", "any" if asked.cloud else "current")
    states = {"current", "archived"} if status == "current" else {"current", "archived", "trashed", "draft"}
    if found is None or found.status not in states or not asked.rights.page(found):
        raise _missing(asked.params["id"])
    return found


def any_content(asked: SiteRequest) -> Page | PageComment | Attachment:
    """A page, comment or attachment by id. Raises 404."""
    name = asked.params["id"]
    comment, attachment = asked.world.page_comments.get(name), asked.world.attachments.get(name)
    home = comment.page if comment else attachment.owner if attachment else name
    asked.params["id"] = home
    over = page(asked)
    if attachment and attachment.status != "current":
        raise _missing(name)
    return comment or attachment or over


# content


def contents(asked: SiteRequest) -> Answer:
    """Pages or blog posts, of a space or of all. What the caller may not view is taken out of a page of the listing
    after that was cut, so that it may be short."""
    status = asked.one("status", "current")
    states = ["current", "trashed", "archived"] if status == "any" else [status]
    rows = [each for each in asked.world.pages.values() if each.status in states]
    keys, title, wanted = asked.many("spaceKey"), asked.one("title"), asked.one("type", "page")
    spaces = {each.id for each in asked.world.spaces.values() if not keys or each.key in keys}
    rows = [each for each in rows if each.kind == wanted and each.space in spaces and title in ("", each.title)]
    most = 50 if asked.expands("body") else 200
    return by_offset(asked, rows, lambda each: content(asked, each), most=most, allowed=asked.rights.page)


def one_content(asked: SiteRequest) -> Answer:
    """One page, comment or attachment."""
    return content(asked, any_content(asked))


def comments(asked: SiteRequest) -> Answer:
    """Comments on a page: the top ones, or all with depth=all. location: footer, inline, resolved."""
    over, deep = page(asked), asked.one("depth") == "all"
    places = asked.many("location") or ["footer", "inline", "resolved"]
    rows = [each for each in asked.world.page_comments.values() if each.page == over.id and (deep or not each.parent)]
    rows = [each for each in rows if ("resolved" if each.resolution == "resolved" else each.place) in places]
    return by_offset(asked, rows, lambda each: content(asked, each))


def restrictions_of(asked: SiteRequest) -> Answer:
    """The same for one operation. start and limit go through users and groups."""
    found, name = page(asked), asked.params["operation"]
    if name not in {"read", "update"}:
        raise AtlassianError(404, f"No operation {name}")
    who = found.readers if name == "read" else found.editors
    return restriction(asked, name, who, asked.whole("start", 0, 10**6), asked.whole("limit", 100, 200))


# files


def file(asked: SiteRequest) -> Answer:
    """A file: its bytes on Data Center, on Cloud a redirect to the host for media."""
    owner, name = asked.params.get("id"), asked.params.get("name")
    for each in asked.world.attachments.values():
        if asked.params.get("attachment") == each.id or (each.owner, each.name) == (owner, name):
            if shows(asked.rights, each):
                return given(asked, each)
            break
    raise AtlassianError(404, "The file does not exist")


def given(asked: SiteRequest, attachment: Attachment, status: int = 302) -> web.Response:
    """The bytes of a version of a file, the last one by default, or the redirect to them with a token that is good
    there."""
    version = asked.one("version")
    if asked.cloud:
        location = f"{asked.at.media}/file/{attachment.id}/binary?token=media-{attachment.id}&client=local"
        location += f"&version={version}" if version else ""
        return web.Response(status=status, headers={"Location": location})
    return web.Response(body=bytes_of(attachment, version), content_type=attachment.media_type)


def bytes_of(attachment: Attachment, version: str) -> bytes:
    """What a version of a file holds; empty for the last one."""
    return attachment.former.get(int(version), attachment.content) if version else attachment.content


def gone(asked: SiteRequest) -> Answer:
    """What Cloud took out."""
    raise AtlassianError(410, "This deprecated endpoint has been removed.")
