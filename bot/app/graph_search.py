"""The knowledge graph, with the settings' options for searching it."""

from config.settings import Settings
from domain.access import Scope
from domain.graph_search import EntityNeighbourhood
from domain.model_ports import Embedder
from storage.graph.search import GraphSearchOptions, PostgresGraphSearch
from storage.index.versions import VersionState
from storage.open import Storage


def graph_of(
    settings: Settings, storage: Storage, embedder: Embedder | None, *, state: VersionState = "live"
) -> PostgresGraphSearch:
    """The knowledge graph as questions see it. embedder: compares names by meaning. state: of the version."""
    walking = GraphSearchOptions(settings.search.graph_common, settings.search.graph_walk)
    return storage.graph_search(walking, embedder=embedder, state=state)


async def neighbourhoods(
    settings: Settings, storage: Storage, name: str, scope: Scope, *, limit: int, patience: float
) -> list[EntityNeighbourhood]:
    """What a name stands for, with its relations; see domain.search_ports.GraphSearch. The model that compares names by
    meaning is opened only where no very name and no similar one is known. patience: seconds for which a request to its
    server is tried again.

    Raises:
        Misconfigured, Transient: nothing is indexed, or what is needed is missing or away.
    """
    found = await graph_of(settings, storage, None).neighbourhoods(name, scope, limit=limit)
    if found:
        return found
    from bot.app.embedding import models_of_index

    async with models_of_index(settings, storage, patience=patience) as (embedder, _counter):
        return await graph_of(settings, storage, embedder).neighbourhoods(name, scope, limit=limit)
