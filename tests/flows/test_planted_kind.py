"""A new kind of source that states permissions needs its own folder and nothing else: it is planted in a copy."""

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tests.command import ROOT, Done, Kb

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


@pytest.fixture
def planted(kb: Kb, tmp_path: Path) -> Callable[..., Done]:
    """Runs `kb` in a folder with a copy of the indexer, which has one kind more."""
    folder = tmp_path / "copy"
    shutil.copytree(ROOT / "indexer", folder / "indexer", ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "indexer/sources/notes").mkdir()
    (folder / "indexer/sources/notes/__init__.py").write_text('"""Notes."""\n')
    (folder / "indexer/sources/notes/kind.py").write_text(KIND)
    here = replace(kb, folder=folder, fresh=True)
    return lambda *words: here.start(*words).end()


def test_its_permissions_run_happens(planted: Callable[..., Done]) -> None:
    added = planted("sources", "add", "notes", "--name", "team", "--team", "blue")
    assert added.code == 0, added.err
    assert "readers as Notes says" in planted("sources", "list").out
    read = planted("reindex", "--source", "team", "--json")
    assert read.report["added"] == 1, read.err
    run = planted("schedule", "run", "permissions", "--json")
    assert run.code == 0, run.err
    assert '"team"' in json.dumps(run.json)
    (state,) = planted("status", "--json").json["sources"]
    assert state["permissions"]["state"] == "fresh"
    kinds = [(each["kind"], each["source"]) for each in planted("runs", "--json").json["runs"]]
    assert ("permissions", "team") in kinds
