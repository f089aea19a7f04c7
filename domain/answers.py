"""A question and the ways it can end."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from typing import Literal, Protocol

from domain.access import Scope
from domain.errors import KbError, Misconfigured, Transient, advice, sentence
from domain.masking import MaskedText
from domain.scope_reason import UNRESTRICTED, ScopeReason
from domain.search import Filters, Method
from domain.translation import translated

Mode = Literal["agentic", "direct"]
"""Searching until the evidence is good enough, or one search and one reply."""


@dataclass(frozen=True, slots=True)
class Turn:
    """An earlier question of the same conversation, masked, and the reply as it was shown."""

    question: str
    reply: str
    sources: tuple[tuple[str, str], ...] = ()
    """Of each passage that the reply cites, its id and that of its document."""


@dataclass(frozen=True, slots=True)
class Overrides:
    """What one request wants otherwise than the settings; None leaves it to them."""

    model: str | None = None
    """The model's name at the endpoint; `offline` for none."""
    temperature: float | None = None
    """Of the model, 0 to 2."""
    top_k: int | None = None
    """Passages an answer is drawn from."""
    mode: Mode | None = None
    """`agentic` or `direct`."""
    method: Method | None = None
    """How it is searched: by words and meaning with the knowledge graph or without it, or by one of the three alone."""
    lexical_weight: float | None = None
    """Weight of words against meaning (embeddings), 0 to 1, in place of learned weights."""
    graph_share: float | None = None
    """Weight of the knowledge graph against both, 0 to 1, in place of learned weights; 0 leaves it out."""
    max_iterations: int | None = None
    """How often it is searched at most, 1 to 8."""
    expansion_depth: int | None = None
    """How often searching goes on from what was found, 0 to 3."""
    expansion_threshold: float | None = None
    """The grade, 0 to 1, from which evidence is searched on from."""
    rerank: bool | None = None
    """Whether candidates are ranked a second time."""
    rerank_candidates: int | None = None
    """How many are, 1 to 200."""
    rerank_blend: float | None = None
    """Weight of the reranker's score against retrieval's, 0 to 1."""


class Readers(Protocol):
    """Says who reads the reply to one question. It may be others than when the question was asked."""

    async def now(self, *, max_age: float = 0.0) -> tuple[Scope, ScopeReason]:
        """The scope of the reply's current readers, and the reason if it is restricted. max_age: seconds; what the
        platform said longer ago does not count. If the platform fails or does not answer in time, the scope is public
        documents only; nothing is raised."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, by whom, and what was said before."""

    text: str
    scope: Scope
    filters: Filters = field(default_factory=Filters)
    history: tuple[Turn, ...] = ()
    overrides: Overrides = Overrides()
    scope_reason: ScopeReason = UNRESTRICTED
    """Why `scope` is narrow, where it is."""
    seconds: float | None = None
    """Seconds in which the outcome is wanted; None for no limit."""
    asked_on: date | None = None
    """The day on which it is asked, by which `last month` and `the next release` are understood; None: today."""
    typed: str = ""
    """What was typed, where words of `text` are spelled otherwise; else empty."""
    readers: Readers | None = field(default=None, compare=False)
    """Is asked before something is shown; None where `scope` cannot become narrower, because the asker alone reads the
    reply, or anybody does."""


@dataclass(frozen=True, slots=True)
class Citation:
    """A numbered reference of an answer."""

    n: int
    """The number used in the text as `[n]`, from 1; 0 where no text refers to it."""
    title: str
    url: str
    path: str
    source: str
    document_id: str
    section: str
    place: str
    """Where in the document: `line 12`, `lines 12-14`, `page 3`, or empty."""
    quote: str
    """The words of the source that support the answer."""
    updated_at: datetime | None
    chunk_id: str = ""
    """The cited passage."""


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One use of a tool: its name, its arguments, how long it took in milliseconds, how many results it gave."""

    name: str
    args: Mapping[str, object]
    ms: float
    results: int
    iteration: int = 1
    """The round of search that it belongs to, from 1."""
    error: str = ""
    """Why it gave nothing; empty where it worked."""
    note: str = ""
    """What to know of the result."""


Stage = Literal["analyze", "plan", "search", "grade", "write", "verify", "mask"]
"""What an answer goes through."""


@dataclass(frozen=True, slots=True)
class StageTime:
    """One visit of a stage: in which iteration, and its wall time in milliseconds."""

    stage: Stage
    iteration: int
    ms: float


@dataclass(frozen=True, slots=True)
class EvidenceNote:
    """A passage that an answer was made from."""

    chunk_id: str
    document_id: str
    path: str
    tools: tuple[str, ...]
    """The tools that found it."""
    score: float
    """By retrieval, 0 to 1."""
    grade: float | None
    """How well it fits the question, 0 to 1; None where grading was skipped."""
    iteration: int


@dataclass(frozen=True, slots=True)
class Trace:
    """How an outcome came about."""

    iterations: int = 0
    tool_calls: tuple[ToolCall, ...] = ()
    reasoning: tuple[str, ...] = ()
    """The decisions, one line each."""
    timings_ms: Mapping[str, float] = field(default_factory=dict)
    """Wall time by stage, in milliseconds."""
    model_calls: int = 0
    """Requests that went out to a model."""
    tokens: int = 0
    """Of these requests and their replies, estimated: a token is about four bytes."""
    evidence: tuple[EvidenceNote, ...] = ()
    """What the reply was made from, best first."""
    stages: tuple[StageTime, ...] = ()
    """Each visit of a stage, in order."""
    mode: str = ""


@dataclass(frozen=True, slots=True)
class Progress:
    """What is being done now."""

    words: MaskedText
    """What the asker reads."""
    percent: int
    """How much is done, 0 to 100; never less than before."""
    stage: Stage = "search"
    iteration: int = 0
    """The round of search, from 1; 0 before the first."""
    tool: str = ""
    """The tool that is used, where there is one."""

    @property
    def text(self) -> str:
        """The words as they may be shown."""
        return self.words.text


@dataclass(frozen=True, slots=True)
class ReplyPart:
    """A further part of the reply, checked and masked: what was written so far is a beginning of the answer's text,
    unless a source is closed while it is written."""

    part: MaskedText

    @property
    def text(self) -> str:
        """The part as it may be shown."""
        return self.part.text


@dataclass(frozen=True, slots=True)
class NearQuote:
    """Words near to a question, which need not answer it."""

    words: str
    chunk_id: str
    """The passage that they are from."""


@dataclass(frozen=True, slots=True)
class NearestDocument:
    """A document that came nearest to a question that has no answer."""

    title: str
    url: str
    path: str
    owner: str
    """Whom to ask; empty where unknown."""
    updated_at: datetime | None
    document_id: str = ""
    addressed: bool = False
    """Whether an address of the owner is known."""
    chunk_id: str = ""
    """The passage that it is named by."""
    quotes: tuple[NearQuote, ...] = ()
    """What is nearest to the question in it."""

    def cited(self) -> tuple[Citation, ...]:
        """References to the passages that it is named by and quoted from, with their words."""
        where = (self.title, self.url, self.path, "", self.document_id, "", "")
        passages = ((self.chunk_id, ""), *((each.chunk_id, each.words) for each in self.quotes))
        return tuple(Citation(0, *where, words, self.updated_at, chunk) for chunk, words in passages if chunk)


@dataclass(frozen=True, slots=True)
class Answer:
    """A reply with its references; a greeting's reply has none."""

    text: str
    citations: tuple[Citation, ...]
    confidence: float
    """How sure the answer is, 0 to 1."""
    notice: str = ""
    """How the answer was made, when the reader should know."""
    trace: Trace = Trace()
    follow_ups: tuple[str, ...] = ()
    """Questions that may come next."""
    partial: bool = False
    """Whether a part of the question has no source in it."""


DeclineCause = Literal["", "nothing_to_search", "filters", "secret"]
"""Why a question that may be asked is not answered: there is no document that it could be answered from, none under
the filters given, or nothing is left of it without its secrets. Empty: it may not be asked like this."""


@dataclass(frozen=True, slots=True)
class NotFound:
    """Documents that the asker may see were searched, and nothing good enough is in them."""

    searched: str
    """What was searched, in words. What a reader may not see is said in the same way."""
    trace: Trace = Trace()
    nearest: tuple[NearestDocument, ...] = ()
    """Documents that come near, for the reader to judge."""
    notice: str = ""
    scope_reason: ScopeReason = UNRESTRICTED
    """Why no more was searched."""


@dataclass(frozen=True, slots=True)
class Declined:
    """The question will not be answered, and why, in sentences that say what helps."""

    reason: str
    trace: Trace = Trace()
    cause: DeclineCause = ""
    """The reason as a value."""
    scope_reason: ScopeReason = UNRESTRICTED
    """Why no more was searched, where that is the reason."""


@dataclass(frozen=True, slots=True)
class Failed:
    """Something broke."""

    message: str
    """What broke, in one sentence."""
    trace: Trace = Trace()
    misconfigured: bool = False
    """Whether an operator has to change something first."""
    advice: str = ""
    """What the asker can do, in sentences."""
    why: str = ""
    """For who operates the service, as `next_step`; see domain.errors.KbError."""
    next_step: str = ""
    retryable: bool = False
    """Whether the same question may have an answer in a moment."""

    @property
    def words(self) -> str:
        """What happened and what helps, as somebody in a chat reads it."""
        return f"{sentence(self.message)} {self.advice}".strip()


Outcome = Answer | NotFound | Declined | Failed


def failed(error: KbError, trace: Trace = Trace()) -> Failed:
    """The outcome of a question that an error ended."""
    operators, retryable = isinstance(error, Misconfigured), isinstance(error, Transient)
    return Failed(translated(error.what), trace, operators, advice(error), error.why, error.next_step, retryable)


def with_remark(outcome: Outcome, remark: str) -> Outcome:
    """The outcome, saying one thing more."""

    def more(text: str) -> str:
        return f"{text} {remark}".strip()

    match outcome:
        case Answer() | NotFound():
            return replace(outcome, notice=more(outcome.notice))
        case Declined():
            return replace(outcome, reason=more(outcome.reason))
        case Failed():
            return replace(outcome, advice=more(outcome.advice))
