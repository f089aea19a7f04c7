"""What trying the connector of Jira takes: both flavours over the local Atlassian, and who may read what."""

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import Any

from domain.access import PUBLIC, Scope, SourceDirectory, permits
from indexer.sources.atlassian.client import AtlassianClient
from indexer.sources.atlassian.site import AtlassianSite
from indexer.sources.connector import ListedDocument, SkippedDocument
from indexer.sources.jira.connector import JiraConnector
from indexer.sources.jira.options import JiraOptions
from tests.fakes.atlassian import Attachment, Company, Issue, IssueComment, LocalAtlassian, User, may_read

FLAVOURS = ("cloud", "datacenter")
Thing = Issue | IssueComment | Attachment


async def _at_once(_seconds: float) -> None:
    """Stands for sleeping."""


def site(local: LocalAtlassian, flavour: str) -> AtlassianSite:
    """Where a flavour of the local Jira is, for the service account."""
    if flavour == "cloud":
        return AtlassianSite("jira", local.jira_cloud, "cloud", *local.basic())
    return AtlassianSite("jira", local.jira, "datacenter", "", local.service.secret)


@asynccontextmanager
async def jira(local: LocalAtlassian, flavour: str, **more: Any) -> AsyncIterator[JiraConnector]:
    """A connector called `j`; more: as of JiraOptions."""
    async with AtlassianClient(site(local, flavour), sleep=_at_once) as client:
        yield JiraConnector("j", client, JiraOptions(**more))


def admit(local: LocalAtlassian, groups: Iterable[str] = ()) -> None:
    """Lets the service account see every issue and every comment: in every scheme, level and role, and in `groups`."""
    local.admit()
    world = local.world
    world.join(local.bot, *groups)
    for project in world.projects.values():
        for who in project.roles.values():
            who.users.add(local.bot.id)


def things(issues: Iterable[Issue]) -> dict[str, Thing]:
    """What is to be listed of issues, by external id."""
    found: dict[str, Thing] = {}
    for issue in issues:
        found[f"issue:{issue.id}"] = issue
        found |= {f"attachment:{each.id}": each for each in issue.attachments}
        found |= {f"comment:{issue.id}/{each.id}": each for each in issue.comments if each.visibility or each.internal}
    return found


async def listed(rows: AsyncIterator[ListedDocument | SkippedDocument]) -> dict[str, ListedDocument]:
    """The documents of a listing, each once."""
    found = [each async for each in rows if isinstance(each, ListedDocument)]
    assert len({each.external_id for each in found}) == len(found)
    return {each.external_id: each for each in found}


def reads(directory: SourceDirectory, user: User, item: ListedDocument) -> bool:
    """Whether someone may read a document by its ACL; one who is not in the directory is anybody."""
    assert item.acl is not None
    return permits(item.acl, Scope(frozenset({PUBLIC}) | directory.members.get(user.email, frozenset())))


def differences(
    company: Company, directory: SourceDirectory, found: dict[str, ListedDocument]
) -> tuple[list[str], list[str]]:
    """Who may read what by the ACLs and not by the rules, and the other way round; of those in the directory."""
    more, less = list[str](), list[str]()
    for external_id, thing in things(company.open_issues()).items():
        for user in company.people:
            allowed = may_read(company.world, user, thing) or may_read(company.world, None, thing)
            seen = reads(directory, user, found[external_id])
            if seen and not allowed:
                more.append(f"{user.name} {external_id}")
            elif allowed and not seen and user.email in directory.members:
                less.append(f"{user.name} {external_id}")
    return more, less
