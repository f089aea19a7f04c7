"""PostgreSQL as a company runs it: a server over TCP that asks for passwords, and PgBouncer in front of it.

The server is made of the embedded one's own programs: initdb, postgres, psql and the tools for dumps. Neither it nor
PgBouncer runs as root, so that root's tests start them as the embedded server's user.
"""

import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from urllib.parse import quote

import psycopg

from storage.server.account import Account
from storage.server.programs import reachable_programs
from tests.counterparts.conftest import free_port, system_program

ADMINISTRATOR, ADMINISTRATORS_PASSWORD = "postgres", "only the administrator's"
OWNER, PASSWORD = "kb", "right-horse"
APP, APPS_PASSWORD = "kb_app", "left-horse"
_USERS = {OWNER: PASSWORD, APP: APPS_PASSWORD}
READY_SECONDS = 60.0

Mode = Literal["transaction", "session", "statement"]


@dataclass(frozen=True)
class Server:
    """Where something listens that speaks PostgreSQL's protocol. programs: the folder of psql and the others."""

    port: int
    programs: Path

    def url(self, name: str = "kb", user: str = OWNER, password: str = PASSWORD) -> str:
        """One of its databases, as KB_AGENT_DATABASE_URL names it."""
        return f"postgresql://{user}:{quote(password)}@127.0.0.1:{self.port}/{name}"

    def apps(self, name: str) -> str:
        """The same for the application's role, which owns nothing."""
        return self.url(name, APP, APPS_PASSWORD)

    def administrators(self, name: str = "postgres") -> str:
        """The same for the superuser."""
        return self.url(name, ADMINISTRATOR, ADMINISTRATORS_PASSWORD)

    def execute(self, statement: str, name: str = "postgres") -> None:
        """Runs a statement as the superuser."""
        with psycopg.connect(self.administrators(name), autocommit=True) as connection:
            connection.execute(statement.encode())

    @contextmanager
    def database(self, name: str, *, extension: bool = True) -> Iterator[str]:
        """A new database of the ordinary user's, with pgvector as an administrator makes it; gives its URL."""
        self.execute(f"CREATE DATABASE {name} OWNER {OWNER} ENCODING 'UTF8' TEMPLATE template0")
        if extension:
            self.execute("CREATE EXTENSION vector", name)
        try:
            yield self.url(name)
        finally:
            self.execute(f"DROP DATABASE {name} WITH (FORCE)")


@dataclass(frozen=True)
class Pooler(Server):
    """PgBouncer in front of a server. behind: that server."""

    behind: Server


@contextmanager
def plain_server(folder: Path) -> Iterator[Server]:
    """Runs a new server in the folder, with an ordinary user beside the superuser."""
    account = Account.of_this_process()
    programs = reachable_programs(account, folder)
    cluster, secret = folder / "cluster", folder / "password"
    secret.write_text(ADMINISTRATORS_PASSWORD)
    cluster.mkdir(mode=0o700)
    for path in (cluster, secret):
        account.own(path)
    words = ("-U", ADMINISTRATOR, "--auth=scram-sha-256", f"--pwfile={secret}", "-D", str(cluster))
    subprocess.run(
        [programs / "initdb", *words],
        stdin=subprocess.DEVNULL, capture_output=True, cwd="/", env=_PLAIN, check=True, **account.identity()
    )  # fmt: skip
    server = Server(free_port(), programs)
    options = {"port": server.port, "listen_addresses": "127.0.0.1", "unix_socket_directories": "", "fsync": "off"}
    options_given = tuple(word for name, value in options.items() for word in ("-c", f"{name}={value}"))
    with _running(
        [programs / "postgres", "-D", cluster, *options_given], folder / "server.log", server.administrators()
    ):
        for role, password in _USERS.items():
            server.execute(f"CREATE ROLE {role} LOGIN PASSWORD '{password}'")
        yield server


@dataclass(frozen=True)
class Replica(Server):
    """A server that follows another one by streaming, in step as fast as it can."""

    def pause(self, *, on: bool) -> None:
        """Lets it take in what it receives, or not."""
        self.execute(f"SELECT pg_wal_replay_{'pause' if on else 'resume'}()")


@contextmanager
def streaming_replica(folder: Path, server: Server) -> Iterator[Replica]:
    """Copies a server that runs into the folder, by pg_basebackup, and runs the copy as its replica."""
    copy = folder / "replica"
    copy.mkdir(mode=0o700)
    Account.of_this_process().own(copy)
    words = ["-d", server.administrators(), "-D", str(copy), "-R", "-X", "stream", "-c", "fast"]
    subprocess.run(
        [server.programs / "pg_basebackup", *words],
        stdin=subprocess.DEVNULL, capture_output=True, cwd="/", env=_PLAIN, check=True,
        **Account.of_this_process().identity(),
    )  # fmt: skip
    replica = Replica(free_port(), server.programs)
    options = ("-c", f"port={replica.port}", "-c", "hot_standby_feedback=on", "-c", "wal_receiver_status_interval=1s")
    more = ("-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories=", "-c", "fsync=off")
    with _running(
        [server.programs / "postgres", "-D", copy, *options, *more], folder / "replica.log", replica.administrators()
    ):
        yield replica


@contextmanager
def pgbouncer(
    folder: Path, server: Server, *, mode: Mode = "transaction", size: int = 3, **options: object
) -> Iterator[Pooler]:
    """Runs PgBouncer in front of all databases of a server. size: its connections to the server, at most, for each
    database and user. options: more of its settings."""
    program = system_program("pgbouncer", "pgbouncer")
    port = free_port()
    users = folder / f"users-{port}.txt"
    known = {ADMINISTRATOR: ADMINISTRATORS_PASSWORD, **_USERS}
    users.write_text("".join(f'"{user}" "{password}"\n' for user, password in known.items()))
    settings: Mapping[str, object] = {
        "listen_addr": "127.0.0.1",
        "listen_port": port,
        "unix_socket_dir": "",
        "auth_type": "scram-sha-256",
        "auth_file": users,
        "pool_mode": mode,
        "default_pool_size": size,
        "max_client_conn": 500,
        "query_wait_timeout": 20,
        **options,
    }
    written = "\n".join(f"{name} = {value}" for name, value in settings.items())
    settings_file = folder / f"pgbouncer-{port}.ini"
    settings_file.write_text(f"[databases]\n* = host=127.0.0.1 port={server.port}\n[pgbouncer]\n{written}\n")
    for path in (users, settings_file):
        Account.of_this_process().own(path)
    pooler = Pooler(port, server.programs, server)
    with _running([program, settings_file], folder / f"pgbouncer-{port}.log", pooler.administrators()):
        yield pooler


_PLAIN = {"LANG": "C", "LC_ALL": "C", "PATH": "/usr/bin:/bin"}


@contextmanager
def _running(words: list[Path | str], log: Path, url: str) -> Iterator[None]:
    """Inside, a program runs and takes connections."""
    with log.open("wb") as said:
        process = subprocess.Popen(
            words,
            stdin=subprocess.DEVNULL, stdout=said, stderr=said, cwd="/", env=_PLAIN,
            **Account.of_this_process().identity(),
        )  # fmt: skip
    try:
        _until(lambda: _answers(url), process, log)
        yield
    except Exception as error:
        error.add_note(f"{log.name} says\n{log.read_text(errors='replace')[-6000:]}")
        raise
    finally:
        process.terminate()
        process.wait(READY_SECONDS)


def _until(ready: Callable[[], bool], process: "subprocess.Popen[bytes]", log: Path) -> None:
    deadline = time.monotonic() + READY_SECONDS
    while not ready():
        assert process.poll() is None, log.read_text()[-2000:]
        assert time.monotonic() < deadline, log.read_text()[-2000:]
        time.sleep(0.05)


def _answers(url: str) -> bool:
    with suppress(psycopg.OperationalError), psycopg.connect(url, autocommit=True, connect_timeout=5) as connection:
        connection.execute(b"SELECT 1")
        return True
    return False
