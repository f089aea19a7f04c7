"""A model server that takes its time, in a process of its own.

    python -m benchmarks.slow_model SECONDS

Answers by the rules of tests.fakes.model_rules, each call after SECONDS, whatever else it is asked meanwhile. Prints
its address, and runs until its standard input ends.
"""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from tests.fakes.model_rules import reasonable
from tests.fakes.model_server import Body, Reply, model_server


@contextmanager
def slow_model(seconds: float) -> Iterator[str]:
    """Starts the process; gives its address."""
    command = [sys.executable, "-m", "benchmarks.slow_model", str(seconds)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        yield process.stdout.readline().strip()
        process.stdin.close()


def main() -> None:
    """Serves."""
    seconds = float(sys.argv[1])

    def slow(body: Body) -> Reply:
        return replace(reasonable(body), latency=seconds)

    with model_server(rules=(slow,)) as server:
        print(server.base_url, flush=True)
        sys.stdin.read()


if __name__ == "__main__":
    main()
