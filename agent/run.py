"""What the nodes of one question work with."""

from collections.abc import Mapping
from dataclasses import dataclass

from agent.narrowing import joined
from agent.options import AgentOptions
from agent.reasoner import Reasoner
from agent.recorder import Recorder
from agent.state import AgentState, Analysis
from agent.tools.base import ToolContext
from agent.tools.toolbox import Toolbox
from domain.masking import Masker
from domain.ports import KnowledgeSearch, Reranker
from domain.search import Filters


@dataclass(frozen=True, slots=True)
class Run:
    """The dependencies of one answer.

    reasoner: thinks. toolbox: searches. reranker: None where there is none. recorder: progress and trace.
    """

    reasoner: Reasoner
    toolbox: Toolbox
    search: KnowledgeSearch
    options: AgentOptions
    masker: Masker
    recorder: Recorder
    reranker: Reranker | None = None


def analysis_in(state: AgentState) -> Analysis:
    """The analysis, which every node but the first finds there."""
    if state.analysis is None:
        raise ValueError("the question was not analysed")
    return state.analysis


def filters_in(state: AgentState) -> Filters:
    """What narrows the search: the asker's own filters, and where those leave something open, the text's."""
    return joined(state.question.filters, analysis_in(state).filters)


def context_of(state: AgentState, run: Run) -> ToolContext:
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


def share(state: AgentState, run: Run, within: float) -> int:
    """Percentage of the work done. within: how far the present iteration is, 0 to 1."""
    passes = run.options.limits.max_iterations
    return round(10 + 60 * (max(0, state.iteration - 1) + within) / max(1, passes))


def words_for(amounts: Mapping[str, int]) -> str:
    """Amounts in words: `2 passages, 1 document`."""
    return ", ".join(f"{count} {name}{'' if count == 1 else 's'}" for name, count in amounts.items())
