"""A service over memory, for tests of how conversations are led."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import timedelta

import pytest

from bot.conversation.answer_job import ConversationOptions
from bot.conversation.service import ConversationService
from domain.answers import Turn
from domain.conversation import ConversationPlace, Incoming, MessageKey, Participant, QuestionLimits
from domain.errors import Transient
from domain.masking import Masker
from tests.fakes.ledger import MemoryConversations
from tests.fakes.platform import MemoryPlatform, ScriptedAnswers


def incoming(text: str = "How?", *, message: str = "1", person: str = "ann", **fields: object) -> Incoming:
    place = ConversationPlace("slack", "T1", "C1", "1")
    given: dict[str, object] = {"audience": "organisation", **fields}
    return Incoming(MessageKey("slack", "C1", message), place, Participant("slack", person, "T1"), text, **given)  # type: ignore[arg-type] # of the test


@dataclass
class Desk:
    """A service over memory. ahead: of the ledger's clock, the service's own."""

    kept: MemoryConversations = field(default_factory=MemoryConversations)
    platform: MemoryPlatform = field(default_factory=MemoryPlatform)
    answers: ScriptedAnswers = field(default_factory=ScriptedAnswers)
    limits: QuestionLimits = field(default_factory=QuestionLimits)
    progress_valid_seconds: float = 10.0
    overtime: float = 60.0
    note: float = 15.0
    ahead: timedelta = timedelta()

    def __post_init__(self) -> None:
        self.ledger, self.memory = self.kept.ledger(), self.kept.memory()
        options = ConversationOptions(
            limits=self.limits,
            poll_seconds=0.01,
            progress_valid_seconds=self.progress_valid_seconds,
            note=self.note,
            overtime=self.overtime,
        )
        self.service = ConversationService(
            self.ledger,
            self.memory,
            self.answers,
            Masker(),
            {"slack": self.platform},
            options,
            clock=lambda: self.kept.now + self.ahead,
        )

    async def asked(self, question: Incoming) -> int:
        claim = await self.service.receive(question)
        await self.service.acknowledge(claim)
        return claim.number

    async def answered(self, question: Incoming) -> int:
        number = await self.asked(question)
        await self.service.answer(number)
        return number

    async def result(self, number: int) -> tuple[str, str | None]:
        known = await self.ledger.find(number)
        assert known is not None
        return known.state, known.result

    async def turns(self, person: str = "ann") -> tuple[Turn, ...]:
        since = self.kept.now - timedelta(days=1)
        return await self.memory.turns(Participant("slack", person), incoming().place, limit=9, since=since)


async def meanwhile(desk: Desk, number: int, change: Callable[[], Awaitable[object]], *, fails: bool = False) -> None:
    """Answers, and lets something happen while that goes on. fails: for the answering worker, the database is away
    then."""
    desk.answers.held = asyncio.Event()
    working = asyncio.create_task(desk.service.answer(number))
    await desk.answers.going.wait()
    await change()
    await asyncio.sleep(0.1)
    desk.answers.held.set()
    if not fails:
        await working
        return
    with pytest.raises(Transient):
        await working
