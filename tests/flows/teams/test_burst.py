"""A hundred questions at one moment in fifty conversations: none is lost, none waits for another conversation, and
Teams is not called more often than it takes."""

from collections import Counter
from collections.abc import Iterator

import pytest

from storage.open import Storage
from tests.fakes.teams import Fault, LocalTeams, local_teams
from tests.flows.teams.burst import Served, ask_at_once, places

ASKED, CONVERSATIONS = 100, 50


@pytest.fixture
def teams() -> Iterator[LocalTeams]:
    with local_teams() as opened:
        yield opened


async def test_each_has_one_outcome_within_the_limits(storage: Storage, teams: LocalTeams) -> None:
    served = Served(storage, teams, seconds=0.1, concurrency=8)
    there = places(teams, CONVERSATIONS)
    async with served.serving():
        burst = await ask_at_once(teams, served.ask, there, ASKED, patience=90.0)
    assert Counter(burst.outcomes.values()) == {2: CONVERSATIONS}
    assert burst.left == 0
    assert burst.refused == 0
    assert len(burst.signs) == ASKED


async def test_a_conversation_that_hangs_keeps_no_other_waiting(storage: Storage, teams: LocalTeams) -> None:
    served = Served(storage, teams, seconds=0.1, concurrency=8)
    there = places(teams, 20)
    hanging = there[1][1].id
    teams.fail(hanging, Fault.hang(12.0), 3)
    async with served.serving():
        burst = await ask_at_once(teams, served.ask, there, 40, patience=90.0)
    assert burst.outcomes[hanging] == 2
    assert max(ended for place, ended in burst.ended.items() if place != hanging) < burst.ended[hanging]


async def test_many_questions_in_one_channel_wait_for_their_turn(storage: Storage, teams: LocalTeams) -> None:
    served = Served(storage, teams, seconds=0.05, concurrency=8)
    people = [teams.add_person(f"p{number}") for number in range(15)]
    channel = teams.add_channel("general", people)
    async with served.serving():
        burst = await ask_at_once(teams, served.ask, [(people[0], channel)], 15, patience=90.0)
    assert burst.outcomes == {channel.id: 15}
    assert burst.refused == 0
