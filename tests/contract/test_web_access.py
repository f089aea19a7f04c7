"""What the ports of domain.web_access promise, held against every implementation."""

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import pytest

from domain.conversation import ConversationPlace, Participant, RecordedOutcome
from domain.ledger import Ledger, Memory
from domain.web_access import ApiTokens, ShownReplies, WebSessions
from storage.open import open_storage
from storage.server.database import DatabaseOptions
from tests.contract.conversations import MANY, incoming
from tests.fakes.ledger import MemoryConversations
from tests.fakes.web_access import MemoryApiTokens, MemoryShownReplies, MemoryWebSessions

ADA = Participant("web", "ada@example.com")
PLACE = ConversationPlace("web", "", "c", private=True)
NOW = datetime.now(UTC)


@dataclass(frozen=True)
class WebAccess:
    """One implementation. ledger, memory: of the questions that replies belong to; None where they stand alone."""

    tokens: ApiTokens
    sessions: WebSessions
    replies: ShownReplies
    claimed: Callable[[], Awaitable[int]]
    ledger: Ledger | None = None
    memory: Memory | None = None


@pytest.fixture
async def access(place: DatabaseOptions | None) -> AsyncIterator[WebAccess]:
    """Each implementation in turn."""
    if place is None:
        ledger = MemoryConversations().ledger()
        known: set[int] = set()

        async def claim() -> int:
            number = (await ledger.claim(incoming(asker=ADA, place=PLACE), MANY)).number
            known.add(number)
            return number

        yield WebAccess(MemoryApiTokens(), MemoryWebSessions(), MemoryShownReplies(known=known), claim)
        return
    async with open_storage(place) as storage:
        kept = storage.ledger()

        async def claimed() -> int:
            return (await kept.claim(incoming(asker=ADA, place=PLACE), MANY)).number

        stores = storage.api_tokens(), storage.web_sessions(), storage.shown_replies()
        yield WebAccess(*stores, claimed, kept, storage.memory())


async def test_a_token_is_found_by_its_digest_until_it_is_revoked(access: WebAccess) -> None:
    scopes = frozenset({"ask", "search"})
    made = await access.tokens.add("demo", "ada@example.com", scopes, "kba_1", b"1" * 32, NOW + timedelta(days=1))  # type: ignore[arg-type] # a set of literals
    found = await access.tokens.find(b"1" * 32)
    assert found is not None
    assert (found.number, found.email, found.scopes) == (made.number, "ada@example.com", scopes)
    assert await access.tokens.find(b"2" * 32) is None
    (listed,) = await access.tokens.all()
    assert listed.used_at is not None, "that it was used is noted"
    assert await access.tokens.revoke(made.number)
    assert not await access.tokens.revoke(made.number), "once"
    assert await access.tokens.find(b"1" * 32) is None
    assert [each.number for each in await access.tokens.all()] == [made.number]


async def test_a_token_that_has_expired_opens_nothing(access: WebAccess) -> None:
    await access.tokens.add("old", "ada@example.com", frozenset({"ask"}), "kba_1", b"1" * 32, NOW - timedelta(days=1))
    assert await access.tokens.find(b"1" * 32) is None


async def test_a_session_is_somebodys_until_it_ends(access: WebAccess) -> None:
    await access.sessions.begin(b"1" * 32, "ada@example.com", 60)
    assert await access.sessions.person(b"1" * 32) == "ada@example.com"
    await access.sessions.begin(b"1" * 32, "eve@example.com", 60)
    assert await access.sessions.person(b"1" * 32) == "ada@example.com", "nobody takes another's over"
    await access.sessions.end(b"1" * 32)
    assert await access.sessions.person(b"1" * 32) is None


async def test_a_session_is_over_after_its_time(access: WebAccess) -> None:
    await access.sessions.begin(b"1" * 32, "ada@example.com", -1)
    assert await access.sessions.person(b"1" * 32) is None


async def test_the_latest_state_of_a_reply_counts(access: WebAccess) -> None:
    number = await access.claimed()
    assert await access.replies.newer({number: (-1, 0)}) == {}
    assert await access.replies.put(number, (1, 2), {"words": "two \x00"})
    assert not await access.replies.put(number, (1, 1), {"words": "one"}), "a late writer"
    assert not await access.replies.put(number, (1, 2), {"words": "again"})
    assert await access.replies.put(number, (2, 0), {"words": "another attempt"})
    assert await access.replies.newer({number: (1, 9)}) == {number: {"words": "another attempt"}}
    assert await access.replies.newer({number: (2, 0), 4711: (-1, 0)}) == {}
    await access.replies.remove(number)
    assert await access.replies.newer({number: (-1, 0)}) == {}


async def test_nothing_is_kept_of_a_question_that_is_not_there(access: WebAccess) -> None:
    assert not await access.replies.put(4711, (1, 1), {"words": "x"})


async def test_what_was_shown_is_forgotten_with_the_conversation(access: WebAccess) -> None:
    if access.ledger is None or access.memory is None:
        pytest.skip("in memory, replies know nothing of forgetting")
    number = await access.claimed()
    begun = await access.ledger.begin_attempt(number)
    assert begun is not None
    await access.replies.put(number, (1, 1), {"words": "x"})
    await access.ledger.close(number, 1, RecordedOutcome("not_found"))
    await access.memory.forget(ADA)
    assert await access.replies.newer({number: (-1, 0)}) == {}
    assert not await access.replies.put(number, (1, 2), {"words": "late"}), "nor is it written anew"
