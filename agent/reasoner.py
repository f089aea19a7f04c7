"""What thinks: the port that the graph's nodes speak to, with and without a language model."""

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from agent.state import Analysis, Claim, Decision, Evidence, Grading, SubQuestion, ToolRequest
from agent.tools.base import ToolSpec
from domain.answers import Question


@dataclass(frozen=True, slots=True)
class Need:
    """What the next search should bring.

    decision: why there is another pass; None for the first. evidence: what is known, best first.
    grading: of that evidence, with what is missing. done: calls already made, by name and arguments.
    """

    question: Question
    analysis: Analysis
    offered: Sequence[ToolSpec]
    decision: Decision | None = None
    evidence: Sequence[Evidence] = ()
    grading: Grading | None = None


@dataclass(frozen=True, slots=True)
class Marks:
    """Grades of evidence: for each sub-question's number and each item's key, 0 to 1; and what is still missing."""

    grades: Mapping[tuple[int, str], float]
    missing: tuple[str, ...] = ()
    unsupported: tuple[str, ...] = ()
    tasks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Part:
    """A sub-question with the evidence for it, best first. items: positions in the brief's evidence, from 1."""

    sub_question: SubQuestion
    items: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Brief:
    """All that an answer may be made of. evidence: numbered from 1 in this order."""

    question: Question
    analysis: Analysis
    parts: tuple[Part, ...]
    evidence: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True)
class Drafted:
    """A piece of a reply.

    text: with `[k]`, k being an item's position in the brief. source: such a position, of a piece that is a whole unit
    in the words of that item: there is nothing to check, and brackets in it are its own. note: for the reader, beside
    the text. broken: the reply broke off: an unfinished sentence before this piece is void. spare: taken only where
    nothing of the reply before it may be shown. confidence: 0 to 1, where it is known.
    """

    text: str = ""
    source: int = 0
    note: str = ""
    broken: bool = False
    spare: bool = False
    confidence: float | None = None


class Reasoner(Protocol):
    """Understands, plans, judges and writes. One object serves one question."""

    @property
    def name(self) -> str:
        """What names it in traces."""

    async def analyze(
        self, question: Question, offered: Sequence[ToolSpec]
    ) -> tuple[Analysis, tuple[ToolRequest, ...]]:
        """What is asked, and the calls of the first search (none: `plan` is asked for them)."""

    async def plan(self, need: Need) -> tuple[ToolRequest, ...]:
        """The calls of the next search; none when nothing more can be tried."""

    async def conclusive(self, analysis: Analysis, evidence: Sequence[Evidence]) -> bool:
        """Whether the evidence plainly answers, so that grading it would change nothing. Never asks a model."""

    async def grade(self, analysis: Analysis, ungraded: Sequence[Evidence], known: Sequence[Evidence]) -> Marks:
        """A grade for every item of `ungraded` and every sub-question it was found for. known: what was graded
        before and kept, for judging what is missing."""

    def synthesize(self, brief: Brief) -> AsyncIterator[Drafted]:
        """The reply in pieces; nothing when the evidence does not answer."""

    async def check(self, claims: Sequence[Claim]) -> list[float]:
        """How far, 0 to 1, the passages of each claim support it."""

    async def hypothesise(self, question: str) -> str:
        """A passage as it might answer the question, to be embedded; empty when none can be made."""
