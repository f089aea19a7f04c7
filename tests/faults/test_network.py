"""A network between `kb serve` and its database that delays, resets or falls silent: each question has one outcome."""

import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.command import Kb, wait_for
from tests.fakes.network import Proxy, proxy
from tests.fakes.slack import LocalSlack, Said, local_slack
from tests.flows.slack.conftest import serving, slack_env
from tests.flows.slack.reading import ANSWER, QUESTION, answered, questions, settled

pytestmark = pytest.mark.faults

COUNT = 10


@pytest.fixture(scope="module")
def slack() -> Iterator[LocalSlack]:
    """A Slack that delivers once: what is not kept is lost."""
    with local_slack() as opened:
        opened.courier.retry_intervals = ()
        yield opened


@pytest.fixture(scope="module")
def network(indexed: Kb) -> Iterator[Proxy]:
    """What lies between the product and its database."""
    host = parse_qs(urlsplit(indexed.env["KB_AGENT_DATABASE_URL"]).query)["host"][0]
    with proxy(str(Path(host) / ".s.PGSQL.5432")) as opened:
        yield opened


@pytest.fixture(scope="module")
def served(indexed: Kb, network: Proxy, slack: LocalSlack) -> Iterator[Kb]:
    """`kb serve`, whose database is behind that network."""
    name = urlsplit(indexed.env["KB_AGENT_DATABASE_URL"]).path
    through = f"postgresql://postgres@127.0.0.1:{network.port}{name}"
    with serving(indexed.having(DATABASE_URL=through, **slack_env(slack)), slack, calm=False):
        yield indexed


def ask(slack: LocalSlack, turn: str) -> list[tuple[str, Said]]:
    """Ten people ask at once."""
    people = [slack.add_user(f"{turn}-{number}", email=f"{turn}-{number}@example.com") for number in range(COUNT)]
    channel = slack.add_channel(turn, people).id
    return [(channel, slack.say(each, channel, f"<@{slack.bot}> {QUESTION}")) for each in people]


def any_ended(served: Kb, since: int) -> bool:
    return any(result for (result,) in questions(served, "result")[since:])


def one_answer_each(served: Kb, slack: LocalSlack, before: int, said: list[tuple[str, Said]]) -> None:
    wait_for(lambda: len(questions(served)) == before + COUNT and settled(served))
    assert questions(served, "state, result")[before:] == [("posted", "answered")] * COUNT
    for channel, each in said:
        shown = answered(slack, channel, each, ANSWER)
        assert shown is not None
        assert len(shown) == 1


def test_a_slow_network_costs_time_alone(served: Kb, slack: LocalSlack, network: Proxy) -> None:
    before = len(questions(served))
    network.delay = 0.05
    try:
        one_answer_each(served, slack, before, ask(slack, "slow"))
    finally:
        network.delay = 0.0


@pytest.mark.parametrize("stage", ["at once", "claimed", "answered"])
def test_resets_lose_nothing(served: Kb, slack: LocalSlack, network: Proxy, stage: str) -> None:
    before = len(questions(served))
    said = ask(slack, f"reset-{stage.replace(' ', '')}")
    if stage == "claimed":
        wait_for(lambda: len(questions(served)) > before)
    elif stage == "answered":
        wait_for(lambda: any_ended(served, before))
    assert network.reset() > 0
    one_answer_each(served, slack, before, said)


@pytest.mark.parametrize("stage", ["at once", "claimed"])
def test_connections_that_fall_silent_are_given_up(served: Kb, slack: LocalSlack, network: Proxy, stage: str) -> None:
    before = len(questions(served))
    if stage == "at once":
        assert network.silence() > 0
    said = ask(slack, f"silent-{stage.replace(' ', '')}")
    if stage == "claimed":
        wait_for(lambda: len(questions(served)) > before)
        assert network.silence() > 0
    one_answer_each(served, slack, before, said)


def test_a_database_that_refuses_for_a_minute_is_waited_for(served: Kb, slack: LocalSlack, network: Proxy) -> None:
    before = len(questions(served))
    network.refuse(refusing=True)
    network.reset()
    said = ask(slack, "refused")
    time.sleep(60)
    network.refuse(refusing=False)
    one_answer_each(served, slack, before, said)
