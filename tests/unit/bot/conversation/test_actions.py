"""What people do beside asking."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

import pytest

from agent.rights import RightsCheck
from bot.conversation.actions import ALL_SOURCES, ConversationActions, SourceSummary
from bot.conversation.texts import NO_REPLY_TO_RATE, THANKS
from bot.slack.views import passage_view
from bot.teams.card_templates import passage_card
from domain.access import Scope, user
from domain.answers import Turn
from domain.conversation import (
    CitedPassage,
    ConversationPlace,
    Identity,
    Incoming,
    MessageKey,
    Participant,
    QuestionLimits,
    RecordedOutcome,
)
from domain.errors import KbError, Refused, Transient
from domain.masking import Masker
from domain.search import Filters, Passage
from domain.search_ports import NO_PATHS
from domain.tool_ports import SourceAccess
from tests.fakes.audit import MemoryAuditLog
from tests.fakes.ledger import MemoryConversations
from tests.fakes.masking import github_token
from tests.fakes.passages import passage
from tests.fakes.platform import MemoryPlatform

ANN, ROOT, GUEST = (Participant("slack", name) for name in ("ann", "root", "guest"))
IDENTITIES: dict[str, Identity | KbError] = {
    "ann": Identity("ann@example.com", member=True),
    "root": Identity("root@example.com", member=True),
    "guest": Identity("root@example.com", member=False),
    "lost": Transient("Slack is away"),
}


@dataclass
class Search:
    """Passages that ann alone may read. asked: the scopes that were asked with."""

    found: list[Passage]
    asked: list[Scope] = field(default_factory=list)

    async def passages(self, chunk_ids: Sequence[str], scope: Scope, *, neighbours: int = 0) -> list[Passage]:
        self.asked.append(scope)
        return [each for each in self.found if each.chunk_id in chunk_ids and user("ann@example.com") in scope.asker]

    async def readable(
        self, passages: Mapping[str, str], scope: Scope, *, paths: Mapping[str, str] = NO_PATHS
    ) -> dict[str, str]:
        self.asked.append(scope)
        return {each.chunk_id: "7" for each in self.found if each.chunk_id in passages}

    async def count_documents(self, scope: Scope, filters: Filters) -> int:
        self.asked.append(scope)
        return 2 if user("ann@example.com") in scope.asker and filters.sources == ("docs",) else 0


SECRET = replace(passage(f"The key is {github_token()}."), chunk_id="c1")


class Facts:
    async def sources(self) -> list[SourceSummary]:
        read = datetime(2026, 1, 1, tzinfo=UTC)
        return [SourceSummary("docs", 3, read), SourceSummary("payroll", 5, read)]


NOBODY_TO_ASK: Any = None
"""None of these tests asks an owner."""


@dataclass
class Office:
    """A desk over memory, with one answered question of ann's."""

    kept: MemoryConversations = field(default_factory=MemoryConversations)
    search: Search = field(default_factory=lambda: Search([SECRET]))
    sources: Sequence[SourceAccess] = ()
    audit: MemoryAuditLog = field(default_factory=MemoryAuditLog)

    def __post_init__(self) -> None:
        platforms: Any = {"slack": MemoryPlatform(dict(IDENTITIES))}
        self.desk = ConversationActions(
            self.kept.ledger(),
            self.kept.memory(),
            self.kept.feedback(),
            self.kept.jobs,
            self.search,  # type: ignore[arg-type] # a part of it
            Facts().sources,
            Masker(),
            platforms,
            rights=lambda scope: RightsCheck(self.search, self.sources, scope),  # type: ignore[arg-type] # as above
            audit=self.audit,
            owner_questions=NOBODY_TO_ASK,
            admins=frozenset({"root@example.com"}),
        )

    async def answered(self) -> int:
        ledger = self.kept.ledger()
        place = ConversationPlace("slack", "T", "C", "1")
        asked = Incoming(MessageKey("slack", "C", "1"), place, ANN, "How?", "organisation")
        number = (await ledger.claim(asked, QuestionLimits())).number
        begun = await ledger.begin_attempt(number)
        assert begun is not None
        ending = RecordedOutcome("answered", Turn("How?", "So. [1]"), (CitedPassage(1, "c1"),))
        assert await ledger.close(number, begun.attempt, ending)
        return number


async def test_a_cited_passage_is_shown_masked_to_who_may_read_it() -> None:
    office = Office()
    number = await office.answered()
    shown = await office.desk.passage(number, 1, ANN)
    assert shown is not None
    assert shown.text == "The key is [masked: github token]."
    assert set(office.search.asked) == {Scope.member("ann@example.com")}, "with the rights of who looks, now"


@pytest.mark.parametrize("injection", ["", "an order to ignore instructions"])
async def test_a_passage_with_text_to_machines_is_shown_with_a_warning(injection: str) -> None:
    office = Office(search=Search([replace(SECRET, injection=injection)]))
    shown = await office.desk.passage(await office.answered(), 1, ANN)
    assert shown is not None
    cards = json.dumps([passage_view(shown), passage_card(shown)])
    assert cards.count("do not follow it") == (2 if injection else 0)


@dataclass
class Site(SourceAccess):
    """A source that admits nobody any more."""

    async def sources(self) -> frozenset[str]:
        return frozenset({SECRET.source})

    async def admits(self, source: str, name: str, scope: Scope) -> bool:
        return False


async def test_a_passage_that_is_closed_at_its_source_is_not_shown() -> None:
    page = replace(SECRET, url="https://wiki.example.com/1")
    office = Office(search=Search([page]), sources=[Site()])
    assert await office.desk.passage(await office.answered(), 1, ANN) is None
    assert await Office(search=Search([page])).desk.passage(1, 1, ANN) is None, "of an unknown question"


@pytest.mark.parametrize("person", [ROOT, GUEST, Participant("slack", "lost")])
async def test_others_see_nothing_of_it(person: Participant) -> None:
    office = Office()
    assert await office.desk.passage(await office.answered(), 1, person) is None


async def test_an_unknown_question_or_reference_is_nothing() -> None:
    office = Office()
    number = await office.answered()
    assert await office.desk.passage(number, 2, ANN) is None
    assert await office.desk.passage(number + 1, 1, ANN) is None
    assert not office.search.asked


async def test_a_vote_and_why_it_is_given_masked() -> None:
    office, token = Office(), github_token()
    number = await office.answered()
    assert await office.desk.rate(number, ANN, 1)
    assert await office.desk.rate(number, ANN, -1, f"It shows {token}")
    (vote,) = office.kept.votes.values()
    assert (vote.value, vote.reason) == (-1, "It shows [masked: github token]")
    assert await office.desk.rate(number, ANN, -1) is False, "she said so before"
    assert await office.desk.rate(number + 1, ANN, 1) is None


async def test_the_last_reply_can_be_judged_by_who_got_it_where_they_got_it() -> None:
    office = Office()
    number = await office.answered()
    assert await office.desk.rate_typed("bad wrong", ANN, "C") == (THANKS, number)
    assert await office.desk.rate_typed("bad still wrong", ANN, "C") == (THANKS, 0), "the owner was offered before"
    assert await office.desk.rate_typed("good", ANN, "C") == (THANKS, 0)
    for person, channel in ((ROOT, "C"), (ANN, "D")):
        assert await office.desk.rate_typed("good", person, channel) == (NO_REPLY_TO_RATE, 0)
    assert await office.desk.rate_typed("so so", ANN, "C") is None


async def test_sources_are_for_members() -> None:
    desk = Office().desk
    assert [(row.name, row.documents) for row in await desk.sources(ANN)] == [("docs", 2)], "what she may read alone"
    assert not await desk.sources(GUEST)
    assert not await desk.sources(Participant("slack", "lost"))


async def test_who_may_start_indexing() -> None:
    desk = Office().desk
    assert [await desk.administers(each) for each in (ROOT, ANN, GUEST)] == [True, False, False]


async def test_indexing_is_queued_once_for_administrators() -> None:
    office = Office()
    assert await office.desk.reindex(ALL_SOURCES, ROOT, "D1")
    assert not await office.desk.reindex(ALL_SOURCES, ROOT, "D1"), "it waits already"
    assert await office.desk.reindex("docs", ROOT, "D1")
    with pytest.raises(Refused, match="Only an administrator"):
        await office.desk.reindex("docs", ANN, "D1")
    with pytest.raises(Refused, match="no source other"):
        await office.desk.reindex("other", ROOT, "D1")
    assert len(office.kept.jobs.jobs) == 2
