"""A chat platform in memory, and answers by script."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field, replace

from domain.answers import Answer, Citation, Outcome, Progress, Question, Written
from domain.conversation import Asked, Audience, Excess, Identity, Person
from domain.errors import KbError
from domain.masking import Masker
from domain.masking.shown import MaskedAnswer, masked_answer


@dataclass
class Shown:
    """What stands below one question. signs: what was shown, in order; `text` is the outcome's."""

    signs: list[str] = field(default_factory=list)
    text: str = ""
    gone: bool = False


@dataclass
class MemoryPlatform:
    """Shows replies by question number. identities: by person; those that are errors are raised. faults: errors that
    the next calls of a method of a reply raise."""

    identities: dict[str, Identity | KbError] = field(default_factory=dict)
    readers: Audience | None = None
    shown: dict[int, Shown] = field(default_factory=dict)
    faults: dict[str, list[Exception]] = field(default_factory=dict)

    def reply(self, asked: Asked) -> "MemoryReply":
        return MemoryReply(self, asked)

    async def identity(self, person: Person) -> Identity:
        found = self.identities.get(person.id, Identity(f"{person.id}@example.com", member=True))
        if isinstance(found, KbError):
            raise found
        return found

    async def audience(self, asked: Asked) -> Audience:
        return self.readers or asked.audience

    def question(self, asked: Asked, question: Question) -> Question:
        return question


class MemoryReply:
    """See bot.conversation.platform.Reply."""

    def __init__(self, platform: MemoryPlatform, asked: Asked) -> None:
        self._platform = platform
        self._asked = asked

    @property
    def _shown(self) -> Shown:
        return self._platform.shown.setdefault(self._asked.number, Shown())

    async def open(self) -> Mapping[str, str]:
        self._meet("open")
        self._shown.signs.append("open")
        return {"ts": f"ts{self._asked.number}"}

    async def resume(self) -> Mapping[str, str]:
        self._meet("resume")
        if "ts" in self._asked.handle or self._shown.signs:
            return {"ts": f"ts{self._asked.number}"}
        return await self.open()

    async def progress(self, progress: Progress) -> None:
        self._shown.signs.append(f"{progress.percent} %")

    async def write(self, written: Written) -> None:
        self._shown.signs.append(written.text)

    async def finish(self, answer: MaskedAnswer) -> bool:
        self._meet("finish")
        outcome = answer.outcome
        words = outcome.text if isinstance(outcome, Answer) else str(outcome)
        self._shown.signs.append("finish")
        self._shown.text = f"{words} {getattr(outcome, 'notice', '')}".strip()
        return False

    async def refuse(self, excess: Excess) -> None:
        self._meet("refuse")
        self._shown.signs.append(f"refuse {excess}")

    async def late(self) -> None:
        self._meet("late")
        self._shown.signs.append("late")

    async def withdraw(self) -> None:
        self._shown.gone = True

    def _meet(self, method: str) -> None:
        waiting = self._platform.faults.get(method)
        if waiting:
            raise waiting.pop(0)


def answer(text: str, *chunks: str) -> Answer:
    """An answer that cites these chunks."""
    cited = [
        Citation(n, "Handbook", "", "handbook.md", "docs", "d1", "", "", "", None, chunk)
        for n, chunk in enumerate(chunks, start=1)
    ]
    return Answer(text, tuple(cited), 0.8)


@dataclass
class ScriptedAnswers:
    """Answers by script. outcome: what a question gets. asked: all that were asked. going: set while one is answered.
    held: answers wait until it is set."""

    outcome: Callable[[Question], Outcome | Exception] = lambda question: answer(f"About: {question.text} [1]", "c1")
    asked: list[Question] = field(default_factory=list)
    going: asyncio.Event = field(default_factory=asyncio.Event)
    held: asyncio.Event | None = None
    masker: Masker = field(default_factory=Masker)

    async def stream(self, question: Question) -> AsyncIterator[Progress | Written | MaskedAnswer]:
        self.asked.append(question)
        yield Progress(self.masker.mask("Looking"), 30)
        self.going.set()
        if self.held is not None:
            await self.held.wait()
        outcome = self.outcome(question)
        if isinstance(outcome, Exception):
            raise outcome
        if isinstance(outcome, Answer):
            yield Written(self.masker.mask(outcome.text))
        yield masked_answer(replace(outcome), self.masker, question.text)
