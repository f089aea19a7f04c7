"""The compose file's PgBouncer: its script and its settings, with Debian's program before a plain server."""

import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg

from storage.server.account import Account
from tests.command import ROOT, Kb
from tests.counterparts.conftest import free_port, system_program
from tests.counterparts.databases.servers import APP, Server
from tests.counterparts.databases.test_compose_role import PASSWORD, make_role


@contextmanager
def pooler(folder: Path, server: Server, name: str, password: str) -> Iterator[int]:
    """Runs what the image runs; gives its port. The settings lead to this machine's server instead of the service."""
    program, port = system_program("pgbouncer", "pgbouncer"), free_port()
    settings = (ROOT / "deploy" / "pgbouncer" / "pgbouncer.ini").read_text()
    for old, new in {
        "kb = host=database port=5432 dbname=kb": f"{name} = host=127.0.0.1 port={server.port} dbname={name}",
        "listen_addr = *": "listen_addr = 127.0.0.1",
        "listen_port = 6432": f"listen_port = {port}",
        "auth_file = /tmp/users.txt": f"auth_file = {folder / 'users.txt'}",
    }.items():
        assert old in settings
        settings = settings.replace(old, new)
    written, account = folder / "pgbouncer.ini", Account.of_this_process()
    written.write_text(settings)
    for path in (written, folder):
        account.own(path)
    process = subprocess.Popen(
        ["sh", ROOT / "deploy" / "pgbouncer" / "start.sh", written],
        env={"PATH": f"{program.parent}:{os.environ['PATH']}", "PGPASSWORD": password},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        **account.identity(),
    )
    try:
        _wait(f"postgresql://kb_app@127.0.0.1:{port}/{name}", password, process)
        assert (folder / "users.txt").stat().st_mode & 0o077 == 0, "nobody else reads the password"
        yield port
    finally:
        process.terminate()
        process.wait(20)


def _wait(url: str, password: str, process: "subprocess.Popen[bytes]") -> None:
    for _ in range(200):
        assert process.poll() is None
        try:
            psycopg.connect(url, password=password).close()
        except psycopg.OperationalError:
            time.sleep(0.1)
        else:
            return
    raise AssertionError("PgBouncer takes no connections")


def test_questions_go_through_it_with_the_applications_role(
    without_role: Server, bare: Kb, company: Path, server_folder: Path
) -> None:
    server, name = without_role, "kb_pooled"
    folder = server_folder / "compose-pooler"
    folder.mkdir(mode=0o700)
    with server.database(name) as owner:
        one = bare.having(DATABASE_URL=owner)
        for words in (("db", "upgrade"), ("index", str(company))):
            assert one(*words).code == 0
        make_role(server)
        direct = server.url(name, APP, PASSWORD)
        assert bare.having(DATABASE_URL=direct, DATABASE_OWNER_URL=owner)("db", "upgrade").code == 0
        with pooler(folder, server, name, PASSWORD) as port:
            pooled = bare.having(
                DATABASE_URL=direct.replace(f":{server.port}/", f":{port}/"),
                DATABASE_DIRECT_URL=direct,
                DATABASE_OWNER_URL=owner,
            )
            assert "thirty days of vacation" in pooled("ask", "How many days of vacation?").out
            shown = pooled("doctor").out
            assert "row security: policies of the tables hold for the application" in shown
            assert f":{port}/" in shown
