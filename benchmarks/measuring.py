"""What the benchmarks share: options, a folder, the product in it, times, and what is printed."""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import psutil

from agent.evaluation.measures import percentile

if TYPE_CHECKING:
    from bot.app.product import Product

T = TypeVar("T")

KNOWLEDGE_BASE = Path(__file__).parents[1] / "examples" / "knowledge-base"
KB = [sys.executable, "-m", "bot.cli"]
"""The command `kb`."""


def parser(text: str | None, **numbers: float) -> argparse.ArgumentParser:
    """For a benchmark's options. text: the module's docstring. numbers: options with their defaults."""
    made = argparse.ArgumentParser(description=text, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, default in numbers.items():
        made.add_argument(f"--{name.replace('_', '-')}", type=type(default), default=default)
    return made


def say(words: str) -> None:
    """Says on standard error what is done."""
    print(words, file=sys.stderr, flush=True)


def report(found: object) -> None:
    """Prints the result."""
    print(json.dumps(found, indent=2, ensure_ascii=False), flush=True)


@contextmanager
def new_folder() -> Iterator[Path]:
    """A folder that is removed at the end."""
    with tempfile.TemporaryDirectory(prefix="kb-bench-", ignore_cleanup_errors=True) as name:
        Path(name).chmod(0o755)  # the embedded server runs as another user when started by root
        yield Path(name)


@asynccontextmanager
async def product_in(folder: Path) -> AsyncIterator["Product"]:
    """The product with its data in a folder, and the local model."""
    # benchmarks without the product do not wait for its import
    from agent.providers.minilm import open_minilm
    from bot.app.product import open_product
    from config.load import load

    settings = load({"KB_AGENT_DATA_DIR": str(folder)}, folder)
    async with open_product(settings, model=open_minilm(folder / "models", 2)) as product:
        yield product


def kb_environment(settings: Mapping[str, str]) -> dict[str, str]:
    """The environment of a child that runs `kb`."""
    return {**os.environ, **settings}  # noqa: TID251 - handed on to the command


def index_knowledge_base(settings: Mapping[str, str]) -> None:
    """Indexes the example knowledge base, by the command."""
    command, environment = [*KB, "index", str(KNOWLEDGE_BASE)], kb_environment(settings)
    subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def ms_since(started: float) -> float:
    """Milliseconds since a moment of time.perf_counter."""
    return 1000 * (time.perf_counter() - started)


async def timed(work: Awaitable[T]) -> tuple[float, T]:
    """Milliseconds that it took, and what it gave."""
    started = time.perf_counter()
    given = await work
    return ms_since(started), given


def spread(values: Sequence[float], digits: int = 2) -> dict[str, float]:
    """Median and 95th percentile."""
    return {"p50": round(percentile(values, 0.5), digits), "p95": round(percentile(values, 0.95), digits)}


def spread_with_max(values: Sequence[float], digits: int = 2) -> dict[str, float]:
    """Median, 95th percentile and the largest."""
    return {**spread(values, digits), "max": round(max(values), digits)}


def resident_mb() -> int:
    """Resident size of this process in MB."""
    return int(psutil.Process().memory_info().rss // 2**20)
