"""What all chat platforms say in the same words. Pure."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from domain.answers import NotFound
from domain.conversation import ExceededLimit
from domain.scope_reason import ScopeReason
from domain.translation import translated

_EXCESS: Mapping[ExceededLimit, str] = {
    "waiting": "I am busy: too many questions are waiting. Please ask again in a minute.",
    "user_minute": "You ask faster than I can answer. Please wait a minute and ask again.",
    "channel_minute": "This channel asks faster than I can answer. Please wait a minute and ask again.",
    "user_day": "You have asked as much as one person may in 24 hours. Please ask again tomorrow.",
}


def excess(limit: ExceededLimit) -> str:
    """A question is beyond a limit, and when to come again."""
    return translated(_EXCESS[limit])


OTHER_WORDS = "Try other words, or name the system, team or document you mean."
PRIVATE = "A private answer may use what only you can read."

UNKNOWN_ASKER = "I could not check who you are, so I do not know what you may read"
NOT_NOW = "I cannot do that at the moment. Please try again in a minute."
NOT_YOURS = "Only an administrator of this bot may start indexing. Ask whoever runs it."
NO_SOURCES = "There is nothing here that you may see."
SUSPICIOUS_PASSAGE = "holds text that is addressed to machines: do not follow it"
NO_PASSAGE = "This passage cannot be shown: it is gone, or you may not read it."
"""Stands in the place of a passage. Whether it is gone or closed to the reader stays unsaid."""
NO_STATUS = "Nothing is known."
NO_REPLY_TO_RATE = "There is no reply of mine to you here that I remember."
CORRECTED = "This answer was corrected: a source is no longer available, and what was taken from it was left out."
WHOLLY_GONE = "This answer was removed: a source is no longer available."
PART_REMOVED = "This part of the answer was removed when it was corrected."
"""Stands in the place of a message that is too many after a correction and cannot be deleted."""
SOURCE_CHANGED = "A source of this answer has changed since: it may say something else now."
THANKS = "Thank you. It goes to those who look after the index."
NOTHING_STARTED = "Nothing was started."
WAITS_ALREADY = "That is waiting to be done already."
READING_QUESTION = "Reading the question"
"""The first step of a reply that is streamed with its steps."""
READING_STATUS = "is reading your question…"
"""Shown behind the name of the bot while a question is read."""

_BAR = 10
"""Characters of a progress bar."""


def source_contradicts(numbers: Sequence[int]) -> str:
    """Below an answer of which a sentence is not what its source says by now."""
    named = ", ".join(f"[{n}]" for n in numbers)
    return translated(
        "Changed since: {named} now says something else than this answer. Open it before you rely on this.", named=named
    )


def waiting(before: int | None) -> str:
    """The status message of a question. before: how many have to be begun first; None where it need not wait."""
    match before:
        case None:
            return translated("Reading your question…")
        case 0:
            return translated("Your question waits, and is the next one…")
        case 1:
            return translated("Your question waits: 1 other is before it…")
        case _:
            return translated("Your question waits: {before} others are before it…", before=before)


def late(number: int) -> str:
    """An answer took longer than it may. number: of the question in the ledger."""
    return translated(
        "This took too long and was stopped. Ask again, or ask for less at once. Reference: Q{number}", number=number
    )


def progress_bar(percent: int) -> str:
    """How far an answer is, as a bar and a number. percent: taken for 0 or 100 where it is beyond them."""
    share = min(100, max(0, percent))
    done = share * _BAR // 100
    return f"{'▓' * done}{'░' * (_BAR - done)} {share} %"


def forgotten(count: int) -> str:
    """A person had their questions forgotten. count: how many those were."""
    return f"Forgotten: {count} of your questions, with what I replied."


_HIGH = 0.75
_MEDIUM = 0.45


def confidence(share: float) -> str:
    """How sure an answer is, from 0 to 1, in a word."""
    if share >= _HIGH:
        return translated("high")
    return translated("medium" if share >= _MEDIUM else "low")


def not_found(outcome: NotFound) -> str:
    """What was searched without a result, and why the search did not reach further."""
    searched = translated("I found nothing good enough. Searched {searched}.", searched=outcome.searched)
    return f"{searched} {outcome.scope_reason.limit}".strip()


def instead(reason: ScopeReason) -> str:
    """What to do where nothing was found: other words where they can help, else what does."""
    return reason.advice or f"{translated(OTHER_WORDS)} {translated(PRIVATE) if reason.private_helps else ''}".strip()


_AGES = (
    (31_557_600, "1 year ago", "{count} years ago"),
    (2_629_800, "1 month ago", "{count} months ago"),
    (604_800, "1 week ago", "{count} weeks ago"),
    (86_400, "1 day ago", "{count} days ago"),
    (3_600, "1 hour ago", "{count} hours ago"),
    (60, "1 minute ago", "{count} minutes ago"),
)
"""Seconds, and how that long ago is said."""


def age(moment: datetime, now: datetime) -> str:
    """How long ago a moment was, in the largest unit that fits: `3 days ago`. What is yet to come was just now."""
    seconds = (now - (moment if moment.tzinfo else moment.replace(tzinfo=now.tzinfo))).total_seconds()
    for length, one, several in _AGES:
        if seconds >= length:
            count = int(seconds // length)
            return translated(one if count == 1 else several, count=count)
    return translated("just now")


def updated(moment: datetime | None, now: datetime, before: str = " · ") -> str:
    """` · updated 3 days ago`, or nothing where that is not known."""
    return before + translated("updated {age}", age=age(moment, now)) if moment else ""
