"""What administrators look at over HTTP: the same figures as the commands show."""

from datetime import datetime
from functools import partial
from typing import Any

from bot.app.gap_register import MOST_QUESTIONS, find_gaps, gap_json
from bot.app.product import Product
from bot.app.run_reports import counts
from bot.app.usage_figures import usage_by_day, usage_figures
from bot.web.administering_models import GapBody, Gaps, ProgressBody, RunBody, Stats
from domain.access import Scope
from indexer.run.report import RunReport
from storage.index.runs import KINDS, RunRecord


def readers(product: Product) -> tuple[Any, Any, Any]:
    """What reads runs, gaps and the use of the service; see bot.web.dependencies.Operating."""
    return partial(latest_runs, product), partial(_gaps, product), partial(_stats, product)


async def latest_runs(product: Product, limit: int) -> list[RunBody]:
    """The latest runs, but those of webhooks, without names of documents: not every administrator may read them all."""
    found = await product.storage.runs.latest(limit, [kind for kind in KINDS if kind != "hint"])
    return [run_body(each) for each in found]


def run_body(record: RunRecord) -> RunBody:
    """A run, without names of documents."""
    return RunBody.of(
        record,
        id=record.run_id,
        counts=counts(RunReport.from_json(record.report)),
        progress=ProgressBody.model_validate(record.progress) if record.progress and not record.finished_at else None,
    )


async def _gaps(product: Product, since: datetime, limit: int, scope: Scope) -> Gaps:
    asked = await product.storage.answer_records().gaps(since, MOST_QUESTIONS)
    found = await find_gaps(asked, product.embedder, product.storage.document_catalog(), scope, limit)
    rows = []
    for each in found:
        values = gap_json(each)
        near = [{"document_id" if k == "id" else k: v for k, v in info.items()} for info in values["nearest"]]
        rows.append(GapBody.model_validate({**{k: v for k, v in values.items() if k != "number"}, "nearest": near}))
    return Gaps(since=since, questions=len(asked), gaps=tuple(rows))


async def _stats(product: Product, since: datetime) -> Stats:
    rows = await product.storage.answer_records().usage(since)
    now = await product.storage.scheduled_runs().now()
    return Stats.model_validate({"since": since, **usage_figures(rows), "days": usage_by_day(rows, since, now)})
