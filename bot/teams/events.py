"""What happens in Teams' conversations, passed on: questions, changes of questions, and who is there."""

import logging
from collections import OrderedDict
from functools import partial

from botbuilder.schema import Activity

from bot.conversation.background_tasks import BackgroundTasks
from bot.conversation.delivery_buffer import DeliveryBuffer
from bot.conversation.service import ConversationService
from bot.teams import status_messages
from bot.teams.activities import ActivityContext, BotAdded, BotRemoved, TeamsMessageChange
from bot.teams.connector import TeamsConnector
from bot.teams.conversation_reference import TeamsConversation
from bot.teams.message_sender import send_or_log
from bot.teams.outgoing_activities import text_message
from bot.teams.user_directory import TeamsUserDirectory
from domain.conversation import AcceptedQuestion, Incoming

log = logging.getLogger(__name__)

GREETING = 2.0
"""Seconds for which it is tried to greet somebody whose question waits."""

WITHDRAWING = 8.0
"""Seconds for which a request waits until what was shown is taken back."""

GREETED = 20_000
"""Conversations of which it is remembered that they were greeted."""


class TeamsEventHandler:
    """Handles events. Each returns when Teams may forget the delivery: the question is in the ledger, or is none."""

    def __init__(
        self,
        service: ConversationService,
        people: TeamsUserDirectory,
        connector: TeamsConnector,
        background: BackgroundTasks,
    ) -> None:
        self._service = service
        self._people = people
        self._connector = connector
        self._background = background
        self._holding = DeliveryBuffer(background)
        self._greeted: OrderedDict[str, None] = OrderedDict()

    def met(self, context: ActivityContext) -> None:
        """Somebody did something: from now on, who they are can be asked for."""
        self._people.met(context.person, context.reference)

    async def take(self, incoming: Incoming, context: ActivityContext) -> AcceptedQuestion:
        """Accepts a question; the first sign follows in the background. Raises Transient when it cannot be taken
        now: then this process goes on trying; see bot.conversation.delivery_buffer."""
        return await self._holding.taken(incoming.key, partial(self._claimed, incoming, context))

    async def _claimed(self, incoming: Incoming, context: ActivityContext) -> AcceptedQuestion:
        claim = await self._service.receive(incoming)
        if claim.fresh:
            self._background.start(self._welcome(incoming, claim, context))
        return claim

    async def changed(self, change: TeamsMessageChange) -> None:
        """A message was changed or deleted. Raises Transient as `take` does."""
        await self._holding.taken(change.key, partial(self._changed, change), what=change.text)

    async def _changed(self, change: TeamsMessageChange) -> None:
        """Taking back what was shown may take longer than Teams waits."""
        if change.text is None:
            await self._background.begin(self._service.withdraw(change.key), WITHDRAWING)
        else:
            await self._service.amend(change.key, change.text)

    async def arrived(self, arrived: BotAdded) -> None:
        """We were added to a conversation: of the two events that tell so, one is enough. Who removes us and adds us
        again is greeted again."""
        if self._greet_once(arrived.context.reference.channel):
            reference = arrived.context.reference
            self._background.start(send_or_log(self._connector, reference, _greeting(reference)))

    async def left(self, left: BotRemoved) -> None:
        """We were removed from a conversation."""
        self._greeted.pop(left.context.reference.channel, None)
        self._people.moved()

    async def moved(self) -> None:
        """People joined or left, or a channel is another one now."""
        self._people.moved()

    async def _welcome(self, incoming: Incoming, claim: AcceptedQuestion, context: ActivityContext) -> None:
        """The first status messages."""
        if await self._is_first(incoming, claim) and self._greet_once(incoming.place.channel):
            await send_or_log(self._connector, context.reference, _greeting(context.reference), patience=GREETING)
        await self._service.acknowledge(claim)

    async def _is_first(self, incoming: Incoming, claim: AcceptedQuestion) -> bool:
        """Whether somebody asks in private for the first time."""
        return incoming.place.private and not claim.excess and await self._service.is_first(claim)

    def _greet_once(self, conversation: str) -> bool:
        """Whether a conversation was not greeted yet, as far as this process knows."""
        if conversation in self._greeted:
            return False
        self._greeted[conversation] = None
        while len(self._greeted) > GREETED:
            self._greeted.popitem(last=False)
        return True


def _greeting(reference: TeamsConversation) -> Activity:
    return text_message(status_messages.greeting(private=reference.kind == "personal"))
