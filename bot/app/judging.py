"""Opens the model that judges answers for `kb eval answers --judge`."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from agent.evaluation.judge import Judge
from agent.providers.json_replies import object_of
from agent.providers.openai import open_chat_model
from bot.app.answering import chat_endpoint
from config.settings import Settings
from domain.errors import Misconfigured
from domain.model_ports import Embedder


@asynccontextmanager
async def open_judge(settings: Settings, model: str, embedder: Embedder) -> AsyncIterator[Judge]:
    """A judge at the endpoint that the settings name, whether or not a model there writes the answers. model: the
    endpoint's name of the one that judges.

    Raises:
        Misconfigured: no endpoint is configured, or its address or key cannot be used.
    """
    if not settings.model.llm_base_url and not settings.model.llm_api_key:
        raise Misconfigured(
            "There is no endpoint of a model that could judge",
            why="--judge names a model at the endpoint of KB_AGENT_LLM_BASE_URL.",
            next_step="Set KB_AGENT_LLM_BASE_URL, or KB_AGENT_LLM_API_KEY for OpenAI; see docs/settings.md.",
        )
    async with open_chat_model(chat_endpoint(settings, model)) as chat:
        yield Judge(chat, embedder, object_of)
