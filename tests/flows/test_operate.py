"""`kb status`, `sources`, `runs`, `db` and `doctor`."""

import json
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest

from domain.text.tokens import OLDEST
from domain.text.tokens import REVISION as REVISION_OF_TOKENS
from storage.revision import REVISION
from tests.command import Kb, app_url, connected, database_url, rows, write
from tests.fakes.embeddings_server import KEY as MODEL_KEY
from tests.fakes.embeddings_server import EmbeddingsServer, status
from tests.fakes.model_rules import scored
from tests.fakes.model_server import CHAT_MODEL, SMALL_MODEL, Reply, model_server

PAGE = "# Page\n\nThe walrus is fed at noon.\n"


@pytest.fixture
def filled(kb: Kb, docs: Path) -> Kb:
    """The command over one page."""
    write(docs, page=PAGE)
    (docs / "noise.bin").write_bytes(b"\0")
    assert kb("index", str(docs)).code == 0
    return kb


def test_the_status_of_an_empty_index(kb: Kb) -> None:
    done = kb("status")
    assert done.code == 3
    assert done.out == "Database: a PostgreSQL service\nNothing is indexed yet. Start with: kb index PATH_OR_URL\n"
    as_json = kb("status", "--json")
    assert (as_json.code, as_json.json) == (
        3,
        {"database": "a PostgreSQL service", "index": None, "golden": None, "sources": []},
    )


def test_the_status_of_an_index(filled: Kb) -> None:
    done = filled("status")
    assert done.code == 0
    assert "Index: version 1, 1 document, 1 chunk\nModel: hash-model/64, 64 dimensions\n" in done.out
    assert "Source docs: 1 document, content done 20" in done.out
    found = filled("status", "--json").json
    index = found["index"]
    assert {name: index[name] for name in ("version", "embedder", "dimensions", "documents", "chunks", "hnsw")} == {
        "version": 1,
        "embedder": "hash-model/64",
        "dimensions": 64,
        "documents": 1,
        "chunks": 1,
        "hnsw": False,
    }
    assert index["previous_version"] is None
    assert index["database_bytes"] > 1_000_000
    (source,) = found["sources"]
    assert (source["name"], source["documents"], source["hidden"]) == ("docs", 1, 0)
    assert source["last_run_state"] == "done"


@pytest.mark.parametrize("words", ["index DOCS", "reindex", "schedule run content"])
def test_a_run_that_cannot_begin_keeps_its_reason(filled: Kb, url: str, docs: Path, words: str) -> None:
    rows(url, "UPDATE index_versions SET embedder = 'other-model/64' RETURNING 1")
    assert filled(*words.replace("DOCS", str(docs)).split()).code == 2
    newest = filled("runs", "--json").json["runs"][0]
    assert (newest["source"], newest["state"]) == ("docs", "failed")
    assert newest["reason"].startswith("The index was made with another embedding model (It holds vectors of other-mo")
    assert f"failed       docs: {newest['reason']}" in filled("runs").out


@pytest.mark.parametrize("words", ["reindex", "reindex --source docs", "schedule run content"])
def test_a_run_whose_model_is_not_there_keeps_that_reason(filled: Kb, words: str) -> None:
    other = filled.having(EMBEDDING_MODEL="other-model")
    assert other(*words.split()).code == 2
    newest = filled("runs", "--json").json["runs"][0]
    assert (newest["source"], newest["state"], newest["kind"]) == ("docs", "failed", "content")
    assert "has no model other-model" in newest["reason"]
    assert other("reindex", "--dry-run").code == 2
    assert filled("runs", "--json").json["runs"][0]["id"] == newest["id"], "a dry run is none"


def test_sources_are_added_listed_checked_and_removed(kb: Kb, docs: Path) -> None:
    assert kb("sources", "list").out == "There is no source yet. Index a folder or a URL first: kb index PATH_OR_URL\n"
    write(docs, page=PAGE)
    added = kb("sources", "add", "files", "--name", "zoo", "--path", str(docs), "--audience", "Ada@Example.com")
    assert (added.code, added.out) == (0, "Added. Read it now: kb reindex --source zoo\n")
    more = kb("sources", "add", "files", "--name", "more", "--path", str(docs), "--json")
    assert more.json == {"source": "more", "kind": "files", "done": "added", "findings": []}
    kept = kb("sources", "remove", "more", "--json")
    assert (kept.code, "Add --yes." in kept.json["error"]["next"]) == (2, True)
    assert kb("sources", "remove", "more", "--yes", "--json").json == {"removed": "more", "documents": 0}
    again = kb("sources", "add", "files", "--name", "zoo", "--path", str(docs))
    assert (again.code, "There is a source zoo already" in again.err) == (2, True)

    assert "0 documents; last run: never; for ada@example.com" in kb("sources", "list").out
    assert kb("reindex", "--source", "zoo", "--json").report["added"] == 1
    assert "zoo  (files)  " in kb("sources", "list").out
    (source,) = kb("sources", "list", "--json").json["sources"]
    assert source["options"] == {"path": str(docs), "audience": ["ada@example.com"]}
    assert (source["kind"], source["documents"], source["last_run_state"]) == ("files", 1, "done")

    assert kb("sources", "check").out == "ok     zoo: 1 document listed\n"
    docs.rename(docs.with_name("away"))
    check = kb("sources", "check", "zoo", "--json")
    assert check.code == 1
    assert check.json["sources"][0]["ok"] is False
    assert "There is no file or folder" in check.json["sources"][0]["detail"]


@pytest.mark.parametrize(("answer", "code"), [("n\n", 1), ("\n", 1), ("", 2)])
def test_a_source_is_not_removed_unless_someone_says_so(filled: Kb, answer: str, code: int) -> None:
    done = filled("sources", "remove", "docs", stdin=answer)
    assert (done.code, done.out) == (code, "")
    assert "Nothing was removed" in done.err
    assert filled("search", "walrus").code == 0


def test_nobody_is_asked_about_a_source_that_is_not_there(kb: Kb) -> None:
    done = kb("sources", "remove", "nosuch", stdin="")
    assert done.code == 2
    assert "There is no source nosuch" in done.err
    assert "Remove nosuch" not in done.err


@pytest.mark.parametrize("words", [("--yes",), ()])
def test_a_removed_source_leaves_nothing(filled: Kb, url: str, words: tuple[str, ...]) -> None:
    done = filled("sources", "remove", "docs", *words, stdin="y\n")
    assert (done.code, done.out) == (0, "Removed docs with 1 document.\n")
    for table in ("sources", "documents", "indexed_documents", "chunks", "vectors"):
        assert rows(url, f"SELECT count(*) FROM {table}") == [(0,)], table
    assert filled("search", "walrus", "--json").json == {"results": []}


def test_runs_are_listed_newest_first_and_shown_one_by_one(filled: Kb, docs: Path) -> None:
    filled("index", str(docs))
    listing = filled("runs")
    assert [line.split()[0] for line in listing.out.splitlines()] == ["2", "1"]
    assert listing.out.splitlines()[0].endswith("UTC  done         docs: 1 unchanged, 1 skipped")
    one = filled("runs", "1")
    assert "docs: 2 documents in " in one.out
    assert "skipped: noise.bin (binary: has NUL bytes)" in one.out
    (run,) = filled("runs", "1", "--json").json["runs"]
    assert set(run) == {"id", "source", "kind", "state", "reason", "started_at", "finished_at", "report"}
    assert run["report"]["added"] == 1
    assert run["report"]["skipped"] == [["noise.bin", "binary: has NUL bytes"]]


def test_there_are_no_runs_at_first(kb: Kb) -> None:
    assert kb("runs").out == "There was no run yet.\n"
    assert kb("runs", "--json").json == {"runs": []}


@pytest.fixture
def bare(kb: Kb, data_dir: Path) -> Iterator[Kb]:
    """The command over a database service on which nothing was made yet."""
    name = f"bare_{uuid4().hex}"
    with connected(database_url(data_dir, "postgres")) as server:
        server.execute(f'CREATE DATABASE "{name}"'.encode())
        yield kb.having(DATABASE_URL=database_url(data_dir, name))
        server.execute(f'DROP DATABASE "{name}" WITH (FORCE)'.encode())


def test_a_services_schema_is_made_when_asked_for(bare: Kb, docs: Path) -> None:
    write(docs, page=PAGE)
    refused = bare("index", str(docs))
    assert refused.code == 2
    assert f"It is empty; {REVISION} is needed.\n  next: Run: kb db upgrade" in refused.err
    assert (bare("db", "current").code, bare("db", "current").out) == (
        1,
        f"empty (this release needs {REVISION})\n",
    )
    assert bare("db", "upgrade").out == f"The schema is at {REVISION}; it was empty.\n"
    assert bare("db", "upgrade").out == f"The schema is at {REVISION} already.\n"
    assert bare("db", "current", "--json").json == {"current": REVISION, "needed": REVISION}
    assert bare("index", str(docs)).code == 0


def test_a_later_releases_schema_is_left_alone(filled: Kb, url: str) -> None:
    rows(url, "UPDATE alembic_version SET version_num = '9999' RETURNING 1")
    for words in (("search", "walrus"), ("db", "upgrade"), ("status",)):
        done = filled(*words)
        assert done.code == 2, words
        assert "The database was made by a later release" in done.err
        assert "Run the later release" in done.err
    assert filled("db", "current").code == 1


def test_a_doctor_who_finds_that_nobody_could_be_told(filled: Kb) -> None:
    done = filled.having(ALERT_CHANNEL="slack:C01")("doctor")
    assert done.code == 1
    assert "FAILED alerts: KB_AGENT_ALERT_CHANNEL names a channel of slack, which is not set up" in done.out


def test_a_doctor_who_finds_nothing_wrong(filled: Kb) -> None:
    done = filled("doctor")
    assert done.code == 0
    lines = done.out.splitlines()
    assert [line.split()[1].rstrip(":") for line in lines] == [
        *("python", "disk", "database", "row", "embeddings", "language", "parser", "index", "languages", "alerts"),
    ]
    assert all(line.startswith("ok ") for line in lines)
    assert "hash-model/64, 64 dimensions" in done.out
    assert "1 document, 1 chunk, made with the model in use" in done.out
    assert "ok     row security: The database user postgres owns the tables, or bypasses row-level security" in done.out


def test_a_doctor_says_that_an_earlier_release_made_the_index(filled: Kb, url: str) -> None:
    swap = "UPDATE index_versions SET analyzer = replace(analyzer, 'words-{}/', 'words-{}/')"
    with connected(url) as connection:
        connection.execute(swap.format(REVISION_OF_TOKENS, OLDEST).encode())
    try:
        done = filled("doctor")
        assert done.code == 0
        assert "with the words of an earlier release: kb reindex --full makes it anew" in done.out
        assert filled("search", "walrus").code == 0
    finally:
        with connected(url) as connection:
            connection.execute(swap.format(OLDEST, REVISION_OF_TOKENS).encode())


def test_a_doctor_says_that_the_policies_hold(filled: Kb, url: str) -> None:
    done = filled.having(DATABASE_URL=app_url(url), DATABASE_OWNER_URL=url)("doctor")
    assert "ok     row security: policies of the tables hold for the application" in done.out
    assert "; as the owner: postgres@" in done.out


def test_a_doctor_looks_whose_the_direct_connection_is(filled: Kb, url: str) -> None:
    done = filled.having(DATABASE_DIRECT_URL=url)("doctor")
    assert "ok     direct connection: what it makes is the application's, too" in done.out
    done = filled.having(DATABASE_URL=app_url(url), DATABASE_DIRECT_URL=url)("doctor")
    assert "FAILED database: The database user kb_app does not own the tables" in done.out


def test_a_doctor_asks_the_language_model(filled: Kb) -> None:
    assert "ok     language model: none; answers are quotations" in filled("doctor").out
    with model_server(rules=(lambda _: Reply("ready"),)) as server:
        env = {"LLM_BASE_URL": server.base_url, "LLM_API_KEY": MODEL_KEY, "LLM_MODEL": CHAT_MODEL}
        asked = filled.having(**env, LLM_SMALL_MODEL=SMALL_MODEL)("doctor")
        assert asked.code == 0
        assert f"ok     language model: {CHAT_MODEL} answers, " in asked.out
        assert f"; {SMALL_MODEL} answers, " in asked.out
        assert f"; {CHAT_MODEL} gave no scores" in asked.out
        assert f"; {SMALL_MODEL} gave no scores" in asked.out
        assert [request.body["model"] for request in server.requests] == [CHAT_MODEL, SMALL_MODEL] * 2
        believes = Reply(json.dumps(scored([], controls=(1.0, 1.0, 1.0))))
        server.rules.insert(0, lambda body: believes if "response_format" in body else None)
        asked = filled.having(**env, LLM_SMALL_MODEL=SMALL_MODEL)("doctor")
        assert f"; {CHAT_MODEL} cannot tell whether a passage says a sentence: answers are quoted" in asked.out
        assert f"; {SMALL_MODEL} cannot tell whether a passage says a sentence: it clears none" in asked.out
        server.rules.insert(0, lambda body: Reply(json.dumps(scored([]))) if "response_format" in body else None)
        told = filled.having(**env)("doctor").out
        assert "cannot tell" not in told
        assert "gave no scores" not in told
        refused = filled.having(**{**env, "LLM_API_KEY": "another"})("doctor")
    away = filled.having(**env)("doctor")
    for done in (refused, away):
        assert done.code == 1
        failed = [line for line in done.out.splitlines() if line.startswith("FAILED")]
        assert [line.partition(":")[0] for line in failed] == ["FAILED language model"]
        assert "next: " in done.out
    assert "KB_AGENT_LLM_API_KEY" in refused.out


def test_a_doctor_names_each_thing_that_is_wrong(filled: Kb, embeddings: EmbeddingsServer) -> None:
    embeddings.fail_next(status(503, retry_after="3600"))
    done = filled("doctor", "--json")
    assert done.code == 1
    checks = {check["check"]: check for check in done.json["checks"]}
    assert [name for name, check in checks.items() if not check["ok"]] == ["embeddings"]
    assert "is not available" in checks["embeddings"]["detail"]
    assert "next: try again later" in checks["embeddings"]["detail"]

    away = filled.having(DATABASE_URL="postgresql://kb:sekret@127.0.0.1:1/kb")("doctor")
    assert away.code == 1
    failed = [line.split()[1] for line in away.out.splitlines() if line.startswith("FAILED")]
    assert failed == ["database:", "row", "index:", "languages:"]
    assert "The database does not answer" in away.out
    assert "sekret" not in away.out + away.err


@pytest.mark.parametrize("words", [("ask", "q"), ("search", "q"), ("status",), ("index", "."), ("reindex",), ("runs",)])
def test_a_database_that_is_away_is_named_without_its_password(kb: Kb, words: tuple[str, ...]) -> None:
    done = kb.having(DATABASE_URL="postgresql://kb:sekret@127.0.0.1:1/kb")(*words, "--json")
    assert done.code == 1
    assert done.json["error"]["what"] == "The database does not answer"
    assert done.json["error"]["next"] == "Check the server, then try again."
    assert "sekret" not in done.out + done.err


def test_a_source_of_a_later_release_is_named_and_the_others_are_read(kb: Kb, docs: Path, url: str) -> None:
    write(docs, page=PAGE)
    kb("index", str(docs))
    rows(url, "INSERT INTO sources (name, kind, options) VALUES ('wiki', 'sharepoint', '{}') RETURNING 1")
    done = kb("sources", "check")
    assert done.code == 1
    assert "ok     docs" in done.out
    assert "FAILED wiki: The source wiki is of a kind that this release does not know: sharepoint" in done.out
    again = kb("reindex", "--json")
    assert again.code == 2
    assert [run["source"] for run in again.json["runs"]] == ["docs"]
