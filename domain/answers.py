"""A question and the ways it can end."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from domain.access import Scope
from domain.search import Filters


@dataclass(frozen=True, slots=True)
class Turn:
    """An earlier question of the same conversation and the reply that was shown."""

    question: str
    reply: str


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, by whom, and what was said before."""

    text: str
    scope: Scope
    filters: Filters = field(default_factory=Filters)
    history: tuple[Turn, ...] = ()


@dataclass(frozen=True, slots=True)
class Citation:
    """A numbered reference of an answer.

    n: the number used in the text as `[n]`, from 1.
    place: where in the document: `line 12`, `lines 12-14`, `page 3`, or empty.
    quote: the words of the source that support the answer.
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


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One use of a tool: its name, its arguments, how long it took in milliseconds, how many results it gave."""

    name: str
    args: Mapping[str, object]
    ms: float
    results: int


@dataclass(frozen=True, slots=True)
class Trace:
    """How an outcome came about.

    timings_ms: wall time by stage, in milliseconds. reasoning: one line a decision.
    """

    iterations: int = 0
    tool_calls: tuple[ToolCall, ...] = ()
    reasoning: tuple[str, ...] = ()
    timings_ms: Mapping[str, float] = field(default_factory=dict)
    model_calls: int = 0


@dataclass(frozen=True, slots=True)
class Progress:
    """What is being done now, in words for the asker. percent: 0 to 100."""

    text: str
    percent: int


@dataclass(frozen=True, slots=True)
class Answer:
    """A reply with its references.

    notice: how the answer was made, when the reader should know. confidence: 0 to 1.
    """

    text: str
    citations: tuple[Citation, ...]
    confidence: float
    notice: str = ""
    trace: Trace = Trace()


@dataclass(frozen=True, slots=True)
class NotFound:
    """Nothing good enough is known. searched: what was looked through, in words; also what a reader may not see
    ends here."""

    searched: str
    trace: Trace = Trace()


@dataclass(frozen=True, slots=True)
class Declined:
    """The question will not be answered, and why."""

    reason: str
    trace: Trace = Trace()


@dataclass(frozen=True, slots=True)
class Failed:
    """Something broke. message: what, why and what to do next, in words for the asker.

    misconfigured: whether an operator has to change something first.
    """

    message: str
    trace: Trace = Trace()
    misconfigured: bool = False


Outcome = Answer | NotFound | Declined | Failed
