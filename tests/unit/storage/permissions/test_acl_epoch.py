"""The ACL epoch rises when rights or visibility change, and at no other time."""

from dataclasses import replace

import pytest
from sqlalchemy import text

from domain.access import ORGANISATION, Acl, user
from domain.errors import Refused
from domain.text.tokens import Analyzer
from storage.index.writer import PostgresWriter
from storage.open import Storage
from storage.permissions.acl_epoch import visibility_transaction
from tests.fakes.documents import SOURCE, a_document, put
from tests.fakes.rights import EVERYONE
from tests.unit.storage.conftest import EMBEDDER
from tests.unit.storage.rows import count, rows

pytestmark = pytest.mark.check

BOBS = Acl.any_of(user("bob@example.com"))
CYS = Acl.any_of(user("cy@example.com"))


async def epoch(storage: Storage) -> int:
    ((number,),) = await rows(storage, "SELECT last_value FROM acl_epoch")
    return int(number)


class Watch:
    """Whether the epoch rose since it was last asked."""

    def __init__(self, storage: Storage, number: int) -> None:
        self._storage = storage
        self._number = number

    async def rose(self) -> bool:
        before, self._number = self._number, await epoch(self._storage)
        assert self._number >= before
        return self._number > before


@pytest.fixture
async def watch(storage: Storage, writer: PostgresWriter) -> Watch:
    """Over a store that holds documents a and b."""
    await put(writer, EMBEDDER, a_document("a"), "text of a")
    await put(writer, EMBEDDER, a_document("b"), "text of b")
    return Watch(storage, await epoch(storage))


async def test_the_very_first_change_is_seen(storage: Storage, writer: PostgresWriter) -> None:
    await put(writer, EMBEDDER, a_document("a"), "text")
    first = Watch(storage, await epoch(storage))
    await writer.hide(SOURCE, ["a"])
    assert await first.rose()


async def test_new_documents_and_new_content_leave_it(watch: Watch, writer: PostgresWriter) -> None:
    await put(writer, EMBEDDER, a_document("c"), "new")
    await put(writer, EMBEDDER, a_document("a", content="2", title="T", labels=["x"]), "other text", "and more")
    await writer.update_metadata(a_document("a", title="Another", path="elsewhere"))
    await writer.update_metadata(a_document("d"))
    assert not await watch.rose()


async def test_another_acl_raises_it_however_it_is_given(watch: Watch, writer: PostgresWriter) -> None:
    await writer.set_acl(SOURCE, ["a"], BOBS)
    assert await watch.rose()
    await writer.update_metadata(a_document("a", acl=EVERYONE))
    assert await watch.rose()
    await put(writer, EMBEDDER, a_document("a", acl=BOBS), "text of a")
    assert await watch.rose()


async def test_the_same_acl_leaves_it(watch: Watch, writer: PostgresWriter) -> None:
    await writer.set_acl(SOURCE, ["a", "b", "unheard of"], ORGANISATION)
    await writer.update_metadata(a_document("a"))
    await put(writer, EMBEDDER, a_document("b"), "text of b")
    await writer.set_acl(SOURCE, ["unheard of"], BOBS)
    assert not await watch.rose()


async def test_hiding_and_showing_raise_it(watch: Watch, writer: PostgresWriter) -> None:
    await writer.hide(SOURCE, ["a", "b"])
    assert await watch.rose()
    await writer.hide(SOURCE, ["a", "unheard of"])
    assert not await watch.rose()
    await writer.update_metadata(a_document("a"))
    assert await watch.rose()
    await put(writer, EMBEDDER, a_document("b"), "text of b")
    assert await watch.rose()


async def test_purging_and_removing_a_source_raise_it(watch: Watch, storage: Storage, writer: PostgresWriter) -> None:
    await writer.purge(SOURCE, ["unheard of"])
    assert not await watch.rose()
    await writer.purge(SOURCE, ["a"])
    assert await watch.rose()
    await storage.sources.remove(SOURCE)
    assert await watch.rose()


async def test_a_chunk_that_admits_fewer_or_others_raises_it(watch: Watch, writer: PostgresWriter) -> None:
    document = a_document("a", content="with a remark")
    for texts, rises in (
        (["text", ("remark", BOBS)], True),
        (["text", ("remark", BOBS)], False),
        (["text changed", ("remark", BOBS)], False),
        (["text changed", ("remark", CYS)], True),
        ([("text changed", CYS), "remark"], True),
        (["text changed", "remark"], True),
    ):
        await put(writer, EMBEDDER, document, *texts)
        assert await watch.rose() == rises, texts


async def test_another_version_coming_into_use_raises_it(
    watch: Watch, storage: Storage, writer: PostgresWriter
) -> None:
    building = await storage.rebuild(EMBEDDER.identity, Analyzer())
    await put(building, EMBEDDER, a_document("a"), "text of a")
    await put(building, EMBEDDER, a_document("b"), "text of b")
    assert not await watch.rose()
    await storage.publish()
    assert await watch.rose()
    await storage.roll_back()
    assert await watch.rose()


async def test_it_rises_once_more_after_the_commit(storage: Storage, watch: Watch) -> None:
    """Who reads it while the change is not yet visible, but the number is, must not keep that number."""
    async with visibility_transaction(storage.engine) as change:
        await change.connection.execute(text("UPDATE documents SET hidden_at = now()"))
        change.visibility_changed = True
    ((last, hidden),) = await rows(
        storage, "SELECT (SELECT last_value FROM acl_epoch), count(*) FROM documents WHERE hidden_at IS NOT NULL"
    )
    assert hidden == 2
    async with visibility_transaction(storage.engine) as other:
        other.visibility_changed = True
    assert await epoch(storage) == last + 2


async def test_what_fails_leaves_nothing_changed(storage: Storage, watch: Watch, writer: PostgresWriter) -> None:
    stranger = replace(a_document("a", acl=BOBS), source="nowhere")
    with pytest.raises(Refused):
        await writer.update_metadata(stranger)
    with pytest.raises(Refused):
        await put(writer, EMBEDDER, replace(a_document("a", acl=BOBS), author="nul \0"), "text")
    assert not await watch.rose()
    assert await count(storage, "documents") == 2
