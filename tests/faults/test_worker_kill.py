"""What a killed worker leaves behind, and who goes on with it."""

import asyncio
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from domain.conversation import RecordedOutcome
from domain.job_ports import MAX_WORKER_DEATHS, JobHandler, WorkerOptions
from storage.open import Storage
from tests.command import ROOT, database_url
from tests.contract.conversations import ANSWERED, MANY, incoming
from tests.fakes.worker import PATIENCE, Doing, working
from tests.unit.storage.rows import change, rows

pytestmark = pytest.mark.faults

HEARTBEAT = 0.2
LOST = 1.0
OPTIONS = WorkerOptions(("slack",), heartbeat=HEARTBEAT, lost=LOST)


def started(url: str) -> subprocess.Popen[str]:
    """A worker in a process of its own."""
    command = [sys.executable, str(Path(__file__).with_name("worker_child.py")), url, str(HEARTBEAT), str(LOST)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT, env={"PYTHONPATH": str(ROOT)})


@contextmanager
def child(url: str) -> Iterator[subprocess.Popen[str]]:
    """One that has begun question 1."""
    process = started(url)
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "1\n"
        yield process
    finally:
        process.kill()
        process.wait()
        if process.stdout is not None:
            process.stdout.close()


@pytest.fixture
def url(data_dir: Path, database: str) -> str:
    return database_url(data_dir, database)


async def queued(storage: Storage, *messages: str) -> None:
    """Questions 1, 2 … of one thread, queued."""
    for message in messages:
        claim = await storage.ledger().claim(incoming(message), MANY)
        assert await storage.ledger().enqueue(claim.number, {})


async def test_the_job_of_a_killed_worker_is_taken_over(storage: Storage, url: str) -> None:
    doing, ledger = Doing(), storage.ledger()

    async def answer(arguments: Mapping[str, object]) -> None:
        asked = await ledger.begin_attempt(int(str(arguments["number"])))
        assert asked is not None
        assert await ledger.close(asked.number, asked.attempt, ANSWERED)
        await doing({"name": asked.number})

    await queued(storage, "1", "2")
    with child(url) as killed:
        void = await ledger.begin_attempt(1)  # as the child does when it is a bot
        assert void is not None
        async with working(storage.job_queue(), {"answer": answer}, OPTIONS):
            killed.kill()
            since = time.monotonic()
            await doing.until_ended("1", "2", within=PATIENCE)
            taken = time.monotonic() - since
    assert doing.began == ["1", "2"]
    assert taken < LOST + 3 * HEARTBEAT + 2
    assert not await ledger.close(1, void.attempt, RecordedOutcome("failed"))
    assert await rows(storage, "SELECT FROM procrastinate_jobs") == []
    assert len(await rows(storage, "SELECT FROM procrastinate_workers")) == 0


async def test_a_worker_that_lives_keeps_its_job(storage: Storage, url: str) -> None:
    doing = Doing()
    await queued(storage, "1")
    with child(url):
        async with working(storage.job_queue(), {"answer": doing}, replace(OPTIONS, queues=("slack", "teams"))):
            for name in ("a", "b"):
                await storage.job_queue().put(
                    "answer", {"name": name}, queue="teams", lock_key="other", unique_key="other"
                )
                await doing.until_ended(name)
                await change(storage, "SELECT pg_sleep(:lost)", lost=LOST)  # time enough to be taken for dead
        assert doing.began == ["a", "b"]
        assert len(await rows(storage, "SELECT FROM procrastinate_jobs WHERE status = 'doing'")) == 1


async def test_a_job_whose_worker_is_not_even_known_any_more_is_taken_over(storage: Storage, url: str) -> None:
    doing = Doing()
    await queued(storage, "1")
    with child(url):
        pass
    await change(storage, "DELETE FROM procrastinate_workers")
    async with working(storage.job_queue(), {"answer": _named(doing)}, OPTIONS):
        await doing.until_ended("1")


async def test_a_job_that_waits_again_already_is_not_taken_over(storage: Storage, url: str) -> None:
    doing = Doing()
    await queued(storage, "1")
    with child(url):
        assert await storage.job_queue().put(
            "answer", {"number": 7}, queue="slack", lock_key="slack:C1:100.1", unique_key="question:1"
        )
    async with working(storage.job_queue(), {"answer": _named(doing)}, OPTIONS):
        await doing.until_ended("7")
    assert doing.began == ["7"]
    assert await rows(storage, "SELECT FROM procrastinate_jobs") == []


async def test_a_job_of_which_every_worker_dies_is_given_up(storage: Storage, url: str) -> None:
    jobs, begun, told = storage.job_queue(), Doing(), Doing()
    await jobs.put("poison", {"name": "bad"}, queue="index", lock_key="source:a", unique_key="bad")
    await jobs.put("poison", {"name": "next"}, queue="index", lock_key="source:a", unique_key="next")
    for _ in range(MAX_WORKER_DEATHS):
        with started(url) as worker:
            assert await asyncio.to_thread(worker.wait, PATIENCE) == -signal.SIGKILL
    options = replace(OPTIONS, queues=("index",))
    async with working(jobs, {"poison": begun}, options, {"poison": told}):
        await told.until_ended("bad", within=PATIENCE)
        await begun.until_ended("next", within=PATIENCE)
    assert (begun.began, told.began) == (["next"], ["bad"]), "what waits behind it is done"
    assert await rows(storage, "SELECT FROM procrastinate_jobs") == []


async def test_a_worker_that_is_merely_stopped_does_not_count_against_a_job(storage: Storage) -> None:
    jobs, doing, told = storage.job_queue(), Doing("long"), Doing()
    await jobs.put("read", {"name": "long"}, queue="index", lock_key="source:a", unique_key="long")
    options = replace(OPTIONS, queues=("index",), grace=0.0)
    for turn in range(MAX_WORKER_DEATHS + 1):
        async with working(jobs, {"read": doing}, options, {"read": told}):
            await doing.until_began(*["long"] * (turn + 1))
    assert told.began == []


def _named(doing: Doing) -> JobHandler:
    async def answer(arguments: Mapping[str, object]) -> None:
        await doing({"name": arguments["number"]})

    return answer
