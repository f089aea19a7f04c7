"""Tools that think about what is there instead of searching: reranking, taking a question apart."""

from pydantic import Field

from agent.questions.decompose import sub_questions
from agent.retrieval.reranking import RerankOptions, rerank_scores
from agent.tools.base import Arguments, FoundPassage, Tool, ToolContext, ToolResult, ToolSpec
from agent.tools.search import QueryText
from domain.model_ports import Reranker


class RerankArguments(Arguments):
    """query: what the evidence should answer."""

    query: QueryText


class RerankTool(Tool[RerankArguments]):
    """Ranks the evidence so far anew."""

    spec = ToolSpec("rerank", "when much evidence is there and its order looks wrong", RerankArguments, 2, 20.0)

    def __init__(self, reranker: Reranker, options: RerankOptions) -> None:
        self._reranker = reranker
        self._options = options

    async def run(self, args: RerankArguments, context: ToolContext) -> ToolResult:
        """The same passages with blended scores."""
        known = {item.key: (item.passage, item.score) for item in context.evidence.values()}
        if not known:
            return ToolResult(query=args.query, note="there is no evidence yet")
        scores = await rerank_scores(self._reranker, args.query, known, self._options)
        found = tuple(FoundPassage(known[key][0], score) for key, score in scores.items())
        return ToolResult(found, args.query, f"reranked by {self._reranker.name}")


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
