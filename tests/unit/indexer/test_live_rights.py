"""Whether somebody may read a document at its source now: held to the product's rules, without reading its content."""

import asyncio
from contextlib import AbstractAsyncContextManager
from dataclasses import replace

import pytest

from domain.access import Scope
from domain.errors import Transient
from indexer.sources.connector import Connector, LookupUnsupported
from tests.fakes.atlassian import Company, Fault, LocalAtlassian, may_read
from tests.fakes.atlassian.plain_client import a_project, a_tree
from tests.unit.indexer.test_live_fetch import company, jira_at, local, opened, told, wiki_at

__all__ = ["company", "local"]


async def test_pages_are_admitted_to_who_may_read_them(local: LocalAtlassian, company: Company) -> None:
    walled = [each for each in company.current() if each.readers is not None][:2]
    users = {each.email: each for each in company.people}
    async with opened(local, "cloud", wiki_at(local, "cloud")) as live:
        await live.know()
        assert await live.items.sources() == {"wiki"}
        for page in (*walled, *company.current()[:2]):
            for email in told(company, "cloud")[:4]:
                admitted = await live.items.admits("wiki", page.id, Scope.member(email))
                assert admitted == may_read(company.world, users[email], page), (page.title, email)


async def test_closed_deleted_and_refused_are_alike_and_nothing_of_the_content_is_read(local: LocalAtlassian) -> None:
    world, (_, middle, low) = local.world, a_tree(local)
    ann, bob = world.users[low.author], world.add_user("Bob Ray")
    async with opened(local, "cloud", wiki_at(local, "cloud")) as live:
        await live.know()
        asks = Scope.member(ann.email)
        assert await live.items.admits("wiki", low.id, asks)
        local.forget_calls()
        assert await live.items.admits("wiki", low.id, asks)
        assert len(local.calls()) <= 10, [call.path for call in local.calls()]
        world.restrict(middle, bob)
        assert not await live.items.admits("wiki", low.id, asks)
        world.trash(low)
        assert not await live.items.admits("wiki", low.id, Scope.member(bob.email))
        assert not await live.items.admits("wiki", "99999999", asks)
        assert not await live.items.admits("another", low.id, asks)


async def test_an_attachment_that_jira_does_not_lead_to_is_not_taken_for_closed(local: LocalAtlassian) -> None:
    world, (project, ann) = local.world, a_project(local, "PAY")
    issue = world.add_issue(project, "Refunds are late", "They take a week.", by=ann)
    file = world.add_file(issue, "plan.txt", b"the plan", by=ann)
    async with opened(local, "cloud", jira_at(local, "cloud")) as live:
        await live.know()
        asks, name = Scope.member(ann.email), f"attachment:{file.id}"
        with pytest.raises(LookupUnsupported):
            await live.items.admits("j", name, asks)
        assert await live.items.admits("j", f"issue:{issue.id}", asks)
        assert await live.items.admits("j", name, asks), "now it is known whose it is"


async def test_who_waits_no_longer_leaves_a_connector_for_the_next_one(local: LocalAtlassian) -> None:
    _, _, low = a_tree(local)
    asks = Scope.member(local.world.users[low.author].email)
    site, openings = wiki_at(local, "cloud"), []

    def counted() -> AbstractAsyncContextManager[Connector]:
        openings.append(1)
        return site.open()

    async with opened(local, "cloud", replace(site, open=counted)) as live:
        await live.know()
        openings.clear()
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(live.items.admits("wiki", low.id, asks), 0.001)
        assert await live.items.admits("wiki", low.id, asks)
        assert len(openings) == 1


async def test_a_source_that_hangs_is_not_waited_for(local: LocalAtlassian) -> None:
    _, _, low = a_tree(local)
    async with opened(local, "cloud", wiki_at(local, "cloud"), seconds=0.2) as live:
        await live.know()
        local.fail("/pages", Fault.slow(2.0), times=None)
        with pytest.raises(Transient):
            await live.items.admits("wiki", low.id, Scope.member("ann@example.com"))
