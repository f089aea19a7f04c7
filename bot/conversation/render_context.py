"""Where an answer is shown, and what it offers there beside its text. Pure."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from bot.conversation.actions import ShownPassage
from bot.conversation.texts import SUSPICIOUS_PASSAGE, updated
from domain.answers import Citation, NotFound, Trace
from domain.translation import translated


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


def whereabouts(citation: Citation, now: datetime, name: Callable[[str], str]) -> str:
    """` — section, place · updated 3 days ago`, as far as it is known. name: shows a short text on one line."""
    where = ", ".join(name(each) for each in (citation.section, citation.place) if each)
    return (f" — {where}" if where else "") + updated(citation.updated_at, now)


def passage_place(found: ShownPassage, name: Callable[[str], str]) -> str:
    """`Section · place · updated 2026-03-31` of a passage, as far as it is known, with a warning where it needs one.
    name: as of `whereabouts`."""
    where = [name(each) for each in (found.section, found.place) if each]
    dated = [translated("updated {age}", age=f"{found.updated_at:%Y-%m-%d}")] if found.updated_at else []
    return " · ".join([*where, *dated, *([translated(SUSPICIOUS_PASSAGE)] if found.suspicious else [])])


def offers_owner(outcome: NotFound, frame: RenderContext) -> bool:
    """Whether the owner of a nearest document can be asked: where the asker alone reads the reply."""
    return frame.private and any(each.addressed for each in outcome.nearest)


def proposed_reindexes(trace: Trace) -> Sequence[tuple[str, str]]:
    """Label and value of a button for each source that an administrator was told how to have read again; the value `*`
    stands for all. It starts nothing either: it asks whether that is meant."""
    told = [each for each in trace.tool_calls if each.name == "index_command" and each.note and not each.error]
    sources = [str(each.args.get("source") or "*") for each in told if each.args.get("command") == "reindex"]
    return [
        (translated("Read all again" if each == "*" else "Read {source} again", source=each), each) for each in sources
    ]
