"""What a question becomes on its way to an answer: frozen values, and how updates of them are joined."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from operator import add
from typing import Annotated, Literal, TypedDict

from domain.answers import Citation, Outcome, Question, ToolCall
from domain.search import Filters, Passage

Intent = Literal["exact", "conceptual", "relational", "file_discovery"]
"""What sort of search fits: the very words, the meaning, how things hang together, or which document."""

Complexity = Literal["simple", "moderate", "complex"]

Talk = Literal["question", "greeting", "thanks", "capabilities"]
"""Whether anything is asked of the documents at all."""

Kind = Literal["fact", "number", "date", "person", "list", "procedure", "explanation", "comparison", "yes_no"]
"""What an answer should be."""

ReferenceKind = Literal["key", "page", "url", "path"]

DROP_BELOW = 0.3
"""Evidence graded lower says nothing to the question."""


@dataclass(frozen=True, slots=True)
class Reference:
    """Something that the question names by an id: a ticket key, a page id, a URL, a file's path."""

    kind: ReferenceKind
    text: str


@dataclass(frozen=True, slots=True)
class SubQuestion:
    """A part of the question that can be searched and answered by itself.

    number: from 1. kind: what the answer should be. priority: 1 is answered first.
    constraints: words that narrow it (a product, a version, a year), for the searches made for it.
    """

    number: int
    text: str
    kind: Kind = "fact"
    priority: int = 1
    constraints: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Analysis:
    """What is asked.

    standalone: the question so that it can be understood without the conversation. sub_questions: one or more.
    filters: what the text itself narrows the search to; they stand in none of the texts here.
    references: what is named by an id. vague: whether the words are so general that a hypothetical answer finds
    more than they do. unmet: a sentence on filters that do not count, because
    no document meets them. by: who analysed: `patterns`, `offline`, or a model's name.
    """

    standalone: str
    intent: Intent = "conceptual"
    complexity: Complexity = "simple"
    talk: Talk = "question"
    sub_questions: tuple[SubQuestion, ...] = ()
    filters: Filters = field(default_factory=Filters)
    references: tuple[Reference, ...] = ()
    vague: bool = False
    unmet: str = ""
    by: str = "offline"

    def sub_question(self, number: int) -> SubQuestion:
        """The sub-question of that number; the whole question for any other."""
        return next((each for each in self.sub_questions if each.number == number), SubQuestion(0, self.standalone))


@dataclass(frozen=True, slots=True)
class ToolRequest:
    """A call that is planned. sub_question: its number; 0 for the whole question."""

    name: str
    args: Mapping[str, object]
    sub_question: int = 0


@dataclass(frozen=True, slots=True)
class Evidence:
    """A passage that was found, whichever tools brought it.

    scores: 0 to 1, how well retrieval ranked it, by iteration. tools: which brought it. found_for: numbers of the
    sub-questions it was searched for. queries: what was searched for, in words. grades: by sub-question, 0 to 1, what
    the grader makes of it. states: relations of the knowledge graph that it shows and that answer a query. linked:
    whether the graph leads there first of all.
    """

    passage: Passage
    scores: Mapping[int, float]
    tools: tuple[str, ...]
    found_for: frozenset[int]
    queries: tuple[str, ...] = ()
    grades: Mapping[int, float] = field(default_factory=dict)
    states: tuple[str, ...] = ()
    linked: bool = False

    @property
    def key(self) -> str:
        """Which passage it is."""
        return self.passage.chunk_id

    @property
    def grade(self) -> float:
        """The best of its grades; 0 while there is none."""
        return max(self.grades.values(), default=0.0)

    @property
    def score(self) -> float:
        """The best of its scores."""
        return max(self.scores.values(), default=0.0)

    @property
    def iteration(self) -> int:
        """The first that found it."""
        return min(self.scores, default=1)

    def joined(self, other: "Evidence") -> "Evidence":
        """This and what another search says of the same passage."""
        return replace(
            self,
            scores=_higher(self.scores, other.scores),
            tools=tuple(dict.fromkeys((*self.tools, *other.tools))),
            found_for=self.found_for | other.found_for,
            queries=tuple(dict.fromkeys((*self.queries, *other.queries))),
            grades={**self.grades, **other.grades},
            states=tuple(dict.fromkeys((*self.states, *other.states))),
            linked=self.linked or other.linked,
        )


def _higher(one: Mapping[int, float], other: Mapping[int, float]) -> dict[int, float]:
    return {key: max(one.get(key, 0.0), other.get(key, 0.0)) for key in {**one, **other}}


def joined(known: Mapping[str, Evidence], new: Mapping[str, Evidence]) -> dict[str, Evidence]:
    """Both, each passage once."""
    merged = dict(known)
    for key, item in new.items():
        merged[key] = merged[key].joined(item) if key in merged else item
    return merged


@dataclass(frozen=True, slots=True)
class Grading:
    """What the grader makes of all evidence so far.

    average: 0 to 1, over the sub-questions, of the best evidence of each. missing: points that no evidence covers.
    unsupported: what the evidence seems to claim without a ground. tasks: searches that may find what is missing.
    skipped: whether retrieval was conclusive without a closer look. gained: whether this iteration brought
    evidence that is kept.
    """

    average: float
    missing: tuple[str, ...] = ()
    unsupported: tuple[str, ...] = ()
    tasks: tuple[str, ...] = ()
    skipped: bool = False
    gained: bool = True


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence of a reply and the passages it cites."""

    sentence: str
    passages: tuple[Passage, ...]


Decision = Literal["generate", "refine", "re_retrieve"]


@dataclass(frozen=True, slots=True)
class Draft:
    """A composed reply that is checked, or to be checked.

    text: with `[n]`; what was shown so far is its beginning. citations: in the order of n.
    dropped: sentences that failed a check and were never shown. uncited: those shown without a source.
    notes: what the reader should know.
    confidence: 0 to 1. found: whether there is an answer at all.
    """

    text: str = ""
    citations: tuple[Citation, ...] = ()
    passages: tuple[Passage, ...] = ()
    dropped: int = 0
    uncited: int = 0
    notes: tuple[str, ...] = ()
    confidence: float = 0.0
    found: bool = False


@dataclass(frozen=True, slots=True)
class AgentState:
    """All that nodes hand to each other.

    iteration: passes of plan and search begun. decision: what the last grading led to. claims: the draft's cited
    sentences. chosen: keys of the evidence that the draft was made from, best first.
    """

    question: Question
    analysis: Analysis | None = None
    plan: tuple[ToolRequest, ...] = ()
    evidence: Annotated[Mapping[str, Evidence], joined] = field(default_factory=dict)
    calls: Annotated[tuple[ToolCall, ...], add] = ()
    iteration: int = 0
    grading: Grading | None = None
    decision: Decision | None = None
    draft: Draft | None = None
    claims: tuple[Claim, ...] = ()
    chosen: tuple[str, ...] = ()
    outcome: Outcome | None = None


class Update(TypedDict, total=False):
    """What a node changes."""

    analysis: Analysis
    plan: tuple[ToolRequest, ...]
    evidence: Mapping[str, Evidence]
    calls: tuple[ToolCall, ...]
    iteration: int
    grading: Grading
    decision: Decision
    draft: Draft
    claims: tuple[Claim, ...]
    chosen: tuple[str, ...]
    outcome: Outcome
