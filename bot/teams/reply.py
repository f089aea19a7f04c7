"""The reply to one question on Teams: a stream or a changed message, in the conversation it was asked in."""

import logging
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import zip_longest

from botbuilder.schema import Activity

from bot.conversation.chat_platform import OutcomeUnknown, ReplyChannel, show_if_possible
from bot.conversation.render_context import RenderContext
from bot.conversation.texts import PART_REMOVED
from bot.teams import status_messages
from bot.teams.connector import TeamsConnector
from bot.teams.connector_session import TeamsRefused
from bot.teams.conversation_reference import origin_of
from bot.teams.outgoing_activities import text_message
from bot.teams.render import messages, plain_messages, with_question
from bot.teams.reply_context import TeamsReplyContext
from bot.teams.stream import LONGEST, TeamsStream
from domain.answers import Progress, ReplyPart
from domain.conversation import AcceptedQuestion, ExceededLimit
from domain.errors import KbError
from domain.masked_answer import MaskedAnswer
from domain.text.encodable import encodable
from domain.translation import translated

log = logging.getLogger(__name__)

Handle = Mapping[str, str]

STATUS_SECONDS = 5.0
"""Seconds for which one call for a status message is tried again: the outcome comes all the same."""

TOO_LARGE = 413
TOO_MUCH = frozenset({400, TOO_LARGE})
"""Statuses for what Teams cannot take as it is."""


class TeamsReply(ReplyChannel):
    """A message or a stream. connector: for this reply's calls.

    The handle says where: see bot.teams.conversation_reference. Once a status message is there, it also holds
    `activity`, the id of that message, and `mode`: `stream` or `message`; once the outcome is shown, also `parts`: the
    ids of its further messages. Teams gives nothing back that was sent: a
    message whose id got lost is never found again.
    """

    def __init__(self, shared: TeamsReplyContext, connector: TeamsConnector, asked: AcceptedQuestion) -> None:
        self._shared = shared
        self._connector = connector
        self._asked = asked
        self._handle: dict[str, str] = dict(asked.handle)
        self._stream: TeamsStream | None = None
        self._over = False  # whether what stands there is a stream that nobody has ended
        self._shown_at = 0.0
        self._to_delete: list[str] = []
        self._unsure = False  # whether something of ours may stand there that nobody knows of

    async def open(self) -> Handle:
        """Shows a first status message."""
        return await self._open_stream() or await self._open_message()

    async def resume(self) -> Handle:
        """Goes on with the first status message, or shows one."""
        name, mode = self._handle.get("activity"), self._handle.get("mode")
        if name is None:  # it was shown by somebody who could not note it any more, or by nobody
            self._unsure = True
        if name is None and mode != "unclear":
            return await self.open()
        if name is not None and mode == "stream":
            self._stream = self._take_over(name)
            self._over = self._stream is None and self._asked.attempt <= 1  # else it may have become the outcome
        if self._stream is None:
            self._write()
        return {}

    async def progress(self, progress: Progress) -> None:
        """Changes the message, or adds to the stream, unless that was done a moment ago; not where the outcome of an
        earlier attempt may stand."""
        if self._stream is not None:
            await self._stream.progress(progress)
            return
        now = time.monotonic()
        if (
            "activity" not in self._handle
            or self._over
            or self._again
            or now - self._shown_at < self._shared.edit_seconds
        ):
            return
        self._shown_at = now
        change = self._connector.update(
            self._handle,
            self._handle["activity"],
            text_message(status_messages.progress(progress)),
            patience=0.0,
            urgent=False,
        )
        await show_if_possible(change)

    async def write(self, written: ReplyPart) -> None:
        """Adds to the stream, where there is one."""
        if self._stream is not None:
            await self._stream.write(written)

    async def finish(self, answer: MaskedAnswer) -> bool:
        """Shows the outcome."""
        asked, private = self._asked, self._asked.audience == "asker"
        share = private and origin_of(asked.handle) is not None
        frame = RenderContext(asked.number, self._shared.clock(), private, share)
        shown, plain = (self._below_question(each(answer, frame)) for each in (messages, plain_messages))
        return await self._show(shown, plain)

    def correctable(self) -> Handle:
        """Where the outcome stands, all of its messages."""
        parts = " ".join(
            self._shared.parts.get(self._asked.number, ())
        )  # also none: an earlier answer may have had some
        name = self._handle.get("activity")
        return {"parts": parts} | ({"activity": name} if name else {})

    @property
    def _further(self) -> list[str]:
        """The ids of the further messages, by this process and by the ledger: another one may have shown some, or this
        one some in an attempt that came to no end."""
        known = (*self._shared.parts.get(self._asked.number, ()), *self._handle.get("parts", "").split())
        return list(dict.fromkeys(known))

    async def correct(self, answer: MaskedAnswer) -> bool:
        """Changes the messages of the outcome; those that are too many, such as a card of buttons, go. False where none
        of them can be changed. Where some cannot, the log says so: they go on saying what they said."""
        name = self._handle.get("activity")
        if name is None:
            return False
        frame = RenderContext(self._asked.number, self._shared.clock(), self._asked.audience == "asker", share=False)
        bodies = [each for each in self._below_question(messages(answer, frame)) if not each.attachments]
        there = [name, *self._handle.get("parts", "").split()]
        pages = zip_longest(there, bodies[: len(there)])
        changed = [await self._correct_page(each, body) for each, body in pages]
        if any(changed) and not all(changed):
            log.warning("Question %s: a part of its reply may stand uncorrected", self._asked.number)
        return any(changed)

    async def _correct_page(self, name: str, body: Activity | None) -> bool:
        """Shows something else in the place of a message, or takes it away; False where Teams refuses that."""
        try:
            if body is not None:
                with suppress(TeamsRefused):
                    await self._connector.update(self._handle, name, body)
                    return True
            await self._take_back(name, translated(PART_REMOVED))
        except TeamsRefused as error:
            log.info("A message cannot be changed: %s", error.why)
            return False
        return True

    def _below_question(self, bodies: list[Activity]) -> list[Activity]:
        if "echo" not in self._asked.handle:
            return bodies
        first = with_question(bodies[0], self._shared.masker.mask(encodable(self._asked.text)))
        return [first, *bodies[1:]]

    async def refuse(self, excess: ExceededLimit) -> bool:
        """Says that the question is beyond a limit."""
        return await self._show([text_message(status_messages.busy(excess))])

    async def late(self) -> bool:
        """Says that there was no answer in time."""
        return await self._show([text_message(status_messages.late(self._asked.number))])

    async def withdraw(self, kept: Handle | None = None) -> None:
        """Deletes the messages, also one that is streamed; what cannot be deleted says why nothing comes."""
        self._shared.typing.end(self._asked.number, self._handle)
        first = self._handle.get("activity")
        if first is None or (kept or {}).get("activity") == first:
            return
        further, others = self._further, (kept or {}).get("parts", "").split()
        self._shared.parts.pop(self._asked.number, None)
        for each in (first, *further):
            if each not in others:
                await show_if_possible(self._take_back(each, status_messages.withdrawn()))

    async def _take_back(self, name: str, why: str) -> None:
        """Deletes a message; where Teams does not allow that, it says why it is none any more."""
        try:
            await self._connector.delete(self._handle, name)
        except TeamsRefused as error:
            log.info("A message cannot be deleted: %s", error.why)
            await self._connector.update(self._handle, name, text_message(why))

    @property
    def _again(self) -> bool:
        """Whether an earlier attempt at this text may have shown its outcome."""
        return self._asked.attempt - self._asked.revision > 1

    def _write(self) -> None:
        """Shows that something is being written; a worker does until there is an outcome, or time is up."""
        left = self._asked.time_left.total_seconds() if self._asked.attempt else 0.0
        self._shared.typing.begin(self._asked.number, self._handle, left)

    async def _open_stream(self) -> Handle | None:
        shared = self._shared
        personal = self._handle.get("kind") == "personal"
        # what is streamed would have to begin with the question, too
        if not shared.streaming or not personal or "echo" in self._handle:
            return None
        stream = TeamsStream(self._connector, self._handle, "", time.monotonic(), shared.stream_seconds)
        try:
            name = await stream.start(STATUS_SECONDS, self._asked.queue_ahead)
        except TeamsRefused as error:
            log.info("No stream: %s", error.why)  # this time: another one may be under way
            return None
        except OutcomeUnknown as error:
            return self._note_unclear(error)
        self._stream = stream
        return self._update_handle(activity=name, mode="stream")

    async def _open_message(self) -> Handle:
        self._write()
        try:
            name = await self._connector.send(
                self._handle,
                text_message(status_messages.waiting(self._asked.queue_ahead)),
                patience=STATUS_SECONDS,
                blindly=False,
            )
        except OutcomeUnknown as error:
            return self._note_unclear(error)
        if not name:
            return self._note_unclear(OutcomeUnknown("Teams gave it no id"))
        return self._update_handle(activity=name, mode="message")

    def _note_unclear(self, error: KbError) -> Handle:
        """A status message may be there, of which nobody knows the id: there is to be no second one."""
        log.warning("Perhaps a status message: %s (%s)", error.what, error.why)
        self._unsure = True
        return self._update_handle(mode="unclear")

    def _take_over(self, name: str) -> TeamsStream | None:
        """A stream that somebody else has begun: to go on with, or to end; None when it is too old for either."""
        age = (self._shared.clock() - self._asked.received_at).total_seconds()
        if age > LONGEST:
            return None
        began, fresh = time.monotonic() - max(0.0, age), self._asked.attempt <= 1
        return TeamsStream(self._connector, self._handle, name, began, self._shared.stream_seconds, fresh=fresh)

    def _update_handle(self, **found: str) -> Handle:
        self._handle.update(found)
        return found

    async def _show(self, bodies: Sequence[Activity], plain: Sequence[Activity] = ()) -> bool:
        """Shows messages in the place of what was shown before; returns whether they may be seen twice. plain: the same
        in less, where there is such a thing."""
        self._shared.typing.end(self._asked.number, self._handle)
        try:
            await self._show_all(bodies)
        except TeamsRefused as error:
            if error.status not in TOO_MUCH or not plain:
                raise
            log.error("Question %s: Teams took it as plain text only: %s", self._asked.number, error.why)  # noqa: TRY400 - it is handled
            bodies = plain
            await self._show_all(bodies)
        several = len(bodies) > 1 and (self._asked.attempt > 1 or self._asked.revision > 0)
        return self._unsure or self._connector.doubtful or several

    async def _show_all(self, bodies: Sequence[Activity]) -> None:
        await self._show_first(bodies[0])
        before = self._further
        there: list[str] = []
        for place, body in enumerate(bodies[1:]):
            known = before[place] if place < len(before) else None
            there.append(await (self._place_buttons if body.attachments else self._place)(known, body))
            self._shared.note(self._asked.number, [*there, *before[len(there) :]])
        self._shared.note(self._asked.number, there)
        for surplus in before[len(bodies) - 1 :]:  # also of what was asked before it was changed
            self._shared.delete_later(self._handle, surplus, translated(PART_REMOVED))
        for each in self._to_delete:
            self._shared.delete_later(self._handle, each)
        self._to_delete.clear()

    async def _show_first(self, body: Activity) -> None:
        stream, self._stream = self._stream, None
        end = "open" if stream is None else await stream.finish(body)
        if end == "done":
            return
        name = self._handle.get("activity")
        if name is not None and (end == "over" or self._over):
            self._over = False
            self._give_up(name)
            name = None
        shown = await self._place(name, body)
        if shown:
            self._update_handle(activity=shown, mode="message")

    async def _place_buttons(self, name: str | None, body: Activity) -> str:
        """The same for a card of buttons: where Teams does not take it, the reply stands without."""
        try:
            return await self._place(name, body)
        except TeamsRefused as error:
            log.error("Question %s: Teams took no buttons: %s", self._asked.number, error.why)  # noqa: TRY400 - it is handled
            return ""

    async def _place(self, name: str | None, body: Activity) -> str:
        """Shows a message in the place of one of ours, or anew where there is none; gives its id."""
        if name is not None:
            try:
                await self._connector.update(self._handle, name, body)
                return name
            except TeamsRefused as error:
                if error.status == TOO_LARGE or error.code in NOT_THERE:
                    raise
                log.info("A message cannot be changed: %s", error.why)
                # 400 also says that Teams does not know the message, and what is not there cannot be changed
                self._give_up(name)
        return await self._connector.send(self._handle, body)

    def _give_up(self, name: str) -> None:
        """A message of ours, in whose place nothing can be shown, is to be taken away once the outcome stands."""
        if self._handle.get("activity") == name:
            del self._handle["activity"]
        self._to_delete.append(name)
        self._unsure |= self._again


NOT_THERE = frozenset({"BotNotInConversationRoster", "ConversationNotFound"})
"""Teams' words for "there is no such place for you"."""
