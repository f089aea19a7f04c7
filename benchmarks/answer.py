"""Time to an answer from the command line, on the example knowledge base and the embedded server.

    python -m benchmarks.answer [--runs N]

Cold: a new process for each question, server start and imports included, the index warm on disk. Interactive: one
process that is asked one question after another. Prints one JSON object on standard output.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from agent.evaluation.measures import percentile
from benchmarks.corpus import KNOWLEDGE_BASE

QUESTIONS = (KNOWLEDGE_BASE.parent / "questions.txt").read_text(encoding="utf-8").splitlines()
COMMAND = [sys.executable, "-m", "bot.cli"]
LAST = ("a model endpoint gives fuller answers.", "or index more: kb index")
"""What the last line of a reply has in it."""


def cold(environment: dict[str, str], question: str) -> tuple[float, float]:
    """Milliseconds to the first sign and to the end of one `kb ask`."""
    started = time.perf_counter()
    with subprocess.Popen(
        [*COMMAND, "ask", question], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stderr is not None
        process.stderr.read(1)
        sign = 1000 * (time.perf_counter() - started)
        process.communicate()
    return sign, 1000 * (time.perf_counter() - started)


def interactive(environment: dict[str, str], questions: list[str]) -> list[float]:
    """Milliseconds from each question to the last line of its reply, in one process; the first is not counted."""
    times = []
    with subprocess.Popen(
        [*COMMAND, "ask", "--interactive"],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        bufsize=1,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for question in questions:
            started = time.perf_counter()
            process.stdin.write(question + "\n")
            process.stdin.flush()
            line = " "
            while line and not any(words in line for words in LAST):
                line = process.stdout.readline()
            times.append(1000 * (time.perf_counter() - started))
        process.stdin.close()
    return times[1:]


def measure(runs: int, folder: Path) -> dict[str, object]:
    """Indexes once, then asks."""
    environment = {**os.environ, "KB_AGENT_DATA_DIR": str(folder)}  # noqa: TID251 - handed on to the command
    subprocess.run([*COMMAND, "index", str(KNOWLEDGE_BASE)], env=environment, check=True, stdout=subprocess.DEVNULL)
    asked = [QUESTIONS[number % len(QUESTIONS)] for number in range(runs)]
    rows = [cold(environment, question) for question in asked]
    times = interactive(environment, [QUESTIONS[0], *(asked * 3)])
    return {
        "cold_first_sign_ms": _spread([sign for sign, _ in rows]),
        "cold_answer_ms": _spread([whole for _, whole in rows]),
        "interactive_answer_ms": _spread(times),
    }


def _spread(values: list[float]) -> dict[str, float]:
    return {
        "p50": round(percentile(values, 0.5), 1),
        "p95": round(percentile(values, 0.95), 1),
        "max": round(max(values), 1),
    }


def main() -> None:
    """Measures, and prints the result."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=10)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="kb-bench-") as name:
        folder = Path(name)
        folder.chmod(0o755)  # the embedded server runs as another user when started by root
        print(json.dumps(measure(options.runs, folder), indent=2))


if __name__ == "__main__":
    main()
