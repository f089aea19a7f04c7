"""What our server of the Model Context Protocol refuses over HTTP, beside the server of the protocol's own SDK for
TypeScript, which comes with the inspector: an odd request has one status at both."""

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.command import Kb, embeddings_env, own_database, wait_for, write
from tests.counterparts.conftest import INSTALLED, free_port, missing, node_program
from tests.fakes.embeddings_server import embeddings_server
from tests.flows.web.conftest import SERVING, client, serving, token
from tests.flows.web.test_mcp import HELLO

SCRIPT = Path(__file__).with_name("mcp_reference.mjs")
JSON, BOTH = "application/json", "application/json, text/event-stream"


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """A client of the SDK's server."""
    modules, port = INSTALLED / "node_modules", free_port()
    if not (modules / "@modelcontextprotocol" / "server").is_dir():
        missing("inspector", "the SDK that it brings is not installed: `make counterparts` does that")
    log = tmp_path_factory.mktemp("reference") / "log"
    with log.open("w", encoding="utf-8") as out:
        command = [str(node_program("inspector", "node")), str(SCRIPT), str(modules), str(port)]
        process = subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT)
        try:
            wait_for(lambda: "ready" in log.read_text(encoding="utf-8") or process.poll() is not None)
            assert process.poll() is None, log.read_text(encoding="utf-8")
            with client(f"http://127.0.0.1:{port}") as found:
                yield found
        finally:
            process.terminate()
            process.wait(10)


@pytest.fixture(scope="module")
def ours(data_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """A client of `kb serve`, with a token."""
    with embeddings_server() as server, own_database(data_dir, "reference") as url:
        env = {"KB_AGENT_DATA_DIR": str(data_dir), "KB_AGENT_DATABASE_URL": url, **embeddings_env(server)}
        kb = Kb(env, tmp_path_factory.mktemp("working"))
        done = kb("index", str(write(tmp_path_factory.mktemp("docs"), ferry="# Ferry\n\nIt leaves at nine.\n")))
        assert done.code == 0, done.err
        with serving(kb.having(**SERVING, API_MCP="true")) as (process, base):
            headers = {"Authorization": f"Bearer {token(kb, 'ann@example.com')}"}
            with client(base.removesuffix("/api/v1"), headers=headers) as found:
                yield found
            assert "Traceback" not in process.said


def status(http: httpx.Client, method: str = "POST", body: Any = HELLO, **headers: str | None) -> int:
    """Of one request."""
    given = {"Content-Type": JSON, "Accept": BOTH, **{name.replace("_", "-"): each for name, each in headers.items()}}
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    request = http.build_request(method, "/mcp", content=content if method == "POST" else None)
    for name, value in given.items():
        request.headers.pop(name, None)
        if value is not None:
            request.headers[name] = value
    return http.send(request).status_code


TYPES = {
    "JSON": JSON,
    "with a set of characters": "application/json; charset=utf-8",
    "in large letters": "Application/JSON",
    "a text": "text/plain",
    "a form": "application/x-www-form-urlencoded",
    "of another kind of JSON": "application/json-seq",
    "a text that names JSON": "text/plain; a=application/json",
    "two": "text/plain, application/json",
    "JSON and another": "application/json, text/plain",
    "empty": "",
    "none": None,
}


@pytest.mark.parametrize("case", TYPES)
def test_a_media_type_is_taken_or_refused_by_both(reference: httpx.Client, ours: httpx.Client, case: str) -> None:
    expected = 200 if TYPES[case] is not None and str(TYPES[case]).lower().partition(";")[0] == JSON else 415
    assert [status(each, Content_Type=TYPES[case]) for each in (reference, ours)] == [expected] * 2


@pytest.mark.parametrize("accept", [JSON, "text/event-stream", "text/html"])
def test_who_does_not_take_both_forms_of_an_answer_is_refused_by_both(
    reference: httpx.Client, ours: httpx.Client, accept: str
) -> None:
    assert [status(each, Accept=accept) for each in (reference, ours)] == [406] * 2


@pytest.mark.parametrize("method", ["GET", "DELETE"])
def test_there_are_no_sessions_at_both(reference: httpx.Client, ours: httpx.Client, method: str) -> None:
    assert [status(each, method) for each in (reference, ours)] == [405] * 2


BODIES: dict[str, tuple[Any, int]] = {
    "broken": (b'{"jsonrpc": ', 400),
    "no object": ("hello", 400),
    "no message of the protocol": ({"a": 1}, 400),
    "something that was told": ({"jsonrpc": "2.0", "method": "notifications/initialized"}, 202),
}


@pytest.mark.parametrize("case", BODIES)
def test_a_body_is_taken_or_refused_by_both(reference: httpx.Client, ours: httpx.Client, case: str) -> None:
    body, expected = BODIES[case]
    assert [status(each, body=body) for each in (reference, ours)] == [expected] * 2
