"""A loop without an end hears that it is to end, also where a library took the cancellation for itself."""

import ast
from collections.abc import Iterator

import pytest

from tests.architecture.checkout import ROOT

PACKAGES = ("domain", "net", "agent", "bot", "indexer", "storage")
FILES = sorted(file for package in PACKAGES for file in (ROOT / package).rglob("*.py"))


def endless(source: str) -> Iterator[ast.While]:
    """Loops that only an exception ends."""
    for each in ast.walk(ast.parse(source)):
        if (
            isinstance(each, ast.While)
            and isinstance(each.test, ast.Constant)
            and not any(isinstance(inner, ast.Return | ast.Break | ast.Raise) for inner in ast.walk(each))
        ):
            yield each


def deaf(source: str) -> list[str]:
    """Those that sleep without domain.cancellation.cancellable_sleep."""
    found = [ast.unparse(each) for each in endless(source)]
    return [each for each in found if "asyncio.sleep(" in each]


@pytest.mark.parametrize("package", PACKAGES)
def test_loops_without_an_end_can_be_cancelled(package: str) -> None:
    files = [file for file in FILES if file.is_relative_to(ROOT / package)]
    assert {str(file): found for file in files if (found := deaf(file.read_text()))} == {}


def test_a_planted_one_is_found() -> None:
    assert deaf("async def keep():\n    while True:\n        await look()\n        await asyncio.sleep(1)\n")
    assert not deaf("async def keep():\n    while True:\n        await look()\n        await cancellable_sleep(1)\n")
