"""A workspace of Slack, and the directory that the product keeps of its people."""

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from slack_sdk.web.async_client import AsyncWebClient

from bot.slack.client import SlackClient
from bot.slack.user_directory import SlackUserDirectory
from tests.fakes.slack import Channel, LocalSlack, User

DOMAIN = "example.com"


@dataclass
class Now:
    """A clock that a test moves."""

    seconds: float = 0.0

    def __call__(self) -> float:
        return self.seconds


@dataclass
class Office:
    """A workspace, and what the product knows of it."""

    slack: LocalSlack
    people: SlackUserDirectory
    now: Now = field(default_factory=Now)

    def asked(self) -> dict[str, int]:
        """How often each method was called since the last look."""
        methods = [call.method for call in self.slack.calls()]
        self.slack.world.calls.clear()
        return {name: methods.count(name) for name in sorted(set(methods))}

    async def readers(self, channel: str) -> tuple[str, str]:
        found = await self.people.audience(channel)
        return found.audience, found.reason


@asynccontextmanager
async def office(
    slack: LocalSlack, patience: float = 10.0, domains: tuple[str, ...] = (DOMAIN,)
) -> AsyncIterator[Office]:
    now = Now()
    web = AsyncWebClient(token=slack.bot_token, base_url=slack.base_url, retry_handlers=[])
    client = SlackClient(web, 5.0)
    found = SlackUserDirectory(
        client, frozenset({slack.workspace.id}), domains, {slack.bot}, patience=patience, clock=now
    )
    slack.keep_tiers()
    slack.heal()
    slack.world.calls.clear()
    try:
        yield Office(slack, found, now)
    finally:
        await found.close()


def somebody(slack: LocalSlack, name: str, **fields: Any) -> User:
    return slack.add_user(name, **{"email": f"{name}@{DOMAIN}", **fields})


def closed(slack: LocalSlack, name: str, people: Iterable[User]) -> Channel:
    """A channel that its members alone may open."""
    return slack.add_channel(name, people, is_private=True)
