"""Deliveries that could not be taken because the database was away: they are kept in this process for a while, and
taken as soon as it is back.

The platform is told all the same that it has to deliver again: this process may die before. What comes twice is known
by its key. But platforms give up soon, and some deliver only once.
"""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Coroutine, Hashable
from dataclasses import dataclass, replace
from time import monotonic
from typing import Any, TypeVar

from bot.conversation.background_tasks import BackgroundTasks
from bot.conversation.button_questions import UNANSWERED
from bot.conversation.service import ConversationService
from domain.conversation import AcceptedQuestion, Incoming, MessageKey
from domain.errors import KbError, Transient

log = logging.getLogger(__name__)

MAX_DELIVERIES = 1_000
"""So many deliveries are kept."""

KEEP_SECONDS = 900.0
"""So long each is kept: Slack delivers for the last time after six minutes."""

EARLY_SECONDS = 120.0
"""So long a change waits for the question that it came before."""

TELL_SECONDS = 5.0
"""For which it is tried to tell somebody that their question was given up."""

RETRY_SECONDS = 0.5
"""Seconds between two attempts."""

LATER = "I have your question, and cannot begin with it yet. The answer follows as soon as I can."
"""What somebody is told who pressed a button."""

LOST = "I could not take your question after all. Please ask it again."
"""What somebody is told of a question that their platform delivers only once."""

Lost = Callable[[], Awaitable[None]]
"""Tells who asked that their question was given up."""

Noted = Callable[[], Awaitable[None]]
"""Notes that a question was accepted."""

T = TypeVar("T")


class DeliveryDelayed(Transient):
    """It could not be taken now; this process goes on trying."""


@dataclass(frozen=True, slots=True)
class _Delivery:
    """message: what it is about. take: takes it. until: when it is given up, by the monotonic clock. lost: called
    then."""

    message: MessageKey
    take: Callable[[], Awaitable[object]]
    until: float
    lost: Lost | None


class DeliveryBuffer:
    """Keeps deliveries, those about one message in their order. background: where they are tried again. most, seconds:
    how many are kept, and how long."""

    def __init__(
        self, background: BackgroundTasks, *, most: int = MAX_DELIVERIES, seconds: float = KEEP_SECONDS
    ) -> None:
        self._background = background
        self._most = most
        self._seconds = seconds
        self._kept: OrderedDict[Hashable, _Delivery] = OrderedDict()

    def __len__(self) -> int:
        return len(self._kept)

    async def take_or_buffer(
        self, message: MessageKey, take: Callable[[], Awaitable[T]], *, what: Hashable = "", lost: Lost | None = None
    ) -> T:
        """What `take` gives, which may be called again. message, what: name the delivery. lost: is called where it was
        kept, and could not be taken in the end.

        Raises:
            DeliveryDelayed: it could not be taken, and is tried again by this process.
            Transient: it could not, and too many are kept already.
        """
        delivery = _Delivery(message, take, monotonic() + self._seconds, lost)
        if any(each.message == message for each in self._kept.values()):
            raise self._keep((message, what), delivery, None)
        try:
            return await take()
        except Transient as error:
            raise self._keep((message, what), delivery, error) from error

    def _keep(self, name: Hashable, delivery: _Delivery, error: Transient | None) -> Transient:
        """Keeps a delivery, if there is room; gives what is to be raised."""
        why = error.why if error else "What came before about the same message waits, too."
        if name not in self._kept:
            if self._background.ending:
                return Transient("A delivery comes too late: this process ends", why=why)
            if len(self._kept) >= self._most:
                return Transient("Too many deliveries wait for the database", why=why)
            if not self._kept:
                self._background.start(self._try())
            self._kept[name] = delivery
        return DeliveryDelayed("A delivery waits for the database", why=why)

    async def _try(self) -> None:
        """Takes what is kept, in its order, until nothing is left or the process ends. One that waits, as for a row
        that a lost connection has locked, keeps only those about the same message from it."""
        try:
            while self._kept:
                waiting: set[MessageKey] = set()
                for name, delivery in list(self._kept.items()):
                    if self._background.ending:
                        return
                    if delivery.message in waiting:
                        continue
                    if await self._take_or_give_up(delivery):
                        del self._kept[name]
                    else:
                        waiting.add(delivery.message)
                if waiting:
                    await asyncio.sleep(RETRY_SECONDS)
        finally:
            if self._kept:
                log.error("%d deliveries that waited for the database are left to their platforms", len(self._kept))
                left = list(self._kept.values())
                self._kept.clear()
                await asyncio.gather(*map(_give_up, left))

    async def _take_or_give_up(self, delivery: _Delivery) -> bool:
        """Whether it was taken, or is given up."""
        try:
            await delivery.take()
        except Transient as error:
            if monotonic() < delivery.until:
                return False
            log.error("A delivery was given up: the database did not come back (%s)", error.what)  # noqa: TRY400
        except KbError as error:
            log.error("A delivery that waited could not be taken: %s (%s)", error.what, error.why)  # noqa: TRY400
        except Exception:  # one that cannot be taken must not keep the others from it
            log.exception("A delivery that waited could not be taken")
        else:
            return True
        await _give_up(delivery)
        return True


async def _give_up(delivery: _Delivery) -> None:
    try:
        if delivery.lost:
            async with asyncio.timeout(TELL_SECONDS):
                await delivery.lost()
    except (KbError, TimeoutError) as error:
        log.warning("Nobody was told of a delivery that was given up: %s", error)


Welcome = Callable[[Incoming, AcceptedQuestion], Coroutine[Any, Any, None]]
"""Shows the first signs of a question that was just accepted."""


@dataclass(frozen=True, slots=True)
class MessageChange:
    """A message was changed, or deleted: then `text` is None. private: whether in a chat with one person. restored:
    whether its deletion was taken back."""

    key: MessageKey
    text: str | None
    private: bool = False
    restored: bool = False


class QuestionIntake:
    """Takes questions and changes of them from a platform. Methods raise Transient, DeliveryDelayed among them, when
    that cannot be done now."""

    def __init__(self, service: ConversationService, background: BackgroundTasks) -> None:
        self._service = service
        self._background = background
        self._buffer = DeliveryBuffer(background)
        self._early: OrderedDict[MessageKey, tuple[float, MessageChange]] = OrderedDict()
        """The last changes of what is no question yet, and until when each is kept."""

    async def take(
        self, incoming: Incoming, welcome: Welcome, lost: Lost | None = None, noted: Noted | None = None
    ) -> AcceptedQuestion:
        """Accepts a question; `welcome` follows in the background. lost: see DeliveryBuffer.take_or_buffer; called also
        where a question that had to wait turns out to be one that came to nothing before. noted: notes that it was
        accepted, in the background; it is called again where it raises Transient."""
        tries = 0

        async def accept() -> AcceptedQuestion:
            nonlocal tries
            tries += 1
            accepted = await self._accept(incoming, welcome)
            if noted and accepted.fresh and not accepted.excess:
                key = replace(incoming.key, message=f"{incoming.key.message} noted")
                self._background.start(self._buffer.take_or_buffer(key, noted))
            if lost and tries > 1 and not accepted.fresh:
                known = await self._service.ledger.find(accepted.number)
                if known is None or known.result in UNANSWERED:
                    await lost()
            return accepted

        return await self._buffer.take_or_buffer(incoming.key, accept, lost=lost)

    async def take_if(self, wanted: Callable[[], Awaitable[bool]], incoming: Incoming, welcome: Welcome) -> None:
        """The same for a message that may be no question to us. wanted: says whether it is one; raises Transient."""

        async def accept() -> None:
            if await wanted():
                await self._accept(incoming, welcome)

        await self._buffer.take_or_buffer(incoming.key, accept)

    async def change(self, change: MessageChange, seconds: float | None = None) -> None:
        """A question was changed, or deleted. seconds: for which it is waited that what was shown is taken back; None:
        to the end."""

        async def take() -> None:
            if await self._change(change, seconds) is False:
                self._keep_early(change)

        await self._buffer.take_or_buffer(change.key, take, what=(change.text, change.restored))

    def _keep_early(self, change: MessageChange) -> None:
        now = monotonic()
        self._early.pop(change.key, None)
        self._early[change.key] = now + EARLY_SECONDS, change
        while len(self._early) > MAX_DELIVERIES or next(iter(self._early.values()))[0] < now:
            self._early.popitem(last=False)

    async def _change(self, change: MessageChange, seconds: float | None) -> bool | None:
        """Whether anything came of a change; None where that takes longer."""
        if change.text is None:
            return await self._background.begin(self._service.withdraw(change.key), seconds)
        return await self._service.amend(change.key, change.text, restored=change.restored)

    async def _accept(self, incoming: Incoming, welcome: Welcome) -> AcceptedQuestion:
        accepted = await self._service.receive(incoming)
        until, change = self._early.pop(incoming.key, (0.0, None))
        early = change if monotonic() < until else None
        if accepted.fresh and (early is None or early.text is not None):
            self._background.start(welcome(incoming, accepted))
        if early is not None:  # in its turn, and again where the database is away
            self._background.start(self.change(early))
        return accepted
