"""What administrators look at over HTTP: the same figures as the commands show."""

from datetime import datetime
from functools import partial

from bot.app.gap_register import MOST_QUESTIONS, find_gaps, gap_json
from bot.app.product import Product
from bot.app.run_reports import counts
from bot.app.usage_figures import usage_figures
from bot.web.administering_models import GapBody, Gaps, RunBody, Stats
from bot.web.dependencies import Operating
from domain.access import Scope
from indexer.run.report import RunReport
from storage.index.runs import KINDS


def operating(product: Product) -> Operating:
    """Over an open product."""
    return Operating(partial(_runs, product), partial(_gaps, product), partial(_stats, product))


async def _runs(product: Product, limit: int) -> list[RunBody]:
    """The latest runs, but those of webhooks, without names of documents: not every administrator may read them all."""
    found = await product.storage.runs.latest(limit, [kind for kind in KINDS if kind != "hint"])
    return [
        RunBody(
            id=each.run_id,
            source=each.source,
            kind=each.kind,
            state=each.state,
            reason=each.reason,
            counts=counts(RunReport.from_json(each.report)),
            started_at=each.started_at,
            finished_at=each.finished_at,
        )
        for each in found
    ]


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
    return Stats.model_validate({"since": since, **usage_figures(rows)})
