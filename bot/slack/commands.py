"""The slash command."""

import logging
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import Any

from bot.conversation.commands import VOTES, Command, meant_by
from bot.conversation.desk import EVERYTHING, Desk
from bot.conversation.words import waiting
from bot.slack import views
from bot.slack.events import Events, Own
from bot.slack.kit import Message, note
from bot.slack.mrkdwn import escaped
from bot.slack.parse import Event, command_of, command_question
from domain.conversation import Person
from domain.errors import Refused, Transient, in_sentences
from domain.masking import Masker
from domain.text.encodable import encodable

log = logging.getLogger(__name__)

Ack = Callable[..., Awaitable[Any]]

NOT_NOW = "I cannot do that at the moment. Please try again in a minute."
NOT_YOURS = "Only an administrator of this bot may start indexing. Ask whoever runs it."
FOR_YOU = "The answer follows, for you alone."
WITHIN = 2.0
"""Seconds for which a command waits until its question is taken: Slack waits for three."""


class Commands:
    """Serves the slash command: acknowledged with what only the asker sees."""

    def __init__(self, events: Events, desk: Desk, masker: Masker, own: Own) -> None:
        self._events = events
        self._desk = desk
        self._masker = masker
        self._own = own

    async def serve(self, payload: Event, ack: Ack) -> None:
        """Does what was typed, and acknowledges it. Never raises: Slack delivers a command only once."""
        command = command_of(str(payload.get("text") or ""))
        try:
            if command.word in {"ask", "share"}:
                await self._ask(payload, command, ack)
            else:
                await _show(ack, await self._message(command, self._person(payload)))
        except Transient as error:
            log.warning("A command could not be served: %s", error.what)
            await _show(ack, note(NOT_NOW))

    async def _ask(self, payload: Event, command: Command, ack: Ack) -> None:
        share = command.word == "share"
        meant = meant_by(command.rest) if command.word == "ask" and not command.asked else None
        if meant:
            name, words = self._own.command, escaped(self._masker.mask(encodable(command.rest)).text, 200)
            await _show(ack, note(f"Did you mean `{name} {meant}`? To ask it anyway: `{name} ask {words}`"))
            return
        if not command.rest:
            await _show(ack, note(f"Put the question behind it: {self._own.command} {command.word} How do I …?"))
            return
        claim = await self._events.take_within(command_question(payload, command.rest, share=share), WITHIN)
        if share or (claim and claim.excess):
            await ack()
        else:
            sign = waiting(claim.before if claim else None)
            await _show(ack, note(f":hourglass_flowing_sand: {sign} {FOR_YOU}"))

    async def _message(self, command: Command, person: Person) -> Message:
        match command.word:
            case "status":
                return await self._status(person)
            case "sources":
                rows = [(row.name, row.documents, row.updated_at) for row in await self._desk.sources(person)]
                return views.sources_message(rows, datetime.now(UTC))
            case "feedback":
                return await self._feedback(command.rest, person)
            case "reindex":
                return await self._reindex(command.rest, person)
            case "forget":
                count = await self._desk.forget(person)
                return note(f"Forgotten: {count} of your questions, with what I replied.")
            case _:
                return views.help_message(self._own.command)

    async def _status(self, person: Person) -> Message:
        rows = await self._desk.sources(person)
        dated = [row.updated_at for row in rows if row.updated_at]
        newest = f"{max(dated):%Y-%m-%d %H:%M} UTC" if dated else "never"
        facts = [
            ("Documents", f"{sum(row.documents for row in rows):,}"),
            ("Sources", str(len(rows))),
            ("Last read", newest),
        ]
        return views.status_message(facts if rows else [])

    async def _feedback(self, rest: str, person: Person) -> Message:
        word, _, reason = rest.partition(" ")
        value = VOTES.get(word.lower())
        if value is None:
            name = self._own.command
            return note(f"Type `{name} feedback good` or `{name} feedback bad WHY`: it is about my last reply to you.")
        if not await self._desk.rate_last(person, value, reason.strip()):
            return note("There is no reply of mine to you that I remember.")
        return note("Thank you. It goes to those who look after the index.")

    async def _reindex(self, rest: str, person: Person) -> Message:
        if not await self._desk.administers(person):
            return note(NOT_YOURS)
        source = rest.strip() or EVERYTHING
        try:
            await self._desk.check_source(source)
        except Refused as error:
            return note(escaped(in_sentences(error), 1_000))
        return views.confirm_reindex(None if source == EVERYTHING else source)

    def _person(self, payload: Event) -> Person:
        return Person("slack", str(payload["user_id"]), str(payload.get("team_id", "")))


async def _show(ack: Ack, message: Message) -> None:
    await ack(text=message.text, blocks=list(message.blocks), response_type="ephemeral")
