"""What happens in Teams' conversations, passed on: questions, changes of questions, and who is there."""

from collections import OrderedDict
from dataclasses import dataclass, field
from functools import partial

from botbuilder.schema import Activity

from bot.conversation.background_tasks import BackgroundTasks
from bot.conversation.delivery_buffer import Lost, MessageChange, Noted, QuestionIntake
from bot.conversation.service import ConversationService
from bot.teams import status_messages
from bot.teams.activities import ActivityContext, InstallationChanged, MembersChanged
from bot.teams.connector import TeamsConnector
from bot.teams.conversation_reference import TeamsConversation
from bot.teams.outgoing_activities import text_message
from bot.teams.user_directory import TeamsUserDirectory
from domain.conversation import AcceptedQuestion, Incoming
from domain.ledger import Corrections

GREETING = 2.0
"""Seconds for which it is tried to greet somebody whose question waits."""

WITHDRAWING = 8.0
"""Seconds for which a request waits until what was shown is taken back."""

GREETED = 20_000
"""Conversations of which it is remembered that they were greeted."""


@dataclass(eq=False)
class TeamsEventHandler:
    """Handles events. Each returns when Teams may forget the delivery: the question is in the ledger, or is none."""

    service: ConversationService
    people: TeamsUserDirectory
    connector: TeamsConnector
    background: BackgroundTasks
    corrections: Corrections
    _intake: QuestionIntake = field(init=False)
    _greeted: OrderedDict[str, None] = field(default_factory=OrderedDict, init=False)

    def __post_init__(self) -> None:
        self._intake = QuestionIntake(self.service, self.background)

    async def take(
        self, incoming: Incoming, context: ActivityContext, lost: Lost | None = None, noted: Noted | None = None
    ) -> AcceptedQuestion:
        """Accepts a question; the first sign follows in the background. lost: called where it could not be taken in the
        end. noted: see QuestionIntake.take. Raises as QuestionIntake does."""
        return await self._intake.take(incoming, partial(self._welcome, context.reference), lost, noted)

    async def message_changed(self, change: MessageChange) -> None:
        """A message was changed or deleted. Raises Transient as `take` does."""
        await self._intake.change(change, WITHDRAWING)

    def installation_changed(self, change: InstallationChanged) -> None:
        """We were added to a conversation, or removed: of the two events that tell so, one is enough. Who removes us
        and adds us again is greeted again."""
        reference = change.context.reference
        if not change.added:
            self._greeted.pop(reference.channel, None)
            self.people.members_changed()
        elif self._greet_once(reference.channel):
            self.background.start(self.connector.say(reference, _greeting(reference)))

    async def members_changed(self, change: MembersChanged) -> None:
        """Somebody joined or left a conversation or a team. Raises Transient while the database is away."""
        self.people.members_changed()
        for place in change.places:
            await self.corrections.readers_changed("teams", place)

    async def _welcome(self, reference: TeamsConversation, incoming: Incoming, accepted: AcceptedQuestion) -> None:
        """The first status messages; before them a greeting for who asks in private for the first time."""
        first = incoming.place.private and not accepted.excess and await self.service.is_first(accepted)
        if first and self._greet_once(incoming.place.channel):
            await self.connector.say(reference, _greeting(reference), patience=GREETING)
        await self.service.acknowledge(accepted)

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
