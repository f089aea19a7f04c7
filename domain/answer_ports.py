"""The port of the records of answers, and what is read through it."""

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from domain.answer_records import AnswerRecord
from domain.answers import Citation
from domain.conversation import ConversationPlace, Result


@dataclass(frozen=True, slots=True)
class AnswerQuality:
    """What an answer is worth, computed without a language model. All from 0 to 1."""

    score: float
    supported: float
    """Share of its sentences that their sources say."""
    relevance: float
    """Share of the words of the question that answer and sources have."""


@dataclass(frozen=True, slots=True)
class KeptAnswer:
    """A record as it is read again."""

    number: int
    place: ConversationPlace
    audience: str
    """Who read the reply; see domain.conversation.Audience."""
    result: Result
    record: AnswerRecord
    asked_at: datetime
    wait_ms: float
    """From when it was asked, or asked anew, until the outcome was shown."""
    quality: AnswerQuality | None
    """None until it is scored, and for what is no answer."""
    up: int
    """Votes for the reply."""
    down: int
    reasons: tuple[str, ...]
    """What was said with votes against it, masked."""

    @property
    def in_private(self) -> bool:
        """Whether the asker alone read question and reply."""
        return self.place.private or self.audience == "asker"


@dataclass(frozen=True, slots=True)
class UnscoredAnswer:
    """An answer whose quality is not known yet."""

    number: int
    question: str
    reply: str
    citations: tuple[Citation, ...]


@dataclass(frozen=True, slots=True)
class Usage:
    """One question, for statistics: no text."""

    result: str
    """See domain.conversation.Result, and `partly`."""
    person: tuple[str, str]
    """Platform and id of who asked."""
    private: bool
    """Whether the asker alone read question and reply."""
    wait_ms: float
    requests: int
    """To a language model."""
    tokens: int
    """Of these requests and their replies, estimated."""
    quality: float | None
    up: int
    down: int


class AnswerRecords(Protocol):
    """Records of answers; Ledger.close writes them. All methods raise Transient when the database is away."""

    async def get(self, number: int) -> KeptAnswer | None:
        """The record of a question; None where there is none. Its texts are empty when they are forgotten."""

    async def latest(self, limit: int) -> list[KeptAnswer]:
        """The records of the questions that ended last, newest first."""

    async def gaps(self, since: datetime, limit: int) -> list[KeptAnswer]:
        """Of the questions that ended since then and whose text is kept: those without a whole answer, except what
        failed or was declined for what it asked, and those whose votes against the reply outnumber the others. Newest
        first, `limit` at most."""

    async def usage(self, since: datetime) -> list[Usage]:
        """Every question that ended since then."""

    async def unscored(self, limit: int) -> list[UnscoredAnswer]:
        """Answers with sources, of which no quality is known, oldest first."""

    async def score(self, number: int, quality: AnswerQuality | None) -> None:
        """Keeps the quality of an answer; None: it cannot be told, and is not asked for again."""
