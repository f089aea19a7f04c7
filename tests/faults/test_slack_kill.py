"""kill -9 of `kb serve` at every point between receipt and posting, then another start: one visible outcome."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

import pytest

from tests.command import Kb, KbProcess, connected, embeddings_env, locked_out, own_database, wait_for
from tests.fakes import handbook
from tests.fakes.embeddings_server import embeddings_server
from tests.fakes.slack import LocalSlack, Message, local_slack, plain
from tests.flows.slack.conftest import serving, slack_env
from tests.flows.slack.reading import ANSWER, QUESTION, questions, replies, settled

pytestmark = pytest.mark.faults


@pytest.fixture(scope="module")
def indexed(data_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kb]:
    company = handbook.make(tmp_path_factory.mktemp("company") / "handbook")
    with embeddings_server() as server, own_database(data_dir, f"kill_{uuid4().hex}") as url:
        env = {"KB_AGENT_DATA_DIR": str(data_dir), "KB_AGENT_DATABASE_URL": url, **embeddings_env(server)}
        kb = Kb(env, tmp_path_factory.mktemp("working"))
        assert kb("index", str(company)).code == 0
        yield kb


@pytest.fixture
def slack() -> Iterator[LocalSlack]:
    with local_slack() as opened:
        yield opened


class Case:
    """A question asked of a process that is killed at some point of its work."""

    def __init__(self, indexed: Kb, slack: LocalSlack, *, streams: bool) -> None:
        self.kb = indexed.having(**slack_env(slack))
        with connected(self.kb.env["KB_AGENT_DATABASE_URL"]) as connection:
            connection.execute("TRUNCATE questions, turns CASCADE")
        self.slack = slack
        self.person = slack.add_user("ann", email="ann@example.com")
        self.channel = slack.add_channel("general", [self.person], streams=streams).id
        self.asked = ""
        self.dead = threading.Event()

    def die(self, process: KbProcess) -> None:
        """kill -9, once."""
        if not self.dead.is_set():
            process.kill()
            self.dead.set()

    def kill_at(self, hook: Callable[..., None], method: str) -> None:
        """Asks, and kills the process when it comes to that call."""

        def die(_call: object) -> None:
            before = hook == self.slack.before and not self.dead.is_set()
            self.die(process)
            if before:
                raise ConnectionAbortedError

        with self.first() as process:
            hook(method, die)
            self.ask()
            wait_for(self.dead.is_set)

    def kill_behind(self, table: str, reached: Callable[[], bool]) -> None:
        """Asks while a table cannot be written, and kills the process when it can only be waiting for that."""
        url = self.kb.env["KB_AGENT_DATABASE_URL"]
        with self.first() as process, connected(url) as connection, connection.transaction():
            connection.execute(f"LOCK TABLE {table} IN SHARE ROW EXCLUSIVE MODE")
            self.ask()
            wait_for(reached)
            wait_for(lambda: locked_out(url, table))
            self.die(process)

    def ask(self) -> None:
        self.asked = self.slack.say(self.person, self.channel, f"<@{self.slack.bot}> {QUESTION}")

    @contextmanager
    def first(self) -> Iterator[KbProcess]:
        before = set(self.slack.connections)
        process = self.kb.start("serve")
        try:
            wait_for(lambda: bool(set(self.slack.connections) - before))
            yield process
        finally:
            process.close()

    def shown(self) -> list[Message]:
        return replies(self.slack, self.channel, self.asked) if self.asked else []

    def is_answered(self) -> bool:
        return any(ANSWER in plain(each) and "Sources" in plain(each) for each in self.shown())

    def outcome_after_restart(self) -> None:
        """Starts it again; there is one message of the bot's, it is the answer, and the ledger says so."""
        with serving(self.kb, self.slack):
            wait_for(lambda: bool(questions(self.kb)) and settled(self.kb))
        (message,) = self.shown()
        assert ANSWER in plain(message)
        assert "Sources" in plain(message)
        assert message.streaming_state != "in_progress"
        assert questions(self.kb) == [("posted", "answered")]
        assert questions(self.kb, "duplicate_possible") == [(False,)]


ANYWHERE = pytest.mark.parametrize("case", ["messages"], indirect=True)
"""Where it makes no difference how an answer is shown."""


@pytest.fixture(params=["messages", "streams"])
def case(request: pytest.FixtureRequest, indexed: Kb, slack: LocalSlack) -> Case:
    return Case(indexed, slack, streams=request.param == "streams")


def first_sign(case: Case) -> str:
    return "chat.startStream" if case.slack.world.channel(case.channel).streams else "chat.postMessage"


def last_word(case: Case) -> str:
    return "chat.stopStream" if case.slack.world.channel(case.channel).streams else "chat.update"


@ANYWHERE
def test_before_the_question_is_in_the_ledger(case: Case) -> None:
    case.kill_behind("questions", lambda: bool(case.asked))
    assert not questions(case.kb)
    case.outcome_after_restart()


def test_before_the_first_sign(case: Case) -> None:
    case.kill_at(case.slack.before, first_sign(case))
    assert not case.shown()
    case.outcome_after_restart()


def test_when_the_first_sign_is_shown_and_not_noted(case: Case) -> None:
    case.kill_at(case.slack.after, first_sign(case))
    assert len(case.shown()) == 1
    case.outcome_after_restart()


@pytest.mark.everyday
@ANYWHERE
def test_while_it_is_answered(case: Case) -> None:
    case.kill_at(case.slack.before, "users.info")
    assert questions(case.kb, "state") == [("running",)]
    case.outcome_after_restart()


def test_before_the_outcome_is_shown(case: Case) -> None:
    def final(call: object) -> bool:
        return bool(getattr(call, "args", {}).get("metadata", {}).get("event_payload", {}).get("final"))

    with case.first() as process:
        case.slack.before(last_word(case), lambda call: case.die(process) if final(call) else None)
        case.ask()
        wait_for(case.dead.is_set)
    assert questions(case.kb, "state") == [("posting",)]
    case.outcome_after_restart()


def test_when_the_outcome_is_shown_and_slack_has_not_said_so(case: Case) -> None:
    with case.first() as process:
        case.slack.after(last_word(case), lambda _: case.die(process) if case.is_answered() else None)
        case.ask()
        wait_for(case.dead.is_set)
    assert case.is_answered()
    case.outcome_after_restart()


def test_when_the_outcome_is_shown_and_not_in_the_ledger(case: Case) -> None:
    case.kill_behind("turns", case.is_answered)
    assert questions(case.kb, "state") == [("posting",)]
    case.outcome_after_restart()
