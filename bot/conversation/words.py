"""What all chat platforms say in the same words. Pure."""

from collections.abc import Mapping
from datetime import datetime

from domain.answers import NotFound
from domain.conversation import Excess
from domain.reach import Reach

EXCESS: Mapping[Excess, str] = {
    "waiting": "I am busy: too many questions are waiting. Please ask again in a minute.",
    "user_minute": "You ask faster than I can answer. Please wait a minute and ask again.",
    "channel_minute": "This channel asks faster than I can answer. Please wait a minute and ask again.",
    "user_day": "You have asked as much as one person may in 24 hours. Please ask again tomorrow.",
}

OTHER_WORDS = "Try other words, or name the system, team or document you mean."
PRIVATE = "A private answer may use what only you can read."


def waiting(before: int | None) -> str:
    """The first sign of a question. before: how many have to be begun first; None where it need not wait."""
    match before:
        case None:
            return "Reading your question…"
        case 0:
            return "Your question waits, and is the next one…"
        case 1:
            return "Your question waits: 1 other is before it…"
        case _:
            return f"Your question waits: {before} others are before it…"


_HIGH = 0.75
_MEDIUM = 0.45


def confidence(share: float) -> str:
    """How sure an answer is, from 0 to 1, in a word."""
    if share >= _HIGH:
        return "high"
    return "medium" if share >= _MEDIUM else "low"


def not_found(outcome: NotFound) -> str:
    """What was searched without a result, and why the search did not reach further."""
    return f"I found nothing good enough. Searched {outcome.searched}. {outcome.reach.limit}".strip()


def instead(reach: Reach) -> str:
    """What to do where nothing was found: other words where they can help, else what does."""
    return reach.advice or f"{OTHER_WORDS} {PRIVATE if reach.private_helps else ''}".strip()


def age(moment: datetime, now: datetime) -> str:
    """How long ago a moment was, in the largest unit that fits: `3 days ago`. What is yet to come was just now."""
    seconds = (now - (moment if moment.tzinfo else moment.replace(tzinfo=now.tzinfo))).total_seconds()
    units = (("year", 31_557_600), ("month", 2_629_800), ("week", 604_800), ("day", 86_400), ("hour", 3_600))
    for unit, length in (*units, ("minute", 60)):
        if seconds >= length:
            count = int(seconds // length)
            return f"{count} {unit}{'' if count == 1 else 's'} ago"
    return "just now"


def updated(moment: datetime | None, now: datetime, before: str = " · ") -> str:
    """` · updated 3 days ago`, or nothing where that is not known."""
    return f"{before}updated {age(moment, now)}" if moment else ""
