"""The schedule: many processes over one database, nights on which clocks are changed, and `kb schedule`."""

import asyncio
import re
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from domain.cron import Cron, Window
from indexer.scheduling.scheduler import Scheduler
from indexer.scheduling.triggers import DueTime, Trigger, next_due
from storage.open import open_storage
from storage.server.database import DatabaseOptions
from tests.command import Kb, KbProcess, connected, rows, wait_for, write
from tests.fakes.embedding_moments import held, once_indexing
from tests.fakes.embeddings_server import EmbeddingsServer
from tests.fakes.slack import LocalSlack, local_slack
from tests.flows.slack.conftest import slack_env

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
NIGHTS = [
    ("Europe/Berlin", "2026-03-29"),
    pytest.param("Europe/Berlin", "2026-10-25", marks=pytest.mark.slow),
    pytest.param("America/New_York", "2027-03-14", marks=pytest.mark.slow),
    pytest.param("America/New_York", "2026-11-01", marks=pytest.mark.slow),
]


class Replica(Scheduler):
    """One of several processes. It goes by the clock that all go by, as it was `late` ago."""

    def __init__(self, triggers: dict[str, Trigger], table: object, clock: Callable[[], datetime], late: timedelta):
        async def now() -> datetime:
            return clock() - late

        async def sources(_job: str) -> list[str]:
            return ["docs", "wiki"]

        super().__init__(triggers, table, sources, lambda _job: "index", now)  # type: ignore[arg-type] # a ScheduledRunTable


@pytest.mark.parametrize(("zone", "day"), NIGHTS)
async def test_of_three_replicas_one_takes_each_tick(zone: str, day: str, data_dir: Path, database: str) -> None:
    begun = clock = datetime.fromisoformat(day).replace(tzinfo=UTC) - 12 * HOUR
    triggers = {
        f"{cron} {window}": Trigger(Cron(cron), ZoneInfo(zone), Window(window) if window else None)
        for cron in ("30 1 * * *", "30 2 * * *", "30 3 * * *", "*/30 * * * *")
        for window in ("", "22:00-06:00")
    }
    claimed: Counter[tuple[str, str]] = Counter()
    async with AsyncExitStack() as stack:
        place = DatabaseOptions(None, data_dir, database)
        stores = [await stack.enter_async_context(open_storage(place)) for _ in range(3)]
        replicas = [
            Replica(triggers, store.scheduled_runs(), lambda: clock, late)
            for store, late in zip(stores, (0 * MINUTE, MINUTE, 47 * MINUTE), strict=True)
        ]
        while clock < begun + 3 * DAY:
            for each in await asyncio.gather(*(replica.wake() for replica in replicas)):
                claimed.update((job, due_time.key) for job, due_time in each)
            async with stores[0].engine.begin() as connection:  # the work is done
                await connection.exec_driver_sql("DELETE FROM procrastinate_jobs")
            clock += 15 * MINUTE if clock.astimezone(ZoneInfo(zone)).hour < 6 else 3 * HOUR
    assert max(claimed.values()) == 1
    for name, trigger in triggers.items():
        keys = [key for job, key in claimed if job == name]
        due: list[DueTime] = []
        while (due_time := next_due(trigger, due[-1].due_at if due else begun - HOUR)).due_at < clock:
            due.append(due_time)
        if name.startswith("*"):  # nobody looks at it that often by day
            assert set(keys) < {due_time.key for due_time in due}
            assert len(keys) > 30
        else:
            assert sorted(keys) == [due_time.key for due_time in due]
            assert len(keys) == 3


@pytest.fixture
def filled(kb: Kb, tmp_path: Path) -> Kb:
    """The command over two sources."""
    for name in ("docs", "wiki"):
        folder = write(tmp_path / name, page=f"# Page\n\nThe walrus of the {name} is fed at noon.\n")
        assert kb("index", str(folder)).code == 0
    return kb.having(SCHEDULE_TIMEZONE="Europe/Berlin")


def test_the_schedule_of_a_new_database(kb: Kb) -> None:
    kb = kb.having(SCHEDULE_TIMEZONE="Europe/Berlin", SCHEDULE_WINDOW="22:00-06:00")
    shown = kb("schedule")
    assert (shown.code, shown.err) == (0, "")
    first, second, third, told = shown.out.split("\n\n")
    assert told == "What fails is told in the log alone: KB_AGENT_ALERT_CHANNEL names no channel or chat.\n"
    assert first.startswith("content: 30 3 * * * (Europe/Berlin, within 22:00-06:00)\n  next: 2")
    assert second.startswith("permissions: */30 * * * * (Europe/Berlin)\n  next: 2")
    assert third.endswith("\n  last: never")
    found = kb("schedule", "--json").json
    assert found["takes_part"] is True
    (content, permissions, prune) = found["jobs"]
    assert [job["name"] for job in found["jobs"]] == ["content", "permissions", "prune"]
    local = datetime.fromisoformat(content["next"]["local"])
    assert (local.hour, local.minute) == (3, 30)
    assert datetime.fromisoformat(content["next"]["utc"]) == local
    assert (permissions["window"], prune["window"], prune["last"]) == (None, "22:00-06:00", None)


def test_what_is_turned_off_says_so(kb: Kb) -> None:
    off = kb.having(SCHEDULE="false")
    off = Kb({**off.env, "KB_AGENT_SCHEDULE_PRUNE": ""}, off.folder)
    shown = off("schedule")
    assert "\nprune: off\n  last: never\n" in shown.out
    assert shown.out.endswith("Processes with these settings start none of it: KB_AGENT_SCHEDULE is false.\n")
    assert off("schedule", "--json").json["jobs"][2] == {"name": "prune", "cron": None, "next": None, "last": None}


@pytest.mark.parametrize("words", [("schedule",), ("schedule", "run", "content"), ("serve",), ("worker",)])
def test_a_wrong_setting_is_refused_at_the_start(kb: Kb, words: tuple[str, ...]) -> None:
    done = kb.having(SCHEDULE_CONTENT="30 25 * * *")(*words)
    assert done.code == 2
    assert "The setting KB_AGENT_SCHEDULE_CONTENT does not take '30 25 * * *'\n  why: '25' is no hour" in done.err


@pytest.mark.parametrize("words", [(), ("--queue",)])
def test_there_must_be_such_a_job_and_something_to_read(kb: Kb, words: tuple[str, ...]) -> None:
    done = kb("schedule", "run", "contents", *words)
    assert (done.code, done.out) == (2, "")
    assert "There is no job contents\n  next: There are: content, permissions, prune\n" in done.err
    done = kb("schedule", "run", "content", *words)
    assert (done.code, done.out) == (2, "")
    assert "There is no source for content to read" in done.err


@pytest.mark.parametrize("job", ["content", "prune"])
def test_a_job_is_done_at_once_and_recorded(filled: Kb, tmp_path: Path, url: str, job: str) -> None:
    write(tmp_path / "docs", other="# Other\n\nThe seal is fed at six.\n")
    done = filled("schedule", "run", job)
    assert done.code == 0
    assert "docs: indexing, 0 of 2 documents" in done.err
    assert "docs: 2 documents in " in done.out
    assert "wiki: 1 document in " in done.out
    assert filled("search", "seal").code == 0
    (row,) = rows(url, "SELECT job, state, starts_with(tick, 'manual:') FROM ticks")
    assert row == (job, "done", True)
    assert rows(url, "SELECT count(*) FROM procrastinate_jobs") == [(0,)]
    shown = filled("schedule").out
    assert "    docs: done: 1 added, 1 unchanged\n    wiki: done: 1 unchanged" in shown
    found = {each["name"]: each["last"] for each in filled("schedule", "--json").json["jobs"]}
    assert found[job]["state"] == "done"
    assert found[job]["sources"]["wiki"] == {"state": "done", "detail": "1 unchanged"}
    assert found[job]["seconds"] >= 0


def test_a_source_that_cannot_be_read_does_not_keep_the_others_from_it(filled: Kb, tmp_path: Path) -> None:
    (tmp_path / "docs").rename(tmp_path / "away")
    done = filled("schedule", "run", "content", "--json")
    assert done.code == 2
    assert [run["source"] for run in done.json["runs"]] == ["wiki"]
    assert [error["source"] for error in done.json["errors"]] == ["docs"]
    last = filled("schedule", "--json").json["jobs"][0]["last"]
    assert (last["state"], last["sources"]["docs"]["state"]) == ("failed", "failed")
    assert "There is no file or folder" in last["sources"]["docs"]["detail"]
    assert last["sources"]["wiki"]["state"] == "done"


def test_a_job_may_be_left_to_others(filled: Kb, url: str) -> None:
    done = filled("schedule", "run", "prune", "--queue")
    assert (done.code, done.err) == (0, "")
    assert done.out == "Queued for kb serve or kb worker: prune of docs, wiki. See: kb schedule\n"
    queued = "SELECT task_name, queue_name, lock, queueing_lock FROM procrastinate_jobs ORDER BY id"
    assert rows(url, queued) == [
        ("scheduled", "index", "source:docs", "prune:docs"),
        ("scheduled", "index", "source:wiki", "prune:wiki"),
    ]
    assert "    docs: waits\n    wiki: waits" in filled("schedule").out
    again = filled("schedule", "run", "prune", "--queue", "--json")
    assert again.json["sources"] == ["docs", "wiki"]
    assert "docs: attention: not begun: the run of manual:" in filled("schedule").out


def test_a_job_that_is_interrupted_says_so(
    filled: Kb, tmp_path: Path, url: str, embeddings: EmbeddingsServer, kb_process: Callable[..., KbProcess]
) -> None:
    write(tmp_path / "docs", other="# Other\n\nThe seal is fed at six.\n")
    gate, asked = threading.Event(), len(embeddings.requests)
    embeddings.faults.append(once_indexing(held(gate)))
    process = kb_process("schedule", "run", "content")
    wait_for(lambda: len(embeddings.requests) > asked and not embeddings.faults)
    process.interrupt()
    assert process.end().code == 130
    gate.set()
    assert rows(url, "SELECT state FROM ticks") == [("failed",)]
    assert "docs: failed: it was interrupted" in filled("schedule").out


@pytest.fixture
def slack() -> Iterator[LocalSlack]:
    with local_slack() as opened:
        yield opened


def test_processes_make_up_for_what_was_missed_once(filled: Kb, tmp_path: Path, url: str, slack: LocalSlack) -> None:
    write(tmp_path / "docs", other="# Other\n\nThe seal is fed at six.\n")
    kb = filled.having(**{**slack_env(slack), "SCHEDULE": "true"}, SCHEDULE_CONTENT="0 * * * *")
    kb = Kb({**kb.env, "KB_AGENT_SCHEDULE_PERMISSIONS": "", "KB_AGENT_SCHEDULE_PRUNE": ""}, kb.folder)
    with connected(url) as connection:  # the schedule began two days ago, and then nothing ran
        connection.execute(
            "INSERT INTO ticks (job, tick, due_at, finished_at, state)"
            " VALUES ('content', 'begun', now() - interval '2 days', now(), 'done')"
        )
    processes = [kb.start("worker") for _ in range(3)]
    try:
        wait_for(lambda: rows(url, "SELECT state FROM ticks WHERE tick <> 'begun'") == [("done",)])
        assert {each.process.poll() for each in processes} == {None}
    finally:
        for each in processes:
            each.interrupt()
        ended = [each.end() for each in processes]
    assert [each.code for each in ended] == [0, 0, 0], ended
    assert not any("Traceback" in each.err for each in ended), ended
    assert rows(url, "SELECT source, count(*) FROM runs GROUP BY source ORDER BY source") == [("docs", 2), ("wiki", 2)]
    assert all("Working on questions and sources; " in each.err for each in ended), ended
    said = "".join(each.err for each in ended)
    ((run,),) = rows(url, "SELECT max(run_id) FROM runs WHERE source = 'docs'")
    assert f"Index run {run} (content) over docs begins\n" in said
    assert re.search(rf"Index run {run} \(content\) over docs ended: done after \S+ s: 1 added, 1 unchanged\n", said)
    assert "docs: done: 1 added, 1 unchanged" in filled("schedule").out
