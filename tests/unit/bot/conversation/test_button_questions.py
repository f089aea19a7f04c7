"""What a button asks, however often it is pressed."""

import asyncio
from datetime import timedelta

import pytest

from bot.conversation.background_tasks import BackgroundTasks
from bot.conversation.button_questions import ANSWERED, AT_IT, PRESSES, ask_once
from bot.conversation.delivery_buffer import DeliveryDelayed, QuestionIntake
from domain.conversation import AcceptedQuestion, Incoming, QuestionLimits
from tests.unit.bot.conversation.conversations import Desk, incoming


class Button:
    """One button of one reply, that one person presses. asked: the numbers of what was accepted."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self.asked: list[int] = []

    async def press(self, text: str = "How?") -> str:
        async def take(name: str) -> AcceptedQuestion:
            accepted = await self._desk.service.receive(incoming(text, message=name))
            if accepted.fresh:
                self.asked.append(accepted.number)
                await self._desk.service.acknowledge(accepted)
            return accepted

        return await ask_once(self._desk.ledger, "ann 5.5 kb_ask:0", text, take)


async def test_a_button_asks_once_and_says_how_far_it_is() -> None:
    desk = Desk()
    button = Button(desk)
    assert await button.press() == ""
    assert await button.press() == AT_IT
    await desk.service.answer(button.asked[0])
    assert await button.press() == ANSWERED
    assert len(button.asked) == 1


async def test_what_came_to_nothing_is_asked_anew() -> None:
    desk = Desk(limits=QuestionLimits(user_minute=1))
    await desk.answered(incoming("Where?", message="first"))
    button = Button(desk)
    assert await button.press() == ""
    assert await desk.result(button.asked[0]) == ("failed", "busy")
    desk.kept.now += timedelta(minutes=2)
    assert await button.press() == ""
    await desk.service.answer(button.asked[1])
    assert await desk.result(button.asked[1]) == ("posted", "answered")


async def test_another_question_below_the_same_button_is_asked() -> None:
    button = Button(Desk())
    assert await button.press("How?") == ""
    assert await button.press("Where?") == ""
    assert len(button.asked) == 2


async def test_a_button_is_not_pressed_for_ever() -> None:
    button = Button(Desk(limits=QuestionLimits(user_minute=0)))
    for _ in range(PRESSES):
        assert await button.press() == ""
    assert await button.press() == ANSWERED


async def test_a_press_that_waited_and_came_to_nothing_before_is_told() -> None:
    desk = Desk(limits=QuestionLimits(user_minute=0))
    intake, told = QuestionIntake(desk.service, BackgroundTasks()), asyncio.Event()

    async def welcome(question: Incoming, accepted: AcceptedQuestion) -> None:
        """Nothing is shown."""

    async def lost() -> None:
        told.set()

    number = await desk.asked(incoming())
    assert await desk.result(number) == ("failed", "busy")
    desk.kept.away = True
    with pytest.raises(DeliveryDelayed):
        await intake.take(incoming(), welcome, lost)
    desk.kept.away = False
    async with asyncio.timeout(30):
        await told.wait()
