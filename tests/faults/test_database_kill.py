"""kill -9 of the embedded database under `kb serve`, with questions in all stages: each has one outcome."""

import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psycopg
import pytest

from tests.command import Kb, KbProcess, database_url, embeddings_env, wait_for
from tests.conftest import open_folder
from tests.fakes import handbook
from tests.fakes.embeddings_server import embeddings_server
from tests.fakes.slack import LocalSlack, Said, local_slack, plain
from tests.faults.embedded.servers import postmasters, remove
from tests.flows.slack.conftest import slack_env, start
from tests.flows.slack.reading import ANSWER, QUESTION, questions, replies, settled

pytestmark = pytest.mark.faults

__all__ = ["start"]  # a fixture

COUNT = 20


@pytest.fixture(scope="module")
def alone() -> Iterator[Path]:
    """A data folder with an embedded server of its own."""
    folder = open_folder("kb-always-")
    yield folder
    remove(folder)


@pytest.fixture(scope="module")
def indexed(alone: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kb]:
    company = handbook.make(tmp_path_factory.mktemp("company") / "handbook")
    with embeddings_server() as server:
        env = {"KB_AGENT_DATA_DIR": str(alone), **embeddings_env(server)}
        kb = Kb(env, tmp_path_factory.mktemp("working"))
        assert kb("index", str(company)).code == 0
        yield kb


@pytest.fixture(scope="module")
def slack() -> Iterator[LocalSlack]:
    """A Slack that delivers once: what is not kept is lost."""
    with local_slack() as opened:
        opened.courier.retry_intervals = ()
        yield opened


@pytest.fixture(scope="module")
def reading(alone: Path) -> Kb:
    """Finds the database for the functions that look into it."""
    return Kb({"KB_AGENT_DATABASE_URL": database_url(alone, "kb")}, alone)


@pytest.fixture(scope="module")
def served(indexed: Kb, slack: LocalSlack) -> Iterator[Kb]:
    """The command while `kb serve` runs; its log may hold what was cut off."""
    kb = indexed.having(**slack_env(slack))
    process = kb.start("serve")
    try:
        wait_for(lambda: bool(slack.connections))
        yield kb
        process.interrupt()
        assert process.end().code == 0
    finally:
        process.close()


def kill_server(folder: Path) -> None:
    """kill -9 of the server's first process."""
    pid = int((folder / "postgresql" / "postmaster.pid").read_text().split()[0])
    os.kill(pid, signal.SIGKILL)


def seen(reading: Kb, ended: bool) -> int:
    """How many questions are in the ledger, or how many of them have ended; none while the database is away."""
    with suppress(psycopg.OperationalError):
        found = questions(reading, "ended_at IS NOT NULL")
        return sum(1 for (over,) in found if over or not ended)
    return 0


def all_ended(reading: Kb, count: int) -> bool:
    with suppress(psycopg.OperationalError):
        return len(questions(reading)) == count and settled(reading)
    return False


@contextmanager
def asked(slack: LocalSlack, turn: int) -> Iterator[list[tuple[str, Said]]]:
    """Twenty people have asked at once."""
    people = [slack.add_user(f"u{turn}-{number}", email=f"u{turn}-{number}@example.com") for number in range(COUNT)]
    channel = slack.add_channel(f"c{turn}", people).id
    yield [(channel, slack.say(each, channel, f"<@{slack.bot}> {QUESTION}")) for each in people]


@pytest.mark.parametrize(
    ("turn", "ended"),
    [
        pytest.param(0, None, id="at once"),
        pytest.param(1, False, id="claimed"),
        pytest.param(2, True, id="answered"),
    ],
)
def test_twenty_questions_have_one_outcome_each(
    served: Kb, slack: LocalSlack, reading: Kb, alone: Path, turn: int, ended: bool | None
) -> None:
    before = len(questions(reading))
    if ended is None:
        kill_server(alone)
    with asked(slack, turn) as said:
        if ended is not None:
            wait_for(lambda: seen(reading, ended) > before + 2)
            kill_server(alone)
        wait_for(lambda: all_ended(reading, before + COUNT))
    assert questions(reading, "state, result")[before:] == [("posted", "answered")] * COUNT
    for channel, each in said:
        (shown,) = replies(slack, channel, each)
        assert ANSWER in plain(shown)
        assert "Sources" in plain(shown)
    assert len(postmasters(alone)) == 1


def test_asked_to_end_while_the_database_stays_away_it_ends(
    indexed: Kb, slack: LocalSlack, alone: Path, start: Callable[..., KbProcess]
) -> None:
    before = set(slack.connections)
    process = start(indexed.having(**slack_env(slack)), "serve")
    wait_for(lambda: bool(set(slack.connections) - before))
    kill_server(alone)
    (alone / "postgresql").rename(alone / "away")  # so that it cannot be started again
    try:
        with asked(slack, 3):
            wait_for(lambda: "cannot be started again" in process.said or "did not start" in process.said)
            process.process.send_signal(signal.SIGTERM)
            began = time.monotonic()
            done = process.end()
    finally:
        (alone / "away").rename(alone / "postgresql")
    assert done.code == 0, done.err
    assert time.monotonic() - began < 25, "an operating system waits no longer"
