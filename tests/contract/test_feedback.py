"""What Feedback promises, held against every implementation."""

import asyncio
from dataclasses import replace

from domain.conversation import Participant
from tests.contract.conversations import ADA, BOB, HOUR, Conversations, incoming


async def test_votes_are_counted_by_value(conversations: Conversations) -> None:
    since = conversations.now() - HOUR
    assert await conversations.feedback.totals(since) == {1: 0, -1: 0}
    first, second = [await conversations.ended(incoming(message)) for message in ("1", "2")]
    assert await conversations.feedback.vote(first, ADA, 1)
    assert await conversations.feedback.vote(first, BOB, -1, "out of date")
    assert await conversations.feedback.vote(second, ADA, 1)
    assert await conversations.feedback.totals(since) == {1: 2, -1: 1}


async def test_the_last_vote_of_a_person_counts(conversations: Conversations) -> None:
    number = await conversations.ended()
    for value, changed in ((1, True), (-1, True), (-1, False), (1, True), (-1, True)):
        assert await conversations.feedback.vote(number, ADA, value) is changed
        assert await conversations.feedback.totals(conversations.now() - HOUR) == {value: 1, -value: 0}


async def test_a_person_is_the_same_in_each_workspace_but_not_on_each_platform(conversations: Conversations) -> None:
    number = await conversations.ended()
    await conversations.feedback.vote(number, ADA, 1)
    await conversations.feedback.vote(number, replace(ADA, workspace="T2"), -1)
    await conversations.feedback.vote(number, Participant("teams", ADA.id), -1)
    assert await conversations.feedback.totals(conversations.now() - HOUR) == {1: 0, -1: 2}


async def test_an_unknown_question_has_no_votes(conversations: Conversations) -> None:
    assert await conversations.feedback.vote(4711, ADA, 1) is None
    assert await conversations.feedback.totals(conversations.now() - HOUR) == {1: 0, -1: 0}


async def test_old_votes_are_left_out_until_they_are_given_again(conversations: Conversations) -> None:
    number = await conversations.ended()
    await conversations.feedback.vote(number, ADA, 1)
    await conversations.feedback.vote(number, BOB, 1)
    await conversations.pass_time(2 * HOUR)
    assert await conversations.feedback.totals(conversations.now() - HOUR) == {1: 0, -1: 0}
    await conversations.feedback.vote(number, BOB, 1, "still right")
    assert await conversations.feedback.totals(conversations.now() - HOUR) == {1: 1, -1: 0}


async def test_votes_at_once_are_one(conversations: Conversations) -> None:
    number = await conversations.ended()
    given = await asyncio.gather(*(conversations.feedback.vote(number, ADA, 1, f"reason {n}") for n in range(5)))
    assert None not in given
    assert await conversations.feedback.totals(conversations.now() - HOUR) == {1: 1, -1: 0}


async def test_an_odd_reason_never_fails(conversations: Conversations) -> None:
    number = await conversations.ended()
    assert await conversations.feedback.vote(number, ADA, -1, "nul \0 and half \ud83d")
