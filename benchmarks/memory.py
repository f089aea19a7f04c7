"""Memory of a process that answers questions: asks, and prints its own resident size in MB.

    python -m benchmarks.memory DATA_DIR [--questions N]

The last of N questions must not cost more than the first hundred, and a large index not more than a small one.
"""

import argparse
import asyncio
import json
from pathlib import Path

import psutil

from agent.providers.minilm import open_minilm
from benchmarks.corpus import MadeCorpus
from bot.app.product import open_product
from config.load import load
from domain.access import Scope


async def measure(folder: Path, questions: int) -> dict[str, int]:
    """Resident size after the first hundred questions and after all of them."""
    settings = load({"KB_AGENT_DATA_DIR": str(folder)}, folder)
    model = open_minilm(folder / "models", 2)
    asked = (await MadeCorpus.make(0, "bench", model)).questions(questions)
    async with open_product(settings, model=model) as product:
        sizes = []
        for number, question in enumerate(asked, start=1):
            await product.retriever.rank(question, Scope.member())
            if number in {min(100, questions), questions}:
                sizes.append(int(psutil.Process().memory_info().rss // 2**20))
    return {"after_100": sizes[0], f"after_{questions}": sizes[-1]}


def main() -> None:
    """Measures, and prints the result."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--questions", type=int, default=600)
    options = parser.parse_args()
    print(json.dumps(asyncio.run(measure(options.folder, options.questions))))


if __name__ == "__main__":
    main()
