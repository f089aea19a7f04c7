"""Buttons below replies and on cards, and the forms that they open."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from json import dumps

from bot.conversation.background import Background
from bot.conversation.desk import EVERYTHING, Desk
from bot.teams import messages
from bot.teams.activities import Pressed, Spot, Way
from bot.teams.commands import NOT_NOW, NOT_YOURS
from bot.teams.events import Events, echoed
from bot.teams.messages import Body
from bot.teams.reference import Reference
from bot.teams.speaking import Speaking, privately, say
from domain.conversation import Audience, Incoming, Known, MessageKey, Place
from domain.errors import KbError, Refused
from domain.ledger import Ledger

log = logging.getLogger(__name__)

SECONDS = 8.0
"""For which a call of Teams may wait for its answer."""

FORGOTTEN = "I do not remember that question. Ask me again."
ORIGIN = "origin_"
"""Begins the names of what a handle holds of the conversation that a question was first asked in."""


@dataclass(frozen=True, slots=True)
class Told:
    """What a press leads to. words: for who pressed. card: the same as the content of a card, under a title. replace:
    whether it takes the place of the message with the button."""

    words: str = ""
    card: Body | None = None
    title: str = ""
    replace: bool = False


class Actions:
    """Serves presses of buttons."""

    def __init__(self, events: Events, desk: Desk, ledger: Ledger, speaking: Speaking, background: Background) -> None:
        self._events = events
        self._desk = desk
        self._ledger = ledger
        self._speaking = speaking
        self._background = background
        self._served: Mapping[str, Callable[[Pressed], Awaitable[Told]]] = {
            "preview": self._preview,
            "feedback": self._feedback,
            "reason": self._reason,
            "ask": self._ask,
            "private": self._ask_privately,
            "share": self._offer_share,
            "share_now": self._share,
            "again": self._read_again,
            "reindex": self._reindex,
            "cancel": self._cancel,
        }

    async def pressed(self, pressed: Pressed) -> Body:
        """Does what a button does, or says that it cannot be done now; gives what Teams is answered. A press that
        comes as a message waits for nothing: what it leads to is said later."""
        self._events.met(pressed.spot)
        if pressed.way == "message":
            self._background.start(self._said(pressed))
            return {}
        return response(pressed.way, await self._told(pressed))

    async def _said(self, pressed: Pressed) -> None:
        told, reference = await self._told(pressed), pressed.spot.reference
        if told.card is not None:
            await self._show_privately(pressed, told)
        elif told.replace and pressed.message:
            await self._replace(reference, pressed.message, messages.note(told.words))
        elif told.words:
            await say(self._speaking, reference, messages.note(told.words))

    async def _told(self, pressed: Pressed) -> Told:
        serve = self._served.get(pressed.action)
        if serve is None:  # a button of another release
            return Told()
        try:
            async with asyncio.timeout(SECONDS):
                return await serve(pressed)
        except (KbError, TimeoutError) as error:
            log.warning("A press of %s could not be served: %s", pressed.action, error)
            return Told(NOT_NOW)

    async def _show_privately(self, pressed: Pressed, told: Told) -> None:
        """What may be for who pressed alone does not go where others read."""
        try:
            reference = await privately(self._speaking, pressed.spot.reference)
            body = {"type": "message", "attachments": [messages.card(told.card or {})]}
            await self._speaking.send(reference.handle, body)
        except KbError as error:
            log.warning("Something could not be shown in private: %s", error.what)
            await say(self._speaking, pressed.spot.reference, messages.note(NOT_NOW))

    async def _replace(self, reference: Reference, message: str, body: Body) -> None:
        try:
            await self._speaking.update(reference.handle, message, body)
        except KbError as error:
            log.info("%s: %s", error.what, error.why)
            await say(self._speaking, reference, body)

    async def _preview(self, pressed: Pressed) -> Told:
        """The passage behind a reference."""
        n = _number(pressed.data.get("n", ""))
        found = await self._desk.passage(_number(pressed.data.get("number", "")), n, pressed.spot.person)
        return Told(card=messages.passage(found), title="Source")

    async def _feedback(self, pressed: Pressed) -> Told:
        """Notes a vote, and why; asks why where it is a bad one and a form can be shown."""
        number = await self._judged(pressed)
        value = -1 if pressed.data.get("value", pressed.data.get("reaction")) in {"-1", "dislike"} else 1
        if pressed.way == "feedback asked":
            return Told(card=messages.reason_form(number), title="Feedback")
        reason = pressed.data.get("reason", "").strip() or None
        if not number or not await self._desk.rate(number, pressed.spot.person, value, reason):
            return Told("This reply is too old to be judged.")
        if value < 0 and reason is None and pressed.way == "dialog":
            return Told(card=messages.reason_form(number), title="Feedback")
        return Told("Thank you.")

    async def _judged(self, pressed: Pressed) -> int:
        """The question whose reply a press is about: its number is on our buttons, and Teams' own name the message."""
        number = _number(pressed.data.get("number", ""))
        place = pressed.spot.place
        return number or await self._ledger.shown_as(place.platform, place.channel, pressed.message) or 0

    async def _reason(self, pressed: Pressed) -> Told:
        """Notes why a reply was bad."""
        number, reason = _number(pressed.data.get("number", "")), pressed.data.get("kb_reason", "").strip()
        await self._desk.rate(number, pressed.spot.person, -1, reason or None)
        return Told("Thank you.")

    async def _ask(self, pressed: Pressed) -> Told:
        """Asks what a button suggests, where it stands."""
        text, spot = pressed.data.get("text", ""), pressed.spot
        if text:
            await self._take(pressed, text, spot.place, spot.audience, spot.reference)
        return Told()

    async def _ask_privately(self, pressed: Pressed) -> Told:
        """Asks the same in our chat with who pressed: the reply may use what only this person may read."""
        known, spot = await self._known(pressed), pressed.spot
        if known is None or (known.audience == "asker" and known.asker.id != spot.person.id):
            return Told(FORGOTTEN)
        reference = await privately(self._speaking, spot.reference)
        place = Place("teams", reference.tenant, reference.channel, private=True)
        origin = {f"{ORIGIN}{name}": text for name, text in spot.reference.handle.items()}
        await self._take(pressed, known.text, place, "asker", reference, origin | {f"{ORIGIN}audience": spot.audience})
        return Told("I answer in our chat.") if spot.reference.kind != "personal" else Told()

    async def _offer_share(self, pressed: Pressed) -> Told:
        """Asks whether the question is to be asked again for all where it came from."""
        known = await self._known(pressed)
        if known is None or known.asker.id != pressed.spot.person.id or _origin(known) is None:
            return Told("There is no conversation that I could share this in. Ask me there.")
        await say(self._speaking, pressed.spot.reference, messages.confirm_share(known.number, known.text))
        return Told()

    async def _share(self, pressed: Pressed) -> Told:
        """Asks the same for everybody where it came from: the reply holds what all of them may read."""
        known = await self._known(pressed)
        origin = _origin(known) if known is not None else None
        if known is None or origin is None or known.asker.id != pressed.spot.person.id:
            return Told(FORGOTTEN, replace=True)
        log.info("Question %s is shared by who asked it", known.number)
        place = Place("teams", origin.tenant, origin.channel, origin.root)
        audience: Audience = "public" if known.handle.get(f"{ORIGIN}audience") == "public" else "organisation"
        await self._take(pressed, known.text, place, audience, origin)
        return Told("Shared: I ask it there again, and answer with what all may read.", replace=True)

    async def _read_again(self, pressed: Pressed) -> Told:
        """Asks an administrator who pressed whether a source is to be read again."""
        if not await self._desk.administers(pressed.spot.person):
            return Told(NOT_YOURS)
        source = pressed.data.get("text", "") or EVERYTHING
        await say(self._speaking, pressed.spot.reference, messages.confirm_reindex(source))
        return Told()

    async def _reindex(self, pressed: Pressed) -> Told:
        """Starts the indexing that was confirmed; the result is told where that was."""
        spot, source = pressed.spot, pressed.data.get("text", "")
        try:
            queued = await self._desk.reindex(source, spot.person, dumps(spot.reference.handle))
        except Refused as error:
            return Told(f"{error.what}. {error.next_step}" if error.next_step else NOT_YOURS)
        words = "Started. I send you a message when it is done." if queued else "That is waiting to be done already."
        return Told(words, replace=True)

    async def _cancel(self, pressed: Pressed) -> Told:  # noqa: ARG002 - all actions are called alike
        """Takes a question for confirmation away."""
        return Told("Nothing was started.", replace=True)

    async def _known(self, pressed: Pressed) -> Known | None:
        known = await self._desk.known(_number(pressed.data.get("number", "")))
        return known if known is not None and known.text and known.key.platform == "teams" else None

    async def _take(
        self,
        pressed: Pressed,
        text: str,
        place: Place,
        audience: Audience,
        reference: Reference,
        more: Mapping[str, str] | None = None,
    ) -> None:
        spot = pressed.spot
        button = f"{pressed.message} {pressed.action} {sha256(text.encode('utf-8', 'replace')).hexdigest()[:12]}"
        key = MessageKey("teams", place.channel, f"press {spot.person.id} {button}")  # pressed twice, it asks once
        handle = {**echoed(reference.handle), **(more or {})}
        there = Spot(reference, spot.person, place, audience)
        await self._events.take(Incoming(key, place, spot.person, text, audience, handle), there)


def response(way: Way, told: Told) -> Body:
    """What a call of Teams is answered: an object of the kind that it waits for."""
    if way == "card":
        if told.card is not None:
            return _invoked(messages.CARD, messages.card(told.card)["content"])
        return _invoked("application/vnd.microsoft.activity.message", told.words) if told.words else {"statusCode": 200}
    if way == "feedback":
        return {}
    if told.card is not None:
        value = {"title": told.title, "height": "medium", "width": "medium", "card": messages.card(told.card)}
        return {"task": {"type": "continue", "value": value}}
    return {"task": {"type": "message", "value": told.words}} if told.words else {}


def _invoked(kind: str, value: object) -> Body:
    return {"statusCode": 200, "type": kind, "value": value}


def _origin(known: Known) -> Reference | None:
    """Where a question of a personal chat was asked first."""
    told = {name.removeprefix(ORIGIN): text for name, text in known.handle.items() if name.startswith(ORIGIN)}
    try:
        found = Reference.of(told)
    except KeyError:
        return None
    return found if found.kind != "personal" else None


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 19 else 0
