"""What is remembered and what was thought of it, in memory."""

from collections.abc import Mapping
from datetime import datetime

from domain.answers import Turn
from domain.conversation import ConversationPlace, Participant, RememberedQuestion
from domain.ledger import Feedback, Memory
from tests.fakes.conversation_state import ConversationState, MemoryTurn, MemoryVote, storable


class MemoryMemory(Memory):
    """The turns of `kept`."""

    def __init__(self, kept: ConversationState) -> None:
        self._kept = kept

    async def turns(
        self, person: Participant, place: ConversationPlace, *, limit: int, since: datetime
    ) -> tuple[Turn, ...]:
        self._kept.check("turns")
        found = [
            turn.turn
            for turn in self._kept.turns
            if turn.person == (person.platform, person.id)
            and turn.conversation == place.conversation
            and turn.at >= since
        ]
        return tuple(found[max(0, len(found) - limit) :])

    async def recent(self, person: Participant, *, limit: int) -> list[RememberedQuestion]:
        self._kept.check()
        found = []
        for turn in self._kept.turns:
            row = self._kept.questions.get(turn.number or 0)
            if row is not None and turn.person == (person.platform, person.id):
                remembered = RememberedQuestion(
                    turn.turn.question, row.asked.key, row.asked.received_at, row.asked.number
                )
                found.append((row.asked.received_at, row.asked.number, remembered))
        return [remembered for _, _, remembered in sorted(found, key=lambda each: each[:2], reverse=True)[:limit]]

    async def forget(self, person: Participant) -> int:
        self._kept.check()
        for row in self._kept.questions.values():
            if row.ended_at and (row.asked.asker.platform, row.asked.asker.id) == (person.platform, person.id):
                row.original = None
                row.change(text="", unread=())
        for (_, platform, voter), vote in self._kept.votes.items():
            if (platform, voter) == (person.platform, person.id):
                vote.reason = None
        return self._keep([turn for turn in self._kept.turns if turn.person != (person.platform, person.id)])

    async def prune(self, *, before: datetime) -> int:
        self._kept.check()
        for row in self._kept.questions.values():
            if row.ended_at and row.ended_at < before:
                row.original = None
                row.change(text="", unread=())
        for vote in self._kept.votes.values():
            if vote.at < before:
                vote.reason = None
        return self._keep([turn for turn in self._kept.turns if turn.at >= before])

    def _keep(self, turns: list[MemoryTurn]) -> int:
        gone = len(self._kept.turns) - len(turns)
        self._kept.turns = turns
        return gone


class MemoryFeedback(Feedback):
    """The votes of `kept`."""

    def __init__(self, kept: ConversationState) -> None:
        self._kept = kept

    async def vote(self, number: int, person: Participant, value: int, reason: str | None = None) -> bool | None:
        self._kept.check()
        if number not in self._kept.questions:
            return None
        key = number, person.platform, person.id
        before = self._kept.votes.get(key)
        if reason is None and before is not None and before.value == value:
            reason = before.reason
        self._kept.votes[key] = MemoryVote(value, reason and storable(reason), self._kept.now)
        return before is None or before.value != value

    async def totals(self, since: datetime) -> Mapping[int, int]:
        self._kept.check()
        counted = [vote.value for vote in self._kept.votes.values() if vote.at >= since]
        return {value: counted.count(value) for value in (1, -1)}
