"""What a newer masking takes out of the index is gone from every table at once."""

import asyncio
import logging
from dataclasses import replace
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from agent.providers.cached import masking_mark
from domain.access import Scope
from domain.documents import SourceDocument, content_hash_of, content_of, digest, masking_of
from domain.errors import Misconfigured
from domain.search import SearchRequest
from domain.text.tokens import Analyzer
from storage.index import postings
from storage.index.writer import PostgresWriter
from storage.open import Storage
from storage.server.embedded import EmbeddedServer
from tests.fakes.documents import SOURCE, a_document, put
from tests.fakes.embedder import HashEmbedder
from tests.unit.storage.conftest import EMBEDDER
from tests.unit.storage.rows import count, rows

WORD = "xyzzyplugh"


def passed(external_id: str, masking: str) -> SourceDocument:
    """A document whose texts passed that masking."""
    content_hash = content_hash_of(digest(external_id), masking)
    assert (content_of(content_hash), masking_of(content_hash)) == (digest(external_id), masking)
    return replace(a_document(external_id), content_hash=content_hash)


async def terms(storage: Storage) -> set[str]:
    return {row[0] for row in await rows(storage, "SELECT DISTINCT term FROM postings")}


async def found(storage: Storage, embedder: HashEmbedder, words: str) -> list[tuple[str, float]]:
    hits = await storage.search(embedder.identity).search(
        SearchRequest(words, retrievals=("lexical",)), Scope.member("ada@example.com")
    )
    return [(hit.chunk_id, round(hit.score, 9)) for hit in hits.rankings["lexical"]]


async def test_words_that_no_other_chunk_holds_go_in_the_same_transaction(
    storage: Storage, writer: PostgresWriter
) -> None:
    await put(writer, EMBEDDER, passed("a", ""), f"harbour {WORD} one", "two")
    await put(writer, EMBEDDER, passed("b", ""), "harbour of the others")
    await put(writer, EMBEDDER, passed("a", "1"), "harbour masked one", "two")
    held = await terms(storage)
    assert WORD not in held
    assert {"harbour", "mask", "two"} <= held
    assert await found(storage, EMBEDDER, WORD) == []


@pytest.mark.parametrize("merged", [True, False])
async def test_the_rest_of_the_index_counts_as_if_it_had_never_been_there(
    storage: Storage, writer: PostgresWriter, *, merged: bool
) -> None:
    for number in range(6):
        await put(writer, EMBEDDER, passed(f"d{number}", ""), f"harbour {number} {WORD}" if number < 2 else "harbour")
    if merged:
        await writer.finish()
    for number in range(2):
        await put(writer, EMBEDDER, passed(f"d{number}", "1"), f"harbour {number}")
        assert (WORD in await terms(storage)) is (number == 0)
    scores = [score for _, score in await found(storage, EMBEDDER, "harbour 1")]
    await writer.finish()
    assert [score for _, score in await found(storage, EMBEDDER, "harbour 1")] == scores
    assert WORD not in await terms(storage)
    assert await count(storage, "segments") == 1


async def test_a_word_stays_while_another_document_holds_it(storage: Storage, writer: PostgresWriter) -> None:
    for name in "ab":
        await put(writer, EMBEDDER, passed(name, ""), f"{WORD} in {name}")
    await put(writer, EMBEDDER, passed("a", "1"), "masked")
    assert len(await found(storage, EMBEDDER, WORD)) == 1
    await writer.purge(SOURCE, ["b"])
    assert WORD not in await terms(storage)


async def test_an_edit_under_the_same_masking_leaves_its_removals_to_a_merge(
    storage: Storage, writer: PostgresWriter
) -> None:
    await put(writer, EMBEDDER, passed("a", "1"), f"harbour {WORD}")
    await put(writer, EMBEDDER, replace(passed("a", "1"), content_hash=content_hash_of(b"2" * 16, "1")), "harbour")
    assert WORD in await terms(storage)
    await writer.finish()
    assert WORD not in await terms(storage)


async def test_words_wait_for_a_merge_that_is_under_way(storage: Storage, writer: PostgresWriter) -> None:
    await put(writer, EMBEDDER, passed("a", ""), f"harbour {WORD}")
    ((version,),) = await rows(storage, "SELECT version_id FROM index_versions")
    async with storage.engine.begin() as merging:
        await postings.lock_merging(merging, version)
        writing = asyncio.create_task(put(writer, EMBEDDER, passed("a", "1"), "harbour"))
        done, _ = await asyncio.wait({writing}, timeout=0.3)
        assert not done
        assert WORD in await terms(storage)
    await writing
    assert WORD not in await terms(storage)


async def test_how_many_documents_passed_another_masking(storage: Storage, writer: PostgresWriter) -> None:
    assert await storage.count_outdated_masking("1") == {"live": 0}
    for name, masking in {"a": "", "b": "1", "c": "10", "d": "1"}.items():
        await put(writer, EMBEDDER, passed(name, masking), "text")
    assert await storage.count_outdated_masking("1") == {"live": 2}
    building = await storage.rebuild(EMBEDDER.identity, Analyzer())
    await put(building, EMBEDDER, passed("a", ""), "text")
    assert await storage.count_outdated_masking("1") == {"live": 2, "building": 1}


async def test_there_is_no_way_back_to_what_passed_another_masking(storage: Storage, writer: PostgresWriter) -> None:
    await put(writer, EMBEDDER, passed("a", ""), WORD)
    building = await storage.rebuild(EMBEDDER.identity, Analyzer())
    await put(building, EMBEDDER, passed("a", "1"), "masked")
    await building.finish()
    assert await storage.count_outdated_masking("1") == {"live": 1, "building": 0}, "the live one goes on answering"
    await storage.publish()
    assert await storage.count_outdated_masking("1") == {"live": 0}
    assert WORD not in await terms(storage)
    with pytest.raises(Misconfigured, match="no earlier index"):
        await storage.roll_back()


async def test_the_version_before_goes_when_the_live_one_is_masked_anew(
    storage: Storage, writer: PostgresWriter
) -> None:
    for target in (writer, await storage.rebuild(EMBEDDER.identity, Analyzer())):
        await put(target, EMBEDDER, passed("a", ""), WORD)
        await put(target, EMBEDDER, passed("b", ""), WORD)
    await storage.publish()
    assert await storage.count_outdated_masking("1") == {"live": 2, "previous": 2}
    live = await storage.writer(EMBEDDER.identity, Analyzer())
    await live.finish()
    assert set(await storage.count_outdated_masking("1")) == {"live", "previous"}
    await put(live, EMBEDDER, passed("a", "1"), "masked")
    await live.finish()
    assert await storage.count_outdated_masking("1") == {"live": 1}


async def test_replies_of_another_masking_are_dropped(storage: Storage) -> None:
    replies = storage.reply_cache()
    ours, other = masking_mark("2"), masking_mark("1")
    for key in (ours + b"a", ours + b"b", other + b"a", b"short"):
        await replies.put(key, "reply")
    assert await replies.keep_only(ours) == 2
    assert [await replies.get(key) for key in (ours + b"a", ours + b"b")] == ["reply", "reply"]
    assert await count(storage, "model_replies") == 2


async def test_an_error_and_the_server_log_hold_no_value(
    storage: Storage, data_dir: Path, caplog: pytest.LogCaptureFixture
) -> None:
    value = "value-" + "q" * 20
    with caplog.at_level(logging.DEBUG), pytest.raises(DBAPIError) as caught:
        async with storage.engine.begin() as connection:
            await connection.execute(text("SELECT CAST(:value AS text), 1 / :zero"), {"value": value, "zero": 0})
    assert value not in str(caught.value)
    assert "parameters hidden" in str(caught.value)
    cluster = EmbeddedServer(data_dir).cluster
    with psycopg.connect(host=str(cluster), user="postgres", autocommit=True) as direct:
        with pytest.raises(psycopg.errors.DivisionByZero):
            direct.execute("SELECT %s::text, 1 / %s::int", (value, 0))
        with pytest.raises(psycopg.errors.DivisionByZero):
            direct.execute(f"SELECT '{value}', 1 / 0".encode())
    said = (cluster / "server.log").read_text()
    assert "division by zero" in said
    assert value not in said
    assert value not in caplog.text
