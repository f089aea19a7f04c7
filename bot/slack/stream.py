"""A reply that Slack shows while it is written: tasks first, then the text, then what belongs below it."""

import logging
import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, Literal

from bot.conversation.chat_platform import OutcomeUnknown
from bot.conversation.render_context import RenderContext
from bot.conversation.texts import READING_QUESTION, waiting
from bot.slack import status_messages
from bot.slack.client import SlackClient, SlackRefused, TokenBucket
from bot.slack.mrkdwn import streamable
from bot.slack.posted_messages import reply_metadata
from bot.slack.render import footer
from domain.answers import Answer, Progress, ReplyPart
from domain.conversation import AcceptedQuestion, result_of
from domain.errors import KbError, Transient
from domain.masked_answer import MaskedAnswer
from domain.translation import translated

log = logging.getLogger(__name__)

MOST = 11_000
"""Characters of Markdown in one call; Slack takes 12,000."""

SECONDS = 0.7
"""Between two calls for one stream."""


REFUSED_SECONDS = 600.0
"""Seconds for which a refusal is remembered."""

MAX_REFUSALS = 1_000
"""Channels that are remembered."""

EVERYWHERE = frozenset({"unknown_method", "method_deprecated", "feature_not_enabled"})
"""Slack's words for "no streams in this workspace"."""

HERE = frozenset(
    {
        "channel_type_not_supported",
        "missing_recipient_user_id",
        "missing_recipient_team_id",
        "not_allowed",
        "access_denied",
        "invalid_arguments",
    }
)
"""Slack's words for "no streams in this channel"."""

StepState = Literal["complete", "error"]
"""How a step ends."""


class StreamingRefusals:
    """Channels that take no streams now; remembered for a while only: they may allow them later."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._until: dict[str, float] = {}

    def note(self, channel: str, code: str) -> bool:
        """Remembers a refusal, if it is one of streams; returns whether it is."""
        if code not in EVERYWHERE | HERE:
            return False
        while len(self._until) >= MAX_REFUSALS:
            del self._until[next(iter(self._until))]
        self._until["" if code in EVERYWHERE else channel] = self._clock() + REFUSED_SECONDS
        return True

    def __contains__(self, channel: str) -> bool:
        now = self._clock()
        return any(self._until.get(each, now) > now for each in ("", channel))


class SlackStream:
    """One stream.

    ts: of its message; empty before `start`. pace: of calls, shared by all streams. seconds: see SECONDS.
    """

    def __init__(
        self, client: SlackClient, asked: AcceptedQuestion, ts: str, pace: TokenBucket, seconds: float = SECONDS
    ) -> None:
        self._client = client
        self._asked = asked
        self._ts = ts
        self._pace = pace
        self._seconds = seconds
        self._called_at = 0.0
        self._task: dict[str, str] = _first_task(asked)
        self._unended: dict[str, dict[str, str]] = {self._task["id"]: self._task}
        self._pending = ""
        self._written = ""
        self._torn = False  # whether a piece may have been shown although its call failed

    async def start(self) -> str:
        """Starts it; gives the message's time stamp. Its first task carries the question's key, so that a stream can be
        found by those who did not start it. Raises as SlackClient.call does, at once."""
        place = self._asked.place
        started = await self._client.call(
            "chat.startStream",
            patience=0.0,
            channel=place.channel,
            thread_ts=place.thread,
            recipient_user_id=self._asked.asker.id,
            recipient_team_id=self._asked.asker.workspace or place.workspace or None,
            task_display_mode="timeline",
            chunks=[_chunk(self._task)],
        )
        self._ts = str(started["ts"])
        return self._ts

    async def progress(self, progress: Progress) -> None:
        """Adds a task, and ends those before; skipped when it is too soon."""
        task = status_messages.task(progress)
        if task == self._task or not self._may_call():
            return
        before = [each for each in self._unended if each != task["id"]]
        chunks = [*self._ends(before), _chunk(task)]
        self._task = self._unended[task["id"]] = task
        if await self._append(chunks):
            for each in before:
                del self._unended[each]

    async def write(self, written: ReplyPart) -> None:
        """Adds text, as often as is allowed."""
        self._pending += written.text
        piece = _one_call(self._pending)
        if self._may_call() and await self._append([_text(streamable(piece, self._written))]):
            self._written += piece
            self._pending = self._pending[len(piece) :]

    async def finish(self, answer: MaskedAnswer, frame: RenderContext) -> bool:
        """Ends it with the outcome. False when that cannot be done in this stream: what it has shown is not how the
        outcome begins, or it is no stream any more."""
        outcome = answer.outcome
        shown = self._written + self._pending
        if self._torn or not isinstance(outcome, Answer) or not outcome.text.startswith(shown):
            return False
        if streamable(outcome.text) != outcome.text:
            return False  # it holds what a stream shows with blanks in it: addresses, angle brackets
        rest = streamable(outcome.text[len(self._written) :], self._written)
        pieces = [rest[start : start + MOST] for start in range(0, len(rest), MOST)]
        try:
            for piece in pieces[:-1]:
                await self._call("chat.appendStream", blindly=False, chunks=[_text(piece)])
            await self._call(
                "chat.stopStream",
                chunks=[*self._ends(self._unended), *(_text(piece) for piece in pieces[-1:])],
                blocks=footer(answer, frame),
                metadata=reply_metadata(self._asked.key, self._asked.revision, 0, result_of(outcome)),
            )
        except (SlackRefused, OutcomeUnknown) as error:  # a piece that may be there already is not added again
            log.warning("A stream of question %s could not be ended: %s", self._asked.number, error.why)
            return False
        return True

    async def end(self, state: StepState, patience: float | None) -> None:
        """Ends it as it stands, its steps in a state of their own. Raises as SlackClient.call does."""
        await self._call("chat.stopStream", patience=patience, chunks=self._ends(self._unended, state))

    def _ends(self, tasks: Iterable[str], state: StepState = "complete") -> list[dict[str, Any]]:
        """What ends tasks. The first one, which may say that the question waits, ends as one that was read."""
        found = [self._unended[each] for each in tasks]
        first = _first_task(replace(self._asked, queue_ahead=None))
        return [_chunk({**(first if each["id"] == first["id"] else each), "status": state}) for each in found]

    def _may_call(self) -> bool:
        now = time.monotonic()
        if now - self._called_at < self._seconds or not self._pace.take():
            return False
        self._called_at = now
        return True

    async def _append(self, chunks: list[dict[str, Any]]) -> bool:
        try:
            await self._call("chat.appendStream", patience=0.0, chunks=chunks)
        except KbError as error:
            self._torn |= isinstance(error, Transient) and error.retry_after is None
            log.info("Not streamed: %s (%s)", error.what, error.why)
            return False
        return True

    async def _call(self, method: str, **arguments: Any) -> None:
        await self._client.call(method, channel=self._asked.place.channel, ts=self._ts, **arguments)


def _first_task(asked: AcceptedQuestion) -> dict[str, str]:
    title = translated(READING_QUESTION) if asked.queue_ahead is None else waiting(asked.queue_ahead)
    return {"id": str(asked.key), "title": title, "status": "in_progress"}


def _chunk(task: dict[str, str]) -> dict[str, Any]:
    return {"type": "task_update", **task}


def _one_call(text: str) -> str:
    """So much of a text as one call takes, cut between words where there is a blank."""
    head = text[:MOST]
    cut = max(head.rfind(" "), head.rfind("\n")) + 1
    return head[:cut] if cut and len(text) > MOST else head


def _text(piece: str) -> dict[str, Any]:
    return {"type": "markdown_text", "text": piece}
