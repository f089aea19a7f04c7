"""What becomes of a question when the platform or the database is slow or away, and when two are at it: one outcome."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta

import pytest

from domain.conversation import QuestionLimits, RecordedOutcome
from domain.errors import KbError, Misconfigured, Transient
from tests.fakes.platform import MemoryPlatform, ScriptedAnswers
from tests.unit.bot.conversation.conversations import Desk, incoming, meanwhile

AWAY = Transient("Slack is away")
PATIENCE = timedelta(seconds=30)


async def taken_up(desk: Desk) -> list[int]:
    """Lets what is left over be answered, after a while."""
    desk.kept.jobs.jobs.clear()
    desk.kept.now += 2 * PATIENCE
    found = await desk.ledger.requeue_lost(["slack"], PATIENCE)
    for number in found:
        await desk.service.answer(number)
    return found


@asynccontextmanager
async def slow_welcome(desk: Desk, method: str, message: str = "1") -> AsyncIterator[int]:
    """A question whose first sign is shown; the platform says so only at the end."""
    said = desk.platform.slow[method] = asyncio.Event()
    question = incoming(message=message)
    claim = await desk.service.receive(question)
    acknowledge = asyncio.create_task(desk.service.acknowledge(claim))
    await asyncio.sleep(0)
    yield claim.number
    said.set()
    await acknowledge


async def test_a_sign_that_a_worker_has_found_is_not_taken_back() -> None:
    desk = Desk()
    async with slow_welcome(desk, "open") as number:
        await desk.service.answer(number)
    assert "About: How?" in next(iter(desk.platform.shown[number].standing.values()))
    assert not desk.platform.shown[number].taken_back


async def test_a_second_sign_is_taken_back() -> None:
    desk = Desk()
    question = incoming()
    claim = await desk.service.receive(question)
    await desk.service.answer(claim.number)
    await desk.service.acknowledge(claim)
    shown = desk.platform.shown[claim.number]
    assert len(shown.taken_back) == 1
    assert list(shown.standing.values()) == [shown.text], "the worker's stays"


async def test_a_sign_of_what_was_withdrawn_meanwhile_is_taken_back() -> None:
    desk = Desk()
    async with slow_welcome(desk, "open") as number:
        await desk.ledger.withdraw(incoming().key)
    assert desk.platform.shown[number].gone


async def test_who_is_busy_says_so_once() -> None:
    desk = Desk(limits=QuestionLimits(waiting=0))
    question = incoming()
    claim = await desk.service.receive(question)
    await desk.service.answer(claim.number)
    await desk.service.acknowledge(claim)
    assert list(desk.platform.shown[claim.number].standing.values()) == ["busy"]
    assert await desk.result(claim.number) == ("failed", "busy")


async def test_a_first_sign_is_not_waited_for_as_long_as_an_outcome() -> None:
    desk = Desk()
    await desk.answered(incoming())
    assert desk.platform.patience == [5.0, pytest.approx(195.0)]


async def test_progress_of_who_may_have_been_taken_over_stays_off_the_outcome() -> None:
    desk = Desk(answers=ScriptedAnswers(held=asyncio.Event(), later=True), progress_valid_seconds=0.05)
    number = await desk.asked(incoming())

    async def cut_off() -> None:
        asked = await desk.ledger.begin_attempt(number)
        assert asked is not None
        await desk.ledger.close(number, asked.attempt, RecordedOutcome("answered"))
        desk.kept.hiccups["find"] = 10**6  # this worker sees Slack, and no database

    await meanwhile(desk, number, cut_off, fails=True)
    assert desk.platform.shown[number].signs == ["open", "30 %", "About: How? [1]"]


async def test_a_fault_of_who_was_taken_over_stays_off_the_outcome() -> None:
    desk = Desk(answers=ScriptedAnswers(lambda _: ZeroDivisionError("x")))
    number = await desk.asked(incoming())

    async def taken_over() -> None:
        desk.kept.hiccups["find"] = 10**6
        asked = await desk.ledger.begin_attempt(number)
        assert asked is not None
        await desk.ledger.close(number, asked.attempt, RecordedOutcome("answered"))

    await meanwhile(desk, number, taken_over, fails=True)
    assert "finish" not in desk.platform.shown[number].signs


async def test_a_short_absence_of_the_database_does_not_keep_an_outcome_from_being_recorded() -> None:
    desk = Desk()
    number = await desk.asked(incoming())
    desk.kept.hiccups["close"] = 1
    await desk.service.answer(number)
    assert await desk.result(number) == ("posted", "answered")
    assert desk.platform.shown[number].signs.count("finish") == 1


async def shown_and_not_recorded(desk: Desk) -> int:
    """A question whose worker ended between showing the outcome and recording it."""
    number = await desk.asked(incoming())
    desk.kept.hiccups["close"] = 10**6
    working = asyncio.create_task(desk.service.answer(number))
    await asyncio.sleep(0.1)
    assert desk.platform.shown[number].signs[-1] == "finish"
    working.cancel()
    await asyncio.gather(working, return_exceptions=True)
    desk.kept.hiccups.clear()
    return number


async def test_an_outcome_that_is_shown_is_not_followed_by_the_news_that_it_is_late() -> None:
    desk = Desk()
    number = await shown_and_not_recorded(desk)
    desk.kept.now += timedelta(seconds=200)
    assert await taken_up(desk) == [number]
    shown = desk.platform.shown[number]
    assert "late" not in shown.signs
    assert "About: How?" in next(iter(shown.standing.values()))
    assert await desk.result(number) == ("posted", "answered")


async def test_an_outcome_that_is_shown_stays_while_it_is_made_anew() -> None:
    desk = Desk()
    number = await shown_and_not_recorded(desk)
    before = list(desk.platform.shown[number].signs)
    await taken_up(desk)
    assert desk.platform.shown[number].signs == [*before, "About: How? [1]", "finish"], "no progress in its place"
    assert len(await desk.turns()) == 1


async def test_an_outcome_of_another_text_is_none_of_this_one() -> None:
    desk = Desk()
    number = await desk.answered(incoming())
    await desk.service.amend(incoming().key, "Where?")
    desk.kept.now += timedelta(seconds=200)
    await desk.service.answer(number)
    assert await desk.result(number) == ("failed", "late")


@pytest.mark.parametrize("method", ["update_handle", "begin_posting", "turns"])
async def test_an_absence_of_the_database_ends_no_question(method: str) -> None:
    desk = Desk()
    number = await desk.asked(incoming())
    desk.kept.hiccups[method] = 1
    try:
        await desk.service.answer(number)
    except Transient:
        assert await taken_up(desk) == [number], "long before its deadline"
    assert await desk.result(number) == ("posted", "answered")
    assert len(desk.platform.shown[number].standing) == 1


async def test_a_platform_that_shows_no_sign_may_show_an_outcome() -> None:
    desk = Desk()
    number = await desk.asked(incoming())
    desk.platform.faults["resume"] = [AWAY]
    await desk.service.answer(number)
    assert await desk.result(number) == ("posted", "answered")


@pytest.mark.parametrize("past", [False, True])
async def test_an_outcome_waits_for_a_platform_that_is_away(past: bool) -> None:
    desk = Desk()
    desk.platform.faults["finish"] = [AWAY]
    number = await desk.answered(incoming())
    assert (await desk.result(number))[0] == "posting"
    if past:
        desk.kept.now += timedelta(seconds=200)
        desk.platform.faults["late"] = [AWAY]
        assert await taken_up(desk) == [number]
        assert (await desk.result(number))[0] == "posting"
    assert await taken_up(desk) == [number]
    assert await desk.result(number) == (("failed", "late") if past else ("posted", "answered"))
    assert list(desk.platform.shown[number].standing.values()) == [desk.platform.shown[number].text]


@pytest.mark.parametrize("error", [AWAY, Misconfigured("Slack does not accept the token")])
async def test_a_platform_that_stays_away_is_given_up(error: KbError) -> None:
    desk = Desk()
    number = await desk.asked(incoming())
    desk.kept.now += timedelta(seconds=181 + 600)
    desk.platform.faults["late"] = [error]
    await desk.service.answer(number)
    assert await desk.result(number) == ("failed", "unreachable")


async def test_a_sign_of_an_attempt_that_was_void_at_once_is_taken_back() -> None:
    desk = Desk()
    question = incoming()
    number = (await desk.service.receive(question)).number
    said = desk.platform.slow["open"] = asyncio.Event()
    working = asyncio.create_task(desk.service.answer(number))
    await asyncio.sleep(0.1)
    assert desk.platform.shown[number].signs == ["open"]
    other = await desk.ledger.begin_attempt(number)
    assert other is not None
    desk.platform.shown[number].standing["other"] = "reading"
    assert await desk.ledger.update_handle(number, other.attempt, {"ts": "other"})
    said.set()
    await working
    assert list(desk.platform.shown[number].standing) == ["other"]


async def test_a_short_absence_of_the_database_does_not_keep_a_status_message_from_being_noted() -> None:
    desk = Desk()
    desk.kept.hiccups["enqueue"] = 1
    number = await desk.asked(incoming())
    known = await desk.ledger.find(number)
    assert known is not None
    assert known.handle["ts"] in desk.platform.shown[number].standing


@pytest.mark.parametrize("method", ["enqueue", "update_handle"])
async def test_a_status_message_that_cannot_be_noted_is_taken_back(method: str) -> None:
    desk = Desk(note=0.0)
    desk.kept.hiccups[method] = 1
    if method == "enqueue":
        number = await desk.asked(incoming())
    else:
        number = (await desk.service.receive(incoming())).number
        with pytest.raises(Transient):
            await desk.service.answer(number)
    assert desk.platform.shown[number].gone


async def test_an_outcome_that_breaks_whoever_shows_it_is_given_up() -> None:
    desk = Desk()
    number = await desk.asked(incoming())
    desk.platform.faults = {name: [RecursionError() for _ in range(100)] for name in ("finish", "late")}
    for _ in range(10):
        await desk.service.answer(number)
    assert await desk.result(number) == ("failed", "unreachable")
    assert desk.platform.shown[number].signs.count("open") == 1


async def test_a_workers_own_clock_does_not_say_what_is_late() -> None:
    desk = Desk(platform=MemoryPlatform())
    number = await desk.asked(incoming())
    desk.ahead = timedelta(seconds=200)
    await desk.service.answer(number)
    assert await desk.result(number) == ("posted", "answered")


async def test_the_log_tells_of_a_question_that_is_taken_over_and_how_long_its_asker_waited(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level("INFO", "bot.conversation.question_log")
    desk = Desk()
    number = await desk.asked(incoming())
    assert await desk.ledger.begin_attempt(number), "by a worker that is killed"
    desk.kept.now += timedelta(seconds=26)
    await desk.service.answer(number)
    told = [vars(each)["fields"] for each in caplog.records]
    assert [each["event"] for each in told] == ["question_accepted", "question_taken_over", "question_ended"]
    assert f"Question {number} is taken over after 26.0 s: attempt 2" in caplog.text
    assert told[2]["attempt_seconds"] < 20
    assert told[2]["seconds"] >= 26


async def test_a_question_with_another_text_is_taken_over_from_nobody(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO", "bot.conversation.question_log")
    desk = Desk()
    number = await desk.answered(incoming())
    desk.kept.now += timedelta(hours=1)
    await desk.service.amend(incoming().key, "Where?")
    await desk.service.answer(number)
    told = [vars(each)["fields"] for each in caplog.records]
    assert [each["event"] for each in told] == ["question_accepted", "question_ended", "question_ended"]
    assert told[2]["seconds"] < 600, "the time between the answer and the new text is nobody's wait"
