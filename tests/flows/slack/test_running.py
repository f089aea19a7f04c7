"""Serving as operators live with it: ended in mid-answer, spread over processes, its database away for a moment."""

import signal
import time
from collections.abc import Iterator

import pytest

from tests.command import Kb, KbProcess, connected, wait_for
from tests.fakes.model_server import ModelServer, model_server
from tests.fakes.slack import LocalSlack, Said, plain
from tests.flows.slack.burst import taking
from tests.flows.slack.conftest import slack_env
from tests.flows.slack.reading import QUESTION, questions, replies, settled
from tests.flows.slack.talk import model_env


@pytest.fixture
def model() -> Iterator[ModelServer]:
    with model_server(rules=(taking(0.7),)) as server:
        yield server


@pytest.fixture
def kb(indexed: Kb, slack: LocalSlack, model: ModelServer) -> Kb:
    """The command with a model that takes its time, and an empty ledger."""
    with connected(indexed.env["KB_AGENT_DATABASE_URL"]) as connection:
        connection.execute("TRUNCATE questions, turns CASCADE")
    return indexed.having(**slack_env(slack), **model_env(model))


@pytest.fixture
def processes() -> Iterator[list[KbProcess]]:
    """What is started; ended after the test."""
    started: list[KbProcess] = []
    yield started
    for each in started:
        each.close()


def connect(kb: Kb, slack: LocalSlack, processes: list[KbProcess], *words: str) -> KbProcess:
    """Starts the command; `kb serve` until it is connected."""
    before = set(slack.connections)
    processes.append(kb.start(*words))
    if words == ("serve",):
        wait_for(lambda: bool(set(slack.connections) - before))
    return processes[-1]


def ask(slack: LocalSlack) -> tuple[str, Said]:
    ann = slack.add_user("ann", email="ann@example.com")
    channel = slack.add_channel("general", [ann]).id
    return channel, slack.say(ann, channel, f"<@{slack.bot}> {QUESTION}")


def ended(process: KbProcess) -> tuple[int, float]:
    """Asks a process to end, as an operating system does; its exit code, and the seconds it took."""
    began = time.monotonic()
    process.process.send_signal(signal.SIGTERM)
    done = process.end()
    assert "Traceback" not in done.err, done.err
    return done.code, time.monotonic() - began


def is_answered(kb: Kb, slack: LocalSlack, channel: str, asked: Said) -> None:
    wait_for(lambda: bool(questions(kb)) and settled(kb))
    assert questions(kb) == [("posted", "answered")]
    (message,) = replies(slack, channel, asked)
    assert "thirty days" in plain(message)
    assert message.streaming_state != "in_progress"


def test_what_takes_too_long_is_given_back_and_another_finishes_it(
    kb: Kb, slack: LocalSlack, model: ModelServer, processes: list[KbProcess]
) -> None:
    model.rules[:] = [taking(4.0)]
    process = connect(kb.having(SHUTDOWN_SECONDS="0.2", MODE="direct"), slack, processes, "serve")
    channel, asked = ask(slack)
    wait_for(lambda: bool(model.requests))
    code, _ = ended(process)
    assert code == 0
    assert questions(kb, "ended_at") == [(None,)]
    model.rules[:] = [taking(0.1)]
    connect(kb, slack, processes, "worker")
    is_answered(kb, slack, channel, asked)


def test_what_listens_and_what_works_end_at_one_time(
    kb: Kb, slack: LocalSlack, model: ModelServer, processes: list[KbProcess]
) -> None:
    model.rules[:] = [taking(40.0)]
    process = connect(kb.having(SHUTDOWN_SECONDS="6", MODE="direct"), slack, processes, "serve")
    ask(slack)
    wait_for(lambda: bool(model.requests))
    slack.latency("chat.startStream", 15.0)
    before = len(slack.calls())
    ask(slack)
    wait_for(lambda: len(questions(kb)) == 2 and len(slack.calls()) > before)
    try:
        code, seconds = ended(process)
    finally:
        slack.latency("chat.startStream", 0.0)
    assert code == 0
    assert seconds < 11, "one time of grace, not two"


def test_one_process_listens_and_others_work(kb: Kb, slack: LocalSlack, processes: list[KbProcess]) -> None:
    connect(kb.having(WORKER_CONCURRENCY="0"), slack, processes, "serve")
    channel, asked = ask(slack)
    wait_for(lambda: bool(replies(slack, channel, asked)))
    assert questions(kb, "state") == [("received",)]
    connect(kb, slack, processes, "worker")
    is_answered(kb, slack, channel, asked)


def test_the_database_loses_all_connections_in_mid_answer(
    kb: Kb, slack: LocalSlack, model: ModelServer, processes: list[KbProcess]
) -> None:
    connect(kb, slack, processes, "serve")
    channel, asked = ask(slack)
    wait_for(lambda: bool(model.requests))
    with connected(kb.env["KB_AGENT_DATABASE_URL"]) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
    is_answered(kb, slack, channel, asked)
    other, next_one = ask(slack)
    wait_for(lambda: len(questions(kb)) == 2 and settled(kb))
    assert "thirty days" in plain(replies(slack, other, next_one)[-1])
