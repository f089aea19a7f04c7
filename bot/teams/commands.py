"""Commands, typed as messages. What they tell goes where they were typed, and so holds what all may read there."""

import asyncio
import logging
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from botbuilder.schema import Activity

from bot.conversation.actions import ALL_SOURCES, ConversationActions, status_facts
from bot.conversation.commands import VOTES, Command, closest_command, parse_command
from bot.conversation.delivery_buffer import MessageChange
from bot.conversation.texts import NOT_NOW, NOT_YOURS, forgotten
from bot.teams import card_templates, status_messages
from bot.teams.activities import ActivityContext, MessageReceived
from bot.teams.command_limits import CommandLimits
from bot.teams.connector import TeamsConnector
from bot.teams.events import TeamsEventHandler
from bot.teams.outgoing_activities import card_message, text_message
from domain.errors import KbError, Refused, in_sentences
from domain.translation import translated

log = logging.getLogger(__name__)

SHARE = (
    "What I answer here is for you alone. Mention me in a channel or a group chat to have it answered for everybody"
    " there; an answer that you had from there can be shared with the button below it."
)
FEEDBACK = "Type **feedback good**, or **feedback bad** and why: it is about my last reply to you here."
ELSEWHERE = "I have written to you in our chat."
HELLOS = frozenset({"hi", "hello", "hey", "hallo", "moin", "bonjour", "hola", "ciao"})

PATIENCE = 20.0
"""Seconds for which it is tried to reply to a command: answers come first."""

MOST = 100
"""Commands that are served at a time."""


@dataclass(eq=False)
class TeamsCommands:
    """Serves what is said to us: a command, or else a question. What is typed more often than `limits` say is told so
    once, and then left."""

    events: TeamsEventHandler
    actions: ConversationActions
    limits: CommandLimits = field(default_factory=CommandLimits)
    _serving: set["asyncio.Task[None]"] = field(default_factory=set, init=False)

    async def serve(self, said: MessageReceived) -> None:
        """Takes a question, or does in the background what a command says. Raises Transient when a question cannot be
        taken now."""
        files, context = said.incoming.unread, said.context
        if files and not said.incoming.text:
            words = status_messages.unread([self.actions.masked(each) for each in files])
            self._serve_later(text_message(words), context)
            return
        command = command_of(said.incoming.text, private=context.place.private)
        if command.word != "ask" or not command.rest:
            self._serve_later(command, context)
            return
        meant = closest_command(command.rest) if not command.asked else None
        if meant:
            words = status_messages.meant(meant, self.actions.masked(command.rest))
            self._serve_later(text_message(words), context)
            return
        await self.events.take(replace(said.incoming, text=command.rest), context)

    async def message_changed(self, change: MessageChange) -> None:
        """A message was changed or deleted. What is changed is read as it is typed: a question without the word before
        it. A change makes no command of a question, and no question of a command."""
        if change.text is None:
            await self.events.message_changed(change)
            return
        command = command_of(change.text, private=change.private)
        if command.word == "ask" and command.rest and (command.asked or not closest_command(command.rest)):
            await self.events.message_changed(replace(change, text=command.rest))

    def _serve_later(self, wanted: Command | Activity, context: ActivityContext) -> None:
        """Replies in the background, with what a command leads to or with what is given."""
        excess = self.limits.take(context.person.id, context.place.channel)
        if excess == "again" or len(self._serving) >= MOST:
            log.info("A command was left: there are too many")
            return
        if excess is not None:
            wanted = text_message(status_messages.busy(excess))
        task = self.events.background.start(self._reply(wanted, context))
        self._serving.add(task)
        task.add_done_callback(self._serving.discard)

    async def _reply(self, wanted: Command | Activity, context: ActivityContext) -> None:
        try:
            body = await self._body(wanted, context) if isinstance(wanted, Command) else wanted
        except KbError as error:
            log.warning("A command could not be served: %s", error.what)
            body = text_message(NOT_NOW)
        if body is not None:
            await self.events.connector.say(context.reference, body, patience=PATIENCE, urgent=False)

    async def _body(self, command: Command, context: ActivityContext) -> Activity | None:
        match command.word:
            case "status" | "sources" as word:
                readers = await self.events.people.audience(context.audience, context.reference)
                rows = await self.actions.sources(context.person, readers.audience)
                if word == "status":
                    return card_message(card_templates.status_card(status_facts(rows)), "Status")
                return card_message(card_templates.sources_card(rows, datetime.now(UTC)), "What is indexed")
            case "feedback":
                rated = await self.actions.rate_typed(command.rest, context.person, context.place.channel)
                words, number = rated or (FEEDBACK, 0)
                if number:
                    self.events.background.start(offer_owner(self.actions, self.events.connector, number, context))
            case "reindex":
                words = await ask_to_confirm(self.actions, self.events.connector, command.rest, context)
            case "forget":
                words = forgotten(await self.actions.memory.forget(context.person))
            case "share":
                words = SHARE
            case "ask":
                words = "Put the question behind it: **ask** How do I …?"
            case _:
                return card_message(card_templates.help_card(), "How to ask")
        return text_message(words) if words else None


def command_of(text: str, *, private: bool) -> Command:
    """What a message is: a word that begins a sentence is no command. In a conversation of several people, `share` says
    what is so anyway: everybody there reads the reply."""
    if text.lower().strip("!.,? ") in HELLOS:
        return Command("help")
    command = parse_command(text)
    match command.word:
        case "share" if command.rest and not private:
            return Command("ask", command.rest, asked=True)
        case "feedback" if command.rest and command.rest.split()[0].lower() not in VOTES:
            return Command("ask", text, asked=True)
        case "reindex" if len(command.rest.split()) > 3:
            return Command("ask", text, asked=True)
    return command


async def offer_owner(
    actions: ConversationActions, connector: TeamsConnector, number: int, context: ActivityContext
) -> None:
    """Offers who judged the answer to their question badly to ask the owner, in our chat with them. Raises KbErrors, as
    the connector does."""
    await actions.speak_as_asked(number)
    if await actions.owner_questions.possible(number, context.person):
        there = await connector.personal_chat(context.reference)
        card = card_message(card_templates.offer_owner(number), translated("Ask the owner?"))
        await connector.send(there.handle, card)


async def ask_to_confirm(
    actions: ConversationActions, connector: TeamsConnector, source: str, context: ActivityContext
) -> str:
    """Asks an administrator, who did what `context` says, whether something is to be read again: in our chat with them,
    as sources' names are not for all who read along elsewhere.

    source: the name of a source; empty, or `*`, for all. Returns what to say in the conversation of `context`; empty
    for nothing.

    Raises KbErrors, as the connector does: they may have no chat with us.
    """
    if not await actions.administers(context.person):
        return NOT_YOURS
    wanted = source.strip() or ALL_SOURCES
    try:
        await actions.check_source(wanted)
        shown = None if wanted == ALL_SOURCES else wanted
        body = card_message(card_templates.confirm_reindex(shown), "Read again?")
    except Refused as error:
        body = text_message(status_messages.refused(actions.masked(in_sentences(error))))
    there = await connector.personal_chat(context.reference)
    await connector.send(there.handle, body)
    return "" if context.place.private else ELSEWHERE
