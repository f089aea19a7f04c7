"""Rows of Confluence Cloud's v2, and of people as Cloud shows them."""

from indexer.sources.confluence.records import (
    ConfluenceAccount,
    ConfluenceHolder,
    Kind,
    PageAttachment,
    PageComment,
    PageEntry,
    Row,
    moment,
)
from indexer.sources.confluence.v1_rows import incomplete, part


def id_of(row: Row) -> str:
    """Its id."""
    return str(row["id"])


def entry_of(
    row: Row,
    kind: Kind,
    space: str,
    above: tuple[str, ...] | None,
    titles: tuple[str, ...],
    labels: tuple[str, ...] | None = None,
) -> PageEntry:
    """A page or blog post; what lies above it and its labels are known from elsewhere."""
    try:
        return PageEntry(
            id=id_of(row),
            kind=kind,
            title=str(row["title"]),
            space=space,
            number=int(row["version"]["number"]),
            at=moment(row["version"]["createdAt"]),
            link=str(part(row, "_links", "webui") or f"/pages/viewpage.action?pageId={row['id']}"),
            above=above,
            folders=titles,
            labels=labels,
            current=row.get("status") == "current",
        )
    except (KeyError, TypeError, ValueError):
        raise incomplete() from None


def _home(row: Row) -> str:
    return str(row.get("pageId") or row.get("blogPostId") or "")


def comment_of(row: Row, page: str = "") -> PageComment:
    """A comment. page: the page it is on, where the row does not say."""
    body = part(row, "body", "storage", "value")
    try:
        return PageComment(
            id=id_of(row),
            page=page or _home(row),
            number=int(row["version"]["number"]),
            at=moment(row["version"]["createdAt"]),
            author=str(row["version"].get("authorId") or ""),
            on=str(part(row, "properties", "inlineOriginalSelection") or ""),
            representation="storage" if body is not None else "",
            value=str(body or ""),
        )
    except (KeyError, TypeError, ValueError):
        raise incomplete() from None


def attachment_of(row: Row) -> PageAttachment:
    """The bytes are asked for by the one path that takes scoped tokens too: those of this version, since a newer one
    may not be for whom this one is."""
    home = _home(row)
    try:
        number = int(row["version"]["number"])
        return PageAttachment(
            id=id_of(row),
            page=home,
            name=str(row["title"]),
            media_type=str(row.get("mediaType") or ""),
            size=int(row.get("fileSize") or 0),
            number=number,
            at=moment(row["version"]["createdAt"]),
            link=f"/pages/viewpageattachments.action?pageId={home}",
            download=f"/rest/api/content/{home}/child/attachment/{row['id']}/download?version={number}",
        )
    except (KeyError, TypeError, ValueError):
        raise incomplete() from None


def viewers_of(row: Row) -> list[ConfluenceHolder]:
    """Of the permissions of a space the one to view it; holders of other kinds than people and groups admit nobody."""
    if part(row, "operation", "key") != "read" or part(row, "operation", "targetType") != "space":
        return []
    kind, who = part(row, "principal", "type"), str(part(row, "principal", "id") or "")
    return [ConfluenceHolder(kind, who)] if kind in {"user", "group"} and who else []


def person_of(row: Row) -> ConfluenceAccount:
    """An account."""
    human = row.get("accountType", "atlassian") == "atlassian"
    return ConfluenceAccount(
        str(row["accountId"]), str(row.get("displayName") or ""), str(row.get("email") or ""), human
    )


def updated_person(person: ConfluenceAccount, row: Row) -> ConfluenceAccount:
    """A person with what v2 says. One of whom it says nothing is closed."""
    email, name = str(row.get("email") or person.email), str(row.get("displayName") or person.name)
    return ConfluenceAccount(person.id, name, email, person.active and row.get("accountStatus") == "active")
