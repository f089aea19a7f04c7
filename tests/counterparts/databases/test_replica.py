"""Searching in a streaming replica of PostgreSQL: while it is near; and what a replica that lags must not show."""

import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from uuid import uuid4

import httpx
import pytest

from bot.app.product import Product, open_product
from config.load import load
from domain.access import NOBODY, Scope
from domain.answers import Answer, Question
from storage.server.pool import Connection
from tests.command import Kb, running, wait_for
from tests.counterparts.databases.servers import Replica, Server, streaming_replica

QUESTION = "How many days of vacation are there?"
LAG = 2.0


@pytest.fixture(scope="module")
def site(bare: Kb, server: Server, company: Path) -> Iterator[Kb]:
    """A company's handbook in a database of the server."""
    name = f"kb_{uuid4().hex}"
    with server.database(name):
        kb = bare.having(DATABASE_URL=server.apps(name), DATABASE_OWNER_URL=server.url(name))
        for words in (("db", "upgrade"), ("index", str(company))):
            done = kb(*words)
            assert done.code == 0, done.err
        yield kb


@pytest.fixture(scope="module")
def replica(site: Kb, server: Server, server_folder: Path) -> Iterator[Replica]:
    """A replica of that server."""
    with streaming_replica(server_folder, server) as running:
        yield running


@pytest.fixture
def following(site: Kb, replica: Replica) -> Iterator[Kb]:
    """The command with the replica, which follows again at the end."""
    name = site.env["KB_AGENT_DATABASE_URL"].rsplit("/", 1)[1]
    try:
        yield site.having(DATABASE_READ_URL=replica.apps(name), DATABASE_READ_LAG=str(LAG))
    finally:
        replica.pause(on=False)


@asynccontextmanager
async def opened(kb: Kb) -> AsyncIterator[Product]:
    async with open_product(load(kb.env, kb.folder)) as product:
        yield product


async def where(product: Product) -> str:
    """Which server a search reads in."""

    async def ask(connection: Connection) -> bool:
        row = await (await connection.execute(b"SELECT pg_is_in_recovery()")).fetchone()
        return bool(row and row[0])

    assert product.storage.replica is not None
    return "replica" if await product.storage.replica.run(ask) else "first"


async def follows(product: Product) -> None:
    assert product.storage.replica is not None
    assert await product.storage.replica.trouble() == ""


async def test_searches_read_in_it_while_it_is_near_and_in_the_first_server_while_it_lags(
    following: Kb, replica: Replica, server: Server
) -> None:
    async with opened(following) as product:
        await follows(product)
        assert await where(product) == "replica"
        answer = await product.answers.ask(Question(QUESTION, Scope.member()))
        assert isinstance(answer.outcome, Answer), answer.outcome
        replica.pause(on=True)
        server.execute("SELECT pg_logical_emit_message(true, 'test', 'so that there is something to follow')")
        paused = time.monotonic()
        while await where(product) == "replica":
            assert time.monotonic() - paused < LAG + 3
        answer = await product.answers.ask(Question(QUESTION, Scope.member()))
        assert isinstance(answer.outcome, Answer), answer.outcome
        assert "It lags" in await product.storage.health().replica_problem()
        replica.pause(on=False)
        await follows(product)
        assert await where(product) == "replica"


async def test_a_right_that_was_taken_away_is_not_shown_from_a_replica_that_has_not_heard_of_it(
    following: Kb, replica: Replica
) -> None:
    """The replica is asked for as long as it may lag, and still has the right; what is shown was checked by the first
    server."""
    slow = following.having(DATABASE_READ_LAG="300")
    async with opened(slow) as product:
        await follows(product)
        replica.pause(on=True)
        writer, (source,) = await product.writer(), await product.storage.sources.all_sources()
        before = await writer.indexed_documents(source.name)
        try:
            await writer.set_acl(source.name, list(before), NOBODY)
            assert await where(product) == "replica"
            found = await product.answers.ask(Question(QUESTION, Scope.member()))
            assert not isinstance(found.outcome, Answer), found.outcome
        finally:
            acls = {each.acl for each in before.values()}
            for acl in acls:
                await writer.set_acl(source.name, [name for name, each in before.items() if each.acl == acl], acl)


def test_one_that_is_away_or_none_is_told_and_done_without(following: Kb, server: Server, site: Kb) -> None:
    away = following.having(
        DATABASE_READ_URL=following.env["KB_AGENT_DATABASE_READ_URL"].replace("127.0.0.1", "127.0.0.9")
    )
    assert "thirty days" in away("ask", QUESTION).out
    told = away("doctor")
    assert "FAILED read replica: The read replica is not searched in: It does not answer" in told.out
    with running(away.having(API_PORT="0", HTTP_PORT="0"), "serve") as process:
        wait_for(lambda: "operations at" in process.said)
        ready = httpx.get(process.said.partition("operations at ")[2].split(". ")[0], trust_env=False)
    assert (ready.status_code, "It does not answer" in str(ready.json()["notes"])) == (200, True), ready.text
    assert "ok     read replica: follows by less than 2 s" in following("doctor").out
    first = following.having(DATABASE_READ_URL=site.env["KB_AGENT_DATABASE_URL"])
    assert "It is no replica of this database" in first("doctor").out
    assert "thirty days" in first("ask", QUESTION).out
