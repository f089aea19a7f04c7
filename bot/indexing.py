"""One recorded pass over a source, whoever asked for it."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, suppress
from typing import TYPE_CHECKING

from domain.errors import KbError

if TYPE_CHECKING:
    from bot.main import Product
    from config.settings import IndexSettings, Settings
    from indexer.annotation import Annotator
    from indexer.pipeline import FileParser, Pass, RunOptions, Step, Tools, Writer
    from indexer.report import RunReport
    from storage.open import Storage
    from storage.runs import RunKind, RunState
    from storage.sources import Source

LONGEST_REASON = 500
"""Characters."""


async def run_pass(
    product: "Product",
    source: "Source",
    opening: "Callable[[], Awaitable[Writer]]",
    options: "RunOptions",
    show: "Callable[[Step], None]",
    *,
    hinted: bool = False,
) -> "RunReport":
    """A pass over one source; recorded, unless it is a dry run. opening: gives what is written into; where that cannot
    be written into, the run has failed. show: is told of each step. hinted: the source said that there is something to
    read."""
    opened = _pass(product, source, opening, options, show)
    if options.dry_run:
        async with opened as work:
            return await work.run()
    return await recorded(product, source.name, opened, "hint" if hinted else kind_of(options))


@asynccontextmanager
async def open_to_index(
    settings: "Settings", names: "Callable[[Storage], Awaitable[Sequence[str]]]", kind: "RunKind" = "content"
) -> "AsyncIterator[Product]":
    """An open product. Where it cannot be opened, as when the settings name a model that is not there, the runs that
    were wanted have failed for that reason. names: gives the sources that were to be read."""
    from bot.main import open_product

    async with AsyncExitStack() as stack:
        try:
            product = await stack.enter_async_context(open_product(settings))
        except KbError as error:
            with suppress(KbError):  # where it is the database that is wrong, nothing can be kept
                await _not_begun(settings, names, kind, error)
            raise
        yield product


async def _not_begun(
    settings: "Settings", names: "Callable[[Storage], Awaitable[Sequence[str]]]", kind: "RunKind", error: KbError
) -> None:
    from bot.main import database_options
    from bot.masking import masker_of, policy_of
    from indexer.report import RunReport
    from storage.open import open_storage

    masker = masker_of(policy_of(settings))
    async with open_storage(database_options(settings)) as storage:
        for name in await names(storage):
            async with storage.runs.begin(name, kind) as run_id:
                report = RunReport(name, masking=masker.version)
                report.reason = masker.secrets(reason_of(error)).text
                await storage.runs.finish(run_id, "failed", report.as_json())


@asynccontextmanager
async def _pass(
    product: "Product",
    source: "Source",
    opening: "Callable[[], Awaitable[Writer]]",
    options: "RunOptions",
    show: "Callable[[Step], None]",
) -> "AsyncIterator[Pass]":
    from bot.main import open_connector, open_parser
    from indexer.pipeline import Pass

    writer = await opening()
    async with open_connector(source, product.settings) as connector, open_parser(product.settings) as parser:
        yield Pass(source.name, connector, tools_of(product, writer, parser), options, show)


def kind_of(options: "RunOptions") -> "RunKind":
    """What a pass with these options is about."""
    if options.permissions:
        return "permissions"
    return "part" if options.single or options.since is not None else "content"


def tools_of(product: "Product", writer: "Writer", parser: "FileParser") -> "Tools":
    """What a pass works with."""
    from indexer.pipeline import Tools

    return Tools(
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
        from indexer.spacy_annotator import open_spacy

        return open_spacy(settings.graph_pipeline)
    from indexer.plain_annotator import PlainAnnotator

    return PlainAnnotator()


async def recorded(
    product: "Product", source: str, opened: "AbstractAsyncContextManager[Pass]", kind: "RunKind" = "content"
) -> "RunReport":
    """Does the work that is opened as the only one of its kind on its source (see storage.runs), and keeps its report,
    however it ends, also where there is nothing to open. Before, what was kept under another masking beside documents
    loses what these lose now: reports are masked anew, replies of models dropped."""
    from agent.providers.cached import masking_mark

    async with product.storage.runs.begin(source, kind) as run_id:
        masker = product.masker
        await product.storage.replies().keep_only(masking_mark(masker.version))
        await product.storage.runs.mask(masker.version, lambda text: masker.secrets(text).text)
        return await _closed(product, source, run_id, opened)


async def _closed(
    product: "Product", source: str, run_id: int, opened: "AbstractAsyncContextManager[Pass]"
) -> "RunReport":
    from bot.terminal.reports import remark
    from indexer.report import RunReport

    report, reason = RunReport(source, masking=product.masker.version), ""
    state: RunState = "failed"
    try:
        async with opened as work:
            report = work.report
            await work.run()
            state, reason = report.outcome, remark(report)
        return report
    except asyncio.CancelledError:
        state, reason = "interrupted", "it was interrupted"
        raise
    except Exception as error:
        reason = reason_of(error)
        raise
    finally:
        report.reason = product.masker.secrets(reason).text
        await asyncio.shield(product.storage.runs.finish(run_id, state, report.as_json()))


def reason_of(error: Exception) -> str:
    """Why something failed, in one line."""
    if not isinstance(error, KbError):
        return f"an error of ours: {type(error).__name__}"
    why = " ".join(error.why.split()).rstrip(".")
    return (f"{error.what} ({why})" if why else error.what)[:LONGEST_REASON]
