"""Time to an answer from the command line, on the example knowledge base and the embedded server.

    python -m benchmarks.answer [--runs N]

Cold: a new process for each question, server start and imports included, the index warm on disk. Beside a server: new
processes of several commands while the embedded server runs, to the last output, to the end, and their processor time.
Interactive: one process that is asked one question after another. Last check: the one of rights, right before a reply
is shown, with looking up who reads along. Prints one JSON object on standard output.
"""

import asyncio
import os
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.last_check import last_check
from benchmarks.measuring import (
    KB,
    KNOWLEDGE_BASE,
    index_knowledge_base,
    kb_environment,
    ms_since,
    new_folder,
    parser,
    product_in,
    report,
    spread_with_max,
)
from storage.server.embedded import EmbeddedServer

QUESTIONS = (KNOWLEDGE_BASE.parent / "questions.txt").read_text(encoding="utf-8").splitlines()
COMMANDS = (("ask", QUESTIONS[0]), ("status",), ("graph", "show", "PostgreSQL"), ("doctor",))
LAST = ("a model endpoint gives fuller answers.", "or index more: kb index")
"""What the last line of a reply has in it."""


def cold(environment: dict[str, str], question: str) -> tuple[float, float]:
    """Milliseconds to the first sign and to the end of one `kb ask`."""
    started = time.perf_counter()
    with subprocess.Popen(
        [*KB, "ask", question], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stderr is not None
        process.stderr.read(1)
        sign = ms_since(started)
        process.communicate()
    return sign, ms_since(started)


def beside_a_server(environment: dict[str, str], folder: Path, runs: int) -> dict[str, object]:
    """By command: milliseconds of so many new processes of each, one command after the other in each round."""
    rows: dict[str, list[tuple[float, float, float]]] = {words[0]: [] for words in COMMANDS}
    server = EmbeddedServer(folder)
    server.start()
    try:
        for _ in range(runs):
            for words in COMMANDS:
                rows[words[0]].append(ended(environment, words))
    finally:
        server.stop()
    names = ("last_output", "end", "processor")
    return {
        command: {name: spread_with_max(each, 1) for name, each in zip(names, zip(*found, strict=True), strict=True)}
        for command, found in rows.items()
    }


def ended(environment: dict[str, str], words: Sequence[str]) -> tuple[float, float, float]:
    """Milliseconds to the last output and to the end of a command, and of the processor's time."""
    started = last = time.perf_counter()
    process = subprocess.Popen([*KB, *words], env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert process.stdout is not None
    with process.stdout as output:
        while os.read(output.fileno(), 1 << 16):
            last = time.perf_counter()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise AssertionError(f"kb {' '.join(words)} ended with {process.returncode}")
    return 1000 * (last - started), ms_since(started), 1000 * (used.ru_utime + used.ru_stime)


def interactive(environment: dict[str, str], questions: list[str]) -> list[float]:
    """Milliseconds from each question to the last line of its reply, in one process; the first is not counted."""
    times = []
    with subprocess.Popen(
        [*KB, "ask", "--interactive"],
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
            times.append(ms_since(started))
        process.stdin.close()
    return times[1:]


async def checked(folder: Path, times: int) -> dict[str, object]:
    """The last check of rights, so many times."""
    async with product_in(folder) as product:
        return await last_check(product, QUESTIONS[0], "ada@example.com", times)


def measure(runs: int, folder: Path) -> dict[str, object]:
    """Indexes once, then asks."""
    settings = {"KB_AGENT_DATA_DIR": str(folder)}
    index_knowledge_base(settings)
    environment = kb_environment(settings)
    asked = [QUESTIONS[number % len(QUESTIONS)] for number in range(runs)]
    rows = [cold(environment, question) for question in asked]
    times = interactive(environment, [QUESTIONS[0], *(asked * 3)])
    return {
        "cold_first_sign_ms": spread_with_max([sign for sign, _ in rows], 1),
        "cold_answer_ms": spread_with_max([whole for _, whole in rows], 1),
        "beside_a_server_ms": beside_a_server(environment, folder, runs),
        "interactive_answer_ms": spread_with_max(times, 1),
        "last_check": asyncio.run(checked(folder, 20 * runs)),
    }


if __name__ == "__main__":
    with new_folder() as data:
        report(measure(parser(__doc__, runs=10).parse_args().runs, data))
