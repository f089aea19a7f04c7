"""What a soak runs: two replicas of `kb serve` and a `kb worker` over one PostgreSQL behind a proxy, with a local Slack
and a local Teams."""

import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import psutil
import psycopg

from storage.server.embedded import EmbeddedServer
from storage.server.postgres_options import OPTIONS
from tests.command import Kb, KbProcess, database_url, embeddings_env, wait_for, write
from tests.conftest import open_folder
from tests.counterparts.conftest import free_port
from tests.fakes import handbook
from tests.fakes.embeddings_server import embeddings_server
from tests.fakes.network import Proxy, proxy
from tests.fakes.slack import LocalSlack, local_slack
from tests.fakes.teams import LocalTeams, local_teams
from tests.fakes.teams_keys import TeamsKeys, teams_keys
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

_VAULT = f"# Vault\n\nThe password of the vault is {CANARY}.\n"
_BOARD = f"# Board\n\nThe motto of the board is {BOARD_WORD}.\n"


@dataclass
class Scene:
    """All that runs. kb: the command, through the proxy. direct: the database's URL without it. folder: of the
    sources. running: the processes by role. posts: where each replica takes what Teams delivers."""

    server: EmbeddedServer
    network: Proxy
    kb: Kb
    direct: str
    folder: Path
    slack: LocalSlack
    teams: LocalTeams
    posts: dict[str, Post]
    running: dict[str, KbProcess] = field(default_factory=dict)
    logs: list[str] = field(default_factory=list)
    ending: list[float] = field(default_factory=list)
    _starting: threading.Lock = field(default_factory=threading.Lock)
    """What starts processes talks with one thread at a time."""

    def start(self, role: str) -> None:
        """Starts a process."""
        if role == WORKER:
            self.running[role] = self._started(self.kb, "worker")
            return
        port = self.posts[role].base.rpartition(":")[2]
        self.running[role] = self._started(self.kb.having(HTTP_PORT=port), "serve")

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
        while not self._answers():
            self.server.restart_if_dead()
            assert time.monotonic() < until, "the database does not come back"
            time.sleep(0.1)

    def _answers(self) -> bool:
        with suppress(psycopg.Error), psycopg.connect(self.direct, connect_timeout=5):
            return True
        return False

    def index(self, *words: str) -> bool:
        """Runs `kb index`, or another command, as a process; whether it succeeded."""
        process = self._started(self.kb, *words)
        try:
            code = process.process.wait(120)
            self._note(" ".join(words), process)
            return code == 0
        finally:
            process.close()

    def set_board(self, *, closed: bool) -> bool:
        """Who may read the board's document: nobody who asks, or everybody. Whether that succeeded."""
        audience = NOBODY if closed else "everyone"
        return self.index("index", str(self.folder / "board"), "--audience", audience)


@contextmanager
def opened() -> Iterator[Scene]:
    """All of it, ready; it ends with its server and folder."""
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
        scene = _scene(server, network, folder, slack, teams, keys, embeddings_env(embeddings))
        stack.callback(scene.close_all)
        for role in ROLES:
            scene.start(role)
        wait_for(lambda: len(slack.connections) >= len(REPLICAS))
        for role in REPLICAS:
            scene.running[role].address()
        yield scene


def _scene(
    server: EmbeddedServer,
    network: Proxy,
    folder: Path,
    slack: LocalSlack,
    teams: LocalTeams,
    keys: TeamsKeys,
    embeddings: dict[str, str],
) -> Scene:
    """With the sources indexed."""
    through = f"postgresql://postgres@127.0.0.1:{network.port}/kb"
    direct = database_url(server.data_dir, "kb")
    with psycopg.connect(database_url(server.data_dir, "postgres"), autocommit=True) as connection:
        connection.execute("CREATE DATABASE kb")
    sources, working = folder / "sources", folder / "working"
    working.mkdir()
    handbook.make(sources / "handbook")
    write(sources / "vault", vault=_VAULT)
    write(sources / "board", board=_BOARD)
    env = {"KB_AGENT_DATA_DIR": str(server.data_dir), "KB_AGENT_DATABASE_URL": through, **embeddings}
    kb = Kb(env, working).having(**{**slack_env(slack), **teams_env(teams, keys)})
    kb = kb.having(
        QUESTIONS_WAITING="1000",
        QUESTIONS_CHANNEL_MINUTE="1000",
        ANSWER_DEADLINE="300",
        WORKER_CONCURRENCY="2",
        WORKER_HEARTBEAT="2",
        WORKER_LOST="10",
    )
    posts = {role: Post(f"http://127.0.0.1:{free_port()}", teams, keys) for role in REPLICAS}
    scene = Scene(server, network, kb, direct, sources, slack, teams, posts)
    for words in (
        ("db", "upgrade"),
        ("index", str(sources / "handbook")),
        ("index", str(sources / "vault"), "--audience", NOBODY),
        ("index", str(sources / "board"), "--audience", "everyone"),
    ):
        assert scene.index(*words), "\n".join(scene.logs)
    return scene
