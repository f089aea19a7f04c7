"""Buttons below replies, dialogs, and the Home tab."""

import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import Any

from bot.conversation.actions import ALL_SOURCES, ConversationActions
from bot.conversation.button_questions import ALONE, ask_once
from bot.conversation.chat_platform import show_if_possible
from bot.conversation.delivery_buffer import LATER, DeliveryDelayed, Noted
from bot.conversation.owner_questions import why_not_sent
from bot.conversation.texts import NOT_NOW, NOT_YOURS, NOTHING_STARTED, WAITS_ALREADY
from bot.slack import views
from bot.slack.block_kit import SlackMessage, text_message
from bot.slack.client import SlackRefused
from bot.slack.event_parsing import SlackEvent
from bot.slack.events import SlackEventHandler
from bot.slack.mrkdwn import escaped
from domain.conversation import AcceptedQuestion, Audience, ConversationPlace, Incoming, MessageKey, Participant
from domain.errors import KbError, Refused, in_sentences
from domain.text.languages import language_of
from domain.translation import set_language, translated

log = logging.getLogger(__name__)

TOO_LATE = "Slack did not let me do that; it gives me three seconds. Please press again."
LATE = frozenset({"expired_trigger_id", "exchanged_trigger_id"})
"""Slack's words for a press that was more than three seconds ago, or was answered before."""
TOO_OLD = "This reply is too old to be judged."
ButtonPayload = Mapping[str, Any]
ButtonHandler = Callable[[SlackEvent, ButtonPayload], Awaitable[None]]
"""What a button does. Gets Slack's payload, and its part about the button."""


@dataclass(eq=False)
class SlackButtons:
    """Serves presses of buttons. Who calls has acknowledged them before."""

    events: SlackEventHandler
    actions: ConversationActions

    async def serve(self, handler: ButtonHandler, body: SlackEvent, action: ButtonPayload) -> None:
        """Does what a button does, or says that it cannot be done now."""
        try:
            await handler(body, action)
        except DeliveryDelayed:
            await self._tell(body, LATER)
        except KbError as error:
            log.warning("A press of %s could not be served: %s (%s)", action.get("action_id"), error.what, error.why)
            late = isinstance(error, SlackRefused) and error.code in LATE
            await self._tell(body, TOO_LATE if late else NOT_NOW)

    async def preview(self, body: SlackEvent, action: ButtonPayload) -> None:
        """Opens the passage behind a reference, for who pressed."""
        opened = await self.events.client.call(
            "views.open", patience=2.0, trigger_id=body.get("trigger_id"), view=views.loading_view()
        )
        number, _, n = str(action.get("value", "")).partition(":")
        await self.actions.speak_as_asked(_number(number))
        view = views.unavailable_view()
        try:
            found = await self.actions.passage(_number(number), _number(n), _person(body))
            if found is not None:
                view = views.passage_view(found)
        except KbError as error:
            log.warning("A passage could not be shown: %s", error.what)
        await self.events.client.call("views.update", view_id=opened["view"]["id"], view=view)

    async def feedback(self, body: SlackEvent, action: ButtonPayload) -> None:
        """Notes a vote, thanks for it, and asks why where it is a bad one."""
        number, _, value = str(action.get("value", "")).partition(":")
        vote = -1 if value == "-1" else 1
        await self.actions.speak_as_asked(_number(number))
        changed = await self.actions.rate(_number(number), _person(body), vote)
        if changed is None:
            await self._tell(body, translated(TOO_OLD))
        elif vote < 0:
            view = views.reason_view(_number(number))
            try:
                await self.events.client.call("views.open", patience=2.0, trigger_id=body.get("trigger_id"), view=view)
            finally:  # the vote counts, whether or not Slack opens the dialog
                if changed and await self.actions.owner_questions.possible(_number(number), _person(body)):
                    await self._tell(body, views.owner_offer(_number(number)))
        else:
            await self._tell(body, translated("Thank you."))

    async def reason(self, body: SlackEvent, view: SlackEvent) -> bool:
        """Notes why a reply was bad. False when nothing is known of it any more. Raises Transient when it cannot be
        noted now."""
        fields = ((view.get("state") or {}).get("values") or {}).values()
        words = [str(field.get("value") or "") for block in fields for field in block.values()]
        number = _number(str(view.get("private_metadata", "")))
        return await self.actions.rate(number, _person(body), -1, " ".join(words).strip() or None) is not None

    async def ask_owner(self, body: SlackEvent, action: ButtonPayload) -> None:
        """Shows what would be sent to the owner of the nearest page, and asks whether that is meant."""
        number, person = _number(str(action.get("value", ""))), _person(body)
        await self.actions.speak_as_asked(number)
        opened = await self.events.client.call(
            "views.open", patience=2.0, trigger_id=body.get("trigger_id"), view=views.owner_told(translated("Loading…"))
        )

        async def offered() -> SlackEvent:
            return views.owner_view(await self.actions.owner_questions.offer(number, person), person)

        view = await self._owner_view(offered)
        await self.events.client.call("views.update", view_id=opened["view"]["id"], view=view)

    async def send_to_owner(self, body: SlackEvent, view: SlackEvent) -> None:
        """Sends what was agreed to, and says what became of it."""
        digits, _, agreed = str(view.get("private_metadata", "")).partition(":")
        number = _number(digits)
        await self.actions.speak_as_asked(number)

        async def send() -> SlackEvent:
            return views.owner_sent(await self.actions.owner_questions.send(number, _person(body), agreed))

        told = await self._owner_view(send)
        await show_if_possible(self.events.client.call("views.update", view_id=view.get("id"), view=told))

    async def _owner_view(self, work: Callable[[], Awaitable[SlackEvent]]) -> SlackEvent:
        """The view that comes of it, or one that says why nothing does."""
        try:
            return await work()
        except KbError as error:
            if not isinstance(error, Refused):
                log.warning("A question could not go to an owner: %s (%s)", error.what, error.why)
            return views.owner_told(why_not_sent(error))

    async def ask(self, body: SlackEvent, action: ButtonPayload) -> None:
        """Asks what a button suggests, where it stands."""
        place, audience, handle = self._where(body)
        before = await self._take(body, action, str(action.get("value", "")), place, audience, handle)
        if before:
            await self._tell(body, before)

    async def ask_privately(self, body: SlackEvent, action: ButtonPayload) -> None:
        """Asks the same in a direct message: the reply may use what only this person may read."""
        known = await self._known(body, action)
        if known is None or not known.text:
            await self._tell(body, translated("I do not remember that question. Ask me in a direct message."))
            return
        opened = await self.events.client.call("conversations.open", users=_user(body))
        channel = str(opened["channel"]["id"])
        place = ConversationPlace("slack", _team(body), channel, private=True)
        set_language(language_of(known.text))
        before = await self._take(body, action, known.text, place, "asker", {"echo": "1", ALONE: "1"})
        await self._tell(body, before or translated("I answer in a direct message."))

    async def share(self, body: SlackEvent, action: ButtonPayload) -> None:
        """Asks the same for everybody in the channel: the reply holds what all of them may read."""
        known = await self.actions.ledger.find(_number(str(action.get("value", ""))))
        channel = _channel(body)
        if known is None or not known.text or not channel or known.asker.id != _user(body):
            await self._tell(body, f"I do not remember that question. Use: {self.events.bot.command} share QUESTION")
            return
        handle = {"echo": "1", ALONE: "1", "response_url": str(body.get("response_url", ""))}
        place = ConversationPlace("slack", _team(body), channel)
        noted = partial(self.actions.note_share, _person(body), channel, known.number)
        before = await self._take(body, action, known.text, place, "organisation", handle, noted)
        if before:
            await self._tell(body, before)

    async def read_again(self, body: SlackEvent, action: ButtonPayload) -> None:
        """Asks an administrator who pressed whether a source is to be read again."""
        source = str(action.get("value", ""))
        if not await self.actions.administers(_person(body)):
            await self._tell(body, NOT_YOURS)
            return
        await self._tell(body, views.confirm_reindex(None if source == ALL_SOURCES else source))

    async def reindex(self, body: SlackEvent, action: ButtonPayload) -> None:
        """Starts the indexing that was confirmed."""
        channel = str((body.get("channel") or {}).get("id", ""))
        try:
            queued = await self.actions.reindex(str(action.get("value", "")), _person(body), channel)
        except Refused as error:
            words = escaped(in_sentences(error), 1_000) if error.next_step else NOT_YOURS
            await self._tell(body, words, replace=True)
            return
        words = "Started. I send you a message when it is done." if queued else WAITS_ALREADY
        await self._tell(body, words, replace=True)

    async def cancel(self, body: SlackEvent, action: ButtonPayload) -> None:  # noqa: ARG002 - all actions are called alike
        """Takes the question for confirmation away."""
        await self._tell(body, NOTHING_STARTED, replace=True)

    async def home(self, event: SlackEvent, team: str) -> None:
        """Shows the Home tab."""
        if event.get("tab", "home") == "messages":
            await self.events.suggest(event.get("channel"))
            return
        person = Participant("slack", str(event["user"]), team)
        index = await self.actions.sources(person)
        recent = await self.actions.memory.recent(person, limit=5)
        admin = await self.actions.administers(person)
        view = views.home_view(index, recent, datetime.now(UTC), admin=admin, command=self.events.bot.command)
        await self.events.client.call("views.publish", user_id=person.id, view=view)

    async def _known(self, body: SlackEvent, action: ButtonPayload) -> AcceptedQuestion | None:
        """The question that a button stands below. The number comes from outside: of a question of another conversation
        it opens nothing, unless who pressed has asked it."""
        known = await self.actions.ledger.find(_number(str(action.get("value", ""))))
        if known is None or known.key.platform != "slack":
            return None
        here = known.audience != "asker" and known.place.channel == _channel(body)
        return known if here or known.asker.id == _user(body) else None

    def _where(self, body: SlackEvent) -> tuple[ConversationPlace, Audience, dict[str, str]]:
        """Where the message with the button stands, who reads there, and what replying there needs."""
        container, message = body.get("container") or {}, body.get("message") or {}
        channel = _channel(body)
        if container.get("is_ephemeral"):
            handle = {"mode": "ephemeral", "response_url": str(body.get("response_url", ""))}
            return ConversationPlace("slack", _team(body), channel, f"/{_user(body)}"), "asker", handle
        thread = str(message.get("thread_ts") or message.get("ts") or container.get("message_ts") or "")
        private = channel.startswith("D")
        audience: Audience = "asker" if private else "organisation"
        return ConversationPlace("slack", _team(body), channel, thread, private), audience, {"echo": "1"}

    async def _take(
        self,
        body: SlackEvent,
        action: ButtonPayload,
        text: str,
        place: ConversationPlace,
        audience: Audience,
        handle: Mapping[str, str],
        noted: Noted | None = None,
    ) -> str:
        """Asks it; gives what is to be said where it was asked before, else an empty text. noted: see
        QuestionIntake.take."""
        shown, url = body.get("container") or {}, str(body.get("response_url", ""))

        async def take(name: str) -> AcceptedQuestion:
            key = MessageKey("slack", place.channel, name)
            return await self.events.take(Incoming(key, place, _person(body), text, audience, handle), url, noted)

        button = f"{_user(body)} {shown.get('message_ts', '')} {action.get('action_id', '')}"
        return await ask_once(self.actions.ledger, button, text, take)

    async def _tell(self, body: SlackEvent, told: SlackMessage | str, *, replace: bool = False) -> None:
        """Tells who pressed, and nobody else. told: a text is a line of ours that is escaped already."""
        if url := body.get("response_url"):
            await self.events.tell(str(url), text_message(told) if isinstance(told, str) else told, replace=replace)


def _person(body: SlackEvent) -> Participant:
    return Participant("slack", _user(body), _team(body))


def _user(body: SlackEvent) -> str:
    return str((body.get("user") or {}).get("id", ""))


def _channel(body: SlackEvent) -> str:
    return str((body.get("channel") or {}).get("id") or (body.get("container") or {}).get("channel_id") or "")


def _team(body: SlackEvent) -> str:
    return str((body.get("team") or {}).get("id") or (body.get("user") or {}).get("team_id") or "")


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 19 else 0
