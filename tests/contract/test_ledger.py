"""What Ledger promises up to the end of a question, held against every implementation. See test_ledger_changes.py for
what may happen to one besides."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta

import pytest

from domain.answers import Turn
from domain.conversation import (
    AcceptedQuestion,
    CitedPassage,
    ConversationPlace,
    MessageKey,
    Participant,
    QuestionLimits,
    RecordedOutcome,
    Result,
    State,
)
from domain.ledger import WorkerOptions
from tests.contract.conversations import ADA, ANSWERED, BOB, MANY, PLACE, Conversations, in_thread, incoming

MINUTE = timedelta(minutes=1)
HOUR = timedelta(hours=1)


# claim


async def test_a_question_is_claimed_once(conversations: Conversations) -> None:
    first = await conversations.ledger.claim(incoming(), MANY)
    assert (first.fresh, first.state, first.excess) == (True, "received", None)
    again = await conversations.ledger.claim(incoming(), MANY)
    assert replace(again, left=first.left) == replace(first, fresh=False)
    await conversations.ledger.begin_attempt(first.number)
    begun = await conversations.ledger.claim(incoming(), MANY)
    assert (begun.number, begun.fresh, begun.state) == (first.number, False, "running")


async def test_of_many_callers_one_gets_a_fresh_claim(conversations: Conversations) -> None:
    claims = await asyncio.gather(*(conversations.ledger.claim(incoming(), MANY) for _ in range(50)))
    assert sum(claim.fresh for claim in claims) == 1
    assert len({claim.number for claim in claims}) == 1
    assert await conversations.ledger.count_open() == 1


async def test_the_workspace_is_not_part_of_the_key(conversations: Conversations) -> None:
    """A message in a channel of two workspaces is delivered from both."""
    number = await conversations.claimed(incoming())
    elsewhere = incoming(place=replace(PLACE, workspace="T2"), asker=replace(ADA, workspace="T2"))
    claim = await conversations.ledger.claim(elsewhere, MANY)
    assert (claim.number, claim.fresh) == (number, False)


@pytest.mark.parametrize(
    "key", [MessageKey("slack", "C1", "2"), MessageKey("slack", "C2", "1"), MessageKey("teams", "C1", "1")]
)
async def test_another_message_is_another_question(conversations: Conversations, key: MessageKey) -> None:
    number = await conversations.claimed(incoming())
    assert await conversations.claimed(replace(incoming(), key=key)) != number


@pytest.mark.parametrize(
    ("limits", "later", "excess"),
    [
        (QuestionLimits(user_minute=2), [("C2", ADA)], "user_minute"),
        (QuestionLimits(channel_minute=2), [("C1", BOB)], "channel_minute"),
        (QuestionLimits(user_day=2), [("C2", ADA)], "user_day"),
        (QuestionLimits(waiting=2), [("C2", BOB)], "waiting"),
        (QuestionLimits(user_minute=2, channel_minute=2, user_day=2, waiting=2), [("C1", ADA)], "user_minute"),
    ],
)
async def test_a_question_beyond_a_limit_says_which(
    conversations: Conversations, limits: QuestionLimits, later: list[tuple[str, Participant]], excess: str
) -> None:
    for message in ("1", "2"):
        assert (await conversations.ledger.claim(incoming(message), limits)).excess is None
    for channel, person in later:
        claim = await conversations.ledger.claim(
            incoming("3", place=replace(PLACE, channel=channel), asker=person), limits
        )
        assert (claim.fresh, claim.excess) == (True, excess)
    again = incoming("3", place=replace(PLACE, channel=later[0][0]), asker=later[0][1])
    assert (await conversations.ledger.claim(again, limits)).excess == excess


async def test_limits_of_others_do_not_matter(conversations: Conversations) -> None:
    limits = QuestionLimits(user_minute=1, channel_minute=1, user_day=1)
    await conversations.claimed(incoming("1"), limits)
    others = [
        incoming("2", asker=BOB, place=replace(PLACE, channel="C2")),
        incoming("3", asker=Participant("teams", ADA.id), place=ConversationPlace("teams", "T1", PLACE.channel)),
    ]
    for other in others:
        assert (await conversations.ledger.claim(other, limits)).excess is None


async def test_a_person_is_the_same_in_each_workspace(conversations: Conversations) -> None:
    await conversations.claimed(incoming("1"), QuestionLimits(user_minute=1))
    elsewhere = incoming("2", asker=replace(ADA, workspace="T2"), place=ConversationPlace("slack", "T2", "C9"))
    assert (await conversations.ledger.claim(elsewhere, QuestionLimits(user_minute=1))).excess == "user_minute"


async def test_what_is_beyond_a_limit_counts_against_none(conversations: Conversations) -> None:
    limits = QuestionLimits(user_minute=1, channel_minute=2, user_day=2, waiting=2)
    for message in ("1", "2", "3"):
        await conversations.claimed(incoming(message), limits)
    assert await conversations.ledger.count_open() == 1
    assert (await conversations.ledger.claim(incoming("4", asker=BOB), limits)).excess is None


async def test_limits_of_a_minute_and_a_day_pass(conversations: Conversations) -> None:
    limits = QuestionLimits(user_minute=1, channel_minute=1, user_day=2)
    await conversations.claimed(incoming("1"), limits)
    assert (await conversations.ledger.claim(incoming("2"), limits)).excess == "user_minute"
    await conversations.pass_time(MINUTE)
    assert (await conversations.ledger.claim(incoming("3"), limits)).excess is None
    await conversations.pass_time(MINUTE)
    assert (await conversations.ledger.claim(incoming("4"), limits)).excess == "user_day"
    await conversations.pass_time(24 * HOUR - MINUTE)
    assert (await conversations.ledger.claim(incoming("5"), limits)).excess is None


async def test_many_claims_at_once_keep_to_a_limit(conversations: Conversations) -> None:
    limits = QuestionLimits(user_minute=7, channel_minute=1000, waiting=1000)
    claims = await asyncio.gather(*(conversations.ledger.claim(incoming(str(n)), limits) for n in range(40)))
    assert sum(claim.excess is None for claim in claims) == 7
    assert len({claim.number for claim in claims}) == 40


async def test_what_has_ended_does_not_wait(conversations: Conversations) -> None:
    number = await conversations.ended(incoming("1"))
    assert await conversations.state(number) == "posted"
    assert await conversations.ledger.count_open() == 0
    assert (await conversations.ledger.claim(incoming("2"), QuestionLimits(waiting=1))).excess is None


async def test_an_odd_text_never_fails(conversations: Conversations) -> None:
    odd = "nul \0, half \ud83d, \U0001f600"
    asked = replace(incoming(words=odd), handle={"a": odd}, unread=(odd,))
    begun = await conversations.begun(asked)
    assert begun.text == begun.handle["a"] == begun.unread[0] == "nul \ufffd, half \ufffd, \U0001f600"
    assert await conversations.ledger.close(begun.number, 1, RecordedOutcome("answered", Turn(odd, odd)))
    since = conversations.now() - HOUR
    turns = await conversations.memory.turns(ADA, PLACE, limit=1, since=since)
    assert turns == (Turn(begun.text, begun.text),)


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
    begun = await conversations.ledger.begin_attempt(claim.number, {"reply": "9"})
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
        left=begun.left,
        unread=("plan.xlsx",),
        state="running",
    )
    assert abs(begun.received_at - conversations.now()) < MINUTE
    assert timedelta(seconds=80) < begun.left <= timedelta(seconds=90)
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
    assert replace(known, left=begun.left) == posted
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


# find, has_question_in_thread, count_open, prune


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


async def test_waiting_are_those_accepted_and_not_ended(conversations: Conversations) -> None:
    await conversations.claimed(incoming("1"))
    await conversations.begun(incoming("2"))
    posting = await conversations.begun(incoming("3"))
    await conversations.ledger.begin_posting(posting.number, 1, 0)
    await conversations.ended(incoming("4"))
    await conversations.claimed(incoming("5"), QuestionLimits(user_minute=0))
    await conversations.claimed(incoming("6"))
    await conversations.ledger.withdraw(incoming("6").key)
    assert await conversations.ledger.count_open() == 3


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


# waiting for a worker


@asynccontextmanager
async def at_work(conversations: Conversations, slots: int, queue: str = "slack") -> AsyncIterator[None]:
    """Inside, a worker does so many jobs at one time; none of them comes to its end."""

    async def never(_: Mapping[str, object]) -> None:
        await asyncio.Event().wait()

    options = WorkerOptions((queue,), slots, heartbeat=0.2, lost=30.0, grace=0.0)
    task = asyncio.create_task(conversations.jobs.run_worker({"answer": never}, options))
    known = asyncio.create_task(_known(conversations, slots, queue))
    try:
        await known
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def _known(conversations: Conversations, slots: int, queue: str) -> None:
    """Waits until so many slots are known."""
    for _ in range(500):
        if await conversations.slots(queue) >= slots:
            return
        await asyncio.sleep(0.02)
    pytest.fail(f"nobody works at {queue}")


async def _before(conversations: Conversations, *messages: str, thread: str = "") -> list[int | None]:
    """What new questions in threads of their own, or in one, are told."""
    asked = [incoming(each, place=in_thread(thread or f"100.{each}")) for each in messages]
    return [(await conversations.ledger.claim(each, MANY)).before for each in asked]


async def test_who_comes_while_a_worker_is_free_is_told_nothing(conversations: Conversations) -> None:
    async with at_work(conversations, 3):
        assert await _before(conversations, "1", "2", "3") == [None] * 3


async def test_slots_of_all_workers_count_together(conversations: Conversations) -> None:
    async with at_work(conversations, 1), at_work(conversations, 3), at_work(conversations, 5, "teams"):
        await _known(conversations, 4, "slack")
        assert await _before(conversations, "1", "2", "3", "4", "5") == [None] * 4 + [4]


async def test_who_waits_is_told_how_many_have_to_be_begun_first(conversations: Conversations) -> None:
    async with at_work(conversations, 2):
        for message in ("1", "2"):
            number = await conversations.claimed(incoming(message, place=in_thread(f"100.{message}")))
            await conversations.ledger.begin_attempt(number)
        assert await _before(conversations, "3", "4", "5") == [0, 1, 2]


async def test_what_a_dead_worker_could_do_does_not_count(conversations: Conversations) -> None:
    async with at_work(conversations, 9):
        pass
    async with at_work(conversations, 1):
        assert await _before(conversations, "1", "2") == [None, 1]


async def test_in_one_thread_one_waits_for_the_other(conversations: Conversations) -> None:
    async with at_work(conversations, 9):
        assert await _before(conversations, "1", "2", "3", thread="100.1") == [None, 1, 2]
        assert await _before(conversations, "4") == [None], "elsewhere there is room"


async def test_a_thread_in_which_many_wait_keeps_one_worker(conversations: Conversations) -> None:
    async with at_work(conversations, 2):
        assert await _before(conversations, "1", "2", "3", "4", thread="100.1") == [None, 1, 2, 3]
        assert await _before(conversations, "5", "6") == [None, 2]


async def test_neither_what_has_ended_nor_what_was_turned_down_is_before_anybody(conversations: Conversations) -> None:
    await conversations.ended(incoming("1", place=in_thread("100.1")))
    await conversations.claimed(incoming("2", place=in_thread("100.2")), QuestionLimits(user_minute=0))
    claim = await conversations.ledger.claim(incoming("3"), QuestionLimits(waiting=0))
    assert (claim.excess, claim.before) == ("waiting", None)
    assert await _before(conversations, "4", "5") == [None, 1]


async def test_what_is_known_already_is_told_nothing(conversations: Conversations) -> None:
    assert await _before(conversations, "1", "2", "2") == [None, 1, None]
