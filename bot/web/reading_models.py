"""What is read over HTTP, as types: passages, documents, questions with their traces."""

from datetime import datetime
from typing import Any

from pydantic import Field

from bot.web.models import Body, OutcomeBody
from domain.conversation import State


class Mark(Body):
    """A part of a text, in Unicode characters; end exclusive."""

    start: int
    end: int


class PassageBody(Body):
    """The passage behind a reference."""

    title: str
    url: str
    section: str
    place: str
    text: str
    marks: tuple[Mark, ...] = Field(description="What of the text the answer cites.")
    updated_at: datetime | None
    suspicious: bool = Field(description="Whether it holds text that is addressed to machines.")


class HitBody(Body):
    """A passage that was found."""

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


class SearchResults(Body):
    """What was found, best first."""

    results: tuple[HitBody, ...]
    notice: str = Field(description="Which ranking could not be made, or why nothing was searched for; else empty.")


class Part(Body):
    """A part of a document."""

    chunk_id: str
    ordinal: int
    section: str
    place: str
    text: str
    suspicious: bool


class DocumentBody(Body):
    """A document, as far as the caller may read it."""

    document_id: str
    title: str
    url: str
    path: str
    source: str
    updated_at: datetime | None
    parts: tuple[Part, ...]
    next: int | None = Field(description="`first` of the parts that follow; null at the end.")


class RelatedBody(HitBody):
    """A document to which the knowledge graph leads, by the passage that stands for it."""

    way: str = Field(description="What leads there, in words; empty where the document names it itself.")


class RelatedDocuments(Body):
    """What a document hangs together with, nearest first."""

    document_id: str
    related: tuple[RelatedBody, ...]


class SearchStep(Body):
    """One use of a tool."""

    tool: str
    iteration: int
    ms: float
    results: int
    args: dict[str, Any] | None = Field(description="null where they are withheld.")
    note: str
    error: str


class EvidenceBody(Body):
    """A passage that the answer was made from, or that was read and not used."""

    path: str | None = Field(description="null where it is withheld.")
    chunk_id: str
    tools: tuple[str, ...]
    score: float
    grade: float | None
    iteration: int
    cited: bool


class StageBody(Body):
    """One visit of a step."""

    stage: str
    iteration: int
    ms: float


class TraceBody(Body):
    """How an outcome came about."""

    mode: str
    iterations: int
    model_calls: int
    tokens: int
    searches: tuple[SearchStep, ...]
    evidence: tuple[EvidenceBody, ...]
    stages: tuple[StageBody, ...]
    reasoning: tuple[str, ...]
    withheld: bool = Field(
        description="Whether words are left out, since a passage that it was made from may not be read by the caller."
    )


class QuestionBody(Body):
    """A question, how it ended, and how that came about."""

    number: int
    question: str = Field(description="Masked; empty where it is forgotten.")
    conversation: str = Field(description="To ask on by; empty in what others asked.")
    asked_at: datetime
    state: State
    outcome: OutcomeBody | None = Field(description="null while it is open, where it is forgotten, or another's.")
    corrected: bool
    trace: TraceBody | None = Field(description="null while it is open, or where it is forgotten.")


class PastQuestion(Body):
    """An earlier question of the caller's."""

    number: int
    question: str
    asked_at: datetime


class History(Body):
    """The caller's last questions, newest first."""

    questions: tuple[PastQuestion, ...]


class Forgotten(Body):
    """What the caller asked is forgotten."""

    forgotten: int = Field(description="How many questions, with what was replied.")


class Done(Body):
    """It was done."""

    done: bool
