"""A model's server for each module, and a model that asks it."""

from collections.abc import AsyncIterator, Iterator

import pytest

from agent.providers.openai import OpenAIChatModel, open_chat_model
from tests.fakes.model_server import ModelServer, model_server
from tests.unit.agent.openai.asking import endpoint


@pytest.fixture(scope="module")
def running() -> Iterator[ModelServer]:
    with model_server() as server:
        yield server


@pytest.fixture
def server(running: ModelServer) -> ModelServer:
    running.requests.clear()
    running.answers.clear()
    running.refuses.clear()
    running.busiest = 0
    return running


@pytest.fixture(scope="module")
async def shared(running: ModelServer) -> AsyncIterator[OpenAIChatModel]:
    async with open_chat_model(endpoint(running)) as opened:
        yield opened


@pytest.fixture
def model(server: ModelServer, shared: OpenAIChatModel) -> OpenAIChatModel:
    """For tests that leave nothing behind in it."""
    return shared
