"""Which sources are said to be read too long ago."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from bot.app.freshness import GRACE, freshness_problems, overdue_content
from bot.app.product import Product
from domain.cron import Cron
from indexer.scheduling.triggers import Trigger
from storage.index.sources import Source, SourceState
from tests.fakes.documents import SOURCE, a_document, put
from tests.fakes.embedder import HashEmbedder

NIGHTLY = Trigger(Cron("30 3 * * *"), ZoneInfo("UTC"))
DONE = datetime(2026, 5, 4, 3, 45, tzinfo=UTC)
DUE = datetime(2026, 5, 5, 3, 30, tzinfo=UTC)
READ = SourceState(Source("wiki", "files", {}), 3, 0, 1, "done", DONE, last_done_at=DONE)


def test_content_is_fresh_until_well_after_it_was_due_again() -> None:
    assert overdue_content([READ], NIGHTLY, DUE + GRACE) == []
    (words,) = overdue_content([READ], NIGHTLY, DUE + GRACE + timedelta(seconds=1))
    assert words == "The content of wiki was read to its end last at 2026-05-04 03:45 UTC. See: kb runs"


def test_without_a_schedule_no_content_is_old() -> None:
    assert overdue_content([READ], None, DUE + timedelta(days=900)) == []


def test_what_was_tried_and_never_done_is_told_and_what_was_not_tried_yet_is_not() -> None:
    failed = replace(READ, last_done_at=None, last_run_state="failed")
    (words,) = overdue_content([failed], NIGHTLY, DUE)
    assert words == "The content of wiki was never read to its end. See: kb runs"
    for state in (None, "running"):
        assert overdue_content([replace(failed, last_run_state=state)], NIGHTLY, DUE) == []


def test_what_was_added_and_not_read_when_it_was_due_is_told() -> None:
    added = replace(READ, last_done_at=None, last_run_state=None, added_at=DONE)
    assert overdue_content([added], NIGHTLY, DUE + GRACE) == []
    (words,) = overdue_content([added], NIGHTLY, DUE + GRACE + timedelta(seconds=1))
    assert words == "The content of wiki was never read to its end. See: kb runs"


async def test_an_empty_index_is_not_in_order_and_a_filled_one_is(product: Product) -> None:
    assert await freshness_problems(product) == ["Nothing is indexed yet: kb index PATH_OR_URL"]
    await product.storage.sources.add(Source(SOURCE, "files", {}))
    await put(await product.writer(), HashEmbedder(), a_document("one"), "some words")
    assert await freshness_problems(product) == []
