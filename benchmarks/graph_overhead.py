"""What the graph itself costs: a question's time when model and tools take none.

The reasoner says what it has ready, the index hands out what it holds. Of the time that is left, that of the tool calls
is taken off (fusing rankings, as the trace has it). What remains is LangGraph, routing, recording, checking what is
written, and streaming. Two passes of search, 24 passages, a reply of eight cited sentences.
"""

# ruff: noqa: ARG002 - ports have arguments that who answers at once does not look at

import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agent.answer_context import AnswerContext
from agent.answer_graph import AnswerGraph, GraphNode, answer, compiled
from agent.nodes.analyze_and_route import analyze_and_route
from agent.nodes.build_outcome import build_outcome
from agent.nodes.check_rights import check_rights
from agent.nodes.grade_evidence import grade_evidence
from agent.nodes.plan import plan
from agent.nodes.synthesize import synthesize
from agent.nodes.tool_exec import tool_exec
from agent.nodes.verify import verify
from agent.options import AgentOptions
from agent.reasoner import ReasonerSession
from agent.recorder import Recorder
from agent.retrieval.retriever import RetrievalOptions, Retriever
from agent.rights import RightsCheck
from agent.service import AnswerService, ReasonerFactory
from agent.state import AgentState, ReplyPiece, ToolRequest, Update, joined
from agent.tools.registry import ToolSources, tools
from agent.tools.toolbox import Toolbox
from benchmarks.corpus import SENTENCES_A_CHUNK, real_sentences
from benchmarks.measuring import ms_since, spread
from domain.access import Scope
from domain.answers import Answer, Outcome, Question
from domain.documents import BlockKind, Span
from domain.masking import Masker
from domain.model_ports import Embedder, EmbedderIdentity, TextKind, Vectors
from domain.search import Filters, Hit, Hits, Passage, SearchRequest
from domain.search_ports import NO_PATHS, KnowledgeSearch
from tests.fakes.reasoner import ScriptedReasoner

DIMENSIONS = 384
PASSAGES = 12
CITED = (12, 13, 14, 15, 16, 17, 0, 1)
"""Pages of the passages that the reply quotes: half of the evidence is of the second search, and comes first."""
WARM_UP = 10
SCOPE = Scope.member()
SEARCHES = ("How are alarms routed?", "Who is on call for alarms?")
"""The first search and the second."""


class InstantEmbedder(Embedder):
    """One vector for everything."""

    @property
    def identity(self) -> EmbedderIdentity:
        """Of no real model."""
        return EmbedderIdentity("instant", DIMENSIONS, 254)

    async def embed(self, texts: Sequence[str], kind: TextKind = "passage") -> Vectors:
        """The same row for each text."""
        return np.tile(_unit(), (len(texts), 1))


class InstantIndex(KnowledgeSearch):
    """Finds the same passages for the same search, without looking."""

    def __init__(self) -> None:
        texts = real_sentences()
        self._passages = {
            f"{search}-{number}": _passage(f"{search}-{number}", texts, (search * PASSAGES + number))
            for search in range(len(SEARCHES))
            for number in range(PASSAGES)
        }
        self._hits = {text: _hits(search) for search, text in enumerate(SEARCHES)}

    async def search(self, request: SearchRequest, scope: Scope) -> Hits:
        """The hits of a search."""
        return self._hits[request.text]

    async def passages(self, chunk_ids: Sequence[str], scope: Scope, *, neighbours: int = 0) -> list[Passage]:
        """Those that it has."""
        return [self._passages[chunk_id] for chunk_id in chunk_ids]

    async def around(
        self, chunk_ids: Sequence[str], vector: NDArray[np.float32], scope: Scope
    ) -> dict[str, tuple[float, ...]]:
        """Nothing: each stands alone."""
        return {}

    async def hyphenated(self, words: Collection[str], scope: Scope) -> dict[str, str]:
        """Nothing."""
        return {}

    async def spelled(
        self, words: Collection[str], scope: Scope, *, loosely: bool = False, strictly: bool = False
    ) -> dict[str, str]:
        """Nothing: each word is known."""
        return {}

    async def readable(
        self, passages: Mapping[str, str], scope: Scope, *, paths: Mapping[str, str] = NO_PATHS
    ) -> dict[str, str]:
        """All."""
        return dict(passages)

    async def count_documents(self, scope: Scope, filters: Filters) -> int:
        """All."""
        return len(self._passages)

    async def existing_names(self, filters: Filters, scope: Scope) -> Filters:
        """All."""
        return filters

    async def visibility_key(self, scope: Scope) -> str:
        """Always the same."""
        return "all"


def instant_reasoner() -> ScriptedReasoner:
    """Has everything ready: two searches, middling grades and then good ones, and a reply made of the passages'
    own sentences, word by word."""
    texts = real_sentences()
    words = [
        f"{word} "
        for number, page in enumerate(CITED, start=1)
        for word in f"{texts[page * SENTENCES_A_CHUNK].rstrip('.')} [{number}]. ".split(" ")
    ]
    return ScriptedReasoner(
        first=(_search(0),),
        plans=[(_search(1),)],
        grades=[0.5] * PASSAGES + [0.9] * PASSAGES,
        missing=("who is on call",),
        drafts=[[*map(ReplyPiece, words), ReplyPiece(confidence=0.9)]],
    )


async def measure(questions: int) -> dict[str, Any]:
    """p50 and p95 in milliseconds of `questions` questions each way, taken in turns.

    service: as a question is asked. graph: the graph alone, without opening tools and streaming. nodes_in_a_row: the
    same nodes in the same order without LangGraph.
    """
    index, embedder = InstantIndex(), InstantEmbedder()
    sources = ToolSources(index, Retriever(index, embedder, RetrievalOptions()), embedder)
    service = AnswerService(sources, ReasonerFactory(lambda *_: ReasonerSession(instant_reasoner())))
    graph = compiled()
    times: dict[str, list[float]] = {"service": [], "graph": [], "nodes_in_a_row": []}
    for _ in range(questions + WARM_UP):
        times["service"].append(await _asked(service))
        times["graph"].append(await _run_of(sources, graph))
        times["nodes_in_a_row"].append(await _run_of(sources, None))
    return {"iterations": len(SEARCHES), **{name: spread(values[WARM_UP:]) for name, values in times.items()}}


async def _asked(service: AnswerService) -> float:
    started = time.perf_counter()
    outcome = (await service.ask(Question(SEARCHES[0], SCOPE))).outcome
    return _without_tools(started, outcome)


async def _run_of(sources: ToolSources, graph: AnswerGraph | None) -> float:
    """One question through the graph, or through its nodes in a row."""
    options, masker = AgentOptions(), Masker()
    run = AnswerContext(
        reasoner=instant_reasoner(),
        toolbox=Toolbox(tools(sources, options, SCOPE, None, masker=masker)),
        search=sources.search,
        options=options,
        masker=masker,
        recorder=Recorder(masker),
        rights=RightsCheck(sources.search, sources.access, SCOPE),
    )
    state = AgentState(Question(SEARCHES[0], SCOPE))
    started = time.perf_counter()
    ended = await (answer(graph, state, run) if graph else in_a_row(state, run))
    assert ended.outcome is not None
    assert ended.iteration == len(SEARCHES)
    return _without_tools(started, replace(ended.outcome, trace=replace(ended.outcome.trace, tool_calls=ended.calls)))


async def in_a_row(state: AgentState, run: AnswerContext) -> AgentState:
    """The nodes without the graph, for a question that is searched for until it is answered."""
    state = await _through(state, run, analyze_and_route)
    state = await _through(state, run, plan, tool_exec, grade_evidence)
    while state.decision != "generate":
        state = await _through(state, run, plan, tool_exec, grade_evidence)
    return await _through(state, run, synthesize, verify, check_rights, build_outcome)


async def _through(state: AgentState, run: AnswerContext, *nodes: GraphNode) -> AgentState:
    for node in nodes:
        state = _updated(state, await node(state, run))
    return state


def _updated(state: AgentState, update: Update) -> AgentState:
    changes = dict(update)
    if "evidence" in update:
        changes["evidence"] = joined(state.evidence, update["evidence"])
    if "calls" in update:
        changes["calls"] = state.calls + update["calls"]
    return replace(state, **changes)  # type: ignore[arg-type] # an Update has the state's own fields


def _without_tools(started: float, outcome: Outcome) -> float:
    """Milliseconds since, without those of the tool calls."""
    total = ms_since(started)
    assert isinstance(outcome, Answer), outcome
    assert len(outcome.citations) == len(CITED), outcome
    return total - sum(call.ms for call in outcome.trace.tool_calls)


def _search(number: int) -> ToolRequest:
    return ToolRequest("hybrid_search", {"query": SEARCHES[number]}, 1)


def _hits(search: int) -> Hits:
    ranking = tuple(Hit(f"{search}-{n}", f"document-{search}-{n}", 1 - n / 100) for n in range(PASSAGES))
    scores = {hit.chunk_id: hit.score for hit in ranking}
    return Hits({"lexical": ranking, "dense": ranking}, {"lexical": scores, "dense": scores}, {"alarm": 2.0})


def _passage(chunk_id: str, texts: Sequence[str], number: int) -> Passage:
    first = number * SENTENCES_A_CHUNK
    return Passage(
        chunk_id=chunk_id,
        document_id=f"document-{chunk_id}",
        ordinal=0,
        title=f"Page {number}",
        url=f"https://docs.example/{number}",
        path=f"page-{number}.md",
        source="bench",
        heading_path=("Alarms",),
        text="\n".join(texts[first : first + SENTENCES_A_CHUNK]),
        kind=BlockKind.PROSE,
        span=Span(1, 10),
        updated_at=None,
        vector=_unit(),
    )


def _unit() -> Vectors:
    return np.full(DIMENSIONS, DIMENSIONS**-0.5, np.float32)
