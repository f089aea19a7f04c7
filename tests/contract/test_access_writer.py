"""What sources say of whom they admit: it decides what is found, for a while."""

import asyncio
from dataclasses import replace

from domain.access import NOBODY, ORG, PUBLIC, Acl, Scope, SourceDirectory, account, group, site
from domain.search import Filters
from tests.contract.knowledge import HOUR, Knowledge
from tests.fakes.documents import SOURCE, a_document

ADA, BOB = Scope.member("ada@example.com"), Scope.member("bob@example.com")
LEADS, A1, B1 = group(SOURCE, "leads"), account(SOURCE, "a1"), account(SOURCE, "b1")
PEOPLE = SourceDirectory({"ada@example.com": frozenset({A1, LEADS}), "bob@example.com": frozenset({B1})})
FRESH = Acl.any_of(site(SOURCE))
OF_LEADS = Acl.any_of(LEADS).and_also(FRESH)
OF_BOB = Acl.any_of(B1).and_also(FRESH)
OF_ALL = Acl.any_of(LEADS, ORG).and_also(FRESH)


async def _known(knowledge: Knowledge) -> None:
    await knowledge.access_writer.replace_directory(SOURCE, PEOPLE)
    await knowledge.access_writer.mark_fresh(SOURCE, await knowledge.access_writer.now())


async def _counts(knowledge: Knowledge, *scopes: Scope) -> list[int]:
    return [await knowledge.search.count_documents(each, Filters()) for each in scopes]


async def test_accounts_and_groups_are_those_of_the_directory(knowledge: Knowledge) -> None:
    await _known(knowledge)
    leads = await knowledge.put(a_document("leads", acl=OF_LEADS), "the plan of the harbour")
    bobs = await knowledge.put(a_document("bob", acl=OF_BOB), "the plan of the harbour")
    assert await knowledge.found("harbour", ADA) == set(leads)
    assert await knowledge.found("harbour", BOB) == set(bobs)
    assert await knowledge.found("harbour", Scope.member("carl@example.com")) == set()
    assert await knowledge.found("harbour", Scope.outsider()) == set()
    assert await knowledge.search.passages([*leads, *bobs], Scope.member()) == []


async def test_groups_of_the_asker_are_not_those_of_the_audience(knowledge: Knowledge) -> None:
    await _known(knowledge)
    await knowledge.put(a_document("leads", acl=OF_LEADS), "harbour")
    everybodys = await knowledge.put(a_document("all", acl=OF_ALL), "harbour")
    among = replace(ADA, audience=frozenset({PUBLIC, ORG}))
    assert await knowledge.found("harbour", among) == set(everybodys)
    assert await knowledge.found("harbour", replace(ADA, audience=frozenset({PUBLIC}))) == set()


async def test_nothing_holds_that_was_never_vouched_for_or_is_too_old(knowledge: Knowledge) -> None:
    await knowledge.put(a_document("all", acl=OF_ALL), "harbour")
    await knowledge.put(a_document("free"), "harbour")
    await knowledge.access_writer.replace_directory(SOURCE, PEOPLE)
    assert await _counts(knowledge, ADA) == [1]
    moment = await knowledge.access_writer.now()
    await knowledge.access_writer.mark_fresh(SOURCE, moment - HOUR)
    assert await _counts(knowledge, ADA) == [1]
    before = await knowledge.search.visibility_key(ADA)
    await knowledge.access_writer.mark_fresh(SOURCE, moment)
    assert await _counts(knowledge, ADA) == [2]
    assert await knowledge.search.visibility_key(ADA) != before
    await knowledge.access_writer.mark_fresh(SOURCE, moment - HOUR)
    assert await _counts(knowledge, ADA) == [2], "an older word changes nothing"


async def test_who_leaves_a_group_reads_less_at_once(knowledge: Knowledge) -> None:
    await _known(knowledge)
    await knowledge.put(a_document("leads", acl=OF_LEADS), "harbour")
    before = await knowledge.search.visibility_key(ADA)
    await knowledge.access_writer.replace_directory(SOURCE, PEOPLE)
    assert await knowledge.search.visibility_key(ADA) == before
    await knowledge.access_writer.replace_directory(SOURCE, SourceDirectory({"ada@example.com": frozenset({A1})}))
    assert await _counts(knowledge, ADA) == [0]
    assert await knowledge.search.visibility_key(ADA) != before
    await knowledge.access_writer.replace_directory(SOURCE, SourceDirectory({}))
    assert await _counts(knowledge, ADA, BOB) == [0, 0]


async def test_an_acl_that_was_read_later_stays(knowledge: Knowledge) -> None:
    await _known(knowledge)
    first = await knowledge.access_writer.now()
    listed = replace(a_document("a", acl=OF_ALL), acl_at=first)
    ids = await knowledge.put(listed, "harbour")
    then = first + HOUR
    await knowledge.writer.set_acl(SOURCE, ["a"], OF_LEADS, then)
    assert await _counts(knowledge, ADA, BOB) == [1, 0]
    for write in (
        knowledge.put(listed, "harbour, rebuilt"),
        knowledge.writer.update_metadata(listed),
        knowledge.writer.update_if_unchanged(listed, ids),
        knowledge.writer.set_acl(SOURCE, ["a"], OF_ALL, first),
    ):
        await write
        assert await _counts(knowledge, ADA, BOB) == [1, 0]
    await knowledge.put(replace(listed, acl_at=then + HOUR), "harbour")
    assert await _counts(knowledge, ADA, BOB) == [1, 1]


async def test_a_text_from_before_its_document_was_opened_is_not_opened(knowledge: Knowledge) -> None:
    await _known(knowledge)
    first = await knowledge.access_writer.now()
    closed = replace(a_document("a", acl=OF_LEADS), acl_at=first)
    await knowledge.put(closed, "harbour")
    await knowledge.writer.set_acl(SOURCE, ["a", "b"], OF_ALL, first + HOUR)
    assert await _counts(knowledge, ADA, BOB) == [1, 1]
    await knowledge.put(closed, "harbour of before")
    assert await _counts(knowledge, ADA, BOB) == [1, 0]
    await knowledge.put(replace(a_document("b", acl=OF_LEADS), acl_at=first), "harbour of before")
    assert await _counts(knowledge, ADA, BOB) == [2, 0], "nor one that was awaited"
    await knowledge.writer.set_acl(SOURCE, ["a", "b"], OF_ALL, first + 2 * HOUR)
    assert await _counts(knowledge, ADA, BOB) == [2, 2]


async def test_an_acl_waits_for_its_document(knowledge: Knowledge) -> None:
    await _known(knowledge)
    first = await knowledge.access_writer.now()
    await knowledge.writer.set_acl(SOURCE, ["a", "b", "c"], OF_LEADS, first + HOUR)
    assert await knowledge.writer.indexed_documents(SOURCE) == {}
    for name, later in (("a", 0), ("b", 2)):
        await knowledge.put(replace(a_document(name, acl=OF_ALL), acl_at=first + later * HOUR), "harbour")
    assert {each.external_id: each.acl for each in (await knowledge.writer.indexed_documents(SOURCE)).values()} == {
        "a": OF_LEADS,
        "b": OF_ALL,
    }
    await knowledge.access_writer.mark_acls_read(SOURCE, ["a", "b"])
    await knowledge.put(replace(a_document("c", acl=OF_ALL), acl_at=first), "harbour")
    assert (await knowledge.writer.indexed_documents(SOURCE))["c"].acl == OF_ALL, (
        "it was not listed again: nothing is known"
    )


async def test_what_was_found_missing_later_stays_hidden(knowledge: Knowledge) -> None:
    await _known(knowledge)
    first = await knowledge.access_writer.now()
    listed = replace(a_document("a", acl=OF_ALL), acl_at=first)
    await knowledge.put(listed, "harbour")
    await knowledge.writer.hide(SOURCE, ["a"])
    await knowledge.writer.update_metadata(listed)
    await knowledge.put(listed, "harbour")
    assert await _counts(knowledge, ADA) == [0]
    await knowledge.put(replace(listed, acl_at=await knowledge.access_writer.now()), "harbour")
    assert await _counts(knowledge, ADA) == [1]


async def test_what_was_listed_later_is_not_hidden_and_what_is_shown_again_not_purged(knowledge: Knowledge) -> None:
    await _known(knowledge)
    now = knowledge.access_writer.now
    first = await now()
    for name in ("a", "b"):
        await knowledge.put(replace(a_document(name, acl=OF_ALL), acl_at=first), "harbour")
    await knowledge.put(replace(a_document("dateless", acl=OF_ALL)), "harbour")
    listed_at = await now()
    await knowledge.put(replace(a_document("b", acl=OF_ALL), acl_at=await now()), "harbour")
    await knowledge.writer.hide(SOURCE, ["a", "b", "dateless"], listed_at)
    hidden = {name for name, each in (await knowledge.writer.indexed_documents(SOURCE)).items() if each.hidden}
    assert hidden == {"a", "dateless"}
    await knowledge.writer.purge(SOURCE, ["a", "b", "dateless"], listed_at)
    assert set(await knowledge.writer.indexed_documents(SOURCE)) == {"a", "b", "dateless"}, "hidden since that moment"
    second = await now()
    await knowledge.put(replace(a_document("a", acl=OF_ALL), acl_at=await now()), "harbour")
    await knowledge.writer.purge(SOURCE, ["a", "b", "dateless", "unheard of"], second)
    assert set(await knowledge.writer.indexed_documents(SOURCE)) == {"a", "b"}
    assert await _counts(knowledge, ADA) == [2]


async def test_one_reads_rights_of_a_source_at_a_time(knowledge: Knowledge) -> None:
    async with knowledge.access_writer.acl_read_lock(SOURCE):
        async with asyncio.timeout(20), knowledge.access_writer.acl_read_lock("wiki"):
            pass
        waiting = asyncio.create_task(_read(knowledge))
        await asyncio.sleep(0.3)
        assert not waiting.done()
    async with asyncio.timeout(20):
        await waiting


async def _read(knowledge: Knowledge) -> None:
    async with knowledge.access_writer.acl_read_lock(SOURCE):
        pass


async def test_what_people_are_not_any_more_is_taken_away_before_anything_is_added(knowledge: Knowledge) -> None:
    await _known(knowledge)
    await knowledge.put(a_document("leads", acl=OF_LEADS), "harbour")
    await knowledge.put(a_document("bob", acl=OF_BOB), "harbour")
    exchanged = SourceDirectory({"ada@example.com": frozenset({A1}), "bob@example.com": frozenset({B1, LEADS})})
    await knowledge.access_writer.remove_lost_members(SOURCE, exchanged)
    assert await _counts(knowledge, ADA, BOB) == [0, 1]
    await knowledge.access_writer.replace_directory(SOURCE, exchanged)
    assert await _counts(knowledge, ADA, BOB) == [0, 2]
    await knowledge.access_writer.remove_lost_members(SOURCE, SourceDirectory({"carl@example.com": frozenset({B1})}))
    assert await _counts(knowledge, ADA, BOB, Scope.member("carl@example.com")) == [0, 0, 0]


async def test_an_incomplete_directory_is_believed_of_accounts_that_were_known(knowledge: Knowledge) -> None:
    await _known(knowledge)
    await knowledge.put(a_document("leads", acl=OF_LEADS), "harbour")
    await knowledge.put(a_document("bob", acl=OF_BOB), "harbour")
    members = {
        "ada@example.com": frozenset({A1}),
        "carl@example.com": frozenset({B1}),
        "bob@example.com": frozenset({A1}),
    }
    for tell in (knowledge.access_writer.remove_lost_members, knowledge.access_writer.replace_directory):
        await tell(SOURCE, SourceDirectory(members | {"ada@example.com": frozenset({A1, LEADS})}, complete=False))
        assert await _counts(knowledge, ADA, BOB, Scope.member("carl@example.com")) == [1, 0, 0]
    await knowledge.access_writer.replace_directory(SOURCE, SourceDirectory(members, complete=False))
    assert await _counts(knowledge, ADA) == [0], "what it says of who is known counts"
    await knowledge.access_writer.replace_directory(SOURCE, SourceDirectory(members))
    assert await _counts(knowledge, Scope.member("carl@example.com")) == [1]


async def test_a_directory_says_nothing_of_other_sources(knowledge: Knowledge) -> None:
    await knowledge.access_writer.replace_directory("wiki", PEOPLE)
    await knowledge.access_writer.mark_fresh("wiki", await knowledge.access_writer.now())
    await knowledge.put(a_document("leads", acl=OF_LEADS), "harbour")
    assert await _counts(knowledge, ADA) == [0]


async def test_what_is_not_seen_for_too_long_admits_nobody(knowledge: Knowledge) -> None:
    await _known(knowledge)
    await knowledge.put(a_document("a", acl=OF_ALL), "harbour")
    await knowledge.put(a_document("b", acl=OF_ALL), "harbour")
    await knowledge.access_writer.mark_acls_read(SOURCE, ["a"])
    await knowledge.access_writer.mark_acls_read(SOURCE, ["a"])
    assert await _counts(knowledge, ADA) == [2], "not for long yet"
    await knowledge.hasty.mark_acls_read(SOURCE, ["a"])
    assert await _counts(knowledge, ADA) == [1]
    assert (await knowledge.writer.indexed_documents(SOURCE))["b"].acl == NOBODY


async def test_what_is_seen_again_or_written_anew_begins_anew(knowledge: Knowledge) -> None:
    await _known(knowledge)
    for name in "ab":
        await knowledge.put(a_document(name, acl=OF_ALL), "harbour")
    await knowledge.access_writer.mark_acls_read(SOURCE, [])
    await knowledge.access_writer.mark_acls_read(SOURCE, ["a"])
    await knowledge.writer.update_metadata(a_document("b", acl=OF_ALL))
    await knowledge.hasty.mark_acls_read(SOURCE, [])
    assert await _counts(knowledge, ADA) == [2]


async def test_the_version_of_what_is_indexed_is_kept(knowledge: Knowledge) -> None:
    ids = await knowledge.put(replace(a_document("a"), version="7"), "harbour")
    assert (await knowledge.writer.indexed_documents(SOURCE))["a"].version == "7"
    await knowledge.writer.update_metadata(replace(a_document("a"), version="8"))
    assert (await knowledge.writer.indexed_documents(SOURCE))["a"].version == "8"
    assert await knowledge.writer.update_if_unchanged(replace(a_document("a"), version="9"), ids)
    assert (await knowledge.writer.indexed_documents(SOURCE))["a"].version == "9"
    await knowledge.writer.update_metadata(replace(a_document("new"), version="1"))
    assert (await knowledge.writer.indexed_documents(SOURCE))["new"].version == "", "nothing of it is indexed"
