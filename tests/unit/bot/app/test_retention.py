"""docs/retention.md, held against the schema, against the defaults of the settings, and against what housekeeping does
with rows that are a day too young and a day too old."""

import asyncio
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import pytest
from prometheus_client import REGISTRY

from bot.app.housekeeping import SMALL_RUNS_KEPT, TICKS_KEPT, remove_what_is_too_old
from bot.app.product import Product
from bot.app.serving import ServingProcess
from config.settings import Settings
from domain.cancellation import cancel_and_wait
from domain.errors import KbError
from storage.open import Storage
from tests.command import ROOT
from tests.contract.conversations import MANY, incoming
from tests.unit.storage.rows import change, rows

DEFAULTS = tomllib.loads((ROOT / "config" / "default.toml").read_text())
CONSTANTS = {TICKS_KEPT.days: ("content", "part"), SMALL_RUNS_KEPT.days: ("permissions", "hint")}
"""Periods that no setting names, in days, and of which kinds of runs they are."""

NEITHER: Mapping[str, set[str]] = {
    "questions": {"platform", "workspace", "audience", "state", "result", "excess", "cited"},
    "turns": {"platform"},
    "answer_records": {"outcome", "cause"},
    "feedback": {"platform"},
    "audit_entries": {"platform", "action"},
    "procrastinate_jobs": {"queue_name", "task_name", "queueing_lock", "status"},
    "procrastinate_events": {"type"},
    "procrastinate_periodic_defers": {"task_name", "periodic_id"},
    "runs": {"kind", "state", "progress"},
    "ticks": {"state"},
    "documents": {"media_type"},
    "chunks": {"chunk_id", "kind", "injection"},
    "mentions": {"role"},
    "relations": {"pattern"},
    "entities": {"kind"},
    "sources": {"kind"},
    "index_versions": {"state", "embedder", "stemming", "analyzer", "cosine_asked", "languages", "copied_from"},
    "segments": {"members"},
    "index_batches": {"result"},
    "worker_slots": {"queues"},
    "alembic_version": {"version_num"},
}
"""Columns with words of ours, and numbers that are packed: neither text of anybody nor anything of a person."""


@dataclass(frozen=True)
class Line:
    """A line of the table of the page."""

    tables: tuple[str, ...]
    columns: tuple[str, ...]
    kept: str

    @property
    def setting(self) -> tuple[str, int] | None:
        """The setting that names the period, and its default as the page has it."""
        found = re.search(r"`(\w+_days)` \((\d+)\)", self.kept)
        return (found[1], int(found[2])) if found else None

    @property
    def days(self) -> int | None:
        """The period, by default."""
        found = re.match(r"(\d+) days", self.kept)
        return self.setting[1] if self.setting else int(found[1]) if found else None


PAGE = (ROOT / "docs" / "retention.md").read_text()
LINES = [
    Line(tuple(re.findall(r"`(\w+)`", cells[1])), tuple(re.findall(r"`(\w+)`", cells[2])), cells[4].strip())
    for cells in (line.split("|") for line in PAGE.splitlines() if line.startswith("| `"))
]
TIMED = [line for line in LINES if line.days is not None]

PLANTED: Mapping[str, str] = {
    "questions": """
        INSERT INTO questions (question_no, platform, workspace, channel, message, thread, private, asker,
            asker_workspace, audience, text, text_hash, handle, unread, state, result, token, received_at, ended_at,
            deadline_at, allowed)
        VALUES (:id, 'slack', 'T1', 'C1', 'm' || :id, 't1', false, 'U1', 'T1', 'organisation', 'when?', '\\x01',
            '{"ts": "1"}', '{plan.xlsx}', 'posted', 'answered', gen_random_uuid(), :at, :at, :at, interval '1 min')
    """,
    "turns": """
        INSERT INTO turns (platform, person, person_workspace, conversation, question_no, question, reply, created_at,
            turn_no)
        VALUES ('slack', 'U1', 'T1', 'C1:t1', :id, 'when?', 'at noon', :at, :id)
    """,
    "posted_replies": """
        INSERT INTO posted_replies (question_no, reply, citations, confidence, posted_at, state, address, rights)
        VALUES (:id, 'at noon', '[{"n": 1}]', 1, :at, 's', 'ada@example.com', 'r')
    """,
    "answer_records": """
        INSERT INTO answer_records (question_no, outcome, cause, question, confidence, requests, nearest, trace)
        VALUES (:id, 'answered', '', 'when?', 1, 1, '["d"]', '{"mode": "direct"}')
    """,
    "feedback": """
        INSERT INTO feedback (question_no, platform, person, value, reason, updated_at)
        VALUES (:id, 'slack', 'U1', -1, 'wrong', :at)
    """,
    "owner_requests": """
        INSERT INTO owner_requests (question_no, document_id, sent_at) VALUES (:id, 'd1', :at)
    """,
    "web_replies": """
        INSERT INTO web_replies (question_no, attempt, step, state) VALUES (:id, 1, 1, '{"text": "at noon"}')
    """,
    "model_replies": """
        INSERT INTO model_replies (key, reply, created_at) VALUES (int8send(:id), 'at noon', :at)
    """,
    "audit_entries": """
        INSERT INTO audit_entries (entry_no, at, platform, actor, action, subject, detail)
        VALUES (:id, :at, 'terminal', 'root', 'source_added', 'docs', '{"kind": "files"}')
    """,
    "procrastinate_jobs": """
        WITH job AS (
            INSERT INTO procrastinate_jobs (id, queue_name, task_name, lock, args, status)
            VALUES (:id, 'slack', 'answer', 'slack:C1:t1', '{"number": 1}', 'failed') RETURNING id)
        INSERT INTO procrastinate_events (job_id, type, at) SELECT id, 'failed', :at FROM job
    """,
    "runs": """
        INSERT INTO runs (run_id, source, kind, state, started_at, finished_at, report)
        SELECT 10 * :id + number, 'docs', kind, 'done', :at, :at, '{"why": "x"}'
        FROM unnest(CAST(:kinds AS text[])) WITH ORDINALITY AS given (kind, number)
    """,
    "ticks": """
        INSERT INTO ticks (job, tick, due_at, taken_at, finished_at, state, detail)
        VALUES ('content', 'tick ' || :id, :at, :at, :at, 'done', 'x')
    """,
}
"""How a row is made, of a number and an age, with something in each column that the page names."""

FOUND: Mapping[str, str] = {
    "turns": "turn_no = :id",
    "model_replies": "key = int8send(:id)",
    "audit_entries": "entry_no = :id",
    "procrastinate_jobs": "id = :id",
    "runs": "run_id / 10 = :id AND kind = ANY(:kinds)",
    "ticks": "tick = 'tick ' || :id",
}
"""How it is found again; else by its question."""


async def test_each_column_with_text_or_of_a_person_has_a_line(storage: Storage) -> None:
    found = await rows(
        storage,
        "SELECT relname, attname, atttypid::regtype::text AS type FROM pg_attribute JOIN pg_class c ON c.oid = attrelid"
        " WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition"
        " AND attnum > 0 AND NOT attisdropped",
    )
    tables = {row.relname for row in found}
    numbers = r"smallint|integer|bigint|real|double precision|boolean|uuid|interval|timestamp .*"
    columns = {(row.relname, row.attname) for row in found if not re.fullmatch(numbers, row.type)}
    documented = [(table, column) for line in LINES for table in line.tables for column in line.columns]
    assert {table for line in LINES for table in line.tables} == tables
    assert {each for each in documented if each not in columns} == set(), "the page names what is not there"
    assert {each for each in documented if each[1] in NEITHER.get(each[0], ())} == set()
    missing = columns - set(documented) - {(table, column) for table, names in NEITHER.items() for column in names}
    assert missing == set(), "a line of docs/retention.md says how long it is kept"
    assert {(table, column) for table, names in NEITHER.items() for column in names} <= columns


def test_the_figures_of_the_page_are_the_defaults_of_the_settings() -> None:
    stated = {name: float(figure) for name, figure in re.findall(r"`(\w+)` \((\d+)\)", PAGE)}
    assert stated == {name: DEFAULTS[name] for name in stated}
    assert set(stated) == {
        *("memory_days", "question_days", "audit_days", "model_cache_days", "model_cache_entries"),
        "web_session_hours",
    }
    assert {line.days for line in TIMED if not line.setting} == set(CONSTANTS)


def periods(settings: Settings) -> dict[str, float]:
    """The periods in force."""
    said = settings.conversation
    return {
        "memory_days": said.memory_days,
        "question_days": said.question_days,
        "audit_days": said.audit_days,
        "model_cache_days": settings.model.model_cache_days,
    }


def others(settings: Settings) -> Settings:
    """The same with other periods: none of them is built in."""
    conversation = replace(settings.conversation, memory_days=11.0, question_days=40.0, audit_days=20.0)
    return replace(settings, conversation=conversation, model=replace(settings.model, model_cache_days=3.0))


@pytest.mark.parametrize("changed", [False, True])
async def test_what_is_a_day_too_old_goes_and_what_is_a_day_younger_stays(product: Product, *, changed: bool) -> None:
    settings = others(product.settings) if changed else product.settings
    in_force = periods(settings)

    def days(line: Line) -> float:
        return in_force[line.setting[0]] if line.setting else float(line.days or 0)

    ages = sorted({days(line) + more for line in TIMED for more in (-1, 1)}, reverse=True)  # as they came
    assert {table for line in TIMED for table in line.tables} == set(PLANTED)
    for number, age in enumerate(ages, start=1):
        for statement in PLANTED.values():
            await _run(
                product.storage, statement, number, age, [kind for kinds in CONSTANTS.values() for kind in kinds]
            )
    for line in TIMED:
        assert await _standing(product.storage, line, 1) == len(line.columns), "there is something to remove"
    await remove_what_is_too_old(product.storage, settings)
    for line in TIMED:
        for number, age in enumerate(ages, start=1):
            left = await _standing(product.storage, line, number)
            expected = len(line.columns) if age < days(line) else 0
            assert left == expected, f"{line.tables[0]} {line.columns} after {age} days; kept for {days(line)}"


async def _run(storage: Storage, statement: str, number: int, age: float, kinds: list[str]) -> None:
    aged = statement.replace(":at", f"(now() - interval '{age} days')")
    values: dict[str, Any] = {"id": number} | ({"kinds": kinds} if ":kinds" in statement else {})
    await change(storage, re.sub(r":id\b", "CAST(:id AS bigint)", aged), **values)


async def _standing(storage: Storage, line: Line, number: int) -> int:
    """In how many of the line's columns there is still something of that row."""
    (table,) = line.tables
    empty = "coalesce({0}::text, '') NOT IN ('', '{{}}', '[]', '\\x')"
    filled = ", ".join(f"({empty.format(column)})::integer" for column in line.columns)
    kinds: dict[str, Any] = {"kinds": list(CONSTANTS[line.days or 0])} if table == "runs" else {}
    where = re.sub(r":id\b", "CAST(:id AS bigint)", FOUND.get(table, "question_no = :id"))
    found = await rows(storage, f"SELECT {filled} FROM {table} WHERE {where}", id=number, **kinds)
    return sum(found[0]) if found else 0


async def test_what_an_operator_looks_at_last_stays_however_old(product: Product) -> None:
    """The last run of each kind, and the last of each scheduled job."""
    for table in ("runs", "ticks"):
        await _run(product.storage, PLANTED[table], 1, 1000, ["content", "permissions"])
    await remove_what_is_too_old(product.storage, product.settings)
    assert await rows(product.storage, "SELECT count(*) FROM runs") == [(2,)]
    assert await rows(product.storage, "SELECT count(*) FROM ticks") == [(1,)]


async def test_who_is_no_longer_signed_in_is_removed(product: Product) -> None:
    await product.storage.web_sessions().begin(b"1" * 32, "ada@example.com", -1)
    await product.storage.web_sessions().begin(b"2" * 32, "bo@example.com", 60)
    await remove_what_is_too_old(product.storage, product.settings)
    assert await rows(product.storage, "SELECT person FROM web_sessions") == [("bo@example.com",)]


async def test_one_removal_that_fails_does_not_hold_the_others(product: Product) -> None:
    await product.storage.web_sessions().begin(b"1" * 32, "ada@example.com", -1)
    await change(product.storage, "ALTER TABLE audit_entries RENAME TO audit_entries_away")
    with pytest.raises(KbError):
        await remove_what_is_too_old(product.storage, product.settings)
    assert await rows(product.storage, "SELECT count(*) FROM web_sessions") == [(0,)]


def late_ones() -> float:
    found = REGISTRY.get_sample_value("kb_questions_total", {"platform": "slack", "outcome": "late"})
    return found or 0.0


async def test_what_nobody_answered_is_closed_by_a_process_that_serves_other_platforms(
    product: Product, caplog: pytest.LogCaptureFixture
) -> None:
    before = late_ones()
    number = (await product.storage.ledger().claim(incoming(words="my-private-matter"), MANY)).number
    await change(product.storage, "UPDATE questions SET deadline_at = now() - interval '25 hours'")
    service = ServingProcess(product, [], None, None)  # type: ignore[arg-type] # nobody is served
    closing = asyncio.create_task(service._close_abandoned(after=0.0))
    for _ in range(500):
        if "closed as late" in caplog.text:
            break
        await asyncio.sleep(0.02)
    await cancel_and_wait(closing)
    assert "Questions of slack that nobody ended are closed as late, and nobody is told: 1." in caplog.text
    assert late_ones() == before + 1
    found = await product.storage.ledger().find(number)
    assert found is not None
    assert (found.result, found.text) == ("late", "")
