"""The reply to one question on Slack: a stream or an edited message in the thread."""

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from bot.conversation import texts
from bot.conversation.chat_platform import OutcomeUnknown, ReplyChannel, show_if_possible
from bot.conversation.render_context import RenderContext
from bot.slack import render, status_messages
from bot.slack.block_kit import SlackMessage
from bot.slack.client import TOO_MUCH, SlackClient, SlackRefused, TokenBucket
from bot.slack.ephemeral_reply import EphemeralReply
from bot.slack.posted_messages import PostedMessages, find_posted, reply_metadata
from bot.slack.stream import SECONDS as STREAM_SECONDS
from bot.slack.stream import SlackStream, StepState, StreamingRefusals
from domain.answers import Progress, ReplyPart
from domain.conversation import AcceptedQuestion, ExceededLimit, Result, result_of
from domain.errors import KbError
from domain.masked_answer import MaskedAnswer
from domain.masking import Masker
from domain.text.encodable import encodable

log = logging.getLogger(__name__)

Handle = Mapping[str, str]

GONE = frozenset({"message_not_found", "cant_update_message", "edit_window_closed", "block_mismatch"})
"""Slack's words for "this message cannot be changed any more"."""

NOT_THERE = frozenset({"not_in_channel", "channel_not_found", "is_archived", "restricted_action"})
"""Slack's words for "you may not post there"."""

ANSWERS = frozenset({"answered", "not_found", "declined"})
"""Results that come from the question itself."""

STATUS_SECONDS = 5.0
"""Seconds for which one call for a status message is tried again: the outcome comes all the same."""

UNKNOWN = "?"
"""Stands among the time stamps of a reply's messages for one that Slack did not tell."""


@dataclass(slots=True)
class SlackReplyContext:
    """What all replies of this process share."""

    client: SlackClient
    bot_user: str
    """The user id of the bot itself."""
    masker: Masker
    streaming: bool
    """Whether replies are streamed where Slack allows it."""
    edit_seconds: float
    """The shortest time between two edits of one message."""
    edits: TokenBucket
    """Edits of all replies together."""
    appends: TokenBucket = field(default_factory=lambda: TokenBucket(90))  # below Slack's 100 calls a minute (Tier 4)
    """Calls for all streams together."""
    stream_seconds: float = STREAM_SECONDS
    """The shortest time between two calls for one stream."""
    streaming_refusals: StreamingRefusals = field(default_factory=StreamingRefusals)
    clock: Callable[[], datetime] = lambda: datetime.now(UTC)


class SlackReply(ReplyChannel):
    """A message or a stream. client: for this reply's calls.

    The handle holds `ts` of the first message, its `mode` (`stream` or `message`), and once the outcome is shown also
    `parts`: the time stamps of its further messages, and UNKNOWN where there may be others, also before the outcome.
    """

    def __init__(self, shared: SlackReplyContext, client: SlackClient, asked: AcceptedQuestion) -> None:
        self._shared = shared
        self._client = client
        self._asked = asked
        self._handle: dict[str, str] = dict(asked.handle)
        self._earlier: PostedMessages | None = None
        further = self._handle.get("parts", "").split()
        self._parts: dict[int, str] = {n: ts for n, ts in enumerate(further, start=1) if ts != UNKNOWN}
        self._doubtful = UNKNOWN in further
        self._shown_at = 0.0
        self._stream: SlackStream | None = None

    async def open(self) -> Handle:
        """Shows a first status message."""
        try:
            if opened := await self._open_stream():
                return opened
            waiting = status_messages.waiting(self._asked.queue_ahead)
            if self._asked.handle.get("echo"):
                waiting = self._with_question(waiting)
            ts = await self._post(waiting, 0, None)
            return self._update_handle(ts=ts, mode="message", **({"parts": self._further()} if self._doubtful else {}))
        except SlackRefused as error:
            url = self._asked.handle.get("response_url")  # of a command: its asker is told why there is no reply
            if url and error.code in NOT_THERE:
                words = "I cannot post in this channel. Invite me with /invite, or ask me without “share”."
                await show_if_possible(self._client.respond(url, {"response_type": "ephemeral", "text": words}))
            raise

    async def resume(self) -> Handle:
        """Finds the first status message, or shows one."""
        if "ts" in self._handle:
            if self._handle.get("mode") == "stream" and self._asked.attempt > 1:
                return await self._take_over(
                    self._handle["ts"], STATUS_SECONDS
                )  # what another attempt has written stays unknown
            if self._handle.get("mode") == "stream":
                self._stream = self._stream_at(self._handle["ts"])
            return {}
        found = await self._look()
        if 0 in found.parts:
            return self._update_handle(ts=found.parts[0], mode="message")
        if found.stream is not None:
            return await self._take_over(found.stream, STATUS_SECONDS)
        return await self.open()

    async def outcome(self) -> Result | None:
        """How the question ended, by the message's metadata."""
        return (await self._look()).outcomes.get(self._asked.revision)

    async def progress(self, progress: Progress) -> None:
        """Edits the message, or adds to the stream, unless that was done a moment ago."""
        if self._stream is not None:
            await self._stream.progress(progress)
            return
        now = time.monotonic()
        if "ts" not in self._handle or now - self._shown_at < self._shared.edit_seconds:
            return
        if self._shared.edits.take():
            self._shown_at = now
            await show_if_possible(self._edit(status_messages.progress(progress), self._handle["ts"], 0, None, 0.0))

    async def write(self, written: ReplyPart) -> None:
        """Adds to the stream, where there is one."""
        if self._stream is not None:
            await self._stream.write(written)

    async def finish(self, answer: MaskedAnswer) -> bool:
        """Shows the outcome."""
        if self._stream is not None and await self._stream.finish(answer, self._frame):
            return False
        plain = self._below_question(render.plain_messages(answer, self._frame))
        return await self._show(self._messages(answer), result_of(answer.outcome), plain)

    def correctable(self) -> Handle:
        """Where the outcome stands, all of its messages."""
        return {"parts": self._further()} | ({"ts": self._handle["ts"]} if "ts" in self._handle else {})

    def _further(self) -> str:
        further = [ts for part, ts in sorted(self._parts.items()) if part]
        return " ".join([*further, *([UNKNOWN] if self._doubtful else [])])

    async def correct(self, answer: MaskedAnswer) -> bool:
        """Changes the messages of the outcome; what is too many of them goes. False where none of them can be changed.
        Where there may be others, or some cannot be changed, the log says so: they go on saying what they said."""
        there = self._parts | ({0: self._handle["ts"]} if "ts" in self._handle else {})
        surplus: list[str] = []
        known = "parts" in self._handle and not self._doubtful
        if not known:
            found = await self._find_posted(None)
            there = dict(found.parts) | there
            surplus = [ts for ts in (*found.parts.values(), *found.again) if ts not in there.values()]
            known = found.known and 0 in found.parts
        messages = self._messages(answer)
        places = [there[part] for part in sorted(there)]
        changed = [
            await self._edit_if_possible(message, ts, part, result_of(answer.outcome))
            for part, (ts, message) in enumerate(zip(places, messages, strict=False))
        ]
        gone = [await self._delete_if_possible(ts) for ts in (*places[len(messages) :], *surplus)]
        if any(changed) and not (known and all(changed) and all(gone)):
            log.warning("Question %s: a part of its reply may stand uncorrected", self._asked.number)
        return any(changed)

    async def _edit_if_possible(self, message: SlackMessage, ts: str, part: int, result: Result) -> bool:
        """Shows something else in the place of a message; False where that cannot be changed any more."""
        try:
            await self._edit(message, ts, part, result)
        except SlackRefused as error:
            if error.code not in GONE:
                raise
            log.info("A message cannot be changed: %s", error.code)
            return False
        return True

    async def _delete_if_possible(self, ts: str) -> bool:
        """Deletes a message; False where Slack does not."""
        try:
            await self._delete(ts)
        except SlackRefused as error:
            log.info("A message cannot be deleted: %s", error.code)
            return error.code == "message_not_found"
        return True

    async def refuse(self, excess: ExceededLimit) -> bool:
        """Says that the question is beyond a limit; where only its asker has seen it, to the asker alone."""
        if self._asked.handle.get("echo") and not self._asked.place.private:
            return await EphemeralReply(self._client, self._asked, self._shared.clock).refuse(excess)
        return await self._show([status_messages.busy(texts.excess(excess))], "busy")

    async def late(self) -> bool:
        """Says that there was no answer in time."""
        return await self._show([status_messages.timed_out(self._asked.number)], "late")

    async def withdraw(self, kept: Handle | None = None) -> None:
        """Deletes the messages, or the stream."""
        first = self._handle.get("ts")
        if first is None or (kept or {}).get("ts") == first:
            return
        if self._handle.get("mode") == "stream":
            await show_if_possible(self._end_stream(first, None))
        others = (kept or {}).get("parts", "").split()
        for ts in {first: None, **dict.fromkeys(self._parts.values())}:
            if ts not in others:
                await show_if_possible(self._delete(ts))

    @property
    def _channel(self) -> str:
        return self._asked.place.channel

    @property
    def _frame(self) -> RenderContext:
        return RenderContext(self._asked.number, self._shared.clock(), private=self._asked.audience == "asker")

    def _messages(self, answer: MaskedAnswer) -> list[SlackMessage]:
        return self._below_question(render.messages(answer, self._frame))

    def _below_question(self, messages: list[SlackMessage]) -> list[SlackMessage]:
        if not self._asked.handle.get("echo"):
            return messages
        return [self._with_question(messages[0]), *messages[1:]]

    async def _open_stream(self) -> Handle | None:
        place = self._asked.place
        if (
            not self._shared.streaming
            or place.channel in self._shared.streaming_refusals
            or self._asked.handle.get("echo")
        ):
            return None
        stream = self._stream_at("")
        try:
            ts = await stream.start()
        except SlackRefused as error:  # where the place is closed, it is so for a message, too
            if not self._shared.streaming_refusals.note(place.channel, error.code):
                log.warning("No stream for question %s: %s", self._asked.number, error.code)
            return None
        except OutcomeUnknown as error:
            log.info("Perhaps a stream: %s", error.what)
            found = await self._find_posted(STATUS_SECONDS)
            self._doubtful |= not found.known and found.stream is None
            return None if found.stream is None else await self._take_over(found.stream, STATUS_SECONDS)
        except KbError as error:  # busy, or without the permission: a message does as well
            log.info("No stream: %s", error.what)
            return None
        self._stream = stream
        return self._update_handle(ts=ts, mode="stream")

    def _stream_at(self, ts: str) -> SlackStream:
        return SlackStream(self._client, self._asked, ts, self._shared.appends, self._shared.stream_seconds)

    async def _take_over(self, ts: str, patience: float | None, state: StepState = "complete") -> Handle:
        """Ends a stream, its steps in that state, to go on with it as a message."""
        await self._end_stream(ts, patience, state)
        return self._update_handle(ts=ts, mode="message")

    async def _end_stream(self, ts: str, patience: float | None, state: StepState = "complete") -> None:
        stream = self._stream or self._stream_at(ts)
        try:
            await stream.end(state, patience)
        except SlackRefused as error:
            log.info("A stream had ended before: %s", error.code)

    def _update_handle(self, **found: str) -> Handle:
        self._handle.update(found)
        return found

    async def _look(self) -> PostedMessages:
        """What was there when this attempt began."""
        if self._earlier is None:
            self._earlier = await self._find_posted(STATUS_SECONDS)
        return self._earlier

    async def _find_posted(self, patience: float | None) -> PostedMessages:
        return await find_posted(self._client, self._asked.place, self._asked.key, self._shared.bot_user, patience)

    async def _show(self, messages: Sequence[SlackMessage], result: Result, plain: Sequence[SlackMessage] = ()) -> bool:
        """Shows messages in the place of what was shown before; returns whether they may be seen twice. plain: the same
        without blocks, where that is more than their texts."""
        if self._handle.get("mode") == "stream":
            state: StepState = "complete" if result in ANSWERS else "error"
            await self._take_over(self._handle["ts"], None, state)
        again = self._asked.attempt > 1 or self._asked.revision > 0
        unsure = self._asked.attempt == 1 and "ts" not in self._handle  # a status message may be there unknown to us
        # of several parts, somebody who took over may have posted some
        found = await self._find_posted(None) if again or unsure or len(messages) > 1 else PostedMessages({})
        self._parts |= found.parts
        self._doubtful |= (again or unsure) and not found.known
        try:
            await self._show_parts(messages, result)
        except SlackRefused as error:
            if error.code not in TOO_MUCH:
                raise
            log.error("Question %s: Slack took no blocks: %s", self._asked.number, error.code)  # noqa: TRY400 - it is handled
            await self._show_parts(plain or [SlackMessage(each.text, ()) for each in messages], result)
        return self._doubtful

    async def _show_parts(self, messages: Sequence[SlackMessage], result: Result) -> None:
        there = self._parts
        if "ts" in self._handle:
            there[0] = self._handle["ts"]
        for part, message in enumerate(messages):
            ts = there.get(part)
            if ts is None or not await self._replace(message, ts, part, result):
                there.pop(part, None)
                if posted := await self._post(message, part, result):
                    there[part] = posted
        self._handle.pop("ts", None)
        self._update_handle(mode="message", **({"ts": there[0]} if 0 in there else {}))
        for part in [each for each in there if each >= len(messages)]:  # of what was asked before it was changed
            await show_if_possible(self._remove(part))

    async def _remove(self, part: int) -> None:
        await self._delete(self._parts[part])
        del self._parts[part]  # what stays is corrected or taken back with the others

    async def _delete(self, ts: str) -> None:
        await self._client.call("chat.delete", channel=self._channel, ts=ts)

    async def _replace(self, message: SlackMessage, ts: str, part: int, result: Result) -> bool:
        try:
            await self._edit(message, ts, part, result)
        except SlackRefused as error:
            if error.code not in GONE:
                raise
            if error.code != "message_not_found":  # what cannot be changed must not stand beside what takes its place
                await show_if_possible(self._delete(ts))
            return False
        return True

    async def _edit(
        self, message: SlackMessage, ts: str, part: int, result: Result | None, patience: float | None = None
    ) -> None:
        body = self._body(message, part, result) | {"blocks": list(message.blocks)}  # an empty list takes blocks away
        await self._client.call("chat.update", patience=patience, ts=ts, **body)

    async def _post(self, message: SlackMessage, part: int, result: Result | None) -> str:
        """Posts a part of the outcome, or, without a result, a status message; gives its time stamp.

        Where Slack leaves open whether it did, and does not let us look, it is posted once more; where that is open,
        too, it counts as shown. The time stamp is empty then."""
        patience, final, once_more = None if result else STATUS_SECONDS, result is not None, False

        async def done() -> dict[str, Any] | None:
            nonlocal once_more
            found = await self._find_posted(patience)
            if (part, final) in found.posted:
                return {"ts": found.posted[part, final]}
            if not found.known and once_more:
                if not final:
                    raise OutcomeUnknown("Slack does not say whether a status message is there")
                log.warning("Question %s: a part of its reply may not be visible", self._asked.number)
                return {"ts": ""}
            once_more |= not found.known
            self._doubtful |= once_more
            return None

        posted = await self._client.call(
            "chat.postMessage",
            patience=patience,
            unless=done,
            thread_ts=self._asked.place.thread or None,
            unfurl_links=False,
            unfurl_media=False,
            **self._body(message, part, result),
        )
        return str(posted["ts"])

    def _body(self, message: SlackMessage, part: int, result: Result | None) -> dict[str, Any]:
        return {
            "channel": self._channel,
            "text": message.text,
            "blocks": list(message.blocks) or None,
            "metadata": reply_metadata(self._asked.key, self._asked.revision, part, result),
            "parse": "none",
            "link_names": False,
        }

    def _with_question(self, message: SlackMessage) -> SlackMessage:
        """The message below the question that it answers: nobody sees that one otherwise."""
        return status_messages.with_question(message, self._shared.masker.mask(encodable(self._asked.text)))
