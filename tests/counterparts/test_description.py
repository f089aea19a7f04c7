"""Schemathesis makes requests of the API's description, right and wrong ones, and holds the answers to it."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.command import Kb, embeddings_env, own_database, write
from tests.counterparts.conftest import INSTALLED, missing
from tests.fakes.embeddings_server import embeddings_server
from tests.flows.web.conftest import SERVING, serving, token

SECONDS = 900
"""A limit against hanging; it takes about two minutes."""

FREE = dict.fromkeys(("QUESTIONS_USER_MINUTE", "QUESTIONS_CHANNEL_MINUTE", "QUESTIONS_USER_DAY"), "1000000")


EXAMPLES = 10
"""Of each operation, beside those that cover its parameters."""


@pytest.fixture(scope="module")
def kb(data_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kb]:
    """The command, with a small handbook indexed."""
    with embeddings_server() as server, own_database(data_dir, "description") as url:
        env = {"KB_AGENT_DATA_DIR": str(data_dir), "KB_AGENT_DATABASE_URL": url, **embeddings_env(server)}
        found = Kb(env, tmp_path_factory.mktemp("working"))
        done = found(
            "index",
            str(
                write(
                    tmp_path_factory.mktemp("docs"), vacation="# Vacation\n\nEverybody has thirty days of vacation.\n"
                )
            ),
        )
        assert done.code == 0, done.err
        yield found


def test_every_operation_answers_as_it_is_described(kb: Kb) -> None:
    if not (INSTALLED / "schemathesis" / "schemathesis").is_dir():
        missing("schemathesis", "it is not installed: `make counterparts` does that")
    with serving(kb.having(**SERVING, **FREE, MODE="direct")) as (process, base):
        key = token(kb, "root@example.com", "ask", "search", "operate")
        command = [sys.executable, "-m", "schemathesis.cli", "run", f"{base}/openapi.json", "--checks", "all"]
        command += ["--phases", "examples,coverage,fuzzing", "--max-examples", str(EXAMPLES), "--no-color"]
        command += ["--request-timeout", "60"]  # an answer takes its time where other work keeps the machine busy
        # a stream is no single answer: tests/flows/web follows it
        command += ["-H", f"Authorization: Bearer {key}", "--exclude-operation-id", "follow"]
        env = {"PATH": os.environ["PATH"], "PYTHONPATH": str(INSTALLED / "schemathesis")}
        done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=SECONDS, check=False)
        assert done.returncode == 0, done.stdout[-6_000:] + done.stderr[-2_000:]
        assert "Traceback" not in process.said
