"""A chat platform in memory, and answers by script."""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace

from domain.answers import Answer, Citation, Declined, Failed, NotFound, Outcome, Progress, Question, ReplyPart
from domain.conversation import AcceptedQuestion, ExceededLimit, Identity, Participant, ReplyAudience, Result, result_of
from domain.errors import KbError
from domain.masked_answer import MaskedAnswer, masked_answer
from domain.masking import MaskedText, Masker


@dataclass
class Shown:
    """What stands below one question. signs: what was shown, in order; `text` is the outcome's. standing: the messages
    that are there, each with what it shows. taken_back: those that were. outcomes: how it ended, by revision."""

    signs: list[str] = field(default_factory=list)
    text: str = ""
    standing: dict[str, str] = field(default_factory=dict)
    taken_back: list[str] = field(default_factory=list)
    outcomes: dict[int, Result] = field(default_factory=dict)

    @property
    def gone(self) -> bool:
        """Whether all was taken back."""
        return bool(self.taken_back) and not self.standing


@dataclass
class MemoryPlatform:
    """Shows replies by question number. identities: by person; those that are errors are raised. faults: errors that
    the next calls of a method of a reply raise. after: the same, once it is done. slow: by method, what is waited for
    when it is done. patience: of the replies, in order."""

    identities: dict[str, Identity | KbError] = field(default_factory=dict)
    readers: ReplyAudience | None = None
    shown: dict[int, Shown] = field(default_factory=dict)
    faults: dict[str, list[Exception]] = field(default_factory=dict)
    after: dict[str, list[Exception]] = field(default_factory=dict)
    slow: dict[str, asyncio.Event] = field(default_factory=dict)
    patience: list[float] = field(default_factory=list)
    told: list[tuple[str, str, str]] = field(default_factory=list)
    """What people were told, of whose question."""
    reached: defaultdict[str, asyncio.Event] = field(default_factory=lambda: defaultdict(asyncio.Event))
    """The steps of telling them: `identity of` each, `prepare_message`, `post`."""

    def reply(self, asked: AcceptedQuestion, patience: float) -> "MemoryReply":
        self.patience.append(patience)
        return MemoryReply(self, asked)

    async def identity(self, person: Participant) -> Identity:
        await self._step(f"identity of {person.id}")
        found = self.identities.get(person.id, Identity(f"{person.id}@example.com", member=True))
        if isinstance(found, KbError):
            raise found
        return found

    async def find_person(self, address: str, asked: AcceptedQuestion) -> Participant | None:
        """Whoever has that address among `identities`."""
        for name, found in self.identities.items():
            if isinstance(found, Identity) and found.email == address and found.member:
                return Participant("slack", name, asked.asker.workspace)
        return None

    async def prepare_message(
        self, person: Participant, words: MaskedText, asked: AcceptedQuestion
    ) -> Callable[[], Awaitable[None]]:
        await self._step("prepare_message")

        async def post() -> None:
            await self._step("post", (person.id, words.text, asked.asker.id))

        return post

    async def _step(self, name: str, *told: tuple[str, str, str]) -> None:
        for error in self.faults.get(name, []):
            raise error
        self.told += told
        self.reached[name].set()
        if name in self.slow:
            await self.slow[name].wait()

    async def audience(self, asked: AcceptedQuestion, *, since: float | None = None) -> ReplyAudience:
        return self.readers or ReplyAudience(asked.audience)

    def narrowed_question(self, asked: AcceptedQuestion, question: Question) -> Question:
        return question


class MemoryReply:
    """See bot.conversation.chat_platform.ReplyChannel."""

    def __init__(self, platform: MemoryPlatform, asked: AcceptedQuestion) -> None:
        self._platform = platform
        self._asked = asked
        self._ts = asked.handle.get("ts", "")

    @property
    def _shown(self) -> Shown:
        return self._platform.shown.setdefault(self._asked.number, Shown())

    async def open(self) -> Mapping[str, str]:
        self._meet("open")
        self._shown.signs.append("open")
        await self._post("reading")
        await self._done("open")
        return {"ts": self._ts}

    async def resume(self) -> Mapping[str, str]:
        self._meet("resume")
        if not self._ts and not self._shown.standing:
            return await self.open()
        self._ts = self._ts or next(iter(self._shown.standing))
        await self._done("resume")
        return {"ts": self._ts}

    async def outcome(self) -> Result | None:
        self._meet("outcome")
        return self._shown.outcomes.get(self._asked.revision)

    async def progress(self, progress: Progress) -> None:
        self._shown.signs.append(f"{progress.percent} %")
        await self._post(f"{progress.percent} %")
        self._shown.outcomes.pop(self._asked.revision, None)

    async def write(self, written: ReplyPart) -> None:
        self._shown.signs.append(written.text)

    async def finish(self, answer: MaskedAnswer) -> bool:
        outcome = answer.outcome
        text = f"{_words(outcome)} {getattr(outcome, 'notice', '')}".strip()
        return await self._end("finish", "finish", text, result_of(outcome))

    def correctable(self) -> Mapping[str, str]:
        return {"ts": self._ts} if self._ts else {}

    async def correct(self, answer: MaskedAnswer) -> bool:
        self._meet("correct")
        if not self._shown.standing:
            return False
        await self.finish(answer)
        return True

    async def refuse(self, excess: ExceededLimit) -> bool:
        return await self._end("refuse", f"refuse {excess}", "busy", "busy")

    async def late(self) -> bool:
        return await self._end("late", "late", "late", "late")

    async def withdraw(self, kept: Mapping[str, str] | None = None) -> None:
        if (kept or {}).get("ts") == self._ts:
            return
        shown = self._shown
        for ts in [each for each in shown.standing if each == self._ts]:
            del shown.standing[ts]
            shown.taken_back.append(ts)

    async def _end(self, method: str, sign: str, text: str, result: Result) -> bool:
        self._meet(method)
        self._shown.signs.append(sign)
        self._shown.text = text
        self._shown.outcomes[self._asked.revision] = result
        await self._post(text)
        await self._done(method)
        return False

    async def _post(self, text: str) -> None:
        """Shows it in the place of what was there, or anew where that is gone."""
        shown = self._shown
        if self._ts not in shown.standing:
            self._ts = f"{self._asked.number}.{len(shown.standing) + len(shown.taken_back)}"
        shown.standing[self._ts] = text

    def _meet(self, method: str) -> None:
        waiting = self._platform.faults.get(method)
        if waiting:
            raise waiting.pop(0)

    async def _done(self, method: str) -> None:
        if method in self._platform.slow:
            await self._platform.slow.pop(method).wait()
        waiting = self._platform.after.get(method)
        if waiting:
            raise waiting.pop(0)


def _words(outcome: Outcome) -> str:
    match outcome:
        case Answer():
            return outcome.text
        case NotFound():
            return outcome.searched
        case Declined():
            return outcome.reason
        case Failed():
            return outcome.words


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
    held: answers wait until it is set. later: whether there is more progress then. begun: what is written of a reply
    before its outcome."""

    outcome: Callable[[Question], Outcome | Exception] = lambda question: answer(f"About: {question.text} [1]", "c1")
    asked: list[Question] = field(default_factory=list)
    going: asyncio.Event = field(default_factory=asyncio.Event)
    held: asyncio.Event | None = None
    later: bool = False
    begun: str = ""
    masker: Masker = field(default_factory=Masker)

    async def stream(self, question: Question) -> AsyncIterator[Progress | ReplyPart | MaskedAnswer]:
        self.asked.append(question)
        yield Progress(self.masker.mask("Looking"), 30)
        self.going.set()
        if self.held is not None:
            await self.held.wait()
        if self.later:
            yield Progress(self.masker.mask("Writing"), 90)
        if self.begun:
            yield ReplyPart(self.masker.mask(self.begun))
        outcome = self.outcome(question)
        if isinstance(outcome, Exception):
            raise outcome
        if isinstance(outcome, Answer):
            yield ReplyPart(self.masker.mask(outcome.text))
        yield masked_answer(replace(outcome), self.masker, question.text)
