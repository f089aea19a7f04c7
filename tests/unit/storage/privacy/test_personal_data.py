"""What is kept of one person: all of it is shown, and after an erasure no table has a word of it, beside what a source
says."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from domain.access import Acl, Principal, SourceDirectory, account, group, user
from domain.answer_records import AnswerRecord
from domain.answers import Citation, ToolCall, Trace, Turn
from domain.audit import AuditEntry, AuditFilter
from domain.conversation import (
    ConversationPlace,
    Incoming,
    MessageKey,
    Participant,
    PostedReply,
    RecordedOutcome,
)
from domain.text.tokens import Analyzer
from storage.index.sources import Source
from storage.open import Storage
from storage.privacy.personal_data import SECTIONS, Person
from tests.contract.conversations import ANSWERED, MANY
from tests.fakes.documents import SOURCE, a_document, chunks_of
from tests.fakes.embedder import HashEmbedder
from tests.unit.storage.rows import change, rows

MARK = "ADAMARK"
"""Stands in all that is Ada's alone."""
ADDRESS = "ada@example.com"
ADA, ELSEWHERE = Participant("slack", f"U{MARK}", "T1"), Participant("teams", f"8d1f-{MARK}", "tenant")
BOB, ROOT = Participant("slack", "UBOB", "T1"), Participant("terminal", "root")
PERSON = Person(ADDRESS, (ADA, ELSEWHERE, Participant("web", ADDRESS)))
CITED = Citation(1, "VPN", "", "vpn.md", "docs", "d1", "", "line 1", "words", datetime(2026, 1, 1, tzinfo=UTC), "c1")
SINCE = datetime(2020, 1, 1, tzinfo=UTC)


def asked(person: Participant, message: str, *, private: bool = False) -> Incoming:
    mark = MARK if person != BOB else "bob"
    place = ConversationPlace(person.platform, "T1", f"D{mark}" if private else "C1", f"{mark}.1", private)
    key = MessageKey(person.platform, place.channel, f"{mark} {message}")
    return Incoming(key, place, person, f"when? {mark}", "organisation", {"user": mark}, (f"{mark}.xlsx",))


def answered(mark: str, address: str) -> RecordedOutcome:
    record = AnswerRecord("answered", "", f"when? {mark}", 0.8, (f"{mark}.md",), Trace(tool_calls=(call(mark),)))
    posted = PostedReply(f"Noon, {mark}. [1]", (replace(CITED, title=mark),), 0.8, address)
    return RecordedOutcome("answered", Turn(f"when? {mark}", f"Noon, {mark}. [1]"), posted=posted, record=record)


def call(mark: str) -> ToolCall:
    return ToolCall("search", {"query": mark}, 1.0, 1)


class Company:
    """A store in which Ada and Bob ask, vote and share, and a source says who they are."""

    def __init__(self, storage: Storage) -> None:
        self.storage, self.data, self.audit = storage, storage.personal_data(), storage.audit_log()

    async def ended(self, incoming: Incoming, ending: RecordedOutcome) -> int:
        ledger = self.storage.ledger()
        number = (await ledger.claim(incoming, MANY)).number
        await ledger.enqueue(number, {"ts": "1"})
        begun = await ledger.begin_attempt(number)
        assert begun is not None
        assert await ledger.close(number, begun.attempt, ending)
        return number

    async def fill(self) -> dict[str, int]:
        feedback, numbers = self.storage.feedback(), {}
        for name, person, private in (("ada", ADA, False), ("ada alone", ADA, True), ("bob", BOB, False)):
            ending = answered(MARK, ADDRESS) if person == ADA else answered("bob", "bob@example.com")
            numbers[name] = await self.ended(asked(person, name, private=private), ending)
        numbers["teams"] = await self.ended(asked(ELSEWHERE, "1"), answered(MARK, ADDRESS))
        numbers["open"] = (await self.storage.ledger().claim(asked(ADA, "open"), MANY)).number
        await self.storage.ledger().enqueue(numbers["open"], {})
        for voter in (ADA, BOB):
            for number in (numbers["ada"], numbers["bob"]):
                await feedback.vote(number, voter, -1, f"wrong {MARK if voter == ADA else 'bob'}")
        arguments = {"source": "docs", "platform": ADA.platform, "person": ADA.id, "channel": MARK}
        await self.storage.job_queue().put("reindex", arguments, queue="index", lock_key="r", unique_key="r")
        await change(self.storage, "INSERT INTO model_replies (key, reply) VALUES ('\\x01', 'a reply of now')")
        old = "INSERT INTO model_replies (key, reply, created_at) VALUES ('\\x02', 'of before', now() - interval '1 h')"
        await change(self.storage, old)
        await self.audit.record(AuditEntry(ADA, "answer_shared", "1", {"channel": f"C{MARK}"}))
        await self.audit.record(AuditEntry(BOB, "answer_shared", "2", {"channel": "C1"}))
        await self.audit.record(AuditEntry(ROOT, "person_exported", detail={"person": PERSON.names}))
        await self.audit.record(AuditEntry(ROOT, "person_exported", detail={"person": ["slack:UBOB"]}))
        for name, address in (("ada", ADDRESS), ("bob", "bob@example.com")):
            await self._web(numbers[name], address)
        await self._source()
        return numbers

    async def _web(self, number: int, address: str) -> None:
        """A reply that was followed over HTTP, a token and a session; a question that was sent to an owner."""
        sent = "INSERT INTO owner_requests (question_no, document_id) VALUES (:number, 'd1')"
        await change(self.storage, sent, number=number)
        shown = "INSERT INTO web_replies (question_no, attempt, step, state) VALUES (:number, 1, 1, '{}')"
        await change(self.storage, shown, number=number)
        token = (
            "INSERT INTO api_tokens (name, email, scopes, prefix, digest, expires_at)"
            " VALUES ('t', :address, '{ask}', 'kb', sha256(:address::text::bytea), now())"
        )
        await change(self.storage, token.replace("::", "\\:\\:"), address=address)
        session = (
            "INSERT INTO web_sessions (digest, person, expires_at)"
            " VALUES (sha256(:address::text::bytea), :address, now())"
        )
        await change(self.storage, session.replace("::", "\\:\\:"), address=address)

    async def _source(self) -> None:
        await self.storage.sources.add(Source(SOURCE, "files", {"audience": [ADDRESS]}))
        writer = await self.storage.writer(HashEmbedder(8).identity, Analyzer())
        document = a_document("Walrus", acl=Acl.any_of(user(ADDRESS), group(SOURCE, "staff"), group(SOURCE, "board")))
        chunks = chunks_of(document, ["fed at noon"])
        await writer.put(document, chunks, HashEmbedder(8).vectors(["fed at noon"]))
        whom = frozenset[Principal]({account(SOURCE, "ada"), group(SOURCE, "staff")})
        members = {ADDRESS: whom, "bob@example.com": frozenset({account(SOURCE, "bob")})}
        await self.storage.access_writer(timedelta(hours=1)).replace_directory(SOURCE, SourceDirectory(members))

    async def tables_with(self, word: str) -> dict[str, int]:
        """In how many rows of which tables a word stands, in whatever column."""
        tables = await rows(
            self.storage,
            "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')"
            " AND NOT relispartition",
        )
        found = {}
        for (table,) in tables:
            query = f"SELECT count(*) FROM {table} AS each WHERE each::text ILIKE '%' || :word || '%'"
            ((found[table],),) = await rows(self.storage, query, word=word)
        return {table: number for table, number in found.items() if number}


def counts(kept: dict[str, list[dict[str, Any]]]) -> dict[str, int]:
    return {name: len(found) for name, found in kept.items()}


async def test_all_that_is_kept_of_a_person_is_shown_and_nothing_of_others(storage: Storage) -> None:
    company = Company(storage)
    numbers = await company.fill()
    kept = await company.data.kept(PERSON)
    assert counts(kept) == {
        "questions": 4,
        "turns": 3,
        "posted_replies": 3,
        "answer_records": 3,
        "owner_requests": 1,
        "web_replies": 1,
        "correction_queue": 1,
        "api_tokens": 1,
        "web_sessions": 1,
        "feedback": 2,
        "jobs": 5,
        "audit_entries": 2,
        "directory": 2,
        "acl_principals": 2,
        "sources": 1,
        "model_replies": 1,
    }
    assert {table for table in await company.tables_with(MARK) if table != "procrastinate_jobs"} <= set(kept)
    assert [row["question_no"] for row in kept["questions"]] == sorted(
        numbers[name] for name in numbers if name != "bob"
    )
    assert kept["turns"][0]["reply"] == f"Noon, {MARK}. [1]"
    assert kept["feedback"][0]["reason"] == f"wrong {MARK}"
    assert [row["principal"] for row in kept["acl_principals"]] == [f"group:{SOURCE}/staff", f"user:{ADDRESS}"]
    assert kept["model_replies"][0]["replies"] == 1, "none of before, or after"
    assert "bob" not in repr(kept).lower()


async def test_after_an_erasure_nothing_has_a_word_of_it_beside_the_source(storage: Storage) -> None:
    company = Company(storage)
    await company.fill()
    bob = Person("bob@example.com", (BOB,))
    before, used = await company.data.kept(bob), await storage.answer_records().usage(SINCE)
    number, done = await company.data.erase(PERSON, ROOT)
    assert await company.tables_with(MARK) == {}
    left = await company.tables_with(ADDRESS)
    assert set(left) == {"acl_principals", "acls", "directory", "sources"}
    assert done["questions"] == 4
    assert counts(await company.data.kept(PERSON)) == dict.fromkeys(SECTIONS, 0) | {
        "directory": 2,
        "acl_principals": 2,
        "sources": 1,
    }
    assert await company.data.kept(bob) == before
    now = await storage.answer_records().usage(SINCE)
    assert [(each.result, each.wait_ms, each.up, each.down) for each in now] == [
        (each.result, each.wait_ms, each.up, each.down) for each in used
    ]
    entry = (await company.audit.entries(AuditFilter(SINCE, "person_erased"), 9))[0]
    assert (entry.number, entry.entry.actor) == (number, ROOT)
    assert set(entry.entry.detail) == {"rows"}


async def test_the_same_is_done_a_second_time_with_nothing_left_to_do(storage: Storage) -> None:
    company = Company(storage)
    await company.fill()
    await company.data.erase(PERSON, ROOT)
    _, done = await company.data.erase(PERSON, ROOT)
    assert set(done.values()) == {0}


async def test_several_are_erased_who_voted_on_one_reply(storage: Storage) -> None:
    company = Company(storage)
    numbers = await company.fill()
    for person in (PERSON, Person("bob@example.com", (BOB,))):
        await company.data.erase(person, ROOT)
    kept = await rows(storage, "SELECT value, reason FROM feedback WHERE question_no = :number", number=numbers["ada"])
    assert kept == [(-1, None), (-1, None)]


async def test_a_question_that_is_being_answered_is_withdrawn_and_leaves_nothing(storage: Storage) -> None:
    company = Company(storage)
    number = (await storage.ledger().claim(asked(ADA, "1"), MANY)).number
    await storage.ledger().enqueue(number, {})
    begun = await storage.ledger().begin_attempt(number)
    assert begun is not None
    await company.data.erase(PERSON, ROOT)
    assert not await storage.ledger().begin_posting(number, begun.attempt, begun.revision), "it is not shown"
    assert not await storage.ledger().close(number, begun.attempt, answered(MARK, ADDRESS))
    assert await company.tables_with(MARK) == {}
    found = await storage.ledger().find(number)
    assert found is not None
    assert (found.state, found.result) == ("withdrawn", "withdrawn")


async def test_an_administrators_acts_stay_with_who_did_them(storage: Storage) -> None:
    company = Company(storage)
    await company.audit.record(AuditEntry(ADA, "reindex", "docs"))
    await company.data.erase(PERSON, ROOT)
    (kept,) = await company.audit.entries(AuditFilter(SINCE, "reindex"), 9)
    assert kept.entry.actor == Participant(ADA.platform, ADA.id)


async def test_people_are_known_by_the_address_of_their_answers_until_they_are_forgotten(storage: Storage) -> None:
    company = Company(storage)
    await company.fill()
    assert await company.data.askers_with(ADDRESS) == {("slack", ADA.id), ("teams", ELSEWHERE.id)}
    assert await company.data.askers_with("nobody@example.com") == set()
    assert set(await company.data.people("slack")) == {ADA.id, BOB.id}
    assert await company.data.people("teams") == {ELSEWHERE.id: {"user": MARK, "ts": "1"}}
    await storage.memory().forget(ELSEWHERE)
    assert await company.data.askers_with(ADDRESS) == {("slack", ADA.id)}
    await company.data.erase(PERSON, ROOT)
    assert set(await company.data.people("slack")) == {BOB.id}
    assert await company.data.people("teams") == {}


async def test_what_is_asked_later_is_kept_as_everybodys(storage: Storage) -> None:
    company = Company(storage)
    await company.data.erase(PERSON, ROOT)
    await company.ended(asked(ADA, "1"), ANSWERED)
    assert len((await company.data.kept(PERSON))["questions"]) == 1


async def test_a_source_that_is_read_by_an_account_of_the_person_is_named(storage: Storage) -> None:
    await storage.sources.add(Source("wiki", "confluence", {"url": "https://example.com", "email": ADDRESS}))
    await storage.sources.add(Source("issues", "jira", {"url": "https://example.com", "email": "bob@example.com"}))
    assert (await storage.personal_data().kept(PERSON))["sources"] == [{"source": "wiki"}]
