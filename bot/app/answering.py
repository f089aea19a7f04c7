"""The part of the composition root that makes answers: settings in, an AnswerService out."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from agent.options import AgentOptions, Features
from agent.providers.english_words import EnglishWords
from agent.reasoners.offline.factory import OfflineReasonerFactory
from agent.routing import SearchLimits
from agent.service import AnswerService, ReasonerFactory
from agent.tools.registry import ToolSources
from agent.tracing import OpenTelemetrySpans
from bot.app.connectors import open_live, open_parser
from bot.app.graph_search import graph_of
from bot.app.reranking import open_reranker, rerank_options
from bot.app.searching import propositions_of, searching, source_summaries
from bot.conversation.index_control import ChatIndexControl
from config.settings import Settings
from domain.access import ORGANISATION, lowered
from domain.conversation import Platform
from domain.errors import Misconfigured
from domain.masking import Masker
from domain.model_ports import Embedder
from domain.tool_ports import LiveSource, WebSearch
from storage.index.text_samples import index_languages
from storage.open import Storage

if TYPE_CHECKING:
    from agent.providers.openai import ChatEndpoint
    from agent.reasoners.model.factory import ModelOptions


@asynccontextmanager
async def open_answers(
    settings: Settings, storage: Storage, embedder: Embedder, masker: Masker
) -> AsyncIterator[AnswerService]:
    """The service that the settings describe. masker: masks everything that is kept or leaves.

    Raises:
        Misconfigured: a setting does not fit, or the reranker's or model's address cannot be used.
    """
    near = storage.replicated()
    search, retriever = searching(settings, near, embedder)
    options = agent_options(settings)
    offline = OfflineReasonerFactory(retriever, embedder)
    async with AsyncExitStack() as stack:
        propositions = propositions_of(settings, near, embedder)
        live = await stack.enter_async_context(open_live(settings, storage))
        admins, control = admins_of(settings), None
        if admins:  # administration in words
            summaries = partial(source_summaries, storage.sources)
            control = ChatIndexControl(summaries, search, masker, admins, reindex_commands(settings))
        sources = ToolSources(
            search=search,
            retriever=retriever,
            embedder=embedder,
            document_catalog=storage.document_catalog(),
            grep=near.grep(),
            propositions=propositions if await propositions.available() else None,
            graph=graph_of(settings, near, embedder),
            reranker=await open_reranker(settings, embedder, stack),
            live=live,
            access=tuple(live.values()),
            web=await _web(settings, stack),
            engine=await _engine(settings, stack),
            files=_files(settings),
            control=control,
            owners=storage.document_owners(),
        )
        reasoners = await open_reasoners(settings, storage, offline, masker, stack)
        spans = OpenTelemetrySpans() if settings.agent.otel else None
        yield AnswerService(sources, reasoners, options, masker=masker, spans=spans, common_words=EnglishWords())


async def open_reasoners(
    settings: Settings, storage: Storage, offline: OfflineReasonerFactory, masker: Masker, stack: AsyncExitStack
) -> ReasonerFactory:
    """The model that the settings name, with the reasoner without a model behind it; that one alone where they name
    none. The stack closes it.

    Raises:
        Misconfigured: the model's address cannot be used.
    """
    wanted = model_options(settings)
    if wanted is None:
        return ReasonerFactory(offline.open)
    # a model's libraries take two seconds to import: only where one is configured
    from agent.reasoners.model.factory import open_model_reasoners

    days = timedelta(days=settings.model.model_cache_days)
    replies = storage.reply_cache(limit=settings.model.model_cache_entries, max_age=days)
    kept = replies if settings.model.model_cache_entries else None
    languages = partial(index_languages, storage.pool)
    factory = await stack.enter_async_context(open_model_reasoners(wanted, offline, kept, masker, languages))
    return ReasonerFactory(factory.open, needs_view=kept is not None, prepare=factory.prepare)


def agent_options(settings: Settings) -> AgentOptions:
    """How the agent works, by the settings. What the mode switches off is left to AgentOptions.overridden: one
    question may ask for the other mode."""
    agent, tools = settings.agent, settings.tools
    return AgentOptions(
        mode=agent.mode or ("agentic" if agent.use_adaptive_rag else "direct"),
        limits=SearchLimits(
            max_iterations=agent.max_iterations,
            generate=agent.grade_generate,
            refine=agent.grade_refine,
            early_stop=agent.early_stop,
        ),
        features=Features(
            decomposition=agent.decomposition,
            hyde=agent.hyde,
            graph=agent.graph_search,
            rerank=tools.rerank,
            verification=agent.verification,
            grading_skip=agent.grading_skip,
            expansion=agent.expansion,
        ),
        rerank=rerank_options(settings),
        top_k=settings.answer.answer_passages,
        min_relevance=settings.answer.answer_min_relevance,
        answer_sentences=settings.answer.answer_sentences,
        expansion_depth=agent.expansion_depth,
        expansion_threshold=agent.expansion_threshold,
        tool_calls=agent.tool_calls,
        evidence_tokens=agent.evidence_tokens,
        temperature=settings.model.llm_temperature,
    )


def model_options(settings: Settings) -> "ModelOptions | None":
    """The model's endpoint; None when no model is named."""
    model = settings.model
    if model.llm_model is None:
        return None
    from agent.reasoners.model.factory import ModelOptions

    endpoint = chat_endpoint(settings, model.llm_model, model.llm_small_model or "")
    deadline = settings.conversation.answer_deadline
    return ModelOptions(endpoint, model.llm_patience, model.model_call_budget, deadline, model.llm_reading_test)


def chat_endpoint(settings: Settings, model: str, small_model: str = "") -> "ChatEndpoint":
    """A model at the endpoint that the settings name."""
    from agent.providers.openai import ChatEndpoint

    wanted = settings.model
    return ChatEndpoint(
        base_url=wanted.llm_base_url or "https://api.openai.com/v1",
        api_key=wanted.llm_api_key.reveal() if wanted.llm_api_key else "",
        model=model,
        small_model=small_model,
        timeout=wanted.llm_timeout,
        reasoning_effort="" if wanted.llm_reasoning_effort == "auto" else wanted.llm_reasoning_effort,
    )


async def _web(settings: Settings, stack: AsyncExitStack) -> LiveSource | None:
    hosts = settings.tools.web_fetch_hosts
    if not hosts:
        return None
    from indexer.sources.web.live_page import LivePages
    from net.fetch import FetchPolicy, SafeFetcher

    index = settings.index
    policy = FetchPolicy(
        allow=index.fetch_allow,
        only=hosts,
        max_bytes=round(index.fetch_max_mb * 1_000_000),
        max_seconds=index.fetch_seconds,
    )
    fetcher = await stack.enter_async_context(SafeFetcher(policy))
    return LivePages(fetcher, await stack.enter_async_context(open_parser(settings)))


async def _engine(settings: Settings, stack: AsyncExitStack) -> WebSearch | None:
    tools = settings.tools
    if not tools.web_search_url:
        return None
    from indexer.sources.web.search_engine import JsonWebSearch, SearchEndpoint

    key = tools.web_search_api_key.reveal() if tools.web_search_api_key else ""
    return await stack.enter_async_context(JsonWebSearch(SearchEndpoint(tools.web_search_url, key)))


def admins_of(settings: Settings) -> frozenset[str]:
    """The addresses of those who administer the index."""
    return frozenset(lowered(each) for each in settings.conversation.admins)


def reindex_commands(settings: Settings) -> dict[str, str]:
    """What an administrator types to have something read again, by the name of the chat that is served; Slack's where
    none is."""
    from bot.app.configured_platforms import configured_platforms

    typed: dict[Platform, str] = {
        "slack": f"{settings.slack.slack_command} reindex",
        "teams": "reindex",
        "web": "POST /api/v1/reindex with",
    }
    return {each.title(): typed[each] for each in configured_platforms(settings) or ("slack",)}


def _files(settings: Settings) -> LiveSource | None:
    """The folders that may be read, each under its own name; None where there is none."""
    folders = {Path(each).name: Path(each).expanduser() for each in settings.tools.read_folders}
    if not folders:
        return None
    if len(folders) < len(settings.tools.read_folders):
        raise Misconfigured(
            "Two folders that may be read have the same name",
            why="KB_AGENT_READ_FOLDERS names them; a file is asked for by its folder's name.",
            next_step="Rename one of them, or name a folder above both.",
        )
    from indexer.sources.files.live_files import FolderFiles

    return FolderFiles(folders, dict.fromkeys(folders, ORGANISATION))
