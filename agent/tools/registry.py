"""The table of tools: which there are, and which of them are configured."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from agent.options import AgentOptions
from agent.retrieval.retriever import Retriever
from agent.tools.base import Tool
from agent.tools.documents import DocumentLookup, LocalFileQA, ReadFile
from agent.tools.graph_related import GraphRelated
from agent.tools.grep_search import GrepSearch
from agent.tools.index_command import IndexCommand
from agent.tools.listing import ListEntries
from agent.tools.live_fetch import LIVE_DOCUMENTS, LiveFetch, WebFetch, WebSearchTool
from agent.tools.live_pages import PageReader
from agent.tools.reasoning import DecomposeQuery, RerankTool
from agent.tools.search import HydeSearch, PassageTool, PropositionTool
from domain.access import Scope
from domain.masking import Masker
from domain.model_ports import Embedder, Reranker
from domain.owner_ports import DocumentOwners
from domain.search import Method
from domain.search_ports import DocumentCatalog, GraphSearch, Grep, KnowledgeSearch, PropositionSearch
from domain.tool_ports import IndexControl, LiveSource, SourceAccess, WebSearch


@dataclass(frozen=True, slots=True)
class ToolSources:
    """What tools work on. None: not configured, and the tool is not offered."""

    search: KnowledgeSearch
    retriever: Retriever
    embedder: Embedder
    document_catalog: DocumentCatalog | None = None
    grep: Grep | None = None
    propositions: PropositionSearch | None = None
    graph: GraphSearch | None = None
    reranker: Reranker | None = None
    live: Mapping[str, LiveSource] = field(default_factory=dict)
    """By the name of the tool that reads there."""
    access: Sequence[SourceAccess] = ()
    """What may be asked whether somebody may read a document at its source."""
    web: LiveSource | None = None
    engine: WebSearch | None = None
    files: LiveSource | None = None
    control: IndexControl | None = None
    owners: DocumentOwners | None = None
    """Says whom documents belong to; no tool works on it."""


_USE: Mapping[Method, str] = {
    "hybrid+graph": "most questions: words and meaning together",
    "hybrid": "most questions: words and meaning together",
    "lexical": "most questions: by words alone",
    "dense": "most questions: by meaning alone",
    "graph": "most questions: along the knowledge graph alone",
}
"""What the first of all searches is for, by the method that is in force."""

_BY_MEANING, _BY_WORDS = {"hybrid+graph", "hybrid", "dense"}, {"hybrid+graph", "hybrid", "lexical"}
_BY_GRAPH = {"hybrid+graph", "graph"}


def tools(
    sources: ToolSources,
    options: AgentOptions,
    scope: Scope,
    hypothesise: Callable[[str], Awaitable[str]] | None,
    *,
    masker: Masker,
) -> list[Tool[Any]]:
    """The tools that are configured and switched on, for one asker. hypothesise: None where nothing can. masker: for
    pages that are read now."""
    reader, method = PageReader(sources.embedder, masker), options.method
    retriever = sources.retriever.weighing(lexical=options.lexical_weight, graph=options.graph_share)
    found: list[Tool[Any]] = [*_searches(retriever, method)]
    if sources.grep:
        found.append(GrepSearch(sources.grep, sources.search))
    if sources.document_catalog:
        found.append(DocumentLookup(sources.document_catalog))
        found.append(LocalFileQA(sources.document_catalog, retriever))
        found.append(ReadFile(sources.document_catalog, sources.files, reader))
    if sources.document_catalog and sources.grep:
        found.append(ListEntries(sources.document_catalog, sources.search, sources.grep, retriever, sources.graph))
    if sources.propositions and method in _BY_MEANING:
        found.append(PropositionTool(retriever, sources.search, sources.propositions))
    if sources.graph and options.features.graph and method in _BY_GRAPH:
        found.append(GraphRelated(sources.graph, sources.search, retriever))
    found += [LiveFetch(spec, sources.live[spec.name], reader) for spec in LIVE_DOCUMENTS if spec.name in sources.live]
    if sources.web:
        found.append(WebFetch(sources.web, reader))
    if sources.engine:
        found.append(WebSearchTool(sources.engine, sources.embedder))
    if hypothesise and options.features.hyde and method in _BY_MEANING:
        found.append(HydeSearch(retriever, hypothesise))
    if sources.reranker and options.features.rerank:
        found.append(RerankTool(sources.reranker, options.rerank))
    if options.features.decomposition:
        found.append(DecomposeQuery())
    if sources.control and sources.control.is_administrator(scope):
        found.append(IndexCommand(sources.control))
    return found


def _searches(retriever: Retriever, method: Method) -> list[PassageTool]:
    """The search by the method in force, and those by one ranking that belongs to it."""
    found = [PassageTool(retriever, "hybrid_search", _USE[method], method, "the index")]
    if method in _BY_MEANING:
        use = "the meaning counts, the words may differ"
        found.append(PassageTool(retriever, "vector_search", use, "dense", "by meaning"))
    if method in _BY_WORDS:
        use = "rare words or names count, the meaning does not"
        found.append(PassageTool(retriever, "keyword_search", use, "lexical", "by words"))
    return found
