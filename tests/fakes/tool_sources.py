"""Small stores in memory that hold something for every tool, and using a tool on them."""

from dataclasses import replace
from typing import Any

from agent.options import AgentOptions, Features
from agent.tools.base import Tool, ToolContext, ToolResult
from agent.tools.registry import ToolSources, tools
from domain.access import NOBODY, Acl, Scope, user
from domain.graph_search import GraphStep, RelatedChunk
from domain.index_ports import PropositionRow
from domain.masking import Masker
from domain.owner_ports import OwnedDocument
from domain.tool_ports import LivePage
from tests.fakes.agent import MEMBER, MODEL, a_context, the_sources
from tests.fakes.documents import a_document, chunks_of, put
from tests.fakes.knowledge import MemoryKnowledge
from tests.fakes.owners import MemoryOwners
from tests.fakes.propositions import MemoryPropositions
from tests.fakes.reranker import OverlapReranker
from tests.fakes.tools import Control, Engine, Pages, Relations

ASKED = "When is the walrus fed?"
ADA = Scope.member("ada@example.com")
PAGE = LivePage("https://x.example/seal", "Seals", "The seal is fed at ten.\n\nToner is black.", author="Ada")
LEADS = GraphStep("toner", "fills", "printer", "a chunk")
BASE = {"hybrid_search", "vector_search", "keyword_search", "decompose_query"}


async def a_zoo() -> MemoryKnowledge:
    """Three documents for all, one for Ada alone, one for nobody."""
    knowledge = MemoryKnowledge(MODEL.identity, propositions=True)
    walrus = a_document("walrus", title="Walrus care", path="zoo/walrus.md", labels=["zoo"])
    chunks = chunks_of(walrus, ["The walrus is fed at noon.", "The walrus weighs 900 kg.", "Its pool is deep."])
    texts = [chunk.text for chunk in chunks]
    rows = [PropositionRow(n, 0, len(text), MODEL.vectors([text])[0]) for n, text in enumerate(texts)]
    await knowledge.put(walrus, chunks, MODEL.vectors([chunk.embedded_text for chunk in chunks]), rows)
    await put(knowledge, MODEL, a_document("toner", path="office/toner.md"), "Printers need toner PROJ-12.")
    await put(knowledge, MODEL, a_document("bus", path="office/bus.md"), "Buses leave at nine.")
    own = a_document("diary", path="ada/diary.md", acl=Acl.any_of(user("ada@example.com")))
    await put(knowledge, MODEL, own, "Ada feeds the walrus fish PROJ-12.")
    await put(knowledge, MODEL, a_document("vault", path="vault.md", acl=NOBODY), "The walrus is fed gold PROJ-12.")
    return knowledge


async def everything(knowledge: MemoryKnowledge) -> ToolSources:
    chunk = (await the_sources(knowledge).retriever.rank("toner", MEMBER)).ranked[0].chunk_id
    return replace(
        the_sources(knowledge),
        propositions=MemoryPropositions(knowledge, MODEL.identity),
        graph=Relations(
            [RelatedChunk(chunk, "toner", 0.7, (LEADS,), stated_relations=(LEADS,)), RelatedChunk("gone", "none", 0.9)]
        ),
        reranker=OverlapReranker(),
        live={"jira_fetch": Pages({"PROJ-12": PAGE}), "confluence_fetch": Pages({"123": PAGE})},
        web=Pages({PAGE.url: PAGE}),
        engine=Engine([PAGE, replace(PAGE, url="https://x.example/2", text=" ")]),
        files=Pages({"seal.txt": PAGE}),
        control=Control(ADA),
        owners=MemoryOwners([(OwnedDocument("toner", "Toner", "Ada", "ada@example.com"), None)]),
    )


async def hypothesis(question: str) -> str:
    return "Buses leave at nine." if question else ""


def named(sources: ToolSources, scope: Scope = MEMBER, options: AgentOptions | None = None) -> dict[str, Tool[Any]]:
    wanted = options or AgentOptions(features=Features(rerank=True))
    return {tool.spec.name: tool for tool in tools(sources, wanted, scope, hypothesis, masker=Masker())}


async def use(sources: ToolSources, name: str, context: ToolContext | None = None, /, **args: object) -> ToolResult:
    """Calls a tool as a plan does."""
    within = context or a_context(ASKED)
    tool = named(sources, within.scope)[name]
    return await tool.run(tool.spec.arguments.model_validate(args), within)


def paths(result: ToolResult) -> list[str]:
    return [item.passage.path for item in result.found]
