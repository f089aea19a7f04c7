"""The index as questions see it, with the settings' options for searching."""

from agent.retrieval.retriever import RetrievalOptions, Retriever
from agent.retrieval.synonym_groups import read_synonyms
from bot.app.graph_search import graph_of
from bot.app.named_file import text_of
from bot.conversation.actions import SourceSummary
from config.settings import Settings
from domain.model_ports import Embedder
from domain.text.synonyms import NO_SYNONYMS, Synonyms
from storage.index.sources import SourceTable
from storage.index.vectors import HnswEffort
from storage.index.versions import VersionState
from storage.open import Storage
from storage.search.knowledge_search import PostgresSearch
from storage.search.propositions import PostgresPropositions


def searching(
    settings: Settings, storage: Storage, embedder: Embedder, *, state: VersionState = "live"
) -> tuple[PostgresSearch, Retriever]:
    """The index as questions see it. state: of the version."""
    wanted = settings.search
    search = storage.search(
        embedder.identity,
        exact_max=wanted.vector_exact_max,
        effort=_effort(settings),
        state=state,
    )
    graph = graph_of(settings, storage, embedder, state=state) if settings.agent.graph_search else None
    retrieval = RetrievalOptions(
        fusion=wanted.fusion,
        lexical_weight=wanted.fusion_lexical_weight,
        graph_share=wanted.fusion_graph_share,
        similar=wanted.graph_similar,
        rrf_k=wanted.rrf_k,
        candidates=wanted.search_candidates,
        diversity=wanted.diversity,
        synonyms=synonyms_of(settings),
    )
    return search, Retriever(search, embedder, retrieval, graph)


def propositions_of(settings: Settings, storage: Storage, embedder: Embedder) -> PostgresPropositions:
    """Single sentences of the live index, where it has that level."""
    limit = settings.search.vector_exact_max
    return storage.propositions(embedder.identity, exact_max=limit, effort=_effort(settings))


def _effort(settings: Settings) -> HnswEffort:
    return HnswEffort(settings.search.vector_ef_search, settings.search.vector_max_scan)


def synonyms_of(settings: Settings) -> Synonyms:
    """The operator's synonyms; none where no file is named.

    Raises:
        Misconfigured: the file cannot be read, or is not of the form.
    """
    path = settings.search.synonyms
    if path is None:
        return NO_SYNONYMS
    return read_synonyms(text_of(path, f"The synonyms in {path}", "Check KB_AGENT_SYNONYMS."), str(path))


async def source_summaries(table: SourceTable) -> list[SourceSummary]:
    """Every source. Raises Transient when the database is away."""
    return [SourceSummary(each.source.name, each.documents, each.last_done_at) for each in await table.states()]
