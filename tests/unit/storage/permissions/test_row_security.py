"""The policies of the tables, under the conditions of the queries: what they keep back when a query forgets its own."""

import importlib
import inspect
import pkgutil
from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pgvector.psycopg import register_vector_async
from psycopg_pool import AsyncConnectionPool

import storage.graph
import storage.permissions
import storage.search
from domain.text.required_terms import LOOSE
from storage.open import Storage, open_storage
from storage.server.app_role import POLICIES, VIEWS
from storage.server.connections import AS_APP, AppConnection, acls_as_bits
from storage.server.database import DatabaseOptions
from storage.server.pool import Connection, ConnectionPool, open_pool
from tests.command import app_url, database_url
from tests.unit.storage.permissions.guarded_index import ADA, ASKS, BOB, SECRET, fill
from tests.unit.storage.rows import change, rows

OTHERWISE = {"lexical", "hybrid", "readable", "readable, of an earlier text"}
"""What differs where nothing is secret: how rare a word is in all documents, and that an earlier text of a document may
be seen by who may read all of it."""


class NarrowConnection(AppConnection):
    """A connection for which ACL 1 alone is allowed, whatever the queries think."""

    def allow(self, acls: Collection[int]) -> None:
        super().allow([1] if acls else [])


@asynccontextmanager
async def narrowed(storage: Storage) -> AsyncIterator[Storage]:
    """The same store, whose queries filter by more than the database allows."""
    pool: AsyncConnectionPool[Connection] = AsyncConnectionPool(
        storage.urls.app,
        connection_class=NarrowConnection,
        kwargs={"autocommit": True, **AS_APP},
        configure=register_vector_async,
        max_size=1,
        min_size=0,
        open=False,
    )
    async with pool:
        yield replace(storage, pool=ConnectionPool(pool))


@pytest.mark.check
@pytest.mark.parametrize("name", ASKS)
async def test_without_its_filter_no_query_sees_what_is_not_allowed(storage: Storage, name: str) -> None:
    """Bob may read all, so that the filters of his queries are those that somebody forgot."""
    ids = await fill(storage, secrets=True)
    assert await rows(storage, "SELECT clauses FROM acls WHERE acl_id = 1") == [([[["org", ""]]],)]
    seen = repr(await ASKS[name](storage, BOB, ids))
    async with narrowed(storage) as blind:
        found = repr(await ASKS[name](blind, BOB, ids))
    assert SECRET not in found
    assert not [each for each in ids[2:] if each in found]
    assert found != seen


@pytest.mark.check
@pytest.mark.parametrize("name", ASKS)
async def test_nothing_of_what_is_packed_leaves(
    storage: Storage, data_dir: Path, new_database: Callable[[], str], name: str
) -> None:
    """No id, score, text or count: Ada finds the same in an index that holds nothing that she may not read."""
    ids = await fill(storage, secrets=True)
    found = repr(await ASKS[name](storage, ADA, ids))
    assert SECRET not in found
    assert not [each for each in ids[2:] if each in found]
    if name in OTHERWISE:
        return
    url = database_url(data_dir, new_database())
    async with open_storage(DatabaseOptions(app_url(url), data_dir, owner_url=url)) as other:
        await fill(other, secrets=False)
        assert repr(await ASKS[name](other, ADA, ids)) == found


@pytest.mark.parametrize("table", POLICIES)
async def test_a_whole_table_is_what_is_allowed_of_it(storage: Storage, table: str) -> None:
    await fill(storage, secrets=True)
    whole = f"SELECT {'document_no' if table == 'indexed_documents' else table}::text FROM {table}"
    every = {row[0] for row in await rows(storage, whole)}

    def select(*allowed: int) -> Callable[[Connection], Awaitable[set[str]]]:
        async def work(connection: Connection) -> set[str]:
            connection.allow(allowed)
            found = await connection.execute(whole.encode())
            return {row[0] for row in await found.fetchall()}

        return work

    assert await storage.pool.run(select()) == await storage.pool.run(select(77)) == set()
    ours, theirs = await storage.pool.run(select(1)), await storage.pool.run(select(2))
    assert (bool(ours), bool(theirs), ours & theirs) == (True, True, set())
    assert await storage.pool.run(select(1, 2)) == every
    assert (ours | theirs == every) == (table in ("documents", "indexed_documents")), (
        "a chunk of their own in a document of ours needs both"
    )
    await change(storage, "UPDATE documents SET hidden_at = now()")
    assert await storage.pool.run(select(1, 2)) == set()


@pytest.mark.parametrize("view", VIEWS)
async def test_a_view_holds_what_the_policy_of_its_table_shows(storage: Storage, view: str) -> None:
    """For the owner, too, for whom no policy holds."""
    await fill(storage, secrets=True)
    table = view.removeprefix("visible_")
    row = {"chunks": "c", "mentions": "k", "relations": "r"}.get(table, "v")

    async def found(pool: ConnectionPool, query: str, allowed: Collection[int]) -> list[str]:
        async def work(connection: Connection) -> list[str]:
            connection.allow(allowed)
            return sorted(each[0] for each in await (await connection.execute(query.encode())).fetchall())

        return await pool.run(work)

    assert storage.urls.owner is not None
    async with open_pool(storage.urls.owner, size=1, connect_seconds=5) as owner:
        for hidden in (False, True):
            if hidden:
                await change(storage, "UPDATE documents SET hidden_at = now()")
            for allowed in ((), (1,), (2,), (1, 2), (77,)):
                shown = await found(storage.pool, f"SELECT {table}::text FROM {table}", allowed)
                assert bool(shown) == (not hidden and bool({1, 2} & {*allowed}))
                for pool in (storage.pool, owner):
                    assert await found(pool, f"SELECT {row}::text FROM {view}", allowed) == shown


@pytest.mark.parametrize("pooled", [False, True])
async def test_what_is_allowed_is_so_for_one_transaction(storage: Storage, pooled: bool) -> None:
    """Through a pooler the next transaction of the session may be another client's."""
    await fill(storage, secrets=True)
    query, setting = b"SELECT count(*) FROM chunks", b"SELECT current_setting('kb.allowed', true)"

    async def work(connection: Connection) -> list[object]:
        async def value(statement: bytes) -> object:
            row = await (await connection.execute(statement)).fetchone()
            return row and row[0]

        connection.allow([1, 2])
        found = [await value(query)]
        async with connection.transaction():
            found += [await value(query), await value(query)]
        connection.allow([])
        return [*found, await value(query), await value(setting)]

    async def after(connection: Connection) -> object:
        row = await (await connection.execute(query)).fetchone()
        return row and row[0]

    async def leave(connection: Connection) -> None:
        connection.allow([1, 2])

    async with open_pool(storage.urls.app, size=1, connect_seconds=5, pooled=pooled) as pool:
        assert await pool.run(work) == [5, 5, 5, 0, ""]
        await pool.run(leave)
        assert await pool.run(after) == 0, "the next user of the connection is allowed nothing"


def test_everything_that_is_asked_for_a_reader_was_thought_of() -> None:
    """Whoever adds to it adds a row to ASKS, too. `admits` reads no documents; `visibility_key` gives a digest; `owned`
    tells of what `find` finds, see test_document_owners.py; `explain` tells operators of what they found, see
    test_access_explainer.py."""
    found = set()
    for package in (storage.search, storage.graph, storage.permissions):
        for each in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
            for _, kind in inspect.getmembers(importlib.import_module(each.name), inspect.isclass):
                methods = inspect.getmembers(kind, inspect.iscoroutinefunction)
                asked = [name for name, method in methods if "scope" in inspect.signature(method).parameters]
                found |= {name for name in asked if not name.startswith("_")}
    assert found == {
        *("search", "passages", "readable", "count_documents", "existing_names", "grep", "find", "chunks", "nearest"),
        *("around", "spelled", "hyphenated", "owned", "marked_passages"),
        *("related_chunks", "neighbourhoods", "precedence", "stated_owners", "admits", "visibility_key", "explain"),
    }


async def test_words_without_a_term_are_found_as_the_analyzer_means(storage: Storage) -> None:
    ((body,),) = await rows(storage, "SELECT prosrc FROM pg_proc WHERE proname = 'loose_chunks'")
    assert LOOSE.replace("'", "''") in body


@given(st.sets(st.integers(0, 3000)), st.integers(0, 3100))
def test_bits_are_the_acls(allowed: set[int], asked: int) -> None:
    """As the policies read them: `substring` counts bits from the first one on."""
    bits = "".join(f"{byte:08b}" for byte in bytes.fromhex(acls_as_bits(allowed)))
    assert (bits[asked : asked + 1] == "1") == (asked in allowed)
