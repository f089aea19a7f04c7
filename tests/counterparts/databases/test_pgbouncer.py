"""The product through PgBouncer in transaction mode, which has few connections to the server."""

import asyncio
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest

from bot.app.product import open_product
from bot.terminal.render import text_of
from config.load import load
from domain.access import Scope
from domain.answers import Question
from domain.errors import Transient
from domain.masked_answer import MaskedAnswer
from storage.open import open_storage
from storage.server.database import DatabaseOptions
from tests.command import Kb, KbProcess, rows, wait_for, write
from tests.counterparts.databases.servers import Mode, Pooler, Server, pgbouncer
from tests.fakes.slack import LocalSlack, local_slack, plain
from tests.flows.slack.conftest import serving, slack_env
from tests.flows.slack.reading import QUESTION, questions, replies, settled

ASKED = 20
SIZE = 3
"""Connections of the pooler to the server; see `pooler`."""
DIRECT = "the product directly"


@dataclass(frozen=True)
class Site:
    """The command with an index, through a pooler. direct: its database at the server itself."""

    kb: Kb
    pooler: Pooler
    name: str

    @property
    def direct(self) -> str:
        return self.pooler.behind.url(self.name)

    def left_on_servers(self) -> list[tuple[object, ...]]:
        """What is not as it was on the pooler's connections, after all clients have gone."""
        query = """
            SELECT name, setting FROM pg_settings WHERE source = 'session'
            AND name IN ('plan_cache_mode', 'lock_timeout', 'idle_in_transaction_session_timeout',
                         'transaction_timeout', 'tcp_keepalives_idle',
                         'enable_sort', 'maintenance_work_mem') OR name ~ '^hnsw' AND source = 'session'
            UNION ALL SELECT 'prepared', name FROM pg_prepared_statements
            UNION ALL SELECT 'lock', objid::text FROM pg_locks WHERE locktype = 'advisory'
            UNION ALL SELECT 'listens', pg_listening_channels()
        """
        with ThreadPoolExecutor(8) as many:  # so that each of the pooler's connections is met
            return [
                row for found in many.map(lambda _: rows(self.pooler.url(self.name), query), range(24)) for row in found
            ]


@pytest.fixture(scope="module")
def site(bare: Kb, pooler: Pooler, company: Path) -> Iterator[Site]:
    """A company's handbook, indexed through the pooler."""
    name = f"kb_{uuid4().hex}"
    with pooler.behind.database(name):
        direct = f"{pooler.behind.url(name)}?application_name={DIRECT.replace(' ', '%20')}"
        kb = bare.having(DATABASE_URL=pooler.url(name), DATABASE_DIRECT_URL=direct)
        for words in (("db", "upgrade"), ("index", str(company))):
            done = kb(*words)
            assert done.code == 0, done.err
        yield Site(kb, pooler, name)


@pytest.fixture(scope="module")
def slack() -> Iterator[LocalSlack]:
    with local_slack() as opened:
        yield opened


@contextmanager
def working(kb: Kb) -> Iterator[KbProcess]:
    """Inside, `kb worker` runs."""
    process = kb.start("worker")
    try:
        wait_for(lambda: "Working on questions" in process.said)
        yield process
        process.interrupt()
        ended = process.end()
        assert (ended.code, "Traceback" in ended.err) == (0, False), ended.err
    finally:
        process.close()


# -- it is found out


@pytest.mark.parametrize("mode", ["transaction", "session"])
@pytest.mark.parametrize("around", [0, 1])
@pytest.mark.parametrize("size", [2, 3])
def test_a_pooler_is_found_out_by_what_it_does(
    server_folder: Path, server: Server, name: str, bare: Kb, mode: Mode, size: int, around: int
) -> None:
    with pgbouncer(server_folder, server, mode=mode, size=size, server_round_robin=around) as pooler:
        for _ in range(2):  # when nobody has used it, and when its connections wait
            done = bare.having(DATABASE_URL=pooler.url(name))("db", "upgrade")
            assert done.code == (2 if mode == "transaction" else 0), done.err
    if mode == "transaction":
        assert "KB_AGENT_DATABASE_URL leads through a pooler that lends connections by the transaction" in done.err
        assert "\n  next: Set KB_AGENT_DATABASE_DIRECT_URL to the same database without the pooler" in done.err


def test_one_with_a_single_connection_and_busy_with_others_is_found_out(
    server_folder: Path, server: Server, name: str, bare: Kb
) -> None:
    with pgbouncer(server_folder, server, size=1) as pooler:
        over = threading.Event()

        def others() -> None:
            with psycopg.connect(pooler.url(name), autocommit=True, prepare_threshold=None) as connection:
                while not over.is_set():
                    connection.execute("SELECT pg_sleep(0.001)")

        with ThreadPoolExecutor(4) as many:
            busy = [many.submit(others) for _ in range(4)]
            try:
                done = bare.having(DATABASE_URL=pooler.url(name))("serve")
            finally:
                over.set()
        for each in busy:
            each.result()
    assert done.code == 2
    assert "leads through a pooler that lends connections by the transaction" in done.err


def test_statement_mode_is_of_no_use(server_folder: Path, server: Server, name: str, bare: Kb) -> None:
    with pgbouncer(server_folder, server, mode="statement") as pooler:
        done = bare.having(DATABASE_URL=pooler.url(name), DATABASE_DIRECT_URL=server.url(name))("db", "upgrade")
    assert done.code == 2
    assert "KB_AGENT_DATABASE_URL leads through a pooler in statement mode" in done.err


def test_the_direct_url_must_not_lead_through_it_too(pooler: Pooler, name: str, bare: Kb) -> None:
    done = bare.having(DATABASE_URL=pooler.url(name), DATABASE_DIRECT_URL=pooler.url(name))("db", "upgrade")
    assert done.code == 2
    assert "KB_AGENT_DATABASE_DIRECT_URL leads through a pooler that lends" in done.err


def test_both_urls_must_lead_to_one_database(pooler: Pooler, name: str, bare: Kb) -> None:
    with pooler.behind.database(f"other_{uuid4().hex}") as other:
        done = bare.having(DATABASE_URL=pooler.url(name), DATABASE_DIRECT_URL=other)("db", "upgrade")
    assert done.code == 2
    assert "KB_AGENT_DATABASE_DIRECT_URL leads to another database than KB_AGENT_DATABASE_URL" in done.err


@pytest.mark.parametrize("setting", ["DATABASE_URL", "DATABASE_DIRECT_URL"])
def test_what_does_not_let_us_in_is_named(pooler: Pooler, name: str, bare: Kb, setting: str) -> None:
    urls = {"DATABASE_URL": pooler.url(name), "DATABASE_DIRECT_URL": pooler.behind.url(name)}
    done = bare.having(**urls | {setting: urls[setting].replace("right-horse", "wrong")})("db", "current")
    assert done.code == 2
    assert "The database server does not let us in" in done.err
    assert f"user, password and database in KB_AGENT_{setting}," in done.err
    assert "wrong" not in done.err


# -- it works


def test_every_command_works(site: Site, tmp_path: Path) -> None:
    docs = write(tmp_path / "docs", page="# Walrus\n\nThe walrus of the wiki is fed at noon.\n")
    for words in (
        ("doctor",), ("index", str(docs)), ("reindex",), ("reindex", "--full"), ("reindex", "--rollback"),
        ("schedule", "run", "content"), ("search", "vacation"), ("graph", "show", "Walrus"), ("status",), ("runs",),
    ):  # fmt: skip
        done = site.kb(*words)
        assert done.code == 0, (words, done)
    assert "fed at noon" in site.kb("ask", "When is the walrus fed?").out
    assert site.kb("sources", "remove", "docs", "--yes").code == 0
    assert site.left_on_servers() == []


def test_a_single_connection_is_enough(server_folder: Path, server: Server, name: str, bare: Kb, company: Path) -> None:
    """Whoever held a transaction open while waiting for another connection would wait for itself here."""
    with pgbouncer(server_folder, server, size=1) as pooler:
        kb = bare.having(DATABASE_URL=pooler.url(name), DATABASE_DIRECT_URL=server.url(name))
        for words in (
            ("db", "upgrade"),
            ("index", str(company)),
            ("reindex", "--full"),
            ("ask", QUESTION),
            ("doctor",),
        ):
            done = kb(*words)
            assert done.code == 0, (words, done)


def test_two_roles(server_folder: Path, server: Server, name: str, bare: Kb, company: Path) -> None:
    """What is allowed goes with each transaction: the pooler's connection is another client's in the next one."""
    with pgbouncer(server_folder, server, size=1) as pooler:
        owner, direct = server.url(name), server.apps(name)
        kb = bare.having(DATABASE_URL=pooler.apps(name), DATABASE_DIRECT_URL=direct, DATABASE_OWNER_URL=owner)
        for words in (("db", "upgrade"), ("index", str(company)), ("reindex", "--full"), ("graph", "show", "Handbook")):
            done = kb(*words)
            assert done.code == 0, (words, done)
        assert "thirty days of vacation" in kb("ask", QUESTION).out
        assert "row security: policies of the tables hold for the application" in kb("doctor").out
        setting = "SELECT current_setting('kb.allowed', true), count(*) FROM documents"
        assert rows(pooler.apps(name), setting) == [("", 0)]
        wrong = kb.having(DATABASE_OWNER_URL=pooler.url(name))("db", "current")
        assert "KB_AGENT_DATABASE_OWNER_URL leads through a pooler that lends" in wrong.err
        wrong = kb.having(DATABASE_DIRECT_URL="")("db", "current")
        assert "KB_AGENT_DATABASE_URL leads through a pooler that lends" in wrong.err


async def test_many_questions_at_once(site: Site) -> None:
    """More than the pooler has connections; each statement of a search may be served by another one."""
    async with open_product(load(site.kb.env, site.kb.folder)) as product:

        async def ask() -> str:
            question = Question(QUESTION, Scope.member())
            (told,) = [each async for each in product.answers.stream(question) if isinstance(each, MaskedAnswer)]
            return text_of(told)

        answers = await asyncio.gather(*(ask() for _ in range(ASKED)))
    assert all("thirty days of vacation" in each for each in answers), answers
    assert site.left_on_servers() == []


@contextmanager
def counted(site: Site) -> Iterator[list[tuple[int, int]]]:
    """Inside, connections to the server are counted ten times a second: those that come directly, and the pooler's."""
    seen: list[tuple[int, int]] = []
    over = threading.Event()
    query = """
        SELECT count(*) FILTER (WHERE application_name = %s), count(*) FILTER (WHERE application_name ~ '^(kb.*)?$')
        FROM pg_stat_activity WHERE datname = %s
    """

    def look() -> None:
        with psycopg.connect(site.pooler.behind.administrators(), autocommit=True) as connection:
            while not over.wait(0.1):
                row = connection.execute(query, [DIRECT, site.name]).fetchone()
                seen.append((row[0], row[1]) if row else (0, 0))

    with ThreadPoolExecutor(1) as one:
        looking = one.submit(look)
        try:
            yield seen
        finally:
            over.set()
            looking.result()


def test_chat_is_served(site: Site, slack: LocalSlack) -> None:
    kb = site.kb.having(**slack_env(slack), WORKER_CONCURRENCY="0")
    seen = kb.having(DATABASE_URL=f"{site.direct}?application_name=test")
    people = [slack.add_user(f"p{number}", email=f"p{number}@example.com") for number in range(ASKED)]
    channels = [slack.add_channel(f"c{number}", [each]).id for number, each in enumerate(people)]
    with counted(site) as held, serving(kb, slack), working(kb.having(WORKER_CONCURRENCY="4")):
        asked = [
            slack.say(each, channel, f"<@{slack.bot}> {QUESTION}")
            for each, channel in zip(people, channels, strict=True)
        ]
        wait_for(lambda: len(questions(seen)) == ASKED and settled(seen))
    assert questions(seen) == [("posted", "answered")] * ASKED
    for channel, each in zip(channels, asked, strict=True):
        (message,) = replies(slack, channel, each)
        assert "thirty days" in plain(message)
    twice = pairwise(through for _, through in held)  # one that the pooler gave up may be seen once more
    assert max(map(min, twice)) <= SIZE, "the pooler's"
    assert 3 <= max(direct for direct, _ in held) <= 5, (
        "one for each queue that the worker listens to; starting takes one"
    )
    assert site.left_on_servers() == []


async def test_a_lock_is_not_waited_for_longer_than_without_a_pooler(site: Site) -> None:
    options = DatabaseOptions(site.pooler.url(site.name), Path(), direct_url=site.direct)
    async with open_storage(options) as storage:
        with psycopg.connect(site.direct) as other:
            other.execute("LOCK TABLE ticks")
            with pytest.raises(Transient) as caught:
                await asyncio.wait_for(storage.scheduled_runs().register("content", datetime.now(UTC)), 30)
    assert "lock timeout" in caught.value.why


async def test_one_source_is_read_by_one_process(site: Site) -> None:
    """The lock is a session's, which goes to the server directly."""
    options = DatabaseOptions(site.pooler.url(site.name), Path(), direct_url=site.direct)
    async with open_storage(options) as one, open_storage(options) as other:
        async with one.runs.begin("docs"):
            with pytest.raises(Transient, match="is being indexed by another process"):
                async with other.runs.begin("docs"):
                    pytest.fail("began")
        async with other.runs.begin("docs"):
            pass
