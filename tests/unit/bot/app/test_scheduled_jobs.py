"""The work of a scheduled run on one source, and what is recorded of it."""

import asyncio
import logging
from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bot.app.product import Product
from bot.app.scheduled_jobs import (
    JOBS,
    job_named,
    part_outcome,
    permission_warnings,
    record_part,
    run_part,
    triggers_of,
)
from bot.app.serving import ServingProcess
from config.load import load
from domain.conversation import Participant
from domain.errors import Refused
from domain.schedule import POSTPONED_AT_MOST, SCHEDULED_TASK, ScheduledRun, SourceTaskKey
from indexer.run.report import RunReport
from storage.index.sources import Source, SourceState
from storage.open import open_storage
from storage.privacy.personal_data import Person
from storage.server.database import DatabaseOptions
from tests.fakes.worker import options, working
from tests.unit.storage.rows import change, rows

KEY = SourceTaskKey("content", "2026-07-01T03:30", "docs")
DUE = datetime(2026, 7, 1, 3, 30, tzinfo=UTC)
HOUR = timedelta(hours=1)


@pytest.fixture
async def docs(product: Product, tmp_path: Path) -> Path:
    """A source of one page, and a scheduled run whose work on it is to be done."""
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "page.md").write_text("# Page\n\nThe walrus is fed at noon.\n")
    await product.storage.sources.add(Source("docs", "files", {"path": str(folder), "audience": "everyone"}))
    await take(product, KEY)
    return folder


async def take(product: Product, key: SourceTaskKey) -> None:
    assert await product.storage.scheduled_runs().claim(key.job, key.run, DUE, [key.source], queue="index")


async def row(product: Product, job: str = "content") -> ScheduledRun:
    found = await product.storage.scheduled_runs().latest(job)
    assert found is not None
    return found


async def said(product: Product, key: SourceTaskKey = KEY) -> tuple[str, str]:
    part = (await row(product, key.job)).progress.tasks[key.source]
    return part.state, part.summary


@pytest.mark.parametrize("job", list(JOBS))
async def test_a_source_is_read_and_that_is_recorded(product: Product, docs: Path, job: str) -> None:
    key = KEY._replace(job=job)
    if job != "content":
        await take(product, key)
    await run_part(product, key.arguments)
    # a folder does not say whom its files admit
    assert await said(product, key) == ("done", "nothing has changed" if job == "permissions" else "1 added")
    found = await row(product, job)
    assert found.state == "done"
    assert found.finished_at is not None


async def test_what_comes_twice_is_done_once(product: Product, docs: Path) -> None:
    for _ in range(2):
        await run_part(product, KEY.arguments)
    assert len(await product.storage.runs.latest()) == 1


async def test_what_cannot_be_read_is_recorded_and_told(
    product: Product, docs: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    await asyncio.to_thread(docs.rename, docs.with_name("away"))
    await run_part(product, KEY.arguments)
    state, why = await said(product)
    assert state == "failed"
    assert "There is no file or folder" in why
    assert (await row(product)).state == "failed"
    (run,) = await product.storage.runs.latest()
    assert (run.state, run.reason) == ("failed", why)
    assert "docs of 2026-07-01T03:30 was not read for content" in caplog.text


@pytest.fixture
def elsewhere(data_dir: Path, database: str) -> AbstractAsyncContextManager[None]:
    """Inside, another session has the source, as that of a worker has that was taken for dead."""

    @asynccontextmanager
    async def holding() -> AsyncIterator[None]:
        async with open_storage(DatabaseOptions(None, data_dir, database)) as other, other.runs.begin("docs"):
            yield

    return holding()


async def half_a_minute_later(product: Product) -> None:
    """What waits to be tried again is due."""
    await change(product.storage, "UPDATE procrastinate_jobs SET scheduled_at = scheduled_at - interval '30 s'")


async def test_a_source_that_another_session_has_is_read_when_that_lets_go(
    product: Product, docs: Path, elsewhere: AbstractAsyncContextManager[None]
) -> None:
    tries: asyncio.Queue[None] = asyncio.Queue()

    async def read(arguments: Mapping[str, object]) -> None:
        await run_part(product, arguments)
        tries.put_nowait(None)

    async with AsyncExitStack() as held:
        await held.enter_async_context(elsewhere)
        async with working(product.storage.job_queue(), {SCHEDULED_TASK: read}, options("index", poll=0.1)):
            for _ in range(2):
                await asyncio.wait_for(tries.get(), 30)
                state, why = await said(product)
                assert (state, why.split(" (")[0]) == ("waits", "The source docs is being indexed by another process")
                await half_a_minute_later(product)
            await held.aclose()
            while (await said(product))[0] in {"waits", "runs"}:
                await asyncio.wait_for(tries.get(), 30)
                await half_a_minute_later(product)
    assert await said(product) == ("done", "1 added")
    assert (await row(product)).state == "done"


async def test_a_source_that_another_session_has_for_long_has_failed(
    product: Product, docs: Path, elsewhere: AbstractAsyncContextManager[None]
) -> None:
    await change(product.storage, "UPDATE ticks SET taken_at = taken_at - CAST(:by AS interval)", by=POSTPONED_AT_MOST)
    async with elsewhere:
        await run_part(product, KEY.arguments)
    state, why = await said(product)
    assert (state, why.split(" (")[0]) == ("failed", "The source docs is being indexed by another process")


async def test_workers_that_died_of_work_count_when_it_is_put_back(
    product: Product, docs: Path, elsewhere: AbstractAsyncContextManager[None]
) -> None:
    await change(product.storage, "INSERT INTO procrastinate_workers DEFAULT VALUES")
    await change(
        product.storage,
        "UPDATE procrastinate_jobs SET attempts = 3, status = 'doing',"
        " worker_id = (SELECT id FROM procrastinate_workers)",
    )
    async with elsewhere:
        await run_part(product, KEY.arguments)
    assert await rows(product.storage, "SELECT attempts, status\\:\\:text FROM procrastinate_jobs ORDER BY id") == [
        (3, "doing"),
        (3, "todo"),
    ]


@dataclass
class Told:
    """A platform that people are told things on."""

    name: str = "slack"
    words: list[str] = field(default_factory=list)

    async def tell(self, _: Mapping[str, object], words: str) -> None:
        self.words.append(words)


async def test_a_reading_that_was_asked_for_is_done_when_another_session_lets_go(
    product: Product,
    docs: Path,
    elsewhere: AbstractAsyncContextManager[None],
) -> None:
    slack, jobs, tries = Told(), product.storage.job_queue(), asyncio.Queue[None]()
    service = ServingProcess(product, [slack], None, None)  # type: ignore[list-item, arg-type] # nobody else is served

    async def read(arguments: Mapping[str, object]) -> None:
        await service._reindex(arguments)
        tries.put_nowait(None)

    await jobs.put("reindex", {"source": "*", "platform": "slack"}, queue="asked", lock_key="reindex", unique_key="*")
    async with AsyncExitStack() as held:
        await held.enter_async_context(elsewhere)
        async with working(jobs, {"reindex": read}, options("asked", "index", poll=0.1)):
            for _ in range(2):
                await asyncio.wait_for(tries.get(), 30)
                await half_a_minute_later(product)
            assert slack.words == []
            await held.aclose()
            while not slack.words:
                await asyncio.wait_for(tries.get(), 30)
                await half_a_minute_later(product)
    assert slack.words == ["docs: 1 added"]


async def test_what_was_confirmed_to_be_hidden_is_not_hidden_later(
    product: Product, docs: Path, elsewhere: AbstractAsyncContextManager[None]
) -> None:
    await change(product.storage, "DELETE FROM procrastinate_jobs")
    slack = Told()
    service = ServingProcess(product, [slack], None, None)  # type: ignore[list-item, arg-type] # nobody else is served
    async with elsewhere:
        await service._reindex({"source": "docs", "platform": "slack", "prune": "confirm"})
    assert slack.words == ["docs: The source docs is being indexed by another process"]
    assert await rows(product.storage, "SELECT args FROM procrastinate_jobs") == []


@pytest.mark.parametrize("erased", ["U1", "U2"])
async def test_a_reading_that_waits_does_not_bring_back_who_was_erased(
    product: Product,
    docs: Path,
    elsewhere: AbstractAsyncContextManager[None],
    erased: str,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO)
    await change(product.storage, "DELETE FROM procrastinate_jobs")
    service = ServingProcess(product, [], None, None)  # type: ignore[arg-type] # nobody is served
    who = {"platform": "slack", "person": "U1", "channel": "D1"}
    arguments = {"source": "*", **who}
    queue = product.storage.job_queue()
    await queue.put("reindex", arguments, queue="index", lock_key="reindex", unique_key="reindex:*")
    await change(product.storage, "UPDATE procrastinate_jobs SET status = 'doing'")
    person = Person("ada@example.com", (Participant("slack", erased),))
    await product.storage.personal_data().erase(person, Participant("terminal", "root"))
    async with elsewhere:
        await service._reindex(arguments)
    ((waiting,),) = await rows(product.storage, "SELECT args FROM procrastinate_jobs WHERE status = 'todo'")
    del waiting["until"]
    assert waiting == {"source": "docs"} | (who if erased == "U2" else {})
    assert "The reading of docs that was asked for waits" in caplog.text


async def test_a_reading_that_was_asked_for_does_not_wait_for_ever(
    product: Product, docs: Path, elsewhere: AbstractAsyncContextManager[None]
) -> None:
    slack = Told()
    service = ServingProcess(product, [slack], None, None)  # type: ignore[list-item, arg-type] # nobody else is served
    arguments = {"source": "docs", "platform": "slack", "until": datetime.now(UTC).isoformat()}
    async with elsewhere:
        await service._reindex(arguments)
    assert slack.words == ["docs: The source docs is being indexed by another process"]


async def test_what_an_operator_has_to_look_at_is_recorded(
    product: Product, docs: Path, caplog: pytest.LogCaptureFixture
) -> None:
    await run_part(product, KEY.arguments)
    (docs / "page.md").unlink()
    key = KEY._replace(job="prune")
    await take(product, key)
    await run_part(product, key.arguments)
    assert await said(product, key) == ("attention", "1 document missing all at once, and kept; 1 held back")
    assert (await row(product, "prune")).state == "attention"
    assert [run.state for run in await product.storage.runs.latest()] == ["attention", "done"]
    assert [run.reason for run in await product.storage.runs.latest()] == [
        "1 document missing all at once, and kept",
        "",
    ]
    assert "1 of 1 documents of docs are missing all at once" in caplog.text


def test_documents_that_were_not_read_have_to_be_looked_at() -> None:
    report = RunReport("docs", added=3, failed=[("secret plan.pdf", "it is encrypted")])
    assert part_outcome(report) == ("attention", "1 document could not be read; 3 added, 1 failed")
    report = RunReport("docs", failed=[("secret plan.pdf", "it is encrypted")])
    assert part_outcome(report) == ("failed", "none of 1 document could be read; 1 failed")


def _state(kind: str, read: float | None, documents: int = 3) -> SourceState:
    """A source whose permissions were read so many hours ago."""
    at = None if read is None else DUE - read * HOUR
    source = Source(f"{kind}{read}", kind, {})
    return SourceState(source, documents, 0, None, None, None, at, at and at + 6 * HOUR)


def test_old_permissions_are_warned_of() -> None:
    states = [_state("jira", 1), _state("jira", 3), _state("jira", 7), _state("jira", None), _state("files", None)]
    states.append(_state("confluence", None, documents=0))
    limits = load({}, Path()).access
    assert list(permission_warnings(states, DUE, limits).values()) == [
        "The permissions of jira3 are 3.0 h old: from 6 h on nobody finds anything of it. See: kb schedule",
        "The permissions of jira7 are 7.0 h old: nobody finds anything of it. See: kb schedule",
        "The permissions of jiraNone were never read: nobody finds anything of it. See: kb runs",
    ]


async def test_a_job_of_another_release_has_failed(product: Product, docs: Path) -> None:
    key = KEY._replace(job="tea")
    await take(product, key)
    await run_part(product, key.arguments)
    assert await said(product, key) == ("failed", "There is no job tea")


async def test_an_error_of_ours_is_recorded_without_its_words(product: Product, docs: Path) -> None:
    async def fail() -> RunReport:
        raise LookupError("my-private-matter")

    with pytest.raises(LookupError):
        await record_part(product, KEY, fail)
    assert await said(product) == ("failed", "an error of ours: LookupError")


async def test_what_is_said_is_masked(product: Product, docs: Path) -> None:
    async def fail() -> RunReport:
        raise Refused("No answer to ann@example.com")

    with pytest.raises(Refused):
        await record_part(product, KEY, fail)
    assert "ann@example.com" not in (await said(product))[1]


async def test_a_worker_that_is_stopped_leaves_the_work_to_another(product: Product, docs: Path) -> None:
    begun = asyncio.Event()

    async def hang() -> RunReport:
        begun.set()
        await asyncio.Event().wait()
        raise AssertionError

    reading = asyncio.create_task(record_part(product, KEY, hang))
    await asyncio.wait_for(begun.wait(), 30)
    reading.cancel()
    await asyncio.wait({reading}, timeout=30)
    assert reading.cancelled()
    assert await said(product) == ("runs", "")
    await run_part(product, KEY.arguments)
    assert await said(product) == ("done", "1 added")


def test_the_triggers_are_what_the_settings_say(tmp_path: Path) -> None:
    wanted = {"TIMEZONE": "Europe/Berlin", "WINDOW": "22:00-06:00", "PRUNE": ""}
    triggers = triggers_of(load({f"KB_AGENT_SCHEDULE_{name}": value for name, value in wanted.items()}, tmp_path))
    assert list(triggers) == ["content", "permissions"]
    content, permissions = triggers.values()
    assert (str(content.cron), content.zone.key, str(content.window)) == ("30 3 * * *", "Europe/Berlin", "22:00-06:00")
    assert (str(permissions.cron), permissions.window) == ("*/30 * * * *", None)
    (zone,) = {each.zone.key for each in triggers_of(load({"KB_AGENT_SCHEDULE_TIMEZONE": ""}, tmp_path)).values()}
    assert zone == "UTC"


def test_a_job_that_does_not_exist_is_refused_with_those_that_do() -> None:
    with pytest.raises(Refused) as caught:
        job_named("contents")
    assert caught.value.next_step == "There are: content, permissions, prune"
