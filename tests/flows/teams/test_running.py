"""Serving as operators live with it: ended in mid-answer, spread over processes, beside Slack."""

import re
import signal
from collections.abc import Iterator

import pytest

from tests.command import Kb, KbProcess, connected, rows, wait_for
from tests.fakes.model_server import ModelServer, model_server
from tests.fakes.slack import local_slack
from tests.fakes.slack import plain as slack_plain
from tests.fakes.teams import LocalTeams, plain
from tests.fakes.teams_keys import TeamsKeys
from tests.flows.slack.burst import taking
from tests.flows.slack.conftest import slack_env
from tests.flows.slack.talk import model_env
from tests.flows.teams.conftest import teams_env
from tests.flows.teams.talk import Post, Talk

QUESTION = "How many days of vacation does everybody have?"


@pytest.fixture
def model() -> Iterator[ModelServer]:
    with model_server(rules=(taking(0.7),)) as server:
        yield server


@pytest.fixture
def kb(indexed: Kb, teams: LocalTeams, keys: TeamsKeys, model: ModelServer) -> Kb:
    """The command with a model that takes its time, and an empty ledger."""
    with connected(indexed.env["KB_AGENT_DATABASE_URL"]) as connection:
        connection.execute("TRUNCATE questions, turns CASCADE")
    return indexed.having(
        **teams_env(teams, keys),
        **model_env(model),
        MODE="direct",
    )


@pytest.fixture
def processes() -> Iterator[list[KbProcess]]:
    """What is started; ended after the test."""
    started: list[KbProcess] = []
    yield started
    for each in started:
        each.close()


def listening(kb: Kb, teams: LocalTeams, keys: TeamsKeys, processes: list[KbProcess]) -> Post:
    """Starts `kb serve`; gives where it listens."""
    process = kb.start("-v", "serve")
    processes.append(process)
    return Post(process.address(), teams, keys)


def ended(process: KbProcess) -> int:
    process.process.send_signal(signal.SIGTERM)
    done = process.end()
    assert "Traceback" not in done.err, done.err
    return done.code


def places(post: Post, name: str) -> list[Talk]:
    """Somebody in a conversation of each kind."""
    person = post.teams.add_person(name)
    kinds = (post.teams.personal(person), post.teams.add_group([person]), post.teams.add_channel(name, [person]))
    return [Talk(post, person, each) for each in kinds]


def states(kb: Kb) -> set[tuple[object, ...]]:
    return set(rows(kb.env["KB_AGENT_DATABASE_URL"], "SELECT state, result FROM questions"))


def test_after_a_restart_every_conversation_is_answered(
    kb: Kb, teams: LocalTeams, keys: TeamsKeys, model: ModelServer, processes: list[KbProcess]
) -> None:
    model.rules[:] = [taking(30.0)]
    post = listening(kb.having(SHUTDOWN_SECONDS="0.2"), teams, keys, processes)
    asked = [(here, here.say(QUESTION)) for here in places(post, "restart")]
    wait_for(lambda: len(model.requests) >= len(asked))
    assert ended(processes[-1]) == 0
    assert {result for _, result in states(kb)} == {None}
    model.rules[:] = [taking(0.1)]
    processes.append(kb.start("worker"))
    for here, said in asked:
        here.answer("thirty days", said)
        answers = [each for each in here.shown(said) if "thirty days" in plain(each)]
        assert len(answers) == 1
    wait_for(lambda: states(kb) == {("posted", "answered")})


def test_asked_to_end_it_finishes_what_it_is_at(
    kb: Kb, teams: LocalTeams, keys: TeamsKeys, model: ModelServer, processes: list[KbProcess]
) -> None:
    post = listening(kb, teams, keys, processes)
    asked = [(here, here.say(QUESTION)) for here in places(post, "ending")]
    wait_for(lambda: len(model.requests) >= len(asked) and ("received", None) not in states(kb))
    assert ended(processes[-1]) == 0
    assert states(kb) == {("posted", "answered")}
    for here, said in asked:
        here.answer("thirty days", said)


def test_progress_is_shown_in_one_message(
    kb: Kb, teams: LocalTeams, keys: TeamsKeys, processes: list[KbProcess]
) -> None:
    post = listening(kb, teams, keys, processes)
    _, group, _ = places(post, "progress")
    group.say(QUESTION)
    answer = group.answer("thirty days")
    percent = [int(found[1]) for each in answer.versions if (found := re.search(r"(\d+) %", str(each.get("text"))))]
    assert len(percent) > 1
    assert percent == sorted(percent)


def test_slack_and_teams_are_served_together(
    kb: Kb, teams: LocalTeams, keys: TeamsKeys, processes: list[KbProcess]
) -> None:
    with local_slack() as slack:
        both = kb.having(**slack_env(slack, http=True))
        post = listening(both, teams, keys, processes)
        assert f"Slack over HTTP at {post.base}/slack/events; Teams over HTTP at {post.base}" in processes[-1].said
        slack.use_http(f"{post.base}/slack/events")
        ann = slack.add_user("ann", email="ann@example.com")
        room = slack.add_channel("general", [ann]).id
        on_slack = slack.say(ann, room, f"<@{slack.bot}> {QUESTION}")
        personal, *_ = places(post, "both")
        personal.say(QUESTION)
        personal.answer("thirty days")
        slack.until(lambda: any("thirty days" in slack_plain(each) for each in slack.thread(room, str(on_slack))))
        wait_for(lambda: states(kb) == {("posted", "answered")})
        assert ended(processes[-1]) == 0
