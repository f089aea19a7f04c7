"""`kb index` follows a folder as it changes."""

import shutil
from pathlib import Path

import pytest

from tests.command import Kb, rows, write
from tests.fakes.embeddings_server import EmbeddingsServer

VACATION = "# Vacation\n\nEverybody has thirty days of vacation a year.\n"
PARKING = "# Parking\n\nVisitors leave their cars on level two of the garage.\n"
TRAVEL = "# Travel\n\nTrains are booked by the travel office in Dresden.\n"

REPORT = {
    *(
        "source",
        "listed",
        "added",
        "changed",
        "unchanged",
        "masked_anew",
        "cut",
        "held",
        "described",
        "connected",
        "reason",
        "renamed",
        "hidden",
        "purged",
        "chunks",
    ),
    *("embedded", "held_back", "complete", "dry_run", "seconds", "skipped", "failed", "missing", "masking"),
    *("readdressed", "requests", "permissions", "embedder", "tokens", "stages", "unreadable", "names"),
}


def found(kb: Kb, words: str, *options: str) -> list[str]:
    """Paths that hold the words, best first."""
    done = kb("search", words, "--method", "lexical", "--json", *options)
    assert done.code in {0, 3}, done
    return [result["path"] for result in done.json["results"]]


def long_section(heading: str, word: str) -> str:
    sentences = " ".join(f"The {word} number {n} is kept in cupboard {n} of the {word} room." for n in range(12))
    return f"## {heading}\n\n{sentences}\n\n"


@pytest.mark.everyday
def test_a_folder_is_read_and_only_what_is_new_is_embedded(kb: Kb, docs: Path, embeddings: EmbeddingsServer) -> None:
    write(docs, vacation=VACATION, office__parking=PARKING)
    first = kb("index", str(docs), "--json")
    assert (first.code, first.err) == (0, "")
    assert set(first.json) == {"runs", "errors"}
    assert first.json["errors"] == []
    report = first.report
    assert set(report) == REPORT
    assert (report["source"], report["listed"], report["added"]) == ("docs", 2, 2)
    assert report["chunks"] == report["embedded"] == 2
    assert (report["complete"], report["dry_run"]) == (True, False)
    assert found(kb, "garage") == ["office/parking.md"]

    asked = len(embeddings.requests)
    second = kb("index", str(docs), "--json").report
    assert (second["unchanged"], second["added"], second["changed"]) == (2, 0, 0)
    assert second["embedded"] == second["chunks"] == 0
    assert len(embeddings.requests) == asked, "an unchanged folder needs no model"


@pytest.mark.everyday
def test_the_report_for_people(kb: Kb, docs: Path) -> None:
    write(docs, vacation=VACATION)
    (docs / "photo.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(256)))
    done = kb("index", str(docs))
    assert done.code == 0
    assert "docs: 2 documents in " in done.out
    assert "1 added, 1 skipped" in done.out
    assert "1 chunk written, 1 embedded now" in done.out
    assert "skipped: photo.png (not a document)" in done.out
    assert "2 documents" in done.err  # progress


@pytest.mark.everyday
def test_a_changed_file_is_found_by_its_new_words_only(kb: Kb, docs: Path) -> None:
    write(docs, vacation=VACATION, parking=PARKING)
    kb("index", str(docs))
    write(docs, parking=PARKING.replace("garage", "courtyard"))
    report = kb("index", str(docs), "--json").report
    assert (report["changed"], report["unchanged"], report["embedded"]) == (1, 1, 1)
    assert found(kb, "courtyard") == ["parking.md"]
    assert found(kb, "garage") == []


def test_an_edit_embeds_only_the_chunks_that_it_changes(kb: Kb, docs: Path, url: str) -> None:
    sections = [long_section(word.title(), word) for word in ("hammer", "ladder", "bucket", "shovel", "barrow")]
    write(docs, tools="# Tools\n\n" + "".join(sections))
    first = kb("index", str(docs), "--json").report
    assert first["chunks"] == first["embedded"] >= 5
    before = dict(rows(url, "SELECT text, embedding::text FROM chunks JOIN vectors USING (version_id, chunk_no)"))

    write(docs, tools="# Tools\n\n" + "".join(sections).replace("bucket number 7 ", "bucket number 777 "))
    second = kb("index", str(docs), "--json").report
    assert second["chunks"] == first["chunks"]
    assert 1 <= second["embedded"] <= 2
    after = dict(rows(url, "SELECT text, embedding::text FROM chunks JOIN vectors USING (version_id, chunk_no)"))
    kept = before.keys() & after.keys()
    assert len(kept) == len(before) - second["embedded"]
    assert all(before[text] == after[text] for text in kept)


def test_a_renamed_file_is_found_under_its_new_name_at_once(kb: Kb, docs: Path) -> None:
    write(docs, vacation=VACATION, parking=PARKING)
    kb("index", str(docs))
    (docs / "moved").mkdir()
    (docs / "parking.md").rename(docs / "moved" / "cars.md")
    report = kb("index", str(docs), "--json").report
    assert (report["renamed"], report["added"], report["hidden"], report["purged"]) == (1, 0, 0, 0)
    assert report["embedded"] == 0
    assert found(kb, "garage") == ["moved/cars.md"]


def test_two_copies_that_become_one_are_one_renamed_and_one_gone(kb: Kb, docs: Path) -> None:
    write(docs, one=PARKING, two=PARKING, vacation=VACATION)
    kb("index", str(docs))
    (docs / "one.md").rename(docs / "three.md")
    (docs / "two.md").unlink()
    report = kb("index", str(docs), "--json").report
    assert (report["added"], report["renamed"], report["hidden"]) == (0, 1, 1)
    assert found(kb, "garage") == ["three.md"]


def test_a_deleted_file_is_hidden_at_once_and_purged_by_the_second_run(kb: Kb, docs: Path, url: str) -> None:
    write(docs, vacation=VACATION, parking=PARKING)
    kb("index", str(docs))
    (docs / "parking.md").unlink()

    first = kb("index", str(docs), "--json").report
    assert (first["hidden"], first["purged"]) == (1, 0)
    assert found(kb, "garage") == []
    assert "Searched 1 document," in kb("ask", "Where is the xylophone kept?").out
    assert rows(url, "SELECT count(*) FROM chunks") == [(2,)], "hidden, not yet gone"

    second = kb("index", str(docs), "--json").report
    assert (second["hidden"], second["purged"]) == (0, 1)
    for table in ("documents", "indexed_documents", "chunks", "vectors"):
        assert rows(url, f"SELECT count(*) FROM {table}") == [(1,)], table


def test_a_file_that_comes_back_is_shown_again_without_being_embedded(kb: Kb, docs: Path) -> None:
    write(docs, vacation=VACATION, parking=PARKING)
    kb("index", str(docs))
    (docs / "parking.md").unlink()
    kb("index", str(docs))
    write(docs, parking=PARKING)
    report = kb("index", str(docs), "--json").report
    assert (report["described"], report["added"], report["embedded"]) == (1, 0, 0)
    assert found(kb, "garage") == ["parking.md"]


def test_many_missing_files_are_held_back_until_someone_confirms(kb: Kb, docs: Path) -> None:
    write(docs, **{f"note{n}": f"# Note {n}\n\nThe locomotive number {n}.\n" for n in range(15)})
    kb("index", str(docs))
    for n in range(12):
        (docs / f"note{n}.md").unlink()

    done = kb("index", str(docs))
    assert done.code == 1, "an operator has to look at it"
    assert "12 documents missing all at once: kept, the source may be at fault." in done.out
    assert "kb reindex --source docs --prune=confirm" in done.out
    assert "; what about: kb runs" in kb("status").out
    assert len(found(kb, "locomotive", "--k", "50")) == 15
    assert kb("index", str(docs), "--json").report["held_back"] == 12, "waiting does not make it true"

    confirmed = kb("reindex", "--source", "docs", "--prune=confirm", "--json").report
    assert (confirmed["hidden"], confirmed["held_back"]) == (12, 0)
    assert len(found(kb, "locomotive", "--k", "50")) == 3


@pytest.mark.parametrize("emptied", [True, False], ids=["emptied", "vanished"])
def test_a_folder_that_is_gone_takes_nothing_with_it(kb: Kb, docs: Path, *, emptied: bool) -> None:
    write(docs, vacation=VACATION, parking=PARKING)
    kb("index", str(docs))
    shutil.rmtree(docs)
    if emptied:  # as an unmounted drive leaves it
        docs.mkdir()
    for _ in range(2):
        done = kb("reindex", "--json")
        if emptied:
            assert (done.code, done.report["held_back"]) == (1, 2)
            assert kb("runs", "--json").json["runs"][0]["state"] == "attention"
        else:
            assert done.code == 2
            assert "There is no file or folder" in done.json["error"]["what"]
            assert "Nothing was removed" in done.json["error"]["next"]
    assert found(kb, "garage") == ["parking.md"]


def test_a_single_file_is_a_source_of_its_own(kb: Kb, docs: Path) -> None:
    write(docs, vacation=VACATION, parking=PARKING)
    report = kb("index", str(docs / "parking.md"), "--json").report
    assert (report["source"], report["listed"], report["added"]) == ("parking.md", 1, 1)
    assert found(kb, "garage") == ["parking.md"]
    assert found(kb, "vacation") == []
    write(docs, parking=TRAVEL)
    assert kb("index", str(docs / "parking.md"), "--json").report["changed"] == 1
    assert found(kb, "trains") == ["parking.md"]


def test_what_holds_no_document_leaves_no_source_behind(kb: Kb, docs: Path, tmp_path: Path) -> None:
    (tmp_path / "picture.bin").write_bytes(b"\0\1\2" * 100)
    done = kb("index", str(tmp_path / "picture.bin"))
    assert done.code == 2
    assert "can be indexed" in done.err
    assert "has NUL bytes" in done.err
    assert "picture" not in kb("sources", "list").out
    (run,) = kb("runs", "--json").json["runs"]
    assert (run["state"], "can be indexed" in run["reason"]) == ("failed", True)


def test_a_folder_within_an_indexed_one_is_indexed_once_more_only_under_a_name(kb: Kb, docs: Path) -> None:
    (docs / "inner").mkdir()
    write(docs / "inner", note="The walrus sleeps.")
    assert kb("index", str(docs)).code == 0
    done = kb("index", str(docs / "inner"))
    assert done.code == 2
    assert "kb reindex --source docs" in done.err
    for place, name in ((docs / "inner", "again"), (docs, "my docs")):
        done = kb("index", str(place), "--source", name)
        assert done.code == 0
        assert "indexed already as the source docs" in done.err
        assert "kb sources remove docs" in done.err
    assert "Warning" not in kb("index", str(docs), "--source", "my docs").err


def test_the_same_folder_spelled_otherwise_is_the_same_source(kb: Kb, docs: Path) -> None:
    write(docs, vacation=VACATION)
    (docs.parent / "link").symlink_to(docs)
    assert kb("index", str(docs), "--json").report["added"] == 1
    for spelling in (f"{docs}/", f"{docs}/../docs", str(docs.parent / "link")):
        assert kb("index", spelling, "--json").report["unchanged"] == 1
    assert len(kb("sources", "list", "--json").json["sources"]) == 1


def test_two_folders_of_one_name_need_names_of_their_own(kb: Kb, docs: Path, tmp_path: Path) -> None:
    write(docs, vacation=VACATION)
    other = write(tmp_path / "other" / "docs", parking=PARKING)
    kb("index", str(docs))
    refused = kb("index", str(other), "--json")
    assert refused.code == 2
    assert "--source NAME" in refused.json["error"]["next"]
    assert found(kb, "garage") == []
    assert kb("index", str(other), "--source", "cars", "--json").report["source"] == "cars"
    assert found(kb, "garage", "--source", "cars") == ["parking.md"]
    assert found(kb, "garage", "--source", "docs") == []
