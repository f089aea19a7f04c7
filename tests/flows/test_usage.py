"""Wrong command lines and wrong settings: exit code 2 and one message that says what to do."""

from pathlib import Path

import pytest

from tests.command import Done, Kb, write
from tests.fakes.embeddings_server import KEY

pytestmark = pytest.mark.everyday

WRONG_WORDS: dict[str, tuple[tuple[str, ...], str]] = {
    "no such command": (("nonsense",), "No such command 'nonsense'"),
    "no such option": (("ask", "q", "--nonsense"), "No such option"),
    "no such global option": (("--nonsense", "status"), "No such option"),
    "a group alone": (("db",), "Usage: kb db"),
    "no such sub-command": (("db", "downgrade"), "No such command"),
    "interactive with a question": (("ask", "-i", "q"), "neither QUESTION nor --json"),
    "not an address": (("ask", "q", "--as", "nobody"), "'nobody' is not an e-mail address"),
    "two at signs": (("ask", "q", "--as", "a@b@example.com"), "is not an e-mail address"),
    "a date in words": (("ask", "q", "--since", "yesterday"), "'yesterday' is not a date such as"),
    "no such day": (("search", "q", "--until", "2026-02-30"), "'2026-02-30' is not a date"),
    "not UTF-8": (("ask", "\udcff"), "is not UTF-8"),
    "no query": (("search",), "one of QUERY, --queries FILE and --suspicious"),
    "a query and queries": (("search", "q", "--queries", "{file}"), "one of QUERY, --queries FILE and --suspicious"),
    "no such queries": (("search", "--queries", "/no/where.jsonl"), "No such file"),
    "an empty query": (("search", " "), "The query is empty"),
    "k of 0": (("search", "q", "--k", "0"), "0 is not in the range"),
    "k too large": (("search", "q", "--k", "101"), "101 is not in the range"),
    "k in words": (("search", "q", "--k", "many"), "'many' is not a valid integer"),
    "neighbours below 0": (("search", "q", "--neighbours", "-1"), "-1 is not in the range"),
    "no such method": (("search", "q", "--method", "magic"), "'magic' is not"),
    "nothing to index": (("index",), "Missing argument 'PATH_OR_URL'"),
    "an empty path": (("index", ""), "The path is empty"),
    "no such path": (("index", "/no/where"), "There is no file or folder /no/where"),
    "no such user": (("index", "~no-such-user/docs"), "There is no file or folder ~no-such-user/docs"),
    "a name that is too long": (("index", "a" * 300), "There is no file or folder aaa"),
    "a path below a file": (("index", "{file}/docs"), "There is no file or folder"),
    "not a web address": (("index", "ftp://example.com/"), "the URL cannot be fetched"),
    "no such audience": (("index", "{docs}", "--audience", "all"), "'all' is neither 'everyone' nor"),
    "an at sign as audience": (("index", "{docs}", "--audience", "@"), "'@' is neither"),
    "everyone and somebody": (("index", "{docs}", "--audience", "everyone", "--audience", "a@b.de"), "give it alone"),
    "an empty name": (("index", "{docs}", "--source", " "), "1 to 100 printable characters"),
    "a name of two lines": (("index", "{docs}", "--source", "a\nb"), "1 to 100 printable characters"),
    "a very long name": (("index", "{docs}", "--source", "n" * 101), "1 to 100 printable characters"),
    "nothing to reindex": (("reindex",), "There is no source yet"),
    "no such source": (("reindex", "--source", "nowhere"), "There is no source nowhere"),
    "full and since": (("reindex", "--full", "--since", "2026-01-01"), "--full makes a whole index"),
    "full and dry run": (("reindex", "--full", "--dry-run"), "--full makes a whole index"),
    "full and rollback": (("reindex", "--full", "--rollback"), "--rollback stands alone"),
    "golden questions without a new index": (("reindex", "--golden", "{file}"), "go with --full"),
    "worse without a new index": (("reindex", "--accept-worse"), "go with --full"),
    "worse and rollback": (("reindex", "--accept-worse", "--rollback"), "--rollback stands alone"),
    "prune without confirm": (("reindex", "--prune=yes"), "'yes' is not"),
    "reindex since when": (("reindex", "--since", "soon"), "'soon' is not a date"),
    "nothing to go back to": (("reindex", "--rollback"), "There is no earlier index to go back to"),
    "a run in words": (("runs", "last"), "'last' is not a valid integer"),
    "no such run": (("runs", "999"), "There is no run 999"),
    "no number of a run": (("runs", "99999999999999999999"), "99999999999999999999"),
    "a source without a path": (("sources", "add", "files", "--name", "x"), "Missing option '--path'"),
    "a source of an empty path": (("sources", "add", "files", "--name", "x", "--path", ""), "--path"),
    "a source of a blank path": (("sources", "add", "files", "--name", "x", "--path", " "), "--path"),
    "a space without a key": (
        (
            "sources",
            "add",
            "confluence",
            "--name",
            "x",
            "--url",
            "https://x.example",
            "--token-env",
            "X",
            "--space",
            "",
        ),
        "--space",
    ),
    "an empty address": (
        ("sources", "add", "jira", "--name", "x", "--url", "", "--token-env", "X", "--unchecked"),
        "--url",
    ),
    "no number of seconds": (("questions", "--slower-than", "nan"), "nan is not a finite number"),
    "endless seconds": (("questions", "--slower-than", "inf"), "inf is not a finite number"),
    "no number of a temperature": (("ask", "q", "--temperature", "nan"), "nan is not a finite number"),
    "a path and a URL": (
        ("sources", "add", "files", "--name", "x", "--path", "{docs}", "--url", "https://example.com/"),
        "No such option",
    ),
    "a web source of a path": (("sources", "add", "web", "--name", "x", "--url", "{docs}"), "does not fit"),
    "a source without a name": (("sources", "add", "files", "--path", "{docs}"), "Missing option '--name'"),
    "no such kind of source": (("sources", "add", "wiki", "--name", "x"), "No such command 'wiki'"),
    "a token instead of its variable": (
        ("sources", "add", "jira", "--name", "x", "--url", "https://x.example", "--token-env", "ATATT3x-y"),
        "the name of an environment variable",
    ),
    "removing what is not there": (("sources", "remove", "nowhere", "--yes"), "There is no source nowhere"),
    "checking what is not there": (("sources", "check", "nowhere"), "There is no source nowhere"),
    "no data set": (("eval", "retrieval"), "Missing argument 'DIR'"),
    "no such data set": (("eval", "retrieval", "/no/where"), "/no/where has no corpus.jsonl"),
    "not a data set": (("eval", "retrieval", "{docs}"), "has no corpus.jsonl"),
}

WRONG_SETTINGS: dict[str, tuple[dict[str, str], str]] = {
    "unknown": ({"EMBEDING_MODEL": "x"}, "Did you mean KB_AGENT_EMBEDDING_MODEL?"),
    "not a number": ({"RRF_K": "many"}, "KB_AGENT_RRF_K does not take 'many'"),
    "below 0": ({"DIVERSITY": "-1"}, "KB_AGENT_DIVERSITY does not take '-1'"),
    "infinite": ({"PARSE_SECONDS": "inf"}, "KB_AGENT_PARSE_SECONDS does not take 'inf'"),
    "not one of them": ({"FUSION": "best"}, "normalised, rrf"),
    "no such fusion": ({"FUSION": "magic"}, "KB_AGENT_FUSION does not take 'magic'"),
    "no such file": ({"CONFIG": "/no/where.toml"}, "The settings file /no/where.toml is not there"),
    "another database": ({"DATABASE_URL": "mysql://root:sekret@host/name"}, "only PostgreSQL will do"),
    "no URL of a database": ({"DATABASE_URL": "the usual one:sekret"}, "KB_AGENT_DATABASE_URL is not usable"),
    "a URL without a name": ({"DATABASE_URL": "postgresql://u:sekret@host:port/x"}, "KB_AGENT_DATABASE_URL"),
    "no URL of a model": ({"EMBEDDING_BASE_URL": "localhost:8080"}, "is not a URL"),
    "a server without a model": ({"EMBEDDING_MODEL": ""}, "There is no embedding model named"),
    "a model that the server lacks": ({"EMBEDDING_MODEL": "other"}, "has no model other"),
    "a wrong key": ({"EMBEDDING_API_KEY": "sk-sekret"}, "refuses our key"),
    "a key with a blank": ({"EMBEDDING_API_KEY": "sk sekret"}, "a character that no key has"),
}


def one_message(done: Done, expected: str) -> None:
    assert (done.code, done.out) == (2, ""), done
    assert expected in done.err
    assert done.err.count("Error") <= 1, done.err
    for word in ("Traceback", "sekret", "Something went wrong"):
        assert word not in done.err


def one_object(done: Done, expected: str) -> None:
    assert done.code == 2, done
    error = done.json["error"]
    assert set(error) == {"what", "why", "next"}
    assert error["what"]
    assert error["next"], "it says what to do"
    assert "sekret" not in done.out


@pytest.fixture(scope="module")
def empty(shared: Kb) -> Kb:
    """The command over an empty index, with a folder and a file."""
    write(shared.folder / "docs", page="# Page\n\nWords.\n")
    (shared.folder / "file.jsonl").write_text('{"_id": "1", "text": "q"}\n')
    return shared


@pytest.mark.parametrize("case", WRONG_WORDS)
def test_a_wrong_command_line(empty: Kb, case: str) -> None:
    words, expected = WRONG_WORDS[case]
    places = {"{docs}": str(empty.folder / "docs"), "{file}": str(empty.folder / "file.jsonl")}
    for name, place in places.items():
        words = tuple(word.replace(name, place) for word in words)
    one_message(empty(*words), expected)
    one_object(empty(*words, "--json"), expected)


@pytest.mark.parametrize("case", WRONG_SETTINGS)
def test_a_wrong_setting(empty: Kb, case: str) -> None:
    settings, expected = WRONG_SETTINGS[case]
    kb = empty.having(**settings)
    one_message(kb("search", "words"), expected)
    one_object(kb("search", "words", "--json"), expected)


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"fusion = ", "kb.toml cannot be read"),
        (b"fusion = 'rrf'\n\xff", "kb.toml cannot be read"),
        (b"fusoin = 'rrf'", "Did you mean fusion?"),
        (b"[search]\nfusion = 'rrf'", "There is no setting search"),
        (b"rrf_k = 'many'", "rrf_k in kb.toml does not take 'many'"),
        (b"fetch_allow = 5", "fetch_allow in kb.toml does not take 5"),
        (b"fusion = true", "fusion in kb.toml does not take True"),
    ],
)
def test_a_wrong_settings_file(empty: Kb, tmp_path: Path, content: bytes, expected: str) -> None:
    (tmp_path / "kb.toml").write_bytes(content)
    kb = Kb(empty.env, tmp_path)
    one_message(kb("status"), expected)
    one_object(kb("status", "--json"), expected)


def test_a_settings_file_is_read_and_the_environment_wins(empty: Kb, tmp_path: Path) -> None:
    (tmp_path / "kb.toml").write_text("embedding_api_key = 'wrong'\nsearch_candidates = 5\n")
    env = {name: value for name, value in empty.env.items() if name != "KB_AGENT_EMBEDDING_API_KEY"}
    assert "refuses our key" in Kb(env, tmp_path)("search", "words").err
    assert "Nothing is indexed yet" in Kb(env, tmp_path).having(EMBEDDING_API_KEY=KEY)("search", "words").err


@pytest.mark.parametrize("entry", ["wiki corp", "10.0.0.0/99", "http://wiki.corp/"])
def test_a_wrong_list_of_allowed_hosts(empty: Kb, entry: str) -> None:
    one_message(empty.having(FETCH_ALLOW=entry)("index", "http://127.0.0.1/"), "KB_AGENT_FETCH_ALLOW")


@pytest.mark.parametrize(
    ("folder", "expected"),
    [("{file}", "cannot be used"), ("{file}/below", "cannot be used"), ("/tmp/" + "long" * 30, "is too long")],
)
def test_a_data_folder_that_cannot_be_one(empty: Kb, folder: str, expected: str) -> None:
    place = folder.replace("{file}", str(empty.folder / "file.jsonl"))
    one_message(empty.having(DATABASE_URL="", DATA_DIR=place)("status"), expected)
