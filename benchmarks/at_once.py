"""Many questions at once in one process, against one of them alone, with a model that takes a second a call.

The index is the example knowledge base's in an embedded database, with the real embedding model; the model's server is
a process of its own. Questions are made of the headings of the pages; replies are not kept.
"""

import asyncio
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agent.service import AnswerService
from benchmarks.measuring import KNOWLEDGE_BASE, index_knowledge_base, ms_since, spread, spread_with_max, timed
from benchmarks.slow_model import slow_model
from bot.app.product import open_product
from config.load import load
from domain.access import Scope
from domain.answers import Answer, Question
from tests.fakes.embeddings_server import KEY
from tests.fakes.model_server import CHAT_MODEL

SECONDS = 1.0
"""What a call of the model takes."""

_HEADING = re.compile(r"(?m)^(#{1,3}) +(.+?)\s*$")


@dataclass(frozen=True, slots=True)
class Timed:
    """One question that was asked."""

    text: str
    ms: float
    """Milliseconds to its outcome."""
    calls: int
    """Calls of the model."""
    answered: bool


async def measure(questions: int, alone: int, folder: Path) -> dict[str, Any]:
    """Times in milliseconds.

    alone: so many of the questions, one after the other. at_once: all of them asked together, each from the moment
    that all were asked. ratio: of a question's time among the others to its time alone, over those asked both ways.
    last_ratio: from the first question to the last outcome, to the slowest question alone.
    """
    environment = {"KB_AGENT_DATA_DIR": str(folder), "KB_AGENT_MODEL_CACHE_ENTRIES": "0"}
    await asyncio.to_thread(index_knowledge_base, environment)
    first, *texts = headings(questions + 1)
    with slow_model(SECONDS) as url:
        named = {"KB_AGENT_LLM_BASE_URL": url, "KB_AGENT_LLM_API_KEY": KEY, "KB_AGENT_LLM_MODEL": CHAT_MODEL}
        async with open_product(load(environment | named, folder)) as product:
            await _timed(product.answers, first)  # loads what is loaded once
            started = time.perf_counter()
            together = await asyncio.gather(*(_timed(product.answers, text) for text in texts))
            wall = ms_since(started)
            both = together[:: max(1, questions // alone)]
            single = [await _timed(product.answers, each.text) for each in both]
    ratios = [one.ms / other.ms for one, other in zip(both, single, strict=True)]
    return {
        "seconds_a_call": SECONDS,
        "alone": _told(single),
        "at_once": _told(together),
        "ratio": spread_with_max(ratios),
        "last_ms": round(wall),
        "last_ratio": round(wall / max(each.ms for each in single), 2),
    }


def headings(count: int) -> list[str]:
    """Questions about so many headings of the knowledge base, no two alike."""
    found: dict[str, None] = {}
    for page in sorted(KNOWLEDGE_BASE.rglob("*.md")):
        (_, title), *others = _HEADING.findall(page.read_text(encoding="utf-8")) or [("", "")]
        for _, heading in others:
            found[f"What does {title} say about {heading.lower()}?"] = None
    texts = list(found)
    assert len(texts) >= count, len(texts)
    return [texts[number * len(texts) // count] for number in range(count)]


async def _timed(service: AnswerService, text: str) -> Timed:
    ms, answer = await timed(service.ask(Question(text, Scope.member())))
    return Timed(text, ms, answer.outcome.trace.model_calls, isinstance(answer.outcome, Answer))


def _told(asked: Sequence[Timed]) -> dict[str, Any]:
    return {
        "questions": len(asked),
        "answered": sum(each.answered for each in asked),
        "calls": {n: sum(each.calls == n for each in asked) for n in sorted({each.calls for each in asked})},
        **{f"{name}_ms": round(ms) for name, ms in spread([each.ms for each in asked]).items()},
    }
