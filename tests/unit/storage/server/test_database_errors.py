"""What goes wrong in the database, caused for real, and what is made of it."""

import asyncio
import time
from pathlib import Path

import pytest
from sqlalchemy import text

from domain.access import Scope
from domain.documents import document_id
from domain.errors import Bug, KbError, Misconfigured, Refused, Transient
from domain.search import Filters, SearchRequest
from storage.index.sources import Source
from storage.index.writer import PostgresWriter
from storage.open import Storage, open_storage
from storage.server.database import DatabaseOptions
from storage.server.errors import translated
from storage.server.pool import Connection
from tests.fakes.documents import SOURCE, a_document, chunks_of, put
from tests.unit.storage.conftest import EMBEDDER

RAISED = "DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '{}', MESSAGE = '{}'; END $$"
NO_SPACE = 'could not write to file "pg_wal/xlogtemp.77": No space left on device'


async def fault(storage: Storage, statement: str, **values: object) -> KbError:
    with pytest.raises(KbError) as caught, translated():
        async with storage.engine.begin() as connection:
            await connection.execute(text(statement), values)
    return caught.value


@pytest.mark.parametrize(
    ("statement", "kind", "said"),
    [
        (RAISED.format("53100", "could not extend file"), Misconfigured, "The disk is full"),
        (RAISED.format("XX000", NO_SPACE), Misconfigured, "The disk is full"),
        ("SELECT * FROM nowhere", Misconfigured, "schema does not fit"),
        ("SELECT nothing FROM sources", Misconfigured, "schema does not fit"),
        (RAISED.format("42501", "permission denied"), Misconfigured, "lacks a right"),
        ("SELEC 1", Bug, "refused a statement"),
        ("SELECT nothing_of_that_name(1)", Bug, "refused a statement"),
        ("INSERT INTO sources (name) VALUES ('a')", Bug, "refused a statement"),
        ("SELECT CAST('x' AS integer)", Refused, "cannot hold this"),
        ("SELECT repeat('x', 2000000000)", Refused, "cannot hold this"),
        ("SELECT pg_terminate_backend(pg_backend_pid())", Transient, "does not answer"),
        (RAISED.format("40P01", "deadlock detected"), Transient, "does not answer"),
        (RAISED.format("53300", "sorry, too many clients already"), Transient, "does not answer"),
        (RAISED.format("57P03", "the database system is starting up"), Transient, "does not answer"),
    ],
    ids=lambda value: value[:60] if isinstance(value, str) else "",
)
async def test_a_fault_is_sorted_by_what_to_do_about_it(
    storage: Storage, statement: str, kind: type[KbError], said: str
) -> None:
    error = await fault(storage, statement)
    assert type(error) is kind
    assert said in error.what
    assert error.why
    assert error.next_step
    assert "\n" not in error.why


@pytest.mark.parametrize("value", ["a\x00b", "half \ud800 of a pair"], ids=ascii)
async def test_text_that_cannot_be_stored_is_refused(storage: Storage, value: str) -> None:
    error = await fault(storage, "SELECT CAST(:value AS text)", value=value)
    assert type(error) is Refused


async def test_our_own_errors_pass_as_they_are() -> None:
    ours = Refused("no")
    with pytest.raises(Refused) as caught, translated():
        raise ours
    assert caught.value is ours


async def test_other_errors_pass_as_they_are() -> None:
    with pytest.raises(ZeroDivisionError), translated():
        raise ZeroDivisionError


async def test_a_document_that_the_database_cannot_hold_is_refused_and_the_next_one_is_not(
    storage: Storage, writer: PostgresWriter
) -> None:
    too_long = "https://example.com/" + "".join(f"{number * 7919:x}" for number in range(2000))
    with pytest.raises(Refused, match="cannot hold this"):
        await put(writer, EMBEDDER, a_document(too_long), "text")
    broken = chunks_of(a_document("a"), ["nul \x00 inside"])
    with pytest.raises(Refused, match="cannot hold this"):
        await writer.put(a_document("a"), broken, EMBEDDER.vectors(["x"]))
    await put(writer, EMBEDDER, a_document("b"), "text")
    assert set(await writer.indexed_documents(SOURCE)) == {"b"}
    assert await storage.search(EMBEDDER.identity).count_documents(Scope.member(), Filters()) == 1


@pytest.mark.parametrize("odd", ["\x00", "\ud800"], ids=ascii)
async def test_odd_questions_find_nothing_or_are_refused(storage: Storage, writer: PostgresWriter, odd: str) -> None:
    await put(writer, EMBEDDER, a_document("a"), "text")
    search = storage.search(EMBEDDER.identity)
    found = await search.search(SearchRequest(f"text {odd}", retrievals=("lexical",)), Scope.member())
    assert len(found.rankings["lexical"]) == 1
    with pytest.raises(Refused):
        await search.count_documents(Scope.member(), Filters(titles=(odd,)))


async def test_a_document_is_written_whole_or_not_at_all(storage: Storage, writer: PostgresWriter) -> None:
    ids = await put(writer, EMBEDDER, a_document("a"), "old one", "old two")
    chunks = chunks_of(a_document("a"), ["new one", "nul \x00"])
    with pytest.raises(Refused):
        await writer.put(a_document("a", content="2"), chunks, EMBEDDER.vectors(["x", "y"]))
    search = storage.search(EMBEDDER.identity)
    assert [p.text for p in await search.passages(ids, Scope.member())] == ["old one", "old two"]
    assert (await writer.indexed_documents(SOURCE))["a"].content_hash == a_document("a").content_hash
    found = await search.search(SearchRequest("old", retrievals=("lexical",)), Scope.member())
    assert {hit.chunk_id for hit in found.rankings["lexical"]} == set(ids)
    assert {hit.document_id for hit in found.rankings["lexical"]} == {document_id(SOURCE, "a")}


async def test_who_finds_all_connections_taken_is_told_in_time(data_dir: Path, database: str) -> None:
    options = DatabaseOptions(None, data_dir, database, pool_size=1, connect_seconds=1.0)
    async with open_storage(options) as storage:

        async def wait(connection: Connection) -> None:
            await connection.execute("SELECT pg_sleep(4)")

        async def look(connection: Connection) -> None:
            await connection.execute("SELECT 1")

        waiting = asyncio.create_task(storage.pool.run(wait))
        await asyncio.sleep(0.1)
        started = time.monotonic()
        with pytest.raises(Transient):
            await storage.pool.run(look)
        assert time.monotonic() - started < 3.5
        async with storage.engine.connect(), storage.engine.connect():
            with pytest.raises(Transient, match="is busy"):
                await storage.sources.replace(Source(SOURCE, "files", {}))
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        await storage.pool.run(look)


async def test_a_reader_whose_connection_was_lost_gets_another(storage: Storage) -> None:
    pids = []

    async def work(connection: Connection) -> int:
        cursor = await connection.execute("SELECT pg_backend_pid()")
        (pid,) = await cursor.fetchone() or (0,)
        pids.append(pid)
        return int(pid)

    first = await storage.pool.run(work)
    async with storage.engine.begin() as connection:
        await connection.execute(text("SELECT pg_terminate_backend(:pid, 5000)"), {"pid": first})
    assert await storage.pool.run(work) != first
