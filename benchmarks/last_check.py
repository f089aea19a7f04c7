"""The last check of rights, right before a reply is shown: of the twelve passages that it is made from."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from time import monotonic

from slack_sdk.web.async_client import AsyncWebClient

from agent.rights import RightsCheck
from benchmarks.measuring import spread_with_max, timed
from bot.app.product import Product
from bot.slack.client import SlackClient
from bot.slack.user_directory import SlackUserDirectory
from domain.access import Scope
from domain.answers import Readers
from domain.conversation import Identity, scope_of
from domain.scope_reason import UNRESTRICTED, ScopeReason
from domain.search import Passage
from tests.fakes.slack import local_slack

PASSAGES, PEOPLE = 12, 8


class ChannelReaders(Readers):
    """Who reads a channel of Slack. identity: of who asks there."""

    def __init__(self, people: SlackUserDirectory, channel: str, identity: Identity) -> None:
        self._people = people
        self._channel = channel
        self._identity = identity

    async def now(self, *, max_age: float = 0.0) -> tuple[Scope, ScopeReason]:
        """See domain.answers.Readers."""
        found = await self._people.audience(self._channel, since=monotonic() - max_age)
        assert not found.reason, found
        return scope_of(self._identity, found.audience, ()), UNRESTRICTED


@asynccontextmanager
async def a_channel(email: str) -> AsyncIterator[Readers]:
    """Of so many people on a local Slack, over loopback."""
    with local_slack() as slack:
        members = [slack.add_user(f"user{n}", email=f"user{n}@example.com") for n in range(PEOPLE)]
        channel = slack.add_channel("general", members).id
        web = AsyncWebClient(token=slack.bot_token, base_url=slack.base_url, retry_handlers=[])
        people = SlackUserDirectory(SlackClient(web, 5.0), frozenset({slack.workspace.id}), own={slack.bot})
        yield ChannelReaders(people, channel, Identity(email, member=True))


async def last_check(product: Product, question: str, email: str, times: int) -> dict[str, object]:
    """Milliseconds of so many checks for who reads alone, and in a channel, whose readers Slack is asked for each
    time. email: who asks. No source is asked; that has a limit of its own.

    Raises AssertionError where who asks may not read something; what others in the channel may not read is counted.
    """
    found = (await product.retriever.rank(question, Scope.member(email), limit=PASSAGES)).ranked
    passages = await product.retriever.passages(found, Scope.member(email))
    alone, closed = await _measured(product, passages, email, None, times)
    assert not closed, closed
    async with a_channel(email) as readers:
        in_a_channel, closed = await _measured(product, passages, email, readers, times)
    return {
        "passages": len(passages),
        "alone_ms": spread_with_max(alone, 1),
        "in_a_channel_ms": spread_with_max(in_a_channel, 1),
        "closed_in_a_channel": len(closed),
    }


async def _measured(
    product: Product, passages: Sequence[Passage], email: str, readers: Readers | None, times: int
) -> tuple[list[float], frozenset[str]]:
    """Milliseconds of each check, of an answer of its own, the first one left out; and what is closed."""
    found = []
    for _ in range(times + 1):
        check = RightsCheck(product.search, (), Scope.member(email), readers=readers)
        found.append(await timed(check.closed(passages, passages)))
    return [ms for ms, _ in found[1:]], found[-1][1]
