"""A reasoner that thinks what it was told to."""

from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from dataclasses import dataclass, field

from agent.options import AgentOptions
from agent.reasoner import Grades, PlanInput, Reasoner, ReasonerSession, SynthesisInput
from agent.state import Analysis, CitedClaim, Evidence, ReplyPiece, SubQuestion, ToolRequest
from agent.tools.base import ToolSpec
from domain.answers import Question
from domain.errors import KbError
from domain.search import Passage

Plan = tuple[ToolRequest, ...]


@dataclass
class ScriptedReasoner(Reasoner):
    """Everything is consumed one a call; what has run out gives the plainest reply.

    analysis: of any question; None for one of a single part. first: the calls that come with the analysis.
    plans: of the passes; an error is raised. grades: one for each item graded, 0 to 1. missing, confidence: of the
    grading. drafts: pieces of each reply. quoted: position of the passage that is the excerpts; 0 for none. support: of
    every claim. surely: whether evidence is conclusive. nearby: what is near to any question.
    asked: what it was asked for, in order. questions, needs, known, briefs, claims: what came in.
    """

    analysis: Analysis | None = None
    first: Plan = ()
    plans: Iterable[Plan | KbError] = ()
    grades: Iterable[float] = ()
    missing: tuple[str, ...] = ()
    confidence: float | None = None
    drafts: Iterable[Sequence[ReplyPiece]] = ()
    quoted: int = 0
    support: float | None = 1.0
    surely: bool = False
    nearby: Sequence[tuple[int, str]] = ()
    asked: list[str] = field(default_factory=list)
    questions: list[Question] = field(default_factory=list)
    needs: list[PlanInput] = field(default_factory=list)
    known: list[Evidence] = field(default_factory=list)
    briefs: list[SynthesisInput] = field(default_factory=list)
    claims: list[CitedClaim] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._plans, self._grades, self._drafts = deque(self.plans), deque(self.grades), deque(self.drafts)

    @property
    def name(self) -> str:
        return "scripted"

    async def analyze(self, question: Question, offered: Sequence[ToolSpec]) -> tuple[Analysis, Plan]:
        self.asked.append("analyze")
        self.questions.append(question)
        plain = Analysis(question.text, sub_questions=(SubQuestion(1, question.text),), by="scripted")
        return self.analysis or plain, self.first

    async def plan(self, need: PlanInput) -> Plan:
        self.asked.append("plan")
        self.needs.append(need)
        planned = self._plans.popleft() if self._plans else ()
        if isinstance(planned, KbError):
            raise planned
        return planned

    async def conclusive(self, analysis: Analysis, evidence: Sequence[Evidence]) -> bool:
        return self.surely and bool(evidence)

    async def grade(self, analysis: Analysis, ungraded: Sequence[Evidence], known: Sequence[Evidence]) -> Grades:
        self.asked.append("grade")
        self.known += known
        grades = {}
        for item in ungraded:
            grade = self._grades.popleft() if self._grades else 0.0
            grades.update({(number, item.key): grade for number in item.found_for})
        return Grades(grades, self.missing, confidence=self.confidence)

    async def synthesize(self, inputs: SynthesisInput) -> AsyncIterator[ReplyPiece]:
        self.asked.append("synthesize")
        self.briefs.append(inputs)
        for piece in self._drafts.popleft() if self._drafts else ():
            yield piece

    async def excerpts(self, inputs: SynthesisInput, note: str = "") -> AsyncIterator[ReplyPiece]:
        self.asked.append("excerpts")
        if 0 < self.quoted <= len(inputs.evidence):
            text = inputs.evidence[self.quoted - 1].passage.text
            yield ReplyPiece(text, source=self.quoted, confidence=0.4)
            yield ReplyPiece(note=note)

    async def near(self, question: str, passages: Sequence[Passage]) -> list[tuple[int, str]]:
        return [(place, words) for place, words in self.nearby if place < len(passages)]

    async def check(self, analysis: Analysis, claims: Sequence[CitedClaim]) -> list[float | None]:
        self.asked.append("check")
        self.claims.extend(claims)
        return [self.support for _ in claims]

    async def hypothesise(self, question: str) -> str:
        self.asked.append("hypothesise")
        return f"A passage that answers: {question}"


def opens(reasoner: ScriptedReasoner) -> Callable[[Question, AgentOptions, str], ReasonerSession]:
    """What agent.service.ReasonerFactory takes."""
    return lambda *_: ReasonerSession(reasoner, remarks=lambda: ["thought by script"])
