"""How tickets hang together is told completely, each line with the passage that states it, to those who may read it."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest

from bot.app.indexing import index_source
from bot.app.product import Product, open_product
from config.load import load
from domain.access import Scope
from domain.answers import Answer, Question
from indexer.run.dependencies import RunOptions
from storage.index.sources import Source
from tests.fakes.atlassian import Holder, Issue, LocalAtlassian, User, local_atlassian
from tests.fakes.embedder import HashEmbedder

STORIES, BLOCKED = 14, 12


@dataclass
class Desk:
    """A project around one ticket. secret: an issue that it blocks, which only Ann may read."""

    product: Product
    ann: User
    bob: User
    hub: Issue
    epic: Issue
    stories: list[Issue]
    blocked: list[Issue]
    blockers: list[Issue]
    related: Issue
    secret: Issue

    async def told(self, text: str, who: User) -> tuple[set[str], str]:
        """The lines of an answer without their marks, and all that it cites."""
        outcome = (await self.product.answers.ask(Question(text, Scope.member(who.email)))).outcome
        assert isinstance(outcome, Answer), (text, outcome)
        answer = outcome
        assert "differ" not in answer.notice, answer.notice
        lines = [line for line in answer.text.splitlines() if line.startswith("- ")]
        assert all(line.endswith("]") for line in lines), answer.text
        quotes = "\n".join(each.quote for each in answer.citations)
        return {line[2:].rpartition(" [")[0] for line in lines}, quotes


@pytest.fixture(params=["cloud", pytest.param("datacenter", marks=pytest.mark.slow)])
async def desk(request: pytest.FixtureRequest, data_dir: Path, database: str, tmp_path: Path) -> AsyncIterator[Desk]:
    async with AsyncExitStack() as stack:
        local = stack.enter_context(local_atlassian())
        environ = {"KB_AGENT_DATA_DIR": str(data_dir), "SERVICE_TOKEN": local.service.secret}
        opening = open_product(load(environ, tmp_path), database=database, model=HashEmbedder())
        yield await founded(local, request.param, await stack.enter_async_context(opening))


async def founded(local: LocalAtlassian, flavour: str, product: Product) -> Desk:
    world = local.world
    ann, bob = world.add_user("Ann Lee"), world.add_user("Bob Ray")
    open_to_all = world.add_scheme("Open", Holder("applicationRole"), Holder("user", local.bot.id))
    closed = world.add_scheme("Closed", Holder("user", ann.id), Holder("user", local.bot.id))
    pay = world.add_project("PAY", "Payments", lead=ann, scheme=open_to_all)
    security = world.add_project("SEC", "Security", lead=ann, scheme=closed)
    epic = world.add_issue(pay, "Refunds for all", by=bob, kind="Epic")
    hub = world.add_issue(pay, "The ledger is slow", "It takes minutes.", by=ann)
    stories = [world.add_issue(pay, f"Story {at}", by=ann, kind="Story", parent=epic.id) for at in range(STORIES)]
    blocked = [world.add_issue(pay, f"Report {at} waits", by=bob) for at in range(BLOCKED)]
    blockers = [world.add_issue(pay, f"Disk {at} is full", by=bob) for at in range(2)]
    related, secret = world.add_issue(pay, "An old complaint", by=bob), world.add_issue(security, "The breach", by=ann)
    for each in (*blocked, secret):
        world.link(hub, each)
    for each in blockers:
        world.link(each, hub)
    world.link(related, hub, "Relates")
    local.admit()
    cloud = flavour == "cloud"
    options = {"flavour": flavour, "token_env": "SERVICE_TOKEN", "url": local.jira_cloud if cloud else local.jira}
    source = Source("desk", "jira", {**options, "email": local.basic()[0] if cloud else ""})
    await product.storage.sources.add(source)
    report = await index_source(product, source, product.writer, RunOptions(), lambda _step: None)
    assert (report.outcome, report.failed) == ("done", [])
    return Desk(product, ann, bob, hub, epic, stories, blocked, blockers, related, secret)


async def test_each_way_of_asking_is_answered_completely(desk: Desk) -> None:
    hub, epic = desk.hub.key, desk.epic.key
    blocked = {f"{hub} blocks {each.key}" for each in desk.blocked}
    blockers = {f"{each.key} blocks {hub}" for each in desk.blockers}
    stories = {f"{each.key} part of {epic}" for each in desk.stories}
    related = {f"{desk.related.key} relates to {hub}"}
    expected = {
        f"Which tickets are blocked by {hub}?": blocked,
        f"Which tickets block {hub}?": blockers,
        f"What is linked to {hub}?": blocked | blockers | related,
        f"Which tickets are linked to {hub}?": blocked | blockers | related,
        f"Which issues belong to the epic {epic}?": stories,
        f"Which epic does {desk.stories[0].key} belong to?": {f"{desk.stories[0].key} part of {epic}"},
        f"Who reported {hub}?": {f"{hub} reported by Ann Lee"},
        f"Who reported {epic}?": {f"{epic} reported by Bob Ray"},
    }
    for question, lines in expected.items():
        told, quotes = await desk.told(question, desk.bob)
        assert told == lines, question
        assert desk.secret.key not in quotes
    told, _ = await desk.told(f"Which tickets are blocked by {hub}?", desk.ann)
    assert told == blocked | {f"{hub} blocks {desk.secret.key}"}
