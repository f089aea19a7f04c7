"""Each implementation in turn."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from domain.search_ports import KnowledgeSearch
from storage.open import open_storage
from storage.server.database import DatabaseOptions
from tests.command import app_url, database_url
from tests.contract.conversations import Conversations
from tests.contract.conversations import opened as conversations_opened
from tests.contract.knowledge import Knowledge, opened
from tests.fakes.embedder import HashEmbedder
from tests.fakes.knowledge import MemoryKnowledge

PLACES = ("memory", "postgresql")
WITHOUT_POLICIES = "postgresql without policies"
"""One role owns the tables and asks: only the filters of the queries guard. Policies would hide one that is missing."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Each implementation in turn, or those of the module; marked `filters_alone`, also where no policy holds."""
    if "place" in metafunc.fixturenames:
        alone = metafunc.definition.get_closest_marker("filters_alone") is not None
        metafunc.parametrize(
            "place",
            [*getattr(metafunc.module, "PLACES", PLACES), *([WITHOUT_POLICIES] if alone else [])],
            indirect=True,
        )


@pytest.fixture
def place(request: pytest.FixtureRequest) -> DatabaseOptions | None:
    """Where PostgreSQL is; None for memory."""
    if request.param == "memory":
        return None
    data_dir: Path = request.getfixturevalue("data_dir")
    url = database_url(data_dir, request.getfixturevalue("database"))
    if request.param == WITHOUT_POLICIES:
        return DatabaseOptions(url, data_dir)
    return DatabaseOptions(app_url(url), data_dir, owner_url=url)


@pytest.fixture
async def knowledge(place: DatabaseOptions | None) -> AsyncIterator[Knowledge]:
    """Each implementation in turn, empty."""
    async with opened(place) as found:
        yield found


@pytest.fixture
async def untouched(place: DatabaseOptions | None) -> AsyncIterator[KnowledgeSearch]:
    """Each implementation in turn, into which nothing was ever written."""
    embedder = HashEmbedder()
    if place is None:
        yield MemoryKnowledge(embedder.identity)
        return
    async with open_storage(place) as storage:
        yield storage.search(embedder.identity)


@pytest.fixture
async def conversations(place: DatabaseOptions | None) -> AsyncIterator[Conversations]:
    """Each implementation of the conversations' ports in turn, empty."""
    async with conversations_opened(place) as found:
        yield found
