"""Streams: only in chats with one person, one at a time, in order, not too fast, and not for long."""

import time
from dataclasses import dataclass, field

from tests.fakes.teams.checks import INFORMATIVE, split
from tests.fakes.teams.records import Body, Message, TeamsError
from tests.fakes.teams.world import World

NOT_ALLOWED = "ContentStreamNotAllowed"


@dataclass
class _Stream:
    """One stream. text: what was streamed of the reply. stopped: by the reader."""

    message: Message
    began: float
    sequence: int = 1
    text: str = ""
    last: float = 0.0
    stopped: bool = False


@dataclass
class Streams:
    """All streams. seconds: least time between two requests for one. longest: how long one may last."""

    world: World
    seconds: float = 0.9
    longest: float = 120.0
    _streams: dict[str, _Stream] = field(default_factory=dict)

    def chunk(self, conversation: str, body: Body, info: Body) -> tuple[int, Body]:
        """A further request for a stream, or its first; gives status and reply."""
        text, kind = str(body.get("text") or ""), info.get("streamType", "streaming")
        if kind not in {"informative", "streaming"} or body.get("type") != "typing":
            raise TeamsError(400, "BadRequest", "A stream goes on with typing activities")
        if not text:
            raise TeamsError(400, "BadRequest", "Start streaming activities should include text")
        if kind == "informative" and len(text.encode()) > INFORMATIVE:
            raise TeamsError(400, "BadRequest", "Informative text is too long")
        if not info.get("streamId"):
            return 201, {"id": self._start(conversation, body, info, kind, text)}
        stream = self._going(conversation, str(info["streamId"]))
        sequence = info.get("streamSequence")
        if not isinstance(sequence, int) or sequence <= stream.sequence:
            words = "PreCondition failed exception when processing streaming activity."
            return 202, {"error": {"code": "ContentStreamSequenceOrderPreConditionFailed", "message": words}}
        self._paced(stream)
        stream.sequence = sequence
        self._shown(stream, kind, text, body)
        return 202, {}

    def end(self, conversation: str, body: Body, info: Body) -> tuple[int, Body]:
        """The final message of a stream; gives status and reply."""
        if info.get("streamType") != "final" or "streamSequence" in info:
            raise TeamsError(400, "BadRequest", "A final message has no sequence")
        stream = self._going(conversation, str(info.get("streamId")))
        self._contains(stream, str(body.get("text") or ""))
        shown, *more = split(body)
        stream.message.stream = "done"
        stream.message.show(shown)
        for each in more:
            self.world.post(conversation, self.world.bot, each)
        return 202, {}

    def allowed(self, conversation: str) -> None:
        """Raises TeamsError where several people read."""
        if self.world.conversation(conversation).kind != "personal":
            raise TeamsError(405, NOT_ALLOWED, "Streaming is for chats with one person")

    def stop(self, message: Message) -> None:
        """The reader presses Stop."""
        self._streams[message.id].stopped = True

    def changeable(self, message: Message) -> None:
        """Raises TeamsError for a message whose stream has ended without becoming one."""
        stream = self._streams.get(message.id)
        if stream is not None and message.stream == "live" and (stream.stopped or self._over(stream)):
            raise TeamsError(400, "BadArgument", "The id is not a known activity id.")

    def edited(self, message: Message) -> None:
        """A stream's message was changed or deleted: it is none any more."""
        if message.id in self._streams:
            message.stream = "done"

    def _start(self, conversation: str, body: Body, info: Body, kind: str, text: str) -> str:
        place = self.world.conversation(conversation)
        if not place.streams:
            raise TeamsError(403, NOT_ALLOWED, "Content stream is not allowed")
        if info.get("streamSequence") != 1:
            raise TeamsError(400, "BadRequest", "A stream begins with sequence 1")
        here = [each for each in self._streams.values() if each.message.conversation == place.id]
        if any(each.message.stream == "live" and not self._over(each) for each in here):
            raise TeamsError(403, NOT_ALLOWED, "Content stream is not allowed")
        message = self.world.post(conversation, self.world.bot, body)
        message.stream = "live"
        now = time.monotonic()
        self._streams[message.id] = _Stream(message, now, text="" if kind == "informative" else text, last=now)
        return message.id

    def _going(self, conversation: str, name: str) -> _Stream:
        stream = self._streams.get(name)
        if stream is None or stream.message.conversation != self.world.conversation(conversation).id:
            raise TeamsError(404, "ActivityNotFoundInConversation", "There is no such stream")
        if stream.stopped:
            raise TeamsError(403, NOT_ALLOWED, "Content stream was canceled by user.")
        if stream.message.stream == "done":
            raise TeamsError(403, NOT_ALLOWED, "Content stream is not allowed on an already completed streamed message")
        if self._over(stream):
            raise TeamsError(403, NOT_ALLOWED, "Content stream finished due to exceeded streaming time.")
        return stream

    def _over(self, stream: _Stream) -> bool:
        return time.monotonic() - stream.began > self.longest

    def _paced(self, stream: _Stream) -> None:
        now = time.monotonic()
        if now - stream.last < self.seconds:
            raise TeamsError(429, "TooManyRequests", "API calls quota exceeded")
        stream.last = now

    def _shown(self, stream: _Stream, kind: str, text: str, body: Body) -> None:
        if kind == "streaming":
            self._contains(stream, text)
            stream.text = text
        elif stream.text:
            raise TeamsError(400, "BadRequest", "Informative text comes before what is streamed")
        stream.message.show(body)

    def _contains(self, stream: _Stream, text: str) -> None:
        if not text.startswith(stream.text):
            words = "Request streamed content should contain the previously streamed content"
            raise TeamsError(403, NOT_ALLOWED, words)
