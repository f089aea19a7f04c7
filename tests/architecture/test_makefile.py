import re
import subprocess

import pytest

from tests.architecture.checkout import ROOT, committed, text

TARGETS = re.compile(r"^([a-z-]+):", re.MULTILINE)
PROMISED = {
    "help",
    "install",
    "demo",
    "test",
    "faults",
    "slow",
    "counterparts",
    "check",
    "format",
    "docs",
    "bench",
    "bench-large",
    "lock",
    "clean",
}


def test_has_the_targets_that_the_pages_promise() -> None:
    assert set(TARGETS.findall(text("Makefile"))) >= PROMISED


def test_every_target_is_phony() -> None:
    phony = re.search(r"^\.PHONY: (.+)$", text("Makefile"), re.MULTILINE)
    assert phony
    assert set(phony[1].split()) == set(TARGETS.findall(text("Makefile")))


def test_what_the_targets_run_is_there() -> None:
    called = re.findall(r"\bsh (scripts/\S+)", text("Makefile"))
    called += [
        name.replace(".", "/") + ".py" for name in re.findall(r"-m ((?:config|benchmarks)\.\w+)", text("Makefile"))
    ]
    assert called
    assert [path for path in called if path not in committed()] == []


def test_help_shows_every_target() -> None:
    done = subprocess.run(["make", "-s", "help"], cwd=ROOT, capture_output=True, text=True, check=True)
    assert {line.split()[0] for line in done.stdout.splitlines()} >= PROMISED


@pytest.mark.parametrize(
    "script", [path for path in committed() if path.startswith("scripts/") and path.endswith(".sh")]
)
def test_scripts_are_valid_for_a_plain_shell(script: str) -> None:
    subprocess.run(["sh", "-n", script], cwd=ROOT, check=True)
