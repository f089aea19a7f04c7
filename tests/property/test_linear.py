"""No text keeps the product busy: time grows with the length, whatever the text was made against."""

import re
import resource
import signal
import subprocess
import sys
import time

import pytest

from benchmarks.linear import QUICK, measured
from tests.command import ROOT
from tests.pattern_attacks import attacks

SECRET = """\
from domain.masking import Masker
from domain.masking.ruleset.secret_strength import strength, is_placeholder
for text in {texts!r}:
    Masker().mask(text)
    strength(text)
    is_placeholder(text)
"""
PROCESSOR = 60
"""Seconds of processor time; what grows with the square, or worse, takes minutes."""


def child(*words: str) -> subprocess.CompletedProcess[str]:
    """A Python of its own, which can be ended while a pattern holds its interpreter. However busy the machine is, only
    what it does itself counts."""
    command = [sys.executable, *words]
    return subprocess.run(
        command,
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (PROCESSOR, PROCESSOR)),
    )


@pytest.mark.check
@pytest.mark.parametrize(
    "texts",
    [
        ["The secret is " + "A" * 36 + "_1", "The secret is " + "A" * 36 + "!1"],
        ["The password is " + "A" * 20_000, "password: " + "x1-" * 7_000, 'token = "' + "A1." * 7_000 + '"'],
        ["password: abcdefgh1\n" + "0" * 20_000 + "!", "my key\n" + "\n#1" * 6_000],
    ],
)
def test_a_word_that_was_made_for_it_does_not_hold_the_masker(texts: list[str]) -> None:
    done = child("-c", SECRET.format(texts=texts))
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
def test_patterns_on_what_they_repeat() -> None:
    parts = ("domain.text", "domain.masking", "agent", "bot")
    done = child("-m", "benchmarks.linear", "--quick", *(word for part in parts for word in ("--only", part)))
    assert done.returncode == 0, done.stdout + done.stderr[-500:]


@pytest.mark.parametrize(("source", "length"), [("a*b", QUICK), (r"(?:\w+\.)*\w+@", 4_000), (r"x[^y]*y", 2 * QUICK)])
@pytest.mark.slow
def test_a_planted_pattern_that_is_steep_is_caught(source: str, length: int) -> None:
    """None is exponential: it would hold this process. They take the square of the length, which shows early on a slow
    machine, and later where a scan for one sign is fast."""
    planted = re.compile(source)
    texts = attacks(source)
    assert any(not measured("planted", lambda text: list(planted.finditer(text)), each, length).flat for each in texts)


SIGNALLED = """\
import signal
import sys
from domain.masking import Masker
signal.signal(signal.SIGTERM, lambda *_: sys.exit(7))
masker = Masker()
LARGE = ["password=hunter22! " * 100_000, "The secret is " + "A" * 1_000_000 + "_1", "1-" * 500_000]
print("ready", flush=True)
while True:
    for text in LARGE:
        masker.mask(text)
"""


def test_who_asks_it_to_end_is_heard_while_a_large_text_is_masked() -> None:
    with subprocess.Popen([sys.executable, "-c", SIGNALLED], cwd=ROOT, stdout=subprocess.PIPE, text=True) as masking:
        assert masking.stdout is not None
        assert masking.stdout.readline() == "ready\n"
        time.sleep(0.5)
        masking.send_signal(signal.SIGTERM)
        try:
            assert masking.wait(timeout=30) == 7
        finally:
            masking.kill()
