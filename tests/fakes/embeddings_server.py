"""A local HTTP server that speaks OpenAI's embeddings API over HashEmbedder, and fails on demand."""

import json
import socket
import struct
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.fakes.embedder import HashEmbedder

KEY = "sk-very-secret"
MODEL = "hash-model"

Reply = dict[str, Any]
Fault = Callable[["_Handler", Reply], None]
"""Answers a request instead of the server; gets the reply that would have been right."""


@dataclass
class Received:
    """One request as it came in."""

    path: str
    authorization: str | None
    body: dict[str, Any]


@dataclass
class EmbeddingsServer:
    """What a test sets and sees.

    base_url: to be given to clients.
    dimensions: numbers in one vector unless the request asks for others.
    max_batch: more texts in one request are answered with 413.
    max_characters: a longer text is answered with 400.
    others: further models by name; under the name of MODEL, one that has taken its place.
    wants: what must stand before a text, by its kind; a text without is answered with 400.
    requests: all that came in.
    """

    base_url: str = ""
    dimensions: int = 64
    max_batch: int = 2048
    max_characters: int = 100_000
    others: dict[str, HashEmbedder] = field(default_factory=dict)
    wants: dict[str, str] = field(default_factory=dict)
    requests: list[Received] = field(default_factory=list)
    faults: deque[Fault] = field(default_factory=deque)
    closing: threading.Event = field(default_factory=threading.Event)

    def fail_next(self, *faults: Fault) -> None:
        """The next requests meet these faults, one each."""
        self.faults.extend(faults)

    def _takes(self, text: str) -> bool:
        return 0 < len(text) <= self.max_characters and (not self.wants or text.startswith(tuple(self.wants.values())))

    def answer(self, request: Received) -> tuple[int, Reply]:
        """Status and body, without faults."""
        texts = request.body.get("input", [])
        if request.path != "/v1/embeddings":
            return 404, _error("not_found", "no such path")
        if request.authorization != f"Bearer {KEY}":
            return 401, _error("invalid_api_key", f"Incorrect API key provided: {request.authorization}")
        other = self.others.get(str(request.body.get("model")))
        if request.body.get("model") != MODEL and other is None:
            return 404, _error("model_not_found", f"no model {request.body.get('model')}")
        if len(texts) > self.max_batch:
            return 413, _error("too_many", f"at most {self.max_batch} texts")
        if not all(self._takes(text) for text in texts):
            return 400, _error("context_length_exceeded", f"too long, empty or without a prefix: {texts}")
        plain = [_without(text, self.wants.values()) for text in texts]
        rows = (other or HashEmbedder(self.dimensions)).vectors(plain)
        return 200, _embeddings(rows.tolist())


@contextmanager
def embeddings_server() -> Iterator[EmbeddingsServer]:
    """A server on a free local port, in threads of its own."""
    state = EmbeddingsServer()
    handler = type("Handler", (_Handler,), {"state": state})
    with _Server(("127.0.0.1", 0), handler) as http:
        state.base_url = f"http://127.0.0.1:{http.server_port}/v1"
        thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield state
        finally:
            state.closing.set()
            http.shutdown()
            thread.join()


def status(code: int, *, retry_after: str | None = None, error: str = "some_error") -> Fault:
    """An error reply, which quotes the request as real servers do."""

    def fault(handler: "_Handler", _: Reply) -> None:
        quoted = json.dumps([vars(each) for each in handler.state.requests[-1:]])
        handler.reply(code, _error(error, quoted), {"Retry-After": retry_after} if retry_after else {})

    return fault


def reset(handler: "_Handler", _: Reply) -> None:
    """Breaks the connection off."""
    # closing with a linger time of zero sends RST instead of FIN
    handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    handler.close_connection = True


def hang(handler: "_Handler", _: Reply) -> None:
    """Says nothing until the server closes."""
    handler.state.closing.wait(30)
    handler.close_connection = True


def trickle(handler: "_Handler", _: Reply) -> None:
    """Sends a byte now and then, so that no single read waits long."""
    handler.send_response(200)
    handler.end_headers()
    handler.close_connection = True
    for _tick in range(600):
        if handler.state.closing.wait(0.05):
            return
        try:
            handler.wfile.write(b" ")
        except OSError:
            return


def wrong_order(handler: "_Handler", right: Reply) -> None:
    """The vectors backwards, each with its right index: the API allows it."""
    handler.reply(200, {**right, "data": right["data"][::-1]})


def wrong_count(handler: "_Handler", right: Reply) -> None:
    """One vector too few."""
    handler.reply(200, {**right, "data": right["data"][:-1]})


def vectors(change: Callable[[list[float]], Any]) -> Fault:
    """Each vector as `change` makes it."""

    def fault(handler: "_Handler", right: Reply) -> None:
        handler.reply(200, _embeddings([change(item["embedding"]) for item in right["data"]]))

    return fault


def body(content: bytes) -> Fault:
    """A successful reply with this content."""

    def fault(handler: "_Handler", _: Reply) -> None:
        handler.send(200, content, {})

    return fault


class _Server(ThreadingHTTPServer):
    daemon_threads = False
    block_on_close = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        if not isinstance(sys.exception(), ConnectionError):  # killed clients are what some tests are about
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    state: EmbeddingsServer
    protocol_version = "HTTP/1.1"
    timeout = 5

    def do_POST(self) -> None:
        content = self.rfile.read(int(self.headers["Content-Length"]))
        request = Received(self.path, self.headers["Authorization"], json.loads(content))
        self.state.requests.append(request)
        code, right = self.state.answer(request)
        if self.state.faults:
            self.state.faults.popleft()(self, right)
        else:
            self.reply(code, right)

    def reply(self, code: int, content: Reply, headers: dict[str, str] | None = None) -> None:
        self.send(code, json.dumps(content).encode(), headers or {})

    def send(self, code: int, content: bytes, headers: dict[str, str]) -> None:
        self.send_response(code)
        for name, value in {"Content-Length": str(len(content)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name in http.server
        """Tests read what was asked in `EmbeddingsServer.requests`."""


def _without(text: str, prefixes: Iterable[str]) -> str:
    return next((text.removeprefix(each) for each in prefixes if text.startswith(each)), text)


def _embeddings(rows: list[Any]) -> Reply:
    data = [{"object": "embedding", "index": index, "embedding": row} for index, row in enumerate(rows)]
    return {"object": "list", "model": MODEL, "data": data, "usage": {"prompt_tokens": 0, "total_tokens": 0}}


def _error(code: str, message: str) -> Reply:
    return {"error": {"code": code, "message": message, "type": "invalid_request_error"}}
