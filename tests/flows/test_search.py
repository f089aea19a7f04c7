"""`kb search`: the passages themselves, one query or many."""

import asyncio
import json
import os
from pathlib import Path

import pytest

from tests.command import Kb, write
from tests.fakes import handbook
from tests.fakes.rerank_server import KEY, MODEL, RerankServer

pytestmark = pytest.mark.everyday

RESULT = {
    *("document_id", "chunk_id", "title", "url", "path", "section", "place", "score", "methods", "text"),
    *("before", "after", "owner", "suspicious"),
}


@pytest.fixture(scope="module")
def filled(shared: Kb, tmp_path_factory: pytest.TempPathFactory) -> Kb:
    folder = handbook.make(tmp_path_factory.mktemp("company") / "handbook")
    parts = "\n\n".join(f"## Part {n}\n\n" + f"The gear number {n} of the clock. " * 20 for n in range(5))
    write(folder, clock=f"# Clock\n\n{parts}\n")
    assert shared("index", str(folder)).code == 0
    return shared


@pytest.mark.parametrize(
    ("method", "ranked_by"), [("hybrid", {"lexical", "dense"}), ("lexical", {"lexical"}), ("dense", {"dense"})]
)
def test_each_method_finds_the_passage_and_tells_its_rank(filled: Kb, method: str, ranked_by: set[str]) -> None:
    done = filled("search", "certificate has expired VPN-4711", "--method", method, "--json")
    assert done.code == 0
    assert done.json.keys() == {"results"}
    first = done.json["results"][0]
    assert set(first) == RESULT
    assert (first["title"], first["path"]) == ("VPN", "vpn.md")
    assert "VPN-4711" in first["text"]
    assert set(first["methods"]) == ranked_by
    assert set(first["methods"].values()) == {1}
    scores = [result["score"] for result in done.json["results"]]
    assert scores == sorted(scores, reverse=True)


def test_the_default_is_hybrid_and_ten(filled: Kb) -> None:
    query = ("search", "the gear of the clock", "--json")
    assert filled(*query).json == filled(*query, "--method", "hybrid+graph", "--k", "10").json


@pytest.mark.parametrize("k", [1, 3])
def test_no_more_than_asked_for(filled: Kb, k: int) -> None:
    wide = filled("search", "gear clock", "--json").json["results"]
    assert filled("search", "gear clock", "-k", str(k), "--json").json["results"] == wide[:k]


def test_text_for_people(filled: Kb) -> None:
    done = filled("search", "certificate has expired", "--k", "1")
    head, place, body = done.out.split("\n", 2)
    assert head.startswith("1. VPN — Errors  [1.000; lexical 1, dense 1]")
    assert place.startswith("   vpn.md line")
    assert "   The error VPN-4711 means that the certificate has expired." in body


def test_neighbours_come_in_the_order_of_the_document(filled: Kb) -> None:
    one = filled("search", "gear number 2", "--method", "lexical", "-k", "1", "--json").json["results"][0]
    assert one["section"] == "Part 2"
    assert (one["before"], one["after"]) == ([], [])
    two = filled("search", "gear number 2", "--method", "lexical", "-k", "1", "--neighbours", "2", "--json")
    around = two.json["results"][0]
    numbers = [text.split(" of the")[0][-1] for text in (*around["before"], around["text"], *around["after"])]
    assert numbers == ["0", "1", "2", "3", "4"]


@pytest.mark.parametrize(
    ("options", "paths"),
    [
        (("--label", "people"), {"leave.md"}),
        (("--label", "people", "--label", "nothing"), {"leave.md"}),
        (("--title", "PUMP"), {"pump.pdf"}),
        (("--source", "handbook", "--title", "vpn"), {"vpn.md"}),
        (("--source", "elsewhere"), set()),
        (("--since", "2025-02-01", "--title", "retention"), {"retention-2025.md"}),
        (("--until", "2023-02-01"), {"retention-2023.md"}),
        (("--until", "2023-01-31"), set()),
        (("--space", "nowhere"), set()),
        (("--document", "0" * 32), set()),
    ],
)
@pytest.mark.parametrize("method", ["lexical", "dense"])
def test_filters(filled: Kb, method: str, options: tuple[str, ...], paths: set[str]) -> None:
    words = "the vacation impeller gateway customer backups"
    done = filled("search", words, "--method", method, "--k", "50", *options, "--json")
    assert {result["path"] for result in done.json["results"]} == paths
    assert done.code == (0 if paths else 3)


def test_a_document_is_named_by_its_id(filled: Kb) -> None:
    (first, *_) = filled("search", "gateway", "--json").json["results"]
    found = filled("search", "customer", "--document", first["document_id"], "--json", "--method", "dense")
    assert {result["document_id"] for result in found.json["results"]} == {first["document_id"]}


def test_what_stands_in_the_place_of_a_secret_is_no_word_to_search_for(filled: Kb) -> None:
    done = filled("search", "[masked: password]")
    assert (done.code, done.out) == (2, "")
    assert "Nothing is left of the query" in done.err
    bare = filled("search", "vacation", "--json").json
    assert filled("search", "vacation [masked: password]", "--json").json == bare


def test_nothing_found_is_exit_code_3(filled: Kb) -> None:
    done = filled("search", "xylophone", "--method", "lexical")
    assert done.code == 3
    assert done.out.startswith("Nothing found.")
    as_json = filled("search", "xylophone", "--method", "lexical", "--json")
    assert (as_json.code, as_json.json) == (3, {"results": []})


def test_what_is_near_by_meaning_alone_is_told_from_what_was_found(filled: Kb) -> None:
    told = "No passage was found by these words"
    assert told in filled("search", "zzzqqq").err
    for words in (("certificate",), ("zzzqqq", "--method", "dense")):
        assert told not in filled("search", *words).err


def queries(folder: Path, *lines: str) -> str:
    path = folder / "queries.jsonl"
    path.write_text("".join(f"{line}\n" for line in lines))
    return str(path)


def test_many_queries_give_a_line_each_with_their_ids(filled: Kb, tmp_path: Path) -> None:
    given = [
        '{"_id": "a", "text": "gateway vpn"}',
        "",
        '{"_id": 7, "text": "xylophone"}',
        '{"_id": "ü", "text": "pump"}',
    ]
    file = queries(tmp_path, *given)
    done = filled("search", "--queries", file, "--method", "lexical", "--k", "2")
    assert done.code == 0
    lines = [json.loads(line) for line in done.out.splitlines()]
    assert [line["_id"] for line in lines] == ["a", "7", "ü"]
    assert all(line.keys() == {"_id", "results"} for line in lines)
    assert lines[0]["results"][0]["path"] == "vpn.md"
    assert lines[1]["results"] == []
    assert len(lines[2]["results"]) == 2
    single = filled("search", "gateway vpn", "--method", "lexical", "--k", "2", "--json").json["results"]
    assert lines[0]["results"] == single
    piped = filled("search", "--queries", "-", "--method", "lexical", "--k", "2", stdin=Path(file).read_bytes())
    assert piped.out == done.out


@pytest.mark.parametrize(
    "line",
    [
        "not json",
        '"text"',
        "[]",
        '{"text": "no id"}',
        '{"_id": "1"}',
        '{"_id": "1", "text": null}',
        '{"_id": "1", "text": ["a"]}',
        '{"_id": "1", "text": "  "}',
        '{"_id": "1", "text": "a"',
    ],
)
def test_a_malformed_line_is_named_before_anything_is_searched(filled: Kb, tmp_path: Path, line: str) -> None:
    done = filled("search", "--queries", queries(tmp_path, '{"_id": "1", "text": "pump"}', line))
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("Error: Line 2 of ")
    assert "is not a query" in done.err
    assert "next: " in done.err


def test_queries_that_are_no_text_are_refused(filled: Kb, tmp_path: Path) -> None:
    path = tmp_path / "queries.jsonl"
    path.write_bytes('{"_id": "1", "text": "Größe"}'.encode("latin-1"))
    done = filled("search", "--queries", str(path))
    assert done.code == 2
    assert "is not UTF-8 text" in done.err


@pytest.mark.parametrize("text", [r"a\u0000b", r"\ud800 pump", "?!", "a' OR '1'='1"])
def test_odd_queries_are_searched_all_the_same(filled: Kb, tmp_path: Path, text: str) -> None:
    done = filled("search", "--queries", queries(tmp_path, f'{{"_id": "1", "text": "{text}"}}'))
    assert (done.code, done.err) == (0, "")
    assert json.loads(done.out)["_id"] == "1"


def test_a_reader_that_goes_away_is_no_error(filled: Kb) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    started = filled.start("search", "gear clock", "--k", "50", stdout=writing)
    os.close(writing)
    done = started.end()
    assert (done.code, done.err) == (1, "")


async def test_a_reranker_promotes_a_candidate_before_the_cut(filled: Kb) -> None:
    """By the option, and by the setting; the option decides where both are there."""
    query = ("search", "which gear is number 2", "--method", "dense", "-k", "2", "--json")
    async with RerankServer() as server:
        there = filled.having(RERANK_URL=f"{server.url}/v1", RERANK_API_KEY=KEY, RERANK_MODEL=MODEL, RERANK_BLEND="1")
        configured = there.having(RERANK="true")
        usual = await asyncio.to_thread(filled, *query)
        assert (await asyncio.to_thread(configured, *query, "--no-rerank")).json == usual.json
        for command, option in ((configured, ()), (there, ("--rerank",))):
            first = (await asyncio.to_thread(command, *query, *option)).json["results"][0]
            assert (first["section"], first["score"]) == ("Part 2", 1.0)
    assert max(len(request.body["documents"]) for request in server.requests) > 2, "not only what is shown"


def test_without_a_reranker_the_error_says_what_to_set(filled: Kb) -> None:
    done = filled("search", "gear number 2", "--rerank")
    assert (done.code, "KB_AGENT_RERANK_URL" in done.err) == (2, True)
