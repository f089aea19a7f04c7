"""What JobQueue promises, held against every implementation. What happens to workers that die is in tests/faults."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from datetime import timedelta

import pytest

from domain.job_ports import JobQueue
from tests.contract.conversations import Conversations, incoming
from tests.fakes.uncancellable import uncancellable
from tests.fakes.worker import POLL, WOKEN, Doing, options, stopped, working

Put = Callable[..., Awaitable[bool]]


@pytest.fixture
def jobs(conversations: Conversations) -> JobQueue:
    """Each implementation in turn, empty."""
    return conversations.jobs


@pytest.fixture
def put(jobs: JobQueue) -> Put:
    """Queues a job that is named, in a lane of its own unless one is given."""

    async def do(name: str, lock_key: str = "", queue: str = "slack", unique_key: str = "", priority: int = 0) -> bool:
        keys = lock_key or name, unique_key or name
        return await jobs.put(
            "do", {"name": name}, queue=queue, lock_key=keys[0], unique_key=keys[1], priority=priority
        )

    return do


async def test_a_job_gets_its_arguments(jobs: JobQueue) -> None:
    arguments = {"number": 1, "words": "é \U0001f600", "nested": {"a": [1, None, True]}}
    found: asyncio.Future[Mapping[str, object]] = asyncio.get_running_loop().create_future()

    async def answer(given: Mapping[str, object]) -> None:
        found.set_result(given)

    assert await jobs.put("answer", arguments, queue="slack", lock_key="a", unique_key="a")
    async with working(jobs, {"answer": answer}, options()):
        assert dict(await asyncio.wait_for(found, 30)) == arguments


async def test_a_waiting_worker_begins_at_once(jobs: JobQueue, put: Put) -> None:
    doing = Doing()
    async with working(jobs, {"do": doing}, options(poll=POLL)):
        await put("first")
        await doing.until_ended("first")
        for name in ("second", "third"):
            await put(name)
            await doing.until_began(name, within=WOKEN)


async def test_the_ledger_puts_jobs(conversations: Conversations) -> None:
    begun: asyncio.Queue[Mapping[str, object]] = asyncio.Queue()
    number = await conversations.claimed(incoming())
    async with working(conversations.jobs, {"answer": begun.put}, options("slack")):
        await conversations.ledger.enqueue(number, {})
        assert dict(await asyncio.wait_for(begun.get(), 30)) == {"number": number}


async def test_a_worker_serves_its_queues_only(jobs: JobQueue, put: Put) -> None:
    doing = Doing()
    await put("a", queue="teams")
    await put("b", queue="slack")
    await put("c", queue="terminal")
    async with working(jobs, {"do": doing}, options("slack", "terminal")):
        await doing.until_ended("b", "c")
        assert doing.began == ["b", "c"]
    async with working(jobs, {"do": doing}, options("teams")):
        await doing.until_ended("a")


async def test_one_at_a_time_runs_in_a_lane_in_order(jobs: JobQueue, put: Put) -> None:
    names = [f"{number}" for number in range(6)]
    doing = Doing(*names)
    for name in names:
        assert await put(name, lock_key="thread")
    async with (
        working(jobs, {"do": doing}, options(poll=POLL)),
        working(jobs, {"do": doing}, options(poll=POLL)),
    ):
        for name in names:
            await doing.until_began(name, within=WOKEN if name != "0" else 30)
            assert doing.began[-1] == name
            doing.let_go(name)
        await doing.until_ended(*names)
    assert doing.began == doing.ended == names
    assert doing.most == 1


async def test_what_matters_more_comes_first_in_queue_and_lane(jobs: JobQueue, put: Put) -> None:
    for number in range(3):
        assert await put(f"low {number}", lock_key="a", priority=-1)
    assert await put("another", lock_key="b", priority=-1)
    assert await put("high", lock_key="a")
    assert await jobs.count_waiting("do", lock_key="a") == 4
    assert await jobs.count_waiting("other", lock_key="a") == 0
    doing = Doing()
    async with working(jobs, {"do": doing}, options(concurrency=1)):
        await doing.until_ended("high", "low 0", "low 1", "low 2", "another")
    assert doing.began[0] == "high"
    assert [each for each in doing.began if each.startswith("low")] == ["low 0", "low 1", "low 2"]
    assert await jobs.count_waiting("do", lock_key="a") == 0


async def test_lanes_do_not_wait_for_each_other(jobs: JobQueue, put: Put) -> None:
    doing = Doing("slow")
    await put("slow", lock_key="a")
    await put("next", lock_key="a")
    async with working(jobs, {"do": doing}, options(poll=POLL)):
        await doing.until_began("slow")
        await put("other", lock_key="b")
        await doing.until_ended("other", within=WOKEN)
        assert "next" not in doing.began
        doing.let_go("slow")
        await doing.until_ended("next", within=WOKEN)


async def test_a_worker_does_so_many_at_one_time(jobs: JobQueue, put: Put) -> None:
    names = [f"{number}" for number in range(5)]
    doing = Doing(*names)
    for name in names:
        await put(name)
    async with working(jobs, {"do": doing}, options(concurrency=2)):
        await doing.until_began("0", "1")
        for name in names:
            doing.let_go(name)
        await doing.until_ended(*names)
    assert doing.most == 2


async def test_a_job_of_the_same_name_is_refused_while_one_waits(jobs: JobQueue, put: Put) -> None:
    doing = Doing("a")
    assert await put("a", unique_key="question:1")
    assert not await put("b", unique_key="question:1")
    assert await put("c", unique_key="question:2")
    async with working(jobs, {"do": doing}, options()):
        await doing.until_began("a", "c")
        assert await put("d", lock_key="a", unique_key="question:1")
        assert not await put("e", lock_key="a", unique_key="question:1")
        doing.let_go("a")
        await doing.until_ended("a", "c", "d")
        assert await put("f", unique_key="question:1")
        await doing.until_ended("f")
    assert doing.began == ["a", "c", "d", "f"]


async def test_of_many_that_put_the_same_at_once_one_does(jobs: JobQueue, put: Put) -> None:
    assert sum(await asyncio.gather(*(put(f"{n}", unique_key="same") for n in range(20)))) == 1


async def test_workers_share_the_jobs(jobs: JobQueue, put: Put) -> None:
    names = [f"{number}" for number in range(40)]
    doing = Doing()
    async with (
        working(jobs, {"do": doing}, options()),
        working(jobs, {"do": doing}, options()),
        working(jobs, {"do": doing}, options()),
    ):
        await asyncio.gather(*(put(name, lock_key=f"lane {int(name) % 7}") for name in names))
        await doing.until_ended(*names)
    assert sorted(doing.began) == sorted(names)


async def test_a_failed_job_is_logged_without_values_and_never_tried_again(
    jobs: JobQueue, put: Put, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    caplog.set_level(logging.INFO, logger="procrastinate")
    doing = Doing()
    tries = []

    async def fail(arguments: Mapping[str, object]) -> None:
        tries.append(arguments)
        try:
            int(str(arguments["words"]))
        except ValueError as error:
            raise LookupError(arguments) from error

    await jobs.put("fail", {"words": "my-private-matter"}, queue="slack", lock_key="a", unique_key="a")
    await put("next", lock_key="a")
    async with working(jobs, {"do": doing, "fail": fail}, options(poll=POLL)):
        await doing.until_ended("next", within=WOKEN)
    async with working(jobs, {"do": doing, "fail": fail}, options(poll=POLL)):
        await put("last")
        await doing.until_ended("last")
    assert len(tries) == 1
    assert any(record.levelno == logging.ERROR and "LookupError" in caplog.text for record in caplog.records)
    assert "my-private-matter" not in caplog.text
    assert "my-private-matter" not in repr([vars(record) for record in caplog.records])


async def test_a_job_that_is_cancelled_from_within_has_failed(jobs: JobQueue, put: Put) -> None:
    doing = Doing()
    tries = []

    async def give_up(arguments: Mapping[str, object]) -> None:
        tries.append(arguments)
        raise asyncio.CancelledError

    await jobs.put("give up", {}, queue="slack", lock_key="a", unique_key="a")
    async with working(jobs, {"do": doing, "give up": give_up}, options()):
        await put("next", lock_key="a")
        await doing.until_ended("next")
    assert len(tries) == 1


async def test_stopping_waits_for_what_runs_and_begins_nothing(jobs: JobQueue, put: Put) -> None:
    doing = Doing("a")
    await put("a", lock_key="lane")
    await put("b", lock_key="lane")
    async with working(jobs, {"do": doing}, options()) as worker:
        await doing.until_began("a")
        worker.cancel()
        await put("c")
        await asyncio.wait({worker}, timeout=0.2)
        assert not worker.done()
        doing.let_go("a")
        await asyncio.wait({worker}, timeout=30)
        assert worker.cancelled()
    assert doing.began == doing.ended == ["a"]
    async with working(jobs, {"do": doing}, options()):
        await doing.until_ended("b", "c")
    assert doing.began.count("a") == 1


async def test_what_is_cut_off_is_given_to_another_worker_at_once(jobs: JobQueue, put: Put) -> None:
    cut: list[Mapping[str, object]] = []

    async def hang(arguments: Mapping[str, object]) -> None:
        try:
            await doing(arguments)
        except asyncio.CancelledError:
            cut.append(arguments)
            raise LookupError("while it was cleaned up") from None

    doing, other = Doing("a"), Doing()
    await put("a", lock_key="lane")
    await put("b", lock_key="lane")
    async with working(jobs, {"do": hang}, options(grace=0.1, poll=POLL)) as worker:
        await doing.until_began("a")
        async with working(jobs, {"do": other}, options(poll=POLL)):
            await stopped(worker)
            assert len(cut) == 1
            await other.until_ended("a", "b", within=WOKEN)
    assert other.began == ["a", "b"]


async def test_what_is_cut_off_goes_when_the_same_waits_already(jobs: JobQueue, put: Put) -> None:
    doing, other = Doing("a"), Doing()
    await put("a", lock_key="lane", unique_key="same")
    async with working(jobs, {"do": doing}, options(grace=0.1)) as worker:
        await doing.until_began("a")
        assert await put("b", lock_key="lane", unique_key="same")
        await stopped(worker)
    async with working(jobs, {"do": other}, options()):
        await other.until_ended("b")
        await put("c")
        await other.until_ended("c")
    assert other.began == ["b", "c"]


async def test_what_does_not_hear_that_it_is_cut_off_keeps_no_worker(jobs: JobQueue, put: Put) -> None:
    began, other = asyncio.Event(), Doing()

    async def hang(_: Mapping[str, object]) -> None:
        began.set()
        await uncancellable(1)

    await put("a", lock_key="lane")
    async with working(jobs, {"do": hang}, options(grace=0.1, cut_off=0.4)) as worker:
        await asyncio.wait_for(began.wait(), 30)
        await asyncio.wait_for(stopped(worker), 30)
    async with working(jobs, {"do": other}, options()):
        await other.until_ended("a")


async def test_a_stopped_worker_may_start_again(jobs: JobQueue, put: Put) -> None:
    doing = Doing()
    for name in ("a", "b", "c"):
        async with working(jobs, {"do": doing}, options()):
            await put(name)
            await doing.until_ended(name)


async def test_a_worker_that_is_stopped_before_it_began_ends(jobs: JobQueue) -> None:
    worker = asyncio.create_task(jobs.run_worker({"do": Doing()}, options()))
    for _ in range(3):
        await asyncio.sleep(0)
    await asyncio.wait_for(stopped(worker), 30)


async def test_what_waits_in_a_lane_is_taken_out_once(jobs: JobQueue) -> None:
    await jobs.put("do", {"n": 1}, queue="q", lock_key="a", unique_key="1", priority=-1)
    await jobs.put("do", {"n": 2}, queue="q", lock_key="a", unique_key="2")
    await jobs.put("do", {"n": 3}, queue="q", lock_key="b", unique_key="3")
    await jobs.put("other", {"n": 4}, queue="q", lock_key="a", unique_key="4")
    assert [dict(each) for each in await jobs.take_waiting("do", lock_key="a")] == [{"n": 2}, {"n": 1}]
    assert await jobs.take_waiting("do", lock_key="a") == []
    assert (await jobs.count_waiting("do", lock_key="b"), await jobs.count_waiting("other", lock_key="a")) == (1, 1)
    assert await jobs.put("do", {"n": 1}, queue="q", lock_key="a", unique_key="1")


async def test_what_is_put_for_later_says_who_asked_for_it_as_the_running_job_does(jobs: JobQueue) -> None:
    begun = list[Mapping[str, object]]()
    asked_by, done = {"platform": "slack", "person": "U1", "channel": "D1"}, asyncio.Event()

    async def once_more(arguments: Mapping[str, object]) -> None:
        begun.append(arguments)
        again = {**arguments, "n": len(begun)} | ({"person": "U2"} if len(begun) == 2 else {})
        if len(begun) == 3:
            done.set()
            return
        soon = timedelta(0)
        await jobs.put("again", again, queue="slack", lock_key="lane", unique_key="again", delay=soon)

    await jobs.put("again", asked_by, queue="slack", lock_key="lane", unique_key="again")
    async with working(jobs, {"again": once_more}, options(poll=0.1)):
        await asyncio.wait_for(done.wait(), 30)
    assert begun == [asked_by, {**asked_by, "n": 1}, {"n": 2}]


async def test_what_is_put_for_later_is_done_later(jobs: JobQueue, put: Put) -> None:
    doing, begun = Doing(), []

    async def once_more(arguments: Mapping[str, object]) -> None:
        begun.append(asyncio.get_running_loop().time())
        if len(begun) == 1:  # by what has it to do
            later = timedelta(seconds=0.5)
            await jobs.put("again", arguments, queue="slack", lock_key="lane", unique_key="again", delay=later)
        else:
            await doing({"name": "again"})

    await jobs.put("again", {}, queue="slack", lock_key="lane", unique_key="again")
    async with working(jobs, {"do": doing, "again": once_more}, options(poll=0.1)):
        await put("other")
        await doing.until_ended("other", "again")
    assert doing.ended == ["other", "again"]
    assert begun[1] - begun[0] >= 0.4
