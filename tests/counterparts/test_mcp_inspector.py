"""The inspector of the Model Context Protocol, by its own project, lists and calls the tools over both transports."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.command import Kb, embeddings_env, own_database, write
from tests.counterparts.conftest import node_program
from tests.fakes.embeddings_server import embeddings_server
from tests.flows.web.conftest import SERVING, serving, token

TOOLS = ["search", "ask", "read_document", "related"]


@pytest.fixture(scope="module")
def kb(data_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kb]:
    """The command, with two documents indexed of which one names the other."""
    with embeddings_server() as server, own_database(data_dir, "inspector") as url:
        env = {"KB_AGENT_DATA_DIR": str(data_dir), "KB_AGENT_DATABASE_URL": url, **embeddings_env(server)}
        found = Kb(env, tmp_path_factory.mktemp("working"))
        docs = write(
            tmp_path_factory.mktemp("docs"),
            ferry="# Ferry\n\nThe ferry to hut seven leaves at nine. See [the timetable](timetable.md).\n",
            timetable="# Timetable\n\nThe harbour office prints the timetable.\n",
        )
        done = found("index", str(docs))
        assert done.code == 0, done.err
        yield found


def inspected(target: Sequence[str], folder: Path, env: dict[str, str], *words: str) -> Any:
    """What the inspector prints of one method."""
    node, program = node_program("inspector", "node"), node_program("inspector", "mcp-inspector")
    command = [str(node), str(program.resolve()), "--cli", "--connect-timeout", "120000", *words, *target]
    own = {"PATH": f"{node.parent}:{os.environ['PATH']}", "HOME": str(folder), **env}
    done = subprocess.run(command, env=own, cwd=folder, capture_output=True, text=True, timeout=180, check=False)
    assert done.stdout, done.stderr
    return json.loads(done.stdout)


def calls_every_tool(target: Sequence[str], folder: Path, env: dict[str, str]) -> None:
    """Lists the tools and calls each."""

    def call(name: str, *given: str) -> Any:
        words = [word for each in given for word in ("--tool-arg", each)]
        return inspected(target, folder, env, "--method", "tools/call", "--tool-name", name, *words)

    listed = inspected(target, folder, env, "--method", "tools/list")["tools"]
    assert [each["name"] for each in listed] == TOOLS
    found = call("search", "q=ferry to hut seven", "limit=1")["structuredContent"]["results"]
    assert found[0]["title"] == "Ferry"
    document = f"document_id={found[0]['document_id']}"
    assert "leaves at nine" in call("read_document", document)["content"][0]["text"]
    assert call("related", document)["structuredContent"]["related"][0]["title"] == "Timetable"
    asked = call("ask", "question=When does the ferry to hut seven leave?")
    assert asked["structuredContent"]["outcome"]["result"] == "answered"
    assert "[1] Ferry" in asked["content"][0]["text"]
    assert call("read_document", "document_id=0")["isError"]


def test_over_http(kb: Kb, tmp_path: Path) -> None:
    with serving(kb.having(**SERVING, API_MCP="true")) as (process, base):
        key = token(kb, "ann@example.com")
        address = base.replace("/api/v1", "/mcp")
        target = ["--header", f"Authorization: Bearer {key}", "--transport", "http", "--server-url", address]
        calls_every_tool(target, tmp_path, {})
        assert "Traceback" not in process.said


def test_over_standard_input_and_output(kb: Kb, tmp_path: Path) -> None:
    given = [word for name, value in kb.environment.items() for word in ("-e", f"{name}={value}")]
    command = [sys.executable, "-m", "bot.cli", "mcp", "--as", "ann@example.com"]
    calls_every_tool([*given, "--", *command], tmp_path, kb.environment)
