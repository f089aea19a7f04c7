"""What happens in Slack's channels, passed on: questions, changes of questions, and what makes our knowledge old."""

import asyncio
import logging
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

from bot.conversation.background import Background
from bot.conversation.holding import Delayed, Holding
from bot.conversation.service import ConversationService
from bot.slack.client import SlackClient
from bot.slack.parse import Changed, Event, change_of, mentions, question_of, spoken
from bot.slack.people import People
from domain.conversation import Claim, Incoming
from domain.errors import KbError
from domain.ledger import Ledger
from domain.masking import Masker
from domain.text.encodable import encodable

log = logging.getLogger(__name__)

SUGGESTIONS = (
    "How do I get access to the systems that I need?",
    "What changed lately in how we release?",
    "Who is on call, and how do I reach them?",
)
"""Prompts that an empty conversation suggests."""


@dataclass(frozen=True, slots=True)
class Own:
    """What Slack calls us. follow: channels in whose threads questions need no mention; `*` for all. command: the
    slash command."""

    bot_user: str
    team: str
    follow: frozenset[str] = frozenset()
    command: str = "/kb"


class Events:
    """Handles events. Each returns when Slack may forget the delivery: the question is in the ledger, or is none."""

    def __init__(
        self,
        service: ConversationService,
        ledger: Ledger,
        people: People,
        client: SlackClient,
        masker: Masker,
        own: Own,
        background: Background,
    ) -> None:
        self._service = service
        self._ledger = ledger
        self._people = people
        self._client = client
        self._masker = masker
        self._own = own
        self._background = background
        self._holding = Holding(background)

    async def message(self, event: Event, team: str) -> None:
        """A message, or a mention. team: the workspace it was delivered for. Raises Transient when it cannot be taken
        now."""
        try:
            found = self._read(event, team)
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            log.warning("A message could not be read: %s", type(error).__name__)
            return
        if isinstance(found, Changed):
            await self._holding.taken(found.key, partial(self._changed, found), what=found.text)
        elif found is not None:
            await self._holding.taken(found.key, partial(self._said, event, found))

    def _read(self, event: Event, team: str) -> Incoming | Changed | None:
        """What an event says, where a person said it."""
        own = self._own
        if event.get("subtype") in {"message_changed", "message_deleted"}:
            return change_of(event, own.bot_user)
        return question_of(event, team or own.team, own.bot_user) if spoken(event, own.bot_user) else None

    async def take(self, incoming: Incoming) -> Claim:
        """Accepts a question; the first sign follows in the background. Raises Transient, Delayed among them: see
        bot.conversation.holding."""
        return await self._holding.taken(incoming.key, partial(self._claimed, incoming))

    async def take_within(self, incoming: Incoming, seconds: float) -> Claim | None:
        """The same, for what is delivered once and has to be answered so soon: None when the question waits."""
        claims: list[Claim] = []

        async def take() -> None:
            claims.append(await self.take(incoming))

        with suppress(Delayed):
            await self._background.begin(take(), seconds)
        return claims[0] if claims else None

    async def _said(self, event: Event, found: Incoming) -> None:
        """A message of a person's."""
        if await self._is_for_us(event, found):
            await self._claimed(found)

    async def _claimed(self, incoming: Incoming) -> Claim:
        claim = await self._service.receive(incoming)
        if claim.fresh:
            self._background.start(self._welcome(incoming, claim))
        return claim

    async def assistant_started(self, event: Event) -> None:
        """A conversation was opened in the pane of an app of the older kind, whose threads begin so."""
        thread = event.get("assistant_thread") or {}
        await self.suggest(thread.get("channel_id"), thread.get("thread_ts"))

    async def suggest(self, channel: Any, thread: Any = None) -> None:
        """Shows prompts in an empty conversation. thread: in apps of the older kind; Slack ignores the call of a newer
        one that names any."""
        await self._tried(
            "assistant.threads.setSuggestedPrompts",
            channel_id=channel,
            thread_ts=thread,
            title="Ask me what is written in your company's documents, for example:",
            prompts=[{"title": each, "message": each} for each in SUGGESTIONS],
        )

    async def user_changed(self, event: Event) -> None:
        """A person's profile changed."""
        user = event.get("user")
        if isinstance(user, dict):
            self._people.forget(str(user.get("id", "")), user)
        else:
            self._people.forget(str(user or ""))

    async def membership_changed(self, event: Event) -> None:
        """Somebody joined or left a channel, or it is shared now."""
        channel = event.get("channel")
        name = str(channel.get("id", "")) if isinstance(channel, dict) else str(channel or "")
        self._people.joined(name)

    async def removed(self, event: Event) -> None:
        """Our permission was taken back: nothing works any more until an operator has mended it."""
        log.error(
            "Slack took the app's permission back (%s): reinstall it, and set KB_AGENT_SLACK_BOT_TOKEN",
            event.get("type"),
        )

    async def _is_for_us(self, event: Event, incoming: Incoming) -> bool:
        """Whether a person's message is a question to us: in private, when it mentions us, or in a followed thread."""
        own = self._own
        if incoming.place.private or event.get("type") == "app_mention" or mentions(event, own.bot_user):
            return True
        followed = "*" in own.follow or incoming.place.channel in own.follow
        to_somebody_else = str(event.get("text") or "").lstrip().startswith(("<@", "<!subteam^"))
        return (
            followed and "thread_ts" in event and not to_somebody_else and await self._ledger.in_thread(incoming.place)
        )

    async def _changed(self, change: Changed) -> None:
        if change.text is None:
            await self._service.withdraw(change.key)
        else:
            await self._service.amend(change.key, change.text)

    async def _welcome(self, incoming: Incoming, claim: Claim) -> None:
        """The first signs. A status goes when a message is posted, so it comes before."""
        if incoming.place.private and incoming.place.thread:
            await self._assistant_signs(incoming, claim.number)
        await self._service.welcome(incoming, claim)

    async def _assistant_signs(self, incoming: Incoming, number: int) -> None:
        """What the assistant's pane shows beside messages: that we are at it, and what the conversation is about."""
        place = {"channel_id": incoming.place.channel, "thread_ts": incoming.place.thread}
        signs = [self._tried("assistant.threads.setStatus", **place, status="is reading your question…")]
        title = self._masker.mask(encodable(" ".join(incoming.text.split()))).text[:80]
        if title and await self._is_first(incoming, number):
            signs.append(self._tried("assistant.threads.setTitle", **place, title=title))
        await asyncio.gather(*signs)

    async def _is_first(self, incoming: Incoming, number: int) -> bool:
        """Whether nothing was asked in this thread before."""
        try:
            return not await self._ledger.in_thread(incoming.place, before=number)
        except KbError:
            return False

    async def _tried(self, method: str, **arguments: Any) -> None:
        """Calls what not every workspace has."""
        try:
            await self._client.call(method, patience=1.0, **arguments)
        except KbError as error:
            log.info("%s: %s", error.what, error.why)
