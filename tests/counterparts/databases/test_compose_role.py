"""The script that makes the application's role in the compose file's database, run by psql."""

import os
import subprocess
from pathlib import Path

from tests.command import ROOT, Kb
from tests.counterparts.databases.servers import ADMINISTRATOR, ADMINISTRATORS_PASSWORD, APP, Server

PASSWORD = "it's $ecret"


def make_role(server: Server) -> None:
    """As the service `role` does."""
    where = ("--host=127.0.0.1", f"--port={server.port}", f"--username={ADMINISTRATOR}", "--dbname=postgres")
    passwords = {"PGPASSWORD": ADMINISTRATORS_PASSWORD, "APP_PASSWORD": PASSWORD}
    done = subprocess.run(
        [server.programs / "psql", *where, f"--file={ROOT / 'deploy' / 'role.sql'}"],
        env=os.environ | passwords, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")


def test_the_applications_role_is_made_once_and_the_policies_hold_for_it(
    without_role: Server, bare: Kb, company: Path
) -> None:
    server, name = without_role, "kb_compose"
    with server.database(name) as owner:
        one = bare.having(DATABASE_URL=owner)
        for words in (("db", "upgrade"), ("index", str(company))):
            assert one(*words).code == 0
        assert "The database user kb owns the tables" in one("doctor").out, "as an older release left it"
        make_role(server)
        make_role(server)
        both = bare.having(DATABASE_URL=server.url(name, APP, PASSWORD), DATABASE_OWNER_URL=owner)
        assert both("db", "upgrade").code == 0
        assert "row security: policies of the tables hold for the application" in both("doctor").out
        assert "thirty days of vacation" in both("ask", "How many days of vacation?").out


def test_an_owner_without_a_role_beside_it_goes_on(server: Server, bare: Kb, company: Path) -> None:
    """As in the compose file, where .env names a service and no owner."""
    with server.database("kb_compose") as owner:
        same = bare.having(DATABASE_URL=owner, DATABASE_OWNER_URL=owner)
        for words in (("db", "upgrade"), ("index", str(company))):
            assert same(*words).code == 0
        assert "thirty days of vacation" in same("ask", "How many days of vacation?").out
        assert "The database user kb owns the tables" in same("doctor").out
