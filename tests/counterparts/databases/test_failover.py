"""A hundred questions while the database's first server loses its power: Patroni makes another one the first."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import psycopg
import pytest

from tests.command import Kb, wait_for
from tests.conftest import open_folder
from tests.counterparts.databases.cluster import Cluster, cluster, remove
from tests.counterparts.databases.servers import Pooler, pgbouncer
from tests.fakes.slack import LocalSlack, Said, local_slack
from tests.flows.slack.conftest import serving, slack_env
from tests.flows.slack.reading import QUESTION, answered, questions, settled

COUNT = 100
NAME = "company"


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    made = open_folder("kb-cluster-")
    yield made
    remove(made)


@pytest.fixture(scope="module")
def servers(folder: Path) -> Iterator[Cluster]:
    with cluster(folder) as running:
        yield running


@pytest.fixture(scope="module")
def pooler(folder: Path, servers: Cluster) -> Iterator[Pooler]:
    """PgBouncer before HAProxy."""
    with pgbouncer(folder, servers.server, size=10, server_login_retry=1, server_connect_timeout=3) as running:
        yield running


@pytest.fixture(scope="module")
def site(bare: Kb, servers: Cluster, pooler: Pooler, company: Path) -> Iterator[Kb]:
    """A company's handbook, indexed through the pooler."""
    with servers.server.database(NAME):
        kb = bare.having(DATABASE_URL=pooler.url(NAME), DATABASE_DIRECT_URL=servers.server.url(NAME))
        for words in (("db", "upgrade"), ("index", str(company))):
            done = kb(*words)
            assert done.code == 0, done.err
        yield kb


@pytest.fixture(scope="module")
def slack() -> Iterator[LocalSlack]:
    """A Slack that delivers once: what is not kept is lost."""
    with local_slack() as opened:
        opened.courier.retry_intervals = ()
        yield opened


def ask(slack: LocalSlack) -> list[tuple[str, Said]]:
    """A hundred people in ten channels ask at once."""
    said = []
    for room in range(10):
        people = [slack.add_user(f"r{room}-{n}", email=f"r{room}-{n}@example.com") for n in range(COUNT // 10)]
        channel = slack.add_channel(f"room{room}", people).id
        said += [(channel, slack.say(each, channel, f"<@{slack.bot}> {QUESTION}")) for each in people]
    return said


def ended(kb: Kb) -> int:
    with suppress(psycopg.OperationalError):
        return sum(1 for (result,) in questions(kb, "result") if result)
    return 0


def test_a_hundred_questions_outlive_the_first_server(site: Kb, servers: Cluster, slack: LocalSlack) -> None:
    direct = site.having(DATABASE_URL=servers.server.url(NAME))
    with serving(site.having(**slack_env(slack), ANSWER_DEADLINE="600"), slack, calm=False) as process:
        said = ask(slack)
        wait_for(lambda: ended(direct) >= 10)
        first = servers.leader()
        assert first is not None
        first.kill()
        wait_for(lambda: (servers.leader() or first).name != first.name)
        wait_for(lambda: _settled(direct))
        assert questions(direct) == [("posted", "answered")] * COUNT, process.said[-100_000:]
    for channel, each in said:
        shown = answered(slack, channel, each)
        assert shown is not None
        assert len(shown) == 1


def _settled(direct: Kb) -> bool:
    with suppress(psycopg.OperationalError):
        return len(questions(direct)) == COUNT and settled(direct)
    return False
