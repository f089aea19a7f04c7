"""Scheduled runs that may be held back: they write into a copy of the index, which takes the live one's place unless a
golden question fails in it that holds in the live one."""

import logging
from typing import TYPE_CHECKING

from bot.app.golden_file import GoldenFile, golden_of
from bot.app.golden_questions import compare_with_live
from bot.app.indexing import index_source
from bot.app.product import Product
from bot.markup.plain_text import counted

if TYPE_CHECKING:
    from collections.abc import Callable

    from domain.index_ports import KnowledgeWriter
    from indexer.run.dependencies import RunOptions, RunProgress
    from indexer.run.report import RunReport
    from storage.index.sources import Source

log = logging.getLogger(__name__)

WRITTEN = ("added", "changed", "masked_anew", "described", "renamed", "purged", "connected")
"""Counts of a report of which one at least is above 0 where the copy is another than the live index."""

NOT_HELD = "The run over %s is not held back: another index is being made beside the live one"


async def run_unless_worse(
    product: Product, source: "Source", options: "RunOptions", show: "Callable[[RunProgress], None]"
) -> "RunReport":
    """A run over one source as the settings want it: into the live index, or, with `golden_gate=hold` and golden
    questions, into a copy that is put to use when it is as good. What was missing at the source and whom documents
    admit holds at once in any case, and what other runs write into the live index meanwhile is in the copy before that
    is put to use. show: is told of each step.

    Raises: as index_source; SourceBusy, too, while a run over another source has such a copy; Misconfigured, where the
    questions cannot be read or asked: then the copy waits; Refused, where another index is being made by then.
    """
    golden = None
    if product.settings.schedule.golden_gate == "hold" and not options.permissions:
        golden = golden_of(product.settings, None, lambda text: product.masker.secrets(text).text)
    if golden is None:
        return await index_source(product, source, product.writer, options, show)
    copied, asked = None, golden

    async def opening() -> "KnowledgeWriter":
        nonlocal copied
        live = await product.writer()  # what cosines mean is measured for the live index, and copied with it
        copy = await product.storage.copied()
        copied = copy and copy.version_id
        if copy is None:
            log.warning(NOT_HELD, source.name)
        return copy or live

    async def judge(report: "RunReport") -> None:
        if copied:
            await _put_to_use(product, asked, report, copied)

    if await product.storage.rebuilding():  # nothing will be judged: others need not wait
        log.warning(NOT_HELD, source.name)
        return await index_source(product, source, product.writer, options, show)
    async with product.storage.runs.hold_copy(source.name):
        return await index_source(product, source, opening, options, show, judge=judge)


async def _put_to_use(product: Product, golden: GoldenFile, report: "RunReport", number: int) -> None:
    """Makes the copy of that number live, or says in the report why not. One that nothing was written into goes."""
    from storage.index.catching_up import catch_up

    if not any(getattr(report, name) for name in WRITTEN):
        await product.storage.drop_copied(number)
        return
    await catch_up(product.storage.engine)  # both are asked with all that other runs wrote meanwhile
    comparison = await compare_with_live(product, golden.asked, lambda _done: None, number=number)
    if not comparison.worse:
        await product.storage.publish(checked=number)
        return
    for row in comparison.worse:
        words = "The run over %s is held back: a golden question would fail: %s"
        log.error(words, report.source, row.question.question)
    fail = counted(len(comparison.worse), "golden question")
    report.held = f"held back: {fail} would fail; the index before goes on answering"
