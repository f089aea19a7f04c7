"""One run over a folder with everything that a file system can hold against an indexer."""

import os
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from domain.knowledge_graph import with_blanks_for_controls
from tests.command import Done, Kb, rows
from tests.fakes import odd_files


@dataclass(frozen=True)
class Zoo:
    """The folder after one run. skipped, failed: reasons by path."""

    kb: Kb
    first: Done
    skipped: dict[str, str]
    failed: dict[str, str]

    def search(self, *options: str) -> list[dict[str, Any]]:
        results: list[dict[str, Any]] = self.kb(
            "search", "walrus", "--k", "100", "--method", "lexical", "--json", *options
        ).json["results"]
        return results


@pytest.fixture(scope="module")
def zoo(shared: Kb, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Zoo]:
    base = tmp_path_factory.mktemp("zoo")
    folder = base / "docs"
    odd_files.make(folder)
    kb = shared.having(MAX_FILE_MB=odd_files.MAX_FILE_MB)
    process = kb.start("index", str(folder), "--json")  # a child: a hang must not hang the tests
    try:
        done = process.end()
        assert done.code in {0, 1}, done
        yield Zoo(kb, done, dict(done.report["skipped"]), dict(done.report["failed"]))
    finally:
        process.close()
        subprocess.run(["rm", "-rf", str(base)], check=True)  # deeper than shutil.rmtree goes


def test_the_good_file_is_indexed_among_all_others(zoo: Zoo) -> None:
    assert "sub/good.md" in {result["path"] for result in zoo.search()}
    assert zoo.first.report["complete"]


@pytest.mark.parametrize("name", odd_files.BAD_CONTENT)
def test_what_cannot_be_read_is_skipped_with_its_reason(zoo: Zoo, name: str) -> None:
    assert zoo.skipped[name].startswith(odd_files.BAD_CONTENT[name][1])
    assert zoo.search("--title", name) == []


@pytest.mark.parametrize("name", odd_files.GOOD_NAMES)
def test_odd_names_are_found(zoo: Zoo, name: str) -> None:
    stored = with_blanks_for_controls(name)  # a control character in it is a blank
    (result,) = zoo.search("--title", stored)
    assert result["path"] == stored
    assert f"number {odd_files.GOOD_NAMES.index(name)}" in result["text"]


@pytest.mark.parametrize("name", odd_files.LINKS)
def test_links_that_lead_away_or_nowhere_are_not_followed(zoo: Zoo, name: str) -> None:
    assert "symbolic link" in zoo.skipped[name]


def test_nothing_from_outside_of_the_folder_is_indexed(zoo: Zoo) -> None:
    assert zoo.kb("search", "crown jewels", "--method", "lexical", "--json").json["results"] == []
    url = zoo.kb.env["KB_AGENT_DATABASE_URL"]
    assert rows(url, "SELECT count(*) FROM chunks WHERE text LIKE '%%jewels%%'") == [(0,)]


def test_a_link_to_a_file_inside_is_followed(zoo: Zoo) -> None:
    assert [result["path"] for result in zoo.search("--title", "alias.md")] == ["alias.md"]


@pytest.mark.parametrize("name", ["pipe.md", "socket.md"])
def test_what_is_no_file_is_not_opened(zoo: Zoo, name: str) -> None:
    assert zoo.skipped[name] == "not a regular file"


def test_a_name_that_is_not_utf8_is_reported_legibly(zoo: Zoo) -> None:
    assert zoo.skipped["bad\ufffd\ufffd.md"] == "its name is not UTF-8"


def test_deep_folders_are_read_as_far_as_paths_go(zoo: Zoo) -> None:
    found = {result["path"].partition("/")[0] for result in zoo.search() if "level10.md" in result["path"]}
    assert found == {"deep", "narrow"}
    too_long = [reason for path, reason in zoo.skipped.items() if path.startswith("narrow/")]
    assert too_long == ["its path is longer than 2,000 bytes"]
    too_deep = [reason for path, reason in zoo.skipped.items() if path.startswith("deep/")]
    assert too_deep == ["the folder cannot be read: file name too long"]


@pytest.mark.parametrize("name", odd_files.POISON)
def test_hostile_content_harms_nobody_else(zoo: Zoo, name: str) -> None:
    """Indexed or reported, one of the two; and what is indexed can be shown."""
    results = zoo.search("--title", name)
    assert bool(results) != (name in zoo.skipped | zoo.failed)
    shown = zoo.kb("search", "walrus", "--k", "100", "--title", name)
    assert shown.code == (0 if results else 3)
    assert "Error" not in shown.err


def test_a_second_run_finds_nothing_new(zoo: Zoo, shared: Kb) -> None:
    (source,) = shared("sources", "list", "--json").json["sources"]
    again = zoo.kb("index", source["options"]["path"], "--json").report
    assert (again["added"], again["changed"], again["embedded"], again["hidden"]) == (0, 0, 0, 0)
    assert dict(again["skipped"]) == zoo.skipped


def test_names_do_not_steer_the_terminal(zoo: Zoo, shared: Kb) -> None:
    (source,) = shared("sources", "list", "--json").json["sources"]
    report = zoo.kb("index", source["options"]["path"])
    listing = zoo.kb("search", "walrus", "--k", "100")
    for text in (report.out + report.err, listing.out + listing.err):
        assert "\x1b" not in text
    assert "new line.md" in listing.out, "a line break in a name would look like a line of ours"


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_unreadable_files_and_folders_are_reported_and_what_is_known_of_them_stays(kb: Kb, docs: Any) -> None:
    closed = docs / "closed"
    closed.mkdir()
    (closed / "inner.md").write_text("The walrus in the closed folder.\n")
    (docs / "file.md").write_text("The walrus in the closed file.\n")
    assert kb("index", str(docs), "--json").report["added"] == 2
    closed.chmod(0)
    (docs / "file.md").chmod(0)
    try:
        for _ in range(2):
            done = kb("index", str(docs), "--json")
            assert {path for path, _ in done.report["skipped"]} == {"closed", "file.md"}
            assert done.report["hidden"] == done.report["purged"] == 0
        assert len(kb("search", "walrus", "--method", "lexical", "--json").json["results"]) == 2
    finally:
        closed.chmod(0o755)
