"""Teams as a platform of conversations."""

from typing import Protocol

from bot.conversation.platform import Reply
from bot.teams.posting import Posting
from bot.teams.reference import Reference
from bot.teams.reply import TeamsReply
from domain.answers import Question
from domain.conversation import Asked, Audience, Identity, Person, Readers


class Acquaintances(Protocol):
    """Who somebody is; bot.teams.people.People knows."""

    def met(self, person: Person, reference: Reference) -> None:
        """Somebody was heard of there."""

    async def identity(self, person: Person) -> Identity:
        """See ChatPlatform.identity."""

    async def audience(self, told: Audience, reference: Reference) -> Readers:
        """Who reads what is posted in a conversation."""


class TeamsPlatform:
    """See bot.conversation.platform.ChatPlatform."""

    def __init__(self, posting: Posting, people: Acquaintances) -> None:
        self._posting = posting
        self._people = people

    def reply(self, asked: Asked, patience: float) -> Reply:
        """The reply to a question. Who asked is met, too: Teams tells of people only where one has met them."""
        self._people.met(asked.asker, Reference.of(asked.handle))
        return TeamsReply(self._posting, self._posting.connector.within(patience), asked)

    async def identity(self, person: Person) -> Identity:
        """Who somebody is; see People."""
        return await self._people.identity(person)

    async def audience(self, asked: Asked) -> Readers:
        """Who reads the reply: of a group or channel, whoever is in it now."""
        return await self._people.audience(asked.audience, Reference.of(asked.handle))

    def question(self, asked: Asked, question: Question) -> Question:  # noqa: ARG002 - other platforms need it
        """The question, as it is."""
        return question
