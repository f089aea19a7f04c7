"""How the agent works: every switch as a value."""

from dataclasses import dataclass, field, replace

from agent.routing import Limits
from domain.answers import Mode, Overrides


@dataclass(frozen=True, slots=True)
class Features:
    """What may be switched off. docs/agent.md lists what each costs.

    decomposition: taking a question apart. hyde: embedding a hypothetical answer of vague questions.
    graph: searching through the knowledge graph. rerank: a second look at candidates. verification: the graded
    check of sentences (the deterministic one is always made). grading_skip: no grading of conclusive evidence.
    expansion: going on from the titles and names in what was found.
    """

    decomposition: bool = True
    hyde: bool = True
    graph: bool = True
    rerank: bool = False
    verification: bool = True
    grading_skip: bool = True
    expansion: bool = True


@dataclass(frozen=True, slots=True)
class RerankOptions:
    """candidates: passages looked at twice, at most. minimum: fewer are not reranked. blend: weight of the reranker's
    score against retrieval's, 0 to 1."""

    candidates: int = 50
    minimum: int = 10
    blend: float = 0.5


@dataclass(frozen=True, slots=True)
class AgentOptions:
    """mode: see domain.answers.Mode. top_k: passages an answer is drawn from. min_relevance: below it nothing is
    found, 0 to 1. expansion_depth: how often searching goes on from what was found. expansion_threshold: the grade
    evidence needs for that. support: below it, 0 to 1, a sentence counts as unsupported. tool_calls: in one answer.
    evidence_tokens: bound of the evidence in one prompt, in tokens of about 4 characters."""

    mode: Mode = "agentic"
    limits: Limits = field(default_factory=Limits)
    features: Features = Features()
    rerank: RerankOptions = RerankOptions()
    top_k: int = 12
    min_relevance: float = 0.3
    expansion_depth: int = 1
    expansion_threshold: float = 0.0
    support: float = 0.3
    tool_calls: int = 12
    evidence_tokens: int = 6_000
    temperature: float | None = field(default=0.0)

    def overridden(self, wanted: Overrides) -> "AgentOptions":
        """These options as one request wants them."""
        options = self
        if wanted.mode is not None:
            options = replace(options, mode=wanted.mode)
        if wanted.top_k is not None:
            options = replace(options, top_k=wanted.top_k)
        if wanted.temperature is not None:
            options = replace(options, temperature=wanted.temperature)
        if wanted.max_iterations is not None:
            options = replace(options, limits=replace(options.limits, max_iterations=wanted.max_iterations))
        if wanted.expansion_depth is not None:
            options = replace(options, expansion_depth=wanted.expansion_depth)
        if wanted.expansion_threshold is not None:
            options = replace(options, expansion_threshold=wanted.expansion_threshold)
        if wanted.rerank is not None:
            options = replace(options, features=replace(options.features, rerank=wanted.rerank))
        return options.direct() if options.mode == "direct" else options

    def direct(self) -> "AgentOptions":
        """One search and one reply: nothing is taken apart, graded, or searched again."""
        features = replace(
            self.features, decomposition=False, hyde=False, graph=False, verification=False, expansion=False
        )
        return replace(self, mode="direct", features=features, limits=replace(self.limits, max_iterations=1))
