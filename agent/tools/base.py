"""What a tool is, and what it gets and gives."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

from pydantic import BaseModel, ConfigDict

from agent.state import Evidence
from domain.access import Scope
from domain.search import Filters, Passage

A_contra = TypeVar("A_contra", bound="Arguments", contravariant=True)


class Arguments(BaseModel):
    """Arguments of a tool: unknown ones are refused, so that a model's mistake is seen. Nobody's identity is among
    them: whom a tool works for comes from its context."""

    model_config = ConfigDict(extra="forbid", str_strip_whitespace=True, frozen=True)


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """How a tool is offered. use: when, for the planner. budget: calls in one answer. seconds: for one call;
    None where it has limits of its own."""

    name: str
    use: str
    arguments: type[Arguments]
    budget: int = 4
    seconds: float | None = 10.0

    def schema(self) -> dict[str, object]:
        """The JSON schema of its arguments."""
        return self.arguments.model_json_schema()


@dataclass(frozen=True, slots=True)
class ToolContext:
    """For whom and within what a call is made.

    filters: what the question narrows the search to. question: the standalone question. asked: the asker's very words,
    in this question and those before: of what may leave the house, only they count. top_k: passages wanted.
    evidence: what is known so far, by key.
    """

    scope: Scope
    filters: Filters
    question: str
    top_k: int = 12
    asked: str = ""
    evidence: Mapping[str, Evidence] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Found:
    """A passage and how well it fits, 0 to 1. states: relations that it shows and that answer what was asked. linked:
    whether the knowledge graph leads there first of all."""

    passage: Passage
    score: float
    states: tuple[str, ...] = ()
    linked: bool = False


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a call gave. query: what was searched for, in words. note: what to know of it, for the trace and the
    planner. parts: sub-questions, from a tool that takes a question apart."""

    found: tuple[Found, ...] = ()
    query: str = ""
    note: str = ""
    parts: tuple[str, ...] = ()


class Tool(Protocol, Generic[A_contra]):
    """Something that a plan can call."""

    @property
    def spec(self) -> ToolSpec:
        """How it is offered."""

    async def run(self, args: A_contra, context: ToolContext) -> ToolResult:
        """Does it. Raises KbError; a plan goes on without a call that failed."""
