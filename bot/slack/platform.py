"""Slack as a platform of conversations."""

from bot.conversation.platform import Reply
from bot.slack.asker import AskerReply
from bot.slack.people import People
from bot.slack.reply import Posting, SlackReply
from domain.answers import Question
from domain.conversation import ASKER_ALONE, Asked, Identity, Person, Readers


class SlackPlatform:
    """See bot.conversation.platform.ChatPlatform."""

    def __init__(self, posting: Posting, people: People) -> None:
        self._posting = posting
        self._people = people

    def reply(self, asked: Asked, patience: float) -> Reply:
        """The reply to a question."""
        client = self._posting.client.within(patience)
        if asked.handle.get("mode") == "ephemeral":
            return AskerReply(client, asked, self._posting.clock)
        return SlackReply(self._posting, client, asked)

    async def identity(self, person: Person) -> Identity:
        """Who somebody is; see People."""
        return await self._people.identity(person)

    async def audience(self, asked: Asked) -> Readers:
        """Who reads the reply: of a channel, whoever is in it now."""
        return ASKER_ALONE if asked.audience == "asker" else await self._people.audience(asked.place.channel)

    def question(self, asked: Asked, question: Question) -> Question:  # noqa: ARG002 - other platforms need it
        """The question, as it is."""
        return question
