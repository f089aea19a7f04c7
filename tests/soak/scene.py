"""What a soak runs: two replicas of `kb serve` and a `kb worker` over one PostgreSQL behind a proxy, with a local Slack
and a local Teams."""

import os
import signal
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

import psutil
import psycopg

from storage.server.embedded import EmbeddedServer
from storage.server.postgres_options import OPTIONS
from tests.command import ROOT, Kb, KbProcess, database_url, embeddings_env, wait_for, write
from tests.conftest import open_folder
from tests.counterparts.conftest import free_port
from tests.fakes import handbook
from tests.fakes.embeddings_server import embeddings_server
from tests.fakes.network import Proxy, proxy
from tests.fakes.slack import LocalSlack, local_slack
from tests.fakes.teams import LocalTeams, local_teams
from tests.fakes.teams_keys import teams_keys
from tests.faults.embedded.servers import remove
from tests.flows.slack.conftest import slack_env
from tests.flows.teams.conftest import teams_env
from tests.flows.teams.talk import Post

CANARY = "cormorant-6174"
"""Stands in a document that nobody who asks may read."""

BOARD_WORD = "flamingo-2718"
"""Stands in a document that is closed and opened again."""

NOBODY = "nobody@elsewhere.example"
REPLICAS = ("replica 1", "replica 2")
WORKER = "worker"
ROLES = (*REPLICAS, WORKER)

GRACE_SECONDS = 120.0
"""What an operating system gives a process that it ends, in the files of deploy."""

_HASTY = {
    "QUESTIONS_WAITING": "1000",
    "QUESTIONS_CHANNEL_MINUTE": "1000",
    "ANSWER_DEADLINE": "300",
    "WORKER_CONCURRENCY": "2",
    "WORKER_HEARTBEAT": "2",
    "WORKER_LOST": "10",
}
"""Settings of a soak, where they are not what is given."""

_VAULT = f"# Vault\n\nThe password of the vault is {CANARY}.\n"
_BOARD = f"# Board\n\nThe motto of the board is {BOARD_WORD}.\n"


@dataclass
class Scene:
    """All that runs. kb: the command, through the proxy, of the release that is started next. direct: the database's
    URL without it. folder: of the sources. running: the processes by role. posts: where each replica takes what Teams
    delivers. ports: where operators look at each."""

    server: EmbeddedServer
    network: Proxy
    kb: Kb
    direct: str
    folder: Path
    slack: LocalSlack
    teams: LocalTeams
    posts: dict[str, Post]
    ports: dict[str, int]
    running: dict[str, KbProcess] = field(default_factory=dict)
    logs: list[str] = field(default_factory=list)
    ending: list[float] = field(default_factory=list)
    _starting: threading.Lock = field(default_factory=threading.Lock)
    """What starts processes talks with one thread at a time."""

    def start(self, role: str) -> None:
        """Starts a process."""
        kb = self.kb.having(OPS_PORT=str(self.ports[role]))
        if role == WORKER:
            self.running[role] = self._started(kb, "worker")
            return
        port = self.posts[role].base.rpartition(":")[2]
        self.running[role] = self._started(kb.having(HTTP_PORT=port), "serve")

    def ready(self, role: str) -> int:
        """The status of its /readyz; 0 where nothing answers."""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.ports[role]}/readyz", timeout=10) as response:
                return int(response.status)
        except urllib.error.HTTPError as error:
            with error:
                return error.code
        except OSError:
            return 0

    def _started(self, kb: Kb, *words: str) -> KbProcess:
        with self._starting:
            return kb.start(*words)

    def start_again(self) -> list[str]:
        """Starts what has ended by itself; gives each with its exit code."""
        ended = [(role, each) for role, each in self.running.items() if each.process.poll() is not None]
        for role, process in ended:
            self._note(role, process)
            self.start(role)
        return [f"{role}: {process.process.poll()}" for role, process in ended]

    def kill(self, role: str) -> None:
        """kill -9."""
        process = self.running.pop(role)
        process.kill()
        self._note(role, process)

    def end(self, role: str) -> int:
        """Ends it as an operating system does; gives its exit code. ending: how many seconds each took."""
        process = self.running.pop(role)
        began = time.monotonic()
        process.process.send_signal(signal.SIGTERM)
        code = process.process.wait(GRACE_SECONDS)
        self.ending.append(time.monotonic() - began)
        self._note(role, process)
        return code

    def _note(self, role: str, process: KbProcess) -> None:
        self.logs += [f"{role}: {line}" for line in process.said.splitlines()]
        process.close()

    def end_all(self) -> dict[str, int]:
        """Ends what runs; gives the exit codes."""
        return {role: self.end(role) for role in list(self.running)}

    def close_all(self) -> None:
        """Ends what runs still, whatever it does."""
        for each in self.running.values():
            each.close()

    def kill_database(self, number: signal.Signals) -> None:
        """Sends a signal to the server's first process, and waits until it is gone."""
        pid = int((self.server.cluster / "postmaster.pid").read_text().split()[0])
        with suppress(ProcessLookupError):
            os.kill(pid, number)
        with suppress(psutil.NoSuchProcess, psutil.TimeoutExpired):
            psutil.Process(pid).wait(30)

    def start_database(self) -> None:
        """Starts it where it does not run."""
        until = time.monotonic() + 60
        while not self.answers(self.direct):
            self.server.restart_if_dead()
            assert time.monotonic() < until, "the database does not come back"
            time.sleep(0.1)

    def answers(self, url: str) -> bool:
        """Whether the database does, asked by that URL."""
        with suppress(psycopg.Error), psycopg.connect(url, connect_timeout=5):
            return True
        return False

    def index(self, *words: str) -> bool:
        """Runs `kb index`, or another command, as a process; whether it succeeded."""
        return self.run(*words) == 0

    def run(self, *words: str, kb: Kb | None = None) -> int:
        """The exit code of a command. kb: of another release."""
        process = self._started(kb or self.kb, *words)
        try:
            code = process.process.wait(120)
            self._note(" ".join(words), process)
            return code
        finally:
            process.close()

    def set_board(self, *, closed: bool) -> bool:
        """Who may read the board's document: nobody who asks, or everybody. Whether that succeeded."""
        audience = NOBODY if closed else "everyone"
        return self.index("index", str(self.folder / "board"), "--audience", audience)


@contextmanager
def opened(code: Path = ROOT, env: Mapping[str, str] = MappingProxyType({})) -> Iterator[Scene]:
    """All of it, ready; it ends with its server and folder. code: the release that runs. env: further variables, named
    without KB_AGENT_."""
    with ExitStack() as stack:
        folder = open_folder("kb-soak-")
        stack.callback(remove, folder)
        embeddings = stack.enter_context(embeddings_server())
        slack, teams = stack.enter_context(local_slack()), stack.enter_context(local_teams())
        keys = stack.enter_context(teams_keys())
        server = EmbeddedServer(folder / "data", OPTIONS | {"max_connections": "200"})
        server.start()
        stack.callback(server.stop)
        network = stack.enter_context(proxy(str(server.cluster / ".s.PGSQL.5432")))
        kb = Kb(embeddings_env(embeddings), folder / "working", code=code)
        kb = kb.having(**{**slack_env(slack), **teams_env(teams, keys), **_HASTY, **env})
        posts = {role: Post(f"http://127.0.0.1:{free_port()}", teams, keys) for role in REPLICAS}
        scene = _indexed(server, network, folder, slack, teams, kb, posts)
        stack.callback(scene.close_all)
        for role in ROLES:
            scene.start(role)
        wait_for(lambda: len(slack.connections) >= len(REPLICAS))
        wait_for(lambda: "Working on" in scene.running[WORKER].said)
        for role in REPLICAS:
            scene.running[role].address()
        yield scene


def _indexed(
    server: EmbeddedServer,
    network: Proxy,
    folder: Path,
    slack: LocalSlack,
    teams: LocalTeams,
    kb: Kb,
    posts: dict[str, Post],
) -> Scene:
    """With the sources indexed."""
    through = f"postgresql://postgres@127.0.0.1:{network.port}/kb"
    direct = database_url(server.data_dir, "kb")
    with psycopg.connect(database_url(server.data_dir, "postgres"), autocommit=True) as connection:
        connection.execute("CREATE DATABASE kb")
    sources = folder / "sources"
    kb.folder.mkdir()
    handbook.make(sources / "handbook")
    write(sources / "vault", vault=_VAULT)
    write(sources / "board", board=_BOARD)
    kb = kb.having(DATA_DIR=str(server.data_dir), DATABASE_URL=through)
    ports = {role: free_port() for role in ROLES}
    scene = Scene(server, network, kb, direct, sources, slack, teams, posts, ports)
    for words in (
        ("db", "upgrade"),
        ("index", str(sources / "handbook")),
        ("index", str(sources / "vault"), "--audience", NOBODY),
        ("index", str(sources / "board"), "--audience", "everyone"),
    ):
        assert scene.index(*words), "\n".join(scene.logs)
    return scene
