"""What happens in Slack's channels, passed on: questions, changes of questions, and what makes our knowledge old."""

import asyncio
import logging
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from bot.conversation.background_tasks import BackgroundTasks
from bot.conversation.chat_platform import show_if_possible
from bot.conversation.delivery_buffer import LOST, DeliveryDelayed, MessageChange, Noted, QuestionIntake
from bot.conversation.service import ConversationService
from bot.conversation.texts import READING_STATUS
from bot.slack.block_kit import SlackMessage, text_message
from bot.slack.client import SlackClient
from bot.slack.event_parsing import SlackEvent, change_of, is_by_person, mentions, question_of
from bot.slack.user_directory import SlackUserDirectory
from domain.conversation import AcceptedQuestion, Incoming
from domain.ledger import Corrections
from domain.text.encodable import encodable
from domain.text.languages import language_of
from domain.translation import set_language, translated

log = logging.getLogger(__name__)

SUGGESTED_PROMPTS = (
    "How do I get access to the systems that I need?",
    "What changed lately in how we release?",
    "Who is on call, and how do I reach them?",
)
"""Prompts that an empty conversation suggests."""


@dataclass(frozen=True, slots=True)
class SlackBot:
    """What Slack calls us. follow: channels in whose threads questions need no mention; `*` for all. command: the
    slash command."""

    bot_user: str
    team: str
    follow: frozenset[str] = frozenset()
    command: str = "/kb"


@dataclass(eq=False)
class SlackEventHandler:
    """Handles events. Each returns when Slack may forget the delivery: the question is in the ledger, or is none."""

    service: ConversationService
    people: SlackUserDirectory
    client: SlackClient
    bot: SlackBot
    background: BackgroundTasks
    corrections: Corrections
    _intake: QuestionIntake = field(init=False)

    def __post_init__(self) -> None:
        self._intake = QuestionIntake(self.service, self.background)

    async def message(self, event: SlackEvent, team: str) -> None:
        """A message, or a mention. team: the workspace it was delivered for. Raises Transient when it cannot be taken
        now."""
        bot = self.bot
        found: Incoming | MessageChange | None = None
        try:
            if event.get("subtype") in {"message_changed", "message_deleted"}:
                found = change_of(event, bot.bot_user)
            elif is_by_person(event, bot.bot_user):
                found = question_of(event, team or bot.team, bot.bot_user)
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            log.warning("A message could not be read: %s", type(error).__name__)
            return
        if isinstance(found, MessageChange):
            await self._intake.change(found)
        elif found is not None:
            await self._intake.take_if(partial(self._is_for_us, event, found), found, self._welcome)

    async def take(self, incoming: Incoming, response_url: str, noted: Noted | None = None) -> AcceptedQuestion:
        """Accepts a question that Slack delivers once; the first sign follows in the background. response_url: where
        who asked is told if it is lost. noted: see QuestionIntake.take. Raises as QuestionIntake does."""

        async def lost() -> None:
            set_language(language_of(incoming.text))
            await self.tell(response_url, text_message(translated(LOST)))

        return await self._intake.take(incoming, self._welcome, lost if response_url else None, noted)

    async def take_within(
        self, incoming: Incoming, response_url: str, seconds: float, noted: Noted | None = None
    ) -> AcceptedQuestion | None:
        """The same, for what has to be answered so soon: None when the question waits."""
        with suppress(DeliveryDelayed):
            return await self.background.begin(self.take(incoming, response_url, noted), seconds)
        return None

    async def tell(self, response_url: str, message: SlackMessage, *, replace: bool = False) -> None:
        """Tells something to who typed a command or pressed a button, and nobody else. replace: in the place of the
        message with the button."""
        told = {"response_type": "ephemeral", "text": message.text, "blocks": list(message.blocks)}
        await show_if_possible(self.client.respond(response_url, told | {"replace_original": replace}))

    async def assistant_started(self, event: SlackEvent) -> None:
        """A conversation was opened in the pane of an app of the older kind, whose threads begin so."""
        thread = event.get("assistant_thread") or {}
        await self.suggest(thread.get("channel_id"), thread.get("thread_ts"))

    async def suggest(self, channel: Any, thread: Any = None) -> None:
        """Shows prompts in an empty conversation. thread: in apps of the older kind; Slack ignores the call of a newer
        one that names any."""
        await self._call_if_possible(
            "assistant.threads.setSuggestedPrompts",
            channel_id=channel,
            thread_ts=thread,
            title="Ask me what is written in your company's documents, for example:",
            prompts=[{"title": each, "message": each} for each in SUGGESTED_PROMPTS],
        )

    async def user_changed(self, event: SlackEvent) -> None:
        """A person's profile changed, or they came into the workspace."""
        user = event.get("user")
        now = user if isinstance(user, dict) else None
        self.people.person_changed(str(now.get("id", "") if now else user or ""), now)

    async def membership_changed(self, event: SlackEvent) -> None:
        """Somebody joined or left a channel, or it is shared now. Raises Transient while the database is away."""
        channel = event.get("channel")
        name = str(channel.get("id", "")) if isinstance(channel, dict) else str(channel or "")
        self.people.members_changed(name)
        await self.corrections.readers_changed("slack", name)

    async def app_removed(self, event: SlackEvent) -> None:
        """Our permission was taken back: nothing works any more until an operator has mended it."""
        log.error(
            "Slack took the app's permission back (%s): reinstall it, and set KB_AGENT_SLACK_BOT_TOKEN",
            event.get("type"),
        )

    async def _is_for_us(self, event: SlackEvent, incoming: Incoming) -> bool:
        """Whether a person's message is a question to us: in private, when it mentions us, or in a followed thread."""
        bot = self.bot
        if incoming.place.private or event.get("type") == "app_mention" or mentions(event, bot.bot_user):
            return True
        followed = "*" in bot.follow or incoming.place.channel in bot.follow
        to_somebody_else = str(event.get("text") or "").lstrip().startswith(("<@", "<!subteam^"))
        return (
            followed
            and "thread_ts" in event
            and not to_somebody_else
            and await self.service.ledger.has_question_in_thread(incoming.place)
        )

    async def _welcome(self, incoming: Incoming, claim: AcceptedQuestion) -> None:
        """The first status messages. A status goes when a message is posted, so it comes before."""
        set_language(language_of(incoming.text))
        if incoming.place.private and incoming.place.thread:
            await self._assistant_signs(incoming, claim)
        await self.service.acknowledge(claim)

    async def _assistant_signs(self, incoming: Incoming, accepted: AcceptedQuestion) -> None:
        """What the assistant's pane shows beside messages: that we are at it, and what the conversation is about."""
        place = {"channel_id": incoming.place.channel, "thread_ts": incoming.place.thread}
        calls = [self._call_if_possible("assistant.threads.setStatus", **place, status=translated(READING_STATUS))]
        title = self.service.masker.mask(encodable(" ".join(incoming.text.split()))).text[:80]
        if title and await self.service.is_first(accepted):
            calls.append(self._call_if_possible("assistant.threads.setTitle", **place, title=title))
        await asyncio.gather(*calls)

    async def _call_if_possible(self, method: str, **arguments: Any) -> None:
        """Calls what not every workspace has."""
        await show_if_possible(self.client.call(method, patience=1.0, **arguments))
