"""What a question becomes on its way to an answer: frozen values, and how updates of them are joined."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from operator import add, or_
from typing import Annotated, Literal, TypedDict

from domain.answers import Citation, Outcome, Question, ToolCall
from domain.search import Filters, Passage, Ranking

Intent = Literal["exact", "conceptual", "relational", "file_discovery"]
"""What sort of search fits: the very words, the meaning, how things hang together, or which document."""

Complexity = Literal["simple", "moderate", "complex"]

MessageKind = Literal["question", "greeting", "thanks", "capabilities"]
"""Whether anything is asked of the documents at all."""

AnswerKind = Literal["fact", "number", "date", "person", "list", "procedure", "explanation", "comparison", "yes_no"]
"""What an answer should be."""

ReferenceKind = Literal["key", "page", "url", "path"]

LIST_ENTRIES = "list_entries"
"""The name of the tool that counts and lists."""

DROP_BELOW = 0.3
"""Evidence graded lower says nothing to the question."""


@dataclass(frozen=True, slots=True)
class QuestionReference:
    """Something that the question names by an id: a ticket key, a page id, a URL, a file's path."""

    kind: ReferenceKind
    text: str


@dataclass(frozen=True, slots=True)
class SubQuestion:
    """A part of the question that can be searched and answered by itself."""

    number: int
    """From 1, in the order of priority."""
    text: str
    kind: AnswerKind = "fact"
    """What the answer should be."""
    priority: int = 1
    """1 is answered first."""
    constraints: tuple[str, ...] = ()
    """Words that narrow it (a product, a version, a year), for the searches made for it."""
    asked: str = ""
    """The asker's own words for it, by which it is named where it has no answer; empty where they are long, or ask
    nothing by themselves."""

    @property
    def added(self) -> str:
        """What it adds to the first part of its question, which it takes along; empty where it stands alone."""
        return self.asked if self.asked != self.text and self.text.endswith(self.asked) else ""


@dataclass(frozen=True, slots=True)
class Analysis:
    """What is asked."""

    standalone: str
    """The question so that it can be understood without the conversation."""
    intent: Intent = "conceptual"
    complexity: Complexity = "simple"
    talk: MessageKind = "question"
    sub_questions: tuple[SubQuestion, ...] = ()
    """At least one; the question itself where it has no parts."""
    filters: Filters = field(default_factory=Filters)
    """What the text itself narrows the search to; they stand in none of the texts here."""
    references: tuple[QuestionReference, ...] = ()
    """What the question names by an id."""
    vague: bool = False
    """Whether the words are so general that a hypothetical answer finds more than they do."""
    own: str = ""
    """The asker's words where `standalone` takes an earlier question along; empty where they stand alone."""
    asked: str = ""
    """The asker's words without the filters in them, so that they can be searched alone, whoever analysed."""
    asker_words: str = ""
    """The asker's words without the filters in them, as they stand in the conversation; empty where `standalone` is
    the same."""
    unmet: str = ""
    """A sentence on filters that do not count, because no document meets them."""
    asked_on: date | None = None
    """The day on which it is asked; None where nobody said."""
    by: str = "offline"
    """Who analysed: `patterns`, `offline`, or a model's name."""

    def sub_question(self, number: int) -> SubQuestion:
        """The sub-question of that number; the whole question for any other."""
        return next((each for each in self.sub_questions if each.number == number), SubQuestion(0, self.standalone))


@dataclass(frozen=True, slots=True)
class ToolRequest:
    """A call that is planned."""

    name: str
    args: Mapping[str, object]
    sub_question: int = 0
    """Number of the sub-question that it is for; 0 for the whole question."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """A passage that was found, whichever tools brought it."""

    passage: Passage
    scores: Mapping[int, float]
    """How well retrieval ranked it, 0 to 1, by iteration."""
    tools: tuple[str, ...]
    """Names of the tools that found it."""
    found_for: frozenset[int]
    """Numbers of the sub-questions it was searched for."""
    queries: tuple[str, ...] = ()
    """What was searched for, in words."""
    grades: Mapping[int, float] = field(default_factory=dict)
    """What the grader makes of it, 0 to 1, by number of the sub-question."""
    stated_relations: tuple[str, ...] = ()
    """Relations of the knowledge graph that it shows and that answer a query."""
    linked: bool = False
    """Whether the passage is among the first that the knowledge graph leads to."""
    names: frozenset[str] = frozenset()
    """What its document was asked for by, such as a URL; empty for what was only searched for."""

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
        """This and what another search says of the same passage. What a listing states is complete."""
        both = (self, other)
        listing = [each for each in both if LIST_ENTRIES in each.tools]
        return replace(
            self,
            scores={
                iteration: max(self.scores.get(iteration, 0.0), other.scores.get(iteration, 0.0))
                for iteration in {**self.scores, **other.scores}
            },
            tools=tuple(dict.fromkeys((*self.tools, *other.tools))),
            found_for=self.found_for | other.found_for,
            queries=tuple(dict.fromkeys((*self.queries, *other.queries))),
            grades={**self.grades, **other.grades},
            stated_relations=tuple(dict.fromkeys(text for each in listing or both for text in each.stated_relations)),
            linked=self.linked or other.linked,
            names=self.names | other.names,
        )


class ClosedEvidence(dict[str, Evidence]):
    """Evidence that may not be read any more: an update with it takes it out."""


def joined(known: Mapping[str, Evidence], new: Mapping[str, Evidence]) -> dict[str, Evidence]:
    """Both, each passage once; without what is closed."""
    if isinstance(new, ClosedEvidence):
        return {key: item for key, item in known.items() if key not in new}
    merged = dict(known)
    for key, item in new.items():
        merged[key] = merged[key].joined(item) if key in merged else item
    return merged


@dataclass(frozen=True, slots=True)
class Grading:
    """What the grader makes of all evidence so far."""

    average: float
    """Mean over the sub-questions of the grades of the best evidence of each, 0 to 1."""
    missing: tuple[str, ...] = ()
    """Points that no evidence covers."""
    tasks: tuple[str, ...] = ()
    """Searches that may find what is missing."""
    skipped: bool = False
    """Whether retrieval was conclusive without a closer look."""
    gained: bool = True
    """Whether this iteration brought evidence that is kept."""
    confidence: float | None = None
    """How surely, 0 to 1, all evidence so far answers the question as a whole; None where nobody said."""


@dataclass(frozen=True, slots=True)
class CitedClaim:
    """A sentence of a reply and the passages it cites."""

    sentence: str
    passages: tuple[Passage, ...]


Decision = Literal["generate", "refine", "re_retrieve"]

AfterRights = Literal["synthesize", "verify", "build_outcome"]
"""What follows a check of rights: another reply, a look at what is left of this one, or the outcome."""


@dataclass(frozen=True, slots=True)
class NearPassage:
    """A passage that came near to a question without an answer; of a document there may be several."""

    passage: Passage
    words: str = ""
    """What is quoted of it; empty where it only names its document."""


@dataclass(frozen=True, slots=True)
class ReplyDraft:
    """A reply of which every sentence is checked."""

    text: str = ""
    """With markers `[n]`; what was shown so far is its beginning, unless a source was closed meanwhile."""
    citations: tuple[Citation, ...] = ()
    """Numbered references, in the order of n."""
    passages: tuple[Passage, ...] = ()
    named: tuple[Passage, ...] = ()
    """Passages of documents that the notes name, cited or not."""
    left_out: tuple[str, ...] = ()
    """Sentences that failed a check and were never shown; empty texts for those that repeat a prompt."""
    notes: tuple[str, ...] = ()
    """What the reader should know, shown below the reply."""
    confidence: float = 0.0
    """How sure the answer is, 0 to 1."""
    found: bool = False
    """Whether there is an answer at all."""


@dataclass(frozen=True, slots=True)
class ReplyPiece:
    """A piece of a reply."""

    text: str = ""
    """With markers `[k]`; k is a position in the evidence of the synthesis input, from 1."""
    quote: str = ""
    """The source's own words, where `text` shows them otherwise: a row of a table with the names of its columns."""
    source: int = 0
    """Such a position, where the piece is a quotation of that passage: there is nothing to check, and brackets in it
    are the passage's own. 0: it is no quotation."""
    note: str = ""
    """A note for the reader, shown below the reply."""
    broken: bool = False
    """Whether the reply broke off: an unfinished sentence before this piece is dropped."""
    cut: bool = False
    """Whether the reply was cut for its length: its last sentence, before this piece, is dropped."""
    spare: bool = False
    """Whether the piece counts only where nothing of the reply before it may be shown."""
    confidence: float | None = None
    """Of the whole reply, 0 to 1; None where it is not known yet."""


@dataclass(frozen=True, slots=True)
class AgentState:
    """All that nodes hand to each other."""

    question: Question
    analysis: Analysis | None = None
    plan: tuple[ToolRequest, ...] = ()
    evidence: Annotated[Mapping[str, Evidence], joined] = field(default_factory=dict)
    calls: Annotated[tuple[ToolCall, ...], add] = ()
    missing_rankings: Annotated[frozenset[Ranking], or_] = frozenset()
    iteration: int = 0
    """Passes of plan and search that were begun, from 1."""
    grading: Grading | None = None
    decision: Decision | None = None
    """What the last grading led to."""
    draft: ReplyDraft | None = None
    """The last reply that was written."""
    chosen: tuple[str, ...] = ()
    """Keys of the evidence that the draft was made from, best first."""
    checked: AfterRights = "build_outcome"
    """What the last check of rights led to."""
    anew: bool = False
    """Whether the reply was written anew, because nothing was left of the first one."""
    nearest: tuple[NearPassage, ...] = ()
    """Where nothing was found: what comes near, and may still be read."""
    outcome: Outcome | None = None


class Update(TypedDict, total=False):
    """What a node changes."""

    question: Question
    analysis: Analysis
    plan: tuple[ToolRequest, ...]
    evidence: Mapping[str, Evidence]
    calls: tuple[ToolCall, ...]
    missing_rankings: frozenset[Ranking]
    iteration: int
    grading: Grading
    decision: Decision
    draft: ReplyDraft
    chosen: tuple[str, ...]
    checked: AfterRights
    anew: bool
    nearest: tuple[NearPassage, ...]
    outcome: Outcome
