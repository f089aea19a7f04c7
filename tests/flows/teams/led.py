"""Conversations on the local Teams, led in this process over a ledger in memory."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from bot.conversation.answer_job import ConversationOptions
from bot.conversation.chat_platform import ChatPlatform
from bot.conversation.service import ConversationService
from bot.teams.access_token import TeamsCredentials
from bot.teams.connector import TeamsConnector
from bot.teams.connector_session import ConnectorSession
from bot.teams.platform import TeamsPlatform
from bot.teams.reply_context import TeamsReplyContext
from domain.answers import Answer, Citation, Outcome, Question
from domain.conversation import Platform, QuestionLimits
from domain.masking import Masker
from tests.fakes.ledger import MemoryConversations
from tests.fakes.platform import ScriptedAnswers
from tests.fakes.platform import answer as scripted
from tests.fakes.teams import Conversation, LocalTeams, Message, Person, Said, local_teams
from tests.fakes.teams.received_questions import Strangers, talked

SAID = "Everybody has thirty days of vacation a year."
PATIENCE = 6.0


def cited(question: Question) -> Outcome:
    """An answer with a source."""
    found = scripted(f"{SAID} [1]\n\nAbout: {question.text} [1]", "c1")
    assert isinstance(found, Answer)
    (only,) = found.citations
    source: Citation = replace(only, url="https://wiki.example.com/handbook", quote="Thirty days a year.")
    return replace(found, citations=(source,))


def connected(teams: LocalTeams, patience: float = PATIENCE) -> TeamsConnector:
    """A connector to the local Teams."""
    credentials = TeamsCredentials(teams.app_id, teams.password, teams.token_url, again=0.0)
    return TeamsConnector(ConnectorSession(credentials, lambda url: url == teams.service_url), patience)


@dataclass
class Led:
    """A service that leads conversations on the local Teams."""

    teams: LocalTeams
    connector: TeamsConnector
    kept: MemoryConversations = field(default_factory=lambda: MemoryConversations(now=datetime.now(UTC)))
    answers: ScriptedAnswers = field(default_factory=lambda: ScriptedAnswers(cited))

    def __post_init__(self) -> None:
        self.shared = TeamsReplyContext(self.connector, edit_seconds=0.0, stream_seconds=0.0)
        self.ledger = self.kept.ledger()
        options = ConversationOptions(limits=QuestionLimits(), poll_seconds=0.05)
        platforms: dict[Platform, ChatPlatform] = {"teams": TeamsPlatform(self.shared, Strangers())}
        memory = self.kept.memory()
        self.service = ConversationService(self.ledger, memory, self.answers, Masker(), platforms, options)

    async def asked(self, said: Said) -> int:
        """Accepts a question, and shows the first sign."""
        claim = await self.service.receive(talked(said))
        await self.service.acknowledge(claim)
        return claim.number

    async def answered(self, person: Person, place: Conversation, text: str = "How many days?") -> list[Message]:
        """Asks, answers, and gives what is seen of the app then."""
        await self.answer(await self.asked(self.teams.say(person, place, text)))
        return self.teams.seen(place.id)

    async def answer(self, number: int) -> None:
        """Answers a question; what is spent then is gone."""
        await self.service.answer(number)
        await self.shared.deletions.finish(30.0)

    async def ending(self, number: int = 1) -> tuple[str, str | None]:
        """State and result of a question."""
        known = await self.ledger.find(number)
        assert known is not None
        return known.state, known.result

    def twice(self, number: int = 1) -> bool:
        """Whether it was recorded that the outcome may be seen twice."""
        return self.kept.questions[number].duplicate_possible


@asynccontextmanager
async def leading(*, limits: bool = False) -> AsyncIterator[Led]:
    """A local Teams, and a service. limits: whether Teams' rates are kept."""
    with local_teams() as teams:
        if not limits:
            teams.unlimited()
        led = Led(teams, connected(teams))
        try:
            yield led
        finally:
            await led.connector.close()
