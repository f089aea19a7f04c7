"""What does not come to its end is ended: the place of its question is free, and the question gets its outcome."""

import asyncio
import logging
from datetime import timedelta

import pytest

from domain.conversation import QuestionLimits
from tests.fakes.ledger import DeafConversations
from tests.unit.bot.conversation.conversations import Desk, incoming, meanwhile
from tests.unit.bot.conversation.test_trouble import taken_up

SOON = QuestionLimits(deadline=timedelta(seconds=0.05))
LONG = 20.0
"""Seconds; a test that meets them hangs."""


async def test_an_attempt_whose_watch_does_not_hear_that_it_is_over_ends_with_its_answer() -> None:
    desk, before = Desk(kept=DeafConversations()), asyncio.all_tasks()
    number = await desk.asked(incoming())
    await asyncio.wait_for(meanwhile(desk, number, lambda: asyncio.sleep(0.05)), LONG)  # it is being watched by then
    assert await desk.result(number) == ("posted", "answered")
    assert asyncio.all_tasks() == before, "nothing of it is left"


@pytest.mark.parametrize("method", ["resume", "finish"])
async def test_an_attempt_that_outlives_its_time_is_ended_and_the_next_one_shows_the_outcome(
    method: str, caplog: pytest.LogCaptureFixture
) -> None:
    desk = Desk(limits=SOON, overtime=0.05)
    number = await desk.asked(incoming())
    desk.platform.slow[method] = asyncio.Event()  # it is never set
    with caplog.at_level(logging.ERROR):
        await asyncio.wait_for(desk.service.answer(number), LONG)
    assert f"question {number} outlived its time" in caplog.text
    assert (await desk.result(number))[1] is None
    assert await taken_up(desk) == [number]
    shown = desk.platform.shown[number]
    assert list(shown.standing.values()) == [shown.text]
    assert (await desk.result(number))[1] == ("late" if method == "resume" else "answered")


async def test_a_question_that_no_attempt_can_show_is_given_up_in_the_end() -> None:
    desk = Desk(limits=SOON, overtime=0.02)
    number = await desk.asked(incoming())
    desk.kept.now += timedelta(minutes=11)
    desk.platform.slow["late"] = asyncio.Event()
    await asyncio.wait_for(desk.service.answer(number), LONG)
    assert (await desk.result(number))[1] == "unreachable"


async def test_the_agent_hears_how_long_a_question_has() -> None:
    desk = Desk(limits=QuestionLimits(deadline=timedelta(seconds=40)))
    await desk.answered(incoming())
    (question,) = desk.answers.asked
    assert question.seconds is not None
    assert 35 < question.seconds <= 40
