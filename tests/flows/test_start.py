"""How the command starts: its helps, and how fast they come."""

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import click
import pytest

from bot.cli.entry import kb as command
from tests.command import PATIENCE, ROOT, Kb, write

HEAVY = (
    *("numpy", "sqlalchemy", "onnxruntime", "psycopg", "lxml", "httpx", "alembic", "docutils", "docx"),
    *("pygments", "pypdfium2", "onnx", "tokenizers", "yaml", "Stemmer", "psutil", "markdown_it", "mcp"),
)


AGENT = ("langgraph", "langchain_core", "langsmith", "onnxruntime", "sqlalchemy.orm")
LIGHT: dict[tuple[str, ...], tuple[str, ...]] = {
    ("status",): ("sqlalchemy", "numpy", *AGENT),
    ("graph", "show", "Vacation policy"): ("sqlalchemy", *AGENT),
    ("doctor",): ("langgraph", "langchain_core", "langsmith", "sqlalchemy.orm", "aiohttp"),
    ("ask", "How many vacation days are there?"): ("sqlalchemy", "aiohttp", "alembic"),
    ("ask", "Who approves a vacation in summer?"): ("sqlalchemy", "aiohttp", "alembic"),
}
"""What commands do not import: a command that needs no agent starts in a third of its time."""


def commands(group: click.Command, *path: str) -> list[tuple[str, ...]]:
    """Every command with its groups before it."""
    found = [path]
    if isinstance(group, click.Group):
        for name, each in group.commands.items():
            found += commands(each, *path, name)
    return found


@pytest.mark.parametrize("path", commands(command), ids=" ".join)
def test_every_command_explains_itself(kb_alone: Kb, path: tuple[str, ...]) -> None:
    done = kb_alone(*path, "--help")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith(f"Usage: {' '.join(('kb', *path))} [OPTIONS]")
    assert "-h, --help" in done.out or path
    found = command
    for name in path:
        assert isinstance(found, click.Group)
        found = found.commands[name]  # type: ignore[assignment] # the last one may be no group
    assert found.help
    for option in found.params:
        assert not isinstance(option, click.Option) or option.help, option.name


@pytest.fixture
def kb_alone(tmp_path_factory: pytest.TempPathFactory) -> Kb:
    """The command without a database."""
    return Kb({"KB_AGENT_DATABASE_URL": "postgresql://nobody@127.0.0.1:1/nothing"}, tmp_path_factory.getbasetemp())


def test_the_command_alone_shows_its_help_and_fails(kb_alone: Kb) -> None:
    done = kb_alone()
    assert done.code == 2
    assert "Usage: kb [OPTIONS] COMMAND" in done.err + done.out


def test_the_version(kb_alone: Kb) -> None:
    assert kb_alone("--version").out.startswith("kb, version ")


def test_ctrl_c_while_the_command_is_imported_ends_it_without_a_traceback() -> None:
    code = (
        "import signal, sys; from bot.cli import main\n"
        "class Pressed:\n"
        "    def find_spec(self, name, *_):\n"
        "        if name == 'bot.cli.runs': signal.raise_signal(signal.SIGINT)\n"
        "sys.meta_path.insert(0, Pressed()); main(['--version'])"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "\nStopped.\n")
    done = subprocess.run(
        [sys.executable, "-c", code.replace("--version", "--json")],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, json.loads(done.stdout)["error"]["what"]) == (130, "Stopped")


def test_ctrl_c_leaves_one_json_object_where_json_is_wanted() -> None:
    code = (
        "import signal; from bot.cli import main\n"
        "from bot.cli.entry import kb\n"
        "from bot.cli.options import json_option\n"
        "kb.command('pressed')(json_option(lambda as_json: signal.raise_signal(signal.SIGINT)))\n"
        "main(['pressed', '--json'])"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (130, "\nStopped.\n")
    assert json.loads(done.stdout) == {"error": {"what": "Stopped", "why": "", "next": ""}}


@pytest.mark.parametrize("words", [["--help"], ["ask", "--help"], ["index", "--help"], ["--version"]], ids=" ".join)
def test_help_imports_nothing_heavy(words: list[str]) -> None:
    code = f"import sys; from bot.cli.entry import run; run({words}); print(*set({HEAVY!r}) & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == ""
    assert done.stderr == ""


@pytest.mark.parametrize("words", LIGHT, ids=" ".join)
def test_a_command_imports_only_what_it_needs(shared: Kb, tmp_path: Path, words: tuple[str, ...]) -> None:
    docs = write(
        tmp_path, leave="# Vacation policy\n\nThere are 30 vacation days. See [how](https://docs.example/how).\n"
    )
    assert shared("index", str(docs)).code == 0
    code = (
        f"import sys; from bot.cli.entry import run; print(run({list(words)}), *set({LIGHT[words]}) & set(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env=shared.environment,
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    assert done.stdout.splitlines()[-1] in {"0", "3"}, done.stderr  # 3: no answer was found


def test_help_comes_at_once() -> None:
    def seconds() -> float:
        before = os.times()
        subprocess.run([sys.executable, "-m", "bot.cli", "--help"], cwd=ROOT, capture_output=True, check=True)
        return os.times().children_user - before.children_user

    assert min(seconds() for _ in range(3)) < 0.9


def test_a_wrong_setting_is_named_before_anything_is_loaded() -> None:
    code = (
        "import sys; from bot.cli.entry import run; code = run(['ask', 'q']);"
        f" print(code, *set({HEAVY!r}) & set(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, env={"KB_AGENT_RRF_K": "x"}, check=True
    )
    assert done.stdout == "2\n"
    assert "KB_AGENT_RRF_K" in done.stderr


def test_what_is_registered_for_the_end_runs_and_all_is_written_and_the_code_stays() -> None:
    code = (
        "import atexit, sys, threading, time; from bot.cli.entry import main\n"
        "atexit.register(lambda: (print('registered'), sys.stderr.write('in the buffer\\n')))\n"
        "threading.Thread(target=lambda: (time.sleep(0.2), print('a thread'))).start()\n"
        "main(['--no-such-option'])"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "a thread\nregistered\n")
    assert done.stderr.endswith("in the buffer\n")
    assert "--no-such-option" in done.stderr


def test_output_that_cannot_be_written_at_the_end_is_an_error() -> None:
    code = "import atexit; from bot.cli.entry import main; atexit.register(print, 'lost'); main(['--version'])"
    with open("/dev/full", "wb") as full:  # noqa: PTH123 - a descriptor is wanted
        done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, stdout=full, stderr=subprocess.PIPE, check=False)
    assert done.returncode != 0
    assert b"No space left" in done.stderr


@pytest.mark.parametrize("words", ["--help", "mask --kinds --json", "nosuch --json"])
def test_an_output_that_takes_no_more_is_one_plain_line(kb_alone: Kb, words: str) -> None:
    done = by_shell(kb_alone, f"{words} >/dev/full")
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert done.stderr.startswith("Error: The output could not be written: ")


@pytest.mark.parametrize("words", ["--help", "mask --kinds --json", "nosuch --json"])
def test_an_output_that_is_closed_is_one_plain_line(kb_alone: Kb, words: str) -> None:
    done = by_shell(kb_alone, f"{words} >&-")
    assert (done.returncode, done.stderr) == (1, "Error: The output could not be written: Bad file descriptor\n")


def test_a_command_without_output_needs_none(kb_alone: Kb) -> None:
    assert by_shell(kb_alone, "nosuch >&-").returncode == 2


def test_a_file_of_a_command_that_a_full_disk_does_not_take_is_not_its_output() -> None:
    code = (
        "from pathlib import Path; from bot.cli.entry import kb, main\n"
        "kb.command('fill')(lambda: Path('/dev/full').write_text('all of it'))\n"
        "main(['fill'])"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "on our side: OSError" in done.stderr
    assert "The output" not in done.stderr


def test_a_command_goes_on_whose_progress_cannot_be_written(kb_alone: Kb) -> None:
    assert by_shell(kb_alone, "nosuch 2>/dev/full").returncode == 2
    full = by_shell(kb_alone, "ask --json 2>/dev/full <&-")
    assert json.loads(full.stdout), "it told its progress before"


@pytest.mark.parametrize(
    ("words", "code", "said"), [("mask", 0, ""), ("ask", 2, "There is no question"), ("ask -i", 1, "database")]
)
def test_a_standard_input_that_is_closed_is_an_empty_one(kb_alone: Kb, words: str, code: int, said: str) -> None:
    done = by_shell(kb_alone, f"{words} <&-")
    assert done.returncode == code
    assert said in done.stderr
    assert "on our side" not in done.stderr


def by_shell(kb: Kb, words: str) -> "subprocess.CompletedProcess[str]":
    """A child whose streams a shell redirects."""
    command = f"exec {shlex.quote(sys.executable)} -m bot.cli {words}"
    return subprocess.run(
        ["/bin/sh", "-c", command],
        cwd=kb.folder,
        env=kb.environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )
