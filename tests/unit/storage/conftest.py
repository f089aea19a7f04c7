import pytest

from domain.text.tokens import Analyzer
from storage.index.sources import Source
from storage.index.writer import PostgresWriter
from storage.open import Storage
from tests.fakes.documents import SOURCE
from tests.fakes.embedder import HashEmbedder

OTHER = "wiki"
EMBEDDER = HashEmbedder(8)


@pytest.fixture
async def sources(storage: Storage) -> list[str]:
    """Names of two sources in the empty store."""
    names = [SOURCE, OTHER]
    for name in names:
        await storage.sources.add(Source(name, "files", {}))
    return names


@pytest.fixture
async def writer(storage: Storage, sources: list[str]) -> PostgresWriter:
    """Writes into the live version of the empty store."""
    return await storage.writer(EMBEDDER.identity, Analyzer())
