"""Teams as a platform of conversations."""

from bot.conversation.chat_platform import ChatPlatform, ReplyChannel
from bot.teams.conversation_reference import TeamsConversation
from bot.teams.reply import TeamsReply
from bot.teams.reply_context import TeamsReplyContext
from bot.teams.user_directory import TeamsUserDirectory
from domain.conversation import AcceptedQuestion, Identity, Participant, ReplyAudience


class TeamsPlatform(ChatPlatform):
    """Teams. shared: what all replies share."""

    def __init__(self, shared: TeamsReplyContext, people: TeamsUserDirectory) -> None:
        self._shared = shared
        self._people = people

    def reply(self, asked: AcceptedQuestion, patience: float) -> ReplyChannel:
        """The reply to a question. Its asker is noted: Teams tells of people only where they were seen."""
        self._people.person_seen(asked.asker, TeamsConversation.of(asked.handle))
        return TeamsReply(self._shared, self._shared.connector.within(patience), asked)

    async def identity(self, person: Participant) -> Identity:
        """Who somebody is; see the user directory."""
        return await self._people.identity(person)

    async def audience(self, asked: AcceptedQuestion, *, since: float | None = None) -> ReplyAudience:
        """Who reads the reply: of a group or channel, whoever is in it now. See ChatPlatform.audience."""
        return await self._people.audience(asked.audience, TeamsConversation.of(asked.handle), since)
