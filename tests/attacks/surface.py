"""What an attack meets."""

from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Meet = Callable[[Any], Awaitable[str]]
"""Meets an attack. Gives what the attack reached, in words; empty where it came to nothing."""


@dataclass(frozen=True)
class Surface:
    """A part of the product that takes what strangers write."""

    name: str
    """Of the tool, the platform, or the part."""
    suite: str
    """A key of SUITES."""
    attacks: Mapping[str, Any]
    """By what they are."""
    opened: Callable[[Path], AbstractAsyncContextManager[Meet]]
    """Gets a folder of its own."""
    slow: bool = False
    """Whether only `make slow` has it met."""
    missed: int = 0
    """How many of them may reach something: a floor, for texts by others than whoever wrote what meets them."""

    def __str__(self) -> str:
        return f"{self.suite}: {self.name}"
