"""kill -9 of `kb serve` at every point between receipt and posting in Teams, then another start: one visible outcome,
and at most one sign or message too many, which is recorded: Teams gives nothing back that was sent."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from uuid import uuid4

import pytest

from tests.command import Kb, KbProcess, connected, embeddings_env, locked_out, own_database, wait_for
from tests.fakes import handbook
from tests.fakes.embeddings_server import embeddings_server
from tests.fakes.teams import LocalTeams, Message, citations, labelled, local_teams
from tests.fakes.teams_keys import TeamsKeys, teams_keys
from tests.flows.slack.reading import questions, settled
from tests.flows.teams.conftest import serving, teams_env
from tests.flows.teams.talk import Post

pytestmark = pytest.mark.faults

QUESTION, ANSWER, GREETING = "How many days of vacation?", "thirty days", "Hello!"


@pytest.fixture(scope="module")
def indexed(data_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kb]:
    company = handbook.make(tmp_path_factory.mktemp("company") / "handbook")
    with embeddings_server() as server, own_database(data_dir, f"teams_kill_{uuid4().hex}") as url:
        env = {"KB_AGENT_DATA_DIR": str(data_dir), "KB_AGENT_DATABASE_URL": url, **embeddings_env(server)}
        kb = Kb(env, tmp_path_factory.mktemp("working"))
        assert kb("index", str(company)).code == 0
        yield kb


@pytest.fixture(scope="module")
def keys() -> Iterator[TeamsKeys]:
    with teams_keys() as opened:
        yield opened


@pytest.fixture
def teams() -> Iterator[LocalTeams]:
    with local_teams() as opened:
        opened.unlimited()
        yield opened


class Case:
    """A question asked of a process that is killed at some point of its work."""

    def __init__(self, indexed: Kb, teams: LocalTeams, keys: TeamsKeys, *, streams: bool) -> None:
        self.kb = indexed.having(**teams_env(teams, keys))
        self.teams, self.keys = teams, keys
        with connected(self.kb.env["KB_AGENT_DATABASE_URL"]) as connection:
            connection.execute("TRUNCATE questions, turns CASCADE")
        ann = teams.add_person("ann")
        self.place = teams.personal(ann) if streams else teams.add_channel("general", [ann])
        self.said = teams.say(ann, self.place, QUESTION)
        self.first_sign, self.last_word = ("stream", "final") if streams else ("send", "update")
        self.dead = threading.Event()

    @contextmanager
    def process(self) -> Iterator[tuple[KbProcess, Post]]:
        """Inside, `kb serve` runs, unless it was killed."""
        with ExitStack() as stack:
            process, base = stack.enter_context(serving(self.kb))
            yield process, Post(base, self.teams, self.keys)
            if process.process.poll() is not None:
                stack.pop_all()  # nothing is left to be ended in order
                process.close()

    def ask(self, post: Post) -> None:
        """Delivers the question, whether or not there is anybody left to say that it was taken."""
        body = json.dumps(self.said.activity).encode()

        def deliver() -> None:
            with suppress(OSError):
                post.raw(body, post.headers(), 30.0)

        threading.Thread(target=deliver, daemon=True).start()

    def kill_at(self, hook: Callable[..., None], operation: str, when: Callable[[], bool] = lambda: True) -> None:
        """Asks, and kills the process when it comes to that call. when: and this holds."""
        with self.process() as (process, post):

            def die(_call: object) -> None:
                if self.dead.is_set() or not when():
                    return
                self.dead.set()
                process.kill()
                if hook == self.teams.before:
                    raise ConnectionAbortedError

            hook(operation, die)
            self.ask(post)
            wait_for(self.dead.is_set)
            process.process.wait()

    def kill_behind(self, table: str, reached: Callable[[], bool]) -> None:
        """Asks while a table cannot be written, and kills the process when it can only be waiting for that."""
        with self.process() as (process, post), connected(self.url) as connection, connection.transaction():
            connection.execute(f"LOCK TABLE {table} IN SHARE ROW EXCLUSIVE MODE")
            self.ask(post)
            wait_for(reached)
            wait_for(lambda: locked_out(self.url, table))
            process.kill()

    @property
    def url(self) -> str:
        return self.kb.env["KB_AGENT_DATABASE_URL"]

    def shown(self) -> list[Message]:
        """What is seen below the question: who asks in private for the first time is greeted, too."""
        return [each for each in self.teams.seen(self.place.id) if not each.text.startswith(GREETING)]

    def is_answered(self) -> bool:
        return any(ANSWER in each.text and labelled(each) for each in self.shown())

    def outcome_after_restart(self, *, redelivered: bool = False) -> list[Message]:
        """Starts it again; the question is answered, and the ledger says so. Gives what is seen."""
        with self.process() as (_, post):
            if redelivered:
                self.ask(post)
            wait_for(lambda: bool(questions(self.kb)) and settled(self.kb))
        assert questions(self.kb) == [("posted", "answered")]
        shown = self.shown()
        (outcome,) = [each for each in shown if ANSWER in each.text]
        assert citations(outcome)
        assert outcome.stream != "live"
        return shown

    def doubted(self) -> bool:
        """Whether it is recorded that something may be seen twice."""
        ((doubted,),) = questions(self.kb, "duplicate_possible")
        return bool(doubted)


ANYWHERE = pytest.mark.parametrize("case", ["messages"], indirect=True)
"""Where it makes no difference how an answer is shown."""


@pytest.fixture(params=["messages", "streams"])
def case(request: pytest.FixtureRequest, indexed: Kb, teams: LocalTeams, keys: TeamsKeys) -> Case:
    return Case(indexed, teams, keys, streams=request.param == "streams")


def once(case: Case, *, redelivered: bool = False) -> None:
    """There is one message after the restart, and nobody has to fear that there are two."""
    assert len(case.outcome_after_restart(redelivered=redelivered)) == 1
    assert not case.doubted()


@ANYWHERE
def test_before_the_question_is_in_the_ledger(case: Case) -> None:
    case.kill_behind("questions", lambda: True)
    assert not questions(case.kb)
    once(case, redelivered=True)


def test_before_the_first_sign(case: Case) -> None:
    case.kill_at(case.teams.before, case.first_sign)
    assert not case.shown()
    assert len(case.outcome_after_restart()) == 1
    assert case.doubted(), "a sign might have been there"


def test_when_the_first_sign_is_shown_and_not_noted(case: Case) -> None:
    case.kill_at(case.teams.after, case.first_sign)
    (sign,) = case.shown()
    first, outcome = case.outcome_after_restart()
    assert first.id == sign.id, "of which nobody knew"
    assert ANSWER in outcome.text
    assert case.doubted()


@ANYWHERE
def test_while_it_is_answered(case: Case) -> None:
    case.kill_at(case.teams.before, "member")
    assert questions(case.kb, "state") == [("running",)]
    once(case)


def test_before_the_outcome_is_shown(case: Case) -> None:
    case.kill_at(case.teams.before, case.last_word, lambda: questions(case.kb, "state") == [("posting",)])
    assert not case.is_answered()
    once(case)


def test_when_the_outcome_is_shown_and_teams_has_not_said_so(case: Case) -> None:
    case.kill_at(case.teams.after, case.last_word, case.is_answered)
    assert case.is_answered()
    once(case)


def test_when_the_outcome_is_shown_and_not_in_the_ledger(case: Case) -> None:
    case.kill_behind("turns", case.is_answered)
    assert questions(case.kb, "state") == [("posting",)]
    once(case)


def test_what_is_delivered_again_to_two_replicas_is_answered_once(case: Case) -> None:
    case.kb = case.kb.having(WORKER_LOST="60")  # nobody dies here, however slow the machine is
    with case.process() as (_, one), case.process() as (_, other):
        for post in (one, other) * 5:
            case.ask(post)
        wait_for(lambda: bool(questions(case.kb)) and settled(case.kb))
        for post in (one, other):
            post(case.said.activity)
        assert questions(case.kb, "state, result, attempt") == [("posted", "answered", 1)]
    (only,) = case.shown()
    assert ANSWER in only.text
    assert not case.doubted()
