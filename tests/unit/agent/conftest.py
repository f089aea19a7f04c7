"""An index of two documents for the tests of nodes."""

import pytest

from tests.fakes.agent import MODEL
from tests.fakes.documents import a_document, put
from tests.fakes.knowledge import MemoryKnowledge


@pytest.fixture
async def knowledge() -> MemoryKnowledge:
    zoo = MemoryKnowledge(MODEL.identity)
    await put(zoo, MODEL, a_document("walrus", labels=["zoo"]), "The walrus is fed at noon.")
    await put(zoo, MODEL, a_document("bus"), "Buses leave at nine.")
    return zoo
