"""`kb reindex`: its options, whole new indexes and the way back, and two processes at once."""

import os
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.command import Kb, KbProcess, rows, wait_for, write
from tests.fakes.embedding_moments import held, once_indexing, right
from tests.fakes.embeddings_server import EmbeddingsServer

ROWS = (
    "SELECT (SELECT json_agg(d ORDER BY document_no) FROM documents d)::text,"
    " (SELECT json_agg(i ORDER BY version_id, document_no) FROM indexed_documents i)::text,"
    " (SELECT json_agg(c ORDER BY chunk_no) FROM chunks c)::text, (SELECT json_agg(s) FROM sources s)::text,"
    " (SELECT json_agg(r) FROM runs r)::text, (SELECT json_agg(v) FROM index_versions v)::text,"
    " (SELECT count(*) FROM postings), (SELECT count(*) FROM segments), (SELECT count(*) FROM vectors)"
)
"""Everything that a run could write."""


def a_note(word: str) -> str:
    return f"# About the {word}\n\nThe {word} stands in the hall.\n"


def found(kb: Kb, words: str) -> list[str]:
    return [each["path"] for each in kb("search", words, "--method", "lexical", "--json").json["results"]]


def dated(path: Path, days_ago: float) -> None:
    now = path.stat().st_mtime
    os.utime(path, (now - 86_400 * days_ago,) * 2)


def test_a_dry_run_tells_and_writes_nothing(kb: Kb, docs: Path, url: str) -> None:
    write(docs, lamp=a_note("lamp"), sofa=a_note("sofa"), chair=a_note("chair"))
    kb("index", str(docs))
    write(docs, lamp=a_note("lantern"), table=a_note("table"))
    (docs / "sofa.md").unlink()
    (docs / "chair.md").rename(docs / "stool.md")
    before = rows(url, ROWS)
    report = kb("reindex", "--dry-run", "--json").report
    assert report["dry_run"]
    counts = {name: report[name] for name in ("added", "changed", "renamed", "hidden", "embedded", "chunks")}
    assert counts == {"added": 1, "changed": 1, "renamed": 1, "hidden": 1, "embedded": 0, "chunks": 0}
    assert rows(url, ROWS) == before
    assert "dry run: nothing was written" in kb("reindex", "--dry-run").out
    real = kb("reindex", "--json").report
    assert {name: real[name] for name in ("added", "changed", "renamed", "hidden")} == {
        name: counts[name] for name in ("added", "changed", "renamed", "hidden")
    }


def test_a_dry_run_over_an_empty_index_does_not_even_begin_one(kb: Kb, docs: Path, url: str) -> None:
    write(docs, lamp=a_note("lamp"))
    kb("sources", "add", "files", "--name", "docs", "--path", str(docs))
    before = rows(url, ROWS)
    assert kb("reindex", "--dry-run", "--json").report["added"] == 1
    assert rows(url, ROWS) == before


def test_since_leaves_alone_what_is_indexed_and_older(kb: Kb, docs: Path) -> None:
    write(docs, lamp=a_note("lamp"), sofa=a_note("sofa"))
    kb("index", str(docs))
    write(docs, lamp=a_note("lantern"), sofa=a_note("couch"))
    dated(docs / "lamp.md", 10)
    report = kb("reindex", "--since", "2020-01-01T00:00", "--dry-run", "--json").report
    assert report["changed"] == 2
    yesterday = f"{rows_now(kb)}"
    report = kb("reindex", "--since", yesterday, "--json").report
    assert (report["changed"], report["hidden"]) == (1, 0)
    assert (found(kb, "lantern"), found(kb, "couch")) == ([], ["sofa.md"])


def rows_now(kb: Kb) -> str:
    """Yesterday, as the database has it."""
    return str(rows(kb.env["KB_AGENT_DATABASE_URL"], "SELECT (now() - interval '1 day')::date")[0][0])


def test_since_loses_no_file_that_is_old_and_new_here(kb: Kb, docs: Path) -> None:
    """A renamed file keeps its date, and so do files that are copied or checked out."""
    write(docs, lamp=a_note("lamp"), sofa=a_note("sofa"))
    dated(docs / "lamp.md", 10)
    kb("index", str(docs))
    (docs / "lamp.md").rename(docs / "light.md")
    report = kb("reindex", "--since", rows_now(kb), "--json").report
    assert (report["renamed"], report["hidden"]) == (1, 0)
    assert found(kb, "lamp") == ["light.md"]


def test_one_document_alone(kb: Kb, docs: Path) -> None:
    write(docs, lamp=a_note("lamp"), sofa=a_note("sofa"), gone=a_note("mirror"))
    (docs / "noise.bin").write_bytes(b"\0")
    kb("index", str(docs))
    (wanted,) = kb("search", "lamp", "--method", "lexical", "--json").json["results"]
    write(docs, lamp=a_note("lantern"), sofa=a_note("couch"))
    (docs / "gone.md").unlink()
    report = kb("reindex", "--document", wanted["document_id"], "--json").report
    assert (report["changed"], report["unchanged"], report["hidden"], report["skipped"]) == (1, 0, 0, [])
    assert (found(kb, "lantern"), found(kb, "couch"), found(kb, "mirror")) == (["lamp.md"], [], ["gone.md"])

    unknown = kb("reindex", "--document", "0" * 32, "--json")
    assert unknown.code == 2
    assert unknown.json["error"]["what"] == f"No source has a document {'0' * 32}"


def test_a_full_reindex_answers_from_the_old_index_until_the_new_one_is_whole(
    kb: Kb, docs: Path, embeddings: EmbeddingsServer, kb_process: Callable[..., KbProcess]
) -> None:
    write(docs, lamp=a_note("lamp"), sofa=a_note("sofa"))
    kb("index", str(docs))
    write(docs, lamp=a_note("lantern"))
    gate = threading.Event()
    embeddings.fail_next(once_indexing(held(gate)))
    rebuild = kb_process("reindex", "--full", "--json")
    wait_for_embedding(embeddings)
    assert (found(kb, "lamp"), found(kb, "lantern")) == (["lamp.md"], [])
    gate.set()
    done = rebuild.end()
    assert (done.code, done.report["added"], done.report["embedded"]) == (0, 2, 2)
    assert (found(kb, "lamp"), found(kb, "lantern")) == ([], ["lamp.md"])

    status = kb("status", "--json").json["index"]
    assert (status["version"], status["previous_version"], status["documents"]) == (2, 1, 2)
    assert kb("reindex", "--rollback", "--json").json["live_version"] == 1
    assert (found(kb, "lamp"), found(kb, "lantern")) == (["lamp.md"], [])
    assert kb("reindex", "--rollback", "--json").json["live_version"] == 2, "and forward again"
    assert found(kb, "lantern") == ["lamp.md"]


def wait_for_embedding(embeddings: EmbeddingsServer) -> None:
    wait_for(lambda: not embeddings.faults)


def test_without_an_earlier_index_there_is_no_way_back(kb: Kb, docs: Path) -> None:
    write(docs, lamp=a_note("lamp"))
    kb("index", str(docs))
    done = kb("reindex", "--rollback", "--json")
    assert done.code == 2
    assert done.json["error"]["what"] == "There is no earlier index to go back to"
    assert found(kb, "lamp") == ["lamp.md"]


def test_a_full_reindex_that_was_broken_off_goes_on(
    kb: Kb, docs: Path, embeddings: EmbeddingsServer, kb_process: Callable[..., KbProcess], url: str
) -> None:
    long = "\n\n".join(f"## Part {n}\n\n" + f"The cupboard {n} holds {n} plates. " * 25 for n in range(200))
    write(docs, a_first="# First\n\n" + long, b_second=a_note("sofa"))
    kb("index", str(docs))
    gate = threading.Event()
    batches = -(-rows(url, "SELECT count(*) FROM chunks")[0][0] // 64)
    embeddings.fail_next(*[once_indexing(right)] * batches, once_indexing(held(gate)))
    rebuild = kb_process("reindex", "--full")
    wait_for(lambda: rows(url, "SELECT count(*) FROM indexed_documents WHERE version_id = 2") == [(1,)])
    rebuild.kill()
    gate.set()
    assert rows(url, "SELECT state FROM index_versions ORDER BY version_id") == [("live",), ("building",)]
    assert kb("runs", "--json").json["runs"][0]["state"] == "running", "nobody was there to close it"

    report = kb("reindex", "--full", "--json").report
    assert (report["unchanged"], report["added"]) == (1, 1), "the first document was done already"
    assert rows(url, "SELECT version_id, state FROM index_versions ORDER BY 1") == [(1, "previous"), (2, "live")]
    assert found(kb, "sofa") == ["b_second.md"]
    assert [run["state"] for run in kb("runs", "--json").json["runs"]] == ["done", "interrupted", "done"]


def test_another_chunk_setting_cuts_every_document_anew(kb: Kb, docs: Path, url: str) -> None:
    words = " ".join(f"The shelf {n} carries {n} books." for n in range(60))
    write(docs, books=f"# Books\n\n{words}\n")
    first = kb("index", str(docs), "--json").report
    second = kb.having(CHUNK_TARGET_TOKENS="40")("index", str(docs), "--json").report
    assert (second["changed"], second["unchanged"]) == (1, 0)
    assert second["chunks"] > first["chunks"]
    assert rows(url, "SELECT count(*) FROM chunks") == [(second["chunks"],)]
    assert kb("index", str(docs), "--json").report["chunks"] == first["chunks"]


def test_two_processes_do_not_index_one_source_at_once(
    kb: Kb, docs: Path, embeddings: EmbeddingsServer, kb_process: Callable[..., KbProcess]
) -> None:
    write(docs, lamp=a_note("lamp"))
    gate = threading.Event()
    embeddings.fail_next(once_indexing(held(gate)))
    first = kb_process("index", str(docs), "--json")
    wait_for_embedding(embeddings)
    second = kb("index", str(docs), "--json")
    assert second.code == 1
    assert second.json["error"]["what"] == "The source docs is being indexed by another process"
    assert "Wait for it" in second.json["error"]["next"]
    gate.set()
    done = first.end()
    assert (done.code, done.report["added"]) == (0, 1)
    assert [run["state"] for run in kb("runs", "--json").json["runs"]] == ["done"]
    assert kb("index", str(docs), "--json").report["unchanged"] == 1, "the next one may"


@pytest.mark.parametrize("full", [False, True])
def test_a_source_that_is_away_does_not_keep_the_others(kb: Kb, docs: Path, tmp_path: Path, *, full: bool) -> None:
    write(docs, lamp=a_note("lamp"))
    away = write(tmp_path / "away", sofa=a_note("sofa"))
    kb("index", str(away))
    kb("index", str(docs))
    away.rename(tmp_path / "elsewhere")
    write(docs, lamp=a_note("lantern"))
    done = kb("reindex", "--json", *(["--full"] if full else []))
    assert done.code == 2
    assert [run["source"] for run in done.json["runs"]] == ["docs"]
    assert [error["source"] for error in done.json["errors"]] == (["away", "--full"] if full else ["away"])
    assert found(kb, "sofa") == ["sofa.md"], "what is away stays in the index"
    assert found(kb, "lantern") == ([] if full else ["lamp.md"])


def test_a_full_reindex_that_would_lose_documents_is_not_put_to_use(kb: Kb, docs: Path) -> None:
    write(docs, vase=a_note("vase"), mirror=a_note("mirror"))
    lost = docs / "vase.md"
    assert kb("index", str(docs)).code == 0
    before = kb("status", "--json").json["index"]
    lost.write_bytes(b"caf\xe9 \x01\x02 unreadable since")
    done = kb("reindex", "--full")
    assert done.code == 1
    assert "The new index is not in use yet" in done.err
    assert lost.name in done.err
    after = kb("status", "--json").json["index"]
    assert (after["version"], after["documents"]) == (before["version"], before["documents"])
    assert kb("reindex", "--full", "--prune=confirm").code == 0
    assert kb("status", "--json").json["index"]["documents"] == before["documents"] - 1
