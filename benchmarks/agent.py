"""The agent: what its graph costs, many questions at once, and grep.

    python -m benchmarks.agent [--questions N] [--at-once N] [--alone N] [--grep-chunks N]

questions: through the graph alone. alone: how many of those at once are asked alone too. grep-chunks: 0 leaves grep
out. See benchmarks.graph_overhead, benchmarks.at_once and benchmarks.grep. Prints what it does on standard error and
one JSON object on standard output, with the machine's load over the last minute before each part: above the number of
its cores, repeat the measurement.
"""

import argparse
import asyncio
import os
from collections.abc import Awaitable
from typing import Any

from benchmarks import at_once, graph_overhead, grep
from benchmarks.measuring import new_folder, parser, report, say


async def measure(options: argparse.Namespace) -> dict[str, Any]:
    """All parts, one after the other, each in a folder of its own."""
    found = {"graph_overhead_ms": await _part("the graph", graph_overhead.measure(options.questions))}
    with new_folder() as folder:
        together = at_once.measure(options.at_once, options.alone, folder)
        found["at_once"] = await _part(f"{options.at_once} questions at once", together)
    if options.grep_chunks:
        with new_folder() as folder:
            found["grep"] = await _part("grep", grep.measure(options.grep_chunks, folder))
    return found


async def _part(name: str, work: Awaitable[dict[str, Any]]) -> dict[str, Any]:
    load = os.getloadavg()[0]
    say(f"measuring {name}, load {load:.2f}")
    return {"load": round(load, 2), **await work}


if __name__ == "__main__":
    given = parser(__doc__, questions=200, at_once=50, alone=50, grep_chunks=100_000).parse_args()
    report(asyncio.run(measure(given)))
