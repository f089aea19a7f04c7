"""Jira Data Center: accounts by key, groups by name, searches by offset, security levels that nobody can read."""

from collections.abc import AsyncIterator, Sequence
from datetime import UTC, datetime, timedelta, tzinfo
from urllib.parse import quote
from zoneinfo import ZoneInfo

from domain.access import lowered
from domain.errors import KbError, Refused, Transient
from indexer.sources.atlassian.client import AtlassianClient
from indexer.sources.atlassian.display_names import one_by_one
from indexer.sources.atlassian.offsets import Offsets
from indexer.sources.jira.api import (
    ROWS_AT_ONCE,
    USERS_AT_ONCE,
    JiraAccount,
    JiraApi,
    JiraHolder,
    Row,
    rows,
    text_in,
)

MAX_GROUPS = 1000
"""That the product gives; it may be set to give fewer."""
MAX_IDLE = 3
"""Pages in a row without a new issue, those not counted that are read again."""
UNKNOWN_ZONE_OVERLAP = timedelta(hours=24)
BY_NAME = "userName"
"""The kind of holder that a project role names by the login name."""


class JiraDataCenter(JiraApi):
    """See JiraApi."""

    base, mention_kind, account_field = "/rest/api/2", "user", "key"
    group_field, group_parameter = "name", "groupname"
    holder_fields = ("parameter",)
    visible_group_field = "value"

    def __init__(self, client: AtlassianClient) -> None:
        super().__init__(client)
        self._zone: tuple[tzinfo | None] | None = None

    async def search(self, scope: str, order: str, since: datetime | None, fields: Sequence[str]) -> AsyncIterator[Row]:
        """Each page begins with the last issue of the page before, so that added and deleted issues are noticed."""
        jql = scope
        if since:  # JQL wants a time in the account's own zone, in whole minutes
            zone = await self.zone()
            local = since.astimezone(zone) if zone else since.astimezone(UTC) - UNKNOWN_ZONE_OVERLAP
            jql = f'({scope}) AND {order} >= "{local:%Y/%m/%d %H:%M}"'
        walk = _IssueSearch(self.client, f"{self.base}/search", f"{jql} ORDER BY {order} ASC, key ASC", list(fields))
        async for row in walk.rows():
            yield row

    async def zone(self) -> tzinfo | None:
        """The time zone of the account; None when it cannot be read."""
        if self._zone is None:
            try:
                self._zone = (ZoneInfo(str((await self.myself()).get("timeZone"))),)
            except (KeyError, ValueError, OSError, Refused, Transient):
                self._zone = (None,)
        return self._zone[0]

    async def people(self) -> AsyncIterator[JiraAccount]:
        params = {"username": "."}  # the search's word for everybody
        async for row in self.client.until_empty(f"{self.base}/user/search", params, limit=USERS_AT_ONCE):
            email = lowered(text_in(row, "emailAddress"))
            yield JiraAccount(self.account(row), text_in(row, "name"), email, row.get("active") is True)

    async def groups(self) -> AsyncIterator[Row]:
        found = await self.client.get(f"{self.base}/groups/picker", {"query": "", "maxResults": MAX_GROUPS})
        listed = rows(found.get("groups") if isinstance(found, dict) else None, required=True)
        for row in listed:
            yield row
        total = found.get("total")
        if isinstance(total, int) and total > len(listed):
            raise Refused(f"the product lists only {len(listed)} of {total} groups")

    async def projects(self) -> AsyncIterator[Row]:
        for row in rows(await self.client.get(f"{self.base}/project", {"expand": "lead"}), required=True):
            yield row

    async def look_up(self, people: Sequence[str]) -> dict[str, str]:
        return await one_by_one(self.client, f"{self.base}/user", people)

    def actor(self, shown: Row) -> JiraHolder:
        if shown.get("type") == "atlassian-user-role-actor":
            return JiraHolder(BY_NAME, text_in(shown, "name"))
        return JiraHolder("group", self.group(shown.get("actorGroup")) or text_in(shown, "name"))

    def file_path(self, number: str, name: str) -> str:
        return f"/secure/attachment/{number}/{quote(name)}"


class _IssueSearch:
    """Reads all issues that a search finds."""

    def __init__(self, client: AtlassianClient, path: str, jql: str, fields: list[str]) -> None:
        self._client = client
        self._path = path
        self._body = {"jql": jql, "fields": fields, "maxResults": ROWS_AT_ONCE, "expand": ["properties"]}
        self._seen: set[str] = set()

    async def rows(self) -> AsyncIterator[Row]:
        """See JiraApi.search."""
        offsets = Offsets(MAX_IDLE, _broken)
        while True:
            start = offsets.start
            issues, total = await self._page(start)
            if start and (not issues or str(issues[0]["id"]) not in self._seen):
                offsets.back(ROWS_AT_ONCE)
                continue
            fresh = [row for row in issues if str(row["id"]) not in self._seen]
            self._seen.update(str(row["id"]) for row in fresh)
            for row in fresh:
                yield row
            end = start + len(issues)
            if end >= total or not issues:
                break
            offsets.on(end - 1 if len(issues) > 1 else end, fresh=bool(fresh))
        if len(self._seen) < total:
            raise _broken(f"It gave {len(self._seen)} issues of {total}.")

    async def _page(self, start: int) -> tuple[list[Row], int]:
        answer = await self._client.post(self._path, self._body | {"startAt": start})
        issues = answer.get("issues") if isinstance(answer, dict) else None
        total = answer.get("total") if isinstance(answer, dict) else None
        if not isinstance(issues, list) or not isinstance(total, int):
            raise _broken("The answer is not a page of a listing.")
        if not all(isinstance(row, dict) and row.get("id") for row in issues):
            raise _broken("The answer is not a page of a listing.")
        if not (start or issues) and self._seen:
            raise _broken("Its first page came back empty.")
        return issues, total


def _broken(why: str) -> KbError:
    return Transient("Jira's listing of issues broke off", why=why, next_step="Try again later.")
