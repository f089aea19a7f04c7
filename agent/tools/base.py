"""What a tool is, and what it gets and gives."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

from pydantic import BaseModel, ConfigDict

from agent.state import Evidence
from domain.access import Scope
from domain.search import Filters, Passage, Ranking

A_contra = TypeVar("A_contra", bound="Arguments", contravariant=True)


class Arguments(BaseModel):
    """Arguments of a tool: unknown ones are refused, so that a model's mistake is seen. Nobody's identity is among
    them: whom a tool works for comes from its context."""

    model_config = ConfigDict(extra="forbid", str_strip_whitespace=True, frozen=True)


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """How a tool is offered."""

    name: str
    use: str
    """When to use it, for the planner."""
    arguments: type[Arguments]
    budget: int = 4
    """Calls in one answer."""
    seconds: float | None = 10.0
    """For one call; None where the tool has limits of its own."""
    place: str = ""
    """Where it searches, as progress says it behind "Searching"; empty: its name in words."""

    @property
    def place_in_words(self) -> str:
        """Where it searches."""
        return self.place or self.name.replace("_", " ")

    def schema(self) -> dict[str, object]:
        """The JSON schema of its arguments."""
        return self.arguments.model_json_schema()


@dataclass(frozen=True, slots=True)
class ToolContext:
    """Who a call is made for, and what limits it."""

    scope: Scope
    filters: Filters
    """What the question narrows the search to."""
    question: str
    """The standalone question."""
    top_k: int = 12
    """How many passages are wanted."""
    asked: str = ""
    """The asker's very words, in this question and those before: of what may leave the house, only they count."""
    evidence: Mapping[str, Evidence] = field(default_factory=dict)
    """What was found so far, by key of the passage."""


@dataclass(frozen=True, slots=True)
class FoundPassage:
    """A passage and how well it fits, 0 to 1."""

    passage: Passage
    score: float
    stated_relations: tuple[str, ...] = ()
    """Relations that it shows and that answer what was asked."""
    linked: bool = False
    """Whether the passage is among the first that the knowledge graph leads to."""


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a call gave."""

    found: tuple[FoundPassage, ...] = ()
    query: str = ""
    """What was searched for, in words."""
    note: str = ""
    """What to know of it, for the trace; of the index command it is said in the reply."""
    parts: tuple[str, ...] = ()
    """Sub-questions, from a tool that takes a question apart."""
    missing: frozenset[Ranking] = frozenset()
    """Rankings that the search did without, because something was away."""
    name: str = ""
    """What the document was asked for by, from a tool that reads one."""


class Tool(Protocol, Generic[A_contra]):
    """Something that a plan can call."""

    spec: ToolSpec
    """How it is offered."""

    async def run(self, args: A_contra, context: ToolContext) -> ToolResult:
        """Does it. Raises KbError; a plan goes on without a call that failed."""
