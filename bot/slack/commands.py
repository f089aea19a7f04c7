"""The slash command."""

import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import Any

from bot.conversation.actions import ALL_SOURCES, ConversationActions, status_facts
from bot.conversation.commands import Command, closest_command
from bot.conversation.delivery_buffer import LATER
from bot.conversation.texts import NOT_NOW, NOT_YOURS, forgotten, waiting
from bot.slack import views
from bot.slack.block_kit import SlackMessage, text_message
from bot.slack.event_parsing import SlackEvent, command_of, command_question
from bot.slack.events import SlackEventHandler
from bot.slack.mrkdwn import escaped
from domain.conversation import Participant
from domain.errors import Refused, Transient, in_sentences
from domain.text.languages import language_of
from domain.translation import set_language, translated

log = logging.getLogger(__name__)

Ack = Callable[..., Awaitable[Any]]

FOR_YOU = "The answer follows, for you alone."
WITHIN = 2.0
"""Seconds that a command may take until it is acknowledged: Slack waits for three, then tells of an error."""


@dataclass(eq=False)
class SlackCommands:
    """Serves the slash command: acknowledged with what only the asker sees."""

    events: SlackEventHandler
    actions: ConversationActions

    async def serve(self, payload: SlackEvent, ack: Ack) -> None:
        """Does what was typed, and acknowledges it. Never raises: Slack delivers a command only once."""
        command = command_of(str(payload.get("text") or ""))
        person = Participant("slack", str(payload["user_id"]), str(payload.get("team_id", "")))
        try:
            if command.word in {"ask", "share"}:
                await self._ask(payload, command, person, ack)
            else:
                # a change goes on to its end
                message = await self.events.background.begin(self._message(payload, command, person), WITHIN)
                await _show(ack, message or text_message(NOT_NOW))
        except Transient as error:
            log.warning("A command could not be served: %s", error.what)
            await _show(ack, text_message(NOT_NOW))

    async def _ask(self, payload: SlackEvent, command: Command, person: Participant, ack: Ack) -> None:
        share = command.word == "share"
        meant = closest_command(command.rest) if command.word == "ask" and not command.asked else None
        if meant:
            name, words = self.events.bot.command, escaped(self.actions.masked(command.rest), 200)
            await _show(ack, text_message(f"Did you mean `{name} {meant}`? To ask it anyway: `{name} ask {words}`"))
            return
        if not command.rest:
            await _show(
                ack, text_message(f"Put the question behind it: {self.events.bot.command} {command.word} How do I …?")
            )
            return
        noted = partial(self.actions.note_share, person, str(payload.get("channel_id", ""))) if share else None
        question = command_question(payload, command.rest, share=share)
        claim = await self.events.take_within(question, question.handle["response_url"], WITHIN, noted)
        if share and claim is None:
            await _show(ack, text_message(LATER))
        elif share or (claim and claim.excess):
            await ack()
        else:
            set_language(language_of(command.rest))
            status = waiting(claim.queue_ahead if claim else None)
            await _show(ack, text_message(f":hourglass_flowing_sand: {status} {translated(FOR_YOU)}"))

    async def _message(self, payload: SlackEvent, command: Command, person: Participant) -> SlackMessage:
        match command.word:
            case "status":
                return views.status_message(status_facts(await self.actions.sources(person)))
            case "sources":
                return views.sources_message(await self.actions.sources(person), datetime.now(UTC))
            case "feedback":
                name = self.events.bot.command
                usage = (
                    f"Type `{name} feedback good` or `{name} feedback bad WHY`: it is about my last reply to you here."
                )
                channel = str(payload.get("channel_id", ""))
                words, number = await self.actions.rate_typed(command.rest, person, channel) or (usage, 0)
                if number:
                    self.events.background.start(self._offer_owner(payload, number, person))
            case "reindex":
                return await self._reindex(command.rest, person)
            case "forget":
                words = forgotten(await self.actions.memory.forget(person))
            case _:
                return views.help_message(self.events.bot.command)
        return text_message(words)

    async def _offer_owner(self, payload: SlackEvent, number: int, person: Participant) -> None:
        await self.actions.speak_as_asked(number)
        if await self.actions.owner_questions.possible(number, person):
            await self.events.tell(str(payload.get("response_url", "")), views.owner_offer(number))

    async def _reindex(self, rest: str, person: Participant) -> SlackMessage:
        if not await self.actions.administers(person):
            return text_message(NOT_YOURS)
        source = rest.strip() or ALL_SOURCES
        try:
            await self.actions.check_source(source)
        except Refused as error:
            return text_message(escaped(in_sentences(error), 1_000))
        return views.confirm_reindex(None if source == ALL_SOURCES else source)


async def _show(ack: Ack, message: SlackMessage) -> None:
    await ack(text=message.text, blocks=list(message.blocks), response_type="ephemeral")
