"""Where an answer is shown, and what it offers there beside its text. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from domain.answers import Trace


@dataclass(frozen=True, slots=True)
class Frame:
    """Where an answer is shown.

    number: of the question in the ledger; it goes into the values of buttons. now: with a time zone. private: whether
    the asker alone reads it. share: whether it can be asked again for all who read the channel. buttons: whether
    anything can be pressed.
    """

    number: int
    now: datetime
    private: bool
    share: bool = False
    buttons: bool = True


def read_again(trace: Trace) -> Sequence[str]:
    """The sources that an administrator was told how to have read again; `*` for all."""
    told = [each for each in trace.tool_calls if each.name == "index_command" and each.note and not each.error]
    return [str(each.args.get("source") or "*") for each in told if each.args.get("command") == "reindex"]
