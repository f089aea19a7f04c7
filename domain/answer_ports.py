"""The port of the records of answers, and what is read through it."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, Protocol

from domain.answer_records import AnswerRecord
from domain.answers import Citation
from domain.conversation import ConversationPlace, Platform, Result


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
    ended_at: datetime
    masked: int
    """Masks in question and reply."""


@dataclass(frozen=True, slots=True)
class QuestionFilter:
    """Which questions are listed: those that ended since a moment, and only those that are like each field that is
    given."""

    since: datetime
    result: str = ""
    """See QuestionSummary."""
    platform: str = ""
    vote: Literal[-1, 0, 1] = 0
    """Of those with such a vote; 0: of all."""
    slower_ms: float = 0.0
    """Of those that took longer."""


@dataclass(frozen=True, slots=True)
class QuestionSummary:
    """A question that ended, in a line."""

    number: int
    asked_at: datetime
    platform: str
    private: bool
    """Whether the asker alone read question and reply."""
    result: str
    """See domain.conversation.Result; `partly` for an answer to a part of the question."""
    cause: str
    """Why it was declined; empty for other results."""
    question: str
    """Masked; empty where it is not kept."""
    wait_ms: float
    requests: int
    """To a language model."""
    tokens: int
    quality: float | None
    up: int
    down: int


@dataclass(frozen=True, slots=True)
class Vote:
    """What somebody thought of a reply. Who, is not told."""

    number: int
    """Of the question."""
    at: datetime
    value: int
    """1 or -1."""
    reason: str
    """Masked; empty where none was given."""
    result: str
    """How the question ended, see QuestionSummary."""
    question: str
    """Masked; empty where it is not kept."""


class AnswerRecords(Protocol):
    """Records of answers; Ledger.close writes them. All methods raise Transient when the database is away."""

    async def get(self, number: int) -> KeptAnswer | None:
        """The record of a question; None where there is none. Its texts are empty when they are forgotten."""

    async def questions(self, wanted: QuestionFilter, limit: int) -> list[QuestionSummary]:
        """The questions that ended and are wanted, newest first, `limit` at most; also those that have no record since
        the agent came to no outcome."""

    async def votes(self, since: datetime, limit: int, value: int = 0) -> list[Vote]:
        """Votes that were given or changed since then, newest first. value: 1 or -1; 0 for both."""

    async def gaps(
        self, since: datetime, limit: int, *, platform: Platform | None = None, private: bool = True
    ) -> list[KeptAnswer]:
        """Of the questions that ended since then and whose text is kept: those without a whole answer, except what
        failed or was declined for what it asked, and those whose votes against the reply outnumber the others. Newest
        first, `limit` at most. platform: only of this one. private: also those that the asker alone read."""

    async def usage(self, since: datetime) -> list[Usage]:
        """Every question that ended since then."""

    async def unscored(self, limit: int) -> list[UnscoredAnswer]:
        """Answers with sources, of which no quality is known, oldest first."""

    async def score(self, number: int, quality: AnswerQuality | None) -> None:
        """Keeps the quality of an answer; None: it cannot be told, and is not asked for again."""
