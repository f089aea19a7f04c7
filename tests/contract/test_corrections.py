"""What Corrections promises, over PostgreSQL: it hangs on the index's documents as they are stored."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from domain.access import NOBODY, SourceDirectory, account, group
from domain.answers import Citation, Turn
from domain.conversation import CitedPassage, PostedReply, RecordedOutcome, Result
from domain.documents import document_id
from domain.ledger import Corrections, ReplyToCheck
from domain.text.tokens import Analyzer
from storage.index.sources import Source
from storage.index.writer import PostgresWriter
from storage.open import Storage, open_storage
from storage.server.database import DatabaseOptions
from tests.command import connected, database_url, rows
from tests.contract.conversations import ADA, MANY, PLACE, incoming
from tests.fakes.documents import SOURCE, a_document, put
from tests.fakes.embedder import HashEmbedder

pytestmark = pytest.mark.check

EMBEDDER = HashEmbedder()
MONTH, LEASE = timedelta(days=30), timedelta(minutes=5)
EMAIL = "ada@example.com"
HELD = """
    CREATE FUNCTION held() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        PERFORM pg_advisory_xact_lock(1); RETURN NEW; END $$;
    CREATE TRIGGER held BEFORE UPDATE ON posted_replies FOR EACH ROW WHEN (OLD.unchecked AND NOT NEW.unchecked)
        EXECUTE FUNCTION held()
"""
"""A look waits before it ends, while somebody has the lock 1."""
WAITING = "SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
TEXT = "Everybody has thirty days. [1] Ask your lead. [2]"


def citation(n: int, name: str, chunk: str) -> Citation:
    dated = datetime(2026, 3, 1, tzinfo=UTC)
    return Citation(n, name, "", name, SOURCE, document_id(SOURCE, name), "", "line 1", "words", dated, chunk)


@dataclass
class Office:
    """A store with two documents, `a` and `b`, and an answer that cites both."""

    storage: Storage
    writer: PostgresWriter
    posted: PostedReply
    url: str
    number: int = 0

    @property
    def corrections(self) -> Corrections:
        return self.storage.corrections()

    async def answered(self, result: Result = "answered", message: str = "1") -> None:
        ledger = self.storage.ledger()
        self.number = (await ledger.claim(incoming(message), MANY)).number
        await ledger.enqueue(self.number, {"ts": "1"})
        begun = await ledger.begin_attempt(self.number)
        assert begun is not None
        cited = tuple(CitedPassage(each.n, each.chunk_id) for each in self.posted.citations if each.n)
        ending = RecordedOutcome(result, Turn("how?", TEXT), cited, False, self.posted, {"activity": "7"})
        assert await ledger.close(self.number, begun.attempt, ending)

    async def due(self, window: timedelta = MONTH, lease: timedelta = LEASE) -> list[ReplyToCheck]:
        await self.corrections.note_changes()
        return await self.corrections.due(["slack"], window=window, lease=lease)

    async def settled(self) -> None:
        """It was looked at, and all is well."""
        for each in await self.due():
            await self.corrections.settle(each, each.posted)

    async def unchecked(self) -> list[int]:
        """Numbers of the questions whose replies would be looked at now."""
        await self.corrections.note_changes()
        query = "SELECT question_no FROM posted_replies WHERE unchecked ORDER BY question_no"
        return [number for (number,) in await asyncio.to_thread(rows, self.url, query)]

    async def age(self, days: int) -> None:
        statement = b"UPDATE posted_replies SET posted_at = posted_at - make_interval(days => %(days)s)"
        await self.storage.pool.execute(statement, days=days)


@pytest.fixture
async def opened(data_dir: Path, database: str) -> AsyncIterator[Office]:
    async with open_storage(DatabaseOptions(database_url(data_dir, database), data_dir)) as storage:
        await storage.sources.add(Source(SOURCE, "files", {}))
        writer = await storage.writer(EMBEDDER.identity, Analyzer())
        (one,) = await put(writer, EMBEDDER, a_document("a"), "thirty days")
        (two,) = await put(writer, EMBEDDER, a_document("b"), "your lead")
        posted = PostedReply(TEXT, (citation(1, "a", one), citation(2, "b", two)), 0.8, EMAIL)
        yield Office(storage, writer, posted, database_url(data_dir, database))


@pytest.fixture
async def office(opened: Office) -> Office:
    await opened.answered()
    return opened


async def test_a_new_answer_is_looked_at_once_as_it_was_posted(office: Office) -> None:
    (found,) = await office.due()
    assert (found.asked.number, found.posted, found.rewritten) == (office.number, office.posted, False)
    assert {"ts": "1", "activity": "7"}.items() <= found.asked.handle.items()
    await office.corrections.settle(found, found.posted)
    assert await office.due() == []


@pytest.mark.parametrize("what", ["restricted", "hidden", "gone", "changed"])
async def test_it_is_due_when_a_document_is_not_as_it_was(office: Office, what: str) -> None:
    await office.settled()
    await put(office.writer, EMBEDDER, a_document("c"), "what nobody cites")
    await office.writer.set_acl(SOURCE, ["c"], NOBODY)
    assert await office.due() == []
    match what:
        case "restricted":
            await office.writer.set_acl(SOURCE, ["b"], NOBODY)
        case "hidden":
            await office.writer.hide(SOURCE, ["b"])
        case "gone":
            await office.writer.purge(SOURCE, ["b"])
        case _:
            await put(office.writer, EMBEDDER, a_document("b", content="2"), "your boss")
    (found,) = await office.due()
    assert (found.asked.number, found.rewritten) == (office.number, what == "changed")


async def test_what_is_rewritten_before_it_is_looked_at_for_the_first_time_is_known(office: Office) -> None:
    await put(office.writer, EMBEDDER, a_document("b", content="2"), "your boss")
    (found,) = await office.due()
    assert found.rewritten


async def test_another_index_version_may_say_something_else(office: Office) -> None:
    await office.settled()
    building = await office.storage.rebuild(EMBEDDER.identity, Analyzer())
    await put(building, EMBEDDER, a_document("a"), "thirty days")
    await put(building, EMBEDDER, a_document("b", content="2"), "your boss")
    await office.settled()
    await office.storage.publish()
    (found,) = await office.due()
    assert found.rewritten


async def test_nothing_is_noted_where_no_reply_was_posted_or_nothing_live_changed(opened: Office) -> None:
    async def noted() -> int:
        return len(await asyncio.to_thread(rows, opened.url, "SELECT FROM correction_queue"))

    await put(opened.writer, EMBEDDER, a_document("b", content="2"), "your boss")
    await opened.writer.set_acl(SOURCE, ["a"], NOBODY)
    people = SourceDirectory({EMAIL: frozenset({account(SOURCE, "1")})})
    await opened.storage.access_writer(timedelta(hours=1)).replace_directory(SOURCE, people)
    assert await noted() == 0
    await opened.answered()
    building = await opened.storage.rebuild(EMBEDDER.identity, Analyzer())
    await put(building, EMBEDDER, a_document("a", acl=NOBODY), "thirty days")
    await put(building, EMBEDDER, a_document("b", content="2"), "your boss")
    await opened.storage.publish()
    assert await noted() == 0
    await put(await opened.storage.writer(EMBEDDER.identity, Analyzer()), EMBEDDER, a_document("b", content="3"), "us")
    assert await noted() == 1


async def test_only_replies_that_cite_what_changed_are_looked_at(office: Office) -> None:
    first, office.posted = office.number, replace(office.posted, citations=office.posted.citations[:1])
    await office.answered(message="2")
    await office.settled()
    assert await office.unchecked() == []
    await put(office.writer, EMBEDDER, a_document("c"), "what nobody cites")
    await office.writer.set_acl(SOURCE, ["c"], NOBODY)
    assert await office.unchecked() == []
    await office.writer.set_acl(SOURCE, ["b"], NOBODY)
    assert await office.unchecked() == [first]
    await office.writer.set_acl(SOURCE, ["a"], NOBODY)
    assert await office.unchecked() == [first, office.number]


async def test_a_change_while_somebody_looks_is_looked_at_once_more(office: Office) -> None:
    """The look has read the documents before the change, and ends after it."""
    with connected(office.url) as holding:
        holding.execute(HELD)
        holding.execute("SELECT pg_advisory_lock(1)")
        looking = asyncio.create_task(office.settled())
        async with asyncio.timeout(30):
            while not await asyncio.to_thread(rows, office.url, WAITING):  # noqa: ASYNC110 - of the database
                await asyncio.sleep(0.02)
        await office.writer.set_acl(SOURCE, ["b"], NOBODY)
        noting = asyncio.create_task(office.corrections.note_changes())
        await asyncio.wait([noting], timeout=1)
        holding.execute("SELECT pg_advisory_unlock(1)")
        await asyncio.gather(looking, noting)
    assert await office.unchecked() == [office.number]


async def test_many_changes_at_once_are_found_by_several_processes(office: Office) -> None:
    await office.settled()
    statement = b"INSERT INTO correction_queue (document_id) SELECT 'd' || n FROM generate_series(1, 2500) AS n"
    await office.storage.pool.execute(statement)
    await office.writer.set_acl(SOURCE, ["b"], NOBODY)
    await asyncio.gather(*(office.corrections.note_changes() for _ in range(4)))
    assert await office.unchecked() == [office.number]
    assert await asyncio.to_thread(rows, office.url, "SELECT count(*) FROM correction_queue") == [(0,)]


async def test_those_that_are_as_they_were_hide_none_that_is_not(office: Office) -> None:
    await office.settled()
    copies = b"""
        WITH copied AS (
            INSERT INTO questions (platform, workspace, channel, message, thread, private, asker, asker_workspace,
                audience, text, handle, unread, state, result, token, deadline_at, allowed)
            SELECT platform, workspace, channel, 'copy ' || n, thread, private, asker, asker_workspace, audience, text,
                handle, unread, state, result, token, deadline_at, allowed
            FROM questions, generate_series(1, 450) AS n RETURNING question_no)
        INSERT INTO posted_replies (question_no, reply, citations, confidence, address, state, rights, posted_at)
        SELECT copied.question_no, reply, citations, confidence, address, p.state, rights,
            posted_at - make_interval(mins => copied.question_no::int)
        FROM copied, posted_replies p
    """
    await office.storage.pool.execute(copies)
    await office.storage.pool.execute(
        b"UPDATE posted_replies SET state = 'other' WHERE posted_at = (SELECT max(posted_at) FROM posted_replies)"
    )
    await office.storage.pool.execute(b"UPDATE posted_replies SET unchecked = true")
    assert [each.asked.number for each in await office.due()] == [office.number]
    assert await office.unchecked() == []


async def test_of_many_that_are_due_no_more_are_taken_than_asked_for_and_none_is_left(office: Office) -> None:
    for each in range(2, 6):
        await office.answered(message=str(each))
    taken = [await office.corrections.due(["slack"], window=MONTH, lease=LEASE, limit=2) for _ in range(4)]
    assert [len(each) for each in taken] == [2, 2, 1, 0]


async def test_what_was_read_live_counts_as_not_rewritten(office: Office) -> None:
    statement = b"UPDATE posted_replies SET citations = jsonb_set(citations, '{1,document_id}', '\"live\"')"
    await office.storage.pool.execute(statement)
    (found,) = await office.due()
    assert not found.rewritten


@pytest.mark.parametrize("whose", ["the asker's", "somebody else's"])
async def test_it_is_due_when_its_asker_is_in_other_groups(office: Office, whose: str) -> None:
    access = office.storage.access_writer(timedelta(hours=1))
    email = EMAIL if whose == "the asker's" else "ben@example.com"
    who = account(SOURCE, "1")
    await access.replace_directory(SOURCE, SourceDirectory({email: frozenset({who, group(SOURCE, "crew")})}))
    await access.mark_fresh(SOURCE, await access.now())
    await office.settled()
    assert await office.due() == []
    await access.replace_directory(SOURCE, SourceDirectory({email: frozenset({who})}))
    assert [each.asked.number for each in await office.due()] == [office.number] * (whose == "the asker's")


async def test_it_is_due_when_others_read_its_channel(office: Office) -> None:
    await office.settled()
    await office.corrections.readers_changed("slack", "elsewhere")
    await office.corrections.readers_changed("teams", PLACE.channel)
    assert await office.due() == []
    await office.corrections.readers_changed("slack", PLACE.channel)
    (found,) = await office.due()
    await office.corrections.readers_changed("slack", PLACE.channel)
    await office.corrections.settle(found, found.posted)
    assert len(await office.due()) == 1, "somebody joined while it was looked at"


async def test_what_was_begun_and_not_settled_is_due_again(office: Office) -> None:
    await office.settled()
    await office.corrections.readers_changed("slack", PLACE.channel)
    assert len(await office.due(lease=timedelta(seconds=0.2))) == 1
    await asyncio.sleep(0.3)
    assert len(await office.due()) == 1


async def test_of_many_at_once_one_gets_it_and_after_a_crash_another(office: Office) -> None:
    claims = await asyncio.gather(*(office.due(lease=timedelta(seconds=0.8)) for _ in range(8)))
    assert [len(each) for each in claims if each] == [1]
    await asyncio.sleep(0.9)
    assert len(await office.due()) == 1
    assert await office.due() == []


async def test_who_comes_too_late_does_not_end_the_claim_of_another(office: Office) -> None:
    (late,) = await office.due(lease=timedelta(seconds=0.1))
    await asyncio.sleep(0.2)
    await office.writer.set_acl(SOURCE, ["b"], NOBODY)
    (now,) = await office.due(lease=timedelta(seconds=0.3))
    await office.corrections.settle(late, late.posted)
    await office.corrections.give_up(late, late.posted)
    await asyncio.sleep(0.4)
    (again,) = await office.due()
    assert again.state == now.state != late.state
    await office.corrections.settle(again, again.posted)
    assert await office.due() == []


async def test_what_is_too_old_or_of_another_platform_is_left_alone(office: Office) -> None:
    assert await office.corrections.due(["teams"], window=MONTH, lease=LEASE) == []
    await office.age(31)
    assert await office.due() == []
    assert len(await office.due(window=timedelta(days=40))) == 1


async def test_it_waits_while_the_permissions_of_a_source_are_too_old(office: Office) -> None:
    hasty = office.storage.access_writer(timedelta())
    await hasty.replace_directory(SOURCE, SourceDirectory({}))
    await hasty.mark_fresh(SOURCE, await hasty.now())
    await office.writer.set_acl(SOURCE, ["b"], NOBODY)
    assert await office.due() == []
    lasting = office.storage.access_writer(timedelta(hours=1))
    await lasting.mark_fresh(SOURCE, await lasting.now())
    assert len(await office.due()) == 1


async def test_what_is_shown_now_is_remembered_and_referred_to(office: Office) -> None:
    (found,) = await office.due()
    left = replace(found.posted.citations[1], n=1)
    await office.corrections.settle(found, PostedReply("Ask your lead. [1]", (left,), 0.8))
    (turn,) = await office.storage.memory().turns(ADA, PLACE, limit=5, since=datetime(2020, 1, 1, tzinfo=UTC))
    assert turn.reply == "Ask your lead. [1]"
    known = await office.storage.ledger().find(office.number)
    assert known is not None
    assert known.cited == (CitedPassage(1, left.chunk_id),)
    await office.settled()
    await office.writer.set_acl(SOURCE, ["a"], NOBODY)
    assert await office.due() == [], "it cites that one no more"
    await office.writer.set_acl(SOURCE, ["b"], NOBODY)
    assert len(await office.due()) == 1


async def test_what_is_near_to_a_question_without_an_answer_is_neither_remembered_nor_referred_to(
    opened: Office,
) -> None:
    opened.posted = PostedReply("2 documents", tuple(replace(each, n=0) for each in opened.posted.citations), 0.0)
    await opened.answered("not_found")
    await opened.settled()
    (turn,) = await opened.storage.memory().turns(ADA, PLACE, limit=5, since=datetime(2020, 1, 1, tzinfo=UTC))
    assert turn.reply == TEXT, "as it was remembered"
    known = await opened.storage.ledger().find(opened.number)
    assert known is not None
    assert known.cited == ()
    await opened.writer.set_acl(SOURCE, ["a"], NOBODY)
    (found,) = await opened.due()
    assert found.posted == opened.posted


async def test_what_cannot_be_changed_is_not_due_again(office: Office) -> None:
    left = PostedReply("Ask your lead. [1]", office.posted.citations[1:], 0.8, EMAIL)
    (found,) = await office.due()
    await office.corrections.give_up(found, left)
    await office.writer.set_acl(SOURCE, ["b"], NOBODY)
    assert await office.due() == []
    (turn,) = await office.storage.memory().turns(ADA, PLACE, limit=5, since=datetime(2020, 1, 1, tzinfo=UTC))
    assert (turn.reply, len(turn.sources)) == (left.text, 1), "what is closed is not remembered either"
    known = await office.storage.ledger().find(office.number)
    assert known is not None
    assert known.cited == (CitedPassage(2, left.citations[0].chunk_id),), "as it stands in the message"
    kept = await asyncio.to_thread(rows, office.url, "SELECT reply, address, citations FROM posted_replies")
    assert [(reply, address, [each["title"] for each in cited]) for reply, address, cited in kept] == [("", "", ["b"])]


async def test_a_text_that_is_forgotten_is_forgotten_here_too(office: Office) -> None:
    await office.storage.memory().forget(ADA)
    (found,) = await office.due()
    assert (found.posted.text, len(found.posted.citations)) == ("", 2)


async def test_of_a_question_that_was_deleted_the_text_is_forgotten(office: Office) -> None:
    await office.storage.ledger().withdraw(incoming().key)
    (found,) = await office.due()
    assert found.posted.text == ""


async def test_what_is_settled_too_late_changes_no_other_answer(office: Office) -> None:
    (found,) = await office.due()
    assert await office.storage.ledger().change_text(incoming().key, "where?") == office.number
    begun = await office.storage.ledger().begin_attempt(office.number)
    assert begun is not None
    ending = RecordedOutcome(
        "answered", Turn("where?", "Here. [1]"), (), False, replace(office.posted, text="Here. [1]")
    )
    assert await office.storage.ledger().close(office.number, begun.attempt, ending)
    (now,) = await office.due(lease=timedelta(seconds=0.1))
    await office.corrections.settle(found, found.posted)
    await office.corrections.give_up(found, found.posted)
    await asyncio.sleep(0.2)
    assert [each.posted for each in await office.due()] == [now.posted], "also while somebody looks at that"
    assert now.posted.text == "Here. [1]"


async def test_a_question_that_is_asked_otherwise_has_no_answer_to_correct(office: Office) -> None:
    assert await office.storage.ledger().change_text(incoming().key, "where?") == office.number
    assert await office.due() == []
