"""The reply to one question on Slack: a stream or an edited message in the thread."""

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from bot.slack import render
from bot.slack.client import Pace, SlackClient, SlackRefused, Unclear
from bot.slack.render import Frame, Message
from bot.slack.stream import Stream
from bot.slack.threads import Found, find, marked
from domain.answers import Progress, Written
from domain.conversation import Asked, Excess
from domain.errors import KbError, Refused
from domain.masking import Masker
from domain.masking.shown import MaskedAnswer
from domain.text.encodable import encodable

log = logging.getLogger(__name__)

Handle = Mapping[str, str]

NO_STREAMS = frozenset(
    {
        "channel_type_not_supported",
        "unknown_method",
        "method_deprecated",
        "feature_not_enabled",
        "missing_recipient_user_id",
        "missing_recipient_team_id",
        "not_allowed",
        "access_denied",
        "invalid_arguments",
    }
)
"""Slack's words for "no streams here"."""

TOO_MUCH = frozenset(
    {"msg_too_long", "msg_blocks_too_long", "invalid_blocks", "invalid_blocks_format", "too_many_attachments"}
)
GONE = frozenset({"message_not_found", "cant_update_message", "edit_window_closed", "block_mismatch"})
"""Slack's words for "this message cannot be changed any more"."""

NOT_THERE = frozenset({"not_in_channel", "channel_not_found", "is_archived", "restricted_action"})
"""Slack's words for "you may not post there"."""

EXCESS: Mapping[Excess, str] = {
    "waiting": "I am busy: too many questions are waiting. Please ask again in a minute.",
    "user_minute": "You ask faster than I can answer. Please wait a minute and ask again.",
    "channel_minute": "This channel asks faster than I can answer. Please wait a minute and ask again.",
    "user_day": "You have asked as much as one person may in 24 hours. Please ask again tomorrow.",
}

PLAIN = 3_500
"""Characters of a message without blocks; Slack recommends 4,000 at most."""


@dataclass(slots=True)
class Posting:
    """What all replies share.

    bot_user: our own id. masker: of what is shown. streaming: whether streams are tried. edit_seconds: between two
    changes of one message. edits, appends: of all replies. without_streams: channels that have none.
    """

    client: SlackClient
    bot_user: str
    masker: Masker
    streaming: bool
    edit_seconds: float
    edits: Pace
    appends: Pace = field(default_factory=lambda: Pace(90))
    without_streams: set[str] = field(default_factory=set)
    clock: Callable[[], datetime] = lambda: datetime.now(UTC)


class SlackReply:
    """See bot.conversation.platform.Reply."""

    def __init__(self, posting: Posting, asked: Asked) -> None:
        self._posting = posting
        self._client = posting.client
        self._asked = asked
        self._handle: dict[str, str] = dict(asked.handle)
        self._earlier: Found | None = None
        self._shown_at = 0.0
        self._stream: Stream | None = None

    async def open(self) -> Handle:
        """Shows a first sign."""
        try:
            return await self._opened_stream() or await self._opened_message()
        except SlackRefused as error:
            await self._tell_why(error)
            raise

    async def resume(self) -> Handle:
        """Finds the first sign, or shows one."""
        if "ts" in self._handle:
            if self._handle.get("mode") == "stream" and self._asked.attempt > 1:
                return await self._take_over(self._handle["ts"])  # what another attempt has written stays unknown
            if self._handle.get("mode") == "stream":
                self._stream = Stream(self._client, self._asked, self._handle["ts"], self._posting.appends)
            return {}
        found = await self._look()
        if 0 in found.parts:
            return self._noted(ts=found.parts[0], mode="message")
        if found.stream is not None:
            return await self._take_over(found.stream)
        return await self.open()

    async def progress(self, progress: Progress) -> None:
        """Edits the message, or adds to the stream, unless that was done a moment ago."""
        if self._stream is not None:
            await self._stream.progress(progress)
            return
        now = time.monotonic()
        if "ts" not in self._handle or now - self._shown_at < self._posting.edit_seconds:
            return
        if self._posting.edits.take():
            self._shown_at = now
            await self._tried(self._edit(render.progress(progress), patience=0.0))

    async def write(self, written: Written) -> None:
        """Adds to the stream, where there is one."""
        if self._stream is not None:
            await self._stream.write(written)

    async def finish(self, answer: MaskedAnswer) -> bool:
        """Shows the outcome."""
        private = self._asked.audience == "asker"
        frame = Frame(self._asked.number, self._posting.clock(), private=private)
        if self._stream is not None and await self._stream.finish(answer, frame):
            return False
        messages = render.messages(answer, frame)
        if self._asked.handle.get("echo"):
            messages[0] = self._with_question(messages[0])
        return await self._show(messages)

    async def refuse(self, excess: Excess) -> None:
        """Says that the question is beyond a limit."""
        await self._show([render.busy(EXCESS[excess])])

    async def late(self) -> None:
        """Says that there was no answer in time."""
        await self._show([render.timed_out(self._asked.number)])

    async def withdraw(self) -> None:
        """Deletes the message or the stream."""
        if "ts" not in self._handle:
            return
        if self._handle.get("mode") == "stream":
            await self._tried(self._end_stream(self._handle["ts"]))
        await self._tried(self._client.call("chat.delete", channel=self._channel, ts=self._handle["ts"]))

    @property
    def _channel(self) -> str:
        return self._asked.place.channel

    async def _opened_stream(self) -> Handle | None:
        place = self._asked.place
        if (
            not self._posting.streaming
            or place.channel in self._posting.without_streams
            or self._asked.handle.get("echo")
        ):
            return None
        stream = Stream(self._client, self._asked, "", self._posting.appends)
        try:
            ts = await stream.start()
        except SlackRefused as error:
            if error.code not in NO_STREAMS:
                raise
            self._posting.without_streams.add(place.channel)
            return None
        except Unclear as error:
            log.info("Perhaps a stream: %s", error.what)
            found = await find(self._client, place, self._asked.key, self._posting.bot_user)
            return None if found.stream is None else await self._take_over(found.stream)
        except KbError as error:  # busy, or without the permission: a message does as well
            log.info("No stream: %s", error.what)
            return None
        self._stream = stream
        return self._noted(ts=ts, mode="stream")

    async def _opened_message(self) -> Handle:
        waiting = render.waiting()
        if self._asked.handle.get("echo"):
            waiting = self._with_question(waiting)
        return self._noted(ts=await self._post(waiting, 0, final=False), mode="message")

    async def _take_over(self, ts: str) -> Handle:
        """Ends somebody's stream, to go on with it as a message."""
        await self._end_stream(ts)
        return self._noted(ts=ts, mode="message")

    async def _end_stream(self, ts: str) -> None:
        try:
            await self._client.call("chat.stopStream", channel=self._channel, ts=ts)
        except SlackRefused as error:
            log.info("A stream had ended before: %s", error.code)

    def _noted(self, **found: str) -> Handle:
        self._handle.update(found)
        return found

    async def _look(self) -> Found:
        if self._earlier is None:
            self._earlier = await find(self._client, self._asked.place, self._asked.key, self._posting.bot_user)
        return self._earlier

    async def _show(self, messages: Sequence[Message]) -> bool:
        """Shows messages in the place of what was shown before; returns whether they may be seen twice."""
        if self._handle.get("mode") == "stream":
            await self._take_over(self._handle["ts"])
        again = self._asked.attempt > 1 or self._asked.revision > 0
        found = await self._look() if again else Found({})
        there = dict(found.parts)
        try:
            await self._show_parts(messages, there)
        except SlackRefused as error:
            if error.code not in TOO_MUCH:
                raise
            log.error("Question %s: Slack took no blocks: %s", self._asked.number, error.code)  # noqa: TRY400 - it is handled
            await self._show_parts(_without_blocks(messages), there)
        return not found.known

    async def _show_parts(self, messages: Sequence[Message], there: dict[int, str]) -> None:
        """there: the messages of earlier parts; what is posted is added to it."""
        if "ts" in self._handle:
            there[0] = self._handle["ts"]
        for part, message in enumerate(messages):
            ts = there.get(part)
            if ts is None or not await self._replaced(message, ts, part):
                there[part] = await self._post(message, part, final=True)
        self._noted(ts=there[0], mode="message")
        for part in [each for each in there if each >= len(messages)]:  # of what was asked before it was changed
            await self._tried(self._client.call("chat.delete", channel=self._channel, ts=there.pop(part)))

    async def _replaced(self, message: Message, ts: str, part: int) -> bool:
        try:
            await self._edit(message, ts=ts, part=part, final=True)
        except SlackRefused as error:
            if error.code not in GONE:
                raise
            if error.code != "message_not_found":  # what cannot be changed must not stand beside what takes its place
                await self._tried(self._client.call("chat.delete", channel=self._channel, ts=ts))
            return False
        return True

    async def _edit(
        self, message: Message, *, ts: str = "", part: int = 0, final: bool = False, patience: float | None = None
    ) -> None:
        await self._client.call(
            "chat.update",
            patience=patience,
            channel=self._channel,
            ts=ts or self._handle["ts"],
            text=message.text,
            blocks=list(message.blocks),
            metadata=marked(self._asked.key, part, final=final),
            parse="none",
            link_names=False,
        )

    async def _post(self, message: Message, part: int, *, final: bool) -> str:
        async def done() -> dict[str, Any] | None:
            found = await find(self._client, self._asked.place, self._asked.key, self._posting.bot_user)
            return {"ts": found.posted[part, final]} if (part, final) in found.posted else None

        posted = await self._client.call(
            "chat.postMessage",
            unless=done,
            channel=self._channel,
            thread_ts=self._asked.place.thread or None,
            text=message.text,
            blocks=list(message.blocks) or None,
            metadata=marked(self._asked.key, part, final=final),
            parse="none",
            link_names=False,
            unfurl_links=False,
            unfurl_media=False,
        )
        return str(posted["ts"])

    async def _tell_why(self, error: SlackRefused) -> None:
        """Tells the asker of a command why there is no reply in the channel."""
        url = self._asked.handle.get("response_url")
        if url and error.code in NOT_THERE:
            words = "I cannot post in this channel. Invite me with /invite, or ask me without “share”."
            await self._tried(self._client.respond(url, {"response_type": "ephemeral", "text": words}))

    def _with_question(self, message: Message) -> Message:
        """The message below the question that it answers: nobody sees that one otherwise."""
        return render.with_question(message, self._posting.masker.mask(encodable(self._asked.text)))

    async def _tried(self, call: Any) -> None:
        """Does what may fail without harm."""
        try:
            await call
        except (KbError, Refused) as error:
            log.info("Not shown: %s (%s)", error.what, error.why)


def _without_blocks(messages: Sequence[Message]) -> list[Message]:
    """The same as plain messages of a safe length."""
    texts = [message.text or " " for message in messages]
    return [Message(text[start : start + PLAIN], ()) for text in texts for start in range(0, max(1, len(text)), PLAIN)]
