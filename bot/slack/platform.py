"""Slack as a platform of conversations."""

from collections.abc import Awaitable, Callable
from functools import partial

from bot.conversation.chat_platform import ChatPlatform, ReplyChannel
from bot.slack.ephemeral_reply import EphemeralReply
from bot.slack.reply import SlackReply, SlackReplyContext
from bot.slack.user_directory import SlackUserDirectory
from bot.slack.views import owner_message
from domain.conversation import ASKER_ALONE, AcceptedQuestion, Identity, Participant, ReplyAudience
from domain.masking import MaskedText

PATIENCE = 5.0
"""Seconds for which it is tried to tell somebody something while another one waits."""


class SlackPlatform(ChatPlatform):
    """Slack. shared: what all replies share."""

    def __init__(self, shared: SlackReplyContext, people: SlackUserDirectory) -> None:
        self._shared = shared
        self._people = people

    def reply(self, asked: AcceptedQuestion, patience: float) -> ReplyChannel:
        """The reply to a question."""
        client = self._shared.client.within(patience)
        if asked.handle.get("mode") == "ephemeral":
            return EphemeralReply(client, asked, self._shared.clock)
        return SlackReply(self._shared, client, asked)

    async def identity(self, person: Participant) -> Identity:
        """Who somebody is; see the user directory."""
        return await self._people.identity(person)

    async def find_person(self, address: str, asked: AcceptedQuestion) -> Participant | None:
        """See ChatPlatform.find_person."""
        found = await self._people.member_with(address)
        return Participant("slack", found, asked.asker.workspace) if found else None

    async def prepare_message(
        self, person: Participant, words: MaskedText, asked: AcceptedQuestion
    ) -> Callable[[], Awaitable[None]]:
        """In a direct message, with a mention of the asker."""
        opened = await self._shared.client.call("conversations.open", patience=PATIENCE, users=person.id)
        return partial(self._post, str(opened["channel"]["id"]), owner_message(words, asked.asker))

    async def _post(self, channel: str, text: str) -> None:
        await self._shared.client.call(
            "chat.postMessage",
            patience=PATIENCE,
            blindly=False,
            channel=channel,
            text=text,
            unfurl_links=False,
            unfurl_media=False,
        )

    async def audience(self, asked: AcceptedQuestion, *, since: float | None = None) -> ReplyAudience:
        """Who reads the reply: of a channel, whoever is in it now. See ChatPlatform.audience."""
        return ASKER_ALONE if asked.audience == "asker" else await self._people.audience(asked.place.channel, since)
