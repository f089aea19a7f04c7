"""What Ledger promises from the first attempt to the end of a question, held against every implementation. See
test_ledger_changes.py for what may happen to one besides."""

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest

from domain.answers import Turn
from domain.conversation import (
    AcceptedQuestion,
    CitedPassage,
    ConversationPlace,
    QuestionLimits,
    RecordedOutcome,
    Result,
    State,
)
from tests.contract.conversations import (
    ADA,
    ANSWERED,
    BOB,
    HOUR,
    MANY,
    MINUTE,
    PLACE,
    Conversations,
    in_thread,
    incoming,
)

# placed, begin, moved


async def test_a_placed_question_is_queued_once(conversations: Conversations) -> None:
    number = await conversations.claimed()
    assert await conversations.job_states() == {}
    assert await conversations.ledger.enqueue(number, {"reply": "9", "team": "T2"})
    assert await conversations.ledger.enqueue(number, {"more": "8"})
    assert await conversations.job_states() == {number: ["todo"]}
    begun = await conversations.ledger.begin_attempt(number)
    assert begun is not None
    assert begun.handle == {"team": "T2", "reply": "9", "more": "8"}


async def test_its_job_says_what_to_answer_where(conversations: Conversations) -> None:
    number = await conversations.claimed()
    await conversations.ledger.enqueue(number, {})
    assert not await conversations.jobs.put(
        "answer", {}, queue="slack", lock_key="other", unique_key=f"question:{number}"
    )


async def test_placing_comes_too_late_for_what_was_begun_or_has_ended(conversations: Conversations) -> None:
    begun = await conversations.begun()
    await conversations.set_jobs(None)
    for ended in (False, True):
        if ended:
            await conversations.ledger.close(begun.number, 1, ANSWERED)
        assert not await conversations.ledger.enqueue(begun.number, {"reply": "9"})
        assert not await conversations.ledger.enqueue(begun.number, {})
    known = await conversations.ledger.find(begun.number)
    assert known is not None
    assert known.handle == {"team": "T1"}
    assert await conversations.job_states() == {}
    assert not await conversations.ledger.enqueue(4711, {})


async def test_a_worker_gets_the_question_as_it_came_in(conversations: Conversations) -> None:
    asked = replace(incoming(), place=replace(PLACE, private=True))
    claim = await conversations.ledger.claim(asked, QuestionLimits(deadline=timedelta(seconds=90)))
    assert await conversations.ledger.enqueue(claim.number, {"reply": "9"})
    begun = await conversations.ledger.begin_attempt(claim.number)
    assert begun is not None
    assert begun == AcceptedQuestion(
        number=claim.number,
        key=asked.key,
        place=asked.place,
        asker=ADA,
        text="when?",
        audience="organisation",
        handle={"team": "T1", "reply": "9"},
        attempt=1,
        revision=0,
        received_at=begun.received_at,
        time_left=begun.time_left,
        waited=begun.waited,
        unread=("plan.xlsx",),
        state="running",
    )
    assert abs(begun.received_at - conversations.now()) < MINUTE
    assert timedelta(seconds=80) < begun.time_left <= timedelta(seconds=90)
    assert begun.waited == timedelta(seconds=90) - begun.time_left
    assert await conversations.standing(claim.number) == ("running", 1, 0)


async def test_a_worker_learns_of_the_excess(conversations: Conversations) -> None:
    claim = await conversations.ledger.claim(incoming(), QuestionLimits(user_minute=0))
    begun = await conversations.ledger.begin_attempt(claim.number)
    assert begun is not None
    assert begun.excess == "user_minute"


async def test_a_new_attempt_makes_the_earlier_one_void(conversations: Conversations) -> None:
    begun = await conversations.begun()
    number = begun.number
    assert await conversations.ledger.begin_posting(number, 1, 0)
    again = await conversations.ledger.begin_attempt(number)
    assert again is not None
    assert (again.attempt, again.handle) == (2, begun.handle)
    assert await conversations.standing(number) == ("running", 2, 0)
    assert not await conversations.ledger.update_handle(number, 1, {"a": "b"})
    assert not await conversations.ledger.begin_posting(number, 1, 0)
    assert not await conversations.ledger.close(number, 1, ANSWERED)
    assert await conversations.ledger.update_handle(number, 2, {"c": "d"})
    assert await conversations.ledger.begin_posting(number, 2, 0)
    assert await conversations.ledger.close(number, 2, ANSWERED)
    known = await conversations.ledger.find(number)
    assert known is not None
    assert known.handle == {"team": "T1", "c": "d"}


async def test_nothing_begins_that_has_ended(conversations: Conversations) -> None:
    number = await conversations.ended()
    assert await conversations.ledger.begin_attempt(number) is None
    assert await conversations.ledger.begin_attempt(4711) is None
    assert await conversations.state(number) == "posted"


async def test_attempts_that_begin_at_once_are_counted(conversations: Conversations) -> None:
    number = await conversations.claimed()
    begun = await asyncio.gather(*(conversations.ledger.begin_attempt(number) for _ in range(5)))
    assert sorted(each.attempt for each in begun if each) == [1, 2, 3, 4, 5]


async def test_what_is_added_to_the_handle_stays_for_the_next_attempt(conversations: Conversations) -> None:
    begun = await conversations.begun()
    assert await conversations.ledger.update_handle(begun.number, 1, {"reply": "9"})
    assert await conversations.ledger.update_handle(begun.number, 1, {"reply": "10", "more": "é"})
    again = await conversations.ledger.begin_attempt(begun.number)
    assert again is not None
    assert again.handle == {"team": "T1", "reply": "10", "more": "é"}


# posting, close


async def test_an_outcome_is_shown_in_a_valid_attempt_only(conversations: Conversations) -> None:
    number = await conversations.claimed()
    for attempt in (0, 1):
        assert not await conversations.ledger.update_handle(number, attempt, {})
        assert not await conversations.ledger.begin_posting(number, attempt, 0)
    await conversations.ledger.begin_attempt(number)
    assert not await conversations.ledger.begin_posting(number, 1, 1)
    assert await conversations.ledger.begin_posting(number, 1, 0)
    assert await conversations.ledger.begin_posting(number, 1, 0)
    assert await conversations.state(number) == "posting"
    assert not await conversations.ledger.begin_posting(4711, 1, 0)


async def test_an_answer_ends_a_question(conversations: Conversations) -> None:
    asked = replace(incoming(), handle={"response_url": "https://example.com/secret", "team": "T1"})
    begun = await conversations.begun(asked)
    cited = (CitedPassage(1, "chunk"), CitedPassage(2, "other"))
    ending = RecordedOutcome("answered", Turn("masked?", "reply"), cited, duplicate_possible=True)
    assert await conversations.ledger.close(begun.number, 1, ending)
    known = await conversations.ledger.find(begun.number)
    assert known is not None
    posted = replace(begun, text="masked?", state="posted", result="answered", cited=cited, handle={"team": "T1"})
    assert replace(known, time_left=begun.time_left, waited=begun.waited) == posted
    since = conversations.now() - HOUR
    assert await conversations.memory.turns(ADA, PLACE, limit=5, since=since) == (Turn("masked?", "reply"),)
    for attempt in (0, 1, 2):
        assert not await conversations.ledger.close(begun.number, attempt, RecordedOutcome("failed"))
    assert not await conversations.ledger.update_handle(begun.number, 1, {})
    assert not await conversations.ledger.begin_posting(begun.number, 1, 0)
    assert await conversations.state(begun.number) == "posted"


@pytest.mark.parametrize(
    ("result", "state"),
    [
        ("answered", "posted"),
        ("not_found", "posted"),
        ("declined", "posted"),
        ("failed", "failed"),
        ("busy", "failed"),
        ("late", "failed"),
        ("unreachable", "failed"),
        ("withdrawn", "withdrawn"),
    ],
)
async def test_every_result_leaves_its_state(conversations: Conversations, result: Result, state: State) -> None:
    begun = await conversations.begun()
    assert await conversations.ledger.close(begun.number, 1, RecordedOutcome(result))
    known = await conversations.ledger.find(begun.number)
    assert known is not None
    assert (known.state, known.result, known.text) == (state, result, "")
    assert await conversations.memory.recent(ADA, limit=5) == []


async def test_what_nobody_has_begun_is_closed_by_attempt_0(conversations: Conversations) -> None:
    number = await conversations.claimed()
    assert not await conversations.ledger.close(number, 1, RecordedOutcome("busy"))
    assert await conversations.ledger.close(number, 0, RecordedOutcome("busy"))
    assert await conversations.state(number) == "failed"
    begun = await conversations.begun(incoming("2"))
    assert not await conversations.ledger.close(begun.number, 0, RecordedOutcome("busy"))
    assert not await conversations.ledger.close(4711, 0, RecordedOutcome("busy"))


async def test_of_two_that_close_at_once_one_does(conversations: Conversations) -> None:
    begun = await conversations.begun()
    done = await asyncio.gather(*(conversations.ledger.close(begun.number, 1, ANSWERED) for _ in range(5)))
    assert sum(done) == 1
    since = conversations.now() - HOUR
    assert len(await conversations.memory.turns(ADA, PLACE, limit=5, since=since)) == 1


# find, has_question_in_thread, prune


async def test_a_question_is_found_by_the_message_that_shows_its_reply(conversations: Conversations) -> None:
    number = (await conversations.ledger.claim(incoming(), MANY)).number
    await conversations.ledger.enqueue(number, {"activity": "77"})
    assert await conversations.ledger.find_by_reply("slack", PLACE.channel, "77") == number
    assert await conversations.ledger.find_by_reply("slack", PLACE.channel, "78") is None
    assert await conversations.ledger.find_by_reply("slack", "another", "77") is None
    assert await conversations.ledger.find_by_reply("teams", PLACE.channel, "77") is None


async def test_nothing_is_known_of_what_was_never_asked(conversations: Conversations) -> None:
    assert await conversations.ledger.find(4711) is None
    assert await conversations.ledger.withdraw(incoming().key) is None
    assert await conversations.ledger.change_text(incoming().key, "else?") is None


async def test_an_open_question_is_known_with_its_text(conversations: Conversations) -> None:
    number = await conversations.claimed()
    known = await conversations.ledger.find(number)
    assert known is not None
    assert (known.text, known.state, known.result, known.cited) == ("when?", "received", None, ())


async def test_a_thread_is_known_when_a_question_was_taken_in_it(conversations: Conversations) -> None:
    await conversations.ended(incoming("1"), RecordedOutcome("not_found", Turn("q", "r")))
    assert await conversations.ledger.has_question_in_thread(PLACE)
    assert await conversations.ledger.has_question_in_thread(replace(PLACE, workspace="T2", private=True))
    await conversations.begun(incoming("2", place=in_thread("100.2")))
    await conversations.ended(incoming("3", place=in_thread("100.3")), RecordedOutcome("failed"))
    assert await conversations.ledger.has_question_in_thread(in_thread("100.2")), "it is being answered"
    assert await conversations.ledger.has_question_in_thread(in_thread("100.3")), (
        "it failed, and may be followed by another"
    )
    for other in (in_thread("100.4"), replace(PLACE, channel="C2"), ConversationPlace("teams", "T1", "C1")):
        assert not await conversations.ledger.has_question_in_thread(other)


async def test_a_thread_is_known_before_a_question_by_earlier_ones_alone(conversations: Conversations) -> None:
    first = await conversations.claimed(incoming("1"))
    second = await conversations.claimed(incoming("2"))
    assert not await conversations.ledger.has_question_in_thread(PLACE, before=first)
    assert await conversations.ledger.has_question_in_thread(PLACE, before=second)


async def test_a_thread_is_not_known_by_what_was_withdrawn(conversations: Conversations) -> None:
    asked = incoming("5", place=in_thread("100.5"))
    await conversations.claimed(asked)
    await conversations.ledger.withdraw(asked.key)
    assert not await conversations.ledger.has_question_in_thread(in_thread("100.5"))


async def test_old_questions_are_removed_with_what_was_thought_of_them(conversations: Conversations) -> None:
    old = await conversations.ended(incoming("1"))
    still_open = await conversations.claimed(incoming("2"))
    await conversations.feedback.vote(old, BOB, 1)
    await conversations.pass_time(2 * HOUR)
    young = await conversations.ended(incoming("3"))
    assert await conversations.ledger.prune(ended_before=conversations.now() - HOUR) == 1
    assert await conversations.ledger.prune(ended_before=conversations.now() - HOUR) == 0
    assert await conversations.ledger.find(old) is None
    assert await conversations.ledger.find(still_open) is not None
    assert await conversations.ledger.find(young) is not None
    since = conversations.now() - 24 * HOUR
    assert await conversations.feedback.totals(since) == {1: 0, -1: 0}
    assert len(await conversations.memory.turns(ADA, PLACE, limit=5, since=since)) == 2
    assert [each.key.message for each in await conversations.memory.recent(ADA, limit=5)] == ["3"]
    assert (await conversations.ledger.claim(incoming("1"), MANY)).fresh


# the last reply


async def test_the_last_reply_is_of_whatever_kind_to_this_person_in_this_channel(conversations: Conversations) -> None:
    ledger = conversations.ledger
    assert await ledger.last_reply(ADA, "C1") is None
    elsewhere = replace(PLACE, channel="C2")
    answered = await conversations.ended(incoming("1"))
    await conversations.ended(incoming("2", asker=BOB))
    await conversations.ended(incoming("3", place=elsewhere))
    assert await ledger.last_reply(ADA, "C1") == answered
    results: list[Result] = ["declined", "failed", "late", "busy"]
    for message, result in enumerate(results, start=4):
        number = await conversations.ended(
            incoming(str(message), place=in_thread(str(message))), RecordedOutcome(result)
        )
        assert await ledger.last_reply(ADA, "C1") == number
    await conversations.ended(incoming("8"), RecordedOutcome("unreachable"))
    await conversations.claimed(incoming("9"))
    await ledger.withdraw(incoming("9").key)
    await conversations.claimed(incoming("10"))
    assert await ledger.last_reply(ADA, "C1") == number
