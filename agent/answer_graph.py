"""The nodes and edges. What each node does stands in agent.nodes, where to go next in agent.routing."""

from typing import Any, Protocol

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime

from agent.answer_context import AnswerContext, analysis_in
from agent.nodes.analyze_and_route import analyze_and_route
from agent.nodes.build_outcome import build_outcome
from agent.nodes.check_rights import check_rights
from agent.nodes.grade_evidence import grade_evidence
from agent.nodes.plan import plan
from agent.nodes.synthesize import synthesize
from agent.nodes.tool_exec import tool_exec
from agent.nodes.verify import verify
from agent.routing import AFTER_GRADING, AfterAnalysis, AfterVerification, after_analysis, after_verification
from agent.state import AfterRights, AgentState, Decision, ReplyDraft, Update

AnswerGraph = CompiledStateGraph[AgentState, AnswerContext, AgentState, AgentState]


class GraphNode(Protocol):
    """One step of an answer, which can be called on its own."""

    __name__: str

    async def __call__(self, state: AgentState, run: AnswerContext) -> Update:
        """What the step changes."""


STEPS = 100
"""Visits of nodes in one answer, a bound above what eight iterations take, and as many checks of rights as there can be
sources that are closed one after the other."""


def compiled() -> AnswerGraph:
    """The graph. It holds no state of its own: one serves all questions of a process."""
    graph = StateGraph(AgentState, context_schema=AnswerContext)
    nodes: tuple[GraphNode, ...] = (
        analyze_and_route,
        plan,
        tool_exec,
        grade_evidence,
        synthesize,
        verify,
        check_rights,
        build_outcome,
    )
    for node in nodes:
        graph.add_node(node.__name__, _Step(node))
    graph.add_edge(START, "analyze_and_route")
    graph.add_conditional_edges("analyze_and_route", _analyzed, ["plan", "build_outcome"])
    graph.add_edge("plan", "tool_exec")
    graph.add_edge("tool_exec", "grade_evidence")
    graph.add_conditional_edges("grade_evidence", _graded, dict(AFTER_GRADING))
    graph.add_edge("synthesize", "verify")
    graph.add_conditional_edges("verify", _verified, ["plan", "check_rights"])
    graph.add_conditional_edges("check_rights", _rights_checked, ["synthesize", "verify", "build_outcome"])
    graph.add_edge("build_outcome", END)
    return graph.compile()


async def answer(graph: AnswerGraph, state: AgentState, run: AnswerContext) -> AgentState:
    """Runs a question through the graph; the state at the end has an outcome."""
    values: Any = await graph.ainvoke(state, {"recursion_limit": STEPS}, context=run)
    return AgentState(**values)


class _Step:
    """A node with its dependencies out of LangGraph's runtime."""

    def __init__(self, node: GraphNode) -> None:
        self._node = node

    async def __call__(self, state: AgentState, runtime: Runtime[AnswerContext]) -> Any:
        """What the node changes: an Update, which LangGraph takes as any."""
        return await self._node(state, runtime.context)


# routing is no coroutine by nature, but LangGraph would send each plain function through a thread of its own


async def _analyzed(state: AgentState) -> AfterAnalysis:
    return after_analysis(analysis_in(state))


async def _graded(state: AgentState) -> Decision:
    return state.decision or "generate"


async def _rights_checked(state: AgentState) -> AfterRights:
    return state.checked


async def _verified(state: AgentState, runtime: Runtime[AnswerContext]) -> AfterVerification:
    limits = runtime.context.options.limits
    return after_verification(state.draft or ReplyDraft(), state.iteration, limits, searchable=bool(state.plan))
