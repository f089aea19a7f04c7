"""Conversations in memory."""

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import replace
from datetime import datetime, timedelta

from domain.answers import Turn
from domain.conversation import (
    SENT_AGAIN,
    AcceptedQuestion,
    ConversationPlace,
    ExceededLimit,
    Incoming,
    MessageKey,
    Participant,
    Platform,
    QuestionLimits,
    RecordedOutcome,
)
from domain.ledger import MAX_TEXT_CHANGES, Ledger
from tests.fakes.conversation_state import ConversationState, MemoryQuestion, MemoryTurn, storable
from tests.fakes.jobs import MemoryJob
from tests.fakes.memory import MemoryFeedback, MemoryMemory
from tests.fakes.uncancellable import uncancellable

__all__ = ["DeafConversations", "MemoryConversations", "MemoryFeedback", "MemoryLedger", "MemoryMemory"]

REOPENED = {"answered", "not_found", "declined", "failed", "late"}


class MemoryConversations(ConversationState):
    """All of the ports, over the same questions, turns and votes; `jobs` is their queue."""

    def ledger(self) -> "MemoryLedger":
        return MemoryLedger(self)

    def memory(self) -> MemoryMemory:
        return MemoryMemory(self)

    def feedback(self) -> MemoryFeedback:
        return MemoryFeedback(self)


class MemoryLedger(Ledger):
    """The questions of `kept`."""

    def __init__(self, kept: ConversationState) -> None:
        self._kept = kept

    async def claim(self, incoming: Incoming, limits: QuestionLimits) -> AcceptedQuestion:
        self._kept.check("claim")
        found = self._by_key(incoming.key)
        if found is not None and self._may_come_again(found, incoming):
            del self._kept.questions[found.asked.number]
            found = None
        if found is not None:
            known = found.original is not None
            again = replace(self._now(found), other_text=known and found.original != storable(incoming.text))
            return replace(again, free_in=self._free_in(incoming, limits) if again.excess == "user_day" else None)
        self._kept.numbers += 1
        number = self._kept.numbers
        asked = AcceptedQuestion(
            number=number,
            key=incoming.key,
            place=incoming.place,
            asker=incoming.asker,
            text=storable(incoming.text),
            audience=incoming.audience,
            handle={storable(name): storable(value) for name, value in incoming.handle.items()},
            attempt=0,
            revision=0,
            received_at=self._kept.now,
            time_left=limits.deadline,
            unread=tuple(map(storable, incoming.unread)),
            excess=self._excess(incoming, limits),
        )
        before = self._before(incoming) if asked.excess is None else None
        self._kept.questions[number] = MemoryQuestion(
            asked, asked.text, limits.deadline, self._kept.now + limits.deadline
        )
        free_in = self._free_in(incoming, limits) if asked.excess == "user_day" else None
        return replace(asked, fresh=True, queue_ahead=before, free_in=free_in)

    async def enqueue(self, number: int, handle: Mapping[str, str]) -> bool:
        self._kept.check("enqueue")
        row = self._kept.questions.get(number)
        if row is None or row.state != "received":
            return False
        self._add(row, handle)
        row.queued_at = row.queued_at or self._kept.now
        self._put(row)
        return True

    async def begin_attempt(self, number: int) -> AcceptedQuestion | None:
        self._kept.check("begin_attempt")
        row = self._kept.questions.get(number)
        if row is None or row.ended_at:
            return None
        row.change(attempt=row.asked.attempt + 1)
        row.state, row.begun, row.started_at = "running", row.asked.revision, self._kept.now
        return self._now(row)

    async def update_handle(self, number: int, attempt: int, handle: Mapping[str, str]) -> bool:
        row = self._counting(number, attempt, "update_handle")
        if row is None or attempt == 0:
            return False
        self._add(row, handle)
        return True

    async def begin_posting(self, number: int, attempt: int, revision: int) -> bool:
        row = self._counting(number, attempt, "begin_posting")
        if row is None or attempt == 0 or row.asked.revision != revision:
            return False
        row.state = "posting"
        return True

    async def close(self, number: int, attempt: int, ending: RecordedOutcome) -> bool:
        row = self._counting(number, attempt, "close")
        if row is None:
            return False
        if row.begun is not None and row.begun < row.asked.revision and ending.result in REOPENED:
            self._reopen(row)
            return True
        cited = tuple((each.chunk_id, each.document_id) for each in ending.posted.citations) if ending.posted else ()
        turn = ending.turn and Turn(storable(ending.turn.question), storable(ending.turn.reply), cited)
        row.state, row.result, row.ended_at = ending.state, ending.result, self._kept.now
        row.cited, row.duplicate_possible = ending.cited, ending.duplicate_possible
        row.change(text=turn.question if turn else "", handle={**_without_reply(row), **ending.handle})
        if turn:
            person = row.asked.asker.platform, row.asked.asker.id
            self._kept.turns.append(MemoryTurn(person, row.asked.place.conversation, number, turn, self._kept.now))
        return True

    async def change_text(self, key: MessageKey, text: str, *, restored: bool = False) -> int | None:
        self._kept.check("change_text")
        row = self._by_key(key)
        reopened = REOPENED | ({"withdrawn"} if restored else set())
        if row is None or row.asked.excess or (row.ended_at and row.result not in reopened):
            return None
        if storable(text) == row.original or row.asked.revision >= MAX_TEXT_CHANGES:
            return None
        row.original = storable(text)
        row.change(text=row.original, revision=row.asked.revision + 1)
        if row.ended_at:
            self._reopen(row, edited=not restored)
        return row.asked.number

    async def withdraw(self, key: MessageKey) -> AcceptedQuestion | None:
        self._kept.check("withdraw")
        row = self._by_key(key)
        if row is None:
            return None
        before = self._now(row)
        row.original = None
        row.change(text="", handle=_without_reply(row))
        self._forget_turn(row)
        if not row.ended_at:
            row.state, row.result, row.ended_at = "withdrawn", "withdrawn", self._kept.now
        return before

    async def find(self, number: int) -> AcceptedQuestion | None:
        self._kept.check("find")
        row = self._kept.questions.get(number)
        return self._now(row) if row is not None else None

    async def has_question_in_thread(self, place: ConversationPlace, *, before: int | None = None) -> bool:
        self._kept.check("has_question_in_thread")
        earlier = (row for row in self._kept.questions.values() if before is None or row.asked.number < before)
        return any(
            row.state != "withdrawn" and row.asked.excess is None and row.asked.place.lock_key == place.lock_key
            for row in earlier
        )

    async def find_by_reply(self, platform: Platform, channel: str, message: str) -> int | None:
        self._kept.check("find_by_reply")
        every = [row.asked for row in self._kept.questions.values()]
        here = [each for each in every if (each.place.platform, each.place.channel) == (platform, channel)]
        found = [each.number for each in here if each.handle.get("activity") == message]
        return max(found, default=None)

    async def last_reply(self, person: Participant, channel: str) -> int | None:
        self._kept.check("last_reply")
        found = [
            (row.ended_at, number)
            for number, row in self._kept.questions.items()
            if (row.asked.asker.platform, row.asked.asker.id) == (person.platform, person.id)
            and row.asked.place.channel == channel
            and row.ended_at
            and row.ended_at < row.deadline + timedelta(hours=1)
            and row.result not in {"unreachable", "withdrawn"}
        ]
        return max(found)[1] if found else None

    async def requeue_lost(self, platforms: Collection[Platform], patience: timedelta) -> list[int]:
        self._kept.check("requeue_lost")
        then = self._kept.now - patience
        found = [row for row in self._open() if row.asked.place.platform in platforms and self._is_left(row, then)]
        for row in found:
            row.queued_at = self._kept.now
            self._put(row)
        return [row.asked.number for row in found]

    async def close_abandoned(self, patience: timedelta) -> Mapping[Platform, int]:
        self._kept.check("close_abandoned")
        found = [row for row in self._open() if row.deadline < self._kept.now - patience]
        for row in found:
            row.state, row.result, row.ended_at = "failed", "late", self._kept.now
            row.change(text="", handle=_without_reply(row))
        names = {f"question:{row.asked.number}" for row in found}
        jobs = self._kept.jobs
        jobs.jobs = [job for job in jobs.jobs if job.unique_key not in names or job.state != "waiting"]
        return Counter(row.asked.place.platform for row in found)

    async def prune(self, *, ended_before: datetime) -> int:
        self._kept.check("prune")
        kept = self._kept
        gone = {number for number, row in kept.questions.items() if row.ended_at and row.ended_at < ended_before}
        kept.questions = {number: row for number, row in kept.questions.items() if number not in gone}
        kept.votes = {key: vote for key, vote in kept.votes.items() if key[0] not in gone}
        for turn in kept.turns:
            turn.number = None if turn.number in gone else turn.number
        return len(gone)

    def _now(self, row: MemoryQuestion) -> AcceptedQuestion:
        left = row.deadline - self._kept.now
        waited = row.allowed - left
        return replace(row.asked, state=row.state, result=row.result, cited=row.cited, time_left=left, waited=waited)

    def _by_key(self, key: MessageKey) -> MemoryQuestion | None:
        return next((row for row in self._kept.questions.values() if row.asked.key == key), None)

    def _open(self) -> list[MemoryQuestion]:
        return [row for row in self._kept.questions.values() if not row.ended_at]

    def _waiting(self, platform: str) -> list[MemoryQuestion]:
        return [row for row in self._open() if row.asked.key.platform == platform and not row.asked.excess]

    def _counting(self, number: int, attempt: int, method: str) -> MemoryQuestion | None:
        """The question, if this attempt may still change it."""
        self._kept.check(method)
        row = self._kept.questions.get(number)
        if row is None or row.ended_at:
            return None
        counts = row.state == "received" if attempt == 0 else row.state != "received" and row.asked.attempt == attempt
        return row if counts else None

    def _may_come_again(self, row: MemoryQuestion, incoming: Incoming) -> bool:
        refused = row.asked.key.platform in SENT_AGAIN and row.asked.excess is not None and row.ended_at is not None
        return refused and row.original in {None, storable(incoming.text)}

    def _free_in(self, incoming: Incoming, limits: QuestionLimits) -> timedelta | None:
        """Until the oldest question that still counts against the limit of 24 hours stops to count."""
        person = incoming.key.platform, incoming.asker.id
        accepted = [row.asked for row in self._kept.questions.values() if not row.asked.excess]
        theirs = [asked.received_at for asked in accepted if (asked.key.platform, asked.asker.id) == person]
        last = sorted(theirs, reverse=True)[limits.user_day - 1 : limits.user_day]
        return last[0] + timedelta(days=1) - self._kept.now if last else None

    def _excess(self, incoming: Incoming, limits: QuestionLimits) -> ExceededLimit | None:
        accepted = [row.asked for row in self._kept.questions.values() if not row.asked.excess]
        minute, day = self._kept.now - timedelta(minutes=1), self._kept.now - timedelta(days=1)
        person = incoming.key.platform, incoming.asker.id
        theirs = [asked.received_at for asked in accepted if (asked.key.platform, asked.asker.id) == person]
        channel = incoming.key.platform, incoming.key.channel
        here = [asked.received_at for asked in accepted if (asked.key.platform, asked.key.channel) == channel]
        counts: dict[ExceededLimit, tuple[int, int]] = {
            "user_minute": (len([at for at in theirs if at > minute]), limits.user_minute),
            "channel_minute": (len([at for at in here if at > minute]), limits.channel_minute),
            "user_day": (len([at for at in theirs if at > day]), limits.user_day),
            "waiting": (len(self._waiting(incoming.key.platform)), limits.waiting),
        }
        return next((name for name, (count, limit) in counts.items() if count >= limit), None)

    def _before(self, incoming: Incoming) -> int | None:
        """How many questions have to be begun before this one; None where it need not wait."""
        lanes: dict[str, list[MemoryQuestion]] = {}
        for row in self._waiting(incoming.key.platform):
            lanes.setdefault(row.asked.place.lock_key, []).append(row)
        own = lanes.pop(incoming.place.lock_key, None)
        of_lane = sum(row.state == "received" for row in own or ())
        of_others = sum(all(row.state == "received" for row in rows) for rows in lanes.values())
        if len(lanes) >= max(1, self._kept.jobs.slots(incoming.key.platform)):
            return of_lane + of_others
        return None if own is None else of_lane

    def _is_left(self, row: MemoryQuestion, then: datetime) -> bool:
        if self._kept.jobs.live(f"question:{row.asked.number}"):
            return False
        return all(at < then for at in (row.asked.received_at, row.queued_at, row.started_at) if at is not None)

    def _add(self, row: MemoryQuestion, handle: Mapping[str, str]) -> None:
        added = {storable(name): storable(value) for name, value in handle.items()}
        row.change(handle={**row.asked.handle, **added})

    def _put(self, row: MemoryQuestion) -> None:
        asked, number = row.asked, row.asked.number
        job = MemoryJob("answer", {"number": number}, asked.key.platform, asked.place.lock_key, f"question:{number}")
        self._kept.jobs.add(job)

    def _reopen(self, row: MemoryQuestion, *, edited: bool = True) -> None:
        self._forget_turn(row)
        if edited:
            self._kept.votes = {key: vote for key, vote in self._kept.votes.items() if key[0] != row.asked.number}
        row.state, row.result, row.ended_at, row.begun = "received", None, None, None
        row.queued_at, row.started_at, row.cited, row.duplicate_possible = self._kept.now, None, (), False
        row.deadline = self._kept.now + row.allowed
        self._put(row)

    def _forget_turn(self, row: MemoryQuestion) -> None:
        self._kept.turns = [turn for turn in self._kept.turns if turn.number != row.asked.number]


def _without_reply(row: MemoryQuestion) -> dict[str, str]:
    return {name: value for name, value in row.asked.handle.items() if name != "response_url"}


class DeafConversations(MemoryConversations):
    """The same, with a ledger that answers how a running question stands only to a caller who was cancelled: as a
    connection that is handed over when the wait for it is cancelled."""

    def ledger(self) -> "DeafLedger":
        return DeafLedger(self)


class DeafLedger(MemoryLedger):
    """See DeafConversations."""

    async def find(self, number: int) -> AcceptedQuestion | None:
        question = await super().find(number)
        return await uncancellable(1, question) if question is not None and question.state == "running" else question
