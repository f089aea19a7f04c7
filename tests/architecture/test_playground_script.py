"""scripts/playground.sh, with programs in place of the Playground and of `kb` that say what they were given."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.command import ROOT
from tests.counterparts.conftest import free_port

SERVES = "touch health; env >served; exec {python} -m http.server --bind 127.0.0.1 $KB_AGENT_HTTP_PORT"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The files that the script uses."""
    shutil.copytree(ROOT / "scripts", tmp_path / "scripts")
    (tmp_path / "tests" / "counterparts").mkdir(parents=True)
    shutil.copy(ROOT / "tests" / "counterparts" / "package.json", tmp_path / "tests" / "counterparts")
    program(tmp_path, ".counterparts/node_modules/.bin/agentsplayground", "")
    program(tmp_path, ".counterparts/node_modules/.bin/node", 'echo "$@" >played')
    program(tmp_path, "bin/python", f'exec {sys.executable} "$@"')
    return tmp_path


def program(folder: Path, name: str, words: str) -> None:
    """A program of a shell's words."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{words}\n")
    path.chmod(0o755)


def play(folder: Path, serve: str, port: int) -> subprocess.CompletedProcess[str]:
    """What the script comes to. serve: what `kb serve` does."""
    program(folder, "bin/kb", f'[ "$1" = serve ] || exit 0\n{serve}')
    env = {"PATH": os.environ["PATH"], "PORT": str(port), "KB_AGENT_OPS_PORT": "3979"}
    command = ["sh", "scripts/playground.sh", "bin"]
    return subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, timeout=60, check=False)


def test_it_runs_beside_another_kb_serve(folder: Path) -> None:
    port = free_port()
    done = play(folder, SERVES.format(python=sys.executable), port)
    assert done.returncode == 0, done.stderr
    given = (folder / "served").read_text().splitlines()
    assert {f"KB_AGENT_HTTP_PORT={port}", "KB_AGENT_OPS_PORT=0"} <= set(given), "no port is the other one's"
    assert f"http://127.0.0.1:{port}/api/messages" in (folder / "played").read_text()


def test_without_a_bot_there_is_no_playground(folder: Path) -> None:
    done = play(folder, 'echo "Port taken" >&2; exit 2', free_port())
    assert done.returncode == 2
    assert "Port taken" in done.stderr
    assert "kb serve has ended" in done.stderr
    assert not (folder / "played").exists()
