"""Makes faults in the product, one at a time, and sees whether a test fails: a measure of the tests.

Each fault is made in a copy of the checkout, never in the checkout itself. Then those tests run that reach the changed
line, the nearest ones first, until one fails. Which tests reach a line comes from one run of the tests with coverage,
which is kept in `.mutants/`; remove that folder after changes. Where no test fails, the tests of the whole product run
that concern the area. A test that also fails without the fault does not count.

    python -m tests.mutation.run [--workers N] [AREA[:NUMBER] ...]

It prints a line for each fault and one for each area. It exits with 1 when a fault was missed.
"""

import argparse
import ast
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from queue import SimpleQueue

from tests.mutation.fault_table import Fault, faults

ROOT = Path(__file__).resolve().parents[2]
REACH = ROOT / ".mutants" / "reach"
"""The database of coverage: which test reaches which line."""

MEASURED = (
    *("tests/unit", "tests/contract", "tests/property", "tests/golden", "tests/masking", "tests/migration"),
    "tests/attacks",
)
"""The tests that run with coverage: those that start no processes of the product."""

BATCHES = (25, 250)
"""How many of the tests that reach a line run at first, and how many after these."""

SECONDS = 300
"""For one batch. A fault that makes tests hang for longer is caught."""

_FAILED = re.compile(r"^(?:FAILED|ERROR) (\S+\.py(?:::\w+)*)", re.MULTILINE)


class Checkout:
    """A copy of the checkout, in which one fault is made after the other."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        for name in subprocess.run(listed, cwd=ROOT, check=True, capture_output=True).stdout.decode().split("\0"):
            if (ROOT / name).is_file():
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, folder / name)
        (folder / ".venv").symlink_to(sys.prefix)

    def caught_by(self, fault: Fault, reaching: Sequence[str]) -> str:
        """The test that fails with the fault and not without it; empty when there is none."""
        first, more = BATCHES
        for tests in (reaching[:first], reaching[first : first + more], fault.flows):
            if tests and (failed := self._failed(fault, tests)):
                return failed
        return ""

    def _failed(self, fault: Fault, tests: Sequence[str]) -> str:
        path = self._folder / fault.file
        before = path.read_text()
        unsteady: list[str] = []
        while True:
            path.write_text(before.replace(fault.original, fault.replacement))
            try:
                found = self._run([*tests, *(f"--deselect={each}" for each in unsteady)])
            finally:
                path.write_text(before)
            if "::" not in found or not self._run([found]):
                return found
            unsteady.append(found)

    def _run(self, tests: Sequence[str]) -> str:
        """The first of the tests that fails; empty when none does."""
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests]
        env = {**os.environ, "PYTHONPATH": str(self._folder), "PYTHONDONTWRITEBYTECODE": ""}
        try:
            done = subprocess.run(
                command, check=False, cwd=self._folder, env=env, capture_output=True, text=True, timeout=SECONDS
            )
        except subprocess.TimeoutExpired:
            return f"the limit of {SECONDS} s"
        failed = _FAILED.search(done.stdout)
        return failed[1] if failed else "" if done.returncode in {0, 5} else f"exit code {done.returncode}"


def reaching(fault: Fault) -> list[str]:
    """The tests that reach what a fault changes, the nearest first. For what is no part of a function: those that reach
    any line of the file."""
    changed, found, others = _lines(fault), set[str](), set[str]()
    for context, lines in _reached(fault.file):
        test = re.split(r"[\[|]", context)[0]
        (found if lines & changed else others).add(test)
    return sorted(found or others, key=lambda test: (-_nearness(test, fault.file), test))


def _reached(file: str) -> Iterator[tuple[str, set[int]]]:
    """Each test that reaches lines of a file, with these. The database's tables are described in coverage's manual; it
    has lines as bits, the lowest of the first byte for line 0."""
    query = """SELECT context, numbits FROM line_bits JOIN context ON context.id = context_id
               JOIN file ON file.id = file_id WHERE '/' || path LIKE '%/' || ? AND context <> ''"""
    with closing(sqlite3.connect(REACH)) as database:
        for context, bits in database.execute(query, (file,)):
            yield context, {8 * place + bit for place, byte in enumerate(bits) for bit in range(8) if byte >> bit & 1}


def _lines(fault: Fault) -> set[int]:
    """The lines of the innermost statement that a fault changes."""
    text = (ROOT / fault.file).read_text()
    line = text[: text.index(fault.original.lstrip())].count("\n") + 1
    statements = (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.stmt))
    around = (set(range(each.lineno, (each.end_lineno or 0) + 1)) for each in statements)
    return min((each for each in around if line in each), key=len, default=set())


def _nearness(test: str, file: str) -> float:
    """How many words of a file's path are in that of a test's module, less for tests of several modules together."""
    module = test.partition("::")[0]
    words = set(re.split(r"[/_.]", file)) - {"py"}
    return len(words & set(re.split(r"[/_.]", module))) - 0.5 * (not module.startswith("tests/unit"))


def _measure() -> None:
    """Runs the tests with coverage, unless that was done."""
    if not REACH.exists():
        REACH.parent.mkdir(exist_ok=True)
        command = [sys.executable, "-m", "pytest", "-q", "-n", "auto", "--cov", "--cov-report=", "--cov-context=test"]
        env = {**os.environ, "COVERAGE_FILE": str(REACH)}
        # a test that coverage makes too slow may fail: what it reaches is noted all the same
        subprocess.run([*command, *MEASURED], check=False, cwd=ROOT, env=env)


def main() -> int:
    """Tries the faults that are named, all by default."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("names", nargs="*", metavar="AREA[:NUMBER]")
    options = parser.parse_args()
    chosen = [each for each in faults() if not options.names or {str(each), each.area} & {*options.names}]
    _measure()
    free: SimpleQueue[Checkout] = SimpleQueue()

    def tried(fault: Fault) -> bool:
        checkout = free.get()
        try:
            caught = checkout.caught_by(fault, reaching(fault))
        finally:
            free.put(checkout)
        print(f"{'caught' if caught else 'MISSED'} {fault} {fault.meaning}: {caught or 'no test'}", flush=True)
        return bool(caught)

    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(options.workers) as pool:
        for number in range(options.workers):
            free.put(Checkout(Path(folder) / str(number)))
        caught = dict(zip(chosen, pool.map(tried, chosen), strict=True))
    for area in dict.fromkeys(each.area for each in chosen):
        of_area = [held for each, held in caught.items() if each.area == area]
        print(f"{area}: {sum(of_area)} of {len(of_area)}")
    return 0 if all(caught.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
