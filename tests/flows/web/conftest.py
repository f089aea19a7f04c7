"""`kb serve` with the HTTP API, and programs that call it over real sockets."""

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import httpx
import pytest

from tests.command import Kb, KbProcess, running, wait_for

SERVING: Mapping[str, str] = {
    "API_PORT": "0",
    "HTTP_PORT": "0",
    "WORKER_HEARTBEAT": "0.5",
    "WORKER_LOST": "1.5",
    "ADMINS": "root@example.com",
    "SCHEDULE": "false",  # nothing is read in between
}


@dataclass(frozen=True)
class Program:
    """A program that calls as somebody."""

    http: httpx.Client

    def get(self, path: str, **query: Any) -> httpx.Response:
        return self.http.get(path, params=query)

    def post(self, path: str, body: object, **headers: str) -> httpx.Response:
        return self.http.post(path, json=body, headers=headers)

    def ask(self, question: str, **more: Any) -> Any:
        """The whole reply."""
        reply = self.post("/ask", {"question": question, **more})
        assert reply.status_code == 200, reply.text
        return reply.json()

    def stream(self, question: str, **more: Any) -> list[tuple[str, Any]]:
        """The events of the reply."""
        asked = {"question": question, **more}
        with self.http.stream("POST", "/ask", json=asked, headers={"Accept": "text/event-stream"}) as reply:
            return events(reply)


def events(reply: httpx.Response) -> list[tuple[str, Any]]:
    """Name and data of each, to the end of the stream."""
    assert reply.headers["Content-Type"].startswith("text/event-stream"), reply.read()
    found, name = [], ""
    for line in reply.iter_lines():
        kind, _, rest = line.partition(": ")
        if kind == "event":
            name = rest
        elif kind == "data":
            found.append((name, json.loads(rest)))
    return found


def token(kb: Kb, email: str, *scopes: str) -> str:
    """A new token of somebody's."""
    given = [word for each in scopes or ("ask", "search") for word in ("--scope", each)]
    made = kb("tokens", "create", "test", "--as", email, *given, "--json")
    assert made.code == 0, made.err
    return str(made.json["token"])


def calling(base: str, key: str) -> Program:
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    return Program(client(base, headers=headers))


def client(base: str, **more: Any) -> httpx.Client:
    """A client that leaves no connection open, and follows redirections."""
    nothing_kept = httpx.Limits(max_keepalive_connections=0)
    return httpx.Client(base_url=base, timeout=60, trust_env=False, limits=nothing_kept, follow_redirects=True, **more)


@contextmanager
def serving(kb: Kb) -> Iterator[tuple[KbProcess, str]]:
    """Inside, `kb serve` runs; gives it, and the base of the API."""
    with running(kb, "-v", "serve") as process:
        wait_for(lambda: "API at" in process.said or process.process.poll() is not None)
        found = re.search(r"API at (http://\S+/api/v1)", process.said)
        assert found, process.said
        yield process, found[1]


@pytest.fixture(scope="module")
def served(indexed: Kb) -> Iterator[tuple[Kb, str]]:
    """The command, and the base of the API while it serves the handbook."""
    kb = indexed.having(**SERVING)
    with serving(kb) as (_, base):
        yield kb, base


@pytest.fixture
def ada(served: tuple[Kb, str]) -> Program:
    kb, base = served
    return calling(base, token(kb, "ada@example.com"))
