"""One listing of issues. An issue waits until it is known who may read the issues that its text names."""

from collections.abc import Iterable, Iterator

from domain.access import Acl
from indexer.sources.connector import ListedDocument, SkippedDocument
from indexer.sources.jira.api import JiraApi, Row
from indexer.sources.jira.documents import (
    IssueDocuments,
    IssueDraft,
    is_internal,
    is_of_desk,
    restriction_of,
    rights_of,
    tells_notes,
)
from indexer.sources.jira.permissions import JiraPermissions
from indexer.sources.jira.related_issues import all_may_read


class IssueListing:
    """Takes issues in, and gives documents.

    holders: ids of fields whose users and groups have rights. epic: as of `related`.
    """

    def __init__(self, api: JiraApi, documents: IssueDocuments, holders: Iterable[str], epic: str) -> None:
        self._api = api
        self._documents = documents
        self._holders = set(holders)
        self._epic = epic
        self._drafts: list[IssueDraft] = []
        self._readers: dict[str, Acl] = {}

    async def add(self, row: Row, rights: JiraPermissions) -> None:
        """Takes in an issue with what belongs to it. row: with the fields LISTED_FIELDS, `holders` and the epic's."""
        row["fields"] = row.get("fields") or {}
        acl = await self.read(row, rights)
        stamp = rights_of(row, self._holders)
        said: list[Row] = []
        rest: list[ListedDocument | SkippedDocument] = []
        for comment in await comments_of(self._api, row):
            internal = is_internal(comment, row)
            own = await rights.comment(row, comment, internal=internal)
            if not comment.get("visibility") and not internal:
                said.append(comment)
                continue
            restriction = f"{restriction_of(comment, internal=internal)} {stamp}"
            rest.append(self._documents.comment(row, comment, acl.and_also(own) if own else acl, restriction))
        rest += self._documents.attachments(row, acl)
        self._drafts.append(self._documents.draft(row, acl, said, stamp, self._epic, rest))

    async def read(self, row: Row, rights: JiraPermissions) -> Acl:
        """Whom an issue admits, which others may name. row: with the fields that decide that."""
        acl = await rights.issue(row)
        self._readers[str(row.get("key"))] = acl
        return acl

    @property
    def unknown(self) -> list[str]:
        """Keys of issues that are named, and of which it is not known whom they admit."""
        named = {each.key for draft in self._drafts for each in draft.related}
        return sorted(named - self._readers.keys())

    def settled(self) -> Iterator[ListedDocument | SkippedDocument]:
        """The issues so far that name no other issue, with what belongs to them; they need not wait for the end."""
        waiting, self._drafts = self._drafts, [each for each in self._drafts if each.related]
        for draft in waiting:
            if not draft.related:
                yield self._documents.issue(draft, ())
                yield from draft.rest

    def items(self, *, whole: bool = True) -> Iterator[ListedDocument | SkippedDocument]:
        """What was taken in, in that order. whole: whether all came that there is; what is not known of other issues
        says nothing against naming them otherwise, and nothing may be fetched by what is given then."""
        for draft in self._drafts:
            readers = ((each, self._readers.get(each.key)) for each in draft.related)
            shown = [each for each, acl in readers if (all_may_read(draft.acl, acl) if acl is not None else not whole)]
            yield self._documents.issue(draft, shown)
            yield from draft.rest
        self._drafts.clear()


async def comments_of(api: JiraApi, row: Row) -> list[Row]:
    """The comments of an issue. They came with it, unless there are many, or it does not say which are notes."""
    shown = row["fields"].get("comment") or {}
    found: list[Row] = shown.get("comments") or []
    unsure = is_of_desk(row) and not all(map(tells_notes, found))
    if unsure or (shown.get("total") or 0) > len(found):
        return [each async for each in api.comments(str(row["id"]))]
    return found
