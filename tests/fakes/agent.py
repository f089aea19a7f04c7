"""The agent over an index in memory, and small values of it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from agent.answer_context import AnswerContext
from agent.options import AgentOptions
from agent.reasoners.offline.factory import OfflineReasonerFactory
from agent.recorder import Recorder
from agent.retrieval.retriever import RetrievalOptions, Retriever
from agent.rights import RightsCheck
from agent.service import AnswerService, ReasonerFactory
from agent.state import AgentState, Analysis, Evidence, SubQuestion, ToolRequest
from agent.tools.base import ToolContext
from agent.tools.registry import ToolSources, tools
from agent.tools.toolbox import Toolbox
from domain.access import Scope
from domain.answers import Progress, Question, ReplyPart
from domain.documents import BlockKind, Span
from domain.errors import Transient
from domain.masking import Masker
from domain.model_ports import TextKind, Vectors
from domain.search import Filters, Passage
from tests.fakes.document_catalog import MemoryGrep, MemoryLibrary
from tests.fakes.embedder import HashEmbedder
from tests.fakes.knowledge import MemoryKnowledge
from tests.fakes.reasoner import ScriptedReasoner

MODEL = HashEmbedder()
MEMBER = Scope.member()
ASKED = "When is the walrus fed?"
HYBRID = ToolRequest("hybrid_search", {"query": ASKED}, 1)
"""A search for it."""


class AwayEmbedder(HashEmbedder):
    """A model whose server is away."""

    async def embed(self, texts: Sequence[str], kind: TextKind = "passage") -> Vectors:
        raise Transient("The embedding server is away")


def the_sources(knowledge: MemoryKnowledge, model: HashEmbedder = MODEL) -> ToolSources:
    """The index with its library and patterns, and nothing live."""
    retriever = Retriever(knowledge, model, RetrievalOptions())
    return ToolSources(
        search=knowledge,
        retriever=retriever,
        embedder=model,
        document_catalog=MemoryLibrary(knowledge),
        grep=MemoryGrep(knowledge),
    )


def a_service(
    knowledge: MemoryKnowledge, model: HashEmbedder = MODEL, options: AgentOptions | None = None
) -> AnswerService:
    """Answers without a language model."""
    sources = the_sources(knowledge, model)
    return AnswerService(sources, ReasonerFactory(OfflineReasonerFactory(sources.retriever, model).open), options)


def a_run(
    knowledge: MemoryKnowledge,
    reasoner: ScriptedReasoner,
    options: AgentOptions | None = None,
    *,
    sources: ToolSources | None = None,
    toolbox: Toolbox | None = None,
) -> AnswerContext:
    """What the nodes of one question work with."""
    known, wanted, masker = sources or the_sources(knowledge), options or AgentOptions(), Masker()
    return AnswerContext(
        reasoner=reasoner,
        toolbox=toolbox or Toolbox(tools(known, wanted, MEMBER, None, masker=masker), calls=wanted.tool_calls),
        search=known.search,
        options=wanted,
        masker=masker,
        recorder=Recorder(masker),
        rights=RightsCheck(known.search, known.access, MEMBER),
        reranker=known.reranker,
        graph=known.graph,
    )


def told(run: AnswerContext) -> list[Progress]:
    """The progress of a run so far."""
    return [event for event in _events(run) if isinstance(event, Progress)]


def _events(run: AnswerContext) -> list[Progress | ReplyPart | None]:
    waiting = run.recorder.events
    return [waiting.get_nowait() for _ in range(waiting.qsize())]


def an_analysis(text: str = ASKED, *parts: str) -> Analysis:
    """Of a question with its parts; of a question that is one part where none are given."""
    numbered = tuple(SubQuestion(number, part) for number, part in enumerate(parts or (text,), start=1))
    return Analysis(text, sub_questions=numbered)


def a_state(text: str = ASKED, **fields: object) -> AgentState:
    """The state of a question that was analysed."""
    return replace(AgentState(Question(text, MEMBER), analysis=an_analysis(text)), **fields)  # type: ignore[arg-type]


def a_context(
    question: str = ASKED,
    *,
    scope: Scope = MEMBER,
    filters: Filters | None = None,
    top_k: int = 12,
    evidence: Sequence[Evidence] = (),
) -> ToolContext:
    """For whom and within what a call is made."""
    return ToolContext(scope, filters or Filters(), question, top_k, question, {item.key: item for item in evidence})


def a_passage(
    text: str,
    document: str = "d",
    *,
    part: int = 0,
    title: str = "",
    url: str = "",
    dated: datetime | None = None,
    headings: tuple[str, ...] = (),
    author: str = "",
) -> Passage:
    """A part of a document, with its own vector."""
    return Passage(
        chunk_id=f"{document}-{part}",
        document_id=document,
        ordinal=part,
        title=title,
        url=url or f"https://x.example/{document}",
        path=f"{document}.md",
        source="docs",
        heading_path=headings,
        text=text,
        kind=BlockKind.PROSE,
        span=Span(3, 4),
        updated_at=dated,
        vector=MODEL.vectors([text])[0],
        author=author,
    )


def an_evidence(
    passage: Passage | str,
    *,
    scores: Mapping[int, float] | None = None,
    found_for: Sequence[int] = (1,),
    grades: Mapping[int, float] | None = None,
    queries: tuple[str, ...] = (),
) -> Evidence:
    """A passage, or one of a document of the text's own, as a search found it."""
    held = a_passage(passage, passage) if isinstance(passage, str) else passage
    return Evidence(held, scores or {1: 0.5}, ("hybrid_search",), frozenset(found_for), queries, grades or {})


def by_key(*items: Evidence) -> dict[str, Evidence]:
    """Evidence as the state holds it."""
    return {item.key: item for item in items}
