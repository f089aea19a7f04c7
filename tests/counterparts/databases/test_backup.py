"""Backup and restore by the very commands of docs/deployment.md, on a server whose ordinary users are no superusers."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

import pytest

from tests.command import ROOT, Kb, rows
from tests.counterparts.databases.servers import (
    ADMINISTRATOR,
    ADMINISTRATORS_PASSWORD,
    APP,
    APPS_PASSWORD,
    OWNER,
    PASSWORD,
    Server,
)

_TABLES = """
    SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') ORDER BY relname
"""
_STRUCTURE = """
    SELECT conrelid::regclass || ' ' || conname || pg_get_constraintdef(oid) FROM pg_constraint
    WHERE connamespace = 'public'::regnamespace
    UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'
    UNION ALL SELECT format('%%s %%s %%s %%s', relname, attname, format_type(atttypid, atttypmod), attnotnull)
    FROM pg_attribute JOIN pg_class ON oid = attrelid WHERE attnum > 0 AND relnamespace = 'public'::regnamespace
    UNION ALL SELECT format('%%s %%s %%s', tablename, policyname, qual) FROM pg_policies
    UNION ALL SELECT format('%%s %%s', viewname, definition) FROM pg_views WHERE schemaname = 'public'
    UNION ALL SELECT 'row security of ' || relname FROM pg_class WHERE relrowsecurity
    ORDER BY 1
"""


def documented(heading: str) -> list[str]:
    """The commands of a section of docs/deployment.md."""
    page = (ROOT / "docs" / "deployment.md").read_text()
    section = page.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    return [line for block in re.findall(r"```sh\n(.*?)```", section, re.DOTALL) for line in block.splitlines()]


def counts(url: str) -> dict[str, int]:
    """How many rows each table holds."""
    return {name: rows(url, f'SELECT count(*) FROM "{name}"')[0][0] for (name,) in rows(url, _TABLES)}


@dataclass(frozen=True)
class Operator:
    """Somebody at a shell, with the passwords of the server in a password file. names: what the page's names of
    databases are here."""

    server: Server
    folder: Path
    kb: Kb
    names: dict[str, str]

    def run(self, command: str) -> "subprocess.CompletedProcess[str]":
        """Runs a command of the page."""
        written = command.replace("HOST", "127.0.0.1").replace("deploy/", f"{ROOT}/deploy/").replace("…", APPS_PASSWORD)
        for name, here in self.names.items():
            written = re.sub(rf"(--dbname=|/){name}(?=$| )|( ){name}$", rf"\1\2{here}", written)
        passwords = self.folder / "passwords"
        lines = (
            f"*:*:*:{OWNER}:{PASSWORD}",
            f"*:*:*:{ADMINISTRATOR}:{ADMINISTRATORS_PASSWORD}",
            f"*:*:*:{APP}:{APPS_PASSWORD}",
        )
        passwords.write_text("\n".join(lines) + "\n")
        passwords.chmod(0o600)
        programs = (self.server.programs, Path(sys.executable).parent, "/usr/bin", "/bin")
        environment = {
            **self.kb.environment,
            "PATH": os.pathsep.join(map(str, programs)),
            "PGPORT": str(self.server.port),
            "PGPASSFILE": str(passwords),
        }
        return subprocess.run(
            ["/bin/sh", "-c", written], cwd=self.folder, env=environment, capture_output=True, text=True, check=False
        )


@pytest.fixture
def operator(server: Server, bare: Kb, company: Path, tmp_path: Path) -> Iterator[Operator]:
    """An operator of a database with documents and a history."""
    names = {"kb": f"kb_{uuid4().hex}", "kb_restored": f"restored_{uuid4().hex}"}
    with server.database(names["kb"]) as url:
        kb = bare.having(DATABASE_URL=url)
        for words in (("db", "upgrade"), ("index", str(company)), ("schedule", "run", "content")):
            done = kb(*words)
            assert done.code == 0, done.err
        yield Operator(server, tmp_path, kb, names)
        server.execute(f"DROP DATABASE IF EXISTS {names['kb_restored']} WITH (FORCE)")


def test_what_the_page_says_brings_everything_back(operator: Operator) -> None:
    commands = documented("Backup")[:6]
    words = ["pg_dump", "createdb", "psql", "pg_restore", "vacuumdb"]
    assert [command.split()[0] for command in commands[:-1]] == words
    for command in commands:
        done = operator.run(command)
        assert (done.returncode, "warning" in done.stderr) == (0, False), (command, done)
    before, after = (operator.server.url(name) for name in operator.names.values())
    held = counts(before)
    assert counts(after) == held
    assert {"vectors_1", "propositions", "runs", "ticks"} <= held.keys()
    assert held["vectors"] > 5
    assert rows(after, _STRUCTURE) == rows(before, _STRUCTURE)
    restored = operator.kb.having(DATABASE_URL=after)
    assert "thirty days of vacation" in restored("ask", "How many days of vacation?").out
    assert restored("reindex").code == 0


def test_the_page_brings_the_applications_role_to_a_server_that_lacks_it(
    without_role: Server, operator: Operator
) -> None:
    commands = documented("Backup")
    both = operator.kb.having(
        DATABASE_URL=without_role.apps(operator.names["kb_restored"]),
        DATABASE_OWNER_URL=without_role.url(operator.names["kb_restored"]),
    )
    for command in commands[:7]:
        assert operator.run(command).returncode == 0, command
    lacking = both("ask", "How many days of vacation?")
    assert (lacking.code, "The database user kb_app lacks a right" in lacking.err) == (2, True), "a dump grants nothing"
    assert "next: Run: kb db upgrade" in lacking.err
    for command in commands[7:]:
        done = operator.run(command)
        assert done.returncode == 0, (command, done)
    assert "row security: policies of the tables hold for the application" in done.stdout
    assert "thirty days of vacation" in both("ask", "How many days of vacation?").out


def test_what_a_careless_restore_loses_is_named(operator: Operator) -> None:
    dump, create, _extension, *_ = documented("Backup")
    restore = "pg_restore --host=HOST --username=kb --dbname=kb_restored kb.dump"
    for command in (dump, create, restore):
        operator.run(command)
    restored = operator.kb.having(DATABASE_URL=operator.server.url(operator.names["kb_restored"]))
    follow_the_advice(operator, restored)
    done = restored("doctor")
    assert done.code == 1
    assert "FAILED database: The database lacks parts of its schema" in done.out
    assert "Missing: table propositions, table vectors." in done.out
    upgraded = restored("db", "upgrade")
    assert upgraded.code == 2
    assert "Missing: table propositions, table vectors." in upgraded.err
    assert "kb db upgrade; it also says" in restored("ask", "How many days of vacation?").err


def follow_the_advice(operator: Operator, kb: Kb) -> None:
    """Runs what is said to do about the missing extension, as it is written."""
    done = kb("db", "current")
    name = operator.names["kb_restored"]
    assert done.code == 2
    assert f"The database {name} lacks the extension pgvector 0.8 or later" in done.err
    assert "permission denied to create extension" in done.err
    (command,) = re.findall(r"(psql .*)$", done.err, re.MULTILINE)
    assert f"--dbname={name}" in command
    ran = operator.run(command)
    assert ran.returncode == 0, ran
    assert kb("db", "current").code == 0


@pytest.mark.parametrize("words", [("db", "upgrade"), ("doctor",), ("ask", "How many days of vacation?")])
def test_an_ordinary_user_is_told_what_the_administrator_has_to_do(
    server: Server, bare: Kb, words: Sequence[str]
) -> None:
    with server.database(f"kb_{uuid4().hex}", extension=False) as url:
        done = bare.having(DATABASE_URL=url)(*words)
        assert done.code != 0
        said = done.out + done.err
        assert f"--port={server.port} --username=postgres --dbname={url.rpartition('/')[2]}" in said
        assert '--command="CREATE EXTENSION vector"' in said
        assert PASSWORD not in said
