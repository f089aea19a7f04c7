"""The local server that stands for a model's: that it is like one, where nothing else would show it."""

import json
import time
from collections.abc import Iterator

import httpx
import pytest

from tests.fakes import model_faults as faults
from tests.fakes.embeddings_server import KEY, MODEL
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


def test_a_whole_reply_counts_its_words(server: ModelServer, client: httpx.Client) -> None:
    server.script(Reply("one two three", finish="length"))
    reply = client.post("/chat/completions", json=HELLO).json()
    assert reply["choices"][0]["message"]["content"] == "one two three"
    assert reply["choices"][0]["finish_reason"] == "length"
    assert reply["usage"] == {"prompt_tokens": 2, "completion_tokens": 3, "total_tokens": 5}


def test_a_stream_ends_with_usage_when_asked(server: ModelServer, client: httpx.Client) -> None:
    server.script(Reply("one two"), Reply("one two"))
    for options in ({}, {"stream_options": {"include_usage": True}}):
        text = client.post("/chat/completions", json={**HELLO, "stream": True, **options}).text
        *events, done = [line.removeprefix("data: ") for line in text.split("\n\n") if line]
        parsed = [json.loads(event) for event in events]
        assert done == "[DONE]"
        assert "".join(choice["delta"].get("content", "") for each in parsed for choice in each["choices"]) == "one two"
        assert ("usage" in parsed[-1]) == bool(options)


def test_rules_are_tried_in_order_behind_the_script(server: ModelServer, client: httpx.Client) -> None:
    server.script(Reply("scripted"))
    server.rules += [
        lambda body: Reply("greeting") if "Hello" in body["messages"][-1]["content"] else None,
        lambda body: faults.BROKEN,
    ]
    said = [client.post("/chat/completions", json=HELLO).json() for _ in range(2)]
    assert [each["choices"][0]["message"]["content"] for each in said] == ["scripted", "greeting"]
    other = {**HELLO, "messages": [{"role": "user", "content": "Bye"}]}
    assert client.post("/chat/completions", json=other).status_code == 500


def test_latency_is_kept_and_requests_are_noted_with_their_time(server: ModelServer, client: httpx.Client) -> None:
    server.script(Reply("late", latency=0.1))
    start = time.monotonic()
    client.post("/chat/completions", json=HELLO)
    assert time.monotonic() - start >= 0.1
    (asked,) = server.requests
    assert asked.body == HELLO
    assert start <= asked.at <= start + 0.1


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


def test_models_are_listed_and_texts_embedded(client: httpx.Client) -> None:
    listed = {each["id"] for each in client.get("/models").json()["data"]}
    assert {CHAT_MODEL, MODEL} <= listed
    reply = client.post("/embeddings", json={"model": MODEL, "input": ["one", "two"]}).json()
    assert len(reply["data"]) == 2
