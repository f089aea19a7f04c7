"""The agent: what its graph costs, many questions at once, and grep.

    python -m benchmarks.agent [--questions N] [--at-once N] [--alone N] [--grep-chunks N]

See benchmarks.graph_overhead, benchmarks.at_once and benchmarks.grep. Prints what it does on standard error and one
JSON object on standard output, with the machine's load over the last minute before each part: above the number of its
cores, repeat the measurement.
"""

import argparse
import asyncio
import json
import os
import sys
import tempfile
from collections.abc import Awaitable
from pathlib import Path
from typing import Any

from benchmarks import at_once, graph_overhead, grep


async def measure(options: argparse.Namespace, folder: Path) -> dict[str, Any]:
    """All parts, one after the other, each in a folder of its own below `folder`."""
    together = at_once.measure(options.at_once, options.alone, folder / "at-once")
    found = {
        "graph_overhead_ms": await _part("the graph", graph_overhead.measure(options.questions)),
        "at_once": await _part(f"{options.at_once} questions at once", together),
    }
    if options.grep_chunks:
        found["grep"] = await _part("grep", grep.measure(options.grep_chunks, folder / "grep"))
    return found


async def _part(name: str, work: Awaitable[dict[str, Any]]) -> dict[str, Any]:
    load = os.getloadavg()[0]
    print(f"measuring {name}, load {load:.2f}", file=sys.stderr, flush=True)
    return {"load": round(load, 2), **await work}


def main() -> None:
    """Measures, and prints the result."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--questions", type=int, default=200, help="through the graph alone")
    parser.add_argument("--at-once", type=int, default=50)
    parser.add_argument("--alone", type=int, default=50, help="of those at once, asked alone too")
    parser.add_argument("--grep-chunks", type=int, default=100_000, help="0: without grep")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="kb-bench-") as folder:
        for each in (Path(folder), Path(folder, "at-once"), Path(folder, "grep")):
            each.mkdir(exist_ok=True)
            each.chmod(0o755)  # the embedded server runs as another user when started by root
        print(json.dumps(asyncio.run(measure(options, Path(folder))), indent=2))


if __name__ == "__main__":
    main()
