"""How the agent works: every switch as a value."""

from dataclasses import dataclass, field, replace

from agent.retrieval.reranking import RerankOptions
from agent.routing import SearchLimits
from domain.answers import Mode, Overrides
from domain.search import Method


@dataclass(frozen=True, slots=True)
class Features:
    """What may be switched off. docs/agent.md lists what each costs."""

    decomposition: bool = True
    """Taking a question apart into sub-questions."""
    hyde: bool = True
    """Embedding a hypothetical answer of vague questions."""
    graph: bool = True
    """Searching through the knowledge graph."""
    rerank: bool = False
    """Ranking candidates anew with a reranker."""
    verification: bool = True
    """Asking the model about sentences that the comparison with their sources doubts. The comparison is always made."""
    grading_skip: bool = True
    """Whether evidence that plainly answers is not graded."""
    expansion: bool = True
    """Going on from the titles and names in what was found."""


@dataclass(frozen=True, slots=True)
class AgentOptions:
    """How the agent works on one question."""

    mode: Mode = "agentic"
    """See domain.answers.Mode."""
    limits: SearchLimits = field(default_factory=SearchLimits)
    features: Features = Features()
    rerank: RerankOptions = field(default_factory=RerankOptions)
    method: Method = "hybrid+graph"
    """How `hybrid_search` searches; tools that search otherwise are not offered."""
    lexical_weight: float | None = None
    """Weight of words against meaning, 0 to 1; None for the retriever's."""
    graph_share: float | None = None
    """Weight of the knowledge graph against both, 0 to 1; None for the retriever's."""
    top_k: int = 12
    """Passages an answer is drawn from."""
    min_relevance: float = 0.3
    """Relevance, 0 to 1, below which the answer is that nothing was found."""
    answer_sentences: int = 4
    """Sentences that are quoted without a model, at most, for each part of a question."""
    expansion_depth: int = 1
    """How often a further search goes on from what was found."""
    expansion_threshold: float = 0.0
    """Grade, 0 to 1, that a passage needs for a search to go on from it."""
    support: float = 0.3
    """Support, 0 to 1, below which a sentence counts as unsupported."""
    tool_calls: int = 12
    """Calls of tools in one answer at most."""
    evidence_tokens: int = 6_000
    """Bound of the evidence in one prompt, in tokens of about 4 characters."""
    temperature: float | None = 0.0

    def overridden(self, wanted: Overrides) -> "AgentOptions":
        """These options as one request wants them."""
        names = (
            "mode",
            "method",
            "lexical_weight",
            "graph_share",
            "top_k",
            "temperature",
            "expansion_depth",
            "expansion_threshold",
        )
        options = replace(self, **{name: given for name in names if (given := getattr(wanted, name)) is not None})
        if wanted.max_iterations is not None:
            options = replace(options, limits=replace(options.limits, max_iterations=wanted.max_iterations))
        if wanted.rerank is not None:
            options = replace(options, features=replace(options.features, rerank=wanted.rerank))
        given = {"candidates": wanted.rerank_candidates, "blend": wanted.rerank_blend}
        reranking = {name: value for name, value in given.items() if value is not None}
        options = replace(options, rerank=replace(options.rerank, **reranking))
        return options.direct() if options.mode == "direct" else options

    def direct(self) -> "AgentOptions":
        """One search and one reply: nothing is taken apart, graded, or searched again."""
        features = replace(
            self.features, decomposition=False, hyde=False, graph=False, verification=False, expansion=False
        )
        return replace(self, mode="direct", features=features, limits=replace(self.limits, max_iterations=1))
