"""No text keeps the product busy: time grows with the length, whatever the text was made against."""

import subprocess
import sys

import pytest

from tests.command import ROOT

SECRET = """\
from domain.masking import Masker
from domain.masking.values import degree, is_placeholder
for text in {texts!r}:
    Masker().mask(text)
    degree(text)
    is_placeholder(text)
"""
PATIENCE = 60
"""Seconds; what grows with the square, or worse, takes minutes."""


def child(*words: str) -> subprocess.CompletedProcess[str]:
    """A Python of its own, which can be ended while a pattern holds its interpreter."""
    command = [sys.executable, *words]
    return subprocess.run(command, cwd=ROOT, timeout=PATIENCE, capture_output=True, text=True, check=False)


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


@pytest.mark.parametrize("part", ["domain.text", "domain.masking", "agent", "bot"])
def test_patterns_on_what_they_repeat(part: str) -> None:
    done = child("-m", "benchmarks.linear", "--quick", "--only", part)
    assert done.returncode == 0, done.stdout + done.stderr[-500:]
