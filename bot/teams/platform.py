"""Teams as a platform of conversations."""

from typing import Protocol

from bot.conversation.chat_platform import ReplyChannel
from bot.teams.conversation_reference import TeamsConversation
from bot.teams.reply import TeamsReply
from bot.teams.reply_context import TeamsReplyContext
from domain.answers import Question
from domain.conversation import AcceptedQuestion, Audience, Identity, Participant, ReplyAudience


class UserDirectory(Protocol):
    """Who somebody is; bot.teams.user_directory.TeamsUserDirectory knows."""

    def met(self, person: Participant, reference: TeamsConversation) -> None:
        """Somebody was heard of there."""

    async def identity(self, person: Participant) -> Identity:
        """See ChatPlatform.identity."""

    async def audience(self, told: Audience, reference: TeamsConversation) -> ReplyAudience:
        """Who reads what is posted in a conversation."""


class TeamsPlatform:
    """See bot.conversation.chat_platform.ChatPlatform."""

    def __init__(self, shared: TeamsReplyContext, people: UserDirectory) -> None:
        self._shared = shared
        self._people = people

    def reply(self, asked: AcceptedQuestion, patience: float) -> ReplyChannel:
        """The reply to a question. Who asked is met, too: Teams tells of people only where one has met them."""
        self._people.met(asked.asker, TeamsConversation.of(asked.handle))
        return TeamsReply(self._shared, self._shared.connector.within(patience), asked)

    async def identity(self, person: Participant) -> Identity:
        """Who somebody is; see the user directory."""
        return await self._people.identity(person)

    async def audience(self, asked: AcceptedQuestion) -> ReplyAudience:
        """Who reads the reply: of a group or channel, whoever is in it now."""
        return await self._people.audience(asked.audience, TeamsConversation.of(asked.handle))

    def question(self, asked: AcceptedQuestion, question: Question) -> Question:  # noqa: ARG002 - other platforms need it
        """The question, as it is."""
        return question
