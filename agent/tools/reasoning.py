"""Tools that think about what is there instead of searching: reranking, taking a question apart."""

from pydantic import Field

from agent.questions.decompose import sub_questions
from agent.retrieval.score_blending import blend
from agent.tools.base import Arguments, FoundPassage, Tool, ToolContext, ToolResult, ToolSpec
from agent.tools.search import QueryText
from domain.model_ports import Reranker


class RerankArguments(Arguments):
    """query: what the evidence should answer."""

    query: QueryText


class RerankTool(Tool[RerankArguments]):
    """Ranks the evidence so far anew. candidates: looked at, at most. weight: of the new score, 0 to 1."""

    spec = ToolSpec("rerank", "when much evidence is there and its order looks wrong", RerankArguments, 2, 20.0)

    def __init__(self, reranker: Reranker, candidates: int, weight: float) -> None:
        self._reranker = reranker
        self._candidates = candidates
        self._weight = weight

    async def run(self, args: RerankArguments, context: ToolContext) -> ToolResult:
        """The same passages with blended scores."""
        return await reranked(self._reranker, args.query, context, self._candidates, self._weight)


async def reranked(reranker: Reranker, query: str, context: ToolContext, candidates: int, weight: float) -> ToolResult:
    """The best `candidates` of the evidence with their scores blended with the reranker's."""
    known = sorted(context.evidence.values(), key=lambda item: (-item.score, item.key))[:candidates]
    if not known:
        return ToolResult(query=query, note="there is no evidence yet")
    passages = [item.passage for item in known]
    scores = blend([item.score for item in known], await reranker.scores(query, passages), weight)
    found = [FoundPassage(passage, score) for passage, score in zip(passages, scores, strict=True)]
    return ToolResult(tuple(sorted(found, key=lambda item: -item.score)), query, f"reranked by {reranker.name}")


class DecomposeArguments(Arguments):
    """question: what to take apart."""

    question: str = Field(min_length=3, max_length=2_000)


class DecomposeQuery(Tool[DecomposeArguments]):
    """Takes a question apart by its grammar."""

    spec = ToolSpec("decompose_query", "a question that turns out to be several", DecomposeArguments, 1, 2.0)

    async def run(self, args: DecomposeArguments, context: ToolContext) -> ToolResult:
        """Its parts; none when it is one question."""
        del context
        parts = tuple(part.text for part in sub_questions(args.question))
        return ToolResult(parts=parts if len(parts) > 1 else (), note=f"{len(parts)} parts")
