"""What happens in Teams' conversations, passed on: questions, changes of questions, and who is there."""

import logging
from collections import OrderedDict
from functools import partial

from bot.conversation.background import Background
from bot.conversation.holding import Holding
from bot.conversation.service import ConversationService
from bot.teams import notices
from bot.teams.activities import Arrived, Changed, Left, Spot
from bot.teams.people import People
from bot.teams.reference import Reference
from bot.teams.render import note
from bot.teams.shapes import Json
from bot.teams.speaking import Speaking, say
from domain.conversation import Claim, Incoming
from domain.errors import KbError
from domain.ledger import Ledger

log = logging.getLogger(__name__)

GREETING = 2.0
"""Seconds for which it is tried to greet somebody whose question waits."""

WITHDRAWING = 8.0
"""Seconds for which a request waits until what was shown is taken back."""

GREETED = 20_000
"""Conversations of which it is remembered that they were greeted."""


class Events:
    """Handles events. Each returns when Teams may forget the delivery: the question is in the ledger, or is none."""

    def __init__(
        self,
        service: ConversationService,
        ledger: Ledger,
        people: People,
        speaking: Speaking,
        background: Background,
    ) -> None:
        self._service = service
        self._ledger = ledger
        self._people = people
        self._speaking = speaking
        self._background = background
        self._holding = Holding(background)
        self._greeted: OrderedDict[str, None] = OrderedDict()

    def met(self, spot: Spot) -> None:
        """Somebody did something: from now on, who they are can be asked for."""
        self._people.met(spot.person, spot.reference)

    async def take(self, incoming: Incoming, spot: Spot) -> Claim:
        """Accepts a question; the first sign follows in the background. Raises Transient when it cannot be taken
        now: then this process goes on trying; see bot.conversation.holding."""
        return await self._holding.taken(incoming.key, partial(self._claimed, incoming, spot))

    async def _claimed(self, incoming: Incoming, spot: Spot) -> Claim:
        claim = await self._service.receive(incoming)
        if claim.fresh:
            self._background.start(self._welcome(incoming, claim, spot))
        return claim

    async def changed(self, change: Changed) -> None:
        """A message was changed or deleted. Raises Transient as `take` does."""
        await self._holding.taken(change.key, partial(self._changed, change), what=change.text)

    async def _changed(self, change: Changed) -> None:
        """Taking back what was shown may take longer than Teams waits."""
        if change.text is None:
            await self._background.begin(self._service.withdraw(change.key), WITHDRAWING)
        else:
            await self._service.amend(change.key, change.text)

    async def arrived(self, arrived: Arrived) -> None:
        """We were added to a conversation: of the two events that tell so, one is enough. Who removes us and adds us
        again is greeted again."""
        if self._greet_once(arrived.spot.reference.channel):
            reference = arrived.spot.reference
            self._background.start(say(self._speaking, reference, _greeting(reference)))

    async def left(self, left: Left) -> None:
        """We were removed from a conversation."""
        self._greeted.pop(left.spot.reference.channel, None)
        self._people.moved()

    async def moved(self) -> None:
        """People joined or left, or a channel is another one now."""
        self._people.moved()

    async def _welcome(self, incoming: Incoming, claim: Claim, spot: Spot) -> None:
        """The first signs."""
        if await self._is_first(incoming, claim) and self._greet_once(incoming.place.channel):
            await say(self._speaking, spot.reference, _greeting(spot.reference), patience=GREETING)
        await self._service.welcome(incoming, claim)

    async def _is_first(self, incoming: Incoming, claim: Claim) -> bool:
        """Whether somebody asks in private for the first time."""
        if not incoming.place.private or claim.excess:
            return False
        try:
            return not await self._ledger.in_thread(incoming.place, before=claim.number)
        except KbError:
            return False

    def _greet_once(self, conversation: str) -> bool:
        """Whether a conversation was not greeted yet, as far as this process knows."""
        if conversation in self._greeted:
            return False
        self._greeted[conversation] = None
        while len(self._greeted) > GREETED:
            self._greeted.popitem(last=False)
        return True


def _greeting(reference: Reference) -> Json:
    return note(notices.greeting(private=reference.kind == "personal"))
