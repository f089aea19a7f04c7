"""A PostgreSQL service that KB_AGENT_DATABASE_URL names: what is said when it cannot be used."""

import asyncio
import os
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psycopg
import pytest

from domain.access import Scope
from domain.errors import KbError, Misconfigured, Transient
from domain.search import Filters
from storage.open import open_storage
from storage.server.account import Account
from storage.server.app_role import require_grants
from storage.server.database import DatabaseOptions, open_database
from storage.server.embedded import EmbeddedServer
from storage.server.engine import text
from storage.server.pooler import direct_role_problem
from storage.server.programs import copied_programs, reachable_programs
from tests.command import wait_for
from tests.conftest import open_folder
from tests.fakes.worker import Doing, options, working
from tests.faults.embedded.servers import fill, remove

PASSWORD = "right-horse"


@dataclass(frozen=True)
class Service:
    """A running server that is not ours. cluster: its folder, with its socket. port: on 127.0.0.1."""

    cluster: Path
    port: int

    def url(self, user: str = "kb", password: str = PASSWORD, name: str = "kb") -> str:
        return f"postgresql://{user}:{password}@127.0.0.1:{self.port}/{name}"

    def by_socket(self, name: str = "kb") -> str:
        return f"postgresql://postgres@/{name}?host={self.cluster}"


@contextmanager
def running(cluster: Path, programs: Path) -> Iterator[Service]:
    """Runs a server on a cluster by its programs alone."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    options = {"port": port, "listen_addresses": "127.0.0.1", "unix_socket_directories": cluster, "fsync": "off"}
    words = [word for name, value in options.items() for word in ("-c", f"{name}={value}")]
    with (cluster.parent / "service.log").open("w") as log:
        server = subprocess.Popen(
            [programs / "postgres", "-D", cluster, *words],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            cwd="/",
            env={"LANG": "C", "LC_ALL": "C"},
            **Account.of_this_process().identity(),
        )
    try:
        _until_ready(cluster, port)
        # the socket's name has the port in it, and URLs by socket alone mean the usual one
        (cluster / ".s.PGSQL.5432").symlink_to(cluster / f".s.PGSQL.{port}")
        yield Service(cluster, port)
    finally:
        server.terminate()
        server.wait(30)


def _until_ready(cluster: Path, port: int) -> None:
    deadline = time.monotonic() + 30
    while True:
        try:
            psycopg.connect(host=str(cluster), port=port, user="postgres", dbname="postgres").close()
            return
        except psycopg.OperationalError:
            assert time.monotonic() < deadline, (cluster.parent / "service.log").read_text()
            time.sleep(0.05)


@pytest.fixture(scope="module")
def service(filled: Path) -> Iterator[Service]:
    """A service with one document in its database `kb`, which asks users of TCP for a password."""
    folder = open_folder("kb-faults-")
    fill(filled, folder)
    cluster = folder / "postgresql"
    access = "local all all trust\nhost all all 127.0.0.1/32 scram-sha-256\n"
    (cluster / "pg_hba.conf").write_text(access)
    try:
        with running(cluster, reachable_programs(Account.of_this_process(), folder)) as found:
            with psycopg.connect(found.by_socket(), autocommit=True) as connection:
                connection.execute(f"CREATE ROLE kb LOGIN PASSWORD '{PASSWORD}'".encode())
                connection.execute(b"CREATE ROLE poor LOGIN PASSWORD 'poor'")
                connection.execute(b"GRANT postgres TO kb")  # who owns the tables
                connection.execute(b"CREATE DATABASE blank")
            yield found
    finally:
        remove(folder)


async def opened(url: str, folder: Path, name: str | None = None) -> int:
    """Opens a store there; gives the number of its documents."""
    async with open_storage(DatabaseOptions(url, folder, name, connect_seconds=2.0)) as storage:
        status = await storage.status()
    return status.documents if status else 0


async def refusal(url: str, folder: Path) -> KbError:
    with pytest.raises(KbError) as caught:
        await opened(url, folder)
    assert caught.value.why
    assert caught.value.next_step
    assert PASSWORD not in str(caught.value)
    return caught.value


# -- what works


@pytest.mark.parametrize("scheme", ["postgresql", "postgres", "postgresql+psycopg"])
async def test_a_service_is_used_under_any_name_of_its_scheme(service: Service, tmp_path: Path, scheme: str) -> None:
    assert await opened(service.url().replace("postgresql", scheme, 1), tmp_path) == 1
    assert not EmbeddedServer(tmp_path).cluster.exists()


async def test_a_service_is_used_by_its_socket(service: Service, tmp_path: Path) -> None:
    assert await opened(service.by_socket(), tmp_path) == 1


async def test_the_server_finds_out_soon_that_a_client_is_gone(service: Service, tmp_path: Path) -> None:
    names = ("tcp_keepalives_idle", "tcp_keepalives_interval", "tcp_keepalives_count", "tcp_user_timeout")
    settings = ", ".join(f"current_setting('{name}') AS {name}" for name in names)
    set_to = ("30", "10", "3", "60000")
    async with open_storage(DatabaseOptions(service.url(), tmp_path, None, connect_seconds=2.0)) as storage:
        assert tuple(await storage.pool.fetch_one(f"SELECT {settings}".encode())) == set_to
        for engine in (storage.sessions, storage.engine):
            async with engine.connect() as connection:
                assert tuple((await connection.execute(text(f"SELECT {settings}"))).one()) == set_to


def each_soon_asked(port: int, connections: int) -> bool:
    """Whether there are so many connections to 127.0.0.1:`port`, and the kernel asks each one within 30 seconds, on the
    server's side, whether the client is still there. See proc_net_tcp of the kernel's documentation."""
    found = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    here, established, keepalive, second = f"0100007F:{port:04X}", "01", "02", os.sysconf("SC_CLK_TCK")
    timers = [row[5].split(":") for row in found if row[1] == here and row[3] == established]
    return len(timers) >= connections and all(t == keepalive and int(when, 16) <= 30 * second for t, when in timers)


async def test_the_server_asks_whether_a_worker_is_still_there(service: Service, tmp_path: Path) -> None:
    doing = Doing("one")
    async with open_storage(DatabaseOptions(service.url(), tmp_path, None, connect_seconds=2.0)) as storage:
        jobs = storage.job_queue()
        await jobs.put("do", {"name": "one"}, queue="slack", lock_key="k", unique_key="u")
        async with working(jobs, {"do": doing}, options(grace=0.1)):
            await doing.until_began("one")
            # the pool's connection, and two of the worker: one listens, one fetches jobs
            await asyncio.to_thread(wait_for, lambda: each_soon_asked(service.port, 3))


@pytest.mark.parametrize(("given", "name"), [("", "kb worker"), ("?application_name=ours", "ours")])
async def test_the_server_sees_whose_connections_they_are(
    service: Service, tmp_path: Path, given: str, name: str
) -> None:
    options = DatabaseOptions(f"{service.url()}{given}", tmp_path, connect_seconds=2.0, application="kb worker")
    async with open_storage(options) as storage:
        found = await storage.pool.fetch_one(b"SELECT current_setting('application_name') AS name")
        assert found.name == name
        for engine in (storage.sessions, storage.engine):
            async with engine.connect() as connection:
                assert (await connection.execute(text("SELECT current_setting('application_name')"))).scalar() == name


# -- what does not


@pytest.mark.parametrize(
    "url",
    [
        "",
        "somewhere",
        "mysql://kb:{password}@localhost/kb",
        "sqlite:///kb.db",
        "postgresql://kb:{password}@localhost:port/kb",
        "postgresql://kb:{password}@localhost:99999/kb",
        "postgresql://kb:{password}@localhost/kb?unheard=of",
        "postgresql://kb:{password}@localhost/kb?sslmode=bogus",
    ],
)
async def test_a_wrong_url_is_named_without_its_password(tmp_path: Path, url: str) -> None:
    error = await refusal(url.format(password=PASSWORD), tmp_path)
    assert type(error) is Misconfigured
    assert "KB_AGENT_DATABASE_URL" in error.what


@pytest.mark.parametrize(
    ("user", "password", "name", "said"),
    [
        ("kb", "wrong-horse", "kb", "password authentication failed"),
        ("nobody-of-that-name", PASSWORD, "kb", "password authentication failed"),
        ("kb", PASSWORD, "nowhere", 'database "nowhere" does not exist'),
    ],
)
async def test_who_is_not_let_in_is_told_why(
    service: Service, tmp_path: Path, user: str, password: str, name: str, said: str
) -> None:
    error = await refusal(service.url(user, password, name), tmp_path)
    assert type(error) is Misconfigured
    assert said in error.why
    assert "KB_AGENT_DATABASE_URL" in error.next_step
    assert password not in str(error)


async def test_a_password_that_is_missing_is_asked_for(service: Service, tmp_path: Path) -> None:
    error = await refusal(service.url().replace(f":{PASSWORD}", ""), tmp_path)
    assert type(error) is Misconfigured
    assert "no password supplied" in error.why


async def test_a_server_that_is_not_there_may_be_there_later(service: Service, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        closed = free.getsockname()[1]
    for url in (service.url().replace(str(service.port), str(closed)), f"postgresql://kb@/kb?host={tmp_path}"):
        error = await refusal(url, tmp_path)
        assert type(error) is Transient
        assert "does not answer" in error.what


async def test_a_server_that_never_answers_is_given_up(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        started = time.monotonic()
        error = await refusal(f"postgresql://kb@127.0.0.1:{silent.getsockname()[1]}/kb", tmp_path)
    assert type(error) is Transient
    assert time.monotonic() - started < 30


async def test_a_user_without_rights_is_told_who_has_them(service: Service, tmp_path: Path) -> None:
    error = await refusal(service.url("poor", "poor"), tmp_path)
    assert type(error) is Misconfigured
    assert "does not own the tables" in error.what


async def test_a_user_who_may_not_create_the_extension_is_told_who_may(service: Service, tmp_path: Path) -> None:
    error = await refusal(service.url(name="blank"), tmp_path)
    assert type(error) is Misconfigured
    assert "The database blank lacks the extension pgvector" in error.what
    assert "permission denied" in error.why
    assert f'--port={service.port} --username=postgres --dbname=blank --command="CREATE EXTENSION vector"' in (
        error.next_step
    )


@pytest.mark.parametrize("encoding", ["SQL_ASCII", "LATIN1"])
async def test_a_database_that_is_not_utf8_is_named(service: Service, tmp_path: Path, encoding: str) -> None:
    name = encoding.lower()
    with psycopg.connect(service.by_socket(), autocommit=True) as connection:
        made = f"CREATE DATABASE {name} ENCODING '{encoding}' LOCALE_PROVIDER libc LOCALE 'C' TEMPLATE template0"
        connection.execute(made.encode())
    error = await refusal(service.by_socket(name), tmp_path)
    assert (type(error), error.what) == (Misconfigured, f"The database {name} is not in UTF8")
    assert f"Its encoding is {encoding}" in error.why
    assert "CREATE DATABASE name ENCODING 'UTF8' TEMPLATE template0" in error.next_step


async def test_an_extension_that_was_not_updated_with_the_server_is_named(service: Service, tmp_path: Path) -> None:
    with psycopg.connect(service.by_socket(), autocommit=True) as connection:
        connection.execute("UPDATE pg_extension SET extversion = '0.7.4' WHERE extname = 'vector'")
        try:
            error = await refusal(service.url(), tmp_path)
        finally:
            connection.execute("UPDATE pg_extension SET extversion = '0.8.5' WHERE extname = 'vector'")
    assert type(error) is Misconfigured
    assert "Its pgvector is 0.7.4; the server has 0.8.5" in error.why
    assert '--dbname=kb --command="ALTER EXTENSION vector UPDATE"' in error.next_step


@pytest.mark.parametrize("name", ["direct", "owner"])
async def test_another_url_needs_one_beside_it(tmp_path: Path, name: str) -> None:
    options = DatabaseOptions(None, tmp_path, **{f"{name}_url": "postgresql://kb@somewhere/kb"})  # type: ignore[arg-type]
    with pytest.raises(Misconfigured, match=f"KB_AGENT_DATABASE_{name.upper()}_URL is not usable") as caught:
        async with open_storage(options):
            pytest.fail("opened")
    assert "There is no KB_AGENT_DATABASE_URL beside it" in caught.value.why


# -- two roles


async def test_a_role_from_which_documents_are_hidden_does_not_index(service: Service, tmp_path: Path) -> None:
    with psycopg.connect(service.by_socket(), autocommit=True) as connection:
        connection.execute("CREATE ROLE granted LOGIN PASSWORD 'granted'")
        connection.execute("GRANT ALL ON ALL TABLES IN SCHEMA public TO granted")
    error = await refusal(service.url("granted", "granted"), tmp_path)
    assert (type(error), error.what) == (Misconfigured, "The database user granted does not own the tables")
    assert "KB_AGENT_DATABASE_OWNER_URL" in error.next_step


async def test_two_roles_of_a_service(service: Service, tmp_path: Path) -> None:
    with psycopg.connect(service.by_socket(), autocommit=True) as connection:
        connection.execute("CREATE ROLE asker LOGIN PASSWORD 'asker'")
    both = DatabaseOptions(service.url("asker", "asker"), tmp_path, owner_url=service.url(), connect_seconds=2.0)
    with pytest.raises(Misconfigured, match="The database user asker lacks a right") as caught:
        async with open_storage(both):
            pytest.fail("opened")
    assert caught.value.next_step == "Run: kb db upgrade"
    async with open_database(both) as database:
        assert database.app_role == "asker"
        await require_grants(database.owner, "asker", give=True)
    async with open_storage(both) as storage:
        assert await storage.health().row_security_problem() == ""
        found = await storage.document_catalog().find("kept", Scope.member(), filters=Filters())
        assert [each.path for each in found] == ["kept"]
        status = await storage.status()
        assert status is not None
        assert status.documents == 1


async def test_who_changes_documents_must_see_them_also_beside_a_direct_url(service: Service, tmp_path: Path) -> None:
    with psycopg.connect(service.by_socket(), autocommit=True) as connection:
        connection.execute("CREATE ROLE pooled LOGIN PASSWORD 'pooled'")
        connection.execute("GRANT ALL ON ALL TABLES IN SCHEMA public TO pooled")
    both = DatabaseOptions(service.url("pooled", "pooled"), tmp_path, direct_url=service.url(), connect_seconds=2.0)
    with pytest.raises(Misconfigured, match="The database user pooled does not own the tables"):
        async with open_storage(both):
            pytest.fail("opened")


async def test_another_role_of_the_direct_url_is_named_where_it_keeps_what_it_makes(
    service: Service, tmp_path: Path
) -> None:
    with psycopg.connect(service.by_socket(), autocommit=True) as connection:
        connection.execute("CREATE ROLE apart LOGIN BYPASSRLS PASSWORD 'apart'")
        connection.execute("GRANT ALL ON ALL TABLES IN SCHEMA public TO apart")
    problem = "KB_AGENT_DATABASE_DIRECT_URL leads to the database user postgres, KB_AGENT_DATABASE_URL to "
    for user, said in (("apart", f"{problem}apart"), ("kb", "")):  # kb belongs to postgres
        url = service.url(user, "apart") if said else service.url()
        both = DatabaseOptions(url, tmp_path, direct_url=service.by_socket(), connect_seconds=2.0)
        async with open_storage(both) as storage:
            assert await direct_role_problem(storage.pool, storage.sessions) == said


async def test_an_owner_of_another_database_is_named(service: Service, tmp_path: Path) -> None:
    both = DatabaseOptions(service.url(), tmp_path, owner_url=service.by_socket("blank"), connect_seconds=2.0)
    with pytest.raises(Misconfigured, match="KB_AGENT_DATABASE_OWNER_URL leads to another database than KB_AGENT_DATA"):
        async with open_storage(both):
            pytest.fail("opened")


def test_where_it_is_is_told_without_passwords(service: Service, tmp_path: Path) -> None:
    direct = f"postgresql://kb@server:5432/kb?password={PASSWORD}&sslmode=require"
    told = DatabaseOptions(service.url(), tmp_path, direct_url=direct).where
    assert told == f"a service: kb@127.0.0.1:{service.port}/kb; directly: kb@server:5432/kb"
    told = DatabaseOptions(service.url("asker"), tmp_path, owner_url=service.url()).where
    port = service.port
    assert told == f"a service: asker@127.0.0.1:{port}/kb; as the owner: kb@127.0.0.1:{port}/kb"
    assert DatabaseOptions(service.by_socket(), tmp_path).where == f"a service: postgres@{service.cluster}/kb"
    assert DatabaseOptions(None, tmp_path).where == "embedded"


def test_options_do_not_show_the_password(service: Service, tmp_path: Path) -> None:
    assert PASSWORD not in repr(DatabaseOptions(service.url(), tmp_path))


@pytest.fixture
def without_vectors(folder: Path) -> Path:
    """The programs of a server that has no pgvector."""
    programs = reachable_programs(Account.of_this_process(), folder)
    copy = copied_programs(programs.parents[1], folder)
    for path in copy.rglob("*vector*"):
        if path.is_file():
            path.unlink()
    return copy / programs.relative_to(programs.parents[2])


@pytest.mark.parametrize("version", [None, "0.7.4"], ids=["none", "old"])
async def test_a_server_without_pgvector_is_refused(
    data: Path, without_vectors: Path, tmp_path: Path, version: str | None
) -> None:
    if version:
        control = without_vectors.parent / "share" / "postgresql" / "extension" / "vector.control"
        control.write_text(f"default_version = '{version}'\nrelocatable = true\n")
    with running(data / "postgresql", without_vectors) as found:
        error = await refusal(found.by_socket(), tmp_path)
    assert type(error) is Misconfigured
    assert "lacks pgvector 0.8" in error.what
    assert (version or "not installed") in error.why
    assert "unset KB_AGENT_DATABASE_URL" in error.next_step


async def test_a_database_by_another_name_is_made_on_the_service(service: Service, tmp_path: Path) -> None:
    name = "made-on-demand"
    assert await opened(service.by_socket(), tmp_path, name) == 0
    assert await opened(service.by_socket(), tmp_path, name) == 0
    assert await opened(service.by_socket(), tmp_path) == 1
