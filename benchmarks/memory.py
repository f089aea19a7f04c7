"""Memory of a process that answers questions: asks, and prints its own resident size in MB.

    python -m benchmarks.memory DATA_DIR [--questions N]

The last of N questions must not cost more than the first hundred, and a large index not more than a small one.
"""

import asyncio
from pathlib import Path

from benchmarks.corpus import MadeCorpus
from benchmarks.measuring import parser, product_in, report, resident_mb
from domain.access import Scope


async def measure(folder: Path, questions: int) -> dict[str, int]:
    """Resident size after the first hundred questions and after all of them."""
    async with product_in(folder) as product:
        asked = (await MadeCorpus.make(0, "bench", product.embedder)).questions(questions)
        sizes = []
        for number, question in enumerate(asked, start=1):
            await product.retriever.rank(question, Scope.member())
            if number in {min(100, questions), questions}:
                sizes.append(resident_mb())
    return {"after_100": sizes[0], f"after_{questions}": sizes[-1]}


if __name__ == "__main__":
    options = parser(__doc__, questions=600)
    options.add_argument("folder", type=Path)
    given = options.parse_args()
    report(asyncio.run(measure(given.folder, given.questions)))
