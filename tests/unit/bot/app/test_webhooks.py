"""Deliveries: who is turned away, and what work is queued."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from bot.app.webhooks import (
    DELIVERIES,
    LONGEST_BURST,
    MAX_HINTS,
    QUIET,
    SignedSource,
    Webhooks,
    gather_burst,
    runs_of,
    signed_sources,
)
from config.load import load
from domain.errors import Refused
from indexer.run.dependencies import RunOptions
from indexer.sources.jira.webhook import WEBHOOK
from storage.index.sources import Source
from tests.attacks.requests_http import sign
from tests.fakes.ledger import MemoryConversations

DESK = Source("desk", "jira", {"webhook_secret_env": "HOOK"})
SECRET = "a long secret"
JIRA = WEBHOOK


class Hooks:
    """One source that takes webhooks. read: how often it was asked for. now: seconds."""

    def __init__(self) -> None:
        self.kept = MemoryConversations()
        self.read = 0
        self.now = 0.0
        self.webhooks = Webhooks(self._hooks, self.kept.jobs, lambda: self.now)

    async def _hooks(self) -> Mapping[str, SignedSource]:
        self.read += 1
        return {"desk": SignedSource(DESK, JIRA, SECRET)}

    async def send(self, number: object = "10001", *, name: str = "desk", identifier: str = "", **more: Any) -> int:
        body = json.dumps({"webhookEvent": "jira:issue_updated", "issue": {"id": number}}).encode()
        signature = more.get("signature", sign(body, SECRET))
        headers = {"X-Hub-Signature": signature, JIRA.delivery_header: identifier}
        return await self.webhooks.taken(name, body, {key: value for key, value in headers.items() if value})

    @property
    def waiting(self) -> list[dict[str, object]]:
        return [dict(each.arguments) for each in self.kept.jobs.jobs if each.state == "waiting"]


async def test_a_signed_delivery_queues_the_document() -> None:
    hooks = Hooks()
    assert await hooks.send() == 202
    assert hooks.waiting == [{"source": "desk", "name": "issue:10001"}]


async def test_who_has_not_signed_learns_nothing() -> None:
    hooks = Hooks()
    assert await hooks.send(signature=sign(b"other")) == 401
    assert await hooks.send(signature=None) == 401
    assert await hooks.send(name="wiki") == 401
    assert await hooks.send(name="wiki", signature=None) == 401
    assert hooks.waiting == []
    assert hooks.read == 1, "who has not signed costs no query each time"


async def test_a_flood_becomes_one_reading_of_what_changed() -> None:
    hooks = Hooks()
    for number in range(MAX_HINTS + 30):
        assert await hooks.send(str(20_000 + number)) == 202
    *hints, last = hooks.waiting
    assert len(hints) == MAX_HINTS
    assert set(last) == {"source", "since"}
    assert datetime.now(UTC) - datetime.fromisoformat(str(last["since"])) < timedelta(minutes=5)
    assert {job.priority for job in hooks.kept.jobs.jobs} == {-1}


async def test_a_burst_is_gathered_until_no_more_hints_come() -> None:
    hooks, slept = Hooks(), list[float]()

    async def sleep(seconds: float) -> None:
        """Thirty further hints come in each of the first three waits."""
        slept.append(seconds)
        for number in range(30 if len(slept) <= 3 else 0):
            await hooks.send(str(1_000 * len(slept) + number))

    assert await hooks.send("7") == 202
    (first,) = await hooks.kept.jobs.take_waiting("refetch", lock_key="source:desk")
    found = await gather_burst(hooks.kept.jobs, first, sleep)
    assert len({each["name"] for each in found}) == len(found) == 91
    assert found[0] == first
    assert hooks.waiting == []
    assert slept == [QUIET] * 4


async def test_hints_without_an_end_are_read_all_the_same() -> None:
    hooks, sent = Hooks(), iter(range(1_000))

    async def sleep(_seconds: float) -> None:
        await hooks.send(str(20_000 + next(sent)))

    first = {"source": "desk", "name": "issue:1"}
    assert len(await gather_burst(hooks.kept.jobs, first, sleep)) == 1 + round(LONGEST_BURST / QUIET)


def test_a_burst_reads_what_it_names_and_all_since_the_earliest_of_its_moments() -> None:
    named: list[dict[str, object]] = [{"source": "desk", "name": name} for name in ("issue:2", "issue:1", "issue:2")]
    by_name = RunOptions(names=("issue:2", "issue:1"))
    assert runs_of(named) == [by_name]
    moments = [datetime(2026, 3, day, tzinfo=UTC) for day in (4, 2, 3)]
    since: list[dict[str, object]] = [{"source": "desk", "since": each.isoformat()} for each in moments]
    all_changed = RunOptions(since=datetime(2026, 3, 2, tzinfo=UTC))
    assert runs_of(since) == [all_changed]
    assert runs_of([*named, *since]) == [by_name, all_changed], "what is named may have changed long before"


async def test_what_comes_twice_is_done_once() -> None:
    hooks = Hooks()
    for _ in range(3):
        assert await hooks.send(identifier="delivery-1") == 202
    assert await hooks.send("10002", identifier="delivery-1") == 202
    assert len(hooks.waiting) == 1
    assert await hooks.send(identifier="delivery-2") == 202
    assert len(hooks.waiting) == 1, "the same document waits already"
    assert await hooks.send("10002") == 202
    assert len(hooks.waiting) == 2


async def test_what_is_remembered_of_deliveries_is_bounded() -> None:
    hooks = Hooks()
    for number in range(DELIVERIES + 10):
        await hooks.send(number=None, identifier=f"delivery-{number}")
    assert len(hooks.webhooks._seen) == DELIVERIES


async def test_sources_are_looked_up_again_after_a_while() -> None:
    hooks = Hooks()
    for hooks.now in (0.0, 4.0, 6.0):
        await hooks.send()
    assert hooks.read == 2


async def test_a_signed_body_that_cannot_be_read_is_refused() -> None:
    hooks = Hooks()
    with pytest.raises(Refused):
        await hooks.webhooks.taken("desk", b"[]", {"X-Hub-Signature": sign(b"[]", SECRET)})


def test_sources_take_webhooks_whose_secret_is_there() -> None:
    sources = [
        DESK,
        Source("wiki", "confluence", {"webhook_secret_env": "NONE"}),
        Source("other", "jira", {}),
        Source("files", "files", {"webhook_secret_env": "HOOK"}),
    ]
    assert {name: each.secret for name, each in signed_sources(sources, load({"HOOK": SECRET})).items()} == {
        "desk": SECRET
    }
