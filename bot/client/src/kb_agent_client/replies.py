"""What the service replies, as values. Fields that a later service adds are not read."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any


@dataclass(frozen=True, slots=True)
class ReplySource:
    """A numbered reference of an answer: `n` is what the text uses as [n], `quote` the words of the source."""

    n: int
    title: str
    url: str
    path: str
    source: str
    document_id: str
    chunk_id: str
    section: str
    place: str
    quote: str
    updated_at: datetime | None


@dataclass(frozen=True, slots=True)
class NearDocument:
    """A document that came near, though it does not answer."""

    title: str
    url: str
    path: str
    owner: str
    document_id: str
    updated_at: datetime | None


@dataclass(frozen=True, slots=True)
class ReplyOutcome:
    """How a question ended. result: answered, not_found, declined, failed, busy or late; only the first is an answer.
    text: Markdown with [n]. because: why there is no answer, as codes."""

    result: str
    text: str
    notice: str = ""
    advice: str = ""
    because: tuple[str, ...] = ()
    confidence: float = 0.0
    partial: bool = False
    sources: tuple[ReplySource, ...] = ()
    nearest: tuple[NearDocument, ...] = ()
    follow_ups: tuple[str, ...] = ()

    @property
    def answered(self) -> bool:
        """Whether it is an answer."""
        return self.result == "answered"


@dataclass(frozen=True, slots=True)
class FullReply:
    """A question with its outcome. conversation: to ask on."""

    number: int
    conversation: str
    outcome: ReplyOutcome


@dataclass(frozen=True, slots=True)
class PassageFound:
    """A passage that was found. suspicious: whether it holds text that is addressed to machines."""

    document_id: str
    chunk_id: str
    title: str
    url: str
    path: str
    source: str
    section: str
    place: str
    text: str
    score: float
    updated_at: datetime | None
    suspicious: bool


@dataclass(frozen=True, slots=True)
class PassagesFound:
    """What was found, best first. notice: which ranking could not be made."""

    results: tuple[PassageFound, ...]
    notice: str


@dataclass(frozen=True, slots=True)
class AskedQuestion:
    """A question as it is now. outcome: None while it is open, or where it is forgotten. trace: how the outcome came
    about, as the service's description has it (TraceBody)."""

    number: int
    question: str
    conversation: str
    asked_at: datetime
    state: str
    corrected: bool
    outcome: ReplyOutcome | None = None
    trace: Mapping[str, Any] | None = field(default=None, hash=False)
