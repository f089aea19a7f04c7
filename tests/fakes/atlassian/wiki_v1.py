"""The paths of Confluence's v1: all of Data Center, and of Cloud what v2 has not. The rest is 410 on Cloud."""

from tests.fakes.atlassian import wiki_search, wiki_spaces
from tests.fakes.atlassian.routing import Route, route
from tests.fakes.atlassian.wiki_pages import (
    comments,
    contents,
    file,
    gone,
    one_content,
    restrictions_of,
)

_C = "read:content-details:confluence"
_READS = [
    ("/content/search", wiki_search.search_content, _C),
    ("/content/{id}/restriction/byOperation/{operation}", restrictions_of, _C),
    ("/group", wiki_spaces.groups, "read:group:confluence"),
    ("/user", wiki_spaces.user, "read:user:confluence"),
    ("/user/current", wiki_spaces.current, "read:user:confluence"),
]
_DC = [
    ("/content", contents),
    ("/content/{id}", one_content),
    ("/content/{id}/child/comment", comments),
    ("/space", wiki_spaces.spaces),
    ("/space/{key}/permissions", wiki_spaces.space_permissions),
    ("/group/{group}/member", wiki_spaces.members),
    ("/user/list", wiki_spaces.users),
]
_GONE = (
    "/content",
    "/content/{id}",
    "/content/{id}/child/page",
    "/content/{id}/child/comment",
    "/space",
    "/space/{key}",
)

DATA_CENTER: list[Route] = [
    *(route(f"/rest/api{path}", handler, scope) for path, handler, scope in _READS),
    *(route(f"/rest/api{path}", handler, "") for path, handler in _DC),
    route("/download/attachments/{id}/{name}", file, ""),
    route("/rest/mobile/1.0/profile/{name}", wiki_spaces.profile, ""),
]
CLOUD: list[Route] = [
    *(route(f"/wiki/rest/api{path}", handler, scope) for path, handler, scope in _READS),
    route("/wiki/rest/api/group/{group}/membersByGroupId", wiki_spaces.members, "read:group:confluence"),
    route(
        "/wiki/rest/api/content/{id}/child/attachment/{attachment}/download",
        file,
        "readonly:content.attachment:confluence",
    ),
    route("/wiki/download/attachments/{id}/{name}", file, "readonly:content.attachment:confluence"),
    *(route(f"/wiki/rest/api{path}", gone, _C) for path in _GONE),
]
