"""A question and the ways it can end."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Literal

from domain.access import Scope
from domain.errors import KbError, Misconfigured, advice, sentence
from domain.masking import MaskedText
from domain.reach import UNHELD, Reach
from domain.search import Filters

Mode = Literal["agentic", "direct"]
"""Searching until the evidence is good enough, or one search and one reply."""


@dataclass(frozen=True, slots=True)
class Turn:
    """An earlier question of the same conversation, masked, and the reply as it was shown."""

    question: str
    reply: str


@dataclass(frozen=True, slots=True)
class Overrides:
    """What one request wants otherwise than the settings; None leaves it to them.

    model: its name at the endpoint; `offline` for none. temperature: 0 to 2. top_k: passages an answer is drawn from.
    mode: `agentic` or `direct`. max_iterations: 1 to 8. expansion_depth: how often searching goes on from what was
    found, 0 to 3. expansion_threshold: grade, 0 to 1, that evidence needs for that. rerank: whether to rerank.
    """

    model: str | None = None
    temperature: float | None = None
    top_k: int | None = None
    mode: Mode | None = None
    max_iterations: int | None = None
    expansion_depth: int | None = None
    expansion_threshold: float | None = None
    rerank: bool | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, by whom, and what was said before.

    reach: what holds the search where `scope` is narrow. seconds: in which the outcome is wanted; None where nobody
    says so.
    """

    text: str
    scope: Scope
    filters: Filters = field(default_factory=Filters)
    history: tuple[Turn, ...] = ()
    overrides: Overrides = Overrides()
    reach: Reach = UNHELD
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Citation:
    """A numbered reference of an answer.

    n: the number used in the text as `[n]`, from 1.
    place: where in the document: `line 12`, `lines 12-14`, `page 3`, or empty.
    quote: the words of the source that support the answer.
    chunk_id: of the passage.
    """

    n: int
    title: str
    url: str
    path: str
    source: str
    document_id: str
    section: str
    place: str
    quote: str
    updated_at: datetime | None
    chunk_id: str = ""


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One use of a tool: its name, its arguments, how long it took in milliseconds, how many results it gave.

    iteration: the pass of search it belongs to, from 1. error: why it gave nothing. note: what to know of the result.
    """

    name: str
    args: Mapping[str, object]
    ms: float
    results: int
    iteration: int = 1
    error: str = ""
    note: str = ""


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
    """A passage that an answer was made from.

    tools: which brought it. score: of retrieval, 0 to 1. grade: 0 to 1; None where grading was skipped.
    """

    chunk_id: str
    document_id: str
    path: str
    tools: tuple[str, ...]
    score: float
    grade: float | None
    iteration: int


@dataclass(frozen=True, slots=True)
class Trace:
    """How an outcome came about.

    timings_ms: wall time by stage, in milliseconds. reasoning: one line a decision. model_calls: requests that went
    out to a model. evidence: what the reply was made from, best first. stages: each visit, in order.
    """

    iterations: int = 0
    tool_calls: tuple[ToolCall, ...] = ()
    reasoning: tuple[str, ...] = ()
    timings_ms: Mapping[str, float] = field(default_factory=dict)
    model_calls: int = 0
    evidence: tuple[EvidenceNote, ...] = ()
    stages: tuple[StageTime, ...] = ()
    mode: str = ""


@dataclass(frozen=True, slots=True)
class Progress:
    """What is being done now. words: for the asker. percent: 0 to 100, never falling within an answer.

    iteration: the pass of search, from 1; 0 before the first. tool: the one that is used, where there is one.
    """

    words: MaskedText
    percent: int
    stage: Stage = "search"
    iteration: int = 0
    tool: str = ""

    @property
    def text(self) -> str:
        """The words as they may be shown."""
        return self.words.text


@dataclass(frozen=True, slots=True)
class Written:
    """A further part of the reply, checked and masked: what was written so far is a beginning of the answer's text
    and is never taken back."""

    part: MaskedText

    @property
    def text(self) -> str:
        """The part as it may be shown."""
        return self.part.text


@dataclass(frozen=True, slots=True)
class Nearest:
    """A document that came nearest to a question that has no answer. owner: whom to ask; empty where unknown."""

    title: str
    url: str
    path: str
    owner: str
    updated_at: datetime | None


@dataclass(frozen=True, slots=True)
class Answer:
    """A reply with its references; a greeting's reply has none.

    notice: how the answer was made, when the reader should know. confidence: 0 to 1. follow_ups: questions that may
    come next.
    """

    text: str
    citations: tuple[Citation, ...]
    confidence: float
    notice: str = ""
    trace: Trace = Trace()
    follow_ups: tuple[str, ...] = ()


Cause = Literal["", "nothing_to_search", "filters", "secret"]
"""Why a question that may be asked is not answered: there is no document that it could be answered from, none under
the filters given, or nothing is left of it without its secrets. Empty: it may not be asked like this."""


@dataclass(frozen=True, slots=True)
class NotFound:
    """Documents that the asker may see were searched, and nothing good enough is in them. searched: what was looked
    through, in words; also what a reader may not see ends here. nearest: documents that come near, for the reader to
    judge. reach: what held the search."""

    searched: str
    trace: Trace = Trace()
    nearest: tuple[Nearest, ...] = ()
    notice: str = ""
    reach: Reach = UNHELD


@dataclass(frozen=True, slots=True)
class Declined:
    """The question will not be answered, and why, in sentences that say what helps. cause: the same for programs.
    reach: what held the search, where that is the reason."""

    reason: str
    trace: Trace = Trace()
    cause: Cause = ""
    reach: Reach = UNHELD


@dataclass(frozen=True, slots=True)
class Failed:
    """Something broke. message: what, one sentence.

    misconfigured: whether an operator has to change something first. advice: what the asker can do, in sentences.
    why, next_step: for who operates the service, see domain.errors.KbError.
    """

    message: str
    trace: Trace = Trace()
    misconfigured: bool = False
    advice: str = ""
    why: str = ""
    next_step: str = ""

    @property
    def words(self) -> str:
        """What happened and what helps, as somebody in a chat reads it."""
        return f"{sentence(self.message)} {self.advice}".strip()


Outcome = Answer | NotFound | Declined | Failed


def failed(error: KbError, trace: Trace = Trace()) -> Failed:
    """The outcome of a question that an error ended."""
    operators = isinstance(error, Misconfigured)
    return Failed(error.what, trace, operators, advice(error), error.why, error.next_step)


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
