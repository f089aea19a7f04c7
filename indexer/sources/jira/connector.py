"""Jira as a source: its issues, the comments that not all their readers see, and their files.

What changes without an issue's `updated`, and is not in a listing, is not noticed until the issue changes: remote links
(Jira does not count them as a change), and new names of people, statuses and fields. Rights, keys, links, parents,
comments and files are looked at with every listing.
"""

import asyncio
import re
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from urllib.parse import unquote, urlsplit

from domain.access import SourceDirectory
from domain.errors import KbError, Refused
from indexer.parse.formats import JIRA_ISSUE
from indexer.sources.atlassian.client import AtlassianClient
from indexer.sources.atlassian.connector import AtlassianConnector, other_readers
from indexer.sources.connector import (
    CheckFinding,
    FetchedDocument,
    ListedDocument,
    LookupUnsupported,
    NotThere,
    SkippedDocument,
)
from indexer.sources.jira.api import JiraApi, Row
from indexer.sources.jira.bundle import comment_bundle, issue_bundle, people_mentioned
from indexer.sources.jira.check import findings
from indexer.sources.jira.cloud import JiraCloud
from indexer.sources.jira.datacenter import JiraDataCenter
from indexer.sources.jira.documents import (
    ACL_FIELDS,
    LISTED_FIELDS,
    TEXT_FIELDS,
    IssueDocuments,
    is_internal,
    restrictions_of,
    rights_of,
)
from indexer.sources.jira.fields import JiraFields
from indexer.sources.jira.issue_names import ATTACHMENT, ISSUE, is_key, issue_named
from indexer.sources.jira.links import comment_links, file_links, issue_links
from indexer.sources.jira.listing import IssueListing, comments_of
from indexer.sources.jira.options import JiraOptions
from indexer.sources.jira.people import JiraPeople
from indexer.sources.jira.permissions import JiraPermissions
from indexer.sources.jira.related_issues import comment_mark, without_others

KEYS_AT_ONCE = 50
"""In one search, for whom they admit."""
OVERLAP = timedelta(hours=1)
"""How much earlier than asked changes are looked for: searches lag, and clocks differ."""
_MEDIA_TYPE = next(iter(JIRA_ISSUE.media_types))


class JiraConnector(AtlassianConnector):
    """One Jira: Connector, PermissionSource, ChangeSource, SingleSource, RemoteSource and CheckableSource of
    indexer.sources.connector.

    source: the name of the source, which stands in its principals. client: open as long as this is used.
    """

    def __init__(self, source: str, client: AtlassianClient, options: JiraOptions | None = None) -> None:
        self.api: JiraApi = JiraCloud(client) if client.site.flavour == "cloud" else JiraDataCenter(client)
        self._source = source
        super().__init__(client)
        self._options = options or JiraOptions()
        self._fields = JiraFields(self.api, self._options.fields)
        self._documents = IssueDocuments(client.site, self._options)
        self._scope: dict[str, Row] | None = None
        self._rights: JiraPermissions | None = None
        self._holders: set[str] = set()

    @property
    def unreadable(self) -> Sequence[tuple[str, str]]:
        return sorted(self._rights.unreadable.items()) if self._rights else ()

    # rights

    async def permissions(self) -> SourceDirectory:
        return (await self._read())[0].directory()

    async def check(self) -> list[CheckFinding]:
        """See indexer.sources.connector.CheckableSource. Reads all permissions."""
        return await findings(self.api, self._options, self._projects, self._read)

    async def _read(self) -> tuple[JiraPeople, JiraPermissions]:
        """Reads who there is and what they may, for all that is listed from here on."""
        rights = JiraPermissions(self._source, self.api, self._options)
        people = JiraPeople(self._source, self.api, rights)
        self._scope = None
        await people.read()
        await rights.read((await self._projects()).values())
        await people.read_members({*people.names, *rights.groups})
        self._rights = rights
        self._holders |= rights.fields
        return people, rights

    async def orient(self) -> None:
        """See indexer.sources.connector.SingleSource. Reads application roles, security levels and, where some
        stand for the organisation, the groups."""
        rights = JiraPermissions(self._source, self.api, self._options)
        self._scope = None
        if self._options.organisation_groups:
            await JiraPeople(self._source, self.api, rights).read_groups()
        await rights.read(())
        await self._projects()
        self._rights = rights

    async def _present(self) -> JiraPermissions:
        """The rights as last read, or as they are now."""
        return self._rights or (await self._read())[1]

    # what there is

    async def listing(self) -> AsyncIterator[ListedDocument | SkippedDocument]:
        """See Connector. The ids: `issue:10001`, `comment:10001/10500`, `attachment:10400`."""
        rights = await self._present()
        async for item in self._listed("created", None, rights):
            yield item

    async def changes(self, since: datetime) -> AsyncIterator[ListedDocument | SkippedDocument]:
        """See indexer.sources.connector.ChangeSource. With an issue come its files and restricted comments."""
        rights = await self._present()
        async for item in self._listed("updated", since - OVERLAP, rights):
            yield item

    async def _listed(
        self, order: str, since: datetime | None, rights: JiraPermissions
    ) -> AsyncIterator[ListedDocument | SkippedDocument]:
        listing = await self._listing()
        fields = [*LISTED_FIELDS, *sorted(self._holders), *filter(None, [await self._fields.epic()])]
        try:
            async for row in self.api.search(await self._scope_in_jql(), order, since, fields):
                await listing.add(row, rights)
                for item in listing.settled() if since is None else ():
                    yield item
        except KbError:
            for item in listing.items(whole=False):
                yield item
            raise
        if since is not None:
            await self._read_unknown(listing, rights)
        for item in listing.items():
            yield item

    async def _listing(self) -> IssueListing:
        return IssueListing(self.api, self._documents, self._holders, await self._fields.epic())

    async def _scope_in_jql(self) -> str:
        return f"project in ({', '.join(sorted(await self._projects(), key=int))})"

    async def _read_unknown(self, listing: IssueListing, rights: JiraPermissions) -> None:
        """Reads whom the issues of this source admit that are named in a listing and not on it. Those that cannot be
        asked for are not named then."""
        keys = [each for each in listing.unknown if is_key(each)]
        fields = ["created", *ACL_FIELDS, *sorted(self._holders)]
        for at in range(0, len(keys), KEYS_AT_ONCE):
            jql = f"{await self._scope_in_jql()} AND key in ({', '.join(keys[at : at + KEYS_AT_ONCE])})"
            with suppress(Refused):  # also when one of them went away meanwhile
                async for row in self.api.search(jql, "created", None, fields):
                    await listing.read(row, rights)

    async def _projects(self) -> dict[str, Row]:
        """The projects of this source by their ids.

        Raises Refused when one that is configured may not be browsed, or there is none at all.
        """
        if self._scope is None:
            every = {str(row["id"]): row async for row in self.api.projects()}
            keys = {str(row["key"]): row for row in every.values()}
            wanted = [key.strip().upper() for key in self._options.projects]
            chosen = [keys.get(key) or await self._former(key) for key in wanted]
            self._scope = {str(row["id"]): row for row in chosen} if wanted else every
        if not self._scope:
            raise Refused(
                "Jira has no project for this account",
                why="It may browse none.",
                next_step="Give the account Browse Projects where documents are to be indexed.",
            )
        return self._scope

    async def _former(self, key: str) -> Row:
        """The project that had a key before it got another one."""
        with suppress(NotThere):
            if re.fullmatch(r"\w+", key) and (found := await self.api.project(key)).get("id"):
                return found
        raise Refused(
            f"Jira has no project {key} for this account",
            why="It is not there, is archived, or the account may not browse it. Nothing was removed from the index.",
            next_step="Give the account Browse Projects there, or take the project off the source.",
        )

    # one by one

    async def fetch(self, item: ListedDocument) -> FetchedDocument:
        """See Connector. Two requests for an issue or a comment, one for a file. The text of an
        issue holds the comments, and names the issues, that it was listed with.

        Raises Transient as well when its rights have changed since it was listed: its ACL may be too wide then.
        """
        kind, _, name = item.external_id.partition(":")
        if kind == "issue":
            return await self._fetch_issue(item, name)
        if kind == "comment":
            return await self._fetch_comment(item, *name.split("/", 1))
        file = unquote(urlsplit(item.url).path.rpartition("/")[2])
        media_type = self._documents.files.get(name, ("", ""))[1]
        raw = await self._client.attached(self.api.file_path(name, file), self._options.max_bytes)
        return FetchedDocument(raw, file, media_type, file_links(item.path.split("/")[1]))

    async def _fetch_issue(self, item: ListedDocument, number: str) -> FetchedDocument:
        extra, epic = await self._fields.extra(), await self._fields.epic()
        wanted = [*LISTED_FIELDS, *TEXT_FIELDS, *self._holders, *extra, *filter(None, [epic])]
        row, remote = await asyncio.gather(
            self.api.issue(number, list(dict.fromkeys(wanted)), "changelog,properties"), self.api.remote_links(number)
        )
        parts = item.parts or frozenset()
        fields = row.get("fields") or {}
        row["fields"] = without_others(fields, epic, parts)
        _unchanged(item, rights_of(row, self._holders))
        comments = [each for each in await comments_of(self.api, row) if comment_mark(each) in parts]
        said = [each for each in comments if not each.get("visibility") and not is_internal(each, row)]
        names = await self.api.names.of(people_mentioned(row["fields"], said))
        raw = issue_bundle(self.api, row, said, remote, extra, epic, names)
        links = issue_links(self.api, fields, row["fields"], epic)
        return FetchedDocument(raw, f"{row.get('key')}.json", _MEDIA_TYPE, links)

    async def _fetch_comment(self, item: ListedDocument, issue: str, number: str) -> FetchedDocument:
        comment = await self.api.comment(issue, number)
        _unchanged(item, *restrictions_of(comment))
        row = await self.api.issue(issue, [*ACL_FIELDS, *sorted(self._holders)])  # after the text: that may be newer
        row["fields"] = row.get("fields") or {}
        _unchanged(item, rights_of(row, self._holders))
        key = item.path.split("/")[1]
        names = await self.api.names.of(people_mentioned({}, [comment]))
        raw = comment_bundle(self.api, comment, item.title, key, names)
        return FetchedDocument(raw, f"{key} comment.json", _MEDIA_TYPE, comment_links(self.api, comment, key))

    async def one(self, name: str) -> ListedDocument | None:
        """See indexer.sources.connector.SingleSource. name: an id of ours, a key, the id of an issue, or a URL.

        Raises LookupUnsupported for an attachment of an issue that was not listed: Jira does not say whose it is.
        """
        homes = {number: issue for number, (issue, _) in self._documents.files.items()}
        wanted = issue_named(name.strip(), self._client.site, homes)
        if wanted is None:
            return None
        try:
            rights, row = await self._anew(wanted.issue or await self._issue_of(wanted.external_id))
        except NotThere:
            return None
        if str((row["fields"].get("project") or {}).get("id")) not in await self._projects():
            return None
        external_id = wanted.external_id or f"{ISSUE}{row['id']}"
        listing = await self._listing()
        await listing.add(row, rights)
        if external_id.startswith(ISSUE):
            await self._read_unknown(listing, rights)
        found = (each for each in listing.items() if isinstance(each, ListedDocument))
        return next((each for each in found if each.external_id == external_id), None)

    async def _issue_of(self, attachment: str) -> str:
        """Raises NotThere when there is no such attachment."""
        await self._client.get(f"{self.api.base}/attachment/{attachment.removeprefix(ATTACHMENT)}")
        raise LookupUnsupported(
            "It is not known which issue this attachment belongs to",
            why="Jira does not tell.",
            next_step="Name the issue.",
        )

    async def _anew(self, name: str) -> tuple[JiraPermissions, Row]:
        """An issue with what is read anew of its rights."""
        rights = await (await self._present()).renewed()
        fields = [*LISTED_FIELDS, *filter(None, [await self._fields.epic()])]
        row = await self.api.issue(name, [*fields, *sorted(self._holders)], "properties")
        row["fields"] = row.get("fields") or {}
        await rights.known(row["fields"].get("project") or {})
        if not rights.fields <= self._holders:
            self._holders |= rights.fields
            row = await self.api.issue(str(row["id"]), [*fields, *sorted(self._holders)], "properties")
        return rights, row


def _unchanged(item: ListedDocument, *rights: str) -> None:
    """Raises Transient unless the version of a listed document was made with one of these rights."""
    if item.version and not any(each in item.version.split(" ") for each in rights):
        raise other_readers(item.path)
