"""A company's Confluence and Jira, indexed by the product into a database, to be compared with what the oracle says."""

from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from bot.app.embedding import LocalModel
from bot.app.indexing import index_source
from bot.app.product import Product, open_product
from config.load import load
from domain.access import ORG, PUBLIC, Scope
from domain.search import Filters
from indexer.run.dependencies import RunOptions
from indexer.run.report import RunReport
from storage.index.sources import Source
from tests.fakes.atlassian import (
    Attachment,
    Company,
    Issue,
    IssueComment,
    LocalAtlassian,
    Page,
    World,
    found_small_company,
    local_atlassian,
    may_read,
)
from tests.fakes.embedder import HashEmbedder

Flavour = Literal["cloud", "datacenter"]
WIKI, DESK = "wiki", "desk"


@contextmanager
def company_at(
    flavour: Flavour, found: Callable[..., Company] = found_small_company
) -> Iterator[tuple[LocalAtlassian, Company]]:
    """A company on local servers, the service account let in everywhere. found: founds it, see found_company."""
    with local_atlassian() as at:
        cloud = flavour == "cloud"
        wiki_at = at.confluence_cloud if cloud else at.confluence
        company = found(at.world, wiki_at=wiki_at, jira_at=at.jira_cloud if cloud else at.jira)
        at.admit()
        yield at, company


def sources(at: LocalAtlassian, flavour: Flavour) -> list[Source]:
    """Both, configured as `kb sources add` does it."""
    cloud = flavour == "cloud"
    email = at.basic()[0] if cloud else ""
    common = {"flavour": flavour, "email": email, "token_env": "SERVICE_TOKEN"}
    levels = {
        level.name: [holder.value for _, holder in level.members if holder.kind == "group"]
        for scheme in at.world.security.values()
        for level in scheme.levels.values()
    }
    return [
        Source(
            WIKI,
            "confluence",
            {
                **common,
                "url": at.confluence_cloud if cloud else at.confluence,
                "access_groups": sorted(at.world.wiki_groups),
                "open_to_all": at.world.wiki_anonymous,
            },
        ),
        Source(
            DESK,
            "jira",
            {
                **common,
                "url": at.jira_cloud if cloud else at.jira,
                "security_levels": {} if cloud else levels,
                "internal_notes": at.world.internal_notes,
                "open_to_all": True,
            },
        ),
    ]


@dataclass
class Sync:
    """The product over both sources. company: what they tell of."""

    product: Product
    at: LocalAtlassian
    company: Company
    sources: list[Source]

    @property
    def world(self) -> World:
        """What is so."""
        return self.at.world

    async def run(self, options: RunOptions | None = None) -> dict[str, RunReport]:
        """A pass over each source, by name."""
        return {each.name: await self.one(each, options) for each in self.sources}

    async def one(self, source: Source, options: RunOptions | None = None) -> RunReport:
        """A pass over one."""
        return await index_source(
            self.product, source, self.product.writer, options or RunOptions(), lambda _step: None
        )

    async def held(self) -> dict[str, str]:
        """Ids in their source of all that is indexed and not hidden, by the index's own."""
        writer = await self.product.writer()
        return {
            state.document_id: state.external_id
            for source in self.sources
            for state in (await writer.indexed_documents(source.name)).values()
            if not state.hidden and state.content_hash is not None
        }

    async def visible(self, scope: Scope, held: Mapping[str, str] | None = None) -> set[str]:
        """Ids in their source of all that somebody finds. held: as `held` gives it, when that is known."""
        names = await self.held() if held is None else held
        found = await self.product.storage.document_catalog().find("", scope, filters=Filters(), limit=100_000)
        return {names[each.document_id] for each in found}

    def readable(
        self, person: str | None, held: Mapping[str, str], things: Mapping[str, object] | None = None
    ) -> set[str]:
        """Those of `held` that a person of an address may read, by the oracle; without one, who is not logged in. On
        Cloud nobody can tell whose address it is that a profile hides: such a person reads what everybody may."""
        cloud = self.sources[0].options["flavour"] == "cloud"
        known = [user for user in self.world.users.values() if user.active and not (cloud and user.hidden)]
        users = [user for user in known if person and user.email == person]
        who, things = users[0] if users else None, things or self.things()
        return {each for each in held.values() if each in things and may_read(self.world, who, things[each])}

    def things(self) -> dict[str, object]:
        """What ids in their source stand for, of all that there is."""
        world = self.world
        found: dict[str, object] = {f"{_kind(page)}:{page.id}": page for page in world.pages.values()}
        found |= {f"attachment:{each.id}": each for each in world.attachments.values()}
        for issue in world.issues.values():
            found[f"issue:{issue.id}"] = issue
            found |= {f"attachment:{each.id}": each for each in issue.attachments}
            found |= {f"comment:{issue.id}/{each.id}": each for each in issue.comments}
        return found

    async def differences(self) -> dict[str, tuple[set[str], set[str]]]:
        """By person: what they find and may not read, and what they may read and do not find."""
        held, things = await self.held(), self.things()
        found = {}
        for person in [user.email for user in self.world.users.values() if user.kind != "app"]:
            seen, may = await self.visible(Scope.member(person), held), self.readable(person, held, things)
            if seen != may:
                found[person] = (seen - may, may - seen)
        return found

    def untold(self, ids: Iterable[str]) -> list[str]:
        """Those that belong to an issue in a security level of a Data Center, of whose members no API tells."""
        if self.sources[0].options["flavour"] == "cloud":
            return []
        things, issues = self.things(), self.world.issues
        levelled = {number for number, issue in issues.items() if issue.level}
        return [each for each in ids if _issue_of(things[each]) in levelled]

    async def leaks(self) -> dict[str, set[str]]:
        """By person: what they find and may not read."""
        return {person: more for person, (more, _) in (await self.differences()).items() if more}


def _issue_of(thing: object) -> str:
    """The id of the issue that something is, or belongs to; empty for what is of the wiki."""
    if isinstance(thing, Attachment):
        return thing.owner
    return thing.issue if isinstance(thing, IssueComment) else thing.id if isinstance(thing, Issue) else ""


def _kind(page: Page) -> str:
    return "blog" if page.kind == "blogpost" else "page"


CHANNEL = frozenset({PUBLIC, ORG})


@asynccontextmanager
async def synced(
    flavour: Flavour,
    data_dir: Path,
    database: str | None,
    folder: Path,
    *,
    found: Callable[..., Company] = found_small_company,
    model: LocalModel | None = None,
    **settings: str,
) -> AsyncIterator[Sync]:
    """The product over an empty database, with both sources configured. found: founds the company. model: embeds."""
    with company_at(flavour, found) as (at, company):
        environ = {"KB_AGENT_DATA_DIR": str(data_dir), "SERVICE_TOKEN": at.service.secret, **settings}
        async with open_product(load(environ, folder), database=database, model=model or HashEmbedder()) as product:
            configured = sources(at, flavour)
            for each in configured:
                await product.storage.sources.add(each)
            yield Sync(product, at, company, configured)
