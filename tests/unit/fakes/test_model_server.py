"""The local server that stands for a model's refuses what a real one refuses."""

from collections.abc import Iterator

import httpx
import pytest

from tests.fakes.embeddings_server import KEY
from tests.fakes.model_server import CHAT_MODEL, Body, ModelServer, Reply, model_server

HELLO: Body = {"model": CHAT_MODEL, "messages": [{"role": "user", "content": "Hello there"}]}


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with model_server() as running:
        yield running


@pytest.fixture
def client(server: ModelServer) -> Iterator[httpx.Client]:
    headers = {"Authorization": f"Bearer {KEY}"}
    with httpx.Client(base_url=server.base_url, headers=headers, trust_env=False, timeout=5) as opened:
        yield opened


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({"model": "unknown"}, 404),
        ({"messages": []}, 400),
        ({"messages": [{"role": "robot", "content": "x"}]}, 400),
        ({"response_format": {"type": "json_schema"}}, 400),
        ({"response_format": {"type": "json_schema", "json_schema": {"name": "no blanks", "schema": {}}}}, 400),
    ],
)
def test_wrong_requests_are_refused(server: ModelServer, client: httpx.Client, change: Body, status: int) -> None:
    server.script(Reply("not said"))
    assert client.post("/chat/completions", json={**HELLO, **change}).status_code == status


def test_the_key_is_asked_for(server: ModelServer, client: httpx.Client) -> None:
    server.script(Reply("not said"))
    reply = client.post("/chat/completions", json=HELLO, headers={"Authorization": "Bearer sk-other"})
    assert reply.status_code == 401
