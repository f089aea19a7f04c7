"""Jira Cloud: accounts by id, groups by id, searches by token, security levels that can be read."""

from collections.abc import AsyncIterator, Sequence
from datetime import UTC, datetime
from typing import Any

from domain.access import lowered
from domain.errors import Refused, Transient
from indexer.sources.atlassian.display_names import accounts_in
from indexer.sources.atlassian.timestamps import moment
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

MAX_IDLE = 60
"""Pages without anything new that are followed one after the other: thousands of issues of one minute make some."""
COUNT_TOLERANCE, COUNT_SHARE = 5, 0.02
"""How many fewer issues, and what share, may come than the approximate count says."""


class JiraCloud(JiraApi):
    """See JiraApi."""

    base, mention_kind, account_field = "/rest/api/3", "accountid", "accountId"
    group_field = group_parameter = "groupId"
    holder_fields = ("value", "parameter")  # a group's value is its id, its parameter the name
    visible_group_field = "identifier"

    async def search(self, scope: str, order: str, since: datetime | None, fields: Sequence[str]) -> AsyncIterator[Row]:
        """Rather than from where a token says, a page begins with the last issue of the page before: what
        is deleted meanwhile cannot push another issue out of sight, and a token that expires costs one request."""
        walk = _IssueSearch(self, scope, order, fields, since)
        async for row in walk.rows():
            yield row
        if since is None:
            await self._check_count(scope, walk.count)

    async def _check_count(self, jql: str, seen: int) -> None:
        answer = await self.client.post(f"{self.base}/search/approximate-count", {"jql": jql})
        count = answer.get("count") if isinstance(answer, dict) else None
        if isinstance(count, int) and count - seen > max(COUNT_TOLERANCE, COUNT_SHARE * count):
            raise Transient(
                "Jira's listing of issues is incomplete",
                why=f"It gave {seen} issues, and counts {count}.",
                next_step="Try again later.",
            )

    async def people(self) -> AsyncIterator[JiraAccount]:
        async for row in self.client.until_empty(f"{self.base}/users/search", limit=USERS_AT_ONCE):
            is_reader = row.get("active") is True and row.get("accountType", "atlassian") == "atlassian"
            yield JiraAccount(self.account(row), "", lowered(text_in(row, "emailAddress")), is_reader)

    def groups(self) -> AsyncIterator[Row]:
        return self.client.numbered(f"{self.base}/group/bulk", limit=ROWS_AT_ONCE)

    def projects(self) -> AsyncIterator[Row]:
        return self.client.numbered(f"{self.base}/project/search", {"expand": "lead"}, limit=ROWS_AT_ONCE)

    async def level_holders(self) -> dict[str, list[JiraHolder]] | None:
        """Levels without members are left out."""
        found: dict[str, list[JiraHolder]] = {}
        async for row in self.client.numbered(f"{self.base}/issuesecurityschemes/level/member", limit=ROWS_AT_ONCE):
            shown = row.get("holder")
            if isinstance(shown, dict):
                found.setdefault(str(row.get("issueSecurityLevelId")), []).append(self.holder(shown))
        return found

    async def look_up(self, people: Sequence[str]) -> dict[str, str]:
        wanted, found = list(accounts_in(people)), dict[str, str]()
        for at in range(0, len(wanted), ROWS_AT_ONCE):
            params = {"accountId": wanted[at : at + ROWS_AT_ONCE]}
            async for row in self.client.numbered(f"{self.base}/user/bulk", params, limit=ROWS_AT_ONCE):
                found[f"accountid:{self.account(row)}"] = text_in(row, "displayName")
        return found

    def actor(self, shown: Row) -> JiraHolder:
        user = self.account(shown.get("actorUser"))
        return JiraHolder("user", user) if user else JiraHolder("group", self.group(shown.get("actorGroup")))

    def file_path(self, number: str, name: str) -> str:  # noqa: ARG002 - Data Center needs the name
        return f"{self.base}/attachment/content/{number}"


class _IssueSearch:
    """Reads all issues that a search finds."""

    def __init__(self, api: JiraCloud, scope: str, order: str, fields: Sequence[str], since: datetime | None) -> None:
        self._api = api
        self._scope = scope
        self._order = order
        self._fields = list(fields)
        self._mark = _milliseconds(since) if since else -1
        self._last = ""
        self._seen: set[str] = set()
        self._tokens: set[str] = set()
        self._idle = 0

    @property
    def count(self) -> int:
        """How many issues it gave so far."""
        return len(self._seen)

    async def rows(self) -> AsyncIterator[Row]:
        """See JiraApi.search."""
        token = ""
        while True:
            page = await self._request_page(token)
            issues = rows(page.get("issues"))
            # the issue that a page should begin with is not on it: asked twice it is gone, or has changed
            if not token and self._last and all(str(row["id"]) != self._last for row in issues):
                page = await self._request_page("")
                issues = rows(page.get("issues"))
            fresh = [row for row in issues if str(row["id"]) not in self._seen]
            self._seen.update(str(row["id"]) for row in fresh)
            for row in fresh:
                yield row
            following = page.get("nextPageToken")
            if page.get("isLast") is True or not isinstance(following, str):
                return
            token = self._next(fresh, following)

    def _next(self, fresh: list[Row], following: str) -> str:
        """The token of the next page; empty when it begins with the last issue that came."""
        self._idle = 0 if fresh else self._idle + 1
        newest = moment(fresh[-1].get("fields", {}).get(self._order)) if fresh else None
        if newest is not None and _milliseconds(newest) > self._mark:
            self._mark, self._last = _milliseconds(newest), str(fresh[-1]["id"])
            self._tokens.clear()
            return ""
        if following in self._tokens or self._idle > MAX_IDLE:
            raise Transient(
                "Jira's listing of issues does not end",
                why="A page leads to itself or to an earlier one.",
                next_step="Try again later.",
            )
        self._tokens.add(following)
        return following

    async def _request_page(self, token: str) -> Row:
        """A page. When Jira does not accept the token any more, the page begins at the last issue that came."""
        if token:
            try:
                return await self._page({"nextPageToken": token})
            except Refused:
                self._tokens.clear()
                self._idle += 1
        return await self._page({})

    async def _page(self, more: dict[str, str]) -> Row:
        jql = self._scope if self._mark < 0 else f"({self._scope}) AND {self._order} >= {self._mark}"
        body: dict[str, Any] = {"jql": f"{jql} ORDER BY {self._order} ASC, key ASC", "fields": self._fields}
        answer = await self._api.client.post(f"{self._api.base}/search/jql", body | {"maxResults": ROWS_AT_ONCE} | more)
        issues = answer.get("issues") if isinstance(answer, dict) else None
        if not isinstance(issues, list) or not all(isinstance(row, dict) and row.get("id") for row in issues):
            raise Transient("Jira's listing of issues broke off", why="The answer is not a page of a listing.")
        return dict(answer)


def _milliseconds(at: datetime) -> int:
    return round(at.astimezone(UTC).timestamp() * 1000)
