"""This checkout: its files (what is committed or would be, nothing that is ignored), and Pythons that run its code."""

import ast
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("domain", "config", "net", "agent", "storage", "migrations", "indexer", "bot")


@cache
def committed() -> tuple[str, ...]:
    """Paths below ROOT, in order. Skips the test where git cannot tell them, as in an unpacked archive."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"not a git checkout: {done.stderr.strip()}")
    return tuple(sorted(path for path in set(done.stdout.split("\0")) if path and (ROOT / path).is_file()))


def modules(*folders: str) -> list[str]:
    """The Python files below `folders`; below all of the packages when there are none."""
    return [path for path in committed() if path.endswith(".py") and path.split("/")[0] in (folders or PACKAGES)]


def module_name(path: str) -> str:
    """What a Python file is imported as."""
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


@cache
def tree(path: str) -> ast.Module:
    """The syntax tree of a Python file."""
    return ast.parse(text(path), path)


@cache
def text(path: str) -> str:
    """The content of a text file; empty for a binary one."""
    raw = (ROOT / path).read_bytes()
    try:
        return "" if b"\0" in raw else raw.decode("utf-8")
    except UnicodeDecodeError:
        return ""


def child(*arguments: str, given: str = "", folder: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """A Python that finds our modules, writes no bytecode and has an empty environment."""
    environment = {"PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1", "HOME": str(folder)}
    return subprocess.run(
        [sys.executable, *arguments],
        input=given,
        env=environment,
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
