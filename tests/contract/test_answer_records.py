"""What AnswerRecords promises, over PostgreSQL: it hangs on questions, votes and posted replies as they are stored."""

from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from domain.answer_ports import AnswerQuality, QuestionFilter
from domain.answer_records import AnswerRecord
from domain.answers import Citation, EvidenceNote, StageTime, ToolCall, Trace, Turn
from domain.conversation import PostedReply, RecordedOutcome
from storage.open import Storage, open_storage
from storage.server.database import DatabaseOptions
from tests.command import database_url
from tests.contract.conversations import ADA, BOB, MANY, incoming

EVER = datetime(2020, 1, 1, tzinfo=UTC)
CITED = Citation(1, "VPN", "", "vpn.md", "docs", "d1", "", "line 1", "words", EVER, "c1")
TRACE = Trace(
    iterations=2,
    tool_calls=(ToolCall("search", {"query": "vpn\0", "k": [1, 2.5]}, 3.0, 4, note="n"),),
    reasoning=("a line",),
    timings_ms={"total": 12.5},
    model_calls=3,
    tokens=900,
    evidence=(EvidenceNote("c1", "d1", "vpn.md", ("search",), 0.5, None, 1),),
    stages=(StageTime("search", 1, 2.0),),
    mode="agentic",
)
ANSWERED = RecordedOutcome(
    "answered",
    Turn("when?", "Now. [1]"),
    posted=PostedReply("Now. [1]", (CITED,), 0.8),
    record=AnswerRecord("answered", "", "when?", 0.8, ("d1", "d2"), TRACE),
)
NOTHING = RecordedOutcome(
    "not_found", Turn("where?", "-"), record=AnswerRecord("not_found", "", "where?", 0, ("d1",), TRACE)
)


@dataclass
class Office:
    """A store with questions in it."""

    storage: Storage

    async def ended(self, message: str, ending: RecordedOutcome) -> int:
        ledger = self.storage.ledger()
        number = (await ledger.claim(incoming(message), MANY)).number
        await ledger.enqueue(number, {})
        begun = await ledger.begin_attempt(number)
        assert begun is not None
        assert await ledger.close(number, begun.attempt, ending)
        return number

    async def gaps(self, since: datetime = EVER) -> list[int]:
        return [each.number for each in await self.storage.answer_records().gaps(since, 10)]


@pytest.fixture
async def office(data_dir: Path, database: str) -> AsyncIterator[Office]:
    async with open_storage(DatabaseOptions(database_url(data_dir, database), data_dir)) as storage:
        yield Office(storage)


async def test_a_record_is_read_as_it_was_closed_and_scored_once(office: Office) -> None:
    records, number = office.storage.answer_records(), await office.ended("1", ANSWERED)
    found = await records.get(number)
    assert found is not None
    assert ANSWERED.record is not None
    call = replace(TRACE.tool_calls[0], args={"query": "vpn\N{REPLACEMENT CHARACTER}", "k": [1, 2.5]})
    assert found.record == replace(ANSWERED.record, trace=replace(TRACE, tool_calls=(call,)))
    assert (found.quality, found.audience, found.place.channel, found.wait_ms >= 0) == (
        None,
        "organisation",
        "C1",
        True,
    )
    (waits,) = await records.unscored(5)
    assert (waits.number, waits.question, waits.reply, waits.citations) == (number, "when?", "Now. [1]", (CITED,))
    await records.score(number, AnswerQuality(0.7, 0.9, 0.5))
    scored = await records.get(number)
    assert scored is not None
    assert scored.quality == AnswerQuality(0.7, 0.9, 0.5)
    assert await records.unscored(5) == []
    assert await records.get(number + 1) is None


async def test_gaps_are_what_has_no_whole_answer_or_more_votes_against_it(office: Office) -> None:
    assert ANSWERED.record is not None
    record = ANSWERED.record
    answered = await office.ended("1", ANSWERED)
    missing = await office.ended("2", NOTHING)
    partly = await office.ended("3", replace(ANSWERED, record=replace(record, outcome="partly")))
    await office.ended("4", RecordedOutcome("declined", record=replace(record, outcome="declined", question="")))
    await office.ended("5", RecordedOutcome("failed", record=replace(record, outcome="failed")))
    assert await office.gaps() == [partly, missing]
    feedback = office.storage.feedback()
    await feedback.vote(answered, ADA, -1, "wrong page")
    assert await office.gaps() == [partly, missing, answered]
    assert (await office.storage.answer_records().gaps(EVER, 10))[-1].reasons == ("wrong page",)
    await feedback.vote(answered, BOB, 1)
    assert await office.gaps() == [partly, missing]
    assert await office.gaps(datetime.now(UTC) + timedelta(hours=1)) == []
    usage = await office.storage.answer_records().usage(EVER)
    assert [each.result for each in usage] == ["answered", "not_found", "partly", "declined", "failed"]
    assert (usage[0].up, usage[0].down, usage[0].requests, usage[0].tokens) == (1, 1, 3, 900)


async def test_gaps_of_a_platform_and_without_private_ones_count_to_the_limit_alone(office: Office) -> None:
    public = await office.ended("1", NOTHING)
    others = [await office.ended(each, NOTHING) for each in ("2", "3", "4")]
    for number, change in zip(others, (b"platform = 'teams'", b"private = true", b"audience = 'asker'"), strict=True):
        await office.storage.pool.execute(b"UPDATE questions SET " + change + b" WHERE question_no = %(n)s", n=number)
    records = office.storage.answer_records()
    found = await records.gaps(EVER, 1, platform="slack", private=False)
    assert [each.number for each in found] == [public]
    assert len(await records.gaps(EVER, 10)) == 4
    assert [each.number for each in await records.gaps(EVER, 10, platform="teams")] == others[:1]


@pytest.mark.parametrize("how", ["forget", "prune", "withdraw", "ask otherwise", "a release that does not know it"])
async def test_texts_of_a_record_go_when_the_question_is_forgotten(office: Office, how: str) -> None:
    number = await office.ended("1", NOTHING)
    storage, records = office.storage, office.storage.answer_records()
    match how:
        case "forget":
            await storage.memory().forget(BOB)
            assert await office.gaps() == [number]
            await storage.memory().forget(ADA)
        case "prune":
            await storage.memory().prune(before=datetime.now(UTC) + timedelta(hours=1))
        case "withdraw":
            await storage.ledger().withdraw(incoming("1").key)
        case "ask otherwise":
            assert await storage.ledger().change_text(incoming("1").key, "something else") == number
        case _:
            await storage.pool.execute(b"UPDATE questions SET text = '', text_hash = NULL")
    assert await office.gaps() == []
    found = await records.get(number)
    assert found is None or (found.record.question, found.record.trace, found.record.nearest) == ("", Trace(), ())
    if how != "ask otherwise":
        await storage.memory().prune(before=EVER)
    left = await storage.pool.fetch_all(b"SELECT question, nearest, trace FROM answer_records")
    assert [tuple(row) for row in left] == ([] if how == "ask otherwise" else [("", [], {})])


async def test_questions_are_listed_by_how_they_ended_and_what_readers_thought(office: Office) -> None:
    records, votes = office.storage.answer_records(), office.storage.feedback()
    answered, nothing = await office.ended("1", ANSWERED), await office.ended("2", NOTHING)
    late = await office.ended("3", RecordedOutcome("late"))
    await votes.vote(answered, ADA, -1, "out of date")
    await votes.vote(answered, BOB, 1)

    async def listed(**wanted: Any) -> list[int]:
        return [each.number for each in await records.questions(QuestionFilter(EVER, **wanted), 10)]

    assert await listed() == [late, nothing, answered]
    assert await listed(result="not_found") == [nothing]
    assert await listed(vote=-1) == await listed(vote=1) == [answered]
    assert await listed(platform="teams") == await listed(slower_ms=3_600_000) == []
    assert [each.number for each in await records.questions(QuestionFilter(EVER), 1)] == [late]
    (first,) = await records.questions(QuestionFilter(EVER, "answered"), 10)
    assert (first.question, first.requests, first.tokens, first.up, first.down) == ("when?", 3, 900, 1, 1)
    assert [(each.number, each.value, each.reason) for each in await records.votes(EVER, 10)] == [
        (answered, 1, ""),
        (answered, -1, "out of date"),
    ]
    assert [each.question for each in await records.votes(EVER, 10, -1)] == ["when?"]
    assert await records.votes(datetime.now(UTC) + timedelta(hours=1), 10) == []
