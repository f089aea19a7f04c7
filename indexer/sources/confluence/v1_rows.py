"""Rows of Confluence's v1, which is all of Data Center and, on Cloud, the search and the restrictions."""

from collections.abc import AsyncIterator, Iterable, Sequence
from typing import Any

from domain.errors import Transient
from indexer.sources.atlassian.client import AtlassianClient
from indexer.sources.confluence.records import (
    ConfluenceHolder,
    ConfluenceScope,
    PageAttachment,
    PageComment,
    PageEntry,
    Row,
    moment,
)

RESTRICTIONS = "restrictions.read.restrictions.user,restrictions.read.restrictions.group"
ENTRY = f"version,space,ancestors,metadata.labels,{RESTRICTIONS}"
SEARCH = "/rest/api/content/search"
OLDEST_FIRST = "order by created asc"
"""An order that no change but a deletion upsets: without one, pages of a search need not fit together."""
AT_ONCE = 50
"""Ids in one search: the query stays well below the 8 KB that proxies take of a URL."""


async def search(client: AtlassianClient, cql: str, expand: str, *, archived: bool = False) -> AsyncIterator[Row]:
    """Content that CQL finds. archived: also in archived spaces."""
    params: dict[str, str | int | Sequence[str]] = {"cql": cql, "expand": expand}
    if archived:
        params["includeArchivedSpaces"] = "true"
    cloud = client.site.flavour == "cloud"
    rows = client.pages(SEARCH, params | {"limit": 250}) if cloud else client.stepped(SEARCH, params)
    async for row in rows:
        yield row


def within(scope: ConfluenceScope) -> str:
    """What a query needs to stay within the spaces that are read; empty when they are all there are."""
    return "" if scope.everywhere else f" and space in ({', '.join(quoted(each.key) for each in scope.spaces)})"


def quoted(text: str) -> str:
    """A text in CQL."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def batches(ids: Iterable[str]) -> list[str]:
    """Lists of ids for CQL, with commas between them."""
    each = [one for one in dict.fromkeys(ids) if one.isdecimal()]
    return [", ".join(each[at : at + AT_ONCE]) for at in range(0, len(each), AT_ONCE)]


def part(row: Row, *names: str) -> Any:
    """What lies within a row, None when a step is missing."""
    found: Any = row
    for name in names:
        found = found.get(name) if isinstance(found, dict) else None
    return found


def entry_of(row: Row) -> PageEntry:
    """A page or blog post, asked for with ENTRY. Raises Transient when something is missing."""
    above = part(row, "ancestors")
    try:
        return PageEntry(
            id=str(row["id"]),
            kind="blogpost" if row["type"] == "blogpost" else "page",
            title=str(row["title"]),
            space=str(row["space"]["key"]),
            number=int(row["version"]["number"]),
            at=moment(row["version"]["when"]),
            link=str(part(row, "_links", "webui") or f"/pages/viewpage.action?pageId={row['id']}"),
            above=tuple(str(each["id"]) for each in above) if isinstance(above, list) else None,
            folders=tuple(str(each.get("title", "")) for each in above or () if each.get("type") == "page"),
            labels=labels(row, "metadata", "labels"),
            current=row.get("status") == "current",
        )
    except (KeyError, TypeError, ValueError):
        raise incomplete() from None


def incomplete() -> Transient:
    """An answer lacks what was asked for."""
    return Transient(
        "Confluence's answer lacks what was asked for",
        why="It may have been cut short.",
        next_step="Try again later.",
    )


def labels(row: Row, *path: str) -> tuple[str, ...] | None:
    """The labels that are listed at a path within a row, sorted; None when they are not told."""
    rows = part(row, *path, "results")
    return tuple(sorted(str(each.get("name", "")) for each in rows)) if isinstance(rows, list) else None


def comment_of(row: Row, page: str = "") -> PageComment:
    """A comment. page: the page it is on, where the row does not say."""
    by = part(row, "history", "createdBy") or part(row, "version", "by") or {}
    body = part(row, "body", "storage", "value")
    try:
        return PageComment(
            id=str(row["id"]),
            page=page or str(part(row, "container", "id") or ""),
            number=int(row["version"]["number"]),
            at=moment(row["version"]["when"]),
            author=str(by.get("accountId") or by.get("userKey") or ""),
            on=str(part(row, "extensions", "inlineProperties", "originalSelection") or ""),
            representation="storage" if body is not None else "",
            value=str(body or ""),
        )
    except (KeyError, TypeError, ValueError):
        raise incomplete() from None


def attachment_of(row: Row) -> PageAttachment:
    """An attachment."""
    home = str(part(row, "container", "id") or "")
    try:
        return PageAttachment(
            id=str(row["id"]),
            page=home,
            name=str(row["title"]),
            media_type=str(part(row, "extensions", "mediaType") or part(row, "metadata", "mediaType") or ""),
            size=int(part(row, "extensions", "fileSize") or 0),
            number=int(row["version"]["number"]),
            at=moment(row["version"]["when"]),
            link=f"/pages/viewpageattachments.action?pageId={home}",
            download=str(part(row, "_links", "download") or ""),
        )
    except (KeyError, TypeError, ValueError):
        raise incomplete() from None


def holders(restriction: Any) -> list[ConfluenceHolder] | None:
    """Who a read restriction names; empty when there is none; None when the answer does not tell all of them."""
    found: list[ConfluenceHolder] = []
    for kind in ("user", "group"):
        lists = part(restriction, "restrictions", kind) if isinstance(restriction, dict) else None
        rows = part(lists, "results") if isinstance(lists, dict) else None
        limit = part(lists, "limit") if isinstance(lists, dict) else None
        granted = limit if isinstance(limit, int) and limit > 0 else 25
        if not isinstance(rows, list) or len(rows) >= granted:
            return None
        found += [holder_of(kind, row) for row in rows]
    return found


def holder_of(kind: str, row: Row) -> ConfluenceHolder:
    """A user or a group. Somebody who is unknown is one without an id: nobody, but the restriction stays."""
    if kind == "user":
        return ConfluenceHolder(
            "user", str(row.get("accountId") or row.get("userKey") or ""), str(row.get("displayName") or "")
        )
    return ConfluenceHolder("group", str(row.get("id") or row.get("name") or ""), str(row.get("name") or ""))
