"""What the nodes of one question work with."""

from collections.abc import Container
from dataclasses import dataclass, field

from agent.options import AgentOptions
from agent.questions.narrowing import merged_filters
from agent.reasoner import Reasoner
from agent.recorder import Recorder
from agent.replies.open_reply import OpenReply
from agent.rights import RightsCheck
from agent.state import AgentState, Analysis
from agent.tools.base import ToolContext
from agent.tools.toolbox import Toolbox
from domain.masking import Masker
from domain.model_ports import Reranker
from domain.owner_ports import DocumentOwners
from domain.search import Filters
from domain.search_ports import GraphSearch, KnowledgeSearch


@dataclass(frozen=True, slots=True)
class AnswerContext:
    """The dependencies of one answer."""

    reasoner: Reasoner
    """Understands, plans, grades and writes."""
    toolbox: Toolbox
    """Runs the calls of tools."""
    search: KnowledgeSearch
    options: AgentOptions
    masker: Masker
    recorder: Recorder
    """Takes progress and lines of the trace."""
    rights: RightsCheck
    """Says what may not be read any more."""
    reranker: Reranker | None = None
    """None where there is none."""
    graph: GraphSearch | None = None
    """Says which documents replace which; None where there is none."""
    owners: DocumentOwners | None = None
    """Says whom documents belong to; None where nobody does."""
    common_words: Container[str] = ()
    """Words in small letters that are spelled right, whether the index holds them or not."""
    replies: list[OpenReply] = field(default_factory=list)
    """One each time that a reply is written. The last may still hold sentences back, until they are verified."""


def analysis_in(state: AgentState) -> Analysis:
    """The analysis, which every node but the first finds there."""
    if state.analysis is None:
        raise ValueError("the question was not analysed")
    return state.analysis


def filters_in(state: AgentState) -> Filters:
    """What narrows the search: the asker's own filters, and where those leave something open, the text's."""
    return merged_filters(state.question.filters, analysis_in(state).filters)


def context_of(state: AgentState, run: AnswerContext) -> ToolContext:
    """For whom and within what tools work now. What the asker said is masked: some of it goes to other servers."""
    asked = "\n".join([state.question.text, *(turn.question for turn in state.question.history)])
    return ToolContext(
        scope=state.question.scope,
        filters=filters_in(state),
        question=analysis_in(state).standalone,
        top_k=run.options.top_k,
        asked=run.masker.mask(asked).text,
        evidence=state.evidence,
    )


def share(state: AgentState, run: AnswerContext, within: float) -> int:
    """Percentage of the work done. within: how far the present iteration is, 0 to 1."""
    passes = run.options.limits.max_iterations
    return round(10 + 60 * (max(0, state.iteration - 1) + within) / max(1, passes))
