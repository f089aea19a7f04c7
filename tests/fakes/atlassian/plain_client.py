"""What trying the local Atlassian by hand takes: a plain client, and a small tree of pages, a few issues."""

from dataclasses import dataclass
from typing import Any

import httpx

from tests.fakes.atlassian.records import Account, Body, Page, User
from tests.fakes.atlassian.server import LocalAtlassian
from tests.fakes.atlassian.text import storage
from tests.fakes.atlassian.tracker_records import Holder, Issue, Project


@dataclass
class Client:
    """Asks one of the hosts, as the service account unless another is given. Paths begin after the origin."""

    local: LocalAtlassian
    http: httpx.Client

    def cloud(self, path: str, account: Account | None = None, /, **params: Any) -> httpx.Response:
        """Confluence or Jira Cloud."""
        return self.http.get(self.local.at.site + path, params=params or None, auth=self.local.basic(account))

    def post(self, path: str, body: Body, account: Account | None = None, /) -> httpx.Response:
        """Confluence or Jira Cloud."""
        return self.http.post(self.local.at.site + path, json=body, auth=self.local.basic(account))

    def wiki(self, path: str, account: Account | None = None, /, **params: Any) -> httpx.Response:
        """Confluence Data Center."""
        url = self.local.confluence + path
        return self.http.get(url, params=params or None, headers=self.local.bearer(account))

    def jira(self, path: str, account: Account | None = None, /, **params: Any) -> httpx.Response:
        """Jira Data Center."""
        return self.http.get(self.local.jira + path, params=params or None, headers=self.local.bearer(account))

    def pages(self, path: str, account: Account | None = None, /, **params: Any) -> list[Body]:
        """All rows of a listing of Confluence Cloud, v2 or v1."""
        found: list[Body] = []
        answer = self.cloud(path, account, **params).json()
        while True:
            found += answer["results"]
            if "next" not in answer["_links"]:
                return found
            following = answer["_links"]["next"].removeprefix("/wiki")
            answer = self.cloud(f"/wiki{following}", account).json()

    def offsets(self, path: str, account: Account | None = None, /, **params: Any) -> list[Body]:
        """All rows of a listing of Confluence Data Center."""
        found: list[Body] = []
        answer = self.wiki(path, account, **params).json()
        while True:
            found += answer["results"]
            if "next" not in answer["_links"]:
                return found
            answer = self.wiki(answer["_links"]["next"], account).json()

    def issues(self, jql: str, account: Account | None = None, /, **body: Any) -> list[Body]:
        """All issues that Jira Cloud finds."""
        found: list[Body] = []
        token: Body = {}
        while True:
            answer = self.post("/rest/api/3/search/jql", {"jql": jql} | body | token, account).json()
            found += answer["issues"]
            if answer["isLast"]:
                return found
            token = {"nextPageToken": answer["nextPageToken"]}

    def numbered(self, jql: str, account: Account | None = None, /, **params: Any) -> list[Body]:
        """All issues that Jira Data Center finds."""
        found: list[Body] = []
        while True:
            answer = self.jira("/rest/api/2/search", account, jql=jql, startAt=len(found), **params).json()
            found += answer["issues"]
            if len(found) >= answer["total"]:
                return found


def a_tree(local: LocalAtlassian) -> tuple[Page, Page, Page]:
    """Three pages, one below the other, in a space for everyone."""
    world = local.world
    ann = world.add_user("Ann Lee")
    space = world.add_space("ENG", "Engineering", view=[world.groups["confluence-users"]], by=ann)
    top = world.add_page(space, "Top", storage("top"), by=ann)
    middle = world.add_page(space, "Middle", storage("a & b"), by=ann, parent=top)
    return top, middle, world.add_page(space, "Low", storage("low"), by=ann, parent=middle)


def a_project(local: LocalAtlassian, key: str = "KB", **more: Any) -> tuple[Project, User]:
    """A project that everyone with an account may browse, and who leads it."""
    world = local.world
    ann = world.add_user("Ann Lee")
    scheme = world.add_scheme("Open", Holder("applicationRole"), Holder("user", local.bot.id))
    return world.add_project(key, "Knowledge", lead=ann, scheme=scheme, **more), ann


def filed(local: LocalAtlassian, count: int) -> list[Issue]:
    """So many issues in such a project, by its lead."""
    project, ann = a_project(local)
    return [local.world.add_issue(project, f"Issue {at}", f"text {at}", by=ann) for at in range(count)]


def titles(rows: list[Body]) -> list[str]:
    """Of pages."""
    return [row["title"] for row in rows]
