"""What is kept for so long and no longer: the periods, and the removal of what is older. docs/retention.md says it for
each table."""

import logging
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta

from bot.conversation.question_log import log_abandoned
from config.settings import Settings
from domain.errors import KbError
from domain.ledger import Ledger
from domain.log_context import WAITING
from storage.open import Storage

log = logging.getLogger(__name__)

TICKS_KEPT = timedelta(days=90)
"""It is kept so long what became of what was due, and of readings of whole sources."""

SMALL_RUNS_KEPT = timedelta(days=14)
"""The same of readings of permissions, of which there are 48 a day, and of single documents."""

ABANDONED_AFTER = timedelta(days=1)
"""So long after its deadline, a question is closed that nobody has told that it is too late."""


async def close_abandoned(ledger: Ledger) -> None:
    """Closes the questions that nobody ended, of all platforms, and says so in the log. Raises Transient when the
    database is away."""
    log_abandoned(await ledger.close_abandoned(ABANDONED_AFTER))


async def remove_what_is_too_old(storage: Storage, settings: Settings) -> None:
    """Removes what is older than the settings say. What cannot be removed now does not hold the rest, and is tried
    again the next time.

    Raises:
        KbError: of the first that could not be removed, such as Transient when the database is away.
    """
    wanted, model, now = settings.conversation, settings.model, datetime.now(UTC)
    replies = storage.reply_cache(limit=model.model_cache_entries, max_age=timedelta(days=model.model_cache_days))
    removals: dict[str, Callable[[], Awaitable[object]]] = {
        "texts of conversations": lambda: storage.memory().prune(before=now - timedelta(days=wanted.memory_days)),
        "questions": lambda: storage.ledger().prune(ended_before=now - timedelta(days=wanted.question_days)),
        "audit log": lambda: storage.audit_log().prune(before=now - timedelta(days=wanted.audit_days)),
        "replies of models": replies.prune,
        "sign-ins": storage.web_sessions().prune,
        "scheduled runs": lambda: storage.scheduled_runs().prune(before=now - TICKS_KEPT),
        "runs": lambda: storage.runs.prune(before=now - TICKS_KEPT, kinds=["content", "part"]),
        "small runs": lambda: storage.runs.prune(before=now - SMALL_RUNS_KEPT, kinds=["permissions", "hint"]),
    }
    failed: KbError | None = None
    for name, remove in removals.items():
        try:
            await remove()
        except KbError as error:
            log.warning("What is too old stays for now (%s): %s", name, error.what, extra=WAITING)
            failed = failed or error
    if failed is not None:
        raise failed
