"""Short forms for the tests of the Confluence connector: a small company's wiki, Cloud or Data Center."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any, Literal

from domain.access import PUBLIC, Principal, Scope, SourceDirectory, permits, user
from indexer.sources.atlassian.client import AtlassianClient
from indexer.sources.atlassian.site import AtlassianSite
from indexer.sources.confluence.connector import ConfluenceConnector
from indexer.sources.confluence.options import ConfluenceOptions
from indexer.sources.connector import ListedDocument, SkippedDocument
from tests.fakes.atlassian import Company, LocalAtlassian, Page, User, World

Flavour = Literal["cloud", "datacenter", "gateway"]
OPTIONS = ConfluenceOptions(access_groups=frozenset({"confluence-users"}))


async def at_once(seconds: float) -> None:
    """Stands for sleeping."""


def site(local: LocalAtlassian, flavour: Flavour) -> AtlassianSite:
    """The wiki with the service account's credentials."""
    if flavour == "datacenter":
        return AtlassianSite("confluence", local.confluence, "datacenter", "", local.service.secret)
    found = AtlassianSite("confluence", local.confluence_cloud, "cloud", *local.basic())
    if flavour == "gateway":
        account = local.login(local.bot, scoped=True, sees_all=True, admin=True)
        email, token = local.basic(account)
        found = replace(found, api_url=local.confluence_gateway, email=email, token=token)
    return found


@asynccontextmanager
async def opened(
    local: LocalAtlassian, flavour: Flavour, options: ConfluenceOptions = OPTIONS, **more: Any
) -> AsyncIterator[ConfluenceConnector]:
    """A connector with a source called `wiki`."""
    async with AtlassianClient(site(local, flavour), sleep=at_once, **more) as client:
        yield ConfluenceConnector("wiki", client, options)


@dataclass(frozen=True)
class Seen:
    """What a pass over the wiki saw."""

    items: dict[str, ListedDocument]
    passed: list[SkippedDocument]
    directory: SourceDirectory
    unreadable: tuple[tuple[str, str], ...]
    requests: int

    def scope(self, who: User | None) -> Scope:
        """Somebody who asks."""
        own = frozenset[Principal]() if who is None else self.directory.members.get(who.email, frozenset())
        return Scope(frozenset({PUBLIC}) | own | ({user(who.email)} if who else frozenset()))

    def readers(self, external_id: str, people: list[User]) -> set[str]:
        """Who of the people is admitted to a document; nobody when it is not there."""
        item = self.items.get(external_id)
        if item is None or item.acl is None:
            return set()
        return {each.id for each in people if permits(item.acl, self.scope(each))}


async def seen(local: LocalAtlassian, flavour: Flavour, options: ConfluenceOptions = OPTIONS, **more: Any) -> Seen:
    """The permissions and the listing of a new connector."""
    async with opened(local, flavour, options, **more) as wiki:
        return await listed(wiki)


async def listed(wiki: ConfluenceConnector) -> Seen:
    """The permissions and the listing."""
    directory = await wiki.permissions()
    found = [each async for each in wiki.listing()]
    items = [each for each in found if isinstance(each, ListedDocument)]
    passed = [each for each in found if isinstance(each, SkippedDocument)]
    assert len({each.external_id for each in found}) == len(found)
    return Seen({each.external_id: each for each in items}, passed, directory, tuple(wiki.unreadable), wiki.requests)


def external(page: Page) -> str:
    """A page's id in the index."""
    return f"{'blog' if page.kind == 'blogpost' else 'page'}:{page.id}"


def current(world: World) -> list[Page]:
    """All pages that belong into the index."""
    return [
        each
        for each in world.pages.values()
        if each.status == "current" and world.spaces[each.space].status == "current"
    ]


def expected(world: World, company: Company, *, flavour: Flavour, page: Page) -> set[str]:
    """Who may read a page, of those whose e-mail the wiki tells."""
    told = [each for each in company.people if flavour == "datacenter" or not each.hidden]
    return {each.id for each in told if world.may_read(each, page)}
