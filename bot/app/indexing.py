"""One recorded index run over a source, whoever asked for it."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, nullcontext, suppress
from time import monotonic
from typing import TYPE_CHECKING

from agent.providers.cached import masking_mark
from bot.app.connectors import open_connector, open_parser
from bot.app.database import database_options
from bot.app.masking import masker_of, policy_of
from bot.app.product import Product, open_product
from bot.app.run_progress import NotedProgress
from bot.app.run_reports import counts, remark
from config.settings import IndexSettings, Settings
from domain.conversation import Participant
from domain.errors import KbError
from domain.metrics import INDEX_RUN_SECONDS, INDEX_RUNS
from indexer.run.report import RunReport
from storage.index.runs import RunKind, RunState
from storage.index.sources import Source
from storage.open import Storage, open_storage

if TYPE_CHECKING:
    from domain.index_ports import KnowledgeWriter
    from indexer.graph.annotation import Annotator
    from indexer.parse.sandbox import FileParser
    from indexer.run.dependencies import RunDependencies, RunOptions, RunProgress
    from indexer.run.index_run import IndexRun

log = logging.getLogger(__name__)

LONGEST_REASON = 500
"""Characters."""


async def index_source(
    product: "Product",
    source: "Source",
    opening: "Callable[[], Awaitable[KnowledgeWriter]]",
    options: "RunOptions",
    show: "Callable[[RunProgress], None]",
    *,
    hinted: bool = False,
    judge: "Callable[[RunReport], Awaitable[None]] | None" = None,
) -> "RunReport":
    """An index run over one source; recorded, unless it is a dry run. opening: gives what is written into; when it
    raises, the run has failed. show: is told of each step. hinted: a webhook asked for it. judge: done at the end of
    the run; when it raises, the run has failed."""
    progress = NotedProgress(show)
    opened = _pass(product, source, opening, options, progress)
    if options.dry_run:
        async with opened as work:
            return await work.run()
    return await record_run(product, source.name, opened, "hint" if hinted else kind_of(options), judge, progress)


@asynccontextmanager
async def open_to_index(
    settings: "Settings",
    names: "Callable[[Storage], Awaitable[Sequence[str]]]",
    kind: "RunKind" = "content",
    *,
    actor: Participant,
) -> "AsyncIterator[Product]":
    """An open product, by which `actor` works. Where it cannot be opened, as when the settings name a model that is not
    there, the runs that were wanted have failed for that reason. names: gives the sources that were to be read."""
    async with AsyncExitStack() as stack:
        try:
            product = await stack.enter_async_context(open_product(settings, actor=actor))
        except KbError as error:
            with suppress(KbError):  # where it is the database that is wrong, nothing can be kept
                masker = masker_of(policy_of(settings))
                async with open_storage(database_options(settings)) as storage:
                    for name in await names(storage):
                        async with storage.runs.begin(name, kind) as run_id:
                            report = RunReport(name, masking=masker.version)
                            report.reason = masker.secrets(reason_of(error)).text
                            await storage.runs.finish(run_id, "failed", report.as_json())
            raise
        yield product


@asynccontextmanager
async def _pass(
    product: "Product",
    source: "Source",
    opening: "Callable[[], Awaitable[KnowledgeWriter]]",
    options: "RunOptions",
    show: "Callable[[RunProgress], None]",
) -> "AsyncIterator[IndexRun]":
    from indexer.run.index_run import IndexRun

    writer = await opening()
    async with open_connector(source, product.settings) as connector, open_parser(product.settings) as parser:
        run = IndexRun(source.name, connector, tools_of(product, writer, parser), options, show)
        if product.settings.index.index_shared and kind_of(options) == "content" and not options.dry_run:
            from bot.app.shared_indexing import sharing_of

            run.sharing = sharing_of(product, writer)
        yield run


def kind_of(options: "RunOptions") -> "RunKind":
    """What a run with these options is about."""
    if options.permissions:
        return "permissions"
    return "part" if options.single or options.since is not None else "content"


def tools_of(product: "Product", writer: "KnowledgeWriter", parser: "FileParser") -> "RunDependencies":
    """What a run works with."""
    from indexer.run.dependencies import RunDependencies

    return RunDependencies(
        writer,
        product.embedder,
        product.counter,
        parser,
        product.masker,
        product.access(),
        product.chunk_limits,
        annotator_of(product.settings.index),
        f"{product.settings.index.max_file_mb:g} MB",
    )


def annotator_of(settings: "IndexSettings") -> "Annotator | None":
    """What reads texts for the knowledge graph; None when there is to be none. Raises Misconfigured for a pipeline that
    is not installed."""
    if not settings.index_graph:
        return None
    if settings.graph_pipeline:
        from indexer.graph.spacy_annotator import open_spacy

        return open_spacy(settings.graph_pipeline)
    from indexer.graph.plain_annotator import PlainAnnotator

    return PlainAnnotator()


async def record_run(
    product: "Product",
    source: str,
    opened: "AbstractAsyncContextManager[IndexRun]",
    kind: "RunKind" = "content",
    judge: "Callable[[RunReport], Awaitable[None]] | None" = None,
    progress: NotedProgress | None = None,
) -> "RunReport":
    """Does the work that is opened as the only one of its kind on its source (see storage.index.runs), and keeps its
    report, however it ends, also where there is nothing to open. Before, what was kept under another masking beside
    documents loses what these lose now: reports are masked anew, replies of models dropped."""
    async with product.storage.runs.begin(source, kind) as run_id:
        masker, began = product.masker, monotonic()
        _log(f"Index run {run_id} ({kind}) over {source} begins", "index_run_began", run_id, kind, source)
        await product.storage.reply_cache().keep_only(masking_mark(masker.version))
        await product.storage.runs.mask_reports(masker.version, lambda text: masker.secrets(text).text)
        report, reason = RunReport(source, masking=masker.version), ""
        state: RunState = "failed"
        try:
            async with opened as work:
                report = work.report
                async with progress.noting(product.storage.runs, run_id) if progress else nullcontext():
                    await _run(work, run_id)
                if judge is not None:
                    await judge(report)
                state, reason = report.outcome, remark(report)
            return report
        except asyncio.CancelledError:
            state, reason = "interrupted", "it was interrupted"
            raise
        except Exception as error:
            reason = reason_of(error)
            raise
        finally:
            report.reason = masker.secrets(reason).text
            seconds = monotonic() - began
            INDEX_RUNS.labels(kind, state).inc()
            INDEX_RUN_SECONDS.labels(kind).observe(seconds)
            _log_ended(run_id, kind, report, state, seconds)
            await asyncio.shield(product.storage.runs.finish(run_id, state, report.as_json()))


def _log_ended(run_id: int, kind: RunKind, report: RunReport, state: RunState, seconds: float) -> None:
    said = "; ".join(filter(None, (report.reason, counts(report)))) or "nothing has changed"
    line = f"Index run {run_id} ({kind}) over {report.source} ended: {state} after {seconds:.1f} s: {said}"
    _log(line, "index_run_ended", run_id, kind, report.source, state=state, seconds=round(seconds, 3))


def _log(line: str, event: str, run_id: int, kind: RunKind, source: str, **more: object) -> None:
    fields = {"event": event, "run": run_id, "kind": kind, "source": source, **more}
    log.info("%s", line, extra={"fields": fields})


async def _run(work: "IndexRun", run_id: int) -> None:
    if work.sharing is None:
        await work.run()
        return
    await work.sharing.begin(run_id)
    try:
        await work.run()
    finally:
        await asyncio.shield(work.sharing.end())


def reason_of(error: Exception) -> str:
    """Why something failed, in one line."""
    if not isinstance(error, KbError):
        return f"an error of ours: {type(error).__name__}"
    why = " ".join(error.why.split()).rstrip(".")
    return (f"{error.what} ({why})" if why else error.what)[:LONGEST_REASON]
