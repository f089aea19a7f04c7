"""Many questions at one moment in many conversations, and how each of them ended."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from bot.conversation.answer_job import ConversationOptions
from bot.conversation.background_tasks import BackgroundTasks
from bot.conversation.chat_platform import ChatPlatform
from bot.conversation.service import ConversationService
from bot.teams.platform import TeamsPlatform
from bot.teams.reply_context import TeamsReplyContext
from domain.answers import Progress, Question, ReplyPart
from domain.conversation import Platform, QuestionLimits
from domain.job_ports import WorkerOptions
from domain.masked_answer import MaskedAnswer
from domain.masking import Masker
from storage.open import Storage
from tests.fakes.platform import ScriptedAnswers
from tests.fakes.teams import Conversation, LocalTeams, Message, Person, Said
from tests.fakes.teams.received_questions import Strangers, talked
from tests.fakes.worker import working
from tests.flows.teams.led import cited, connected


@dataclass(frozen=True)
class Burst:
    """What came of it, by conversation where it is a mapping.

    taken: seconds until each question was accepted. signs: seconds to the first sign of each question. ended: seconds
    until a conversation held its last outcome. seconds: to the last of all. outcomes: how many are seen. left: signs
    that still stand there. refused: how often Teams said that it was called too often. calls: of all kinds.
    """

    taken: list[float]
    signs: list[float]
    ended: dict[str, float]
    seconds: float
    outcomes: dict[str, int]
    left: int
    refused: int
    calls: int


@dataclass
class Slow(ScriptedAnswers):
    """Answers that take a while. seconds: each."""

    seconds: float = 0.2

    async def stream(self, question: Question) -> AsyncIterator[Progress | ReplyPart | MaskedAnswer]:
        await asyncio.sleep(self.seconds)
        async for event in super().stream(question):
            yield event


@dataclass
class Served:
    """A service over a database, and its worker."""

    storage: Storage
    teams: LocalTeams
    seconds: float
    concurrency: int
    service: ConversationService = field(init=False)
    background: BackgroundTasks = field(default_factory=BackgroundTasks)

    @asynccontextmanager
    async def serving(self) -> AsyncIterator[None]:
        """Inside, questions are answered."""
        connector = connected(self.teams, patience=60.0)
        platforms: dict[Platform, ChatPlatform] = {"teams": TeamsPlatform(TeamsReplyContext(connector), Strangers())}
        limits = QuestionLimits(user_minute=1000, channel_minute=1000, waiting=1000)
        self.service = ConversationService(
            self.storage.ledger(),
            self.storage.memory(),
            Slow(cited, seconds=self.seconds),
            Masker(),
            platforms,
            ConversationOptions(limits=limits),
        )

        async def answer(arguments: object) -> None:
            assert isinstance(arguments, dict)
            await self.service.answer(int(str(arguments["number"])))

        options = WorkerOptions(("teams",), concurrency=self.concurrency, lost=60.0)
        try:
            async with working(self.storage.job_queue(), {"answer": answer}, options):
                yield
        finally:
            await self.background.finish(10.0)
            await connector.close()

    async def ask(self, said: Said) -> None:
        """What a request does with a question."""
        incoming = talked(said)
        self.background.start(self.service.acknowledge(await self.service.receive(incoming)))


def places(teams: LocalTeams, count: int) -> list[tuple[Person, Conversation]]:
    """So many conversations of all kinds, each with a person."""
    found = []
    for number in range(count):
        person = teams.add_person(f"p{number}")
        made = (teams.personal(person), None, None)[number % 3]
        if made is None:
            made = teams.add_group([person]) if number % 3 == 1 else teams.add_channel("general", [person])
        found.append((person, made))
    return found


async def ask_at_once(
    teams: LocalTeams,
    ask: Callable[[Said], Awaitable[object]],
    there: list[tuple[Person, Conversation]],
    count: int,
    patience: float,
) -> Burst:
    """Asks so many questions at one moment, in turn in these conversations, and waits for an outcome of each.

    ask: delivers what was said.
    """
    text = "How many days of vacation has team {}?"
    every = [teams.say(*there[number % len(there)], text.format(number)) for number in range(count)]
    before, began = len(teams.calls()), time.monotonic()

    async def taken(said: Said) -> float:
        await ask(said)
        return time.monotonic() - began

    asking = asyncio.gather(*map(taken, every))
    ended: dict[str, float] = {}
    wanted = {place.id: count // len(there) + (at < count % len(there)) for at, (_, place) in enumerate(there)}

    def over() -> bool:
        now = time.monotonic() - began
        for place, number in wanted.items():
            if place not in ended and _outcomes(teams, place) >= number:
                ended[place] = now
        return len(ended) == len(wanted)

    await teams.eventually(over, patience)
    calls = teams.calls()[before:]
    signs = sorted(call.at - began for call in calls if call.ok and call.operation in {"send", "stream"})
    return Burst(
        taken=await asking,
        signs=signs[:count],
        ended=ended,
        seconds=max(ended.values()),
        outcomes={place: _outcomes(teams, place) for place in wanted},
        left=sum(map(_is_sign, (each for place in wanted for each in teams.seen(place)))),
        refused=sum(call.status == 429 for call in calls),
        calls=len(calls),
    )


def _outcomes(teams: LocalTeams, place: str) -> int:
    return sum(not _is_sign(each) and not _greets(each) for each in teams.seen(place))


def _is_sign(message: Message) -> bool:
    return message.stream == "live" or message.text.startswith("⏳")


def _greets(message: Message) -> bool:
    return message.text.startswith("Hello!")
