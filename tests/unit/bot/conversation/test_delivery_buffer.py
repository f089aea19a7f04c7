"""What becomes of deliveries while the database is away."""

import asyncio
import logging
from collections.abc import Awaitable, Callable

import pytest

from bot.conversation.background_tasks import BackgroundTasks
from bot.conversation.delivery_buffer import DeliveryBuffer, DeliveryDelayed, MessageChange, QuestionIntake
from domain.conversation import AcceptedQuestion, Incoming, MessageKey
from domain.errors import Misconfigured, Transient
from tests.unit.bot.conversation.conversations import Desk, incoming

AWAY = Transient("The database does not answer", why="It was killed")


def message(name: str) -> MessageKey:
    return MessageKey("slack", "C1", name)


class Book:
    """What was taken, in order; nothing while it is closed."""

    def __init__(self) -> None:
        self.open = False
        self.taken: list[str] = []
        self.tries = 0

    def take(self, name: str) -> Callable[[], Awaitable[str]]:
        async def work() -> str:
            self.tries += 1
            if not self.open:
                raise AWAY
            self.taken.append(name)
            return name

        return work


async def until(reached: Callable[[], bool]) -> None:
    async with asyncio.timeout(30):
        while not reached():  # noqa: ASYNC110 - what is waited for tells nobody
            await asyncio.sleep(0.01)


async def test_what_can_be_taken_is_taken_at_once() -> None:
    book, holding = Book(), DeliveryBuffer(BackgroundTasks())
    book.open = True
    assert await holding.take_or_buffer(message("1"), book.take("1")) == "1"
    assert len(holding) == 0


async def test_what_cannot_be_taken_is_tried_again_and_the_platform_has_to_deliver_it_again() -> None:
    book, holding = Book(), DeliveryBuffer(BackgroundTasks())
    with pytest.raises(DeliveryDelayed) as caught:
        await holding.take_or_buffer(message("1"), book.take("1"))
    assert caught.value.why == "It was killed"
    book.open = True
    await until(lambda: len(holding) == 0)
    assert book.taken == ["1"]


async def test_what_is_delivered_again_waits_once() -> None:
    book, holding = Book(), DeliveryBuffer(BackgroundTasks())
    for _ in range(3):
        with pytest.raises(DeliveryDelayed):
            await holding.take_or_buffer(message("1"), book.take("1"))
    assert len(holding) == 1
    book.open = True
    await until(lambda: len(holding) == 0)
    assert book.taken == ["1"]


async def test_a_change_does_not_overtake_its_question() -> None:
    book, holding = Book(), DeliveryBuffer(BackgroundTasks())
    with pytest.raises(DeliveryDelayed):
        await holding.take_or_buffer(message("1"), book.take("asked"))
    book.open = True
    with pytest.raises(DeliveryDelayed):
        await holding.take_or_buffer(message("1"), book.take("changed"), what="other words")
    assert await holding.take_or_buffer(message("2"), book.take("another")) == "another"
    await until(lambda: len(holding) == 0)
    assert book.taken == ["another", "asked", "changed"]


async def test_one_that_waits_for_a_lock_keeps_only_those_about_its_message() -> None:
    locked, book, holding = Book(), Book(), DeliveryBuffer(BackgroundTasks())
    deliveries = (("1", locked.take("asked"), ""), ("2", book.take("another"), ""), ("1", book.take("changed"), "anew"))
    for name, take, what in deliveries:
        with pytest.raises(DeliveryDelayed):
            await holding.take_or_buffer(message(name), take, what=what)
    book.open = True
    await until(lambda: len(holding) == 2)
    assert book.taken == ["another"]
    locked.open = True
    await until(lambda: len(holding) == 0)
    assert (locked.taken, book.taken) == (["asked"], ["another", "changed"])


async def test_no_more_than_so_many_are_kept() -> None:
    book, holding = Book(), DeliveryBuffer(BackgroundTasks(), most=2)
    for name in ("1", "2"):
        with pytest.raises(DeliveryDelayed):
            await holding.take_or_buffer(message(name), book.take(name))
    with pytest.raises(Transient) as caught:
        await holding.take_or_buffer(message("3"), book.take("3"))
    assert not isinstance(caught.value, DeliveryDelayed)
    book.open = True
    await until(lambda: len(holding) == 0)
    assert book.taken == ["1", "2"]


async def test_none_is_kept_for_ever(caplog: pytest.LogCaptureFixture) -> None:
    book, holding = Book(), DeliveryBuffer(BackgroundTasks(), seconds=0.0)
    with pytest.raises(DeliveryDelayed):
        await holding.take_or_buffer(message("1"), book.take("1"))
    await until(lambda: len(holding) == 0)
    assert "A delivery was given up" in caplog.text


@pytest.mark.parametrize("ends", [False, True])
async def test_who_asked_is_told_what_is_given_up(ends: bool) -> None:
    book, background, told = Book(), BackgroundTasks(), asyncio.Event()
    holding = DeliveryBuffer(background, seconds=900.0 if ends else 0.0)

    async def lost() -> None:
        told.set()

    with pytest.raises(DeliveryDelayed):
        await holding.take_or_buffer(message("1"), book.take("1"), lost=lost)
    async with asyncio.timeout(30):
        if ends:
            await background.finish(30.0)
        await told.wait()
    assert book.taken == []


@pytest.mark.parametrize("error", [Misconfigured("no schema"), ZeroDivisionError()])
async def test_one_that_fails_does_not_keep_the_others(error: Exception, caplog: pytest.LogCaptureFixture) -> None:
    book, holding, tries = Book(), DeliveryBuffer(BackgroundTasks()), 0

    async def fails() -> None:
        nonlocal tries
        tries += 1
        raise AWAY if tries == 1 else error

    with pytest.raises(DeliveryDelayed):
        await holding.take_or_buffer(message("1"), fails)
    with pytest.raises(DeliveryDelayed):
        await holding.take_or_buffer(message("2"), book.take("2"))
    book.open = True
    await until(lambda: len(holding) == 0)
    assert book.taken == ["2"]
    assert "could not be taken" in caplog.text


async def test_the_end_of_the_process_is_not_waited_out(caplog: pytest.LogCaptureFixture) -> None:
    book, background = Book(), BackgroundTasks()
    holding = DeliveryBuffer(background)
    with pytest.raises(DeliveryDelayed):
        await holding.take_or_buffer(message("1"), book.take("1"))
    async with asyncio.timeout(10):
        await background.finish(30.0)
    assert len(holding) == 0
    assert "1 deliveries" in caplog.text
    with pytest.raises(Transient, match="this process ends"):
        await holding.take_or_buffer(message("2"), book.take("2"))
    assert len(holding) == 0


async def test_a_question_that_waited_is_claimed_once(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.ERROR)
    desk, holding, question = Desk(), DeliveryBuffer(BackgroundTasks()), incoming()
    desk.kept.away = True
    for _ in range(2):
        with pytest.raises(DeliveryDelayed):
            await holding.take_or_buffer(question.key, lambda: desk.service.receive(question))
    desk.kept.away = False
    await until(lambda: len(holding) == 0)
    assert not (await desk.service.receive(question)).fresh
    assert len(desk.kept.questions) == 1
    assert caplog.records == []


@pytest.mark.parametrize(("text", "kept"), [("Where?", "Where?"), (None, "")])
async def test_a_change_that_comes_before_its_question_counts(text: str | None, kept: str) -> None:
    desk = Desk()
    background, welcomed = BackgroundTasks(), list[int]()
    intake = QuestionIntake(desk.service, background)

    async def welcome(question: Incoming, accepted: AcceptedQuestion) -> None:
        welcomed.append(accepted.number)

    await intake.change(MessageChange(incoming().key, "What?"))
    await intake.change(MessageChange(incoming().key, text))
    number = (await intake.take(incoming("How?"), welcome)).number
    again = await intake.take(incoming("How?"), welcome)
    await background.finish(10.0)
    assert len(welcomed) == (text is not None), "what is deleted already shows nothing"
    known = await desk.ledger.find(number)
    assert known is not None
    assert (known.number, known.text, known.state == "withdrawn") == (again.number, kept, text is None)
