"""The agent over a small index in memory and a model behind real HTTP."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from agent.options import AgentOptions
from agent.prompts import analyze, check, grade, hypothesis, plan, synthesize
from agent.providers.breaker import Breaking
from agent.providers.openai import ChatEndpoint, open_chat_model
from agent.reasoners.model.factory import ModelOptions, ModelReasonerFactory, open_model_reasoners
from agent.reasoners.offline.factory import OfflineReasonerFactory
from agent.retrieval.retriever import RetrievalOptions, Retriever
from agent.service import AnswerService, ReasonerFactory
from agent.tools.registry import ToolSources
from domain.access import Acl, Scope, user
from domain.answers import Answer, Outcome, Overrides, Progress, Question, ReplyPart
from domain.masked_answer import MaskedAnswer
from domain.masking import Masker
from domain.model_ports import ReplyCache, Reranker
from domain.tool_ports import LiveSource
from tests.fakes.document_catalog import MemoryGrep, MemoryLibrary
from tests.fakes.documents import a_document, put
from tests.fakes.embedder import HashEmbedder
from tests.fakes.embeddings_server import KEY
from tests.fakes.knowledge import MemoryKnowledge
from tests.fakes.model_rules import purpose
from tests.fakes.model_server import CHAT_MODEL, SMALL_MODEL, ModelServer, Rule
from tests.fakes.replies import MemoryReplies

EMBEDDER = HashEmbedder(256)
MEMBER = Scope.member()
ADA, BOB, EVE = (Scope.member(f"{name}@tidewell.example") for name in ("ada", "bob", "eve"))
TWO = Acl.any_of(user("ada@tidewell.example"), user("eve@tidewell.example"))
"""Of what Ada and Eve may read, and Bob may not."""

OPTIONS = AgentOptions(min_relevance=0.12)  # cosines of this embedder are lower than those of a model
NARROW = replace(OPTIONS, top_k=2)
"""So few passages a search that a chain of two pages takes two of them."""

PROMPTS = [each.VERSION for each in (analyze, check, grade, hypothesis, plan, synthesize)] + [
    "You prepare the search",
    "You answer a question",
    "Text between the markers",
    "====",
]

PAGES = {
    "boiler": "The boiler in the plant room is serviced every March. Its pressure is checked weekly.",
    "lantern": "The Lantern service draws maps. It is the work of the Harbour Crew, and nobody else touches it.",
    "crew": (
        "Mira Holt leads the people of the Harbour Crew. She joined from the dockyard, where ships were mended for"
        " sixty years until it had to close. Nobody else in the company has worked there."
    ),
    "parking": "Visitors park their cars on level two of the garage. The barrier opens with a code.",
    "toner": "Printers take black toner, which lies in the cupboard on floor three.",
    "ticket": "OPS-123 is about the broken barrier of the garage. Its state is waiting for a spare part.",
    "vacation": "Leads approve vacation for their people, and people ask their leads.",
    "lunch": "Lunch is served in the canteen between noon and two. Soup costs nothing on Mondays.",
    "vpn": "The VPN needs a security key. Certificates expire after ninety days and are renewed by mail.",
    "pump": "The impeller of the pump is changed every two years by the maintenance crew of the plant.",
}

BOILER = "When is the boiler in the plant room serviced?"
LEADER = "Who leads the people that draw the maps of the Lantern service?"
"""Its answer stands in two pages: what the first one names leads to the second."""


async def knowledge_of(pages: dict[str, str], acls: dict[str, Acl] | None = None) -> MemoryKnowledge:
    """An index of pages, by name. acls: of those that not everybody in the organisation may read."""
    knowledge = MemoryKnowledge(EMBEDDER.identity)
    for name, text in pages.items():
        title = name.capitalize()
        own = (acls or {}).get(name)
        document = a_document(name, title=title) if own is None else a_document(name, title=title, acl=own)
        await put(knowledge, EMBEDDER, document, text)
    return knowledge


@dataclass(frozen=True)
class Told:
    """What a question led to. events: all but the outcome."""

    events: tuple[Progress | ReplyPart, ...]
    outcome: Outcome

    @property
    def written(self) -> str:
        """The parts put together."""
        return "".join(event.text for event in self.events if isinstance(event, ReplyPart))

    @property
    def answer(self) -> Answer:
        """The outcome, which must be an answer."""
        assert isinstance(self.outcome, Answer), self.outcome
        return self.outcome

    @property
    def reasoning(self) -> str:
        """The lines of the trace."""
        return "\n".join(self.outcome.trace.reasoning)


@dataclass(frozen=True)
class ModelAgent:
    """The service, and what it works on."""

    service: AnswerService
    server: ModelServer

    async def ask(self, question: str | Question, scope: Scope = MEMBER, **overrides: Any) -> Told:
        """Everything that a question leads to."""
        asked = Question(question, scope) if isinstance(question, str) else question
        asked = replace(asked, overrides=Overrides(**overrides)) if overrides else asked
        events = [event async for event in self.service.stream(asked)]
        *before, last = events
        assert isinstance(last, MaskedAnswer)
        parts = tuple(event for event in before if isinstance(event, Progress | ReplyPart))
        assert len(parts) == len(before), "there is one outcome"
        return Told(parts, last.outcome)

    @property
    def purposes(self) -> list[str]:
        """Which prompts came in, in order."""
        return [purpose(asked.body) for asked in self.server.requests]

    def bodies(self, name: str) -> list[Any]:
        """The requests of one purpose."""
        return [asked.body for asked in self.server.requests if purpose(asked.body) == name]

    @property
    def sent(self) -> str:
        """All that went out to the model."""
        return "\n".join(json.dumps(asked.body, ensure_ascii=False) for asked in self.server.requests)


@asynccontextmanager
async def model_agent(
    server: ModelServer,
    knowledge: MemoryKnowledge,
    *,
    options: AgentOptions = OPTIONS,
    cache: ReplyCache | None = None,
    web: LiveSource | None = None,
    reranker: Reranker | None = None,
    seconds: float = 5.0,
    patience: float = 2.0,
    pause: float = 30.0,
    small_model: str = SMALL_MODEL,
) -> AsyncIterator[ModelAgent]:
    """The agent with the model at `server`. seconds: for one reply. patience: see ModelOptions. pause: seconds for
    which a server that keeps failing is left alone."""
    # the scripted chains need that a first search misses their second page: by the plain sum it does
    retriever = Retriever(knowledge, EMBEDDER, RetrievalOptions(fusion="normalised"))
    offline = OfflineReasonerFactory(retriever, EMBEDDER)
    sources = ToolSources(
        search=knowledge,
        retriever=retriever,
        embedder=EMBEDDER,
        document_catalog=MemoryLibrary(knowledge),
        grep=MemoryGrep(knowledge),
        web=web,
        reranker=reranker,
    )
    wanted = ModelOptions(ChatEndpoint(server.base_url, KEY, CHAT_MODEL, small_model, seconds), patience)
    async with _mind(wanted, offline, cache, pause) as mind:
        yield ModelAgent(
            AnswerService(sources, ReasonerFactory(mind.open, needs_view=cache is not None), options), server
        )


@asynccontextmanager
async def _mind(
    wanted: ModelOptions, offline: OfflineReasonerFactory, cache: ReplyCache | None, pause: float
) -> AsyncIterator[ModelReasonerFactory]:
    """As the product opens it, but for a breaker that is patient for `pause` seconds."""
    if pause == 30.0:
        async with open_model_reasoners(wanted, offline, cache, Masker()) as mind:
            yield mind
        return
    async with open_chat_model(wanted.endpoint) as chat:
        yield ModelReasonerFactory(Breaking(chat, pause=pause), wanted, offline, cache, Masker())


def a_cache() -> MemoryReplies:
    """One that keeps all that a test puts into it."""
    return MemoryReplies(1_000, timedelta(days=1), lambda: datetime.now(UTC))


def spilled(text: str) -> list[str]:
    """What of a key, a prompt or a traceback a text holds."""
    return [word for word in (KEY, "Bearer", "Traceback", *PROMPTS) if word in text]


async def ask_under(server: ModelServer, *rules: Rule, question: str = BOILER, **options: Any) -> Told:
    """Asks under some rules before those of the server, and checks what holds of every outcome. Without other `options`
    (see model_agent) no second try is made: every pause is longer than the patience."""
    server.rules[:0] = rules
    quick = {"seconds": 1.0, "patience": 0.1}
    async with model_agent(server, await knowledge_of(PAGES), **{**quick, **options}) as agent:
        told = await agent.ask(question)
    assert not spilled(repr(told))
    assert told.outcome.trace.model_calls == len(server.requests) <= 12
    if isinstance(told.outcome, Answer):
        assert told.written == told.outcome.text
        assert told.outcome.citations
    return told
