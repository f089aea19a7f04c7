"""One recorded pass over a source, whoever asked for it."""

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bot.main import Product
    from config.settings import IndexSettings
    from indexer.annotation import Annotator
    from indexer.pipeline import FileParser, Pass, RunOptions, Step, Tools, Writer
    from indexer.report import RunReport
    from storage.runs import RunKind, RunState
    from storage.sources import Source


async def run_pass(
    product: "Product",
    source: "Source",
    writer: "Writer",
    options: "RunOptions",
    show: "Callable[[Step], None]",
    *,
    hinted: bool = False,
) -> "RunReport":
    """A pass over one source; recorded, unless it is a dry run. show: is told of each step. hinted: the source said
    that there is something to read."""
    from bot.main import open_connector, open_parser
    from indexer.pipeline import Pass

    async with open_connector(source, product.settings) as connector, open_parser(product.settings) as parser:
        work = Pass(source.name, connector, tools_of(product, writer, parser), options, show)
        kind = "hint" if hinted else kind_of(options)
        return await (work.run() if options.dry_run else recorded(product, source.name, work, kind))


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


async def recorded(product: "Product", source: str, work: "Pass", kind: "RunKind" = "content") -> "RunReport":
    """Runs `work` as the only one of its kind on its source (see storage.runs), and keeps its report, however it ends.
    Before, what was kept under another masking beside documents loses what these lose now: reports are masked anew,
    replies of models dropped."""
    from agent.providers.cached import masking_mark

    async with product.storage.runs.begin(source, kind) as run_id:
        masker = product.masker
        await product.storage.replies().keep_only(masking_mark(masker.version))
        await product.storage.runs.mask(masker.version, lambda text: masker.secrets(text).text)
        return await _closed(product, run_id, work)


async def _closed(product: "Product", run_id: int, work: "Pass") -> "RunReport":
    state: RunState = "failed"
    try:
        report = await work.run()
        state = report.outcome
        return report
    except asyncio.CancelledError:
        state = "interrupted"
        raise
    finally:
        closing = product.storage.runs.finish(run_id, state, work.report.as_json())
        await asyncio.shield(closing)
