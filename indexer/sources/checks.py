"""What can be said of a source before its first run, for operators."""

from dataclasses import dataclass
from typing import Literal, Protocol, runtime_checkable

from domain.errors import KbError


@dataclass(frozen=True, slots=True)
class CheckFinding:
    """One thing that was looked at. what, why, next_step: as of domain.errors.KbError."""

    level: Literal["ok", "warning", "error"]
    """`error` when an index run would fail or admit nobody, `warning` when less than expected is read or admitted."""
    what: str
    why: str = ""
    next_step: str = ""

    @classmethod
    def of(cls, error: KbError) -> "CheckFinding":
        """An error as a finding."""
        return cls("error", error.what, error.why, error.next_step)


@runtime_checkable
class CheckableSource(Protocol):
    """A connector that can say how it stands with its source."""

    async def check(self) -> list[CheckFinding]:
        """What works and what does not, the most basic first. It raises nothing: errors are findings."""
