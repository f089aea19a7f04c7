"""The part of a run that any worker may do: a batch of prepared documents is embedded and written."""

from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any, Protocol

from domain.errors import Refused
from domain.index_ports import KnowledgeWriter
from domain.model_ports import Embedder, TokenCounter
from indexer.run.batch import EmbeddedBatch, PreparedDocument, embed_batch
from indexer.run.graph_refresh import write_or_drop_graph


@dataclass(frozen=True, slots=True)
class BatchResult:
    """What became of a batch."""

    failed: dict[str, str]
    """By path of the documents that the index refused: why."""
    embedded: int = 0
    """Chunks whose vectors were not known."""
    tokens: int = 0
    """That the model read."""

    def as_json(self) -> dict[str, Any]:
        """As plain values."""
        return asdict(self)

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> "BatchResult":
        """What `as_json` gave."""
        return cls(**values)


class BatchSharing(Protocol):
    """Hands batches of one run to other workers. All methods raise Transient when the database is away."""

    async def begin(self, run_id: int) -> None:
        """The run has this number."""

    async def hand_over(self, batch: Sequence[PreparedDocument]) -> int | None:
        """Gives a batch to whoever takes it; returns its number. None: workers have enough to do, or there are none, or
        the batch cannot be stored: who asks has to do it."""

    async def results(self) -> dict[int, BatchResult]:
        """What became of batches that were done since it was asked last, by their numbers."""

    def taken_back(self, number: int) -> AbstractAsyncContextManager[KnowledgeWriter | None]:
        """Inside, the batch is the run's own again, to be written by that writer. None: a worker is at it, or has done
        it. Raises Transient, too, when it is not there any more."""

    async def finish(self, number: int, result: BatchResult) -> None:
        """What became of a batch that was taken back."""

    async def end(self) -> None:
        """The run has ended: what was not done of it will not be."""


async def write_batch(
    batch: Sequence[PreparedDocument], embedder: Embedder, counter: TokenCounter, writer: KnowledgeWriter
) -> BatchResult:
    """Embeds a batch and writes it. Raises Transient, Misconfigured as embed_batch and KnowledgeWriter.put do."""
    vectors = await embed_batch(batch, embedder, counter, writer)
    failed = await write_embedded(batch, vectors, writer)
    return BatchResult(failed, vectors.made, vectors.tokens)


async def write_embedded(
    batch: Sequence[PreparedDocument], vectors: EmbeddedBatch, writer: KnowledgeWriter
) -> dict[str, str]:
    """Writes a batch; gives why, by path, documents were refused."""
    failed = {}
    for ready in batch:
        put = partial(writer.put, ready.document, ready.chunks, vectors.rows(ready), vectors.propositions(ready))
        try:
            await write_or_drop_graph(ready.graph, put)
        except Refused as error:
            failed[ready.document.path] = error.what
    return failed
