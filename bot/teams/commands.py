"""Commands, typed as messages. What they tell goes where they were typed, and so holds what all may read there."""

import logging
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

from bot.conversation.background import Background
from bot.conversation.commands import VOTES, Command, Word, command_in, meant_by
from bot.conversation.desk import Desk, SourceRow
from bot.teams import notices, views
from bot.teams.activities import Changed, Said, Spot
from bot.teams.events import Events
from bot.teams.people import People
from bot.teams.reindexing import ask_to_confirm
from bot.teams.render import card_activity, note
from bot.teams.shapes import Json
from bot.teams.speaking import Speaking, say
from domain.errors import KbError
from domain.masking import Masker
from domain.text.encodable import encodable

log = logging.getLogger(__name__)

NOT_NOW = "I cannot do that at the moment. Please try again in a minute."
SHARE = (
    "What I answer here is for you alone. Mention me in a channel or a group chat to have it answered for everybody"
    " there; an answer that you had from there can be shared with the button below it."
)
HELLOS = frozenset({"hi", "hello", "hey", "hallo", "moin", "bonjour", "hola", "ciao"})


class Commands:
    """Serves what is said to us: a command, or else a question."""

    def __init__(
        self,
        events: Events,
        desk: Desk,
        people: People,
        speaking: Speaking,
        masker: Masker,
        background: Background,
    ) -> None:
        self._events = events
        self._desk = desk
        self._people = people
        self._speaking = speaking
        self._masker = masker
        self._background = background

    async def serve(self, said: Said) -> None:
        """Takes a question, or does in the background what a command says. Raises Transient when a question cannot be
        taken now."""
        files, spot = said.incoming.unread, said.spot
        if files and not said.incoming.text:
            told = notices.unread([self._masked(each) for each in files])
            self._background.start(say(self._speaking, spot.reference, note(told)))
            return
        command = command_of(said.incoming.text, private=spot.place.private)
        if command.word != "ask" or not command.rest:
            self._background.start(self._told(command, spot))
            return
        meant = meant_by(command.rest) if not command.asked else None
        if meant:
            self._background.start(
                say(self._speaking, spot.reference, note(notices.meant(meant, self._masked(command.rest))))
            )
            return
        await self._events.take(replace(said.incoming, text=command.rest), spot)

    async def changed(self, change: Changed) -> None:
        """A message was changed or deleted. What is changed is read as it is typed: a question without the word before
        it. A change makes no command of a question, and no question of a command."""
        if change.text is None:
            await self._events.changed(change)
            return
        command = command_of(change.text, private=change.private)
        if command.word == "ask" and command.rest and (command.asked or not meant_by(command.rest)):
            await self._events.changed(replace(change, text=command.rest))

    def _masked(self, text: str) -> str:
        """What somebody typed, as it may be repeated."""
        return self._masker.mask(encodable(text)).text

    async def _told(self, command: Command, spot: Spot) -> None:
        try:
            body = await self._body(command, spot)
        except KbError as error:
            log.warning("A command could not be served: %s", error.what)
            body = note(NOT_NOW)
        if body is not None:
            await say(self._speaking, spot.reference, body)

    async def _body(self, command: Command, spot: Spot) -> Json | None:
        match command.word:
            case "status" | "sources" as word:
                readers = await self._people.audience(spot.audience, spot.reference)
                rows = await self._desk.sources(spot.person, readers.audience)
                return _status(rows) if word == "status" else _sources(rows)
            case "feedback":
                return await self._feedback(command.rest, spot)
            case "reindex":
                told = await ask_to_confirm(self._desk, self._masker, self._speaking, command.rest, spot)
                return note(told) if told else None
            case "forget":
                count = await self._desk.forget(spot.person)
                return note(f"Forgotten: {count} of your questions, with what I replied.")
            case other:
                return _how(other)

    async def _feedback(self, rest: str, spot: Spot) -> Json:
        word, _, reason = rest.partition(" ")
        value = VOTES.get(word.lower())
        if value is None:
            return note("Type **feedback good**, or **feedback bad** and why: it is about my last reply to you.")
        if not await self._desk.rate_last(spot.person, value, reason.strip()):
            return note("There is no reply of mine to you that I remember.")
        return note("Thank you. It goes to those who look after the index.")


def _status(rows: Sequence[SourceRow]) -> Json:
    dated = [row.updated_at for row in rows if row.updated_at]
    newest = f"{max(dated):%Y-%m-%d %H:%M} UTC" if dated else "never"
    documents = f"{sum(row.documents for row in rows):,}"
    facts = [("Documents", documents), ("Sources", str(len(rows))), ("Last read", newest)]
    return card_activity(views.status_card(facts if rows else []), "Status")


def _sources(rows: Sequence[SourceRow]) -> Json:
    listed = [(row.name, row.documents, row.updated_at) for row in rows]
    return card_activity(views.sources_card(listed, datetime.now(UTC)), "What is indexed")


def _how(word: Word) -> Json:
    """How something is done that was typed alone."""
    if word == "share":
        return note(SHARE)
    if word == "ask":
        return note("Put the question behind it: **ask** How do I …?")
    return card_activity(views.help_card(), "How to ask")


def command_of(text: str, *, private: bool) -> Command:
    """What a message is: a word that begins a sentence is no command. In a conversation of several people, `share` says
    what is so anyway: everybody there reads the reply."""
    if text.lower().strip("!.,? ") in HELLOS:
        return Command("help")
    command = command_in(text)
    match command.word:
        case "share" if command.rest and not private:
            return Command("ask", command.rest, asked=True)
        case "feedback" if command.rest and command.rest.split()[0].lower() not in VOTES:
            return Command("ask", text, asked=True)
        case "reindex" if len(command.rest.split()) > 3:
            return Command("ask", text, asked=True)
    return command
