"""What is said of the database, its schema and its queue."""

from dataclasses import replace
from datetime import timedelta

from domain.conversation import QuestionLimits
from storage.open import Storage
from storage.revision import REVISION
from tests.contract.conversations import ADA, PLACE, incoming
from tests.unit.storage.rows import change

SLACK = ("slack",)
LOST, GRACE = timedelta(seconds=20), timedelta(seconds=30)


async def test_a_new_database_is_in_order_and_nobody_works_yet(storage: Storage) -> None:
    condition = storage.health()
    await condition.ping()
    assert await condition.schema_problem() == ""
    found = await condition.queue_health(SLACK, lost=LOST, grace=GRACE)
    assert (found.open, found.overdue, found.workers) == (0, 0, 0)


async def test_another_schema_is_named(storage: Storage) -> None:
    await change(storage, "UPDATE alembic_version SET version_num = '0001'")
    assert await storage.health().schema_problem() == f"The schema is 0001; {REVISION} is needed: kb db upgrade"


async def test_what_runs_while_a_later_release_upgrades_goes_on(storage: Storage) -> None:
    await change(storage, "UPDATE alembic_version SET version_num = '9999'")
    assert await storage.health().schema_problem() == ""


async def test_a_worker_for_other_platforms_does_not_count(storage: Storage) -> None:
    await change(storage, "INSERT INTO procrastinate_workers DEFAULT VALUES")
    await change(storage, "INSERT INTO worker_slots SELECT id, ARRAY['teams', 'index'], 4 FROM procrastinate_workers")
    condition = storage.health()
    assert (await condition.queue_health(SLACK, lost=LOST, grace=GRACE)).workers == 0
    assert (await condition.queue_health(("slack", "teams"), lost=LOST, grace=GRACE)).workers == 1


async def test_questions_past_their_deadline_and_workers_alive_are_counted(storage: Storage) -> None:
    for name in ("1", "2"):
        await storage.ledger().claim(incoming(name), QuestionLimits())
    await change(storage, "UPDATE questions SET deadline_at = now() - interval '1 minute' WHERE message = '2'")
    await change(storage, "INSERT INTO procrastinate_workers DEFAULT VALUES")
    await change(storage, "INSERT INTO procrastinate_workers (last_heartbeat) VALUES (now() - interval '1 minute')")
    await change(storage, "INSERT INTO worker_slots SELECT id, ARRAY['slack'], 4 FROM procrastinate_workers")
    found = await storage.health().queue_health(SLACK, lost=LOST, grace=GRACE)
    assert (found.open, found.overdue, found.workers) == (2, 1, 1)


async def test_questions_of_platforms_that_are_not_served_do_not_count(storage: Storage) -> None:
    asked = incoming(asker=replace(ADA, platform="teams"), place=replace(PLACE, platform="teams"))
    await storage.ledger().claim(asked, QuestionLimits())
    await change(storage, "UPDATE questions SET deadline_at = now() - interval '1 minute'")
    found = await storage.health().queue_health(SLACK, lost=LOST, grace=GRACE)
    assert (found.open, found.overdue, found.overdue_anywhere) == (0, 0, 1)
    found = await storage.health().queue_health(("slack", "teams"), lost=LOST, grace=GRACE)
    assert (found.open, found.overdue, found.overdue_anywhere) == (1, 1, 1)


async def test_a_question_whose_terminal_was_closed_is_nobodys_concern(storage: Storage) -> None:
    asked = incoming(asker=replace(ADA, platform="terminal"), place=replace(PLACE, platform="terminal"))
    await storage.ledger().claim(asked, QuestionLimits())
    await change(storage, "UPDATE questions SET deadline_at = now() - interval '1 minute'")
    assert (await storage.health().queue_health(SLACK, lost=LOST, grace=GRACE)).overdue_anywhere == 0
