"""PropositionSearch over the index in memory."""

import numpy as np
from numpy.typing import NDArray

from domain.access import Scope
from domain.model_ports import EmbedderIdentity
from domain.search import Filters, Proposition
from domain.search_ports import PropositionSearch
from tests.fakes.knowledge import MemoryKnowledge


class MemoryPropositions(PropositionSearch):
    """Compares every visible unit. embedder: the model whose vectors questions have."""

    def __init__(self, knowledge: MemoryKnowledge, embedder: EmbedderIdentity) -> None:
        self._knowledge = knowledge
        self._embedder = embedder

    async def available(self) -> bool:
        return self._knowledge.has_propositions

    async def nearest(
        self, vector: NDArray[np.float32], scope: Scope, *, filters: Filters, limit: int = 20
    ) -> list[Proposition]:
        asked = vector.astype(np.float16).astype(np.float32)
        found = [
            Proposition(
                chunk.chunk_id,
                chunk.document_id,
                unit.start,
                unit.end,
                float(unit.vector.astype(np.float16).astype(np.float32) @ asked),
            )
            for chunk, unit in self._knowledge.units(scope, filters, self._embedder.name)
        ]
        return sorted(found, key=lambda unit: -unit.score)[:limit]
