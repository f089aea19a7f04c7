"""Work that ends every process that is at it: it is given up, and whom it concerns is told."""

import asyncio
from datetime import UTC, datetime
from pathlib import Path

import pytest

from domain.job_ports import MAX_WORKER_DEATHS
from domain.schedule import SourceTaskKey
from storage.open import open_storage
from storage.server.database import DatabaseOptions
from tests.command import Kb, connected, wait_for
from tests.fakes.slack import LocalSlack
from tests.flows.slack.conftest import serving, slack, slack_env

pytestmark = pytest.mark.faults

__all__ = ["slack"]  # a fixture

DIED = "each of 5 attempts ended the process that was at it"
KEY = SourceTaskKey("content", "2026-07-01T03:30", "handbook")


async def queue(url: str) -> None:
    """A night's reading of the handbook, and one that somebody asked for, of which five workers have died."""
    async with open_storage(DatabaseOptions(url, Path())) as storage:
        due = datetime(2026, 7, 1, 3, 30, tzinfo=UTC)
        assert await storage.scheduled_runs().claim(KEY.job, KEY.run, due, [KEY.source], queue="index")
        asked = {"source": "handbook", "platform": "nowhere"}
        assert await storage.job_queue().put("reindex", asked, queue="index", lock_key="reindex", unique_key="r")
    with connected(url) as connection:
        connection.execute("UPDATE procrastinate_jobs SET attempts = %s", [MAX_WORKER_DEATHS])


def test_a_nights_reading_that_ends_its_workers_is_given_up(indexed: Kb, slack: LocalSlack) -> None:
    asyncio.run(queue(indexed.env["KB_AGENT_DATABASE_URL"]))
    with serving(indexed.having(**slack_env(slack)), slack) as process:
        wait_for(lambda: process.said.count(DIED) == 2)
        wait_for(lambda: DIED in indexed("schedule").out)
    assert "Reading handbook again was given up" in process.said
    assert "failed" in indexed("schedule").out
