"""A new kind of source that states permissions needs its own folder and nothing else: it is planted in a copy."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

from tests.command import PATIENCE, ROOT, Done, Kb

KIND = '''
"""Notes as a kind of source, for a test."""

from contextlib import asynccontextmanager

from domain.access import Acl, SourceDirectory, user
from indexer.sources.connector import FetchedDocument, ListedDocument
from indexer.sources.kind import SourceKind, SourceOption


class NotesConnector:
    acl = Acl.any_of(user("ada@example.com"))
    unreadable = ()

    async def permissions(self):
        return SourceDirectory({})

    async def listing(self):
        yield ListedDocument("1", "notes/1", "https://notes.example/1", "Toner", acl=self.acl, version="1")

    async def fetch(self, item):
        return FetchedDocument(b"Toner is ordered on Mondays.", "1.txt")


@asynccontextmanager
async def _open(setup):
    yield NotesConnector()


KIND = SourceKind(
    name="notes",
    title="Notes",
    summary="Notes of a team.",
    options=(SourceOption("--team", "team", "Whose notes.", required=True),),
    stored=lambda given: {"team": given["team"]},
    open=_open,
    states_permissions=True,
)
'''


COMMANDS = """
import json, sys
from dataclasses import asdict
from pathlib import Path
from tests.command import Kb

env, *commands = json.load(sys.stdin)
print(json.dumps([asdict(Kb(env, Path.cwd())(*words)) for words in commands]))
"""


def test_its_permissions_run_happens(kb: Kb, tmp_path: Path) -> None:
    """In a process that finds a copy of the indexer first, which has one kind more."""
    folder = tmp_path / "copy"
    shutil.copytree(ROOT / "indexer", folder / "indexer", ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "indexer/sources/notes").mkdir()
    (folder / "indexer/sources/notes/__init__.py").write_text('"""Notes."""\n')
    (folder / "indexer/sources/notes/kind.py").write_text(KIND)
    commands = (
        "sources add notes --name team --team blue",
        "sources list",
        "reindex --source team --json",
        "schedule run permissions --json",
        "status --json",
        "runs --json",
    )
    given = json.dumps([dict(kb.env), *(each.split() for each in commands)])
    command = [sys.executable, "-c", COMMANDS]
    ran = subprocess.run(
        command,
        input=given,
        env=kb.environment,
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    added, listed, read, run, status, runs = (Done(**each) for each in json.loads(ran.stdout))
    assert added.code == 0, added.err
    assert "readers as Notes says" in listed.out
    assert read.report["added"] == 1, read.err
    assert run.code == 0, run.err
    assert '"team"' in json.dumps(run.json)
    (state,) = status.json["sources"]
    assert state["permissions"]["state"] == "fresh"
    assert ("permissions", "team") in [(each["kind"], each["source"]) for each in runs.json["runs"]]
