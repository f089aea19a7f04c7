"""What goes in and out of the HTTP API, as types: requests are read by them, and the description is made of them."""

from datetime import datetime
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field

from domain.answers import Stage
from domain.conversation import Result
from domain.search import Method

Number = Annotated[int, Field(ge=1, le=10**18 - 1)]
"""A question's number."""


class Body(BaseModel):
    """What all bodies share: a field that is not known is an error, and nothing can be changed."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    @classmethod
    def of(cls, value: object, **more: object) -> Self:
        """A body with what `value` has under the names of its fields, and with `more`, which goes before that. pydantic
        refuses it where a field has no value."""
        found = {name: getattr(value, name) for name in cls.model_fields if name not in more and hasattr(value, name)}
        return cls.model_validate(found | more)


# -- requests


MAX_CHARACTERS = 4_000
"""Of a question."""


class AskBody(Body):
    """A question."""

    question: str = Field(min_length=1, max_length=MAX_CHARACTERS)
    conversation: str | None = Field(
        default=None,
        pattern=r"^[A-Za-z0-9_-]{8,64}$",
        description="That of an earlier reply, to ask on; leave it out to begin a new one.",
    )


class FeedbackBody(Body):
    """What somebody thinks of the reply to a question of theirs."""

    number: Number
    vote: Literal["up", "down"]
    reason: str | None = Field(default=None, max_length=500)


class ReindexBody(Body):
    """Which source is read again."""

    source: str = Field(min_length=1, max_length=200, description="Its name; * for all of them.")


class SearchQuery(Body):
    """What is searched for."""

    q: str = Field(min_length=1, max_length=1_000)
    limit: int = Field(default=10, ge=1, le=50)
    method: Method = "hybrid+graph"
    source: str | None = Field(default=None, min_length=1, max_length=200, description="Search this source only.")
    rerank: bool | None = Field(
        default=None, description="Rank the candidates a second time, or not; what is set, where it is left out."
    )


class DocumentQuery(Body):
    """Which parts of a document."""

    first: int = Field(default=0, ge=0, le=1_000_000, description="The part to begin with, from 0.")
    limit: int = Field(default=20, ge=1, le=100)


class RelatedQuery(Body):
    """How many related documents."""

    limit: int = Field(default=10, ge=1, le=50)


class SinceQuery(Body):
    """Since when."""

    days: int = Field(default=30, ge=1, le=366, description="Days that are looked back.")
    limit: int = Field(default=20, ge=1, le=200)


class LimitQuery(Body):
    """How many."""

    limit: int = Field(default=20, ge=1, le=200)


class NoQuery(Body):
    """Nothing is narrowed."""


# -- an answer


class CitedSource(Body):
    """A numbered reference of an answer."""

    n: int = Field(description="The number that the text uses as [n].")
    title: str
    url: str
    path: str
    source: str
    document_id: str
    chunk_id: str = Field(description="The cited passage; empty for what was read at its source.")
    section: str
    place: str = Field(description="Lines or page, in words.")
    quote: str = Field(description="The words of the source; parts of it are divided by ' … '.")
    updated_at: datetime | None


class NearQuoteBody(Body):
    """Words near to the question, which need not answer it."""

    words: str
    chunk_id: str = Field(description="The passage that they are from.")


class NearestBody(Body):
    """A document that came near, though it need not answer."""

    title: str
    url: str
    path: str
    owner: str
    document_id: str
    updated_at: datetime | None
    chunk_id: str = Field(default="", description="The passage that it is named by.")
    quotes: tuple[NearQuoteBody, ...] = ()


class OutcomeBody(Body):
    """How a question ended. Only `answered` is an answer."""

    result: Result
    text: str = Field(description="Markdown; an answer's has markers [n].")
    notice: str = ""
    advice: str = Field(default="", description="What can be done where there is no answer.")
    because: tuple[str, ...] = Field(default=(), description="Why there is none, as codes.")
    confidence: float = 0.0
    partial: bool = Field(default=False, description="Whether a part of the question has no source in it.")
    sources: tuple[CitedSource, ...] = ()
    nearest: tuple[NearestBody, ...] = ()
    follow_ups: tuple[str, ...] = ()


class Reply(Body):
    """A question with its outcome."""

    number: int
    conversation: str
    outcome: OutcomeBody


# -- events of a stream


class QuestionEvent(Body):
    """`question`, the first: it was accepted."""

    number: int
    conversation: str


class StageEvent(Body):
    """`stage`: another step of the work begins."""

    stage: Stage
    iteration: int = Field(description="The round of search, from 1; 0 before the first.")


class ProgressEvent(Body):
    """`progress`: how far it is."""

    text: str
    percent: int
    tool: str = ""


class SentenceEvent(Body):
    """`sentence`: a further part of the answer."""

    text: str


class AgainEvent(Body):
    """`again`: the work was begun anew. What was said in sentences does not hold any more."""

    attempt: int


class SourcesEvent(Body):
    """`sources`: what the answer cites, just before the outcome."""

    sources: tuple[CitedSource, ...]


class OutcomeEvent(Reply):
    """`outcome`, the last."""

    replaces: bool = Field(
        description="Whether its text takes the place of the sentences: a source was closed while they were said. Where"
        " it is false, the text begins with them."
    )
    corrected: bool = Field(description="Whether the outcome was corrected since it was shown first.")


class Problem(Body):
    """An error, by RFC 9457."""

    type: str = "about:blank"
    title: str
    status: int
    detail: str = ""
    code: str = Field(description="The same for each error of its kind, for programs.")
    errors: tuple[str, ...] = Field(default=(), description="What is wrong with a request, one line each.")
