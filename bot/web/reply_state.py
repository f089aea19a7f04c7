"""What is shown of a reply at a moment, and the events that lead from one such state to a later one. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import TypeAdapter

from bot.web.models import (
    AgainEvent,
    Body,
    OutcomeBody,
    OutcomeEvent,
    ProgressEvent,
    Reply,
    SentenceEvent,
    SourcesEvent,
    StageEvent,
)
from domain.answers import Stage
from domain.web_access import StateAt


@dataclass(frozen=True, slots=True)
class ReplyState:
    """What is shown now. A state of a later attempt, or of a later step of the same one, takes its place."""

    attempt: int = -1
    step: int = 0
    revision: int = 0
    """Of the question's text."""
    stage: Stage | None = None
    iteration: int = 0
    percent: int = 0
    words: str = ""
    tool: str = ""
    written: str = ""
    """The parts of the answer so far."""
    outcome: OutcomeBody | None = None
    corrected: bool = False

    @property
    def at(self) -> StateAt:
        """Its place among the states of the question."""
        return self.attempt, self.step

    def as_json(self) -> Mapping[str, Any]:
        """For the database."""
        kept: Mapping[str, Any] = _STATES.dump_python(self, mode="json")
        return kept


_STATES = TypeAdapter(ReplyState)

NOTHING = ReplyState()
"""Before anything is shown."""

Event = tuple[str, Body]
"""The name of an event, and what it says."""


def state_of(kept: Mapping[str, Any]) -> ReplyState:
    """What `as_json` made, also that of a newer release: fields that this one does not know are left out. Raises
    ValidationError for what cannot be read."""
    return _STATES.validate_python(kept, extra="ignore")


def events(before: ReplyState, now: ReplyState, number: int, conversation: str) -> list[Event]:
    """What somebody has to hear who knows `before`. After an outcome nothing follows."""
    found: list[Event] = []
    said = before.written if now.attempt == before.attempt or not before.written else ""
    if before.written and now.attempt != before.attempt:
        found.append(("again", AgainEvent(attempt=now.attempt)))
    if now.outcome is None:
        if now.stage and (now.stage, now.iteration) != (before.stage, before.iteration):
            found.append(("stage", StageEvent(stage=now.stage, iteration=now.iteration)))
        if now.words and (now.words, now.percent) != (before.words, before.percent):
            found.append(("progress", ProgressEvent(text=now.words, percent=now.percent, tool=now.tool)))
    if now.written.startswith(said) and len(now.written) > len(said):
        found.append(("sentence", SentenceEvent(text=now.written[len(said) :])))
        said = now.written
    if now.outcome is not None:
        found.append(("sources", SourcesEvent(sources=now.outcome.sources)))
        replaces = not now.outcome.text.startswith(said)
        reply = Reply(number=number, conversation=conversation, outcome=now.outcome)
        found.append(("outcome", OutcomeEvent(**dict(reply), replaces=replaces, corrected=now.corrected)))
    return found
