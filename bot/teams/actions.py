"""Buttons below replies and on cards, and the dialogs that they open."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from json import dumps

from bot.conversation.background import Background
from bot.conversation.desk import Desk
from bot.conversation.holding import LATER, Delayed
from bot.teams import notices, views
from bot.teams.activities import Judged, Press, Spot, Way
from bot.teams.commands import NOT_NOW
from bot.teams.events import Events
from bot.teams.limits import Json
from bot.teams.origin import audience_of, origin_of, with_origin
from bot.teams.pressed import Word
from bot.teams.reference import Reference
from bot.teams.reindexing import NOT_YOURS, ask_to_confirm
from bot.teams.render import card_activity, note
from bot.teams.speaking import Speaking, privately, say
from domain.conversation import Audience, Incoming, Known, MessageKey, Place
from domain.errors import KbError, Refused, in_sentences
from domain.ledger import Ledger
from domain.masking import Masker
from domain.text.encodable import encodable

log = logging.getLogger(__name__)

SECONDS = 8.0
"""For which a call of Teams may wait for its answer."""

FORGOTTEN = "I do not remember that question. Ask me again."
AT_IT = "I am at that already."
ANSWERED = "I answered that already."

UNANSWERED = frozenset({"busy", "late", "failed", "unreachable"})
"""Results after which a press asks anew."""

PRESSES = 20
"""So often a button may come to nothing; then it is not asked again."""


@dataclass(frozen=True, slots=True)
class Told:
    """What a press leads to. words: for who pressed, Markdown. card: the same, under a title. replace: whether it takes
    the place of the card with the button, which is done only where nobody else reads: any message of ours may be said
    to hold the button."""

    words: str = ""
    card: Json | None = None
    title: str = ""
    replace: bool = False


class Actions:
    """Serves presses of buttons."""

    def __init__(
        self,
        events: Events,
        desk: Desk,
        ledger: Ledger,
        speaking: Speaking,
        masker: Masker,
        background: Background,
    ) -> None:
        self._events = events
        self._desk = desk
        self._ledger = ledger
        self._speaking = speaking
        self._masker = masker
        self._background = background
        self._served: Mapping[Word, Callable[[Press], Awaitable[Told]]] = {
            "ask": self._ask,
            "preview": self._preview,
            "private": self._ask_privately,
            "share": self._offer_share,
            "share_now": self._share,
            "again": self._read_again,
            "reindex": self._reindex,
            "cancel": self._cancel,
        }

    async def judged(self, judged: Judged) -> None:
        """Notes a vote, and why. One on a reply that nobody knows any more is lost: Teams has thanked for it."""
        self._events.met(judged.spot)
        if not await self._rated(judged):
            log.info("A vote was on no reply that is known")

    async def _rated(self, judged: Judged) -> bool:
        """Whether a vote could be noted. One that names no message, as in the Agents Playground, is on the last reply
        to who judges."""
        person, place = judged.spot.person, judged.spot.place
        if not judged.message:
            return await self._desk.rate_last(person, judged.value, judged.reason)
        number = await self._ledger.shown_as(place.platform, place.channel, judged.message)
        return number is not None and await self._desk.rate(number, person, judged.value, judged.reason or None)

    async def pressed(self, press: Press) -> Json | None:
        """Does what a button does, or says that it cannot be done now; gives what Teams is answered. A press that
        comes as a message waits for nothing but that its question is kept: what else it leads to is said later.

        Raises Transient when such a question cannot be taken now.
        """
        self._events.met(press.spot)
        if press.way != "message":
            told = await self._told(press)
            if told.replace and press.message:
                self._background.start(self._replaced(press, told))
            return response(press.way, told)
        if press.pressed.word == "ask":
            await self._ask(press)
        else:
            self._background.start(self._said(press))
        return None

    async def _said(self, press: Press) -> None:
        told = await self._told(press)
        if told.replace and press.message:
            await self._replaced(press, told)
        elif told.card is not None:
            await self._show_privately(press, told)
        elif told.words:
            await say(self._speaking, press.spot.reference, note(told.words))

    async def _told(self, press: Press) -> Told:
        try:
            async with asyncio.timeout(SECONDS):
                told = await self._served[press.pressed.word](press)
        except Delayed:
            return Told(LATER)
        except (KbError, TimeoutError) as error:
            log.warning("A press of %s could not be served: %s", press.pressed.word, str(error) or "time-out")
            return Told(NOT_NOW)
        return told if press.spot.place.private else replace(told, replace=False)

    async def _show_privately(self, press: Press, told: Told) -> None:
        """What may be for who pressed alone does not go where others read."""
        try:
            reference = await privately(self._speaking, press.spot.reference)
            await self._speaking.send(reference.handle, card_activity(told.card or {}, told.title))
        except KbError as error:
            log.warning("Something could not be shown in private: %s", error.what)
            await say(self._speaking, press.spot.reference, note(NOT_NOW))

    async def _replaced(self, press: Press, told: Told) -> None:
        """For longer than the answer to a call lasts."""
        reference, body = press.spot.reference, card_activity(views.told_card(told.words), told.words)
        try:
            await self._speaking.update(reference.handle, press.message, body)
        except KbError as error:
            log.info("%s: %s", error.what, error.why)
            await say(self._speaking, reference, body)

    async def _preview(self, press: Press) -> Told:
        """The passage behind a reference."""
        known, found = await self._here(press), None
        if known is not None:
            found = await self._desk.passage(known.number, press.pressed.n, press.spot.person)
        card = views.unavailable_card()
        if found is not None:
            about = (found.title, found.url, found.section, found.place)
            card = views.passage_card(*about, found.text, found.updated_at)
        return Told(card=card, title="Source")

    async def _ask(self, press: Press) -> Told:
        """Asks what a button suggests, where it stands."""
        spot = press.spot
        if press.spoken:
            key = MessageKey("teams", spot.place.channel, spot.reference.reply_to)
            handle, text = spot.reference.handle, press.pressed.text
            await self._events.take(Incoming(key, spot.place, spot.person, text, spot.audience, handle), spot)
        elif press.pressed.text:
            return Told(await self._take(press, press.pressed.text, spot.place, spot.audience, spot.reference))
        return Told()

    async def _ask_privately(self, press: Press) -> Told:
        """Asks the same in our chat with who pressed: the reply may use what only this person may read."""
        known, spot = await self._known(press), press.spot
        if known is None:
            return Told(FORGOTTEN)
        reference = await privately(self._speaking, spot.reference)
        place = Place("teams", reference.tenant, reference.channel, private=True)
        more = with_origin(spot.reference, spot.audience) if spot.reference.kind != "personal" else {}
        before = await self._take(press, known.text, place, "asker", reference, more)
        return Told(f"{before} Look in our chat." if before else "I answer in our chat.")

    async def _offer_share(self, press: Press) -> Told:
        """Asks whether the question is to be asked again for all where it came from."""
        known = await self._known(press)
        if known is None or known.asker.id != press.spot.person.id or origin_of(known.handle) is None:
            return Told("There is no conversation that I could share this in. Ask me there.")
        shown = self._masker.mask(encodable(known.text))
        await say(
            self._speaking, press.spot.reference, card_activity(views.confirm_share(known.number, shown), "Share?")
        )
        return Told()

    async def _share(self, press: Press) -> Told:
        """Asks the same for everybody where it came from: the reply holds what all of them may read."""
        known = await self._known(press)
        origin = origin_of(known.handle) if known is not None else None
        if known is None or origin is None or known.asker.id != press.spot.person.id:
            return Told(FORGOTTEN, replace=True)
        place = Place("teams", origin.tenant, origin.channel, origin.root)
        before = await self._take(press, known.text, place, audience_of(known.handle), origin)
        if before:
            return Told(before, replace=True)
        log.info("Question %s is shared by who asked it", known.number)
        return Told("Shared: I ask it there again, and answer with what all may read.", replace=True)

    async def _read_again(self, press: Press) -> Told:
        """Asks an administrator who pressed whether a source is to be read again."""
        return Told(await ask_to_confirm(self._desk, self._masker, self._speaking, press.pressed.text, press.spot))

    async def _reindex(self, press: Press) -> Told:
        """Starts the indexing that was confirmed, in our chat with an administrator."""
        spot = press.spot
        if not spot.place.private:
            return await self._read_again(press)
        try:
            queued = await self._desk.reindex(press.pressed.text, spot.person, dumps(spot.reference.handle))
        except Refused as error:
            why = self._masker.mask(encodable(in_sentences(error))).text
            return Told(notices.refused(why) if error.next_step else NOT_YOURS)
        words = "Started. I send a message when it is done." if queued else "That is waiting to be done already."
        return Told(words, replace=True)

    async def _cancel(self, press: Press) -> Told:
        """Takes a question for confirmation away, for whom it was put to."""
        if press.pressed.number:
            known = await self._here(press)
            if known is None or known.asker.id != press.spot.person.id:
                return Told(FORGOTTEN)
        elif not await self._desk.administers(press.spot.person):
            return Told(NOT_YOURS)
        return Told("Nothing was started.", replace=True)

    async def _known(self, press: Press) -> Known | None:
        """The same, unless it is forgotten."""
        known = await self._here(press)
        return known if known is not None and known.text else None

    async def _here(self, press: Press) -> Known | None:
        """The question that a button stands below. The number comes from outside: of a question of another conversation
        it opens nothing."""
        known, spot = await self._desk.known(press.pressed.number), press.spot
        if known is None or known.key.platform != "teams":
            return None
        same = (known.place.workspace, known.place.channel) == (spot.place.workspace, spot.place.channel)
        others = known.audience == "asker" and known.asker.id != spot.person.id
        return known if same and not others else None

    async def _take(
        self,
        press: Press,
        text: str,
        place: Place,
        audience: Audience,
        reference: Reference,
        more: Mapping[str, str] | None = None,
    ) -> str:
        """Asks what nobody sees otherwise: the reply shows it. Pressed twice, it asks once, unless that came to
        nothing; gives what is to be said then, else nothing."""
        person = press.spot.person
        button = f"{press.message} {press.pressed.word} {sha256(encodable(text).encode()).hexdigest()[:12]}"
        handle = {**reference.handle, **(more or {}), "echo": "1"}
        there = Spot(reference, person, place, audience)
        name = f"press {person.id} {button}"
        for _ in range(PRESSES):
            key = MessageKey("teams", place.channel, name)
            claim = await self._events.take(Incoming(key, place, person, text, audience, handle), there)
            if claim.fresh:
                return ""
            before = await self._desk.known(claim.number)
            if before is not None and before.result is None:
                return AT_IT
            if before is None or before.result not in UNANSWERED:
                return ANSWERED
            name = f"press {person.id} {button} {claim.number}"
        return ANSWERED


def response(way: Way, told: Told) -> Json:
    """What a call of Teams is answered: an object of the kind that it waits for."""
    if way == "card":
        if told.replace:
            return views.replaced(views.told_card(told.words))
        toast = {"type": "application/vnd.microsoft.activity.message", "value": told.words}
        return {"statusCode": 200, **(toast if told.words else {})}
    if told.card is not None:
        return views.dialog(told.title, told.card)
    return {"task": {"type": "message", "value": told.words}} if told.words else {}
