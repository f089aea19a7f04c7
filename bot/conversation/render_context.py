"""Where an answer is shown, and what it offers there beside its text. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from domain.answers import Trace


@dataclass(frozen=True, slots=True)
class RenderContext:
    """Where an answer is shown."""

    number: int
    """The question's number in the ledger; buttons carry it."""
    now: datetime
    """The time, with a time zone."""
    private: bool
    """Whether the asker alone reads it."""
    share: bool = False
    """Whether it can be asked again for all who read the channel."""
    buttons: bool = True
    """Whether buttons are shown."""


def proposed_reindexes(trace: Trace) -> Sequence[str]:
    """The sources that an administrator was told how to have read again; `*` for all."""
    told = [each for each in trace.tool_calls if each.name == "index_command" and each.note and not each.error]
    return [str(each.args.get("source") or "*") for each in told if each.args.get("command") == "reindex"]
