"""ACLs are stored once each, whoever writes them, and however long they are."""

import asyncio

from domain.access import NOBODY, ORGANISATION, Acl, Principal, Scope, user
from domain.search import SearchRequest
from storage.index.writer import PostgresWriter
from storage.open import Storage
from storage.permissions import acls as acl
from tests.fakes.documents import a_document, put
from tests.unit.storage.conftest import EMBEDDER
from tests.unit.storage.rows import count


async def intern(storage: Storage, wanted: Acl) -> int:
    async with storage.engine.begin() as connection:
        return await acl.intern(connection, wanted)


async def test_equal_acls_have_one_number(storage: Storage) -> None:
    ada, leads = user("ada@example.com"), Principal("group", "leads")
    first = await intern(storage, Acl.any_of(ada, leads).and_also(ORGANISATION))
    again = await intern(storage, ORGANISATION.and_also(Acl.any_of(leads, ada)))
    assert first == again
    assert await count(storage, "acls") == 1


async def test_different_acls_have_different_numbers(storage: Storage) -> None:
    ada, bob = user("ada@example.com"), user("bob@example.com")
    both = [
        NOBODY,
        ORGANISATION,
        Acl.any_of(ada),
        Acl.any_of(ada, bob),
        Acl.any_of(ada).and_also(Acl.any_of(bob)),
        Acl.any_of(Principal("group", "ada@example.com")),
        NOBODY.and_also(Acl.any_of(ada)),
    ]
    assert len({await intern(storage, each) for each in both}) == len(both)


async def test_one_new_acl_written_by_many_at_once_has_one_number(storage: Storage) -> None:
    wanted = Acl.any_of(*(user(f"u{number}@example.com") for number in range(5)))
    numbers = await asyncio.gather(*(intern(storage, wanted) for _ in range(8)))
    assert len(set(numbers)) == 1
    assert await count(storage, "acls") == 1


async def test_an_acl_that_is_rolled_back_leaves_no_number(storage: Storage) -> None:
    async with storage.engine.connect() as connection:
        await acl.intern(connection, ORGANISATION)
        await connection.rollback()
    assert await count(storage, "acls") == 0


async def test_an_acl_may_name_thousands(storage: Storage, writer: PostgresWriter) -> None:
    addresses = [f"somebody.{number * 7919}@department{number}.example.com" for number in range(3000)]
    everybody = Acl.any_of(*map(user, addresses))
    all_but_one = Acl.any_of(*map(user, addresses[:-1]))
    assert await intern(storage, everybody) == await intern(storage, everybody) != await intern(storage, all_but_one)
    await put(writer, EMBEDDER, a_document("a", acl=everybody), "text")
    request = SearchRequest("text", retrievals=("lexical",))
    search = storage.search(EMBEDDER.identity)
    member = Scope.member(addresses[1])
    assert len((await search.search(request, member)).rankings["lexical"]) == 1
    assert len((await search.search(request, Scope.member("stranger@example.com"))).rankings["lexical"]) == 0


async def test_a_chunk_has_a_number_of_its_own_only_where_it_differs(storage: Storage, writer: PostgresWriter) -> None:
    narrow = Acl.any_of(user("ada@example.com"))
    await put(writer, EMBEDDER, a_document("a"), "wide", ("narrow", narrow), "wide too")
    async with storage.engine.connect() as connection:
        found = await connection.exec_driver_sql("SELECT acl_id IS NULL FROM chunks ORDER BY ordinal")
        assert list(found.scalars()) == [True, False, True]
