"""A question comes in, is answered once, and the answer is shown: the same on every platform.

`receive` is what a platform's request waits for: after it, the question is in the ledger and cannot be lost. `welcome`
shows the first sign and queues it. `answer` is the job: any worker's, again after a crash, and only the last attempt
counts.
"""

import logging
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from time import monotonic

from bot.conversation.attempt import (
    GIVEN_UP,
    OUR_FAULT,
    UNKNOWN_ASKER,
    Answering,
    Attempt,
    Change,
    ConversationOptions,
    Means,
    unreachable,
)
from bot.conversation.platform import ChatPlatform, Reply, take_back
from domain.conversation import Asked, Claim, Ending, Incoming, Known, MessageKey, Platform
from domain.errors import KbError, Refused, Transient
from domain.ledger import Ledger, Memory
from domain.masking import Masker
from domain.tasks import Overdue, within
from domain.text.encodable import encodable

__all__ = ["OUR_FAULT", "UNKNOWN_ASKER", "Answering", "ConversationOptions", "ConversationService"]

log = logging.getLogger(__name__)

WELCOME = 5.0
"""Seconds for which a first sign is tried to be shown: less than `left_over` waits for, so that two do not show one."""

WITHDRAWAL = 30.0
"""Seconds for which it is tried to take a reply back."""


class ConversationService:
    """Leads conversations over ports.

    platforms: by name. clock: the time, aware.
    """

    def __init__(
        self,
        ledger: Ledger,
        memory: Memory,
        answers: Answering,
        masker: Masker,
        platforms: Mapping[Platform, ChatPlatform],
        options: ConversationOptions | None = None,
        *,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._means = Means(ledger, memory, answers, masker, platforms, options or ConversationOptions(), clock)
        self._ledger = ledger

    async def receive(self, incoming: Incoming) -> Claim:
        """Accepts a question, without its secrets; see Ledger.claim. Raises Transient when that is not possible now:
        then the platform has to be told to deliver it again."""
        unread = tuple(self._means.masker.mask(encodable(name)).text for name in incoming.unread)
        kept = replace(incoming, text=self._without_secrets(incoming.text), unread=unread)
        return await self._ledger.claim(kept, self._means.options.limits)

    async def welcome(self, incoming: Incoming, claim: Claim) -> None:
        """Shows the first sign of a question just claimed, and queues it. Never raises: what goes wrong here is made
        good by `left_over`, or is an operator's to see."""
        if not claim.fresh:
            return
        number = claim.number
        reply = self._means.platforms[incoming.place.platform].reply(self._as_asked(incoming, claim), WELCOME)
        try:
            if claim.excess:
                busy = Ending("busy", duplicate_possible=await reply.refuse(claim.excess))
                ours = await self._ledger.close(number, 0, busy)
            else:
                ours = await self._ledger.placed(number, await self._opened(reply))
            if not ours:  # a worker did not wait for us: what it goes on with may be our sign, or one of its own
                await take_back(reply, self._ledger, number)
        except Refused as error:
            await unreachable(self._ledger, number, 0, error)
        except KbError as error:
            log.warning("Question %s waits for a worker: %s", number, error.what)

    async def answer(self, number: int) -> None:
        """Answers a question that was queued. Whatever happens, it ends in one outcome, unless another attempt has
        taken its place, or the platform is away: then it is left open, and taken up again later.

        Raises:
            Transient: the database is away; the question is taken up again later.
        """
        again = True
        while again:
            began = monotonic()
            asked = await self._ledger.begin(number)
            again = asked is not None and await self._attempted(asked, began) == "amended"

    async def _attempted(self, asked: Asked, began: float) -> Change | None:
        """One attempt, ended where it outlives its time: then its question is taken up again, unless it is too late for
        that, too."""
        attempt = Attempt(self._means, asked, began)
        with suppress(Overdue):
            return await within(attempt.seconds, attempt.run())
        log.error("An attempt at question %s outlived its time and was ended", asked.number)
        if asked.left.total_seconds() < -GIVEN_UP:
            await unreachable(self._ledger, asked.number, asked.attempt, Transient("No attempt came to its end"))
        return None

    async def amend(self, key: MessageKey, text: str) -> None:
        """The asker changed a question."""
        number = await self._ledger.amend(key, self._without_secrets(text))
        if number is not None:
            log.info("Question %s was changed", number)

    async def withdraw(self, key: MessageKey) -> None:
        """The asker deleted a question: what was shown before it was answered goes. A worker that is at it notices by
        itself, too; an answer stays."""
        known = await self._ledger.withdraw(key)
        if known is not None and known.state in {"received", "running", "posting"}:
            asked = self._known_as_asked(known)
            await self._means.platforms[key.platform].reply(asked, WITHDRAWAL).withdraw()

    async def _opened(self, reply: Reply) -> Mapping[str, str]:
        try:
            return await reply.open()
        except Transient as error:
            log.warning("No first sign could be shown: %s", error.what)
            return {}

    def _without_secrets(self, text: str) -> str:
        return self._means.masker.secrets(encodable(text)).text

    def _as_asked(self, incoming: Incoming, claim: Claim) -> Asked:
        return Asked(
            number=claim.number,
            key=incoming.key,
            place=incoming.place,
            asker=incoming.asker,
            text=self._without_secrets(incoming.text),
            audience=incoming.audience,
            handle=incoming.handle,
            attempt=0,
            revision=0,
            received_at=self._means.clock(),
            left=self._means.options.limits.deadline,
            unread=incoming.unread,
            excess=claim.excess,
            before=claim.before,
        )

    def _known_as_asked(self, known: Known) -> Asked:
        return Asked(
            number=known.number,
            key=known.key,
            place=known.place,
            asker=known.asker,
            text=known.text,
            audience=known.audience,
            handle=known.handle,
            attempt=0,
            revision=0,
            received_at=self._means.clock(),
            left=timedelta(),
        )
