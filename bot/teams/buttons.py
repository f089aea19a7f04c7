"""Buttons below replies and on cards, and the dialogs that they open."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from json import dumps

from bot.conversation.actions import ConversationActions
from bot.conversation.button_questions import ALONE, ask_once
from bot.conversation.delivery_buffer import LATER, LOST, DeliveryDelayed, Noted
from bot.conversation.owner_questions import why_not_sent
from bot.conversation.texts import NOT_NOW, NOT_YOURS, NOTHING_STARTED, WAITS_ALREADY
from bot.teams import card_templates, status_messages
from bot.teams.activities import ActivityContext, ButtonPress, FeedbackGiven, PressKind
from bot.teams.button_data import ButtonAction
from bot.teams.commands import ask_to_confirm, offer_owner
from bot.teams.conversation_reference import TeamsConversation, audience_of, origin_of, with_origin
from bot.teams.escape import short_line
from bot.teams.events import TeamsEventHandler
from bot.teams.limits import Json
from bot.teams.outgoing_activities import card_message, text_message
from domain.conversation import AcceptedQuestion, Audience, ConversationPlace, Incoming, MessageKey
from domain.errors import KbError, Refused, in_sentences
from domain.text.encodable import encodable
from domain.text.languages import language_of
from domain.translation import set_language, translated

log = logging.getLogger(__name__)

SECONDS = 8.0
"""For which a call of Teams may wait for its answer."""

FORGOTTEN = "I do not remember that question. Ask me again."


@dataclass(frozen=True, slots=True)
class PressOutcome:
    """What a press leads to."""

    words: str = ""
    """For who pressed, Markdown."""
    card: Json | None = None
    """The same as a card, under a title."""
    title: str = ""
    replace: bool = False
    """Whether it takes the place of the card with the button. That is done only where nobody else reads: any message
    of ours may be said to hold the button."""


@dataclass(eq=False)
class TeamsButtons:
    """Serves presses of buttons."""

    events: TeamsEventHandler
    actions: ConversationActions
    _served: Mapping[ButtonAction, Callable[[ButtonPress], Awaitable[PressOutcome]]] = field(init=False)

    def __post_init__(self) -> None:
        self._served = {
            "ask": self._ask,
            "preview": self._preview,
            "private": self._ask_privately,
            "share": self._offer_share,
            "share_now": self._share,
            "owner": self._ask_owner,
            "owner_now": self._send_to_owner,
            "again": self._read_again,
            "reindex": self._reindex,
            "cancel": self._cancel,
        }

    async def feedback_given(self, given: FeedbackGiven) -> None:
        """Notes a vote, and why. One that names no message, as in the Agents Playground, is on the last reply to who
        judges; one on a reply that nobody knows any more is lost: Teams has thanked for it."""
        person, place = given.context.person, given.context.place
        self.events.people.person_seen(person, given.context.reference)
        ledger, changed = self.actions.ledger, None
        if given.message:
            number = await ledger.find_by_reply(place.platform, place.channel, given.message)
        else:
            number = await ledger.last_reply(person, place.channel)
        if number is not None:
            changed = await self.actions.rate(number, person, given.value, given.reason or None)
        if changed is None:
            log.info("A vote was on no reply that is known")
        elif changed and number is not None and given.value < 0:
            self.events.background.start(offer_owner(self.actions, self.events.connector, number, given.context))

    async def serve(self, press: ButtonPress) -> Json | None:
        """Does what a button does, or says that it cannot be done now; gives what Teams is answered. A press that
        comes as a message waits for nothing but that its question is kept: what else it leads to is said later.

        Raises Transient when such a question cannot be taken now.
        """
        self.events.people.person_seen(press.context.person, press.context.reference)
        if press.kind != "message":
            outcome = await self._outcome(press)
            if outcome.replace and press.message:
                self.events.background.start(self._replace(press, outcome))
            return invoke_response(press.kind, outcome)
        if press.button.action == "ask":
            await self._ask(press)
        else:
            self.events.background.start(self._serve_later(press))
        return None

    async def _serve_later(self, press: ButtonPress) -> None:
        outcome = await self._outcome(press)
        if outcome.replace and press.message:
            await self._replace(press, outcome)
        elif outcome.card is not None:
            await self._show_privately(press, outcome)
        elif outcome.words:
            await self.events.connector.say(press.context.reference, text_message(outcome.words))

    async def _outcome(self, press: ButtonPress) -> PressOutcome:
        try:
            async with asyncio.timeout(SECONDS):
                outcome = await self._served[press.button.action](press)
        except DeliveryDelayed:
            return PressOutcome(LATER)
        except (KbError, TimeoutError) as error:
            log.warning("A press of %s could not be served: %s", press.button.action, str(error) or "time-out")
            return PressOutcome(NOT_NOW)
        return outcome if press.context.place.private else replace(outcome, replace=False)

    async def _show_privately(self, press: ButtonPress, outcome: PressOutcome) -> None:
        """What may be for who pressed alone does not go where others read."""
        try:
            await self._show_card(press.context, outcome.card or {}, outcome.title)
        except KbError as error:
            log.warning("Something could not be shown in private: %s", error.what)
            await self.events.connector.say(press.context.reference, text_message(NOT_NOW))

    async def _show_card(self, context: ActivityContext, card: Json, title: str) -> None:
        """In our chat with a person. Raises as TeamsConnector.send does."""
        reference = await self.events.connector.personal_chat(context.reference)
        await self.events.connector.send(reference.handle, card_message(card, title))

    async def _replace(self, press: ButtonPress, outcome: PressOutcome) -> None:
        """For longer than the answer to a call lasts."""
        reference, body = (
            press.context.reference,
            card_message(card_templates.sentence_card(outcome.words), outcome.words),
        )
        try:
            await self.events.connector.update(reference.handle, press.message, body)
        except KbError as error:
            log.info("%s: %s", error.what, error.why)
            await self.events.connector.say(reference, body)

    async def _preview(self, press: ButtonPress) -> PressOutcome:
        known, found = await self._here(press), None
        if known is not None:
            found = await self.actions.passage(known.number, press.button.n, press.context.person)
        card = card_templates.passage_card(found) if found else card_templates.unavailable_card()
        return PressOutcome(card=card, title=translated("Source"))

    async def _ask(self, press: ButtonPress) -> PressOutcome:
        context = press.context
        if press.spoken:
            key = MessageKey("teams", context.place.channel, context.reference.reply_to)
            handle, text = context.reference.handle, press.button.text
            await self.events.take(
                Incoming(key, context.place, context.person, text, context.audience, handle), context
            )
        elif press.button.text:
            return PressOutcome(
                await self._take(press, press.button.text, context.place, context.audience, context.reference)
            )
        return PressOutcome()

    async def _ask_privately(self, press: ButtonPress) -> PressOutcome:
        known, context = await self._known(press), press.context
        if known is None:
            return PressOutcome(FORGOTTEN)
        reference = await self.events.connector.personal_chat(context.reference)
        place = ConversationPlace("teams", reference.tenant, reference.channel, private=True)
        more = with_origin(context.reference, context.audience) if context.reference.kind != "personal" else {}
        before = await self._take(press, known.text, place, "asker", reference, {**more, ALONE: "1"})
        return PressOutcome(
            translated("{before} Look in our chat.", before=before) if before else translated("I answer in our chat.")
        )

    async def _offer_share(self, press: ButtonPress) -> PressOutcome:
        known = await self._known(press)
        if known is None or known.asker.id != press.context.person.id or origin_of(known.handle) is None:
            return PressOutcome(translated("There is no conversation that I could share this in. Ask me there."))
        shown = self.actions.masker.mask(encodable(known.text))
        await self.events.connector.say(
            press.context.reference,
            card_message(card_templates.confirm_share(known.number, shown), translated("Share in channel?")),
        )
        return PressOutcome()

    async def _share(self, press: ButtonPress) -> PressOutcome:
        known = await self._known(press)
        origin = origin_of(known.handle) if known is not None else None
        if known is None or origin is None or known.asker.id != press.context.person.id:
            return PressOutcome(FORGOTTEN, replace=True)
        place = ConversationPlace("teams", origin.tenant, origin.channel, origin.root)
        noted = partial(self.actions.note_share, press.context.person, origin.channel, known.number)
        before = await self._take(press, known.text, place, audience_of(known.handle), origin, {ALONE: "1"}, noted)
        if before:
            return PressOutcome(before, replace=True)
        log.info("Question %s is shared by who asked it", known.number)
        shared = translated("Shared: I ask it there again, and answer with what all may read.")
        return PressOutcome(shared, replace=True)

    async def _ask_owner(self, press: ButtonPress) -> PressOutcome:
        """Shows what would be sent to the owner of the nearest page, in our chat with who pressed, and asks whether."""
        number, context = press.button.number, press.context
        await self.actions.speak_as_asked(number)
        try:
            offer = await self.actions.owner_questions.offer(number, context.person)
        except Refused as error:
            return PressOutcome(why_not_sent(error))
        await self._show_card(context, card_templates.confirm_owner(offer), translated("Ask the owner?"))
        return PressOutcome()

    async def _send_to_owner(self, press: ButtonPress) -> PressOutcome:
        await self.actions.speak_as_asked(press.button.number)
        try:
            button = press.button
            sent = await self.actions.owner_questions.send(button.number, press.context.person, agreed=button.text)
        except Refused as error:
            return PressOutcome(why_not_sent(error), replace=True)
        return PressOutcome(translated("Sent to {owner}.", owner=short_line(sent.name.text)), replace=True)

    async def _read_again(self, press: ButtonPress) -> PressOutcome:
        return PressOutcome(await ask_to_confirm(self.actions, self.events.connector, press.button.text, press.context))

    async def _reindex(self, press: ButtonPress) -> PressOutcome:
        context = press.context
        if not context.place.private:
            return await self._read_again(press)
        try:
            queued = await self.actions.reindex(press.button.text, context.person, dumps(context.reference.handle))
        except Refused as error:
            why = self.actions.masked(in_sentences(error))
            return PressOutcome(status_messages.refused(why) if error.next_step else NOT_YOURS)
        words = "Started. I send a message when it is done." if queued else WAITS_ALREADY
        return PressOutcome(words, replace=True)

    async def _cancel(self, press: ButtonPress) -> PressOutcome:
        """Takes a question for confirmation away, for whom it was put to."""
        if press.button.number:
            known = await self.actions.ledger.find(press.button.number)
            if known is None or known.asker != press.context.person:
                return PressOutcome(FORGOTTEN)
        elif not await self.actions.administers(press.context.person):
            return PressOutcome(NOT_YOURS)
        return PressOutcome(NOTHING_STARTED, replace=True)

    async def _known(self, press: ButtonPress) -> AcceptedQuestion | None:
        known = await self._here(press)
        return known if known is not None and known.text else None

    async def _here(self, press: ButtonPress) -> AcceptedQuestion | None:
        """The question that a button stands below. The number comes from outside: of a question of another conversation
        it opens nothing."""
        known, context = await self.actions.ledger.find(press.button.number), press.context
        if known is None or known.key.platform != "teams":
            return None
        same = (known.place.workspace, known.place.channel) == (context.place.workspace, context.place.channel)
        others = known.audience == "asker" and known.asker.id != context.person.id
        if not same or others:
            return None
        set_language(language_of(known.text))
        return known

    async def _take(
        self,
        press: ButtonPress,
        text: str,
        place: ConversationPlace,
        audience: Audience,
        reference: TeamsConversation,
        more: Mapping[str, str] | None = None,
        noted: Noted | None = None,
    ) -> str:
        """Asks what nobody sees otherwise: the reply shows it. Pressed twice, it asks once, unless that came to
        nothing; gives what is to be said then, else nothing."""
        person = press.context.person
        handle = {**reference.handle, **(more or {}), "echo": "1"}
        there = ActivityContext(reference, person, place, audience)

        async def take(name: str) -> AcceptedQuestion:
            key = MessageKey("teams", place.channel, name)
            lost = partial(self._say_lost, press.context.reference, text)
            return await self.events.take(Incoming(key, place, person, text, audience, handle), there, lost, noted)

        return await ask_once(self.actions.ledger, f"{person.id} {press.message} {press.button.action}", text, take)

    async def _say_lost(self, reference: TeamsConversation, text: str) -> None:
        set_language(language_of(text))
        await self.events.connector.say(reference, text_message(translated(LOST)))


def invoke_response(kind: PressKind, outcome: PressOutcome) -> Json:
    """What a call of Teams is answered: an object of the kind that it waits for."""
    if kind == "card":
        if outcome.replace:
            return card_templates.replace_card_response(card_templates.sentence_card(outcome.words))
        toast = {"type": "application/vnd.microsoft.activity.message", "value": outcome.words}
        return {"statusCode": 200, **(toast if outcome.words else {})}
    if outcome.card is not None:
        return card_templates.dialog_response(outcome.title, outcome.card)
    return {"task": {"type": "message", "value": outcome.words}} if outcome.words else {}
