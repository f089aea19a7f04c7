"""Teams as a platform of conversations."""

from collections.abc import Awaitable, Callable

from bot.conversation.chat_platform import ChatPlatform, ReplyChannel
from bot.teams.conversation_reference import TeamsConversation
from bot.teams.outgoing_activities import text_message
from bot.teams.reply import TeamsReply
from bot.teams.reply_context import TeamsReplyContext
from bot.teams.status_messages import owner_message
from bot.teams.user_directory import TeamsUserDirectory
from domain.conversation import AcceptedQuestion, Identity, Participant, ReplyAudience
from domain.errors import Refused
from domain.masking import MaskedText

PATIENCE = 5.0
"""Seconds for which it is tried to tell somebody something while another one waits."""


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

    async def find_person(self, address: str, asked: AcceptedQuestion) -> Participant | None:
        """See ChatPlatform.find_person: of people who have asked us something."""
        found = await self._people.member_with(address, asked.asker.workspace)
        return found and found[0]

    async def prepare_message(
        self,
        person: Participant,
        words: MaskedText,
        asked: AcceptedQuestion,  # noqa: ARG002 - Slack mentions the asker
    ) -> Callable[[], Awaitable[None]]:
        """In our chat with that person, with the name of the asker in the words."""
        reference = self._people.met(person)
        if reference is None:
            raise Refused("That person has not asked anything here")
        chat = await self._shared.connector.personal_chat(reference)

        async def post() -> None:
            message = text_message(owner_message(words))
            await self._shared.connector.send(chat.handle, message, patience=PATIENCE, blindly=False)

        return post

    async def audience(self, asked: AcceptedQuestion, *, since: float | None = None) -> ReplyAudience:
        """Who reads the reply: of a group or channel, whoever is in it now. See ChatPlatform.audience."""
        return await self._people.audience(asked.audience, TeamsConversation.of(asked.handle), since)
