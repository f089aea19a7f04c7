"""What thinks: the port that the graph's nodes speak to, with and without a language model."""

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from agent.checking.conflicts import Conflict
from agent.state import Analysis, CitedClaim, Decision, Evidence, Grading, ReplyPiece, SubQuestion, ToolRequest
from agent.tools.base import ToolSpec
from domain.answers import Question
from domain.knowledge_graph import Precedence
from domain.search import Passage


@dataclass(frozen=True, slots=True)
class PlanInput:
    """What the next search should bring."""

    question: Question
    analysis: Analysis
    offered: Sequence[ToolSpec]
    decision: Decision | None = None
    """Why there is another pass; None for the first."""
    evidence: Sequence[Evidence] = ()
    """What is known, best first."""
    grading: Grading | None = None
    """Of that evidence, with what is missing."""
    failed: Sequence[str] = ()
    """Sentences of a reply of which nothing could be shown, because that evidence does not say them."""
    read: Sequence[str] = ()
    """Which parts of documents were read, and what reads on."""
    searched: Sequence[str] = ()
    """The calls that were made, each with how much it found."""


@dataclass(frozen=True, slots=True)
class Grades:
    """Grades of evidence: for each sub-question's number and each item's key, 0 to 1; and what is still missing."""

    grades: Mapping[tuple[int, str], float]
    missing: tuple[str, ...] = ()
    tasks: tuple[str, ...] = ()
    confidence: float | None = None
    """How surely, 0 to 1, the evidence answers the question as a whole; None where nobody said."""


@dataclass(frozen=True, slots=True)
class AnswerPart:
    """A sub-question with the evidence for it, best first."""

    sub_question: SubQuestion
    items: tuple[int, ...]
    """Positions in the evidence of the synthesis input, from 1."""


@dataclass(frozen=True, slots=True)
class SynthesisInput:
    """All that an answer may be made of."""

    question: Question
    analysis: Analysis
    parts: tuple[AnswerPart, ...]
    evidence: tuple[Evidence, ...]
    """Numbered from 1 in this order."""
    conflicts: tuple[Conflict, ...] = ()
    """What the evidence says differently of what is asked, by those numbers."""
    precedence: Mapping[tuple[str, str], Precedence] = field(default_factory=dict)
    """Which of its documents count before which, see GraphSearch.precedence."""
    sure: float | None = None
    """How surely, 0 to 1, the evidence answers by the one who graded it; None where nobody said."""


class Reasoner(Protocol):
    """Understands, plans, judges and writes. One object serves one question."""

    @property
    def name(self) -> str:
        """What names it in traces."""

    async def analyze(
        self, question: Question, offered: Sequence[ToolSpec]
    ) -> tuple[Analysis, tuple[ToolRequest, ...]]:
        """What is asked, and the calls of the first search (none: `plan` is asked for them)."""

    async def plan(self, need: PlanInput) -> tuple[ToolRequest, ...]:
        """The calls of the next search; none when nothing more can be tried."""

    async def conclusive(self, analysis: Analysis, evidence: Sequence[Evidence]) -> bool:
        """Whether the evidence plainly answers, so that grading it would change nothing. Never asks a model."""

    async def grade(self, analysis: Analysis, ungraded: Sequence[Evidence], known: Sequence[Evidence]) -> Grades:
        """A grade for every item of `ungraded` and every sub-question it was found for. known: what was graded
        before and kept, for judging what is missing."""

    def synthesize(self, inputs: SynthesisInput) -> AsyncIterator[ReplyPiece]:
        """The reply in pieces; nothing when the evidence does not answer."""

    def excerpts(self, inputs: SynthesisInput, note: str = "") -> AsyncIterator[ReplyPiece]:
        """The sentences of the evidence that answer best, quoted, and the note behind them; nothing when none is good
        enough. Never asks a model."""

    async def near(self, question: str, passages: Sequence[Passage]) -> list[tuple[int, str]]:
        """Words of passages that are near to a question, though they need not answer it: a few, the nearest first, each
        with its passage's position from 0. Never asks a model."""

    async def check(self, analysis: Analysis, claims: Sequence[CitedClaim]) -> list[float | None]:
        """How far, 0 to 1, the passages of each claim support it; None where nothing can tell. analysis: of the
        question that they answer."""

    async def hypothesise(self, question: str) -> str:
        """A passage as it might answer the question, to be embedded; empty when none can be made."""


@dataclass(frozen=True, slots=True)
class ReasonerSession:
    """A reasoner with its budgets, for one question."""

    reasoner: Reasoner
    hypothesises: bool = False
    """Whether it can write a hypothetical answer."""
    calls: Callable[[], int] = int
    """Requests that went out to a model so far; none without a model."""
    remarks: Callable[[], list[str]] = list
    """What the trace should say of the model: calls that failed, replies from the cache."""
    tokens: Callable[[], int] = int
    """Of these requests and their replies, estimated."""
    give_up: Callable[[str], None] = lambda _: None
    """Has no request go out to a model from now on; takes why."""
