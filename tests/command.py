"""The `kb` command as tests run it: in this process, or as a child that can be stopped and killed."""

import io
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import IO, Any

import psutil
import psycopg
import pytest

from bot.cli.entry import run
from storage.server.database import APP_ROLE
from storage.server.embedded import EmbeddedServer
from tests.fakes.embeddings_server import KEY, MODEL, EmbeddingsServer
from tests.fork_server import ForkedProcess, ForkServer

ROOT = Path(__file__).resolve().parents[1]
TEMPLATE = "kb_template"
PATIENCE = 120.0
"""Seconds that a child process may take for anything; a test that meets this bound fails."""


@dataclass(frozen=True)
class Done:
    """How a command ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Standard output, which must be one JSON value and nothing else."""
        assert self.out.endswith("\n"), (self.out, self.err)
        assert self.out.count("\n") == 1, self.out
        return json.loads(self.out)

    @property
    def report(self) -> Any:
        """The only run of `kb index --json` or `kb reindex --json`."""
        (report,) = self.json["runs"]
        return report


@dataclass(frozen=True)
class Kb:
    """Runs `kb`. env: its KB_AGENT_ variables. folder: its working folder. fresh: whether a child is a new Python, as
    people start it; otherwise it is forked from one that has imported the product, which is seconds faster. code: the
    tree that children run, such as that of another release; libraries are this environment's."""

    env: Mapping[str, str]
    folder: Path
    fresh: bool = False
    code: Path = ROOT

    def having(self, **env: str) -> "Kb":
        """The same command with more variables, named without KB_AGENT_; an empty one is not set."""
        merged = {**self.env, **{f"KB_AGENT_{name}": value for name, value in env.items()}}
        return replace(self, env={name: value for name, value in merged.items() if value})

    def __call__(self, *words: str, stdin: str | bytes = b"") -> Done:
        """Runs it in this process."""
        given = stdin.encode() if isinstance(stdin, str) else stdin
        out, err = _stream(), _stream()
        with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
            for name, value in self.variables.items():
                patch.setenv(name, value)
            patch.chdir(self.folder)
            patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given), encoding="utf-8"))
            code = run(list(words))
        return Done(code, _written(out), _written(err))

    def start(self, *words: str | bytes, stdin: int = subprocess.DEVNULL, stdout: int | None = None) -> "KbProcess":
        """Starts it as a child in a session of its own."""
        # files, closed at its end: a pipe that nobody reads would stop it
        output, errors = tempfile.TemporaryFile(), tempfile.TemporaryFile()  # noqa: SIM115
        to = output.fileno() if stdout is None else stdout
        if not self.fresh and stdin == subprocess.DEVNULL:
            forked = _fork_server(self.code).start(words, self.environment, self.folder, (to, errors.fileno()))
            return _noted(KbProcess(forked, output, errors))
        process = subprocess.Popen(
            [sys.executable, "-m", "bot.cli", *words],
            stdin=stdin,
            stdout=to,
            stderr=errors,
            env=self.environment,
            cwd=self.folder,
            start_new_session=True,
        )
        return _noted(KbProcess(process, output, errors))

    @property
    def environment(self) -> dict[str, str]:
        """The whole environment of a child."""
        return {**_kept_environment(self.code), **self.variables}

    @property
    def variables(self) -> dict[str, str]:
        """Its KB_AGENT_ variables, with a free port for operators: many serve at a time here."""
        return {"KB_AGENT_OPS_PORT": "0", **self.env}


def _kept_environment(code: Path) -> dict[str, str]:
    """What children inherit."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    return {**kept, "PYTHONPATH": str(code)}


@cache
def _fork_server(code: Path) -> ForkServer:
    """The one of this process for that code."""
    return ForkServer(_kept_environment(code))


@dataclass(eq=False)
class KbProcess:
    """A running `kb`. output, errors: what it writes. offspring: its children, as far as they were seen."""

    process: "ForkedProcess | subprocess.Popen[bytes]"
    output: IO[bytes]
    errors: IO[bytes]
    offspring: set[psutil.Process] = field(default_factory=set)
    _said: str = ""

    def look(self) -> None:
        """Notes the children that it has now."""
        with suppress(psutil.NoSuchProcess):
            self.offspring.update(psutil.Process(self.process.pid).children(recursive=True))

    def address(self) -> str:
        """Where `kb serve` listens over HTTP, once it does."""
        wait_for(lambda: "health at" in self.said or self.process.poll() is not None)
        found = re.search(r"health at (http://\S+)/health", self.said)
        assert found, self.said
        return found[1]

    def interrupt(self) -> None:
        """Ctrl-C."""
        self.look()
        self.process.send_signal(signal.SIGINT)

    def kill(self) -> None:
        """kill -9; waits for its end."""
        self.look()
        self.process.kill()
        self.process.wait(PATIENCE)

    def end(self) -> Done:
        """Waits for its end."""
        code = self.process.wait(PATIENCE)
        done = Done(code, _content(self.output).decode(), self.said)
        self._close_files()
        return done

    @property
    def said(self) -> str:
        """What it has written to standard error until now."""
        if not self.errors.closed:
            self._said = _content(self.errors).decode(errors="replace")
        return self._said

    def _close_files(self) -> None:
        RUNNING.discard(self)
        self.output.close()
        self.errors.close()

    def left_behind(self) -> list[psutil.Process]:
        """Children that outlived it by more than a moment."""
        deadline = time.monotonic() + 10
        while (alive := [each for each in self.offspring if _runs(each)]) and time.monotonic() < deadline:
            time.sleep(0.02)
        return alive

    def close(self) -> None:
        """Ends it and its children, whatever they do."""
        self.look()
        self.process.kill()
        for each in self.offspring:
            with suppress(psutil.NoSuchProcess):
                each.kill()
        self.process.wait(PATIENCE)
        self._close_files()


RUNNING: set[KbProcess] = set()
"""Those whose end nobody has waited for yet."""


def _noted(process: KbProcess) -> KbProcess:
    RUNNING.add(process)
    return process


@contextmanager
def running(kb: Kb, *words: str, calm: bool = True) -> Iterator[KbProcess]:
    """Inside, a command runs that ends in order when it is interrupted. calm: whether nothing happens that it may log
    with a traceback."""
    process = kb.start(*words)
    try:
        yield process
        process.interrupt()
        ended = process.end()
        assert ended.code == 0, ended.err
        assert not calm or "Traceback" not in ended.err, ended.err
    finally:
        process.close()


def _content(file: IO[bytes]) -> bytes:
    """All of a file, without moving the place where a child writes."""
    return os.pread(file.fileno(), os.fstat(file.fileno()).st_size, 0)


def _runs(process: psutil.Process) -> bool:
    with suppress(psutil.NoSuchProcess):
        return bool(process.status() != psutil.STATUS_ZOMBIE)
    return False


def write(folder: Path, **files: str) -> Path:
    """Writes Markdown files below `folder`: `a="…"` is a.md, `sub__b="…"` is sub/b.md. Gives the folder."""
    for name, content in files.items():
        path = folder / (name.replace("__", "/") + ".md")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    return folder


def wait_for(reached: Callable[[], bool]) -> None:
    """Waits until something holds; fails when it never does."""
    deadline = time.monotonic() + PATIENCE
    while not reached():
        assert time.monotonic() < deadline, "it never came to that"
        time.sleep(0.02)


def embeddings_env(server: EmbeddingsServer) -> dict[str, str]:
    """Settings for the small embedder behind `server`."""
    return {
        "KB_AGENT_EMBEDDING_BASE_URL": server.base_url,
        "KB_AGENT_EMBEDDING_API_KEY": KEY,
        "KB_AGENT_EMBEDDING_MODEL": MODEL,
        "KB_AGENT_ANSWER_MIN_RELEVANCE": "0.12",  # its cosines are lower than those of a model
    }


def database_url(data_dir: Path, name: str) -> str:
    """A database of the session's server, named as an outside service."""
    return f"postgresql://postgres@/{name}?host={EmbeddedServer(data_dir).cluster}"


def app_url(url: str) -> str:
    """The same database as the application's role."""
    return url.replace("//postgres@", f"//{APP_ROLE}@")


@contextmanager
def own_database(data_dir: Path, name: str, template: str = TEMPLATE) -> Iterator[str]:
    """A new database with our schema, or a copy of another one; gives its URL."""
    with connected(database_url(data_dir, "postgres")) as server:
        server.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}"')
    yield database_url(data_dir, name)
    with connected(database_url(data_dir, "postgres")) as server:
        server.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


@contextmanager
def connected(url: str) -> Iterator[psycopg.Connection]:
    """A plain connection, each statement by itself."""
    with psycopg.connect(url, autocommit=True) as connection:
        yield connection


def rows(url: str, query: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
    """What a query gives."""
    with connected(url) as connection:
        return connection.execute(query.encode(), values).fetchall()


def locked_out(url: str, table: str) -> bool:
    """Whether somebody in that database waits for a table that is locked."""
    query = """
        SELECT FROM pg_locks JOIN pg_class ON relation = pg_class.oid
        JOIN pg_database ON pg_database.oid = database AND datname = current_database()
        WHERE relname = %s AND NOT granted
    """
    return bool(rows(url, query, (table,)))


def _stream() -> io.TextIOWrapper:
    return io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)


def _written(stream: io.TextIOWrapper) -> str:
    stream.flush()
    buffer = stream.buffer
    assert isinstance(buffer, io.BytesIO)
    return buffer.getvalue().decode()
