import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from domain.access import ORGANISATION
from domain.errors import Refused
from indexer.sources.beir.data_set import BeirFolder, BeirQuery
from indexer.sources.connector import FetchedDocument, ListedDocument

CORPUS: list[dict[str, Any]] = [
    {"_id": "d1", "title": "Walrus", "text": "Fed at noon.", "metadata": {"url": "x"}},
    {"_id": 2, "title": "", "text": "An otter.\nIt sleeps."},
    {"_id": "d3", "text": "No title."},
    {"_id": "d4", "title": "A title alone", "text": " \n"},
    {"_id": "d5", "title": None, "text": None},
]
QUERIES = [{"_id": "q1", "text": "noon?"}, {"_id": "q2", "text": "otter?"}, {"_id": "q3", "text": "nothing?"}]
QRELS = "query-id\tcorpus-id\tscore\nq1\td1\t2\nq1\td3\t1\nq1\t2\t0\nq2\t2\t1\n\nq9\td1\t1\n"


def lines(rows: list[dict[str, Any]]) -> bytes:
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


@pytest.fixture(params=["plain", "packed"])
def folder(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """The set, once with plain files and once with packed ones."""
    contents = {"corpus.jsonl": lines(CORPUS), "queries.jsonl": lines(QUERIES), "qrels/test.tsv": QRELS.encode()}
    (tmp_path / "qrels").mkdir()
    for name, content in contents.items():
        if request.param == "plain":
            (tmp_path / name).write_bytes(content)
        else:
            (tmp_path / f"{name}.gz").write_bytes(gzip.compress(content))
    return tmp_path


async def documents(folder: Path) -> dict[str, tuple[ListedDocument, FetchedDocument]]:
    data = BeirFolder(folder)
    found = [item async for item in data.listing()]
    return {item.external_id: (item, await data.fetch(item)) for item in found if isinstance(item, ListedDocument)}


async def test_documents_in_their_order(folder: Path) -> None:
    found = await documents(folder)
    assert list(found) == ["d1", "2", "d3", "d4", "d5"]
    walrus, fetched = found["d1"]
    assert (walrus.title, walrus.path) == ("Walrus", "d1")
    assert walrus.url == f"{(folder / 'corpus.jsonl').as_uri()}#d1"
    assert fetched == FetchedDocument(b"Fed at noon.", "document.txt", "text/plain")
    assert found["2"][1].raw == b"An otter.\nIt sleeps."
    assert BeirFolder(folder).acl == ORGANISATION


async def test_missing_and_empty_fields(folder: Path) -> None:
    found = await documents(folder)
    assert (found["d3"][0].title, found["d3"][1].raw) == ("", b"No title.")
    assert found["d4"][1].raw == b"A title alone", "so that it is found at all"
    assert (found["d5"][0].title, found["d5"][1].raw) == ("", b"")


def test_questions_with_their_grades(folder: Path) -> None:
    assert BeirFolder(folder).queries() == [
        BeirQuery("noon?", {"d1": 2, "d3": 1}),
        BeirQuery("otter?", {"2": 1}),
        BeirQuery("nothing?", {}),
    ]


async def test_text_that_no_database_takes_is_mended(tmp_path: Path) -> None:
    (tmp_path / "corpus.jsonl").write_text(r'{"_id": "d\u0000\ud800", "title": "a\u0000b", "text": "c\udfffd"}')
    ((item, fetched),) = (await documents(tmp_path)).values()
    assert (item.external_id, item.title, fetched.raw) == ("d ?", "a b", b"c?d")


@pytest.mark.parametrize("name", ["corpus.jsonl", "queries.jsonl", "qrels/test.tsv"])
def test_a_missing_file_is_named(folder: Path, name: str) -> None:
    for path in (folder / name, folder / f"{name}.gz"):
        path.unlink(missing_ok=True)
    with pytest.raises(Refused, match=f"has no {name}") as caught:
        BeirFolder(folder).queries()
    assert "BEIR layout" in caught.value.why


@pytest.mark.parametrize(
    "line",
    ["not json", "[]", "5", "null", '{"_id": "x"}', '{"text": "x"}', '{"_id": "x", "text": "y"', "[" * 100_000],
    ids=lambda line: line[:20],
)
def test_a_line_of_another_form_is_named(folder: Path, line: str) -> None:
    for name in ("corpus.jsonl", "queries.jsonl"):
        (folder / name).write_text('{"_id": "d1", "text": "x"}\n\n' + line + "\n")
        with pytest.raises(Refused, match=f"Line 3 of {name} is not of the BEIR layout"):
            BeirFolder(folder).queries()
        (folder / name).write_bytes(lines(CORPUS))


@pytest.mark.parametrize(
    "row", ["q1\td1", "q1\td1\tmany", "q1 d1 1", "q1\td1\t1.5", "q" * 131_073 + "\td1\t1"], ids=lambda row: row[:20]
)
def test_a_judgement_of_another_form_is_named(folder: Path, row: str) -> None:
    (folder / "qrels" / "test.tsv").write_text(f"query-id\tcorpus-id\tscore\nq1\td1\t1\n{row}\n")
    with pytest.raises(Refused, match=r"Line 3 of qrels/test.tsv"):
        BeirFolder(folder).queries()


@pytest.mark.parametrize("damage", [b"\x1f\x8b\x08\x00", b"\x1f\x8b" + b"\xff" * 60, b"plain text in a packed file"])
def test_a_damaged_archive_is_named(tmp_path: Path, damage: bytes) -> None:
    (tmp_path / "corpus.jsonl.gz").write_bytes(damage)
    with pytest.raises(Refused, match=r"corpus.jsonl cannot be read"):
        BeirFolder(tmp_path)


def test_a_file_in_another_encoding_is_named(tmp_path: Path) -> None:
    (tmp_path / "corpus.jsonl").write_bytes('{"_id": "d", "text": "Größe"}'.encode("latin-1"))
    with pytest.raises(Refused, match=r"corpus.jsonl cannot be read"):
        BeirFolder(tmp_path)
