"""A database that survives the loss of a server, as companies run it: three servers under Patroni, which asks etcd who
leads; HAProxy leads to that one, and PgBouncer stands before it.

The servers are the embedded one's own programs. Nothing but PgBouncer and HAProxy is told of a change.
"""

import json
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import yaml

from storage.server.account import Account
from storage.server.programs import reachable_programs
from tests.counterparts.conftest import free_port, system_program
from tests.counterparts.databases.servers import ADMINISTRATOR, ADMINISTRATORS_PASSWORD, APP, OWNER, Server

NODES = ("one", "two", "three")
REPLICATOR = "replicator"
READY_SECONDS = 120.0
ENVIRONMENT = {"LANG": "C", "LC_ALL": "C", "PATH": "/usr/sbin:/usr/bin:/sbin:/bin"}


@dataclass(frozen=True)
class Node:
    """One server under Patroni. api: the port of Patroni's own interface."""

    name: str
    port: int
    api: int
    folder: Path
    process: "subprocess.Popen[bytes]"

    @property
    def state(self) -> dict[str, Any]:
        """What Patroni says of it; nothing while it does not answer."""
        with suppress(httpx.HTTPError, json.JSONDecodeError):
            found: dict[str, Any] = httpx.get(f"http://127.0.0.1:{self.api}/patroni", timeout=5).json()
            return found
        return {}

    def kill(self) -> None:
        """kill -9 of Patroni and of the server with all its processes, as when a machine loses its power."""
        first = int((self.folder / "data" / "postmaster.pid").read_text().split()[0])
        self.process.kill()
        self.process.wait(READY_SECONDS)
        children = Path(f"/proc/{first}/task/{first}/children").read_text().split()
        for process in (first, *map(int, children)):
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)


@dataclass
class Cluster:
    """Three servers. server: where HAProxy leads to the one that leads."""

    server: Server
    nodes: list[Node] = field(default_factory=list)

    def leader(self) -> Node | None:
        """The server that leads, while there is one."""
        return next((node for node in self.nodes if node.state.get("role") in {"master", "primary"}), None)

    def ready(self) -> bool:
        """Whether one leads, and two follow, one of them in step."""
        replicas = [node for node in self.nodes if node.state.get("role") == "replica"]
        running = all(node.state.get("state") in {"running", "streaming"} for node in self.nodes)
        return bool(self.leader() and running and len(replicas) == 2 and self._in_step())

    def _in_step(self) -> bool:
        leader = self.leader()
        return leader is not None and any(
            each.get("sync_state") in {"sync", "quorum"} for each in leader.state.get("replication", [])
        )


@contextmanager
def cluster(folder: Path) -> Iterator[Cluster]:
    """Runs all of it below a folder."""
    account = Account.of_this_process()
    programs = reachable_programs(account, folder)
    with ExitStack() as stack:
        etcd = _etcd(folder, account, stack)
        made = Cluster(Server(free_port(), programs))
        for name in NODES:
            made.nodes.append(_node(folder / name, name, etcd, programs, account, stack))
            _until(lambda: made.leader() is not None, folder)  # the first one makes the database
        _haproxy(folder, made, account, stack)
        _until(made.ready, folder)
        for role, password in ((OWNER, "right-horse"), (APP, "left-horse")):
            made.server.execute(f"CREATE ROLE {role} LOGIN PASSWORD '{password}'")
        yield made


def _etcd(folder: Path, account: Account, stack: ExitStack) -> int:
    """The port of a store for who leads."""
    port, peers, data = free_port(), free_port(), _own_folder(folder / "etcd", account)
    listen, between = f"http://127.0.0.1:{port}", f"http://127.0.0.1:{peers}"
    words = [
        *(system_program("patroni", "etcd"), "--data-dir", data / "data", "--initial-cluster", f"default={between}"),
        *("--listen-client-urls", listen, "--advertise-client-urls", listen),
        *("--listen-peer-urls", between, "--initial-advertise-peer-urls", between),
    ]
    stack.enter_context(_running(words, data / "log", account))
    _until(lambda: _says(f"{listen}/health"), folder)
    return port


def _node(folder: Path, name: str, etcd: int, programs: Path, account: Account, stack: ExitStack) -> Node:
    _own_folder(folder, account)
    port, api = free_port(), free_port()
    settings = {
        "scope": "kb",
        "name": name,
        "restapi": {"listen": f"127.0.0.1:{api}", "connect_address": f"127.0.0.1:{api}"},
        "etcd3": {"host": f"127.0.0.1:{etcd}"},
        "bootstrap": {
            "dcs": {
                "ttl": 20,
                "loop_wait": 2,
                "retry_timeout": 5,
                "synchronous_mode": True,  # what is committed is on a second server, too
                "postgresql": {"use_pg_rewind": True, "parameters": {"max_connections": 100}},
            },
            "initdb": [{"encoding": "UTF8"}],
            "pg_hba": [
                "host all all 127.0.0.1/32 scram-sha-256",
                f"host replication {REPLICATOR} 127.0.0.1/32 scram-sha-256",
            ],
        },
        "postgresql": {
            "listen": f"127.0.0.1:{port}",
            "connect_address": f"127.0.0.1:{port}",
            "data_dir": str(folder / "data"),
            "bin_dir": str(programs),
            "pgpass": str(folder / "pgpass"),
            "authentication": {
                "superuser": {"username": ADMINISTRATOR, "password": ADMINISTRATORS_PASSWORD},
                "replication": {"username": REPLICATOR, "password": "in step"},
            },
            "parameters": {"unix_socket_directories": str(folder), "password_encryption": "scram-sha-256"},
        },
    }
    file = folder / "patroni.yaml"
    file.write_text(yaml.safe_dump(settings))
    account.own(file)
    process = stack.enter_context(_running([system_program("patroni", "patroni"), file], folder / "log", account))
    return Node(name, port, api, folder, process)


def _haproxy(folder: Path, made: Cluster, account: Account, stack: ExitStack) -> None:
    """Leads to the server whose Patroni says that it is the one; connections to another one are ended."""
    servers = "\n".join(f"    server {n.name} 127.0.0.1:{n.port} check port {n.api}" for n in made.nodes)
    file = _own_folder(folder / "haproxy", account) / "haproxy.cfg"
    file.write_text(
        f"""defaults
    mode tcp
    timeout connect 3s
    timeout client 1h
    timeout server 1h
listen primary
    bind 127.0.0.1:{made.server.port}
    option httpchk OPTIONS /primary
    http-check expect status 200
    default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
{servers}
"""
    )
    account.own(file)
    words = [system_program("patroni", "haproxy"), "-db", "-f", file]
    stack.enter_context(_running(words, folder / "haproxy" / "log", account))


def _own_folder(folder: Path, account: Account) -> Path:
    folder.mkdir(mode=0o700)
    account.own(folder)
    return folder


@contextmanager
def _running(words: list[Any], log: Path, account: Account) -> Iterator["subprocess.Popen[bytes]"]:
    """Inside, a program runs."""
    with log.open("wb") as said:
        process = subprocess.Popen(
            words,
            stdin=subprocess.DEVNULL, stdout=said, stderr=said, cwd="/", env=ENVIRONMENT, **account.identity(),
        )  # fmt: skip
    try:
        yield process
    finally:
        process.terminate()
        with suppress(subprocess.TimeoutExpired):
            process.wait(30)
        process.kill()
        process.wait(30)


def _says(url: str) -> bool:
    with suppress(httpx.HTTPError):
        return httpx.get(url, timeout=5).is_success
    return False


def _until(reached: Callable[[], bool], folder: Path) -> None:
    deadline = time.monotonic() + READY_SECONDS
    while not reached():
        if time.monotonic() > deadline:
            logs = {log: log.read_text(errors="replace")[-1500:] for log in folder.glob("*/log")}
            raise AssertionError("\n".join(f"{log}: {text}" for log, text in logs.items()))
        time.sleep(0.2)


def remove(folder: Path) -> None:
    """Takes away what the servers have written."""
    shutil.rmtree(folder, ignore_errors=True)
