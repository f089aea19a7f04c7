"""kill -9 at every point between receipt and posting in Teams, then another start: one visible outcome, and at most one
duplicate, which is recorded: Teams gives nothing back that was sent."""

import json
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from tests.command import ROOT, connected, own_database, rows, wait_for
from tests.fakes.teams import LocalTeams, Message, Said, citations, labelled, local_teams
from tests.flows.teams.led import SAID


@pytest.fixture(scope="module")
def url(data_dir: Path) -> Iterator[str]:
    with own_database(data_dir, f"teams_{uuid4().hex}") as made:
        yield made


class Child:
    """A process that takes questions and answers them."""

    def __init__(self, url: str, teams: LocalTeams, parts: int) -> None:
        given = {
            "app_id": teams.app_id,
            "app_password": teams.password,
            "tenant_id": teams.tenant,
            "token_url": teams.token_url,
            "streaming": True,
            "edit_seconds": 0.1,
            "patience": 10.0,
            "insecure_dev": True,
        }
        wanted = json.dumps({"url": url, "teams": given, "parts": parts})
        self.process = subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("teams_child.py")), wanted],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env={"PYTHONPATH": str(ROOT)},
        )
        self.heard()

    def heard(self) -> str:
        """The next word of the process."""
        assert self.process.stdout is not None
        word = self.process.stdout.readline().strip()
        assert word, "the process has ended"
        return word

    def deliver(self, said: Said, times: int = 1) -> None:
        """Gives it an activity, as Teams would."""
        assert self.process.stdin is not None
        self.process.stdin.write((json.dumps(said.activity) + "\n") * times)
        self.process.stdin.flush()

    def kill(self) -> None:
        """kill -9."""
        self.process.kill()
        self.process.wait()

    def close(self) -> None:
        """Ends it, whatever it does."""
        self.kill()
        for stream in (self.process.stdin, self.process.stdout):
            if stream is not None:
                stream.close()


class Case:
    """A question asked of a process that is killed at some point of its work."""

    def __init__(self, url: str, teams: LocalTeams, *, streams: bool, parts: int = 1) -> None:
        self.url, self.teams, self.parts = url, teams, parts
        with connected(url) as connection:
            connection.execute("TRUNCATE questions, turns, procrastinate_jobs CASCADE")
        ann = teams.add_person("ann")
        self.place = teams.personal(ann) if streams else teams.add_channel("general", [ann])
        self.said = teams.say(ann, self.place, "How many days?")
        self.first_sign, self.last_word = ("stream", "final") if streams else ("send", "update")
        self.dead = threading.Event()

    @contextmanager
    def process(self) -> Iterator[Child]:
        child = Child(self.url, self.teams, self.parts)
        try:
            yield child
        finally:
            child.close()

    def kill_at(self, hook: Callable[..., None], operation: str, when: Callable[[], bool] = lambda: True) -> None:
        """Asks, and kills the process when it comes to that call. when: and this holds."""
        with self.process() as child:

            def die(_call: object) -> None:
                if self.dead.is_set() or not when():
                    return
                self.dead.set()
                child.kill()
                if hook == self.teams.before:
                    raise ConnectionAbortedError

            hook(operation, die)
            child.deliver(self.said)
            wait_for(self.dead.is_set)

    def kill_behind(self, table: str, reached: Callable[[], bool]) -> None:
        """Asks while a table cannot be written, and kills the process when it can only be waiting for that."""
        with self.process() as child, connected(self.url) as connection, connection.transaction():
            connection.execute(f"LOCK TABLE {table} IN SHARE ROW EXCLUSIVE MODE")
            child.deliver(self.said)
            wait_for(reached)
            wait_for(lambda: self._waits(table))
            child.kill()

    def shown(self) -> list[Message]:
        return self.teams.seen(self.place.id)

    def is_answered(self) -> bool:
        return any(SAID in each.text and labelled(each) for each in self.shown())

    def state(self, fields: str = "state") -> list[tuple[Any, ...]]:
        return rows(self.url, f"SELECT {fields} FROM questions")

    def outcome_after_restart(self, *, redelivered: bool = False) -> list[Message]:
        """Starts it again; the question is answered, and the ledger says so. Gives what is seen."""
        with self.process() as child:
            if redelivered:
                child.deliver(self.said)
            wait_for(lambda: self.state("state, result") == [("posted", "answered")] and self._settled())
        shown = self.shown()
        assert [SAID in each.text for each in shown].count(True) == 1
        (outcome,) = [each for each in shown if SAID in each.text]
        assert citations(outcome)
        assert outcome.stream != "live"
        return shown

    def _settled(self) -> bool:
        return not rows(self.url, "SELECT FROM procrastinate_jobs WHERE status IN ('todo', 'doing')")

    def _waits(self, table: str) -> bool:
        query = "SELECT FROM pg_locks JOIN pg_class ON relation = pg_class.oid WHERE relname = %s AND NOT granted"
        return bool(rows(self.url, query, (table,)))


@pytest.fixture
def teams() -> Iterator[LocalTeams]:
    with local_teams() as opened:
        opened.unlimited()
        yield opened


@pytest.fixture(params=["messages", "streams"])
def case(request: pytest.FixtureRequest, url: str, teams: LocalTeams) -> Case:
    return Case(url, teams, streams=request.param == "streams")


def once(case: Case, *, redelivered: bool = False) -> None:
    """There is one message after the restart, and it was not to be feared that there are two."""
    assert len(case.outcome_after_restart(redelivered=redelivered)) == 1
    assert case.state("duplicate_possible") == [(False,)]


def test_before_the_question_is_in_the_ledger(case: Case) -> None:
    case.kill_behind("questions", lambda: True)
    assert not case.state()
    once(case, redelivered=True)


def test_before_the_first_sign(case: Case) -> None:
    case.kill_at(case.teams.before, case.first_sign)
    assert not case.shown()
    assert len(case.outcome_after_restart()) == 1
    assert case.state("duplicate_possible") == [(True,)], "a sign might have been there"


def test_when_the_first_sign_is_shown_and_not_noted(case: Case) -> None:
    case.kill_at(case.teams.after, case.first_sign)
    (sign,) = case.shown()
    first, outcome = case.outcome_after_restart()
    assert first.id == sign.id, "of which nobody knew"
    assert SAID in outcome.text
    assert case.state("duplicate_possible") == [(True,)]


def test_while_it_is_answered(case: Case) -> None:
    case.kill_at(case.teams.before, "member")
    assert case.state() == [("running",)]
    once(case)


def test_before_the_outcome_is_shown(case: Case) -> None:
    case.kill_at(case.teams.before, case.last_word, lambda: case.state() == [("posting",)])
    assert not case.is_answered()
    once(case)


def test_when_the_outcome_is_shown_and_teams_has_not_said_so(case: Case) -> None:
    case.kill_at(case.teams.after, case.last_word, case.is_answered)
    assert case.is_answered()
    once(case)


def test_when_the_outcome_is_shown_and_not_in_the_ledger(case: Case) -> None:
    case.kill_behind("turns", case.is_answered)
    assert case.state() == [("posting",)]
    once(case)


def test_when_a_part_is_shown_and_teams_has_not_said_so(url: str, teams: LocalTeams) -> None:
    case = Case(url, teams, streams=False, parts=3)
    case.kill_at(case.teams.after, "send", lambda: len(case.shown()) == 2)
    shown = case.outcome_after_restart()
    counts = [sum(f"Part {number}." in each.text for each in shown) for number in (2, 3)]
    assert counts in ([2, 1], [2, 2], [1, 2], [1, 1])
    assert len(shown) <= 4, "no more than one of them twice"
    assert case.state("duplicate_possible") == [(True,)]


def test_what_is_delivered_again_is_answered_once(case: Case) -> None:
    with case.process() as one, case.process() as other:
        one.deliver(case.said, 5)
        other.deliver(case.said, 5)
        assert [child.heard() for child in (one, other) for _ in range(5)] == ["taken"] * 10
        wait_for(lambda: case.state("state, result") == [("posted", "answered")])
        one.deliver(case.said)
        assert one.heard() == "taken"
        assert case.state("attempt") == [(1,)]
    (only,) = case.shown()
    assert SAID in only.text
    assert case.state("duplicate_possible") == [(False,)]


def test_two_replicas_share_the_questions(url: str, teams: LocalTeams) -> None:
    case = Case(url, teams, streams=False)
    people = [teams.add_person(f"p{number}") for number in range(10)]
    asked = [(teams.add_group([person]), person) for person in people]
    with case.process() as one, case.process() as other:
        for number, (place, person) in enumerate(asked):
            (one, other)[number % 2].deliver(teams.say(person, place, "How many days?"))
        wait_for(lambda: case.state("count(*) FILTER (WHERE state = 'posted')") == [(10,)])
    for place, _ in asked:
        (only,) = teams.seen(place.id)
        assert SAID in only.text
