"""Holding an answer of eight sentences against its sources, without a model.

    python -m benchmarks.claims [--answers N]

Passages are the first 1,500 characters of pages of the example company, four for an answer, read anew for each. Two
sentences are held against each: its own longest line without the first word, and that of another page. Prints one JSON
object on standard output.
"""

import time

from agent.checking import claim_comparison
from agent.checking.claim_comparison import compare_texts
from agent.checking.readings import read
from benchmarks.measuring import KNOWLEDGE_BASE, ms_since, parser, report, spread_with_max

SENTENCES, PASSAGE = 8, 1_500


def measure(answers: int) -> dict[str, object]:
    """Milliseconds for each answer."""
    texts = [path.read_text("utf-8")[:PASSAGE] for path in sorted(KNOWLEDGE_BASE.rglob("*.md"))]
    claims = [_claim(text) for text in texts]
    compare_texts(claims[0], texts[:1])
    times = []
    for number in range(answers):
        read.cache_clear()
        claim_comparison.readings_of.cache_clear()
        started = time.perf_counter()
        for position in range(SENTENCES):
            chosen = (number * 3 + position // 2) % len(texts)
            compare_texts(claims[(chosen + position % 2) % len(claims)], [texts[chosen]])
        times.append(ms_since(started))
    return {"answers": answers, "sentences": SENTENCES, "characters": PASSAGE, "ms": spread_with_max(times, 1)}


def _claim(text: str) -> str:
    """The longest line of a text, without its first word."""
    return max(text.splitlines(), key=len).partition(" ")[2][:200]


if __name__ == "__main__":
    report(measure(parser(__doc__, answers=50).parse_args().answers))
