"""What Ledger promises of questions that are changed, deleted, or left alone, held against every implementation."""

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest

from domain.answers import Turn
from domain.conversation import (
    CitedPassage,
    ConversationPlace,
    Platform,
    QuestionLimits,
    RecordedOutcome,
    Result,
)
from tests.contract.conversations import ADA, ANSWERED, BOB, HOUR, MANY, PLACE, TURN, Conversations, JobState, incoming

KEY = incoming().key
PATIENCE = timedelta(minutes=1)
ALL: tuple[Platform, ...] = ("slack", "teams", "terminal")
REOPENED: list[Result] = ["answered", "not_found", "declined", "failed", "late"]
FINAL: list[Result] = ["busy", "unreachable", "withdrawn"]


# amend


async def test_a_waiting_question_gets_another_text(conversations: Conversations) -> None:
    number = await conversations.claimed()
    await conversations.ledger.enqueue(number, {})
    assert await conversations.ledger.change_text(KEY, "where?") == number
    assert await conversations.standing(number) == ("received", 0, 1)
    assert await conversations.job_states() == {number: ["todo"]}
    begun = await conversations.ledger.begin_attempt(number)
    assert begun is not None
    assert (begun.text, begun.revision, begun.attempt) == ("where?", 1, 1)


async def test_one_that_was_never_placed_is_not_queued_by_another_text(conversations: Conversations) -> None:
    number = await conversations.claimed()
    assert await conversations.ledger.change_text(KEY, "where?") == number
    assert await conversations.job_states() == {}


async def test_an_attempt_that_runs_may_not_show_what_another_text_was_answered_with(
    conversations: Conversations,
) -> None:
    begun = await conversations.begun()
    await conversations.set_jobs("doing")
    assert await conversations.ledger.change_text(KEY, "where?") == begun.number
    assert await conversations.standing(begun.number) == ("running", 1, 1)
    assert await conversations.job_states() == {begun.number: ["doing"]}
    assert not await conversations.ledger.begin_posting(begun.number, 1, 0)
    again = await conversations.ledger.begin_attempt(begun.number)
    assert again is not None
    assert (again.text, again.revision) == ("where?", 1)
    assert again.time_left <= begun.time_left, "no new deadline"
    assert await conversations.ledger.begin_posting(begun.number, 2, 1)
    assert await conversations.ledger.close(begun.number, 2, ANSWERED)
    assert await conversations.state(begun.number) == "posted"


@pytest.mark.parametrize("result", REOPENED)
async def test_a_text_that_comes_while_the_outcome_is_shown_is_answered_next(
    conversations: Conversations, result: Result
) -> None:
    begun = await conversations.begun()
    await conversations.set_jobs("doing")
    assert await conversations.ledger.begin_posting(begun.number, 1, 0)
    assert await conversations.ledger.change_text(KEY, "where?") == begun.number
    assert await conversations.state(begun.number) == "posting"
    assert await conversations.ledger.close(begun.number, 1, RecordedOutcome(result, TURN))
    assert await conversations.standing(begun.number) == ("received", 1, 1)
    assert await conversations.job_states() == {begun.number: ["doing", "todo"]}
    assert await conversations.memory.recent(ADA, limit=5) == []
    for attempt in (1, 2):
        assert not await conversations.ledger.close(begun.number, attempt, ANSWERED)
    again = await conversations.ledger.begin_attempt(begun.number)
    assert again is not None
    assert (again.text, again.attempt) == ("where?", 2)
    assert await conversations.ledger.close(begun.number, 2, ANSWERED)
    assert await conversations.state(begun.number) == "posted"


@pytest.mark.parametrize("result", FINAL)
async def test_what_ends_for_good_does_so_whatever_the_text(conversations: Conversations, result: Result) -> None:
    begun = await conversations.begun()
    assert await conversations.ledger.change_text(KEY, "where?")
    assert await conversations.ledger.close(begun.number, 1, RecordedOutcome(result))
    known = await conversations.ledger.find(begun.number)
    assert known is not None
    assert (known.result, known.text) == (result, "")


@pytest.mark.parametrize("result", REOPENED)
async def test_another_text_queues_a_question_anew(conversations: Conversations, result: Result) -> None:
    ending = RecordedOutcome(result, TURN, (CitedPassage(1, "chunk"),), duplicate_possible=True)
    number = await conversations.ended(incoming(), ending)
    await conversations.feedback.vote(number, BOB, -1, "of the earlier text")
    await conversations.pass_time(2 * HOUR)
    assert await conversations.ledger.change_text(KEY, "where?") == number
    known = await conversations.ledger.find(number)
    assert known is not None
    assert (known.state, known.result, known.text, known.cited) == ("received", None, "where?", ())
    assert await conversations.job_states() == {number: ["todo"]}
    assert await conversations.memory.recent(ADA, limit=5) == []
    assert await conversations.feedback.totals(conversations.now() - 3 * HOUR) == {1: 0, -1: 0}
    begun = await conversations.ledger.begin_attempt(number)
    assert begun is not None
    assert (begun.attempt, begun.revision) == (2, 1)
    assert abs(begun.time_left - MANY.deadline) < PATIENCE
    assert conversations.now() - begun.received_at > HOUR


async def test_a_void_attempt_stays_void_when_the_question_is_queued_anew(conversations: Conversations) -> None:
    number = await conversations.ended()
    assert await conversations.ledger.change_text(KEY, "where?") == number
    assert not await conversations.ledger.update_handle(number, 1, {})
    assert not await conversations.ledger.begin_posting(number, 1, 1)
    assert not await conversations.ledger.close(number, 1, ANSWERED)
    assert await conversations.ledger.close(number, 0, RecordedOutcome("unreachable"))


@pytest.mark.parametrize("result", FINAL)
async def test_what_ended_for_good_stays_so(conversations: Conversations, result: Result) -> None:
    number = await conversations.ended(incoming(), RecordedOutcome(result))
    assert await conversations.ledger.change_text(KEY, "where?") is None
    known = await conversations.ledger.find(number)
    assert known is not None
    assert (known.result, known.text) == (result, "")
    assert await conversations.job_states() == {}


async def test_the_same_text_changes_nothing(conversations: Conversations) -> None:
    """Platforms tell of edits also when they have added a preview."""
    number = await conversations.claimed()
    assert await conversations.ledger.change_text(KEY, "when?") is None
    assert await conversations.ledger.change_text(KEY, "where?") == number
    assert await conversations.ledger.change_text(KEY, "where?") is None
    await conversations.ledger.begin_attempt(number)
    assert await conversations.ledger.close(number, 1, RecordedOutcome("answered", Turn("masked?", "reply")))
    assert await conversations.ledger.change_text(KEY, "where?") is None
    assert await conversations.state(number) == "posted"
    assert await conversations.ledger.change_text(KEY, "when?") == number
    assert await conversations.standing(number) == ("received", 1, 2)


async def test_one_beyond_a_limit_keeps_its_text(conversations: Conversations) -> None:
    number = await conversations.claimed(incoming(), QuestionLimits(user_minute=0))
    assert await conversations.ledger.change_text(KEY, "where?") is None
    known = await conversations.ledger.find(number)
    assert known is not None
    assert known.text == "when?"


async def test_of_two_edits_at_once_none_is_lost(conversations: Conversations) -> None:
    number = await conversations.ended()
    edits = await asyncio.gather(*(conversations.ledger.change_text(KEY, f"{n}?") for n in range(5)))
    assert edits == [number] * 5
    assert await conversations.standing(number) == ("received", 1, 5)
    assert await conversations.job_states() == {number: ["todo"]}


# withdraw


@pytest.mark.parametrize("state", ["received", "running", "posting"])
async def test_an_open_question_is_withdrawn(conversations: Conversations, state: str) -> None:
    asked = replace(incoming(), handle={"response_url": "https://example.com/secret", "team": "T1"})
    number = await conversations.claimed(asked)
    if state != "received":
        await conversations.ledger.begin_attempt(number)
    if state == "posting":
        await conversations.ledger.begin_posting(number, 1, 0)
    known = await conversations.ledger.withdraw(KEY)
    assert known is not None
    assert (known.number, known.state, known.text, known.result) == (number, state, "when?", None)
    assert known.handle == asked.handle
    now = await conversations.ledger.find(number)
    assert now is not None
    assert (now.state, now.result, now.text, now.handle) == ("withdrawn", "withdrawn", "", {"team": "T1"})
    assert not await conversations.ledger.begin_posting(number, 1, 0)
    assert not await conversations.ledger.close(number, 1, ANSWERED)
    assert not await conversations.ledger.close(number, 0, ANSWERED)
    assert not await conversations.ledger.enqueue(number, {})
    assert await conversations.ledger.begin_attempt(number) is None
    assert await conversations.ledger.change_text(KEY, "where?") is None
    assert (await conversations.ledger.claim(incoming(), MANY)).state == "withdrawn"


async def test_a_deletion_that_is_taken_back_keeps_the_votes(conversations: Conversations) -> None:
    number = await conversations.ended(incoming())
    await conversations.feedback.vote(number, BOB, -1)
    await conversations.ledger.withdraw(KEY)
    assert await conversations.ledger.change_text(KEY, "when?", restored=True) == number
    assert await conversations.feedback.totals(conversations.now() - 3 * HOUR) == {1: 0, -1: 1}


async def test_a_deletion_that_is_taken_back_asks_a_withdrawn_question_again(conversations: Conversations) -> None:
    number = await conversations.claimed()
    await conversations.ledger.begin_attempt(number)
    await conversations.ledger.withdraw(KEY)
    assert await conversations.ledger.change_text(KEY, "when?", restored=True) == number
    assert await conversations.standing(number) == ("received", 1, 1)
    assert await conversations.job_states() == {number: ["todo"]}
    assert await conversations.ledger.change_text(KEY, "when?", restored=True) is None, "told twice"
    assert not await conversations.ledger.close(number, 1, ANSWERED), "the attempt of before counts no more"
    begun = await conversations.ledger.begin_attempt(number)
    assert begun is not None
    assert (begun.text, begun.attempt) == ("when?", 2)
    assert await conversations.ledger.close(number, 2, ANSWERED)


@pytest.mark.parametrize("result", ["busy", "unreachable"])
async def test_a_deletion_that_is_taken_back_opens_nothing_else(conversations: Conversations, result: Result) -> None:
    await conversations.ended(incoming(), RecordedOutcome(result))
    await conversations.ledger.withdraw(KEY)
    assert await conversations.ledger.change_text(KEY, "when?", restored=True) is None


@pytest.mark.parametrize("result", REOPENED)
async def test_one_that_ended_keeps_its_state_but_not_its_words(conversations: Conversations, result: Result) -> None:
    ending = RecordedOutcome(result, TURN, (CitedPassage(1, "chunk"),))
    number = await conversations.ended(incoming(), ending)
    known = await conversations.ledger.withdraw(KEY)
    assert known is not None
    assert (known.state, known.text) == (ending.state, TURN.question)
    now = await conversations.ledger.find(number)
    assert now is not None
    assert replace(now, time_left=known.time_left, waited=known.waited) == replace(known, text="")
    assert await conversations.memory.recent(ADA, limit=5) == []
    again = await conversations.ledger.withdraw(KEY)
    assert again is not None
    assert replace(again, time_left=now.time_left, waited=now.waited) == now


# requeue_lost


async def test_what_was_never_queued_is_queued(conversations: Conversations) -> None:
    number = await conversations.claimed()
    assert await conversations.ledger.requeue_lost(ALL, PATIENCE) == []
    await conversations.pass_time(2 * PATIENCE)
    assert await conversations.ledger.requeue_lost(["teams"], PATIENCE) == []
    assert await conversations.ledger.requeue_lost([], PATIENCE) == []
    assert await conversations.ledger.requeue_lost(["slack"], PATIENCE) == [number]
    assert await conversations.job_states() == {number: ["todo"]}
    assert await conversations.ledger.requeue_lost(ALL, PATIENCE) == []
    assert await conversations.ledger.enqueue(number, {"reply": "9"})
    assert await conversations.job_states() == {number: ["todo"]}


async def test_what_was_begun_a_moment_ago_is_left_alone(conversations: Conversations) -> None:
    number = await conversations.claimed()
    await conversations.pass_time(2 * PATIENCE)
    await conversations.ledger.begin_attempt(number)
    assert await conversations.ledger.requeue_lost(ALL, PATIENCE) == []
    await conversations.pass_time(2 * PATIENCE)
    assert await conversations.ledger.requeue_lost(ALL, PATIENCE) == [number]


async def test_a_worker_learns_how_much_time_is_left(conversations: Conversations) -> None:
    """By the ledger's clock: a worker's own may be wrong."""
    number = await conversations.claimed()
    await conversations.pass_time(MANY.deadline + PATIENCE)
    begun = await conversations.ledger.begin_attempt(number)
    assert begun is not None
    assert -2 * PATIENCE < begun.time_left <= -PATIENCE


@pytest.mark.parametrize("state", ["todo", "doing"])
async def test_a_live_job_is_left_alone(conversations: Conversations, state: JobState) -> None:
    begun = await conversations.begun()
    await conversations.set_jobs(state)
    await conversations.pass_time(24 * HOUR)
    assert await conversations.ledger.requeue_lost(ALL, PATIENCE) == []
    assert await conversations.job_states() == {begun.number: [state]}


@pytest.mark.parametrize("state", ["failed", None])
@pytest.mark.parametrize("begun", [False, True])
async def test_a_question_whose_job_failed_or_vanished_is_queued_again_soon(
    conversations: Conversations, state: JobState | None, begun: bool
) -> None:
    number = await conversations.claimed()
    await conversations.ledger.enqueue(number, {})
    if begun:
        await conversations.ledger.begin_attempt(number)
    await conversations.set_jobs(state)
    await conversations.pass_time(PATIENCE / 2)
    assert await conversations.ledger.requeue_lost(ALL, PATIENCE) == []
    await conversations.pass_time(PATIENCE)
    assert await conversations.ledger.requeue_lost(ALL, PATIENCE) == [number]
    assert (await conversations.job_states())[number][-1] == "todo"
    await conversations.set_jobs(state)
    assert await conversations.ledger.requeue_lost(ALL, PATIENCE) == []
    await conversations.pass_time(2 * PATIENCE)
    assert await conversations.ledger.requeue_lost(ALL, PATIENCE) == [number]


async def test_what_has_ended_is_not_left_over(conversations: Conversations) -> None:
    await conversations.ended(incoming("1"))
    await conversations.claimed(incoming("2"))
    await conversations.ledger.withdraw(incoming("2").key)
    await conversations.pass_time(24 * HOUR)
    assert await conversations.ledger.requeue_lost(ALL, PATIENCE) == []


async def test_many_processes_find_what_is_left_over_once(conversations: Conversations) -> None:
    places = [PLACE, replace(PLACE, channel="C2"), ConversationPlace("teams", "T1", "C1")]
    asked = [incoming(str(n), place=place, asker=BOB) for n in range(4) for place in places]
    numbers = [await conversations.claimed(each) for each in asked]
    await conversations.pass_time(2 * PATIENCE)
    found = await asyncio.gather(*(conversations.ledger.requeue_lost(ALL, PATIENCE) for _ in range(6)))
    assert sorted(number for each in found for number in each) == sorted(numbers)
    assert await conversations.job_states() == {number: ["todo"] for number in numbers}


async def test_what_nobody_ended_is_closed_a_day_after_its_deadline_whatever_its_platform(
    conversations: Conversations,
) -> None:
    day = timedelta(days=1)
    teams = replace(PLACE, platform="teams")
    answered = await conversations.ended(incoming("3"))
    waits = await conversations.claimed()
    nowhere = await conversations.claimed(incoming("2", asker=replace(ADA, platform="teams"), place=teams))
    await conversations.ledger.enqueue(nowhere, {"response_url": "https://example.com", "ts": "1"})
    assert nowhere in await conversations.job_states()
    await conversations.pass_time(MANY.deadline + day - HOUR)
    assert await conversations.ledger.close_abandoned(day) == {}
    await conversations.pass_time(2 * HOUR)
    recent = await conversations.claimed(incoming("4"))
    assert await conversations.ledger.close_abandoned(day) == {"slack": 1, "teams": 1}
    assert await conversations.ledger.close_abandoned(day) == {}
    for number in (waits, nowhere):
        found = await conversations.ledger.find(number)
        assert found is not None
        assert (found.state, found.result, found.text) == ("failed", "late", "")
        assert "response_url" not in found.handle
    assert nowhere not in await conversations.job_states()
    assert [await conversations.state(number) for number in (answered, recent)] == ["posted", "received"]
